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
# Addresses come back as plain numbers; as pointers they would be None where there is none.
_object = _bound(pdfium.FPDFText_GetTextObject, ctypes.c_size_t, _PTR, _INT)
_map_error = _bound(pdfium.FPDFText_HasUnicodeMapError, _INT, _PTR, _INT)
_loose_box = _bound(pdfium.FPDFText_GetLooseCharBox, _INT, _PTR, _INT, _PTR)
_hyphen = _bound(pdfium.FPDFText_IsHyphen, _INT, _PTR, _INT)
_render_mode = _bound(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _PTR)
_font = _bound(pdfium.FPDFTextObj_GetFont, ctypes.c_size_t, _PTR)
_font_size = _bound(pdfium.FPDFTextObj_GetFontSize, _INT, _PTR, _PTR)
_char_matrix = _bound(pdfium.FPDFText_GetMatrix, _INT, _PTR, _INT, _PTR)
_origin = _bound(pdfium.FPDFText_GetCharOrigin, _INT, _PTR, _INT, _PTR, _PTR)
_fill_colour = _bound(pdfium.FPDFPageObj_GetFillColor, _INT, _PTR, _PTR, _PTR, _PTR, _PTR)
_bounds = _bound(pdfium.FPDFPageObj_GetBounds, _INT, _PTR, _PTR, _PTR, _PTR, _PTR)
_draw_mode = _bound(pdfium.FPDFPath_GetDrawMode, _INT, _PTR, _PTR, _PTR)
_transparent = _bound(pdfium.FPDFPageObj_HasTransparency, _INT, _PTR)
_count_segments = _bound(pdfium.FPDFPath_CountSegments, _INT, _PTR)
_segment = _bound(pdfium.FPDFPath_GetPathSegment, _PTR, _PTR, _INT)
_segment_kind = _bound(pdfium.FPDFPathSegment_GetType, _INT, _PTR)
_segment_point = _bound(pdfium.FPDFPathSegment_GetPoint, _INT, _PTR, _PTR, _PTR)
_segment_closes = _bound(pdfium.FPDFPathSegment_GetClose, _INT, _PTR)
_clip = _bound(pdfium.FPDFPageObj_GetClipPath, _PTR, _PTR)
_clip_paths = _bound(pdfium.FPDFClipPath_CountPaths, _INT, _PTR)
_clip_segments = _bound(pdfium.FPDFClipPath_CountPathSegments, _INT, _PTR, _INT)
_clip_segment = _bound(pdfium.FPDFClipPath_GetPathSegment, _PTR, _PTR, _INT, _INT)
_page_object = _bound(pdfium.FPDFPage_GetObject, _PTR, _PTR, _INT)
_form_object = _bound(pdfium.FPDFFormObj_GetObject, _PTR, _PTR, ctypes.c_ulong)
_kind = _bound(pdfium.FPDFPageObj_GetType, _INT, _PTR)


def unicodes(text_page: int, count: int) -> NDArray[np.uint32]:
    """The code of each character; 0 where there is none."""
    return np.fromiter(map(_unicode, repeat(text_page, count), range(count)), np.uint32, count)


def objects(text_page: int, count: int) -> NDArray[np.uint64]:
    """The address of the text object that drew each character; 0 for those PDFium has put in (spaces, line ends)."""
    return np.fromiter(map(_object, repeat(text_page, count), range(count)), np.uint64, count)


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


