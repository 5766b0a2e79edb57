"""Plain text: paragraphs between empty lines, tables as tab separated rows, a form feed between pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from octavo.assembly.flow import Event, Flow, Passage
from octavo.assembly.writers import lists, table
from octavo.assembly.writers.blocks import code_text, paragraphs, printed_lines, reason
from octavo.assembly.writers.characters import clean_code, one_line
from octavo.document import Block, Kind, PageResult, PageStatus, Source, Summary


class TextWriter:
    """Writes UTF-8. Splitting the output at its form feeds gives one piece per page, in page order.

    What goes on over a page break stands whole in the piece of the page where it begins.
    """

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._keep_furniture = keep_furniture
        self._flow = Flow(keep_furniture=keep_furniture)
        self._first = True
        self._is_page_empty = True
        self._depth = 0  # of the list item above, 0 below anything else

    def begin(self, source: Source) -> None:
        """Nothing stands before the first page."""
        self._flow = Flow(source, keep_furniture=self._keep_furniture)

    def page(self, result: PageResult) -> None:
        self._take(self._flow.page(result))

    def end(self, summary: Summary) -> None:
        self._take(self._flow.end())

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, PageResult):
                self._open_page(event)
            else:
                self._passage(event)

    def _open_page(self, result: PageResult) -> None:
        self._out.write(b"" if self._first else b"\f")
        self._first, self._is_page_empty = False, True
        if result.status is PageStatus.FAILED:
            self._write(f"[page {result.page} could not be read: {one_line(reason(result.error))}]")

    def _passage(self, passage: Passage) -> None:
        block, above = passage.block, self._depth
        if self._is_page_empty and not passage.goes_on:
            above = 0
        self._depth = lists.depth_of(block.level, above) if block.kind is Kind.LIST_ITEM else 0
        if piece := _list_item(block, self._depth) if self._depth else _block(block):
            self._write(piece, apart=not (above and self._depth))

    def _write(self, piece: str, *, apart: bool = True) -> None:
        between = "\n" if apart and not self._is_page_empty else ""
        self._out.write(f"{between}{piece}\n".encode())
        self._is_page_empty = False


def _block(block: Block) -> str:
    """The text of a block that is no list item, without a line feed at its end; empty where there is none."""
    match block.kind:
        case Kind.TABLE if block.cells:
            return "\n".join(_row(row) for row in table.grid(block.cells))
        case Kind.TABLE:
            return "\n".join(printed_lines(block))
        case Kind.CODE:
            return clean_code(code_text(block))
        case Kind.TITLE | Kind.HEADING:
            return " ".join(paragraphs(block))
        case Kind.FORMULA:
            return "\n".join(paragraphs(block)) or one_line(block.latex)
        case _:
            return "\n\n".join(paragraphs(block))


def _row(row: list[table.Placed]) -> str:
    """Every cell in its column; the other slots that a cell spans are empty."""
    slots = [""] * (max(cell.column for cell in row) + 1 if row else 0)
    for cell in row:
        slots[cell.column] = " ".join(cell.lines)
    return "\t".join(slots).rstrip("\t")


def _list_item(block: Block, depth: int) -> str:
    text = paragraphs(block)
    if not text:
        return ""
    item = lists.parse(text[0])
    mark = f"{item.mark} " if item.mark else ""
    indent = "  " * (depth - 1)
    inner = indent + " " * len(mark)
    return "\n".join([f"{indent}{mark}{item.text}".rstrip(), *(inner + line for line in text[1:])])
