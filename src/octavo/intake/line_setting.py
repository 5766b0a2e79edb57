"""Lines of text: where they break, how wide they are, and in which order their words stand."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from octavo.intake import fonts
from octavo.intake.fonts import Style, Typeface

_EASTERN = (
    r"\u2e80-\u2fff\u3000-\u31bf\u31f0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_OPENING = "（［｛「『【〈《〔"
_CLOSING = "）］｝」』】〉》〕、。，．・：；？！ー々…％"
# What is not torn apart at a line's end: white space, one East Asian character with the marks that cling to it, a word.
# Longer words than any line holds come in parts, so that a file without spaces is not measured as one word.
_UNIT = re.compile(
    rf"[^\S\n]+|[{_OPENING}]*[{_EASTERN}](?<![{_OPENING}])[{_CLOSING}]*|[^\s{_EASTERN}]{{1,200}}[{_CLOSING}]*|[^\s]"
)
_TAB = "    "
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), 127)) | {9: _TAB}


@dataclass(frozen=True)
class Look:
    """A style of font, its size and the distance of lines, in px."""

    style: Style
    size: int
    leading: int


class SetWord(NamedTuple):
    text: str
    x: float  # from the line's left end, px
    width: float


@lru_cache(maxsize=65_536)
def pieces(text: str, style: Style) -> tuple[tuple[Typeface | None, str], ...]:
    """A word as it is drawn, font by font: tabs as spaces, control codes left out."""
    return tuple(fonts.runs(text.translate(_CONTROLS), style))


@lru_cache(maxsize=131_072)
def width(text: str, look: Look) -> float:
    """How far a word or white space reaches, in px."""
    return sum(fonts.font(face, look.size).getlength(part) for face, part in pieces(text, look.style))


def line_end(text: str, start: int, room: float, look: Look) -> tuple[int, int]:
    """Where the line that begins at `start` ends, and where the next one begins; at least one character is taken.

    The white space at which a line is broken belongs to neither.
    """
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    x, end = 0.0, start
    for unit in _UNIT.finditer(text, start, stop):
        x += _advance(unit, start, room, look)
        if unit[0].isspace():
            continue
        if x > room:
            if end > start:
                return end, unit.start()
            left = room - x + width(unit[0], look)
            end = following = unit.start() + _fitting(unit[0], left, look)
            while following < stop and text[following].isspace():
                following += 1
            return end, following if following < stop else min(stop + 1, len(text))
        end = unit.end()
    return end, min(stop + 1, len(text))


def set_words(text: str, start: int, end: int, room: float, look: Look, rtl: bool) -> list[SetWord]:
    """The words of the line `text[start:end]` with their places in a line of `room` px, in logical order."""
    words: list[str] = []
    widths: list[float] = []
    gaps: list[float] = []
    gap, joined = 0.0, False
    for unit in _UNIT.finditer(text, start, end):
        advance = _advance(unit, start, room, look)
        if unit[0].isspace():
            gap, joined = gap + advance, False
        elif joined:
            words[-1] += unit[0]
            widths[-1] += advance
        else:
            words.append(unit[0])
            widths.append(advance)
            gaps.append(gap)
            gap, joined = 0.0, True
    order = visual_order([_direction(word) for word in words], rtl)
    x = room - sum(widths) - sum(gaps) if rtl else 0.0
    places = [0.0] * len(words)
    for index in order:
        x += 0 if rtl else gaps[index]
        places[index] = x
        x += widths[index] + (gaps[index] if rtl else 0)
    return [SetWord(*word) for word in zip(words, places, widths, strict=True)]


def visual_order(directions: list[str], rtl: bool) -> list[int]:
    """Indexes of words from left to right. `directions` are "L", "R" or "N" (digits and signs), in logical order.

    The bidirectional algorithm (UAX 9) with words in place of characters; within a word the font library does it.
    """
    base = "R" if rtl else "L"
    strong = [place for place, direction in enumerate(directions) if direction != "N"]
    solved = list(directions)
    for place, direction in enumerate(directions):
        if direction == "N":
            after = bisect_right(strong, place)
            before = directions[strong[after - 1]] if after else base
            behind = directions[strong[after]] if after < len(strong) else base
            solved[place] = before if before == behind else base
    order = list(range(len(solved)))
    if rtl:
        order.reverse()
    turned = "L" if rtl else "R"
    place = 0
    while place < len(order):
        last = place
        while last < len(order) and solved[order[last]] == turned:
            last += 1
        order[place:last] = order[place:last][::-1]
        place = last + 1
    return order


def is_rtl(text: str) -> bool:
    """Whether the first letter with a direction is written from right to left."""
    return _direction(text) == "R"


@lru_cache(maxsize=65_536)
def _direction(text: str) -> str:
    if text.isascii():
        return "L" if any(char.isalpha() for char in text) else "N"
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return "L" if kind == "L" else "R"
    return "N"


def _advance(unit: re.Match[str], start: int, room: float, look: Look) -> float:
    reach = width(unit[0], look)
    # However deep a line is indented, half of it stays for its text.
    return min(reach, room / 2) if unit.start() == start and unit[0].isspace() else reach


def _fitting(word: str, room: float, look: Look) -> int:
    """How many characters of a word fit, at least one, not parting a letter from the marks on it."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width(word[:middle], look) <= room else (low, middle - 1)
    cut = low
    while cut > 1 and cut < len(word) and _clings(word[cut]):
        cut -= 1
    return cut if cut > 1 or not _clings(word[cut : cut + 1]) else low


def _clings(char: str) -> bool:
    return char != "" and (unicodedata.category(char).startswith("M") or char == "\u200d")


def lines_of(text: str, start: int, room: float, look: Look) -> Iterator[tuple[int, int, int]]:
    """Beginning, end and the following beginning of each line of `text` from `start` on."""
    while start < len(text):
        end, following = line_end(text, start, room, look)
        yield start, end, following
        start = following
