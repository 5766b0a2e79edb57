"""The grid of a table from its rulings.

Rulings that stand on one line make a boundary; where no ruling parts two neighbouring squares of the grid they are one
cell. A table whose rows are ruled only here and there gets the rest of its rows from the levels of its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.slots import Slot, with_headers

_NEAR = 0.35  # of a line's height: rulings this close make one boundary
_TORN = 1.5  # heights of a line between pieces that belong to two columns
_WIDE = 0.6  # share of a column's width that running text fills, where it goes on in the next line
_NOT, _SURELY = 0.15, 0.85  # shares of a side along which it is surely not, and surely, drawn
_DRAWN = 0.6  # share of a cell's side that a ruling must run along


@dataclass(frozen=True)
class Boundary:
    """A line of the grid: where it stands, and the stretches along which it is drawn, ascending and apart."""

    at: float
    drawn: tuple[tuple[float, float], ...]

    def share(self, low: float, high: float) -> float:
        """The share of the stretch from `low` to `high` along which it is drawn."""
        inside = sum(max(0.0, min(high, b) - max(low, a)) for a, b in self.drawn)
        return inside / max(1e-6, high - low)

    @property
    def length(self) -> float:
        return sum(b - a for a, b in self.drawn)


@dataclass(frozen=True)
class Lattice:
    """The cells, and the share of the sides between squares along which a ruling is seen only in parts: it may have
    been lost there, or be none."""

    slots: list[Slot]
    doubt: float


def lattice_of(rulings: Sequence[Box], lines: Sequence[TextLine]) -> Lattice | None:
    """The grid of a ruled table; None where the rulings do not part it into at least two rows and two columns, or
    leave columns unparted. `rulings` and `lines` are those of the table alone, and level."""
    if not lines:
        return None
    height = median(line.height for line in lines)
    level, upright = boundaries(rulings, height)
    text = bounds(line.box for line in lines)
    rows = _outer(level, upright, text[1], text[3], height)
    columns = _outer(upright, level, text[0], text[2], height)
    if len(columns) < 3 or len(rows) < 2:
        return None
    rows = _rows_of_text(rows, columns, lines, height)
    if len(rows) < 3:
        return None
    slots = _joined(rows, columns)
    return Lattice(with_headers(slots), _doubt(rows, columns)) if _parts_columns(slots, lines) else None


def boundaries(rulings: Sequence[Box], height: float) -> tuple[list[Boundary], list[Boundary]]:
    """Level and upright boundaries, ascending; `height` is that of a text line."""
    level = [(y0, y1, x0, x1) for x0, y0, x1, y1 in rulings if x1 - x0 >= y1 - y0]
    upright = [(x0, x1, y0, y1) for x0, y0, x1, y1 in rulings if x1 - x0 < y1 - y0]
    return _gathered(level, height, 2.0 * height), _gathered(upright, height, 0.8 * height)


def _gathered(pieces: list[tuple[float, float, float, float]], height: float, shortest: float) -> list[Boundary]:
    """Boundaries of pieces given as two coordinates across and two along; those drawn for less than `shortest` go."""
    groups: list[list[tuple[float, float, float, float]]] = []
    for piece in sorted(pieces, key=lambda p: p[0] + p[1]):
        if groups and (piece[0] + piece[1]) / 2 - _middle(groups[-1]) <= max(3.0, _NEAR * height):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    found = [Boundary(_middle(group), _merged([(p[2], p[3]) for p in group], height)) for group in groups]
    return [boundary for boundary in found if boundary.length >= shortest]


def _middle(group: Sequence[tuple[float, float, float, float]]) -> float:
    """Where pieces stand, long ones counting for more."""
    weight = sum(p[3] - p[2] for p in group)
    return sum((p[0] + p[1]) / 2 * (p[3] - p[2]) for p in group) / max(1e-6, weight)


def _merged(stretches: list[tuple[float, float]], gap: float) -> tuple[tuple[float, float], ...]:
    merged: list[tuple[float, float]] = []
    for low, high in sorted(stretches):
        if merged and low <= merged[-1][1] + gap:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def _outer(own: list[Boundary], others: list[Boundary], first: float, last: float, height: float) -> list[Boundary]:
    """The boundaries with one at each end, drawn or not, so that all text and all rulings across lie between them."""
    low = min([first, *(b.drawn[0][0] for b in others if b.length > 4 * height)])
    high = max([last, *(b.drawn[-1][1] for b in others if b.length > 4 * height)])
    always = ((float("-inf"), float("inf")),)
    slack = 0.8 * height
    inner = [b for b in own if low + slack < b.at < high - slack]
    # A ruling near the end is the end; text that stands beyond the last one is one cell more.
    start = min([b.at for b in own if b.at <= low + slack], default=low)
    end = max([b.at for b in own if b.at >= high - slack], default=high)
    return [Boundary(min(start, low), always), *inner, Boundary(max(end, high), always)]


def _rows_of_text(
    rows: list[Boundary], columns: list[Boundary], lines: Sequence[TextLine], height: float
) -> list[Boundary]:
    """The rows with boundaries put between levels of text where a band holds rows that no ruling parts."""
    parted = [rows[0]]
    for index, (above, below) in enumerate(pairwise(rows)):
        inside = [line for line in lines if above.at <= line.middle < below.at]
        only = len(rows) <= 3 and index == len(rows) - 2
        if index or only or len(rows) == 2:
            parted += [Boundary(at, ((columns[0].at, columns[-1].at),)) for at in _cuts(inside, columns, height)]
        parted.append(below)
    return parted


def _cuts(lines: Sequence[TextLine], columns: list[Boundary], height: float) -> list[float]:
    """Where a band is to be cut into rows: between levels that fill most columns and do not run on below."""
    levels = levels_of(lines)
    if len(levels) < 2:
        return []
    edges = [boundary.at for boundary in columns]
    filled = [{_index(edges, (line.box[0] + line.box[2]) / 2) for line in level} for level in levels]
    used = set().union(*filled)
    full = sum(len(level) >= 0.6 * len(used) for level in filled)
    if len(used) < 2 or full < 0.7 * len(levels) or (len(levels) == 2 and not _numbers(lines)):
        return []
    if _wraps(levels, edges):
        return []
    cuts = []
    for above, below, columns_below in zip(levels, levels[1:], filled[1:], strict=False):
        if len(columns_below) > 1 or 0 in columns_below:
            cuts.append((max(t.box[3] for t in above) + min(t.box[1] for t in below)) / 2)
    return cuts


def _wraps(levels: list[list[TextLine]], edges: list[float]) -> bool:
    """Whether most lines stand where the first word of the line below would not have fitted behind them."""
    run_on, total = 0, sum(len(level) for level in levels[1:])
    for above, below in pairwise(levels):
        for line in below:
            column = _index(edges, (line.box[0] + line.box[2]) / 2)
            over = [t for t in above if _index(edges, (t.box[0] + t.box[2]) / 2) == column]
            wide = over and sum(t.width for t in over) > _WIDE * (edges[column + 1] - edges[column])
            if wide and any(c.isalpha() for t in over for c in t.text):
                word = line.width * len(line.text.split(" ", 1)[0]) / max(1, len(line.text))
                run_on += edges[column + 1] - max(t.box[2] for t in over) < word + line.height
    return run_on > 0.5 * total


def _numbers(lines: Sequence[TextLine]) -> bool:
    return 2 * sum(any(c.isdigit() for c in line.text) for line in lines) >= len(lines)


def _index(edges: Sequence[float], place: float) -> int:
    """The number of the stretch between two edges, ascending, that `place` is in; the first or last where it is out."""
    return min(max(sum(edge <= place for edge in edges) - 1, 0), len(edges) - 2)


def levels_of(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Lines that are level with each other, from the top."""
    levels: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda t: t.middle):
        if levels and line.middle - median(t.middle for t in levels[-1]) < 0.5 * line.height:
            levels[-1].append(line)
        else:
            levels.append([line])
    return levels


