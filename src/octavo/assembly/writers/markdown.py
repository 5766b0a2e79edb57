"""Markdown as GitHub reads it, with HTML tables where cells span rows or columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

from octavo.assembly.flow import Event, Flow, Passage
from octavo.assembly.writers import lists, table
from octavo.assembly.writers import markdown_escape as escape
from octavo.assembly.writers.blocks import code_text, own_label, printed_lines, reason
from octavo.assembly.writers.characters import clean_code, one_line
from octavo.assembly.writers.markdown_runs import inline
from octavo.assembly.writers.runs import Line, dropped, lines_of, plain
from octavo.assembly.writers.runs import one_line as one_line_of
from octavo.document import Block, Kind, PageResult, PageStatus, Source, Summary

_TASK = re.compile(r"\[(?=[ xX]\]\s)")  # would become a check box at the start of a list item


class _OpenList(NamedTuple):
    mark: str
    number: int | None  # of its latest item


class MarkdownWriter:
    """Writes UTF-8. A comment opens every page, except a first page that is the document's first and was read.

    Each comment is a line of its own: `<!-- page 3 -->`, `<!-- page 4 blank -->`, `<!-- page 12 label "iv" -->` or
    `<!-- page 7 failed: page-timeout: the reason -->`. What goes on over a page break stands whole before the comment;
    where a list goes on the comment is indented, so that it does not end the list.
    """

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._keep_furniture = keep_furniture
        self._flow = Flow(keep_furniture=keep_furniture)
        self._first_page = True
        self._empty = True
        self._comments: list[str] = []  # that stand before what comes next
        self._lists: list[_OpenList] = []  # those that the next list item may continue, outermost first

    def begin(self, source: Source) -> None:
        """Nothing stands before the first page."""
        self._flow = Flow(source, keep_furniture=self._keep_furniture)

    def page(self, result: PageResult) -> None:
        self._take(self._flow.page(result))

    def end(self, summary: Summary) -> None:
        self._take(self._flow.end())
        self._write_comments()
        if not self._empty:
            self._out.write(b"\n")

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, PageResult):
                self._open_page(event)
            elif event.block.kind is Kind.LIST_ITEM:
                self._list_item(event)
            elif text := _block(event.block):
                self._write(text)

    def _open_page(self, result: PageResult) -> None:
        note = _page_note(result)
        if note or not self._first_page or result.page != 1:
            self._comments.append(f"<!-- page {result.page}{note} -->")
        self._first_page = False

    def _write(self, text: str) -> None:
        self._write_comments()
        self._lists.clear()
        self._append(text, "\n\n")

    def _write_comments(self, indent: str = "") -> None:
        for comment in self._comments:
            self._append(indent + comment, "\n" if indent else "\n\n")
            if not indent:
                self._lists.clear()
        self._comments.clear()

    def _append(self, text: str, separator: str) -> None:
        self._out.write((text if self._empty else separator + text).encode())
        self._empty = False

    def _list_item(self, passage: Passage) -> None:
        first, *rest = lines_of(passage.block) or [[]]
        item = lists.parse(plain(first))
        if not item.text and item.number is None:
            return
        goes_on = passage.goes_on and bool(self._comments and self._lists)
        self._write_comments(" " * sum(len(open.mark) + 1 for open in self._lists) if goes_on else "")
        mark = item.mark or "-"
        depth = lists.depth_of(passage.block.level, len(self._lists))
        parents = self._lists[: depth - 1]
        indent = " " * sum(len(parent.mark) + 1 for parent in parents)
        inner = indent + " " * (len(mark) + 1)
        separator = self._before_item(item, mark, depth, indent)
        said = dropped(first, len(plain(first)) - len(item.text))
        text = f"{indent}{mark} {_item_text(said)}".rstrip()
        self._append("\n\n".join([text, *(inner + _item_text(line) for line in rest)]), separator)
        self._lists = [*parents, _OpenList(mark, item.number)]

    def _before_item(self, item: lists.Item, mark: str, depth: int, indent: str) -> str:
        """What separates the item from the text above it, so that it stands in the right list."""
        if len(self._lists) < depth:
            # In the line after a paragraph only a list that begins with 1 and has text is taken for one.
            return "\n" if depth > 1 and item.text and item.number in (None, 1) else "\n\n"
        before = self._lists[depth - 1]
        if before.mark[-1] != mark[-1]:
            return "\n\n"
        if item.number is not None and item.number != (before.number or 0) + 1:
            # Markdown numbers the items of a list itself; an empty comment makes the next item begin another.
            self._append(f"{indent}<!-- -->", "\n\n")
            return "\n\n"
        return "\n"


def _paragraph(line: Line) -> str:
    return inline(line, escape.paragraph_places)


def _item_text(line: Line) -> str:
    escaped = _paragraph(line)
    return f"\\{escaped}" if _TASK.match(escaped) else escaped


def _page_note(result: PageResult) -> str:
    label = re.sub('-{2,}|["<>]', "", own_label(result))
    note = f' label "{label}"' if label else ""
    if result.status is PageStatus.FAILED:
        return f"{note} failed: {re.sub('-{2,}', '-', one_line(reason(result.error)))}"
    return f"{note} blank" if result.status is PageStatus.BLANK else note


def _block(block: Block) -> str:
    """The block in Markdown without a line feed at its end; empty where it holds nothing."""
    match block.kind:
        case Kind.TITLE | Kind.HEADING:
            text = inline(one_line_of(block), escape.heading_places)
            level = 1 if block.kind is Kind.TITLE else min(max(block.level, 1) + 1, 6)
            return f"{'#' * level} {text}" if text else ""
        case Kind.TABLE if block.cells:
            return _table(table.grid(block.cells))
        case Kind.TABLE:
            return escape.paragraph("\n".join(printed_lines(block))).replace("\n", "  \n")
        case Kind.CODE:
            return _fenced(clean_code(code_text(block)))
        case Kind.FORMULA if block.latex.strip():
            return f"$${one_line(block.latex)}$$"
        case _:
            return "\n\n".join(map(_paragraph, lines_of(block)))


def _table(rows: list[list[table.Placed]]) -> str:
    if not table.is_plain(rows):
        return "\n".join(["<table>", *table.html_rows(rows), "</table>"])
    lines = [f"| {' | '.join('<br>'.join(map(escape.cell, cell.lines)) for cell in row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")  # GitHub takes the first row for the header, whatever it is
    return "\n".join(lines)


def _fenced(code: str) -> str:
    if not code:
        return ""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}\n{code}\n{fence}"
