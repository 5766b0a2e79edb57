"""A photographed page without the table it lies on.

The layout network takes a sheet in a large dark photograph for one figure or table. The lines found tell which light
patch is the sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.picture import Upright

if TYPE_CHECKING:
    from octavo.document import Pixels

_SIDE = 400  # px, about, of the picture in which the sheet is looked for
_LINES = 5  # at least; fewer may stand on a light patch of anything
_CLOSED = 2.0  # heights of a line: what is written closer together than this is not seen
_LIGHTER = 50  # of 255, by which paper is lighter than what lies around it
_FILLED = 0.85  # of the box around it that a sheet fills
_LARGEST = 0.85  # of the picture: a larger sheet needs no trimming
_MARGIN = 0.01  # of the picture around the sheet


def trimmed(page: Upright, found: Sequence[Found]) -> tuple[Upright, list[Found]]:
    """The page and its lines, cut out where they all stand on one light sheet that is much smaller than the picture."""
    box = _sheet(page.pixels, found)
    if box is None:
        return page, list(found)
    left, top, right, bottom = box
    pixels = np.ascontiguousarray(page.pixels[top:bottom, left:right])
    back = page.back @ np.array(((1, 0, left), (0, 1, top), (0, 0, 1)), np.float64)
    corner = np.array((left, top), np.float32)
    moved = [replace(line, corners=line.corners - corner) for line in found]
    return replace(page, pixels=pixels, back=back), moved


def _sheet(pixels: Pixels, found: Sequence[Found]) -> tuple[int, int, int, int] | None:
    """The box around the sheet that all lines stand on."""
    if len(found) < _LINES:
        return None
    step = max(1, max(pixels.shape[:2]) // _SIDE)
    grey = cv2.cvtColor(np.ascontiguousarray(pixels[::step, ::step]), cv2.COLOR_RGB2GRAY)
    height = float(np.median([line.size[1] for line in found])) / step
    closed = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((2 * int(_CLOSED * height / 2) + 3,) * 2, np.uint8))
    threshold, light = cv2.threshold(closed, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if not light.any() or light.all() or closed[light > 0].mean() - closed[light == 0].mean() < _LIGHTER:
        return None
    _, labels, stats, _ = cv2.connectedComponentsWithStats(light)
    middles = np.array([line.corners.mean(axis=0) for line in found]) / step
    x, y = np.minimum(middles.astype(int), (grey.shape[1] - 1, grey.shape[0] - 1)).clip(0).T
    on = np.bincount(labels[y, x], minlength=len(stats))
    on[0] = 0
    sheet = int(np.argmax(on))
    left, top, width, tall, area = (int(value) for value in stats[sheet])
    inside = (x >= left) & (x < left + width) & (y >= top) & (y < top + tall)
    if not inside.all() or area < _FILLED * width * tall or width * tall > _LARGEST * grey.size:
        return None
    margin = int(_MARGIN * max(grey.shape)) + 1
    right, bottom = (left + width + margin) * step, (top + tall + margin) * step
    left, top = max(0, left - margin) * step, max(0, top - margin) * step
    return left, top, min(right, pixels.shape[1]), min(bottom, pixels.shape[0])
