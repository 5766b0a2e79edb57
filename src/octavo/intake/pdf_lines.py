"""Lines and words from the characters of a PDF page.

Lines are cut anew from the boxes of the characters, because PDFium's own run on across columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from octavo.document import Box, Line, Word
from octavo.intake.pdf_styles import BOLD, ITALIC, MONOSPACED, letters, shifts

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SOFT_HYPHEN = 0xAD
_HYPHEN = 0x2D
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}

# In heights of a character's box, which is 1.15 times the font size.
_SAME_LINE = 0.5  # most that middles may differ; superscripts stay in their line
_COLUMN_GAP = 1.3  # 1.5 em: wider than a justified space, narrower than a gutter
_COLUMN_GAP_RTL = 8.0  # a number inside right-to-left text starts at its far end
_SAME_PIECE = 0.25  # the same, for what was not drawn in turn
_TOUCHING = 0.2  # a gap between pieces that is no space
_COLLIDES = 0.3  # of the narrower one's width: characters that stand over each other by more are of two lines
_WORD_GAP = 0.8  # cuts a word even where PDFium put no space
_BACKWARD = 0.5  # left-to-right text does not jump back further than kerning and accents do
_VERTICAL_STEP = 1.35  # from one character down to the next in vertical writing
_EVERYWHERE = 0.95  # share of a page's letters: a style that so many have sets nothing apart


@dataclass(frozen=True)
class Characters:
    """Columns over the characters that are drawn, in PDFium's order."""

    codes: NDArray[np.uint32]
    boxes: Floats  # n x 4 on the displayed page
    owners: NDArray[np.uint64]  # the text object's address
    spaces: NDArray[np.intp]  # white space so far on the page
    lines: NDArray[np.intp]  # PDFium's own line ends so far
    directions: Floats  # n x 2, unit vector of writing on the displayed page
    styles: NDArray[np.uint8]  # bits of `pdf_styles`
    sizes: Floats  # of the font, in pt on the displayed page
    bases: Floats  # place of the base line across the direction of writing
    links: NDArray[np.intp]  # index of the link; -1 for none

    def where(self, keep: Bools | NDArray[np.intp]) -> Characters:
        """Those characters alone, or in another order."""
        columns = (getattr(self, name)[keep] for name in self.__dataclass_fields__)
        return Characters(*columns)


def lines_of(found: Characters, addresses: Sequence[str]) -> list[Line]:
    """The lines (of at least one character), in PDFium's order; `addresses` are those of the links."""
    found = _in_writing_order(found)
    line_starts, word_starts = _cuts(found)
    letter = _is_letter(found.codes)
    styles = _set_apart(found.styles, letter) | shifts(line_starts, found.sizes, found.bases, letter)
    apart = styles & ~np.uint8(BOLD | ITALIC)
    changes = np.append(True, (np.diff(apart) != 0) | (np.diff(found.links) != 0))
    hyphens = found.codes == SOFT_HYPHEN
    last = np.append(line_starts[1:], True)
    found.codes[hyphens & last] = _HYPHEN
    text = found.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    first = np.flatnonzero(word_starts | changes)
    boxes = _hulls(found.boxes, first)
    line_boxes = _hulls(found.boxes, np.flatnonzero(line_starts))
    written = [letters(style) for style in _word_styles(styles, letter, first)]
    leading = [addresses[link] if link >= 0 else "" for link in found.links[first].tolist()]
    begins, spaced = line_starts.tolist(), word_starts.tolist()
    lines: list[Line] = []
    words: list[Word] = []
    whole = gap = ""
    edges = [*first.tolist(), len(text)]
    for index, (start, end) in enumerate(pairwise(edges)):
        if begins[start] and start:
            lines.append(Line(whole, line_boxes[len(lines)], 1.0, tuple(words)))
            words, whole, gap = [], "", ""
        plain = text[start:end]
        if not plain.isascii():
            plain = _plain(plain)
        if spaced[start] and whole:
            gap = " "
        if plain:
            words.append(Word(plain, boxes[index], 1.0, written[index], leading[index]))
            whole, gap = whole + gap + plain, ""
    lines.append(Line(whole, line_boxes[len(lines)], 1.0, tuple(words)))
    return [line for line in lines if line.text]


