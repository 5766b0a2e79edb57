"""Plain text: paragraphs between empty lines, tables as tab separated rows, a form feed between pages."""

from __future__ import annotations

from typing import BinaryIO

from octavo.assembly.writers import lists, table
from octavo.assembly.writers.blocks import code_text, paragraphs, printed_lines, reason, shown
from octavo.assembly.writers.characters import clean_code, one_line
from octavo.document import Block, Kind, PageResult, PageStatus, Source, Summary


class TextWriter:
    """Writes UTF-8. Splitting the output at its form feeds gives one piece per page, in page order."""

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._keep_furniture = keep_furniture
        self._first = True

    def begin(self, source: Source) -> None:
        """Nothing stands before the first page."""

    def page(self, result: PageResult) -> None:
        pieces = []
        if result.status is PageStatus.FAILED:
            pieces.append(f"[page {result.page} could not be read: {one_line(reason(result.error))}]\n")
        depth = 0  # of the list item above, 0 below anything else
        for block in shown(result, self._keep_furniture):
            above = depth
            depth = lists.depth_of(block.level, above) if block.kind is Kind.LIST_ITEM else 0
            if piece := _list_item(block, depth) if depth else _block(block):
                if pieces and not (above and depth):
                    pieces.append("\n")
                pieces.append(piece + "\n")
        self._out.write((("" if self._first else "\f") + "".join(pieces)).encode())
        self._first = False

    def end(self, summary: Summary) -> None:
        """Nothing stands after the last page."""


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
