"""What cuts off parts of the things on a PDF page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from octavo.intake import pdf_native
from octavo.intake.pdf_geometry import Geometry
from octavo.intake.pdf_objects import IDENTITY, Drawn

_EVERYWHERE = np.array((-np.inf, -np.inf, np.inf, np.inf))
_POINTS = 100  # of a clip path that are looked at; who clips along a shape with more of them means no text


def clips(objects: Sequence[Drawn], geometry: Geometry) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """For each object the box on the displayed page outside of which nothing of it is shown, infinite where there is
    none, and whether all of that box is shown."""
    known: dict[tuple[int, int, int], tuple[tuple[float, ...], bool]] = {}  # most objects of a page share clip paths
    boxes = np.tile(_EVERYWHERE, (len(objects), 1))
    whole = np.ones(len(objects), np.bool_)
    for place, one in enumerate(objects):
        for clip, number, count, first in pdf_native.clip_paths(one.handle):
            key = (first, count, id(one.matrix))
            if key not in known:
                known[key] = _box(pdf_native.clip_points(clip, number, min(count, _POINTS)), one, geometry)
            box, exact = known[key]
            boxes[place, :2] = np.maximum(boxes[place, :2], box[:2])
            boxes[place, 2:] = np.minimum(boxes[place, 2:], box[2:])
            whole[place] &= exact
    return boxes, whole


def _box(points: NDArray[np.float32], one: Drawn, geometry: Geometry) -> tuple[tuple[float, ...], bool]:
    placed = points.astype(np.float64)
    if one.matrix is not IDENTITY:
        placed = placed @ one.matrix[:2, :2] + one.matrix[2, :2]
    shown = placed @ geometry.linear + geometry.shift
    level = bool((np.abs(np.diff(shown, axis=0)).min(axis=1) < 0.1).all()) if 4 <= len(shown) <= 6 else False
    return (*shown.min(axis=0).tolist(), *shown.max(axis=0).tolist()), level
