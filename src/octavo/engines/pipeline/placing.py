"""The lines of a table put into the cells of its grid.

The boxes of a grid may be off by as much as a row is high where a network drew them, while the order of rows and of
text never is. So levels of text are given to rows all together, at the least cost over the whole table, and columns
are parted where the text leaves room for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from octavo.engines.pipeline.grid import part
from octavo.engines.pipeline.lattice import levels_of
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.slots import Slot, by_place, size

_EMPTY_ROW = 0.6  # cost of a row without text, in heights of a row
_TAKEN = 0.25  # share of a line that must lie beyond a column's edge for it to be parted there


def by_box(slots: Sequence[Slot], lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """For each slot the lines, or parts of lines, that lie in its box; for grids whose boxes are exact."""
    rows = _edges([(s.row, s.row + s.row_span, s.box[1], s.box[3]) for s in slots], size(slots)[0])
    columns = _edges([(s.column, s.column + s.column_span, s.box[0], s.box[2]) for s in slots], size(slots)[1])
    return _put(slots, [(line, _index(rows, line.middle)) for line in lines], columns)


def by_order(slots: Sequence[Slot], lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """For each slot the lines, or parts of lines, that belong to it; for grids whose boxes are only near."""
    if not lines or not slots:
        return [[] for _ in slots]
    rows, count = size(slots)
    levels = levels_of(lines)
    spans = [(s.row, s.row + s.row_span, s.box[1], s.box[3]) for s in slots]
    of_level = _rows_of(levels, spans, rows)
    columns = _column_edges(slots, lines, count)
    return _put(slots, [(t, row) for level, row in zip(levels, of_level, strict=True) for t in level], columns)


def _rows_of(levels: Sequence[list[TextLine]], spans: Sequence[tuple[int, int, float, float]], rows: int) -> list[int]:
    """The row of each level, ascending: the cheapest way to give all levels to rows in their order."""
    top, bottom = _extents(spans, rows)
    pitch = max(1.0, (bottom[-1] - top[0]) / rows)
    at = np.array([median(t.middle for t in level) for level in levels])
    outside = np.maximum(0.0, np.maximum(top[None] - at[:, None], at[:, None] - bottom[None]))
    off = np.abs(at[:, None] - (top + bottom)[None] / 2)
    cost = (outside + 0.25 * np.minimum(off, (bottom - top)[None])) / pitch
    best = np.full((len(levels), rows), np.inf)
    came = np.zeros((len(levels), rows), np.intp)
    best[0] = cost[0] + _EMPTY_ROW * np.arange(rows)
    for i in range(1, len(levels)):
        for row in range(rows):
            # Staying in the row costs nothing; every row passed over stays empty.
            before = best[i - 1, : row + 1] + _EMPTY_ROW * np.maximum(0, row - np.arange(row + 1) - 1)
            came[i, row] = int(np.argmin(before))
            best[i, row] = before[came[i, row]] + cost[i, row]
    row = int(np.argmin(best[-1] + _EMPTY_ROW * np.arange(rows)[::-1]))
    found = [row]
    for i in range(len(levels) - 1, 0, -1):
        row = int(came[i, row])
        found.append(row)
    return found[::-1]


def _extents(
    spans: Sequence[tuple[int, int, float, float]], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where each row (or column) begins and ends: the medians of the cells that stand in it alone."""
    low, high = np.full(count, np.nan), np.full(count, np.nan)
    for index in range(count):
        alone = [(a, b) for first, last, a, b in spans if first == index == last - 1]
        if alone:
            low[index], high[index] = median(a for a, _ in alone), median(b for _, b in alone)
    known = np.flatnonzero(~np.isnan(low))
    if not len(known):
        whole = (min(s[2] for s in spans), max(s[3] for s in spans))
        edges = np.linspace(*whole, count + 1)
        return edges[:-1], edges[1:]
    all_of_them = np.arange(count)
    low, high = np.interp(all_of_them, known, low[known]), np.interp(all_of_them, known, high[known])
    return low, np.maximum(high, low + 1)


def _edges(spans: Sequence[tuple[int, int, float, float]], count: int) -> list[float]:
    """The borders of rows or columns from exact cells, the outer two left out."""
    edges: list[float] = []
    for index in range(1, count):
        ends = [b for _, last, _, b in spans if last == index] + [a for first, _, a, _ in spans if first == index]
        edges.append(median(ends) if ends else (edges[-1] if edges else 0.0))
    return edges


def _column_edges(slots: Sequence[Slot], lines: Sequence[TextLine], count: int) -> list[float]:
    """The borders of the columns, the outer two left out: near where the boxes have them, where least text is cut."""
    low, high = _extents([(s.column, s.column + s.column_span, s.box[0], s.box[2]) for s in slots], count)
    ends = np.array([(t.box[0], t.box[2]) for t in lines])
    height = median(t.height for t in lines)
    edges = []
    for index in range(1, count):
        middle = (high[index - 1] + low[index]) / 2
        first, last = (low[index - 1] + high[index - 1]) / 2, (low[index] + high[index]) / 2
        inside = ends[(ends > first) & (ends < last)]
        places = np.unique(np.concatenate([[middle], inside - 0.1 * height, inside + 0.1 * height]))
        cut = ((ends[:, 0, None] < places) & (places < ends[:, 1, None])).sum(axis=0)
        near = np.abs(places - middle) / max(1.0, height)
        edges.append(float(places[np.argmin(cut + 0.2 * near)]))
        free = places[cut == cut[places == edges[-1]][0]]
        beside = free[np.abs(free - edges[-1]) < 2 * height]
        edges[-1] = float((beside.min() + beside.max()) / 2) if _free(ends, beside.min(), beside.max()) else edges[-1]
    return edges


def _free(ends: NDArray[np.float64], low: float, high: float) -> bool:
    """Whether no line begins or ends between the two places."""
    return not ((ends > low) & (ends < high)).any()


def _put(
    slots: Sequence[Slot], lines: Sequence[tuple[TextLine, int]], columns: Sequence[float]
) -> list[list[TextLine]]:
    """The lines, each with its row, in their slots, parted at borders of columns unless a cell spans them."""
    places = by_place(slots)
    inside: list[list[TextLine]] = [[] for _ in slots]
    for line, row in lines:
        for piece in _parted(line, row, columns, places):
            column = _index(columns, (piece.box[0] + piece.box[2]) / 2)
            index = places.get((row, column))
            if index is None:
                index = min(range(len(slots)), key=lambda i: _distance(slots[i], row, column))
            inside[index].append(piece)
    return inside


def _distance(slot: Slot, row: int, column: int) -> int:
    return min(abs(r - row) * 3 + abs(c - column) for r, c in slot.places)


def _parted(line: TextLine, row: int, columns: Sequence[float], places: dict[tuple[int, int], int]) -> list[TextLine]:
    """The line cut between its words where it runs over the border between two cells."""
    if len(line.words) < 2:
        return [line]
    slack = min(_TAKEN * line.width, 0.5 * line.height)
    crossed = [
        edge
        for column, edge in enumerate(columns)
        if line.box[0] + slack < edge < line.box[2] - slack
        and places.get((row, column)) != places.get((row, column + 1))
    ]
    if not crossed:
        return [line]
    groups: dict[int, list[int]] = {}
    for number, word in enumerate(line.words):
        groups.setdefault(_index(crossed, (word.box[0] + word.box[2]) / 2), []).append(number)
    return [part(line, numbers) for numbers in groups.values()]


def _index(edges: Sequence[float], place: float) -> int:
    return sum(edge <= place for edge in edges)
