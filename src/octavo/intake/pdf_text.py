"""The text layer of a PDF page: characters from PDFium, joined to words and lines.

PDFium gives characters in the order they are drawn (right-to-left runs already in logical order), with spaces put in
where it sees gaps. Lines are cut anew from the boxes, because its own run on across columns.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.document import Box, Line, TextLayer, Word
from octavo.intake import pdf_native
from octavo.intake.pdf_geometry import Geometry
from octavo.intake.pdf_pictures import Pictures

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_INVISIBLE = (3, 7)  # text rendering modes that paint nothing
_SOFT_HYPHEN, _HYPHEN, _UNKNOWN = 0xAD, 0x2D, 0xFFFD
# Bullets of the Symbol and Wingdings fonts, which word processors write as private codes.
_BULLETS = {0xF0B7: 0x2022, 0xF06E: 0x25A0, 0xF0A7: 0x25AA, 0xF0D8: 0x27A2, 0xF0FC: 0x2713, 0xF076: 0x2756}
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}

# In heights of a character's box, which is about 1.15 times the font size.
_SAME_LINE = 0.5  # most that middles may differ; superscripts stay in their line
_COLUMN_GAP = 1.3  # 1.5 em: wider than a justified space, narrower than a gutter
_COLUMN_GAP_RTL = 8.0  # a number inside right-to-left text starts at its far end
_WORD_GAP = 0.8  # cuts a word even where PDFium put no space
_BACKWARD = 0.5  # left-to-right text does not jump back further than kerning and accents do
_VERTICAL_STEP = 1.35  # from one character down to the next in vertical writing


@dataclass(frozen=True)
class _Characters:
    """Columns over the characters that are drawn, in PDFium's order."""

    codes: NDArray[np.uint32]
    boxes: Floats  # n x 4 on the displayed page
    owners: NDArray[np.uint64]  # the text object's address
    spaces: NDArray[np.intp]  # white space so far on the page
    lines: NDArray[np.intp]  # PDFium's own line ends so far
    directions: Floats  # n x 2, unit vector of writing on the displayed page

    def where(self, keep: Bools) -> _Characters:
        places = (self.spaces[keep], self.lines[keep], self.directions[keep])
        return _Characters(self.codes[keep], self.boxes[keep], self.owners[keep], *places)


def text_layer(page: Any, geometry: Geometry, pictures: Pictures) -> TextLayer | None:
    """The text of a loaded page; None where it has no characters on it."""
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return None
    try:
        count = max(pdfium.FPDFText_CountChars(text_page), 0)
        found, unmapped = _characters(pdf_native.address(text_page), count, geometry)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    if not len(found.codes):
        return None
    return TextLayer(tuple(_lines(found)), _visible(found, pictures), pictures.cover, unmapped)


def _characters(text_page: int, count: int, geometry: Geometry) -> tuple[_Characters, int]:
    """The characters on the page, each once, and how many of them have no usable code. White space is left out."""
    codes = pdf_native.unicodes(text_page, count)
    owners = pdf_native.objects(text_page, count)
    blank = (codes <= 0x20) & np.isin(codes, (0x20, 0x09, 0x0A, 0x0D)) | np.isin(codes, (0xA0, 0x3000, 0x2028, 0x200B))
    for index in np.flatnonzero(np.isin(codes, (0x02, 0xFFFE))):
        if pdf_native.is_hyphen(text_page, int(index)) or codes[index] == 0xFFFE:
            codes[index] = _SOFT_HYPHEN
    for private, public in _BULLETS.items():
        codes[codes == private] = public
    chosen = np.flatnonzero(~blank & (owners != 0))
    strange = _unmapped(text_page, codes[chosen], owners[chosen], chosen) | ~_meaningful(codes[chosen])
    codes[chosen[~_meaningful(codes[chosen])]] = _UNKNOWN
    boxes = geometry.boxes(pdf_native.boxes(text_page, count)[chosen].astype(np.float64))
    directions = _directions(text_page, owners, chosen, geometry)
    spaces, ends = np.cumsum(blank, dtype=np.intp), np.cumsum(codes == 0x0A, dtype=np.intp)
    found = _Characters(codes[chosen], boxes, owners[chosen], spaces[chosen], ends[chosen], directions)
    keep = _on_page(boxes, geometry) & ~_doubled(found)
    return found.where(keep), int(strange[keep].sum())


