"""What a document calls its pages, read off the numbers that are printed on them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_DIGITS = r"\d{1,6}"
_ROMAN = r"(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
# A lone number may have a chapter before it ("A-3", "2.17"), the count of all pages after it ("12 / 96"), and dashes or
# brackets around it.
_LONE = re.compile(
    rf"[-–—−\s\[\](){{}}.·•|~]*((?P<chapter>(?:[A-Za-z]|\d{{1,3}})[-–—.])?(?P<number>{_DIGITS}|{_ROMAN}))(?:\s*/\s*\d{{1,5}})?[-–—−\s\[\](){{}}.·•|~]*",
    re.IGNORECASE,
)
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@dataclass(frozen=True, slots=True)
class Label:
    """A number that may be a page's: as printed, the manner of counting, and the count."""

    text: str
    manner: str  # "arabic", "roman" or "ROMAN", after the chapter if there is one
    count: int

    def goes_with(self, other: Label, step: int) -> bool:
        """Whether the page `step` pages before may bear the other one."""
        return self.manner == other.manner and self.count - other.count == step


def label_of(text: str) -> Label | None:
    """The label that a line of nothing but a page number gives; None for any other line."""
    plain = unicodedata.normalize("NFKC", text).strip()
    found = _LONE.fullmatch(plain)
    if found is None or not found["number"]:
        return None
    number, chapter = found["number"], found["chapter"] or ""
    if number[0].isdecimal():
        return Label(chapter + str(int(number)), f"{chapter}arabic", int(number))
    if number not in (number.lower(), number.upper()) or chapter:
        return None
    return Label(number, "roman" if number.islower() else "ROMAN", roman_value(number.lower()))


def roman_value(numeral: str) -> int:
    """Of a Roman numeral in small letters."""
    values = [_LETTERS[letter] for letter in numeral]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def confirmed(labels: Sequence[Label], page: int, near: Iterable[tuple[int, Sequence[Label]]]) -> str:
    """The first of a page's labels that counts on from, or to, a page near by; empty where none does.

    `near` are pairs of page number and labels.
    """
    around = list(near)
    for label in labels:
        if any(label.goes_with(other, page - number) for number, others in around for other in others):
            return label.text
    return ""
