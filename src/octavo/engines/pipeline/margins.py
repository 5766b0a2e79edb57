"""Running headers and footers of one page, where nothing is known of the others: told by where and how they stand.

A line at the very top or bottom, apart from the rest and in no larger type, is one only if something else says so as
well: a ruling between it and the text, a page number at one of its ends, pieces far apart, smaller type, a place where
text never stands, or words that nothing but a header has. Titles, addresses and signatures stand at the margin too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from octavo.document import Box
from octavo.engines.pipeline.lattice import levels_of
from octavo.engines.pipeline.lines import TextLine

_DEPTH = 0.12  # of the page's height, in which a header or footer lies
_OUTERMOST = 0.075  # where nothing but headers and footers stands as a rule
_LEVELS = 3  # rows of it, at most
_APART = 0.6  # of its height, by which its gap to the text is wider than those in the text
_LARGER = 1.05  # of the text's size
_SMALLER = 0.93
_SPREAD = 3.0  # heights between two pieces of it
_RULED = (
    0.6  # share of its text's width that a ruling below a header runs along, at least; that of footnotes is shorter
)
_FEWEST = 6  # rows of text that a page with a header has
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:\d{1,4}|[ivxlcdm]{1,7})(?:\s*(?:/|of|von|de|sur|из)\s*\d{1,4})?[-–—\s]*", re.IGNORECASE
)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶]{1,3}|[¹²³⁰⁴-⁹])[.)\]]?\s*[^\W\d]")
_TELLING = re.compile(
    r"https?://|www\.|\bdoi\b|\bISSN\b|©|\(c\)\s|downloaded from|published by|all rights reserved|\bvol(?:ume|\.)\s*\d|"
    r"\brevision\b|\bpage \d|\bseite \d|第\s*\d+\s*页|et al\.:",
    re.IGNORECASE,
)


def margins(
    lines: Sequence[TextLine], rulings: Sequence[Box], page_height: float
) -> tuple[list[TextLine], list[TextLine]]:
    """The lines of the page's header and those of its footer; empty where there is none to be sure of."""
    levels = levels_of(lines)
    if len(levels) < _FEWEST:
        return [], []
    page = _Page(
        median(line.height for line in lines),
        median(_between(one, two) for one, two in pairwise(levels)),
        max(line.box[2] for line in lines) - min(line.box[0] for line in lines),
        [box for box in rulings if box[2] - box[0] > 4 * (box[3] - box[1])],
        (_OUTERMOST * page_height, (1 - _OUTERMOST) * page_height),
    )
    deep = _DEPTH * page_height
    header = _outer([level for level in levels[: _LEVELS + 1] if _edges(level)[1] < deep], levels, page, foot=False)
    below = [level for level in levels[-_LEVELS - 1 :] if _edges(level)[0] > page_height - deep]
    footer = _outer(below[::-1], levels[::-1], page, foot=True)
    return header, footer


@dataclass(frozen=True)
class _Page:
    """The height of its lines, the usual gap between them, the width of its text, its level rulings, and the places
    above and below which its outermost parts begin."""

    height: float
    gap: float
    width: float
    rulings: Sequence[Box]
    outermost: tuple[float, float]


def _edges(level: Sequence[TextLine]) -> tuple[float, float]:
    return min(line.box[1] for line in level), max(line.box[3] for line in level)


def _between(one: Sequence[TextLine], two: Sequence[TextLine]) -> float:
    """The gap between two levels, whichever stands above."""
    (a, b), (c, d) = _edges(one), _edges(two)
    return max(c - b, a - d)


def _outer(
    near: Sequence[list[TextLine]], levels: Sequence[list[TextLine]], page: _Page, *, foot: bool
) -> list[TextLine]:
    """The lines of a header or footer; `levels` begin at the edge of the page, and `near` are those of them near it."""
    found: list[TextLine] = []
    group: list[list[TextLine]] = []
    for place, level in enumerate(near[:_LEVELS]):
        group.append(level)
        inner = levels[place + 1]
        ruled = _ruled(level, inner, page)
        if not ruled and _between(level, inner) < max(0.0, page.gap) + _APART * page.height:
            continue
        if not _is_running(group, page, ruled=ruled, foot=foot):
            break
        found += [line for part in group for line in part]
        group = []
    return found


def _ruled(outer: Sequence[TextLine], inner: Sequence[TextLine], page: _Page) -> bool:
    """Whether a long ruling stands between two levels."""
    (a, b), (c, d) = _edges(outer), _edges(inner)
    top, bottom = (b, c) if b <= c else (d, a)
    slack = 0.3 * page.height
    return any(
        top - slack <= (y0 + y1) / 2 <= bottom + slack and x1 - x0 >= _RULED * page.width
        for x0, y0, x1, y1 in page.rulings
    )


def _is_running(group: Sequence[list[TextLine]], page: _Page, *, ruled: bool, foot: bool) -> bool:
    """Whether something says that levels at the edge of the page are its header or footer."""
    tall = max(line.height for level in group for line in level)
    if tall > _LARGER * page.height:
        return False
    ordered = [sorted(level, key=lambda line: line.box[0]) for level in group]
    text = " ".join(line.text for level in ordered for line in level)
    spread = any(two.box[0] - one.box[2] > _SPREAD * page.height for level in ordered for one, two in pairwise(level))
    if any(_has_number(level) for level in ordered) or _TELLING.search(text):
        return True
    if foot and _NOTE.match(text):
        return False
    outside = (
        all(_edges(level)[0] > page.outermost[1] for level in group)
        if foot
        else all(_edges(level)[1] < page.outermost[0] for level in group)
    )
    return ruled or spread or outside or (not foot and tall <= _SMALLER * page.height)


def _has_number(level: Sequence[TextLine]) -> bool:
    """Whether a page number stands at one end of a level: by itself, after text, or before capitals."""
    first, last = level[0].text, level[-1].text
    if _PAGE_NUMBER.fullmatch(first) or _PAGE_NUMBER.fullmatch(last):
        return True
    start, _, rest = first.partition(" ")
    return bool(start.isdecimal() and 1 < len(start) < 5 and rest.isupper())