def _in_writing_order(found: Characters) -> Characters:
    """The characters with what was drawn out of turn in its place: pieces of a line that others were drawn between,
    and those that fill each other's gaps, as the signs of a formula do."""
    line_starts, _ = _cuts(found)
    starts = np.flatnonzero(line_starts)
    ends = np.append(starts[1:], len(line_starts)) - 1
    along, across, high, wide = _frame(found)
    low, far = along - wide / 2, along + wide / 2
    first, last = np.minimum.reduceat(low, starts), np.maximum.reduceat(far, starts)
    tall = np.maximum.reduceat(high, starts)
    tall = np.maximum(tall[:, None], tall[None])
    middle = np.add.reduceat(across, starts) / (ends - starts + 1)
    off = np.abs(middle[:, None] - middle[None])
    alike = found.directions[ends] @ found.directions[starts].T > 0.99
    leftward = _right_to_left(found)[starts]
    alike &= ~(leftward[:, None] | leftward[None])
    apart = first[None] - last[:, None]
    groups = _interleaved(alike & (off < _SAME_LINE * tall) & (apart < 0) & (apart.T < 0), starts, ends, low, far)
    after = _continued(alike & (off < _SAME_PIECE * tall) & (-_BACKWARD * tall < apart) & (apart < _WORD_GAP * tall))
    order = _chained(groups, after, len(starts))
    if order is None:
        return found
    places = [np.arange(starts[line], ends[line] + 1) for line in range(len(starts))]
    runs = [np.concatenate([places[line] for line in group]) for group in order]
    runs = [
        run[np.argsort(low[run], kind="stable")] if len(run) > len(places[group[0]]) else run
        for run, group in zip(runs, order, strict=True)
    ]
    moved = found.where(np.concatenate(runs))
    # Spaces were counted in the order of drawing; between pieces the gap tells.
    spaces = moved.spaces
    steps = np.maximum(np.diff(spaces, prepend=spaces[:1]), 0)
    where = np.concatenate(runs)
    jumps = np.flatnonzero(np.diff(where) != 1) + 1
    gaps = low[where[jumps]] - far[where[jumps - 1]]
    steps[jumps] = gaps > _TOUCHING * np.maximum(high[where[jumps]], high[where[jumps - 1]])
    moved.spaces[:] = np.cumsum(steps)
    return moved


def _interleaved(
    beside: Bools, starts: NDArray[np.intp], ends: NDArray[np.intp], low: Floats, far: Floats
) -> dict[int, list[int]]:
    """Groups of pieces in one row whose characters stand between each other's, by their first; few pages have any."""
    groups: dict[int, list[int]] = {}
    leader: dict[int, int] = {}
    for one, two in np.argwhere(np.triu(beside, 1)).tolist():
        a, b = (np.arange(starts[i], ends[i] + 1) for i in (one, two))
        shared = np.minimum(far[a][:, None], far[b][None]) - np.maximum(low[a][:, None], low[b][None])
        narrow = np.minimum((far - low)[a][:, None], (far - low)[b][None])
        if (shared > _COLLIDES * narrow).any():
            continue
        head, other = leader.get(one, one), leader.get(two, two)
        if head != other:
            merged = sorted({*groups.pop(head, [head]), *groups.pop(other, [other])})
            groups[merged[0]] = merged
            leader |= dict.fromkeys(merged, merged[0])
    return groups


def _continued(fits: Bools) -> dict[int, int]:
    """For each piece the one that goes on from it, where that is not the next one drawn and there is no other."""
    np.fill_diagonal(fits, False)
    sole = fits & (fits.sum(axis=0, keepdims=True) == 1) & (fits.sum(axis=1, keepdims=True) == 1)
    return {one: two for one, two in np.argwhere(sole).tolist() if two != one + 1}


def _chained(groups: dict[int, list[int]], after: dict[int, int], count: int) -> list[list[int]] | None:
    """All pieces in order, those of a group together; None where they stand in order already."""
    if not groups and not after:
        return None
    grouped = {piece for group in groups.values() for piece in group}
    after = {one: two for one, two in after.items() if not {one, two} & grouped}
    taken = {*after.values(), *(piece for group in groups.values() for piece in group[1:])}
    order: list[list[int]] = []
    for piece in range(count):
        here: int | None = None if piece in taken else piece
        while here is not None:
            order.append(groups.get(here, [here]))
            here = after.get(here)
    return order if sum(map(len, order)) == count else None  # else pieces follow each other in a ring


