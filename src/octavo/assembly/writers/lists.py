"""List items as they are printed: with a bullet, a number, or a mark of their own."""

from __future__ import annotations

import re
from typing import NamedTuple

# A dash or an asterisk is a bullet only where a space follows; the other signs have no other use at this place.
_BULLET = re.compile(r"(?:[•‣⁃◦▪▫●○■□◆◇►▶∙·]|[-–—*+](?=\s|$))\s*")
# Nine digits are what CommonMark allows. "1.5 litres" and "2)x" are not numbered; "01." would lose its zero.
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,8})(?:([.)])(?=\s|$)|[、．])\s*")
# "(a)", "（一）", "b)", "c.", "iv." and "2.1.3" stay in the text, and take the bullet's place.
_OWN_MARK = re.compile(
    r"[(（][^\W_]{1,5}[)）]|(?:[A-Za-z]|[ivx]{2,5}|[IVX]{2,5}|[0-9]+)[.)](?=\s)|(?:[0-9]+\.)+[0-9]+\.?(?=\s)"
)


class Item(NamedTuple):
    """A list item's text without its bullet or number.

    `mark` is "-", a number with its dot or parenthesis, or empty where the text begins with a mark of its own.
    """

    text: str
    mark: str
    number: int | None = None


def parse(text: str) -> Item:
    """Takes the bullet or the number from the text of a list item."""
    if found := _NUMBER.match(text):
        return Item(text[found.end() :], found[1] + (found[2] or "."), int(found[1]))
    if found := _BULLET.match(text):
        return Item(text[found.end() :], "-")
    return Item(text, "" if _OWN_MARK.match(text) else "-")


def depth_of(level: int, open_lists: int) -> int:
    """The depth, from 1, at which an item of `level` stands under `open_lists` open lists; no depth is skipped."""
    return min(max(level, 1), open_lists + 1)
