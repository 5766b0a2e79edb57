"""The tables of a page: those that the layout network found, mended, and those it missed.

Rulings say most surely where a table is: a group of them that touch and part text into cells, or level ones of one
length, one under the other, with text in columns between them. What the network took for a table or a figure is cut
and grown to that; without rulings its box is trusted, as far as the text in it stands in rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

import numpy as np

from octavo.document import Box, Kind
from octavo.engines.pipeline import lattice
from octavo.engines.pipeline.drafts import area, share
from octavo.engines.pipeline.grid import column_gaps, parted_at_gaps
from octavo.engines.pipeline.lattice import levels_of
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.levelling import fitted
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.picture import Upright
from octavo.engines.pipeline.slots import Slot, size

_RULED = 0.9  # score of a table that rulings show
_INKED = 0.15  # share of a figure's area under text from which it may be a table
_SPARSE = 0.12  # share under text below which rulings are those of a chart
_IN_ROWS = 0.5  # share of the lines that have another one level with them, in a table
_WIDE = 14  # times its height: a line this wide is one of running text
_FILLED = 0.6  # share of a ruled grid's rows, and of its columns, that hold text
_DOUBT = 0.25  # share of the sides of a grid that may be drawn in parts: shading by dots looks like rulings
_RECEIPT, _TILL = 34, 60  # heights of a line, and letters, that the text of a receipt is wide at most
_COLUMN = 0.75  # share of its column's width that a line of running text fills
_SAME = 0.88  # share of the stretch along which two rulings run that both run along
_PIECES = 3000  # rulings looked at


def find(lines: Sequence[TextLine], regions: Sequence[Region], page: Upright, rulings: Sequence[Box]) -> list[Region]:
    """The regions of the page with its tables mended; those of kind TABLE don't overlap. Everything is in pixels of the
    upright page."""
    if not lines:
        return list(regions)
    height = median(line.height for line in lines)
    ruled = _ruled(lines, rulings, height)
    receipt = _is_receipt(lines, height)
    if not receipt:
        ruled += [box for box in _between_rules(lines, rulings, height) if not any(share(box, r) > 0.3 for r in ruled)]
    tables = [Region(Kind.TABLE, box, _RULED) for box in ruled]
    others: list[Region] = []
    for region in regions:
        if region.kind not in (Kind.TABLE, Kind.FIGURE):
            others.append(region)
            continue
        free = [
            line
            for line in lines
            if share(line.box, region.box) >= 0.5 and not any(share(line.box, box) >= 0.5 for box in ruled)
        ]
        taken = any(share(box, region.box) > 0.5 for box in ruled)
        if region.kind is Kind.FIGURE and (receipt or _text_share(free, region.box) < _INKED or not _is_table(free)):
            rest = bounds(line.box for line in free) if taken and free else region.box
            if not taken or free or sum(share(region.box, box) for box in ruled) < 0.5:
                others.append(replace(region, box=rest))
        elif not taken:
            boxes = [] if receipt else _trimmed(free, region.box, height)
            tables += [replace(region, kind=Kind.TABLE, box=box) for box in boxes]
            others += [] if boxes or region.kind is Kind.FIGURE else [replace(region, kind=Kind.TEXT)]
    return _apart(tables) + [r for r in others if not _swallowed(r, ruled)]


def _is_receipt(lines: Sequence[TextLine], height: float) -> bool:
    """Whether the page is narrow and long, and its text a till's: short lines, many of them alone on their level."""
    x0, y0, x1, y1 = bounds(line.box for line in lines)
    if x1 - x0 > _RECEIPT * height or y1 - y0 < 1.2 * (x1 - x0):
        return False
    levels = levels_of([piece for line in lines for piece in parted_at_gaps(line)])
    alone = sum(len(level) == 1 for level in levels)
    return alone > 0.3 * len(levels) and max(sum(len(t.text) for t in level) for level in levels) < _TILL


