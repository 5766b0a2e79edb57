"""A block's text as runs: parts that are set in one style and lead to one place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from itertools import groupby

from msgspec.structs import replace

from octavo.assembly.writers.characters import clean
from octavo.assembly.writers.characters import lines_of as cleaned
from octavo.document import Block, Kind

Line = list["Run"]

_ADDRESS = re.compile(r"(?:https?://|mailto:|#)[^\s]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """`style` holds letters of STYLES; `link` may be any address, and only those that `address` lets pass are safe. A
    formula has `latex`."""

    text: str
    style: str = ""
    link: str = ""
    latex: str = ""

    @property
    def address(self) -> str:
        """Where the link leads, if it is a page on the web, a mail address or a place in the document; else empty."""
        return self.link if _ADDRESS.fullmatch(self.link) else ""


def plain(line: Sequence[Run]) -> str:
    """The text of a line of runs."""
    return "".join(run.text for run in line)


def lines_of(block: Block) -> list[Line]:
    """The block's text, one paragraph an item, in runs: cleaned, without empty lines and white space around lines.

    A heading that is bold as a whole says so by being one: its runs are not bold. Where the block has no joined text
    its lines are given.
    """
    if not block.text.strip():
        return [[Run(text)] for text in cleaned("\n".join(line.text for line in block.lines))]
    runs = _cut_at_spans(_without_bold(block) if block.kind in (Kind.TITLE, Kind.HEADING) else block)
    lines: list[Line] = [[]]
    for run in runs:
        first, *rest = clean(run.text).split("\n")
        lines[-1].append(replaced(run, text=first, latex="" if rest else run.latex))
        lines += [[replaced(run, text=text, latex="")] for text in rest]
    return [line for line in map(_stripped, lines) if line]


def one_line(block: Block) -> Line:
    """The block's text on one line."""
    whole: Line = []
    for line in lines_of(block):
        whole += [Run(" "), *line] if whole else line
    return whole


def dropped(line: Sequence[Run], letters: int) -> Line:
    """The line without its first letters."""
    rest: Line = []
    for run in line:
        if letters < len(run.text):
            rest.append(replaced(run, text=run.text[letters:]) if letters else run)
        letters = max(0, letters - len(run.text))
    return rest


def _cut_at_spans(block: Block) -> Line:
    text, runs, place = block.text, list[Run](), 0
    for span in block.spans:
        start, end = max(span.start, place), min(span.end, len(text))
        if start >= end:
            continue
        runs += [Run(text[place:start]), Run(text[start:end], span.style, span.link, span.latex)]
        place = end
    return [*runs, Run(text[place:])]


def _without_bold(block: Block) -> Block:
    bold = sum(span.end - span.start for span in block.spans if "b" in span.style)
    if bold < 0.8 * len(block.text):
        return block
    return replace(block, spans=tuple(replace(span, style=span.style.replace("b", "")) for span in block.spans))


def _stripped(line: Line) -> Line:
    """Runs of one style made one, none empty, without white space at the line's ends."""
    filled = (run for run in line if run.text)
    merged = [
        Run("".join(run.text for run in alike), *look)
        for look, alike in groupby(filled, key=lambda run: (run.style, run.link, run.latex))
    ]
    text = plain(merged)
    merged = dropped(merged, len(text) - len(text.lstrip()))
    surplus = len(text) - len(text.rstrip())
    while merged and surplus >= len(merged[-1].text):
        surplus -= len(merged.pop().text)
    if merged and surplus:
        merged[-1] = replaced(merged[-1], text=merged[-1].text[:-surplus])
    return [run for run in merged if run.text]
