"""Escaping of text in GitHub's Markdown: enough that it is read as text, and no more.

Section numbers are those of the GitHub Flavored Markdown specification 0.29.
"""

from __future__ import annotations

import re

_RUNS = {mark: re.compile(re.escape(mark) + "+") for mark in "*_~$`"}
_ALWAYS = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~]|$)               # would escape what follows, or break the line (6.1)
    | <(?=[A-Za-z/!?])                      # tag, comment or link (6.9, 6.10)
    | &(?=(?:\#?[0-9A-Za-z]+);)             # character reference (6.2)
    """,
    re.VERBOSE | re.MULTILINE,
)
_LINE_START = re.compile(
    r"""
      \#{1,6}(?=\s|$)                       # heading (4.2)
    | [-+*](?=\s|$)                         # list item (5.2)
    | ([-_*])(?:[ ]*\1){2,}[ ]*$            # thematic break (4.1)
    | `{3} | ~{3}                           # code fence (4.5)
    | >                                     # quotation (5.1)
    | \[[^\]]*\]:                           # definition of a link or a footnote (4.7)
    """,
    re.VERBOSE | re.MULTILINE,
)
_NUMBER_START = re.compile(r"[0-9]{1,9}(?=[.)](?:\s|$))", re.MULTILINE)
# Underlines that turn the line above into a heading (4.3) or a table (4.10).
_UNDERLINE = re.compile(r"(?:=+[ ]*|[-:|][-:| ]*)$", re.MULTILINE)
_CLOSING = re.compile(r"(?:(?<=\s)|^)#+$")


def paragraph(text: str) -> str:
    """`text` as the content of a paragraph or a list item. It may hold single line feeds, which stay."""
    return escaped(text, paragraph_places(text))


def heading(text: str) -> str:
    """`text`, on one line, as the content of a heading."""
    return escaped(text, heading_places(text))


def cell(text: str) -> str:
    """`text`, on one line, as the content of a table cell."""
    return escaped(text, _inline(text) | {place for place, character in enumerate(text) if character == "|"})


def paragraph_places(text: str) -> set[int]:
    """The places of `text` that need a backslash in a paragraph."""
    marks = _inline(text)
    start = 0
    for line in text.split("\n"):
        if _LINE_START.match(text, start) or (start and _UNDERLINE.match(text, start)):
            # All of a run, for what is left of it would have something before it that it could close.
            run = _RUNS[text[start]].match(text, start) if text[start] in _RUNS else None
            marks.update(range(start, run.end() if run else start + 1))
        elif number := _NUMBER_START.match(text, start):
            marks.add(number.end())
        start += len(line) + 1
    return marks


def heading_places(text: str) -> set[int]:
    """The places of `text` that need a backslash in a heading."""
    closing = _CLOSING.search(text)  # would be dropped as the heading's closing sequence (4.2)
    return _inline(text) | ({closing.start()} if closing else set())


def escaped(text: str, marks: set[int]) -> str:
    """`text` with a backslash before each of the places."""
    return "".join(f"\\{character}" if place in marks else character for place, character in enumerate(text))


def _inline(text: str) -> set[int]:
    """The places of characters that would mean something else than themselves anywhere in a line."""
    marks = {found.start() for found in _ALWAYS.finditer(text)}
    for mark in _RUNS:
        if mark in text:
            marks |= _paired(text, mark)
    if "](" in text:
        marks |= {place for place, character in enumerate(text) if character == "["}
    return marks


def _paired(text: str, mark: str) -> set[int]:
    """The places of `mark` where one run of it may open something and a later one close it.

    A run opens where no white space follows and closes where none precedes (6.4). The specification asks for more, so a
    few harmless ones are escaped too. Single signs, as in "5 * 3" or "*see below", stay as they are.
    """
    opening: list[re.Match[str]] = []
    closing: list[re.Match[str]] = []
    for run in _RUNS[mark].finditer(text):
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        always = mark == "`" or run[0] == "$$"
        if mark == "_" and before.isalnum() and after.isalnum():
            continue
        if always or after.strip():
            opening.append(run)
        if always or (before.strip() and not (mark == "$" and after.isdecimal())):
            closing.append(run)
    if not opening or not closing or opening[0].start() >= closing[-1].start():
        return set()
    return {place for run in (*opening, *closing) for place in range(*run.span())}
