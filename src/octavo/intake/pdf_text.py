"""The text that a PDF page brings along, as words and lines.

PDFium gives characters in the order they are drawn (right-to-left runs already in logical order), with spaces put in
where it sees gaps. Here they are put on the displayed page, with how they are set, and without those not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.document import TextLayer
from octavo.intake import pdf_native
from octavo.intake.pdf_accents import composed
from octavo.intake.pdf_clips import clips
from octavo.intake.pdf_geometry import Geometry
from octavo.intake.pdf_lines import SOFT_HYPHEN, Bools, Characters, Floats, lines_of
from octavo.intake.pdf_links import Link
from octavo.intake.pdf_objects import Drawn
from octavo.intake.pdf_paths import Paths
from octavo.intake.pdf_pictures import Pictures
from octavo.intake.pdf_styles import setting
from octavo.intake.pdf_visibility import unseen

_UNKNOWN = 0xFFFD
_BLANKS = (0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x3000, 0x2028, 0x200B)
# Bullets of the Symbol and Wingdings fonts, which word processors write as private codes.
_BULLETS = {0xF0B7: 0x2022, 0xF06E: 0x25A0, 0xF0A7: 0x25AA, 0xF0D8: 0x27A2, 0xF0FC: 0x2713, 0xF076: 0x2756}

# In font sizes: how far a character's box reaches above and below its base line. Fonts say between 0.5 and 1.7 for the
# two together; put on one measure, boxes show how large the text is.
_ABOVE, _BELOW = 0.9, 0.25
_OWN_HEIGHT = (0.3, 1.9)  # of what the font says: beyond, its size means something else, as that of Type 3 fonts can
_DEEP = 0.4  # share of the font's own box that lies above the base line, at least
_OWN_PLACE = 0.5  # share of the font's own box that must lie in that band: signs that hang from their base line don't


def text_layer(
    page: Any, objects: Sequence[Drawn], geometry: Geometry, pictures: Pictures, paths: Paths, links: Sequence[Link]
) -> TextLayer | None:
    """The text of a loaded page; None where it has no characters on it."""
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return None
    try:
        count = max(pdfium.FPDFText_CountChars(text_page), 0)
        found, strange = _characters(pdf_native.address(text_page), count, geometry)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    if not len(found.codes):
        return None
    hidden = _hidden(found, objects, geometry, paths, pictures)
    visible = bool(hidden.sum() * 2 <= len(hidden))
    if visible:
        found, strange = found.where(~hidden), strange[~hidden]
    lines = lines_of(composed(_linked(found, links)), [link.address for link in links])
    return TextLayer(
        tuple(lines),
        visible,
        pictures.cover,
        int(strange.sum()),
        rulings=paths.rulings,
        pictures=pictures.boxes,
    )


def _hidden(found: Characters, objects: Sequence[Drawn], geometry: Geometry, paths: Paths, pictures: Pictures) -> Bools:
    """Which characters are not shown."""
    owners, member = np.unique(found.owners, return_inverse=True)
    order = np.argsort(member, kind="stable")
    starts = np.searchsorted(member[order], np.arange(len(owners)))
    sorted_boxes = found.boxes[order]
    hulls = np.hstack([
        np.minimum.reduceat(sorted_boxes[:, :2], starts), np.maximum.reduceat(sorted_boxes[:, 2:], starts)
    ])  # fmt: skip
    known = {one.handle: one for one in objects if one.kind == pdfium.FPDF_PAGEOBJ_TEXT}
    mine = [known.get(owner) for owner in owners.tolist()]
    shown = np.tile((-np.inf, -np.inf, np.inf, np.inf), (len(owners), 1))
    rows = [row for row, one in enumerate(mine) if one is not None]
    shown[rows] = clips([one for one in mine if one is not None], geometry)[0]
    hidden: Bools = unseen(owners, hulls, objects, paths, pictures)[member]
    if np.isfinite(shown).any():
        x, y = _middles(found)
        x0, y0, x1, y1 = shown[member].T
        hidden |= (x < x0) | (x > x1) | (y < y0) | (y > y1)
    return hidden


def _linked(found: Characters, links: Sequence[Link]) -> Characters:
    """The characters with the link whose box they stand in, the smallest if there are several."""
    if not links:
        return found
    x, y = _middles(found)
    index = found.links.copy()
    for number in sorted(range(len(links)), key=lambda i: -_area(links[i])):
        x0, y0, x1, y1 = links[number].box
        index[(x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)] = number
    return replace(found, links=index)


def _middles(found: Characters) -> tuple[Floats, Floats]:
    x0, y0, x1, y1 = found.boxes.T
    return (x0 + x1) / 2, (y0 + y1) / 2


def _area(link: Link) -> float:
    x0, y0, x1, y1 = link.box
    return (x1 - x0) * (y1 - y0)


def _characters(text_page: int, count: int, geometry: Geometry) -> tuple[Characters, Bools]:
    """The characters on the page, each once, and which of them have no usable code. White space is left out."""
    codes = pdf_native.unicodes(text_page, count)
    owners = pdf_native.objects(text_page, count)
    blank = _among(codes, _BLANKS)
    for index in np.flatnonzero((codes == 0x02) | (codes == 0xFFFE)):
        if pdf_native.is_hyphen(text_page, int(index)) or codes[index] == 0xFFFE:
            codes[index] = SOFT_HYPHEN
    if (codes >= min(_BULLETS)).any():
        for private, public in _BULLETS.items():
            codes[codes == private] = public
    chosen = np.flatnonzero(~blank & (owners != 0))
    senseless = ~_meaningful(codes[chosen])
    strange = _unmapped(text_page, codes[chosen], owners[chosen], chosen) | senseless
    codes[chosen[senseless]] = _UNKNOWN
    boxes = geometry.boxes(pdf_native.boxes(text_page, count)[chosen].astype(np.float64))
    objects, first, member = np.unique(owners[chosen], return_index=True, return_inverse=True)
    how = setting(text_page, objects, chosen[first], geometry)
    sizes, origins, directions = how.sizes[member], how.origins[member], how.directions[member]
    bases = origins[:, 1] * directions[:, 0] - origins[:, 0] * directions[:, 1]
    boxes = _measured(boxes, directions, sizes, bases)
    spaces, ends = np.cumsum(blank, dtype=np.intp)[chosen], np.cumsum(codes == 0x0A, dtype=np.intp)[chosen]
    places = (owners[chosen], spaces, ends, directions)
    none = np.full(len(chosen), -1, np.intp)
    found = Characters(codes[chosen], boxes, *places, how.styles[member], sizes, bases, none)
    keep = _on_page(boxes, geometry) & ~_doubled(found)
    return found.where(keep), strange[keep]


def _among(codes: NDArray[np.uint32], wanted: Sequence[int]) -> Bools:
    """Which codes are among a few; three times as fast as numpy's own way."""
    found = np.zeros(len(codes), np.bool_)
    for code in wanted:
        found |= codes == code
    return found


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


