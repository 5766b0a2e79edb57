"""The pictures on a PDF page: how much of it they cover, and how fine they are."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.intake import pdf_native
from octavo.intake.pdf_geometry import Geometry

_MOST_OBJECTS = 20_000  # a map can have a million paths; the pictures of real pages come early
_DEEPEST = 5  # forms within forms
_GRID = 64  # cells a side on which the union of the pictures is taken
_COVERING = 0.95


@dataclass(frozen=True)
class Pictures:
    """`cover` is the share of the page under pictures, 0 to 1; `dpi` the finest picture's own resolution, 0 if none.

    `only` is True where nothing but pictures and text is drawn and the pictures cover the page. `hidden` holds the
    addresses of text objects that lie under an opaque picture of the whole page.
    """

    cover: float = 0.0
    dpi: float = 0.0
    only: bool = False
    hidden: frozenset[int] = frozenset()


def pictures(page: Any, geometry: Geometry) -> Pictures:
    """Looks through the objects of a loaded page, those inside forms included."""
    grid = np.zeros((_GRID, _GRID), np.bool_)
    finest, drawings, hidden = 0.0, 0, frozenset[int]()
    before: list[int] = []  # text drawn so far
    for handle, kind, matrix in _objects(pdf_native.address(page)):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            box, dpi = _image(handle, matrix, geometry)
            _fill(grid, box, geometry)
            finest = max(finest, dpi)
            if before and _covers(box, geometry) and _opaque(handle, page):
                hidden = frozenset(before)
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            before.append(handle)
        else:
            drawings += 1
    cover = float(grid.mean())
    return Pictures(cover, finest, drawings == 0 and cover >= _COVERING, hidden)


def _objects(page: int) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
    """Address, kind and the matrix to page space of each object that is not a form, in drawing order."""
    left = _MOST_OBJECTS

    def walk(found: list[tuple[int, int]], matrix: NDArray[np.float64], depth: int) -> Iterator[Any]:
        nonlocal left
        for handle, kind in found:
            left -= 1
            if left < 0 or not handle:
                return
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield handle, kind, matrix
            elif depth < _DEEPEST:
                form = ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
                count = min(max(pdfium.FPDFFormObj_CountObjects(form), 0), left)
                inner = _matrix(handle)
                if inner is not None:
                    yield from walk(pdf_native.form_objects(handle, count), inner @ matrix, depth + 1)

    handle = ctypes.cast(page, pdfium.FPDF_PAGE)
    count = min(max(pdfium.FPDFPage_CountObjects(handle), 0), _MOST_OBJECTS)
    yield from walk(pdf_native.page_objects(page, count), np.eye(3), 0)


def _matrix(handle: int) -> NDArray[np.float64] | None:
    """An object's matrix, 3 x 3 for row vectors: point @ matrix."""
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT), found):
        return None
    return np.array([[found.a, found.b, 0], [found.c, found.d, 0], [found.e, found.f, 1]], np.float64)


def _image(handle: int, outer: NDArray[np.float64], geometry: Geometry) -> tuple[NDArray[np.float64], float]:
    """Box on the displayed page and resolution of an image: its matrix maps the unit square to where it lies."""
    own = _matrix(handle)
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


def _covers(box: NDArray[np.float64], geometry: Geometry) -> bool:
    x0, y0, x1, y1 = box
    wide = min(x1, geometry.width) - max(x0, 0)
    high = min(y1, geometry.height) - max(y0, 0)
    return bool(wide > 0 and high > 0 and wide * high >= _COVERING * geometry.width * geometry.height)


def _opaque(handle: int, page: Any) -> bool:
    """False for pictures with transparency and for stencils, which have no colours of their own."""
    image = ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
    if pdfium.FPDFPageObj_HasTransparency(image):
        return False
    found = pdfium.FPDF_IMAGEOBJ_METADATA()
    known = pdfium.FPDFImageObj_GetImageMetadata(image, page, found)
    return bool(known and found.colorspace != pdfium.FPDF_COLORSPACE_UNKNOWN)
