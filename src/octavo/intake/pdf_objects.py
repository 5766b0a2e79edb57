"""What a PDF page draws, object by object, those inside forms included."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.document import Box
from octavo.intake import pdf_native

Matrix = NDArray[np.float64]  # 3 x 3, for row vectors: point @ matrix

MOST = 20_000  # a map can have a million paths; what matters on real pages comes before
_DEEPEST = 5  # forms within forms
IDENTITY: Matrix = np.eye(3)


class Drawn(NamedTuple):
    """An object's address, its kind (FPDF_PAGEOBJ_*) and the matrix from its coordinates to those of the page.

    The matrix is `IDENTITY` itself for objects that are in no form.
    """

    handle: int
    kind: int
    matrix: Matrix


class Painted(NamedTuple):
    """Something that is not thin: its box on the displayed page, its colour (None where it has more than one, is not
    known or does not fill the box), whether nothing shows through, and its place among the page's objects."""

    box: Box
    colour: tuple[int, int, int] | None
    opaque: bool
    place: int


def drawn(page: Any) -> list[Drawn]:
    """The first objects of a loaded page, at most `MOST`, in drawing order; forms are replaced by what they hold."""
    left = MOST

    def walk(found: list[tuple[int, int]], matrix: Matrix, depth: int) -> Iterator[Drawn]:
        nonlocal left
        for handle, kind in found:
            left -= 1
            if left < 0 or not handle:
                return
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield Drawn(handle, kind, matrix)
            elif depth < _DEEPEST:
                form = ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
                count = min(max(pdfium.FPDFFormObj_CountObjects(form), 0), left)
                inner = matrix_of(handle)
                if inner is not None:
                    yield from walk(pdf_native.form_objects(handle, count), inner @ matrix, depth + 1)

    count = min(max(pdfium.FPDFPage_CountObjects(page), 0), MOST)
    return list(walk(pdf_native.page_objects(pdf_native.address(page), count), IDENTITY, 0))


def matrix_of(handle: int) -> Matrix | None:
    """An object's own matrix."""
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT), found):
        return None
    return np.array([[found.a, found.b, 0], [found.c, found.d, 0], [found.e, found.f, 1]], np.float64)