def _meaningful(codes: NDArray[np.uint32]) -> Bools:
    """Neither a control code, nor private, nor a stand-in for what could not be mapped."""
    control = (codes < 0x20) | ((codes >= 0x7F) & (codes < 0xA0))
    private = ((codes >= 0xE000) & (codes < 0xF900)) | (codes >= 0xF0000)
    result: Bools = ~(control | private | (codes == _UNKNOWN) | (codes == 0xFFFF))
    return result


def _unmapped(text_page: int, codes: NDArray[np.uint32], owners: NDArray[np.uint64], chosen: NDArray[np.intp]) -> Bools:
    """Which characters their font does not map to Unicode."""
    # Most pages have none. One character per object and one per code show whether each has to be asked about.
    sample = np.unique(np.concatenate([np.unique(column, return_index=True)[1] for column in (codes, owners)]))
    if not pdf_native.map_errors(text_page, chosen[sample]).any():
        return np.zeros(len(chosen), np.bool_)
    return pdf_native.map_errors(text_page, chosen)


def _directions(text_page: int, owners: NDArray[np.uint64], chosen: NDArray[np.intp], geometry: Geometry) -> Floats:
    """The direction of writing of each chosen character; one question per text object."""
    first, member = np.unique(owners[chosen], return_index=True, return_inverse=True)[1:]
    angles = pdf_native.angles(text_page, chosen[first])
    shown = np.column_stack([np.cos(angles), -np.sin(angles)]) @ geometry.linear
    lengths = np.linalg.norm(shown, axis=1, keepdims=True)
    directions: Floats = np.where(lengths > 0, shown / np.where(lengths > 0, lengths, 1), (1.0, 0.0))[member]
    return directions


def _on_page(boxes: Floats, geometry: Geometry) -> Bools:
    middle_x, middle_y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside: Bools = (middle_x >= 0) & (middle_x <= geometry.width) & (middle_y >= 0) & (middle_y <= geometry.height)
    return inside


def _doubled(found: _Characters) -> Bools:
    """Characters that an earlier object drew at the same place, as programs do to fake bold or a shadow."""
    doubled = np.zeros(len(found.codes), np.bool_)
    wide, high = found.boxes[:, 2] - found.boxes[:, 0], found.boxes[:, 3] - found.boxes[:, 1]
    # Sorted by code and place, twins are neighbours; the row is coarse, so that a small shift does not part them.
    for shift in (0.0, 0.5):
        rows = np.floor(found.boxes[:, 1] / np.maximum(high, 1e-3) + shift)
        order = np.lexsort((found.boxes[:, 0], rows, found.codes))
        one, two = order[:-1], order[1:]
        near_x = np.abs(found.boxes[one, 0] - found.boxes[two, 0]) < 0.3 * wide[one]
        near_y = np.abs(found.boxes[one, 1] - found.boxes[two, 1]) < 0.2 * high[one]
        # Letters of one ligature share a box, but also their object.
        twins = (found.codes[one] == found.codes[two]) & near_x & near_y & (found.owners[one] != found.owners[two])
        doubled[np.maximum(one, two)[twins]] = True
    return doubled


def _visible(found: _Characters, pictures: Pictures) -> bool:
    """False where most characters are drawn in no colour or lie under a picture of the whole page."""
    owners, counts = np.unique(found.owners, return_counts=True)
    unseen = np.isin(pdf_native.render_modes(owners), _INVISIBLE)
    if pictures.hidden:
        unseen |= np.isin(owners, np.fromiter(pictures.hidden, np.uint64))
    return bool(counts[unseen].sum() * 2 <= counts.sum())


def _lines(found: _Characters) -> list[Line]:
    line_starts, word_starts = _cuts(found)
    hyphens = found.codes == _SOFT_HYPHEN
    last = np.append(line_starts[1:], True)
    found.codes[hyphens & last] = _HYPHEN
    text = found.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    first = np.flatnonzero(word_starts)
    edges = [*first.tolist(), len(text)]
    boxes = _hulls(found.boxes, first)
    line_boxes = _hulls(found.boxes, np.flatnonzero(line_starts))
    lines: list[Line] = []
    words: list[Word] = []
    for index, (start, end) in enumerate(pairwise(edges)):
        if line_starts[start] and words:
            lines.append(_line(words, line_boxes[len(lines)]))
            words = []
        words.append(Word(_plain(text[start:end]), boxes[index]))
    lines.append(_line(words, line_boxes[len(lines)]))
    return [line for line in lines if line.text]


