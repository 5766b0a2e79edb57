"""What a text file consists of, before it is laid out: passages in reading order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.document import Kind


@dataclass(frozen=True)
class Passage:
    """A block of text that may run over several pages.

    `text` is exact; its line feeds are kept when it is drawn. `level` is that of headings and list items, `indent` the
    depth at which it is drawn. Tables have `rows` of cells, the first `heads` of them headings, and no text.
    """

    kind: Kind
    text: str
    level: int = 0
    indent: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    heads: int = 0
    new_page: bool = False


_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


def plain_passages(text: str) -> list[Passage]:
    """Paragraphs are divided by blank lines, pages by form feeds. Always at least one passage."""
    pages = text.split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()  # printers' files end every page with a form feed, the last one too
    found: list[Passage] = []
    for number, page in enumerate(pages):
        paragraphs = [part for part in _BLANK_LINES.split(page.strip("\n")) if part.strip()]
        for place, paragraph in enumerate(paragraphs or [""]):
            found.append(Passage(Kind.TEXT, paragraph.rstrip(), new_page=number > 0 and place == 0))
    return found
