"""List items, told by their marks: bullets, numbers that count on, letters, and how far they are indented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from octavo.document import Kind
from octavo.engines.pipeline.drafts import Draft, merged
from octavo.engines.pipeline.lines import TextLine, bounds

# Signs that are nothing but bullets at the start of a line, and those that are bullets where several lines have them.
_BULLET = re.compile(r"[•‣⁃◦▪▫●○■□◆◇►▶➢✓❖·∙](?:\s|(?=\w))")
_DASH = re.compile(r"[-–—*+](?=\s)")
_CIRCLED = re.compile(r"[①-⑳⑴-⒇]")
_NUMBERED = re.compile(
    r"(?:\((\d{1,3})\)|(\d{1,3})[.)](?=\s|[^\W\d])|(\d{1,3})[、．]|[(（]([一二三四五六七八九十]{1,3})[)）])"
)
_LETTERED = re.compile(r"(?:\(([a-z]|[ivx]{1,5})\)|([a-z]|[ivx]{1,5})[.)](?=\s))")
_ALONE = re.compile(r"[•‣⁃◦▪▫●○■□◆◇►▶➢✓❖·∙*–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]")
_HAN = {character: number for number, character in enumerate("一二三四五六七八九十", 1)}
_STEP = 0.8  # of a line's height: indented that much further, an item is one level deeper
_TAB = 4  # of a line's height: how far behind its mark an item's text may begin
_APART = 1.2  # of a line's height: no item goes on so far below
_REACH = 3  # blocks between two items that count on from each other


@dataclass(frozen=True)
class _Mark:
    """The mark at the start of a line: its form, and its number where it counts. An "i" may be the ninth or first."""

    form: str
    numbers: tuple[int, ...] = ()
    sure: bool = False  # nothing else stands at the start of a line


def marked(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with every list item as one of its own, with its level. The order of the lines stays."""
    drafts = [_with_whole_lines(draft) if draft.kind is Kind.TEXT else draft for draft in drafts]
    marks = [[_mark(line.text) for line in draft.lines] if draft.kind is Kind.TEXT else [] for draft in drafts]
    items = _items(drafts, marks)
    parted: list[Draft] = []
    for index, draft in enumerate(drafts):
        starts = [place for place in range(len(draft.lines)) if (index, place) in items]
        parted += _parts(draft, starts) if starts else [draft]
    return _with_levels(merged(parted, _hangs))


def _hangs(item: Draft, text: Draft) -> bool:
    """Whether text goes on right below an item, as far in as the item's own text."""
    if item.kind is not Kind.LIST_ITEM or text.kind is not Kind.TEXT:
        return False
    first, last, line = item.lines[0], item.lines[-1], text.lines[0]
    indent = line.box[0] - first.box[0]
    close = -0.5 * line.height < line.box[1] - last.box[3] < 0.8 * line.height
    same = len(item.lines) == 1 or abs(line.box[0] - last.box[0]) < 0.5 * line.height
    unfinished = item.box[2] - last.box[2] < 2 * line.height or not last.text.rstrip().endswith((".", "。"))
    return close and same and unfinished and 0.5 * line.height < indent < 4 * line.height


def _with_whole_lines(draft: Draft) -> Draft:
    """The draft with marks that are set apart from their text, as by a tab, made one line with it."""
    lines: list[TextLine] = []
    for line in draft.lines:
        before = lines[-1] if lines else None
        if before is not None and _ALONE.fullmatch(before.text) and _follows(before, line):
            box, words = bounds((before.box, line.box)), before.words + line.words
            lines[-1] = replace(line, text=f"{before.text} {line.text}", box=box, words=words)
        else:
            lines.append(line)
    return replace(draft, lines=tuple(lines)) if len(lines) < len(draft.lines) else draft


def _follows(mark: TextLine, line: TextLine) -> bool:
    level = abs(mark.middle - line.middle) < 0.5 * max(mark.height, line.height)
    return level and 0 <= line.box[0] - mark.box[2] < _TAB * line.height


def _mark(text: str) -> _Mark | None:
    if _BULLET.match(text) or _CIRCLED.match(text):
        return _Mark("bullet", sure=True)
    if _DASH.match(text):
        return _Mark(f"dash {text[0]}")
    if found := _NUMBERED.match(text):
        number = next(group for group in found.groups() if group)
        value = int(number) if number.isdigit() else sum(map(_HAN.__getitem__, number))
        return _Mark(f"number {found[0].replace(number, '0')}", (value,))
    if found := _LETTERED.match(text):
        letter = next(group for group in found.groups() if group)
        return _Mark(f"letter {found[0].replace(letter, 'a')}", _letter_values(letter))
    return None


