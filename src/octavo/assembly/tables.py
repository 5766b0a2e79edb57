"""The tables of a document as files of their own: each as CSV, all together as the sheets of one workbook."""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import IO, BinaryIO

from octavo.assembly.flow import Event, Flow, Passage
from octavo.assembly.spreadsheet import Workbook
from octavo.assembly.writers import table
from octavo.document import Cell, Kind, PageResult, Source, Summary

# What spreadsheets take for a formula, in their own cells and behind a line feed; plain numbers are none.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_IN_MEMORY = 1 << 20  # bytes
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,' \u00a0\u202f]*%?")


class TableFiles:
    """Writes the tables of one document as its pages arrive, in the manner of a `Writer`.

    The second table of page 3 of "report" is `report-p003-t2.csv` and the sheet `p003-t2` of `report-tables.xlsx`; one
    that goes on over a page break is whole, and has its place where it begins. A document without tables gets no file.
    CSV is UTF-8 after RFC 4180, spanned squares are empty, and cells that a
    spreadsheet would take for formulas begin with an apostrophe. Nothing is held but the workbook's temporary file.
    """

    def __init__(self, name: str, place: Callable[[str], AbstractContextManager[BinaryIO]]) -> None:
        """`place` opens the file of a name, and makes it appear when its context is left without an exception."""
        self._name = name
        self._place = place
        self._held = ExitStack()
        self._spool: IO[bytes] | None = None
        self._workbook: Workbook | None = None
        self._flow = Flow()
        self._latest = (0, 0)  # page and number of the table written last

    def begin(self, source: Source) -> None:
        """Nothing stands before the first table."""
        self._flow = Flow(source)

    def page(self, result: PageResult) -> None:
        """Write the tables that this page completes. Passes on the OSError of the files."""
        self._take(self._flow.page(result))

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Passage) and event.block.kind is Kind.TABLE and event.block.cells:
                self._table(event.item.fragments[0].page, event.block.cells)

    def _table(self, page: int, cells: Sequence[Cell]) -> None:
        self._latest = (page, self._latest[1] + 1 if self._latest[0] == page else 1)
        sheet = f"p{page:03d}-t{self._latest[1]}"
        rows = table.grid(cells)
        with self._place(f"{self._name}-{sheet}.csv") as out:
            out.write(_csv(rows))
        self._sheets().add(sheet, rows)

    def _sheets(self) -> Workbook:
        if self._workbook is None:
            # Rolled over to the disk where it grows beyond this.
            spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with what is held
            self._spool = self._held.enter_context(spool)
            self._workbook = Workbook(self._spool)
        return self._workbook

    def end(self, summary: Summary) -> None:
        """Write the last tables and the workbook. Passes on the OSError of the files."""
        self._take(self._flow.end())
        if self._workbook is None or self._spool is None:
            return
        self._workbook.close()
        self._spool.seek(0)
        with self._place(f"{self._name}-tables.xlsx") as out:
            shutil.copyfileobj(self._spool, out)
        self._held.close()


def _csv(rows: Sequence[Sequence[table.Placed]]) -> bytes:
    width = max((cell.column + cell.column_span for row in rows for cell in row), default=0)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        squares = [""] * width
        for cell in row:
            squares[cell.column] = _as_text("\n".join(cell.lines))
        writer.writerow(squares)
    return out.getvalue().encode()


def _as_text(text: str) -> str:
    """`text` so that no spreadsheet takes it for a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
