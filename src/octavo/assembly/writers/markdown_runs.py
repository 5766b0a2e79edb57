"""Runs of styled text in GitHub's Markdown.

Emphasis is written with asterisks where they are read as such, and with HTML tags where they would stay asterisks: the
rules look at the characters on both sides (GitHub Flavored Markdown 0.29, 6.4). Raised and lowered text has only tags.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import groupby
from urllib.parse import quote

from octavo.assembly.writers.markdown_escape import escaped
from octavo.assembly.writers.runs import Run, plain

_SIGNS = frozenset(
    "\\*_`[]<"
)  # escaped all over in a line with styles: what they pair with cannot be told from the text
_EMPHASIS = {"b": ("**", "strong"), "i": ("*", "em")}
_RAISED = {"s": "sup", "u": "sub"}
_REFERENCE = re.compile(r"&(?=#?\w+;)")


def inline(line: Sequence[Run], places: Callable[[str], set[int]]) -> str:
    """A line of runs in Markdown; `places` finds what must be escaped in its plain text."""
    text = plain(line)
    marks = places(text)
    if all(not run.style and not run.address and not run.latex for run in line):
        return escaped(text, marks)
    marks |= {place for place, character in enumerate(text) if character in _SIGNS}
    written, start = "", 0
    for address, group in groupby(line, key=lambda run: run.address):
        looks = groupby(group, key=lambda run: (run.style, run.latex))
        runs = [Run(plain(list(alike)), style, latex=latex) for (style, latex), alike in looks]
        end = start + len(plain(runs))
        is_link = bool(address and text[start:end].strip())
        inside = _runs(runs, text, start, marks, in_brackets=is_link)
        if is_link and written.endswith("!"):
            written = written[:-1] + "\\!"  # would make a picture of the link
        written += _link(inside, address) if is_link else inside
        start = end
    return written


def _link(text: str, address: str) -> str:
    """A link; white space at its ends stays outside."""
    inner = text.strip()
    head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    target = _REFERENCE.sub("&amp;", quote(address, safe="!#$%&'*+,-./:;=?@_~[]"))
    return f"{head}[{inner}]({target}){tail}"


def _runs(runs: Sequence[Run], text: str, start: int, marks: set[int], *, in_brackets: bool) -> str:
    """Runs that follow each other from `start` of the text on."""
    written = ""
    for place, run in enumerate(runs):
        inner = run.text.strip()
        begin = start + len(run.text) - len(run.text.lstrip())
        end = begin + len(inner)
        if run.latex:
            written += f"{text[start:begin]}${run.latex}${text[end : start + len(run.text)]}"
        elif not inner or not run.style:
            written += escaped(run.text, {mark - start for mark in marks if mark >= start})
        else:
            before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
            is_alone = True
            if place and before == runs[place - 1].text[-1:]:
                is_alone = before.isspace() or not runs[place - 1].style
            elif in_brackets:
                before = "["
            if place + 1 < len(runs) and end == start + len(run.text):
                is_alone = is_alone and not runs[place + 1].style
            elif in_brackets and place + 1 == len(runs):
                after = "]"
            body = _code(inner) if "m" in run.style else escaped(inner, {m - begin for m in marks if m >= begin})
            for style, tag in _RAISED.items():
                body = f"<{tag}>{body}</{tag}>" if style in run.style else body
            body = _emphasised(body, run.style, before, after, is_alone=is_alone)
            written += text[start:begin] + body + text[end : start + len(run.text)]
        start += len(run.text)
    return written


def _emphasised(body: str, style: str, before: str, after: str, *, is_alone: bool) -> str:
    wanted = [_EMPHASIS[letter] for letter in "ib" if letter in style]
    if not wanted:
        return body
    if is_alone and _opens(before, body[0]) and _opens(after, body[-1]):
        signs = "".join(sign for sign, _ in wanted)
        return f"{signs}{body}{signs}"
    for _, tag in wanted:
        body = f"<{tag}>{body}</{tag}>"
    return body


def _opens(outer: str, inner: str) -> bool:
    """Whether asterisks between these characters are read as the beginning, or mirrored as the end, of emphasis."""
    if not outer or outer.isspace():
        return True
    return not _is_punctuation(inner) or (outer not in "*\\" and unicodedata.category(outer).startswith("P"))


def _is_punctuation(character: str) -> bool:
    """By the old rule and the new one, which takes symbols for punctuation too."""
    return unicodedata.category(character)[0] in "PS"


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    room = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{room}{text}{room}{fence}"