def _letter_values(letters: str) -> tuple[int, ...]:
    """What one letter, or a Roman numeral, may count."""
    alphabetic = (ord(letters) - 96,) if len(letters) == 1 else ()
    if not set(letters) <= set("ivx"):
        return alphabetic
    values = [{"i": 1, "v": 5, "x": 10}[character] for character in letters]
    return (*alphabetic, sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)))


def _items(drafts: Sequence[Draft], marks: Sequence[Sequence[_Mark | None]]) -> set[tuple[int, int]]:
    """Which lines, as pairs of draft and line, begin an item: sure bullets, and marks that a near one bears out."""
    places = [(i, j) for i, row in enumerate(marks) for j, mark in enumerate(row) if mark]
    items = {(i, j) for i, j in places if (mark := marks[i][j]) and mark.sure and _begins(drafts[i], j)}
    for number, here in enumerate(places):
        mark = marks[here[0]][here[1]]
        assert mark is not None
        for later in places[number + 1 : number + 1 + 12]:
            other = marks[later[0]][later[1]]
            assert other is not None
            if later[0] - here[0] > _REACH + 1:
                break
            if other.form == mark.form and _counts_on(mark, other) and _aligned(drafts, here, later):
                if _begins(drafts[here[0]], here[1]) and _begins(drafts[later[0]], later[1]):
                    items |= {here, later}
                break
    return items


def _counts_on(mark: _Mark, other: _Mark) -> bool:
    if not mark.numbers:
        return not other.numbers
    return any(number + 1 in other.numbers for number in mark.numbers)


def _aligned(drafts: Sequence[Draft], here: tuple[int, int], later: tuple[int, int]) -> bool:
    a, b = drafts[here[0]].lines[here[1]], drafts[later[0]].lines[later[1]]
    return here[0] != later[0] or abs(a.box[0] - b.box[0]) < 1.5 * max(a.height, b.height)


def _begins(draft: Draft, place: int) -> bool:
    """Whether the line is the first of its row, and no line runs into it: a number there may be one of a sentence."""
    line = draft.lines[place]
    if place == 0:
        return True
    before = draft.lines[place - 1]
    if abs(before.middle - line.middle) < 0.5 * min(line.height, before.height):
        return False
    hangs = any(other.box[0] > line.box[0] + 0.5 * line.height for other in draft.lines[place + 1 : place + 2])
    ended = draft.box[2] - before.box[2] > 2 * line.height or before.text.rstrip()[-1:] in ".;:!?。；：！？,，"
    outdented = line.box[0] < before.box[0] - 0.5 * line.height
    return hangs or ended or outdented or _mark(before.text) is not None


def _parts(draft: Draft, starts: Sequence[int]) -> list[Draft]:
    """What stands before the first item, and the items, each with the lines up to the next."""
    edges = sorted({0, *starts, len(draft.lines)})
    parts = []
    for first, end in pairwise(edges):
        lines = draft.lines[first:end]
        if first in starts:
            item, rest = _own_lines(lines)
            parts.append(_part(draft, item, Kind.LIST_ITEM))
            if rest:
                parts.append(_part(draft, rest, draft.kind))
        else:
            parts.append(_part(draft, lines, draft.kind))
    return parts


def _own_lines(lines: Sequence[TextLine]) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
    """The item's lines, and those after it that stand apart or go back to the left of its text."""
    first = lines[0]
    hanging = len(lines) > 1 and lines[1].box[0] > first.box[0] + 0.5 * first.height
    for place in range(1, len(lines)):
        before, line = lines[place - 1], lines[place]
        back = hanging and line.box[1] > before.middle and line.box[0] < first.box[0] + 0.3 * first.height
        if back or line.box[1] - before.box[3] > _APART * line.height:
            return lines[:place], lines[place:]
    return lines, ()


def _part(draft: Draft, lines: Sequence[TextLine], kind: Kind) -> Draft:
    x0, y0, x1, y1 = bounds(line.box for line in lines)
    # The right edge stays the region's: it tells which of the item's lines end short.
    return Draft(kind, (x0, y0, max(x1, draft.box[2]) if len(lines) > 1 else x1, y1), tuple(lines), draft.loose)


def _with_levels(drafts: list[Draft]) -> list[Draft]:
    """Levels by indents, within each run of items; an item that stands in another column begins anew."""
    out: list[Draft] = []
    indents: list[float] = []
    for draft in drafts:
        if draft.kind is not Kind.LIST_ITEM:
            if draft.kind is not Kind.TEXT or not indents or draft.box[0] < indents[-1] + 0.5 * draft.lines[0].height:
                indents = []
            out.append(draft)
            continue
        left, height = draft.lines[0].box[0], draft.lines[0].height
        if indents and abs(left - indents[0]) > 15 * height:
            indents = []
        while indents and left < indents[-1] - _STEP * height:
            indents.pop()
        if not indents or left > indents[-1] + _STEP * height:
            indents.append(left)
        out.append(replace(draft, level=len(indents)))
    return out