def _set_apart(styles: NDArray[np.uint8], letter: Bools) -> NDArray[np.uint8]:
    """The styles without what nearly the whole page is set in: a typed page is no code."""
    total = int(np.count_nonzero(letter))
    for bit in (BOLD, ITALIC, MONOSPACED):
        if int(np.count_nonzero(styles[letter] & bit)) >= _EVERYWHERE * max(1, total):
            styles = styles & ~np.uint8(bit)
    return styles


def _word_styles(styles: NDArray[np.uint8], letter: Bools, first: NDArray[np.intp]) -> list[int]:
    """The style of each word: that of its first letter's shift, and bold and italic where most letters are."""
    counted = np.add.reduceat(letter.astype(np.intp), first)
    lengths = np.diff(np.append(first, len(styles)))
    found = (styles[first] & ~np.uint8(BOLD | ITALIC)).astype(np.intp)
    for bit in (BOLD, ITALIC):
        has = (styles & bit) != 0
        of_letters, of_all = (np.add.reduceat(column.astype(np.intp), first) for column in (has & letter, has))
        most = np.where(counted > 0, 2 * of_letters > counted, 2 * of_all > lengths)
        found |= np.where(most, bit, 0)
    styles_of: list[int] = found.tolist()
    return styles_of


def _is_letter(codes: NDArray[np.uint32]) -> Bools:
    """Letters and digits, near enough: what is not punctuation of Basic Latin, Latin-1 or the general block."""
    low = codes < 0xC0
    basic = (
        ((codes >= 0x30) & (codes <= 0x39)) | ((codes >= 0x41) & (codes <= 0x5A)) | ((codes >= 0x61) & (codes <= 0x7A))
    )
    marks = (codes >= 0x2000) & (codes < 0x2100)
    result: Bools = np.where(low, basic, ~marks)
    return result


def _plain(text: str) -> str:
    """Text without soft hyphens, ligatures and halves of characters."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.translate(_LIGATURES).replace("\xad", "")


def _hulls(boxes: Floats, starts: NDArray[np.intp]) -> list[Box]:
    """The box around each run of boxes."""
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in np.hstack([low, high]).round(2).tolist()]


def _cuts(found: Characters) -> tuple[Bools, Bools]:
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


def _frame(found: Characters) -> tuple[Floats, Floats, Floats, Floats]:
    """Middles along and across the direction of writing, and heights and widths in it."""
    middle = np.column_stack([found.boxes[:, 0] + found.boxes[:, 2], found.boxes[:, 1] + found.boxes[:, 3]]) / 2
    wide, high = found.boxes[:, 2] - found.boxes[:, 0], found.boxes[:, 3] - found.boxes[:, 1]
    x, y = found.directions[:, 0], found.directions[:, 1]
    along, across = middle[:, 0] * x + middle[:, 1] * y, middle[:, 1] * x - middle[:, 0] * y
    upright = np.abs(y) > np.abs(x)
    high, wide = np.where(upright, wide, high), np.where(upright, high, wide)
    return along, across, np.maximum(high, 0.1), wide


def _right_to_left(found: Characters) -> Bools:
    """Which characters stand in one of PDFium's lines that has Hebrew, Arabic or the like in it."""
    codes = found.codes
    strong = ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFE00))
    strong |= (codes >= 0xFE70) & (codes < 0xFEFF)
    inside: Bools = np.isin(found.lines, found.lines[strong])
    return inside


def _vertical(found: Characters) -> Bools:
    """Between which neighbours text runs downwards: both East Asian, one under the other, one step apart."""
    codes, boxes = found.codes, found.boxes
    eastern = ((codes >= 0x2E80) & (codes < 0xA4D0)) | ((codes >= 0xF900) & (codes < 0xFB00)) | (codes >= 0xFE30)
    middle_x, middle_y = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    tall = np.maximum(boxes[:-1, 3] - boxes[:-1, 1], 0.1)
    step = (middle_y[1:] - middle_y[:-1]) / 2
    aligned = np.abs(middle_x[1:] - middle_x[:-1]) / 2 < 0.2 * tall
    below: Bools = eastern[1:] & eastern[:-1] & aligned & (step > 0.5 * tall) & (step < _VERTICAL_STEP * tall)
    return below
