"""Cells of a table from where its text stands: rows that are level, columns that no line crosses."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from octavo.document import Cell
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.picture import Upright


def cells_of(lines: Sequence[TextLine], page: Upright) -> tuple[Cell, ...]:
    """One cell per row and column that holds text; empty where the lines do not form a grid of at least 2 x 2."""
    rows = _rows(lines)
    edges = _column_edges(lines, rows)
    if len(rows) < 2 or len(edges) < 1:
        return ()
    cells = []
    for number, row in enumerate(rows):
        columns: dict[int, list[TextLine]] = {}
        for line in row:
            columns.setdefault(sum(edge <= (line.box[0] + line.box[2]) / 2 for edge in edges), []).append(line)
        for column, inside in sorted(columns.items()):
            text = " ".join(line.text for line in sorted(inside, key=lambda t: t.box[0]))
            cells.append(Cell(number, column, text, page.box(bounds(line.box for line in inside)), header=number == 0))
    return tuple(cells)


def _rows(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda t: t.middle):
        if rows and line.middle - median(t.middle for t in rows[-1]) < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _column_edges(lines: Sequence[TextLine], rows: list[list[TextLine]]) -> list[float]:
    """Where columns part: gaps of the horizontal projection, lines of rows with a single line (titles) left out."""
    spans = sorted((line.box[0], line.box[2]) for row in rows if len(row) > 1 for line in row)
    if not spans:
        return []
    slack = 0.3 * median(line.height for line in lines)
    edges, right = [], spans[0][1]
    for x0, x1 in spans[1:]:
        if x0 > right + slack:
            edges.append((right + x0) / 2)
        right = max(right, x1)
    return edges
