"""Levels of list items that hold over page breaks: an engine counts them on each page anew."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.assembly.pieces import Piece

_MARK = re.compile(
    r"(?P<bullet>[•‣⁃◦▪▫●○■□◆◇►▶➢✓❖∙·]|[-–—*+](?=\s))"
    r"|[(（]?(?:(?P<number>\d{1,4})|(?P<letter>[a-zA-Z])|(?P<roman>[ivxIVX]{2,6})|(?P<han>[一二三四五六七八九十]{1,3}))[.)）、．]"
)
_NUMERALS = {"i": 1, "v": 5, "x": 10}
_HAN = {sign: number for number, sign in enumerate("一二三四五六七八九十", 1)}
_SAME = 1.0  # line heights within which two indents are the same
_DEEPER = 0.8  # line heights by which an item of a list inside stands in


@dataclass(frozen=True, slots=True)
class _Open:
    """The last item of a level: how its mark looks, what it counts, and its indent in line heights."""

    level: int
    form: str
    number: int | None
    indent: float | None
    page: int


class ListLevels:
    """Takes the list items of a document in reading order."""

    def __init__(self) -> None:
        self._open: list[_Open] = []  # outermost first
        self._page = 0
        self._shift = 0
        self._edge: float | None = None

    def begin_page(self, page: int, edge: float | None) -> None:
        """A page's text begins, `edge` being its left side; a list that is open may go on."""
        self._page, self._edge, self._shift = page, edge, 0

    def end_list(self) -> None:
        """Something that is no part of a list follows."""
        self._open.clear()
        self._shift = 0

    def item(self, piece: Piece, *, first: bool) -> tuple[int, bool]:
        """The level of an item, and whether it goes on a list of the page before.

        `first` tells that it is the first running text of its page, save for the end of an item from the page before.
        """
        raw = max(1, piece.block.level)
        form, number = _mark(piece.block.text)
        indent = self._indent(piece)
        goes_on = False
        if first and self._open:
            level = self._found(form, number, indent)
            if level is None:
                self.end_list()
            else:
                self._shift, goes_on = level - raw, True
        level = max(1, raw + self._shift)
        if self._shift:
            level = self._not_deeper(level, indent)
            self._shift = level - raw
        self._open = [other for other in self._open if other.level < level]
        self._open.append(_Open(level, form, number, indent, self._page))
        return level, goes_on

    def _not_deeper(self, level: int, indent: float | None) -> int:
        """The level, or one further out for an item that stands further out than those: alone on its page, the engine
        could not know of the list around it."""
        for other in reversed(self._open):
            if other.level > level or other.page != self._page or indent is None or other.indent is None:
                continue
            if indent >= other.indent - _DEEPER:
                break
            level = max(1, min(level, other.level - 1))
        return level

    def _indent(self, piece: Piece) -> float | None:
        if piece.shape is None or self._edge is None:
            return None
        return (piece.shape.lines[0][0] - self._edge) / max(1e-9, piece.shape.size)

    def _found(self, form: str, number: int | None, indent: float | None) -> int | None:
        """The level at which an item with this mark goes on what is open; None where it begins another list."""
        for other in reversed(self._open):
            if form == other.form and (number is None) == (other.number is None):
                if number is not None and other.number is not None:
                    if number == other.number + 1:
                        return other.level
                elif indent is None or other.indent is None or abs(indent - other.indent) <= _SAME:
                    return other.level
        last = self._open[-1]
        is_inside = indent is not None and last.indent is not None and indent > last.indent + _DEEPER
        return last.level + 1 if is_inside and number in (None, 1) else None


def _mark(text: str) -> tuple[str, int | None]:
    """How the mark of an item looks, and what it counts."""
    found = _MARK.match(text.lstrip())
    if found is None:
        return "", None
    name = found.lastgroup or ""
    sign = found[name]
    if name == "bullet":
        return sign, None
    form = found[0].replace(sign, name)
    match name:
        case "number":
            return form, int(sign)
        case "letter":
            return form + ("A" if sign.isupper() else "a"), ord(sign.lower()) - 96
        case "roman":
            values = [_NUMERALS[letter] for letter in sign.lower()]
            return form, sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
        case _:
            return form, sum(_HAN[letter] for letter in sign)
