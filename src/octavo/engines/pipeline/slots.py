"""The grid of a table before its text is in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine


@dataclass(frozen=True)
class Slot:
    """A cell of the grid: the 0-based place of its top left corner, how far it spans, and its box in pixels."""

    row: int
    column: int
    row_span: int
    column_span: int
    header: bool
    box: Box

    @property
    def places(self) -> list[tuple[int, int]]:
        """Row and column of every square of the grid that it takes."""
        rows = range(self.row, self.row + self.row_span)
        return [(row, column) for row in rows for column in range(self.column, self.column + self.column_span)]

    def holds(self, line: TextLine) -> bool:
        """Whether the line's middle lies in the box."""
        x0, y0, x1, y1 = self.box
        return y0 <= line.middle < y1 and x0 <= (line.box[0] + line.box[2]) / 2 < x1


def size(slots: Sequence[Slot]) -> tuple[int, int]:
    """Rows and columns of the grid."""
    rows = max((slot.row + slot.row_span for slot in slots), default=0)
    return rows, max((slot.column + slot.column_span for slot in slots), default=0)


def by_place(slots: Sequence[Slot]) -> dict[tuple[int, int], int]:
    """For every square of the grid that is taken the index of the slot that takes it."""
    return {place: index for index, slot in enumerate(slots) for place in slot.places}


def with_headers(slots: Iterable[Slot]) -> list[Slot]:
    """The slots with those of the first row marked as header, and of every row that a cell of the header reaches into
    or parts further: below a cell that spans some of the columns stand the headers of each."""
    slots = list(slots)
    columns = size(slots)[1]
    last = 0
    for slot in sorted(slots, key=lambda s: s.row):
        if slot.row > last:
            break
        nested = 1 < slot.column_span < columns
        last = max(last, slot.row + slot.row_span - 1, slot.row + nested)
    return [replace(slot, header=slot.row <= last) for slot in slots]


def complete(slots: Sequence[Slot]) -> list[Slot]:
    """The slots and one more for every square of the grid that none takes, as high as its row and as wide as its
    column; rows and columns in which no slot begins are left out."""
    if not slots:
        return []
    used_rows, used_columns = sorted({s.row for s in slots}), sorted({s.column for s in slots})
    kept = []
    for slot in slots:
        row_span = sum(slot.row <= row < slot.row + slot.row_span for row in used_rows)
        column_span = sum(slot.column <= column < slot.column + slot.column_span for column in used_columns)
        row, column = used_rows.index(slot.row), used_columns.index(slot.column)
        kept.append(replace(slot, row=row, column=column, row_span=row_span, column_span=column_span))
    rows, columns = len(used_rows), len(used_columns)
    taken = by_place(kept)
    high = {row: _span([(s.box[1], s.box[3]) for s in kept if s.row == row]) for row in range(rows)}
    wide = {column: _span([(s.box[0], s.box[2]) for s in kept if s.column == column]) for column in range(columns)}
    header = {row for row in range(rows) if all(s.header for s in kept if s.row == row)}
    for row in range(rows):
        for column in range(columns):
            if (row, column) not in taken:
                box = (wide[column][0], high[row][0], wide[column][1], high[row][1])
                kept.append(Slot(row, column, 1, 1, row in header, box))
    return kept


def _span(ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(low for low, _ in ends), median(high for _, high in ends)


def mirrored(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with their columns counted from the right, as scripts that run to the left have them."""
    columns = size(slots)[1]
    return [replace(slot, column=columns - slot.column - slot.column_span) for slot in slots]
