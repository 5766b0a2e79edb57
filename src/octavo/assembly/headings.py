"""Titles and the levels of headings, the same through the whole document.

An engine sees one page and can only guess. Here a heading's number gives its level where it has one ("2.1.3" is of the
third), and its style where it has none: the larger and bolder, the higher. What a style was given once it keeps. A
style that comes up late is ranked among those known by then, which are those of the pages before and of the AHEAD pages
that follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo.assembly.places import FURNITURE
from octavo.assembly.shapes import Shape
from octavo.document import Block, Kind, PageResult

AHEAD = 3  # pages whose headings are known when those of a page are settled

_HEADINGS = frozenset({Kind.TITLE, Kind.HEADING})
_TITLE_PAGES = 2  # pages of the file, from its first, that may bear the title
_DEEPEST = 6
_STYLES = 64  # most that are remembered
_EXACT, _READ = 1.06, 1.28  # ratio of sizes within which lines are of one size: of a text layer, and of found boxes
_LARGER = 1.1  # a title's size over that of every other heading
_OVER_BODY = 1.3  # a title's size over that of the text
_PREAMBLE = 200  # letters of text before which the title stands
_LONGEST = 250  # letters of a heading
_SENTENCE = 12  # words in a sentence that is no heading

_NUMBERING = re.compile(r"(?:§\s*)?(\d{1,2}(?:\.\d{1,2}){0,5})[.)]?(?:\s+|(?=[\u3040-\u9fff]))(?=\D)")
_APPENDIX = re.compile(r"([A-Z](?:\.\d{1,2}){1,4})\.?\s+(?=\S)")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|appendix|kapitel|teil|anhang|chapitre|partie|annexe|capítulo|capitolo|parte|hoofdstuk|"
    r"глава|часть|раздел|rozdział|kapitola|fejezet)\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])\b|第[〇零一二三四五六七八九十百\d]+[章篇部编編]",
    re.IGNORECASE,
)
_SECTION = re.compile(r"第[〇零一二三四五六七八九十百\d]+[节節]")
_ENDS = (".", "。", ";", "；", ",", "，", ":", "：")
_LEADERS = re.compile(r"(?:[.…·]\s?){5}")  # of a table of contents, as is a number at the end of several headings
_ENTRY = re.compile(r"(?:\d|chapter|kapitel|appendix|anhang|第).*\s\d{1,4}", re.IGNORECASE)
_TITLE_PAGE = 400  # letters on a page that bears hardly more than a title
_BULLET = re.compile(r"[•‣⁃◦▪▫●○■□◆◇►▶➢✓]\s*\S")

Verdict = tuple[Kind, int]


@dataclass(slots=True)
class _Style:
    size: float  # of its lines, comparable between pages; the mean of those seen
    bold: bool
    capitals: bool
    level: int = 0  # 0 until it is given
    seen: int = 1

    def is_above(self, other: _Style, tolerance: float) -> bool:
        """Whether a heading in this style stands over one in the other."""
        if self.size > other.size * tolerance:
            return True
        if other.size > self.size * tolerance:
            return False
        return (self.bold, self.capitals) > (other.bold, other.capitals)


@dataclass(slots=True)
class _Sight:
    """What is known of a page's headings until they are settled, by the index of their block."""

    styles: dict[int, _Style] = field(default_factory=dict)
    body: float = 0.0  # the size of most text


