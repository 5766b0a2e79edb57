"""Footnotes and the marks in the text that they belong to, tied to each other by links of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from octavo.document import Block, Kind, Span

NOTE, MARK = "note:", "mark:"
"""What the links begin with: to the footnote at `note:PAGE-BLOCK`, and back to its mark."""

_SIGN = re.compile(r"\s*([\[(]?\d{1,3}[\])]?|[*†‡§¶]{1,3}|[¹²³⁴-⁹⁰]{1,3})")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def tied(blocks: Sequence[Block], page: int) -> list[Block]:
    """A page's blocks, with links where a footnote with a `target` has its sign, and in that block at the mark."""
    tied = list(blocks)
    for index, note in enumerate(blocks):
        if note.kind is not Kind.FOOTNOTE or note.target is None or not 0 <= note.target < len(blocks):
            continue
        found = _SIGN.match(note.text)
        if found is None or note.target == index:
            continue
        mark = _mark_of(tied[note.target], found[1].strip("[]()").translate(_SUPERSCRIPTS))
        if mark is not None:
            tied[note.target] = _linked(tied[note.target], *mark, f"{NOTE}{page}-{index}")
            tied[index] = _linked(tied[index], *found.span(1), f"{MARK}{page}-{index}")
    return tied


def _mark_of(block: Block, sign: str) -> tuple[int, int] | None:
    """Where a block's text has the mark of a note: raised, at the end of a word, or between brackets."""
    for span in block.spans:
        if "s" in span.style and block.text[span.start : span.end].strip("()[],. ") == sign and not span.link:
            return span.start, span.end
    plain = block.text.translate(_SUPERSCRIPTS)
    if not sign.isdigit():
        place = plain.find(sign)
        return (place, place + len(sign)) if place >= 0 else None
    for pattern in (rf"\[{sign}\]", rf"(?<=[^\W\d_]){sign}(?!\d)", rf"(?<=[^\W\d_][.,;:!?)”\"'’»]){sign}(?!\d)"):
        if found := re.search(pattern, plain):
            return found.span()
    return None


def _linked(block: Block, start: int, end: int, link: str) -> Block:
    """The block with a link over a part of its text; what other spans say of that part stays."""
    spans: list[Span] = []
    style = ""
    for span in block.spans:
        if span.end <= start or span.start >= end:
            spans.append(span)
            continue
        if span.start <= start and span.end >= end:
            style = span.style
        spans += [replace(span, end=start), replace(span, start=end)]
    spans = [span for span in spans if span.end > span.start]
    spans.append(Span(start, end, style, link))
    return replace(block, spans=tuple(sorted(spans, key=lambda span: span.start)))
