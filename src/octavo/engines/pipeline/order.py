"""Reading order by recursive XY-cut.

The items of a page (blocks, or the lines of one block) are cut into horizontal bands where no item crosses.
Neighbouring bands are joined again while one gutter runs through all of them, so that columns are read down to the end
and not paragraph by paragraph across the gutter. A band with a gutter is cut into its columns, and each part is ordered
in turn. The longest ruling that stands in a gutter is a cut before all others. A gutter counts only between columns of
text: short pieces that stand row by row beside each other (a receipt, a form) are read along the rows. A ruling between
them makes columns of them all the same, and so does the setting of cards: short lines centred under each other, as the
authors of a paper or the boxes of an organisation chart.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from octavo.document import Box

T = TypeVar("T")

_GUTTER = 0.2  # of a line's height: found boxes reach out a little over their letters
_LEVEL = 0.3  # of the lower one's height: boxes whose middles differ less stand in one row
_CARD = (3, 8)  # fewest and most lines of a card: two are a heading of a column and its number as well
_GUTTER_LINES = 12  # lines of text that a gutter's ruling is long
_SEPARATES = 0.6  # of the height of the lower of two groups: a ruling that long parts them


@dataclass(frozen=True)
class Item(Generic[T]):
    """Something to be ordered: its box, the boxes of its text lines (its own where it has none), and what it is."""

    box: Box
    lines: tuple[Box, ...]
    what: T


def reading_order(items: Sequence[Item[T]], separators: Sequence[Box] = ()) -> list[T]:
    """What the items hold, in reading order. Every item comes out exactly once.

    `separators` are the vertical rulings of the page.
    """
    return [item.what for item in _ordered(list(items), separators)]


def _ordered(items: list[Item[T]], separators: Sequence[Box]) -> list[Item[T]]:
    if len(items) < 2:
        return items
    if parted := _at_ruling(items, separators):
        return [item for part in parted for item in _ordered(part, separators)]
    bands = _joined(_bands(items), separators)
    if len(bands) > 1:
        return [item for band in bands for item in _ordered(band, separators)]
    parts = columns(items, separators)
    if len(parts) > 1:
        return [item for part in parts for item in _ordered(part, separators)]
    return _rows(items)


def _at_ruling(items: list[Item[T]], separators: Sequence[Box]) -> list[list[Item[T]]]:
    """The items above, left of, right of and below the longest ruling that is a gutter, those of them that are any.

    A gutter's ruling is many lines long, has text on both sides, and no item lies across it.
    """
    for x0, top, x1, bottom in sorted(separators, key=lambda box: box[1] - box[3]):
        x = (x0 + x1) / 2
        beside = [item for item in items if min(item.box[3], bottom) - max(item.box[1], top) > 0]
        left = [item for item in beside if (item.box[0] + item.box[2]) / 2 < x]
        right = [item for item in beside if (item.box[0] + item.box[2]) / 2 >= x]
        if not left or not right:
            continue
        height = median(box[3] - box[1] for item in beside for box in item.lines)
        across = any(item.box[0] < x - 0.5 * height and item.box[2] > x + 0.5 * height for item in beside)
        if across or bottom - top < _GUTTER_LINES * height:
            continue
        above = [item for item in items if item.box[3] <= top]
        below = [item for item in items if item.box[1] >= bottom]
        return [part for part in (above, left, right, below) if part]
    return []


def _bands(items: list[Item[T]]) -> list[list[Item[T]]]:
    """Groups that no horizontal cut can part, from the top."""
    bands: list[list[Item[T]]] = []
    bottom = float("-inf")
    for item in sorted(items, key=lambda i: i.box[1]):
        # Boxes of neighbouring lines touch and overlap a little; that much is not one band.
        slack = 0.2 * (min(box[3] - box[1] for box in item.lines))
        if bands and item.box[1] < bottom - slack:
            bands[-1].append(item)
        else:
            bands.append([item])
        bottom = max(bottom, item.box[3])
    return bands


def _joined(bands: list[list[Item[T]]], separators: Sequence[Box]) -> list[list[Item[T]]]:
    """Neighbouring bands joined while a gutter runs through them all and one of them shows it by itself."""
    joined: list[list[Item[T]]] = []
    shown = False  # by the last of them
    for band in bands:
        shows = len(columns(band, separators)) > 1
        if joined and (shown or shows) and not _cards_apart(joined[-1], band):
            both = joined[-1] + band
            if len(columns(both, separators)) > 1:
                joined[-1], shown = both, True
                continue
        joined.append(band)
        shown = shows
    return joined


def _cards_apart(above: list[Item[T]], band: list[Item[T]]) -> bool:
    """Whether both are rows of cards, each to be read before the next."""
    return all(is_card(item.lines) for item in above) and all(is_card(item.lines) for item in band)


def columns(items: list[Item[T]], separators: Sequence[Box] = ()) -> list[list[Item[T]]]:
    """The items (at least one) parted at the gutters between columns of text, from the left."""
    groups: list[list[Item[T]]] = []
    right = float("-inf")
    gutter = _GUTTER * median(box[3] - box[1] for item in items for box in item.lines)
    for item in sorted(items, key=lambda i: i.box[0]):
        if groups and item.box[0] < right + gutter:
            groups[-1].append(item)
        else:
            groups.append([item])
        right = max(right, item.box[2])
    parts: list[list[Item[T]]] = []
    for group in groups:
        if parts and not _separated(parts[-1], group, separators) and _row_by_row(parts[-1], group):
            parts[-1] = parts[-1] + group
        else:
            parts.append(group)
    return parts


def _separated(left: list[Item[T]], right: list[Item[T]], separators: Sequence[Box]) -> bool:
    """Whether a ruling stands between the two, along most of the lower one."""
    if not separators:
        return False
    edge, start = max(item.box[2] for item in left), min(item.box[0] for item in right)
    spans = [(min(i.box[1] for i in group), max(i.box[3] for i in group)) for group in (left, right)]
    top, bottom = min(spans, key=lambda span: span[1] - span[0])
    slack = 0.5 * min(box[3] - box[1] for item in left + right for box in item.lines)
    return any(
        edge - slack <= (x0 + x1) / 2 <= start + slack and min(y1, bottom) - max(y0, top) >= _SEPARATES * (bottom - top)
        for x0, y0, x1, y1 in separators
    )


def _row_by_row(left: list[Item[T]], right: list[Item[T]]) -> bool:
    """Whether two neighbouring groups are cells of rows rather than columns of text."""
    prose = sum(any(is_prose(item.lines) for item in group) for group in (left, right))
    if prose == 2:
        return False
    if all(is_card(item.lines) for item in left + right):
        return False
    if prose:  # text beside something else: rows where each piece begins level with one beside it
        a, b = ([item.lines[0] for item in group] for group in (left, right))
    else:
        a, b = ([box for item in group for box in item.lines] for group in (left, right))
    fewer, more = (a, b) if len(a) <= len(b) else (b, a)
    return _levels(fewer, more) >= 0.7 * len(fewer)


def is_prose(lines: Sequence[Box]) -> bool:
    """Whether there are three lines or more and they are long: eight times the height holds about sixteen letters."""
    return len(lines) >= 3 and median((x1 - x0) / max(1e-6, y1 - y0) for x0, y0, x1, y1 in lines) >= 8


def is_card(lines: Sequence[Box]) -> bool:
    """Whether these are a few lines of differing width, each centred under the one above."""
    if not _CARD[0] <= len(lines) <= _CARD[1]:
        return False
    height = median(y1 - y0 for _, y0, _, y1 in lines)
    middles, lefts = [(x0 + x1) / 2 for x0, _, x1, _ in lines], [x0 for x0, _, _, _ in lines]
    return max(middles) - min(middles) < 0.5 * height and max(lefts) - min(lefts) > 0.5 * height


def _levels(boxes: Sequence[Box], others: Sequence[Box]) -> int:
    """How many boxes have one of the others level with them."""
    by_middle = sorted(others, key=_middle)
    middles = [_middle(box) for box in by_middle]
    count = 0
    for box in boxes:
        middle, reach = _middle(box), _LEVEL * (box[3] - box[1])
        near = by_middle[bisect_left(middles, middle - reach) : bisect_right(middles, middle + reach)]
        count += any(_level(box, other) for other in near)
    return count


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2


def _level(a: Box, b: Box, tolerance: float = _LEVEL) -> bool:
    """Whether the middles differ in height by less than `tolerance` of the lower box."""
    return abs((a[1] + a[3]) - (b[1] + b[3])) / 2 < tolerance * min(a[3] - a[1], b[3] - b[1])


def _rows(items: list[Item[T]]) -> list[Item[T]]:
    """Items row by row: those whose middle is within half a height of a row's first item belong to the row."""
    rows: list[list[Item[T]]] = []
    for item in sorted(items, key=lambda i: i.box[1] + i.box[3]):
        if rows and _level(rows[-1][0].box, item.box, 0.5):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda i: i.box[0])]