class Headings:
    """Takes pages in order, each first with `see` and, when the AHEAD pages after it were seen, with `settle`.

    `exact` documents bring the levels of their headings with them, and keep them.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact
        self._styles: list[_Style] = []
        self._tolerance = _EXACT
        self._sights: dict[int, _Sight] = {}
        self._titled = False

    def see(self, result: PageResult, shapes: Sequence[Shape | None], unit: float) -> None:
        """A page comes into view. `shapes` are those of its blocks, `unit` makes their sizes comparable."""
        if self._exact:
            return
        if result.text_source == "ocr":
            self._tolerance = _READ
        sight = self._sights[result.page] = _Sight(body=_body(result, shapes) / unit)
        for index, block in enumerate(result.blocks):
            shape = shapes[index]
            if block.kind in _HEADINGS and shape is not None and not is_none(block):
                style = self._known(_Style(shape.size / unit, _is_bold(block), block.text.isupper()))
                style.level = style.level or depth_of(block.text)
                sight.styles[index] = style

    def settle(self, result: PageResult) -> dict[int, Verdict]:
        """Kind and level of every block of the page that the engine took for a title or a heading, by its index."""
        sight = self._sights.pop(result.page, None) or _Sight()
        title = self._title(result, sight)
        found = [(index, block) for index, block in enumerate(result.blocks) if block.kind in _HEADINGS]
        entries = [index for index, block in found if _ENTRY.fullmatch(block.text)]
        verdicts: dict[int, Verdict] = {}
        for index, block in found:
            if self._exact:
                verdicts[index] = (block.kind, block.level)
            elif index in title:
                verdicts[index] = (Kind.TITLE, 0)
            elif _BULLET.match(block.text.lstrip()):
                verdicts[index] = (Kind.LIST_ITEM, 1)
            elif is_none(block) or (index in entries and len(entries) > 1):
                verdicts[index] = (Kind.TEXT, 0)
            else:
                verdicts[index] = (Kind.HEADING, self._level(block, sight.styles.get(index)))
        self._titled = self._titled or bool(title)
        return verdicts

    def _known(self, style: _Style) -> _Style:
        """The style as it is remembered, as the mean of what was seen of it."""
        low, high = style.size / self._tolerance, style.size * self._tolerance
        alike = [
            other
            for other in self._styles
            if low <= other.size <= high and (other.bold, other.capitals) == (style.bold, style.capitals)
        ]
        if alike:
            known = min(alike, key=lambda other: abs(other.size - style.size))
            known.seen += 1
            known.size += (style.size - known.size) / min(known.seen, 50)
            return known
        if len(self._styles) < _STYLES:
            self._styles.append(style)
        return style

    # ---- levels

    def _level(self, block: Block, style: _Style | None) -> int:
        if depth := depth_of(block.text):
            return depth
        if style is None:
            return min(max(block.level, 1), _DEEPEST)
        if not style.level:
            style.level = self._ranked(style)
        return style.level

    def _ranked(self, style: _Style) -> int:
        """The level of a style that has none yet, by those that it stands under and over."""
        others = [other for other in self._styles if other is not style]
        above = [other for other in others if other.is_above(style, self._tolerance)]
        level = 1 + max((other.level for other in above), default=0)
        # A size that was read once may be a slip of the detector; those of a text layer are exact.
        sure = 1 if self._tolerance == _EXACT else 2
        level += len({round(other.size, 2) for other in above if not other.level and other.seen >= sure})
        below = [other.level for other in others if other.level and style.is_above(other, self._tolerance)]
        return min([level, _DEEPEST, *below])

    # ---- the title

    def _title(self, result: PageResult, sight: _Sight) -> set[int]:
        """The blocks that are the document's title: one, or the lines of one that stand apart."""
        if self._titled or self._exact or not 0 < result.page <= _TITLE_PAGES:
            return set()
        given = [i for i, block in enumerate(result.blocks) if block.kind is Kind.TITLE and not is_none(block)]
        if given:
            return set(given[:1])
        candidates = [i for i in sight.styles if not depth_of(result.blocks[i].text)]
        if not candidates:
            return set()
        first = max(candidates, key=lambda i: (round(sight.styles[i].size, 2), -i))
        largest = sight.styles[first]
        is_cover = bool(self._sights) and _is_cover(result)
        if not (is_cover or self._stands_out(largest, sight.body)) or not _stands_first(result, first):
            return set()
        if any(depth_of(block.text) for block in result.blocks[:first] if block.kind in _HEADINGS):
            return set()  # that of a chapter
        largest.level = 0  # a heading that looks like the title is ranked by itself
        self._styles = [style for style in self._styles if style is not largest]
        title = {first}
        while first + 1 in sight.styles and sight.styles[first + 1] is largest:
            first += 1
            title.add(first)
        return title

    def _stands_out(self, style: _Style, body: float) -> bool:
        others = [other.size for other in self._styles if other is not style]
        if style.size < _OVER_BODY * body:
            return False
        return style.size >= _LARGER * max(others) if others else style.seen == 1


def is_none(block: Block) -> bool:
    """Whether what was taken for a heading clearly is none: without letters, a list item, or a whole sentence."""
    text = " ".join(block.text.split())
    if not any(character.isalpha() for character in text) or len(text) > _LONGEST:
        return True
    if _BULLET.match(text) or _LEADERS.search(text):
        return True
    if not text.endswith(_ENDS):
        return False
    return len(text.split()) >= _SENTENCE or (len(text) > 40 and text.endswith(("。", "；", "：")))


def depth_of(text: str) -> int:
    """The level that a heading's own number tells, 0 where it has none."""
    text = text.lstrip()
    if found := _NUMBERING.match(text):
        return min(found[1].count(".") + 1, _DEEPEST)
    if found := _APPENDIX.match(text):
        return min(found[1].count(".") + 1, _DEEPEST)
    return 1 if _CHAPTER.match(text) else 2 if _SECTION.match(text) else 0


def _is_bold(block: Block) -> bool:
    length = len(block.text.strip())
    bold = sum(span.end - span.start for span in block.spans if "b" in span.style)
    return length > 0 and bold >= 0.8 * length


def _body(result: PageResult, shapes: Sequence[Shape | None]) -> float:
    """The size of most of the page's text, by letters; 0 where there is none."""
    sizes = sorted(
        (shape.size, len(block.text))
        for block, shape in zip(result.blocks, shapes, strict=True)
        if shape is not None and block.kind is Kind.TEXT
    )
    total, passed = sum(letters for _, letters in sizes), 0
    for size, letters in sizes:
        passed += letters
        if passed * 2 >= total:
            return size
    return 0.0


def _is_cover(result: PageResult) -> bool:
    """Whether the page bears hardly more than a title; other pages follow it."""
    written = sum(len(block.text) for block in result.blocks if block.kind not in FURNITURE)
    return written <= _TITLE_PAGE and not any(len(b.lines) > 3 for b in result.blocks if b.kind is Kind.TEXT)


def _stands_first(result: PageResult, index: int) -> bool:
    """Whether hardly any text stands before the block."""
    before = sum(len(block.text) for block in result.blocks[:index] if block.kind is Kind.TEXT)
    return before <= _PREAMBLE