def _swallowed(region: Region, ruled: Sequence[Box]) -> bool:
    """Whether the region is part of a ruled table."""
    return any(share(region.box, box) > 0.6 for box in ruled)


def _apart(tables: list[Region]) -> list[Region]:
    """The surest of tables that overlap."""
    kept: list[Region] = []
    for table in sorted(tables, key=lambda r: -r.score):
        if all(share(table.box, other.box) < 0.3 and share(other.box, table.box) < 0.3 for other in kept):
            kept.append(table)
    return kept


# ---- tables that rulings show


def _ruled(lines: Sequence[TextLine], rulings: Sequence[Box], height: float) -> list[Box]:
    """Boxes of the groups of touching rulings that part text into a grid."""
    found = []
    for group in _groups(rulings, height):
        x0, y0, x1, y1 = box = bounds(group)
        if x1 - x0 < 4 * height or y1 - y0 < 2 * height:
            continue
        near = _inside(lines, (x0 - height, y0 - 0.3 * height, x1 + height, y1 + 0.3 * height))
        if len(near) < 4:
            continue
        levelling = fitted(box, group, height)
        level = [levelling.line(t) for t in near]
        grid = lattice.lattice_of([levelling.levelled(r) for r in group], level)
        if grid and grid.doubt <= _DOUBT and _is_filled(grid.slots, level) and not _are_cards(grid.slots, level):
            found.append(bounds([box, *(t.box for t in near)]))
    return [box for box in found if not any(other is not box and share(box, other) > 0.7 for other in found)]


def _is_filled(slots: Sequence[Slot], lines: Sequence[TextLine]) -> bool:
    """Whether most rows and columns hold text, more than one of each, and a third of the cells with text begin level
    with others: those of a chart's grid, or of rulings that shading by dots only seems to be, don't."""
    rows, columns = size(slots)
    held = [slot for slot in slots if any(slot.holds(line) for line in lines)]
    starts = [slot.row for slot in held]
    if 3 * sum(starts.count(row) > 1 and starts.count(row) for row in set(starts)) < len(held):
        return False
    full_rows, full_columns = {r for s in held for r, _ in s.places}, {c for s in held for _, c in s.places}
    return len(full_rows) >= max(2, _FILLED * rows) and len(full_columns) >= max(2, _FILLED * columns)


def _are_cards(slots: Sequence[Slot], lines: Sequence[TextLine]) -> bool:
    """Whether the grid only sets a few boxes of running text apart."""
    return len(slots) <= 4 and len(levels_of(lines)) > 3 * size(slots)[0] and len(lines) > 3 * len(slots)


def _groups(rulings: Sequence[Box], height: float) -> list[list[Box]]:
    """Rulings that touch, or nearly, directly or through others; groups that hold level and upright ones."""
    if not rulings or len(rulings) > _PIECES:
        return []
    boxes = np.array(rulings, np.float64)
    level = boxes[:, 2] - boxes[:, 0] >= boxes[:, 3] - boxes[:, 1]
    reach = max(4.0, 0.4 * height)
    # Along its own way a ruling may be broken where letters touch it.
    more = np.where(level[:, None], (0.7 * height, reach), (reach, 0.7 * height))
    grown = np.hstack([boxes[:, :2] - more / 2, boxes[:, 2:] + more / 2])
    touch = (
        (grown[:, None, 0] <= grown[None, :, 2])
        & (grown[None, :, 0] <= grown[:, None, 2])
        & (grown[:, None, 1] <= grown[None, :, 3])
        & (grown[None, :, 1] <= grown[:, None, 3])
    )
    number = np.arange(len(boxes))
    while True:
        least = np.where(touch, number[None], len(boxes)).min(axis=1)
        if (least == number).all():
            break
        number = least
    groups = []
    for index in np.unique(number):
        mine = number == index
        if level[mine].any() and not level[mine].all():
            groups.append([rulings[i] for i in np.flatnonzero(mine).tolist()])
    return groups