def _measured(boxes: Floats, directions: Floats, sizes: Floats, bases: Floats) -> Floats:
    """The boxes as high as the font size has them, where text is written level or upright along its base line."""
    x, y = directions.T
    upright, level = np.abs(y) > 0.999, np.abs(x) > 0.999
    sign = np.where(upright, -y, x)  # the way in which places across the writing grow, on the axis across it
    axis = np.where(upright, 0, 1)
    rows = np.arange(len(boxes))
    low, high = boxes[rows, axis], boxes[rows, axis + 2]
    one, two = sign * (bases - _ABOVE * sizes), sign * (bases + _BELOW * sizes)
    top, bottom = np.minimum(one, two), np.maximum(one, two)
    own = high - low
    overlap = np.minimum(high, bottom) - np.maximum(low, top)
    # Text set vertically has its origins above the letters, not on a line below them.
    depth = np.where(sign > 0, bases - low, high + bases)
    fits = (own > _OWN_HEIGHT[0] * sizes) & (own < _OWN_HEIGHT[1] * sizes) & (overlap >= _OWN_PLACE * own)
    usable = (level | upright) & (sizes > 0) & ((fits & (depth > _DEEP * own)) | (own <= 0))
    found = boxes.copy()
    found[rows, axis] = np.where(usable, top, low)
    found[rows, axis + 2] = np.where(usable, bottom, high)
    return found


def _on_page(boxes: Floats, geometry: Geometry) -> Bools:
    middle_x, middle_y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside: Bools = (middle_x >= 0) & (middle_x <= geometry.width) & (middle_y >= 0) & (middle_y <= geometry.height)
    return inside


def _doubled(found: Characters) -> Bools:
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