def _joined(rows: list[Boundary], columns: list[Boundary]) -> list[Slot]:
    """The squares of the grid, those made one that no ruling parts; joined squares always make a rectangle."""
    across, down = len(columns) - 1, len(rows) - 1
    owner = {(r, c): (r, c, r, c) for r in range(down) for c in range(across)}  # first and last row and column

    def join(a: tuple[int, int], b: tuple[int, int]) -> None:
        one, two = owner[a], owner[b]
        whole = (min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3]))
        grown = True
        while grown:  # a rectangle that cuts into another takes all of it
            grown = False
            for r in range(whole[0], whole[2] + 1):
                for c in range(whole[1], whole[3] + 1):
                    o = owner[r, c]
                    more = (min(whole[0], o[0]), min(whole[1], o[1]), max(whole[2], o[2]), max(whole[3], o[3]))
                    grown |= more != whole
                    whole = more
        for r in range(whole[0], whole[2] + 1):
            for c in range(whole[1], whole[3] + 1):
                owner[r, c] = whole

    for r in range(down):
        for c in range(across):
            top, bottom, left, right = rows[r].at, rows[r + 1].at, columns[c].at, columns[c + 1].at
            if c + 1 < across and columns[c + 1].share(top, bottom) < _DRAWN:
                join((r, c), (r, c + 1))
            if r + 1 < down and rows[r + 1].share(left, right) < _DRAWN:
                join((r, c), (r + 1, c))
    found = sorted({(o[0], o[1], o[2], o[3]) for o in owner.values()})
    starts_r, starts_c = sorted({o[0] for o in found}), sorted({o[1] for o in found})
    slots = []
    for r0, c0, r1, c1 in found:
        row, column = starts_r.index(r0), starts_c.index(c0)
        row_span = sum(r0 <= r <= r1 for r in starts_r)
        column_span = sum(c0 <= c <= c1 for c in starts_c)
        box = (columns[c0].at, rows[r0].at, columns[c1 + 1].at, rows[r1 + 1].at)
        slots.append(Slot(row, column, row_span, column_span, False, box))
    return slots


def _doubt(rows: list[Boundary], columns: list[Boundary]) -> float:
    sides = [r.share(a.at, b.at) for r in rows[1:-1] for a, b in pairwise(columns)]
    sides += [c.share(a.at, b.at) for c in columns[1:-1] for a, b in pairwise(rows)]
    return sum(_NOT < side < _SURELY for side in sides) / max(1, len(sides))


def _parts_columns(slots: Sequence[Slot], lines: Sequence[TextLine]) -> bool:
    """Whether few cells hold lines that stand beside each other far apart, as the columns of an unruled part do."""
    torn = sum(is_torn([line for line in lines if slot.holds(line)]) for slot in slots)
    return torn <= 0.05 * len(slots)


def is_torn(lines: Sequence[TextLine]) -> bool:
    """Whether lines of one cell stand on one level so far apart that they are in two columns."""
    for level in levels_of(lines):
        ordered = sorted(level, key=lambda t: t.box[0])
        if any(b.box[0] - a.box[2] > _TORN * max(a.height, b.height) for a, b in pairwise(ordered)):
            return True
    return False