def fonts(text_objects: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The address of each text object's font."""
    return np.fromiter(map(_font, text_objects.tolist()), np.uint64, len(text_objects))


def font_sizes(text_objects: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Each text object's font size, before its matrix makes it larger or smaller."""
    count = len(text_objects)
    found = np.zeros(count, np.float32)
    start = found.ctypes.data
    for _ in map(_font_size, text_objects.tolist(), range(start, start + 4 * count, 4)):
        pass
    return found


def matrices(text_page: int, indexes: NDArray[np.intp]) -> NDArray[np.float32]:
    """n x 6: a, b, c, d, e, f of each of these characters' matrix to the page."""
    count = len(indexes)
    found = np.zeros((count, 6), np.float32)
    start = found.ctypes.data
    for _ in map(_char_matrix, repeat(text_page), indexes.tolist(), range(start, start + 24 * count, 24)):
        pass
    return found


def origins(text_page: int, indexes: NDArray[np.intp]) -> NDArray[np.float64]:
    """n x 2: where on its base line each of these characters begins, in PDF coordinates."""
    count = len(indexes)
    found = np.zeros((count, 2), np.float64)
    start = found.ctypes.data
    places = (range(start, start + 16 * count, 16), range(start + 8, start + 8 + 16 * count, 16))
    for _ in map(_origin, repeat(text_page), indexes.tolist(), *places):
        pass
    return found


def fill_colours(objects: NDArray[np.uint64]) -> NDArray[np.int64]:
    """n x 4: red, green, blue and opacity, 0 to 255, of what each object is filled with; -1 where that is no colour."""
    count = len(objects)
    found = np.zeros((count, 4), np.uint32)
    start = found.ctypes.data
    places = [range(start + 4 * i, start + 4 * i + 16 * count, 16) for i in range(4)]
    known = np.fromiter(map(_fill_colour, objects.tolist(), *places), np.bool_, count)
    return np.where(known[:, None], found.astype(np.int64), -1)


def bounds(objects: NDArray[np.uint64]) -> NDArray[np.float32]:
    """n x 4: left, bottom, right, top of each object in the coordinates of the page or of its form."""
    count = len(objects)
    found = np.zeros((count, 4), np.float32)
    start = found.ctypes.data
    places = [range(start + 4 * i, start + 4 * i + 16 * count, 16) for i in range(4)]
    for _ in map(_bounds, objects.tolist(), *places):
        pass
    return found


def draw_modes(paths: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """n x 2: whether each path is filled, and whether its line is drawn."""
    count = len(paths)
    found = np.zeros((count, 2), np.int32)
    start = found.ctypes.data
    places = (range(start, start + 8 * count, 8), range(start + 4, start + 4 + 8 * count, 8))
    for _ in map(_draw_mode, paths.tolist(), *places):
        pass
    return np.asarray(found != 0, np.bool_)


def is_transparent(handle: int) -> bool:
    """Whether something shows through an object."""
    return bool(_transparent(handle))


def count_segments(path: int) -> int:
    """The number of segments of a path."""
    return max(int(_count_segments(path)), 0)


def segments(path: int, count: int) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.bool_]]:
    """End points (n x 2, in the path's own coordinates), kinds (FPDF_SEGMENT_*) and which segments close a figure."""
    found = list(map(_segment, repeat(path, count), range(count)))
    closes = np.fromiter((answer == 1 for answer in map(_segment_closes, found)), np.bool_, count)
    return _points(found), np.fromiter(map(_segment_kind, found), np.int32, count), closes


def clip_paths(handle: int) -> list[tuple[int, int, int, int]]:
    """The clip path's address, the number of each path in it, the count of its segments, and the address of the first
    of these, by which paths that objects share are known. Empty where nothing clips the object."""
    clip = _clip(handle)
    if not clip:
        return []
    counts = [(number, _clip_segments(clip, number)) for number in range(max(_clip_paths(clip), 0))]
    return [(clip, number, count, _clip_segment(clip, number, 0) or 0) for number, count in counts if count > 0]


def clip_points(clip: int, number: int, count: int) -> NDArray[np.float32]:
    """n x 2: the points of one of a clip path's paths, in the coordinates of the page or of the object's form."""
    return _points(list(map(_clip_segment, repeat(clip, count), repeat(number, count), range(count))))


def _points(found: list[int]) -> NDArray[np.float32]:
    count = len(found)
    points = np.zeros((count, 2), np.float32)
    start = points.ctypes.data
    places = (range(start, start + 8 * count, 8), range(start + 4, start + 4 + 8 * count, 8))
    for _ in map(_segment_point, found, *places):
        pass
    return points