def _between_rules(lines: Sequence[TextLine], rulings: Sequence[Box], height: float) -> list[Box]:
    """Boxes of tables that only level rulings of one length show, above and below them and under their header."""
    level, _ = lattice.boundaries(rulings, height)
    rules = [(b.at, low, high) for b in level for low, high in b.drawn if high - low > 8 * height]
    found: list[Box] = []
    while rules:
        _, low, high = rules[0]
        same = [r for r in rules if _alike_long(r[1:], (low, high))]
        rules = [r for r in rules if r not in same]
        bands = [_inside(lines, (low, above[0], high, below[0])) for above, below in pairwise(same)]
        found += [
            box
            for first, last in _stretches(bands, [r[0] for r in same], height)
            if (box := _table_of((low, same[first][0], high, same[last][0]), last - first, lines, height))
        ]
    return [box for box in found if not any(share(box, o) > 0.5 and area(box) < area(o) for o in found)]


def _alike_long(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two rulings run along nearly the same stretch."""
    whole = max(one[1], other[1]) - min(one[0], other[0])
    return min(one[1], other[1]) - max(one[0], other[0]) > _SAME * whole


def _stretches(bands: list[list[TextLine]], at: Sequence[float], height: float) -> list[tuple[int, int]]:
    """The first and last rule of every run of bands that hold a table's rows: text in columns, or one short line
    between two that are."""
    rich = [_in_columns(band, height) for band in bands]
    thin = [not band and at[i + 1] - at[i] < height for i, band in enumerate(bands)]
    good: list[bool] = []
    for index, band in enumerate(bands):
        beside = 0 < index < len(bands) - 1 and (rich[index - 1] or good[-1]) and rich[index + 1]
        alike = beside and _alike(band, bands[index - 1] + bands[index + 1])
        sandwiched = alike and len(levels_of(band)) == 1
        heading = len(band) > 2 and index < len(bands) - 1 and rich[index + 1]  # of slanted words, or of many lines
        good.append(rich[index] or thin[index] or ((sandwiched or heading) and not _is_prose(band)))
    runs: list[tuple[int, int]] = []
    for index, one in enumerate(good):
        if one and index and good[index - 1]:
            runs[-1] = (runs[-1][0], index + 1)
        elif one:
            runs.append((index, index + 1))
    return runs


def _alike(band: Sequence[TextLine], others: Sequence[TextLine]) -> bool:
    """Whether the band's text is no larger than that beside it, as that of a heading is."""
    return bool(band and others) and max(t.height for t in band) < 1.25 * median(t.height for t in others)


def _table_of(box: Box, bands: int, lines: Sequence[TextLine], height: float) -> Box | None:
    """The table that begins between the rules; None where it holds less than three rows or no columns."""
    box = _grown(box, lines, height)
    inside = _inside(lines, box)
    rows = len(levels_of(inside))
    if rows < 2 or _text_share(inside, box) < _SPARSE or (bands < 2 and (rows < 3 or not _is_table(inside))):
        return None
    return bounds([box, *(t.box for t in inside)])


def _grown(box: Box, lines: Sequence[TextLine], height: float) -> Box:
    """The box with the rows above and below it that stand in its columns: not every table begins and ends with a
    ruling."""
    pieces = [p for t in lines if box[0] - height < t.box[0] and t.box[2] < box[2] + height for p in parted_at_gaps(t)]
    inside = [p for p in pieces if box[1] <= p.middle <= box[3]]
    above = levels_of([p for p in pieces if p.middle < box[1]])[::-1]
    for levels, down in ((above, False), (levels_of([p for p in pieces if p.middle > box[3]]), True)):
        for level in levels:
            x0, y0, x1, y1 = bounds(p.box for p in level)
            gap = y0 - box[3] if down else box[1] - y1
            if gap > (1.5 if down else 0.8) * height or not _goes_on(level, inside, height, down):
                break
            inside += level
            box = bounds([box, (x0, y0, x1, y1)])
    return box


def _goes_on(level: list[TextLine], inside: list[TextLine], height: float, down: bool) -> bool:
    """Whether a level of text is one more row of the columns that the text inside stands in; above them it may also
    be the heading of some, past the first."""
    before = column_gaps(levels_of(inside), height)
    after = column_gaps(levels_of(inside + level), height)
    if not before or len(after) < len(before) or _is_prose(level):
        return False
    return len(level) > 1 or (not down and level[0].box[0] > before[0][0] and level[0].width < 8 * height)


def _inside(lines: Sequence[TextLine], box: Box) -> list[TextLine]:
    return [line for line in lines if share(line.box, box) > 0.6]


def _in_columns(lines: Sequence[TextLine], height: float) -> bool:
    """Whether the lines between two rulings stand in columns that are no columns of running text."""
    pieces = [piece for line in lines for piece in parted_at_gaps(line)]
    levels = levels_of(pieces)
    if not levels:
        return False
    rich = sum(len(level) for level in levels if len(level) > 1)
    return rich >= 0.5 * len(pieces) and not _is_prose(pieces)


def _is_prose(pieces: Sequence[TextLine]) -> bool:
    """Whether the text is running text: most of it in lines as wide as that has them, or nearly all of it in columns
    that its lines fill."""
    letters = sum(len(piece.text) for piece in pieces)
    wide = [piece for piece in pieces if piece.width > _WIDE * piece.height]
    if 2 * sum(len(piece.text) for piece in wide) > letters:
        return True
    levels = levels_of(pieces)
    gaps = column_gaps(levels, median(piece.height for piece in pieces)) if pieces else []
    edges = [float("-inf"), *((low + high) / 2 for low, high in gaps), float("inf")]
    running = 0
    for low, high in pairwise(edges):
        column = [piece for piece in pieces if low < (piece.box[0] + piece.box[2]) / 2 < high]
        words = sum(len(piece.text.split()) for piece in column)
        if len(column) > 7 and words > 3 * len(column):
            x0, _, x1, _ = bounds(piece.box for piece in column)
            full = sum(piece.width > _COLUMN * (x1 - x0) for piece in column)
            running += sum(len(piece.text) for piece in column) if 2 * full > len(column) else 0
    return running > 0.8 * letters


# ---- tables that the network found


def _text_share(lines: Sequence[TextLine], box: Box) -> float:
    """The share of the box that is under text."""
    return sum(area(piece.box) for line in lines for piece in parted_at_gaps(line)) / area(box)


def _is_table(lines: Sequence[TextLine]) -> bool:
    """Whether the lines stand in rows and columns, and are no running text."""
    pieces = [piece for line in lines for piece in parted_at_gaps(line)]
    if len(pieces) < 4:
        return False
    levels = levels_of(pieces)
    in_rows = sum(len(level) for level in levels if len(level) > 1)
    if in_rows < _IN_ROWS * len(pieces):
        return False
    return bool(column_gaps(levels, median(piece.height for piece in pieces))) and not _is_prose(pieces)


def _trimmed(lines: list[TextLine], box: Box, height: float) -> list[Box]:
    """The box of a table region without the columns of running text, and the lines of it above and below, that the
    network took in; nothing where nothing of a table is left."""
    if not lines:
        return []
    levels = levels_of(lines)
    while levels and _is_running(levels[0], box):
        levels = levels[1:]
    while levels and _is_running(levels[-1], box):
        levels = levels[:-1]
    kept = [line for level in levels for line in level]
    pieces = [piece for line in kept for piece in parted_at_gaps(line)]
    if len(kept) < 4 or _is_prose(pieces) or not column_gaps(levels_of(pieces), height):
        return []
    whole = bounds(line.box for line in kept)
    if len(kept) == len(lines):
        whole = bounds([whole, box])
    return [whole]


def _is_running(level: Sequence[TextLine], box: Box) -> bool:
    """Whether a level of the table's text is one line of running text over its columns."""
    return len(level) == 1 and level[0].width > max(0.6 * (box[2] - box[0]), _WIDE * level[0].height)
