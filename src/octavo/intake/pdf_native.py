"""PDFium calls made once per character, in bulk.

A call through pypdfium2's prototypes costs about 1 µs, most of it for converting arguments. Here the same functions are
bound to plain addresses and driven by `map`, which costs 0.2 µs, so that a page of 4,000 characters takes 4 ms.
"""

from __future__ import annotations

import ctypes
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray


def address(handle: Any) -> int:
    """The address behind a PDFium handle or function."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _bound(function: Any, result: Any, *arguments: Any) -> Any:
    # PYFUNCTYPE keeps the interpreter lock: the calls are too short to be worth releasing it.
    return ctypes.PYFUNCTYPE(result, *arguments)(address(function))


_PTR, _INT = ctypes.c_void_p, ctypes.c_int
_unicode = _bound(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _PTR, _INT)
_object = _bound(pdfium.FPDFText_GetTextObject, _PTR, _PTR, _INT)
_map_error = _bound(pdfium.FPDFText_HasUnicodeMapError, _INT, _PTR, _INT)
_loose_box = _bound(pdfium.FPDFText_GetLooseCharBox, _INT, _PTR, _INT, _PTR)
_angle = _bound(pdfium.FPDFText_GetCharAngle, ctypes.c_float, _PTR, _INT)
_hyphen = _bound(pdfium.FPDFText_IsHyphen, _INT, _PTR, _INT)
_render_mode = _bound(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _PTR)
_page_object = _bound(pdfium.FPDFPage_GetObject, _PTR, _PTR, _INT)
_form_object = _bound(pdfium.FPDFFormObj_GetObject, _PTR, _PTR, ctypes.c_ulong)
_kind = _bound(pdfium.FPDFPageObj_GetType, _INT, _PTR)


def unicodes(text_page: int, count: int) -> NDArray[np.uint32]:
    """The code of each character; 0 where there is none."""
    return np.fromiter(map(_unicode, repeat(text_page, count), range(count)), np.uint32, count)


def objects(text_page: int, count: int) -> NDArray[np.uint64]:
    """The address of the text object that drew each character; 0 for those PDFium has put in (spaces, line ends)."""
    return np.fromiter((found or 0 for found in map(_object, repeat(text_page, count), range(count))), np.uint64, count)


def map_errors(text_page: int, indexes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of these characters had no Unicode value in their font."""
    answers = map(_map_error, repeat(text_page), indexes.tolist())
    return np.fromiter((answer == 1 for answer in answers), np.bool_, len(indexes))


def boxes(text_page: int, count: int) -> NDArray[np.float32]:
    """count x 4: left, top, right, bottom in PDF coordinates, as wide as the advance and as high as the font."""
    found = np.zeros((count, 4), np.float32)
    start = found.ctypes.data
    for _ in map(_loose_box, repeat(text_page, count), range(count), range(start, start + 16 * count, 16)):
        pass
    return found


def angles(text_page: int, indexes: NDArray[np.intp]) -> NDArray[np.float64]:
    """The direction in which each of these characters is written, in radians clockwise."""
    return np.fromiter(map(_angle, repeat(text_page), indexes.tolist()), np.float64, len(indexes))


def is_hyphen(text_page: int, index: int) -> bool:
    """Whether PDFium takes this character for a hyphen at a line's end."""
    return bool(_hyphen(text_page, index) == 1)


def render_modes(text_objects: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The text rendering mode of each object, 0 to 7."""
    return np.fromiter(map(_render_mode, text_objects.tolist()), np.int32, len(text_objects))


def page_objects(page: int, count: int) -> list[tuple[int, int]]:
    """Address and kind (FPDF_PAGEOBJ_*) of the first `count` objects of a page, in drawing order."""
    found = list(map(_page_object, repeat(page, count), range(count)))
    return list(zip(found, map(_kind, found), strict=True))


def form_objects(form: int, count: int) -> list[tuple[int, int]]:
    """The same of a form object."""
    found = list(map(_form_object, repeat(form, count), range(count)))
    return list(zip(found, map(_kind, found), strict=True))