def _line(words: list[Word], box: Box) -> Line:
    words = [word for word in words if word.text]
    return Line(" ".join(word.text for word in words), box, words=tuple(words))


def _plain(text: str) -> str:
    """Text without soft hyphens, ligatures and halves of characters."""
    if text.isascii():
        return text
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.translate(_LIGATURES).replace("\xad", "")


def _hulls(boxes: Floats, starts: NDArray[np.intp]) -> list[Box]:
    """The box around each run of boxes."""
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in np.hstack([low, high]).round(2).tolist()]


def _cuts(found: _Characters) -> tuple[Bools, Bools]:
    """Where lines and words start: two columns over the characters. Every line starts a word."""
    along, across, high, wide = _frame(found)
    rtl = _right_to_left(found)
    ahead, behind = along[1:] - along[:-1], (wide[1:] + wide[:-1]) / 2
    gap = np.abs(ahead) - behind
    tall = np.maximum(high[1:], high[:-1])
    parallel = (found.directions[1:] * found.directions[:-1]).sum(axis=1) > 0.99
    level = np.abs(across[1:] - across[:-1]) < _SAME_LINE * tall
    close = gap < np.where(rtl[1:], _COLUMN_GAP_RTL, _COLUMN_GAP) * tall
    forward = rtl[1:] | (ahead > -_BACKWARD * tall)
    joined = parallel & level & close & forward
    below = _vertical(found)
    # A horizontal line does not bend downwards: vertical runs start and end at the characters that step down.
    enters = np.append(below[1:], False) & ~below
    joined = (joined & ~enters) | below
    line_starts = np.concatenate([[True], ~joined])
    spaced = (np.diff(found.spaces) > 0) | ((gap > _WORD_GAP * tall) & ~below)
    return line_starts, line_starts | np.concatenate([[True], spaced])


def _frame(found: _Characters) -> tuple[Floats, Floats, Floats, Floats]:
    """Middles along and across the direction of writing, and heights and widths in it."""
    middle = np.column_stack([found.boxes[:, 0] + found.boxes[:, 2], found.boxes[:, 1] + found.boxes[:, 3]]) / 2
    wide, high = found.boxes[:, 2] - found.boxes[:, 0], found.boxes[:, 3] - found.boxes[:, 1]
    x, y = found.directions[:, 0], found.directions[:, 1]
    along, across = middle[:, 0] * x + middle[:, 1] * y, middle[:, 1] * x - middle[:, 0] * y
    upright = np.abs(y) > np.abs(x)
    high, wide = np.where(upright, wide, high), np.where(upright, high, wide)
    return along, across, np.maximum(high, 0.1), wide


def _right_to_left(found: _Characters) -> Bools:
    """Which characters stand in one of PDFium's lines that has Hebrew, Arabic or the like in it."""
    codes = found.codes
    strong = ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFE00))
    strong |= (codes >= 0xFE70) & (codes < 0xFEFF)
    inside: Bools = np.isin(found.lines, found.lines[strong])
    return inside


def _vertical(found: _Characters) -> Bools:
    """Between which neighbours text runs downwards: both East Asian, one under the other, one step apart."""
    codes, boxes = found.codes, found.boxes
    eastern = ((codes >= 0x2E80) & (codes < 0xA4D0)) | ((codes >= 0xF900) & (codes < 0xFB00)) | (codes >= 0xFE30)
    middle_x, middle_y = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    tall = np.maximum(boxes[:-1, 3] - boxes[:-1, 1], 0.1)
    step = (middle_y[1:] - middle_y[:-1]) / 2
    aligned = np.abs(middle_x[1:] - middle_x[:-1]) / 2 < 0.2 * tall
    below: Bools = eastern[1:] & eastern[:-1] & aligned & (step > 0.5 * tall) & (step < _VERTICAL_STEP * tall)
    return below
