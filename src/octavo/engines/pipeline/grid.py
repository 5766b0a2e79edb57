"""The grid of a table from where its text stands: columns that hardly a row crosses, rows that are level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from octavo.document import Box
from octavo.engines.pipeline.lattice import boundaries, levels_of
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.slots import Slot, with_headers

_WORD_GAP = 1.0  # heights of a line: words this far apart stand in two columns
_CROSSED = 0.15  # share of the rows that may cross the gap between two columns
_GUTTER = 0.4  # heights of a line: the gap between two columns at least
_CLOSE = 0.7  # heights of a line: what runs on in the line below stands closer


@dataclass(frozen=True)
class _Row:
    """The levels of text of one row, and the pieces of text in it by the first and last column that they take."""

    levels: list[list[TextLine]]
    taken: dict[tuple[int, int], list[TextLine]]

    @property
    def columns(self) -> set[int]:
        return {column for first, last in self.taken for column in range(first, last + 1)}


def slots_of(rulings: Sequence[Box], lines: Sequence[TextLine]) -> list[Slot]:
    """The cells of a table without upright rulings; empty where the text does not form a grid of at least 2 x 2.

    Level rulings part rows. Text over the gap between columns spans them.
    """
    pieces = [piece for line in lines for piece in parted_at_gaps(line)]
    if len(pieces) < 4:
        return []
    height = median(piece.height for piece in pieces)
    levels = levels_of(pieces)
    gaps = column_gaps(levels, height)
    if len(levels) < 2 or not gaps:
        return []
    edges = [(low + high) / 2 for low, high in gaps]
    rules = [b for b in boundaries(rulings, height)[0] if b.length > 0.5 * (edges[-1] - edges[0])]
    rows = _rows(levels, gaps, [rule.at for rule in rules], height)
    if len(rows) < 2:
        return []
    return with_headers(_slots(rows, edges, bounds(piece.box for piece in pieces)))


def parted_at_gaps(line: TextLine) -> list[TextLine]:
    """The line cut where its words stand so far apart that they are in two columns."""
    groups: list[list[int]] = [[]]
    for index, word in enumerate(line.words):
        if index and word.box[0] - line.words[index - 1].box[2] > _WORD_GAP * line.height:
            groups.append([])
        groups[-1].append(index)
    if len(groups) < 2:
        return [line]
    return [part(line, group) for group in groups]


def part(line: TextLine, numbers: Sequence[int]) -> TextLine:
    """The line with these of its words alone."""
    words = tuple(line.words[number] for number in numbers)
    x0, _, x1, _ = bounds(word.box for word in words)
    return replace(
        line, text=" ".join(word.text for word in words), words=words, box=(x0, line.box[1], x1, line.box[3])
    )


def column_gaps(levels: Sequence[Sequence[TextLine]], height: float) -> list[tuple[float, float]]:
    """The gaps between columns: stretches that few levels cross, with text that more levels have on both sides."""
    rich = [level for level in levels if len(level) > 1]
    if not rich:
        return []
    allowed = _CROSSED * len(levels)
    ends = sorted({x for level in rich for t in level for x in (t.box[0], t.box[2])})
    gaps: list[tuple[float, float]] = []
    for low, high in pairwise(ends):
        middle = (low + high) / 2
        crossed = sum(any(t.box[0] < middle < t.box[2] for t in level) for level in levels)
        if crossed > allowed:
            continue
        if gaps and low - gaps[-1][1] < 1e-6:
            gaps[-1] = (gaps[-1][0], high)
        else:
            gaps.append((low, high))
    wide = [(low, high) for low, high in gaps if high - low >= _GUTTER * height]
    return _with_text_beside(wide, levels)


def _with_text_beside(
    gaps: Sequence[tuple[float, float]], levels: Sequence[Sequence[TextLine]]
) -> list[tuple[float, float]]:
    """The gaps without those on whose one side, as far as the next gap, hardly a row has text of its own."""
    kept = list(gaps)
    least = max(min(2, len(levels)), 0.1 * len(levels))
    while kept:
        edges = [float("-inf"), *((low + high) / 2 for low, high in kept), float("inf")]
        filled = [sum(any(_is_between(t, a, b) for t in level) for level in levels) for a, b in pairwise(edges)]
        poor = min(range(len(filled)), key=lambda i: filled[i])
        if filled[poor] >= least:
            break
        del kept[max(0, poor - 1)]
    return kept


def _is_between(line: TextLine, low: float, high: float) -> bool:
    slack = 0.3 * line.height
    return low < line.box[0] + slack and line.box[2] - slack < high


def _rows(
    levels: Sequence[list[TextLine]], gaps: Sequence[tuple[float, float]], rules: Sequence[float], height: float
) -> list[_Row]:
    """The levels gathered to rows: a level that runs on in the cells of the one above belongs to its row."""
    first = sum(any(t.box[2] < gaps[0][1] for t in level) for level in levels)
    rows: list[_Row] = []
    for level in levels:
        row = _Row([level], _taken(level, gaps))
        above = rows[-1] if rows else None
        if above and not any(_middle(above.levels[-1]) < rule < _middle(level) for rule in rules):
            close = min(t.box[1] for t in level) - max(t.box[3] for t in above.levels[-1]) < _CLOSE * height
            within = row.columns <= above.columns and len(row.columns) < max(2, len(gaps) + 1)
            if close and within and 0 not in row.columns and 0 in above.columns and first >= 0.4 * len(levels):
                for place, found in row.taken.items():
                    above.taken.setdefault(place, []).extend(found)
                above.levels.append(level)
                continue
        rows.append(row)
    return rows


def _middle(level: Sequence[TextLine]) -> float:
    return median(line.middle for line in level)


def _taken(level: Sequence[TextLine], gaps: Sequence[tuple[float, float]]) -> dict[tuple[int, int], list[TextLine]]:
    taken: dict[tuple[int, int], list[TextLine]] = {}
    for piece in level:
        middles = [(low + high) / 2 for low, high in gaps]
        first = sum(middle <= piece.box[0] + 0.3 * piece.height for middle in middles)
        last = sum(middle < piece.box[2] - 0.3 * piece.height for middle in middles)
        taken.setdefault((first, max(first, last)), []).append(piece)
    return taken


def _slots(rows: Sequence[_Row], edges: Sequence[float], whole: Box) -> list[Slot]:
    """A slot for every square, wide ones where text spans columns; pieces that overlap are made one."""
    borders = [whole[1]]
    for above, below in pairwise(rows):
        bottom = max(t.box[3] for t in above.levels[-1])
        top = min(t.box[1] for t in below.levels[0])
        borders.append((bottom + top) / 2)
    borders.append(whole[3])
    sides = [whole[0], *edges, whole[2]]
    slots = []
    for number, row in enumerate(rows):
        spans: list[tuple[int, int]] = []
        for first, last in sorted(row.taken):
            if spans and first <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(spans[-1][1], last))
            else:
                spans.append((first, last))
        free = set(range(len(sides) - 1)) - {c for first, last in spans for c in range(first, last + 1)}
        for first, last in sorted(spans + [(c, c) for c in free]):
            box = (sides[first], borders[number], sides[last + 1], borders[number + 1])
            slots.append(Slot(number, first, 1, last - first + 1, False, box))
    return slots
