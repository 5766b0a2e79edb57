"""The pictures on a PDF page: how much of it they cover, and how fine they are."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.document import Box
from octavo.intake.pdf_clips import clips
from octavo.intake.pdf_geometry import Geometry
from octavo.intake.pdf_objects import Drawn, Painted, matrix_of

_GRID = 64  # cells a side on which the union of the pictures is taken
_COVERING = 0.95
_SMALLEST = 12.0  # pt a side; what is smaller is a bullet or an ornament
_MOST = 500  # pictures told of; scans in strips and tiled grounds have thousands


@dataclass(frozen=True)
class Pictures:
    """`cover` is the share of the page under pictures, 0 to 1; `dpi` the finest picture's own resolution, 0 if none.

    `only` is True where nothing but pictures and text is drawn and the pictures cover the page. `boxes` are where the
    pictures stand, on the displayed page, those too small to show anything left out; `painted` are all of them.
    """

    cover: float = 0.0
    dpi: float = 0.0
    only: bool = False
    boxes: tuple[Box, ...] = ()
    painted: tuple[Painted, ...] = ()


def pictures(page: Any, objects: Sequence[Drawn], geometry: Geometry) -> Pictures:
    """Looks through the objects of a loaded page."""
    grid = np.zeros((_GRID, _GRID), np.bool_)
    finest, drawings, texts = 0.0, 0, 0
    boxes: list[Box] = []
    painted: list[Painted] = []
    for place, (handle, kind, matrix) in enumerate(objects):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            placed, dpi = _image(handle, matrix, geometry)
            finest = max(finest, dpi)
            if len(painted) >= _MOST:
                _fill(grid, placed, geometry)
                continue
            clip, whole = clips([objects[place]], geometry)
            placed = np.concatenate([np.maximum(placed[:2], clip[0, :2]), np.minimum(placed[2:], clip[0, 2:])])
            _fill(grid, placed, geometry)
            x0, y0, x1, y1 = placed.tolist()
            boxes += _shown((x0, y0, x1, y1), geometry)
            # Only what lies over text has to be asked about.
            opaque = texts > 0 and bool(whole[0]) and _opaque(handle, page)
            painted.append(Painted((x0, y0, x1, y1), None, opaque, place))
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts += 1
        else:
            drawings += 1
    cover = float(grid.mean())
    return Pictures(cover, finest, drawings == 0 and cover >= _COVERING, tuple(boxes), tuple(painted))


def _shown(box: Box, geometry: Geometry) -> list[Box]:
    """The part of a picture's box that is on the page, if it is large enough to be looked at."""
    x0, y0, x1, y1 = box
    x0, y0, x1, y1 = max(x0, 0.0), max(y0, 0.0), min(x1, geometry.width), min(y1, geometry.height)
    if x1 - x0 < _SMALLEST or y1 - y0 < _SMALLEST:
        return []
    return [(round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))]


def _image(handle: int, outer: NDArray[np.float64], geometry: Geometry) -> tuple[NDArray[np.float64], float]:
    """Box on the displayed page and resolution of an image: its matrix maps the unit square to where it lies."""
    own = matrix_of(handle)
    if own is None:
        return np.zeros(4), 0.0
    placed = own @ outer
    corners = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]) @ placed
    shown = corners[:, :2] @ geometry.linear + geometry.shift
    columns, rows = ctypes.c_uint(), ctypes.c_uint()
    pdfium.FPDFImageObj_GetImagePixelSize(ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT), columns, rows)
    wide, high = math.hypot(*placed[0, :2]), math.hypot(*placed[1, :2])
    dpi = max(columns.value * 72 / wide, rows.value * 72 / high) if wide > 0 and high > 0 else 0.0
    return np.concatenate([shown.min(axis=0), shown.max(axis=0)]), dpi


def _fill(grid: NDArray[np.bool_], box: NDArray[np.float64], geometry: Geometry) -> None:
    sides = (geometry.width, geometry.height, geometry.width, geometry.height)
    x0, y0, x1, y1 = np.clip(np.nan_to_num(np.round(box / sides * _GRID)), 0, _GRID).astype(int)
    grid[y0:y1, x0:x1] = True


def _opaque(handle: int, page: Any) -> bool:
    """False for pictures with transparency and for stencils, which have no colours of their own."""
    image = ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
    if pdfium.FPDFPageObj_HasTransparency(image):
        return False
    found = pdfium.FPDF_IMAGEOBJ_METADATA()
    known = pdfium.FPDFImageObj_GetImageMetadata(image, page, found)
    return bool(known and found.colorspace != pdfium.FPDF_COLORSPACE_UNKNOWN)
