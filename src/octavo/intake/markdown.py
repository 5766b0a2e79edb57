"""Markdown to passages, through markdown-it's CommonMark parser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from octavo.document import Kind
from octavo.intake.passages import Passage

_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_EASTERN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def markdown_passages(text: str) -> list[Passage]:
    """The blocks of a Markdown text, inline marks dropped. The first heading of level 1 is the title.

    List items keep their mark: a bullet or their number. Always at least one passage.
    """
    parts = text.split("\f")
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    found: list[Passage] = []
    for number, part in enumerate(parts):
        passages = list(_Walk(part).passages()) or [Passage(Kind.TEXT, "")]
        if number:
            passages[0] = _on_new_page(passages[0])
        found.extend(passages)
    for place, passage in enumerate(found):
        if passage.kind is Kind.HEADING and passage.level == 1:
            found[place] = Passage(Kind.TITLE, passage.text, 1, new_page=passage.new_page)
            break
    return found


def _on_new_page(first: Passage) -> Passage:
    return Passage(first.kind, first.text, first.level, first.indent, first.rows, first.heads, new_page=True)


class _Walk:
    """One pass over the parser's tokens, which name where each block opens and closes."""

    def __init__(self, text: str) -> None:
        self._tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
        self._lists: list[int | None] = []  # the next number of each open list; None for bullets
        self._quotes = 0
        self._mark = ""  # of the list item whose first paragraph is still to come
        self._heading = 0
        self._rows: list[list[str]] = []
        self._heads = 0

    def passages(self) -> Iterator[Passage]:
        for token in self._tokens:
            if token.type == "table_close":
                yield Passage(Kind.TABLE, "", rows=tuple(tuple(row) for row in self._rows), heads=self._heads)
                self._rows, self._heads = [], 0
            elif token.type == "inline" and self._rows:
                self._rows[-1][-1] = _inline(token)
            elif token.type == "inline":
                yield from self._paragraph(_inline(token))
            elif token.type in ("fence", "code_block"):
                yield from self._item()
                yield Passage(Kind.CODE, token.content.rstrip("\n"), indent=self._indent())
            elif token.type == "html_block":
                if bare := html.unescape(_TAG.sub("", _BREAK.sub("\n", token.content))).strip():
                    yield from self._paragraph(bare)
            else:
                yield from self._structure(token)

    def _structure(self, token: Token) -> Iterator[Passage]:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "heading_close":
                self._heading = 0
            case "bullet_list_open":
                yield from self._item()
                self._lists.append(None)
            case "ordered_list_open":
                yield from self._item()
                start = token.attrGet("start")
                self._lists.append(1 if start is None else int(start))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._mark = self._next_mark(token.markup)
            case "list_item_close":
                yield from self._item()
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "tr_open":
                self._rows.append([])
            case "th_open" | "td_open":
                self._rows[-1].append("")
            case "thead_close":
                self._heads = len(self._rows)

    def _next_mark(self, markup: str) -> str:
        number = self._lists[-1]
        if number is None:
            return "•"
        self._lists[-1] = number + 1
        return f"{number}{markup or '.'}"

    def _indent(self) -> int:
        return len(self._lists) + self._quotes

    def _item(self) -> Iterator[Passage]:
        """The mark of an item that holds no paragraph of its own."""
        if self._mark:
            yield from self._paragraph("")

    def _paragraph(self, text: str) -> Iterator[Passage]:
        if self._heading:
            yield Passage(Kind.HEADING, text, self._heading)
        elif self._mark:
            mark, self._mark = self._mark, ""
            yield Passage(Kind.LIST_ITEM, f"{mark} {text}".rstrip(), len(self._lists), self._indent() - 1)
        elif text:
            yield Passage(Kind.TEXT, text, indent=self._indent())


def _inline(token: Token) -> str:
    """The plain text of a paragraph; a line end in the source is a space, except between East Asian characters."""
    parts: list[str] = []
    for child in token.children or []:
        match child.type:
            case "softbreak":
                parts.append("\n")
            case "hardbreak":
                parts.append("\v")
            case "image":
                parts.append(_inline(child) or child.content)
            case "html_inline":
                parts.append("\v" if _BREAK.fullmatch(child.content) else "")
            case _:
                parts.append(child.content)
    text = re.sub(rf"(?<={_EASTERN.pattern})\n(?={_EASTERN.pattern})", "", "".join(parts))
    return text.replace("\n", " ").replace("\v", "\n").strip()
