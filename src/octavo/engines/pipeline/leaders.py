"""Tables of contents of digital pages: the page number at the end of a row of dots is a part of its line.

The text layer's lines are cut where a gap is as wide as one between columns, and what stands behind a row of dots often
has that gap before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from octavo.engines.pipeline.lines import TextLine, bounds

LEADERS = re.compile(r"(?:[.·‥…]\s?){4,}|…{2,}")  # rows of dots that lead on to a page number
_END = 8  # characters at the end of a line, which show that it leads on
_DOTS = frozenset(".·‥…")
_NUMBER = re.compile(r"(?:[A-Z]?\d{1,4}(?:[-.]\d{1,4})?|[ivxlcdm]{1,7})", re.IGNORECASE)
_LEVEL = 0.4  # of a line's height, between the middles of what stands in one row
_REACH = 6.0  # heights of a line from the last dot to the number
_ALIGNED = 0.7  # heights of a line between the right edges of numbers below each other
_FEWEST = 2  # numbers behind dots that make a column of page numbers


def joined(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines, with the page numbers of a table of contents at the ends of theirs: those behind dots, and those of
    entries without dots that stand below them. The order is that of `lines`, less the numbers."""
    numbers = [line for line in lines if _NUMBER.fullmatch(line.text)]
    if len(numbers) < _FEWEST:
        return list(lines)
    leading = [line for line in lines if line.text[-1:] in _DOTS and LEADERS.fullmatch(line.text[-_END:].strip())]
    if len(leading) < _FEWEST:
        return list(lines)
    edges = [number.box[2] for number in numbers if any(_behind(number, line, _REACH) for line in leading)]
    if len(edges) < _FEWEST:
        return list(lines)
    ends: dict[int, TextLine] = {}
    gone: set[int] = set()
    for number in numbers:
        if sum(abs(edge - number.box[2]) < _ALIGNED * number.height for edge in edges) < _FEWEST:
            continue
        row = [line for line in lines if line is not number and _behind(number, line, float("inf"))]
        entry = max(row, key=lambda line: line.box[2], default=None)
        if entry is not None and id(entry) not in ends and not _NUMBER.fullmatch(entry.text):
            ends[id(entry)] = number
            gone.add(id(number))
    return [_with(line, ends.get(id(line))) for line in lines if id(line) not in gone]


def _behind(number: TextLine, line: TextLine, reach: float) -> bool:
    """Whether the number stands to the right of the line, in its row and not farther than `reach`."""
    gap = number.box[0] - line.box[2]
    return abs(number.middle - line.middle) < _LEVEL * line.height and -0.5 * line.height < gap < reach * line.height


def _with(line: TextLine, number: TextLine | None) -> TextLine:
    if number is None:
        return line
    text, words = f"{line.text} {number.text}", line.words + number.words
    return replace(line, text=text, words=words, box=bounds([line.box, number.box]))
