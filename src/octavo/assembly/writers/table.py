"""Tables as a grid that is covered once and only once, and their HTML."""

from __future__ import annotations

import html
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from octavo.assembly.writers.characters import lines_of
from octavo.document import Cell

Slot = tuple[int, int]  # row and column, 0-based


class Placed(NamedTuple):
    """A cell of the grid, with its text line by line."""

    column: int
    lines: list[str]
    row_span: int = 1
    column_span: int = 1
    header: bool = False


def grid(cells: Sequence[Cell]) -> list[list[Placed]]:
    """The rows of a table, each with the cells that begin in it, from left to right.

    They cover every slot of a rectangle exactly once, as HTML expects, whatever the given cells do: rows and columns in
    which no cell begins are dropped, holes get empty cells, spans end before the next cell, and cells at the same place
    are joined.
    """
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    starts: dict[Slot, list[Cell]] = {}
    for cell in cells:
        starts.setdefault((bisect_left(rows, cell.row), bisect_left(columns, cell.column)), []).append(cell)
    taken = set(starts)
    placed: list[list[Placed]] = [[] for _ in rows]
    for (row, column), group in sorted(starts.items(), key=lambda item: item[0]):
        row_end = bisect_left(rows, max(cell.row + cell.row_span for cell in group))
        column_end = bisect_left(columns, max(cell.column + cell.column_span for cell in group))
        row_span, column_span = _free((row, column), row_end - row, column_end - column, taken)
        taken.update((row + down, column + right) for down in range(row_span) for right in range(column_span))
        lines = [line for cell in group for line in lines_of(cell.text)]
        placed[row].append(Placed(column, lines, row_span, column_span, all(cell.header for cell in group)))
    for row, found in enumerate(placed):
        found += [Placed(column, []) for column in range(len(columns)) if (row, column) not in taken]
        found.sort(key=lambda cell: cell.column)
    return placed


def _free(slot: Slot, rows: int, columns: int, taken: set[Slot]) -> tuple[int, int]:
    """The rows and columns of a span from `slot` on that no other cell takes, with the first row at its widest."""
    row, column = slot
    column_span = 1
    while column_span < columns and (row, column + column_span) not in taken:
        column_span += 1
    row_span = 1
    while row_span < rows and not any((row + row_span, column + step) in taken for step in range(column_span)):
        row_span += 1
    return row_span, column_span


def is_plain(rows: list[list[Placed]]) -> bool:
    """Whether no cell spans rows or columns and the first row, and it alone, is a header: all that a table in GitHub's
    Markdown can be."""
    if any(cell.row_span > 1 or cell.column_span > 1 for row in rows for cell in row):
        return False
    first = all(cell.header or not cell.lines for cell in rows[0]) and any(cell.header for cell in rows[0])
    return first and not any(cell.header for row in rows[1:] for cell in row)


def html_rows(rows: list[list[Placed]], attributes: str = "") -> list[str]:
    """The `tr` elements of the table, one a row and none with a line feed; `attributes` are added to every cell."""
    return [f"<tr>{''.join(_html_cell(cell, attributes) for cell in row)}</tr>" for row in rows]


def _html_cell(cell: Placed, attributes: str) -> str:
    tag = "th" if cell.header else "td"
    spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    spans += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    text = "<br>".join(html.escape(line, quote=False) for line in cell.lines)
    return f"<{tag}{spans}{attributes}>{text}</{tag}>"
