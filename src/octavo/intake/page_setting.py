"""Passages set on pages. A page depends only on the place where it begins, so any page can be set by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from octavo.document import Box, Kind
from octavo.intake.line_setting import Look, is_rtl, lines_of, width
from octavo.intake.passages import Passage

WIDTH, HEIGHT = 1240, 1754  # A4 at 150 dpi, px
_MARGIN = 118  # 2 cm
_BOTTOM = HEIGHT - _MARGIN
_INDENT = 40
_PADDING = 8  # between a cell's border and its text
_PROBED_ROWS = 100  # of a table, to find the widths of its columns

_BODY = Look("regular", 23, 34)  # 11 pt
_LOOKS = {
    Kind.TITLE: Look("bold", 44, 60),
    Kind.CODE: Look("mono", 20, 28),
    Kind.TABLE: Look("regular", 21, 30),
}
_HEADINGS = (Look("bold", 38, 52), Look("bold", 32, 46), Look("bold", 27, 40), Look("bold", 23, 36))
_GAP = 20  # above a passage
_ITEM_GAP = 8  # between list items
_HEADING_GAP = 36


class Place(NamedTuple):
    """Where a page begins: a character of a passage, or a line of the cells in a table's row."""

    passage: int
    row: int
    offset: int


@dataclass(frozen=True)
class SetLine:
    """`text[start:end]` in a line of `room` px whose top left corner is at x, y."""

    passage: int
    text: str
    start: int
    end: int
    x: float
    y: float
    room: float
    look: Look
    rtl: bool


@dataclass(frozen=True)
class SetCell:
    """A table cell or the part of it that stands on this page; `lines` are those of the page it owns."""

    passage: int
    row: int
    column: int
    box: Box
    lines: tuple[SetLine, ...]
    header: bool


@dataclass
class SetPage:
    """What stands on a page, and where the next one begins; None after the last."""

    lines: list[SetLine] = field(default_factory=list)
    cells: list[SetCell] = field(default_factory=list)
    following: Place | None = None

    @property
    def empty(self) -> bool:
        return not self.lines and not self.cells


def set_page(passages: Sequence[Passage], start: Place) -> SetPage:
    """The page that begins at `start`. At least one line is set, however large it is."""
    page = SetPage()
    y, place = float(_MARGIN), start
    while place.passage < len(passages):
        passage = passages[place.passage]
        if place.passage != start.passage:
            if passage.new_page:
                break
            y += _gap(passages[place.passage - 1], passage)
            if passage.kind in (Kind.HEADING, Kind.TITLE) and y + _look(passage).leading + 2 * _BODY.leading > _BOTTOM:
                break  # a heading does not stay behind alone
        y, rest = (_set_table if passage.rows else _set_text)(page, passage, place, y)
        if rest is not None:
            place = rest
            break
        place = Place(place.passage + 1, 0, 0)
    page.following = place if place.passage < len(passages) else None
    return page


def _look(passage: Passage) -> Look:
    if passage.kind is Kind.HEADING:
        return _HEADINGS[min(passage.level, len(_HEADINGS)) - 1]
    return _LOOKS.get(passage.kind, _BODY)


def _gap(before: Passage, passage: Passage) -> int:
    if passage.kind is Kind.HEADING:
        return _HEADING_GAP
    return _ITEM_GAP if before.kind is passage.kind is Kind.LIST_ITEM else _GAP


def _set_text(page: SetPage, passage: Passage, place: Place, y: float) -> tuple[float, Place | None]:
    """Sets lines until the passage or the page ends. Returns the new y and where to go on, if there is more."""
    look, rtl = _look(passage), is_rtl(passage.text)
    room = WIDTH - 2 * _MARGIN - min(passage.indent, 8) * _INDENT
    x = _MARGIN if rtl else WIDTH - _MARGIN - room
    for start, end, _ in lines_of(passage.text, place.offset, room, look):
        if y + look.leading > _BOTTOM and not page.empty:
            return y, Place(place.passage, 0, start)
        page.lines.append(SetLine(place.passage, passage.text, start, end, x, y, room, look, rtl))
        y += look.leading
    return y, None


def _set_table(page: SetPage, passage: Passage, place: Place, y: float) -> tuple[float, Place | None]:
    """The same for rows. A row moves to the next page whole, unless it is higher than a page."""
    look = _look(passage)
    rooms = _columns(passage, look)
    for row in range(place.row, len(passage.rows)):
        texts = passage.rows[row]
        cells = [list(lines_of(text, 0, room, look)) for text, room in zip(texts, rooms, strict=False)]
        skipped = place.offset if row == place.row else 0
        high = max([1, *map(len, cells)])
        fitting = int((_BOTTOM - y - 2 * _PADDING) // look.leading)
        if fitting < high - skipped and not page.empty:
            return y, Place(place.passage, row, skipped)
        shown = min(high - skipped, max(fitting, 1))
        bottom = y + shown * look.leading + 2 * _PADDING
        x = float(_MARGIN)
        for column, (text, cell, room) in enumerate(zip(texts, cells, rooms, strict=False)):
            lines = tuple(
                SetLine(place.passage, text, start, end, x + _PADDING, y + _PADDING + down, room, look, is_rtl(text))
                for down, (start, end, _) in zip(count(0, look.leading), cell[skipped : skipped + shown], strict=False)
            )
            right = x + room + 2 * _PADDING
            page.lines.extend(lines)
            page.cells.append(SetCell(place.passage, row, column, (x, y, right, bottom), lines, row < passage.heads))
            x = right
        y = bottom
        if skipped + shown < high:
            return y, Place(place.passage, row, skipped + shown)
    return y, None


def _columns(passage: Passage, look: Look) -> list[float]:
    """The width of each column's text: what it needs, or a share of the page where that is too much."""
    number = max(len(row) for row in passage.rows)
    room = WIDTH - 2 * _MARGIN - 2 * _PADDING * number
    needs = [1.0] * number
    for row in passage.rows[:_PROBED_ROWS]:
        for column, text in enumerate(row):
            longest = max((width(line[:200], look) for line in text.split("\n")), default=0.0)
            needs[column] = max(needs[column], longest + 1)
    if sum(needs) <= room:
        return needs
    least = max(room / number / 2, 10.0)
    spare = max(room - least * number, 0.0)
    wants = [max(need - least, 0.0) for need in needs]
    return [least + spare * want / max(sum(wants), 1.0) for want in wants]
