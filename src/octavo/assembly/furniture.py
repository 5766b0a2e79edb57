"""Running headers, footers and page numbers, told from what is printed once by looking at the pages around.

An engine sees one page and can only guess from the place of a line that it runs. What it calls a header is one if a
near page says the same at about the same height, or if it names a heading that stands there; otherwise it is text, for
leaving it out would lose it. A line in the margin that the engine took for text is a header after all if it runs, and a
page number if it counts with the pages.

Near pages are those before and after in the stream of results, whatever their numbers: of pages 1 and 50 alone, each is
the other's neighbour. Pages that say the same as a whole (a form filled in twice, a page scanned twice) prove nothing.
A page that is all there is has nothing to be compared with: there, only a page number and what is printed beside it are
left out, and lines like "Vol. 3, No. 2", and none of them where no paragraphs stand.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from msgspec.structs import replace

from octavo.assembly.labels import Label, confirmed, label_of, roman_value
from octavo.assembly.places import FURNITURE
from octavo.assembly.upright import upright
from octavo.document import Block, Box, Kind, PageResult

AHEAD, BEHIND = 2, 4  # pages with text that are looked at; two, for left and right pages may differ
HELD = 8  # most pages held back while those are awaited

_MARGIN = 0.1  # of the page's height, at its top and bottom: where a line taken for text may run
_LOW = 0.05  # of the page's height: no line that runs is higher than that, unless the engine calls it a header
_NEAR = 0.04  # of the page's height: the same place, allowing for how a sheet lies in the scanner
_BESIDE = 0.1  # of the page's width: the same place, or its mirror image, for a page number
_ALIKE = 0.8  # similarity of texts that say the same; a few letters may be misread
_SHORT = 6  # letters below which texts must be equal to say the same
_RUN = 3  # letters in a row that do not agree by chance
_COPY = 0.5  # share of a page's lines that another page has too when one is a copy of the other
_LONGEST = 200  # letters of a line that are compared

_ROW = 0.01  # of the page's height: lines of one row
_PROSE = 600  # letters in paragraphs of three lines and more, on a page of running text

_IMPRINT = re.compile(
    r"\bvol(?:ume|\.)?\s*\d|\bissue\s+\d|\bno\.\s*\d|\bISSN\b|\bISBN\b|\bdoi\b|\bdownloaded from\b|\bpublished by\b|"
    r"©|\ball rights reserved\b|\brev(?:ision|\.)?:?\s*\d|\bp/n\b",
    re.IGNORECASE,
)
_OUTSIDE = frozenset({Kind.FIGURE, Kind.SEAL})  # a logo may stand above a running header
_HEADINGS = frozenset({Kind.TITLE, Kind.HEADING})
_ROMAN = re.compile(r"\b(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?<=[ivxlcdm])\b")
_NUMBER = re.compile(rf"\d{{1,9}}|{_ROMAN.pattern}")
_OF_ALL = re.compile(r"^\s*(\d{1,5})\s*/\s*\d{1,5}\s*$")  # "12 / 96": of how many pages says nothing of this one
_FRAME = re.compile(r"[-–—−\s\[\](){}.·•|~]+")  # what may stand around a lone page number


class RunningLines:
    """Turns page results, given in page order, into the same with every header, footer and page number marked as such.

    Only the kinds of blocks change, never their order, and pages without blocks stay as they are. Pages that the file
    itself gives no label get the number printed on them, where it counts with that of a near page. A page comes out
    when nothing on later pages can change it any more, which is at once in the midst of most books, and at the latest
    when the AHEAD pages with blocks after it are known; at most HELD are held back.
    """

    def __init__(self) -> None:
        self._held: deque[tuple[PageResult, _Face | None]] = deque()
        self._behind: deque[_Face] = deque(maxlen=BEHIND)

    def page(self, result: PageResult) -> Iterator[PageResult]:
        """The pages that are settled once this one is known."""
        self._held.append((result, _face(result) if result.blocks else None))
        while self._held and self._is_settled():
            yield self._next()

    def end(self) -> Iterator[PageResult]:
        """The pages that were waiting for pages that do not come."""
        while self._held:
            yield self._next()

    def _is_settled(self) -> bool:
        face = self._held[0][1]
        if face is None or sum(other is not None for _, other in self._held) > AHEAD or len(self._held) > HELD:
            return True
        if face.labels and not self._held[0][0].label and not _label(face, self._behind):
            return False
        return all(kind is not Kind.TEXT for kind in _kinds(face, self._behind).values())

    def _next(self) -> PageResult:
        result, face = self._held.popleft()
        if face is None:
            return result
        ahead = [other for _, other in self._held if other is not None][:AHEAD]
        near = [*self._behind, *ahead]
        settled = _settled(result, face, near)
        self._behind.append(face)
        label = "" if result.label else _label(face, near)
        return replace(settled, label=label) if label else settled


@dataclass(frozen=True, slots=True)
class _Line:
    """A block that is or may be furniture. Its box is in parts of the upright page, 0 to 1."""

    index: int  # of the block on its page
    kind: Kind
    box: Box
    text: str  # folded
    numbers: tuple[int, ...]
    lone: bool  # nothing but a number
    is_imprint: bool = False  # says who printed the document, when, and which part of it this is

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class _Face:
    """What is remembered of a page: the lines that may run, from the left, and what the others say."""

    page: int
    lines: tuple[_Line, ...]
    body: frozenset[str]
    headings: tuple[str, ...]  # folded
    is_prose: bool = False  # running text fills the page
    labels: tuple[Label, ...] = ()  # that its lone numbers in the margins may give it, those called page numbers first

    def beside(self, height: float) -> list[_Line]:
        """The lines at about this height, 0 to 1 from the top."""
        return [line for line in self.lines if abs(line.middle - height) <= _NEAR]


# ---- the decision


def _settled(result: PageResult, own: _Face, near: Sequence[_Face]) -> PageResult:
    kinds = _kinds(own, near) if near else _kinds_alone(own)
    if all(kinds.get(index, block.kind) in FURNITURE for index, block in enumerate(result.blocks)):
        # Nothing else is on the page, so nothing can be spared; page numbers that were found as such may stay.
        kinds = {line.index: line.kind if line.kind is Kind.PAGE_NUMBER else Kind.TEXT for line in own.lines}
    if all(kinds[line.index] is line.kind for line in own.lines):
        return result
    blocks = (
        block if kinds.get(index, block.kind) is block.kind else replace(block, kind=kinds[index])
        for index, block in enumerate(result.blocks)
    )
    return replace(result, blocks=tuple(blocks))


def _kinds(own: _Face, near: Iterable[_Face]) -> dict[int, Kind]:
    """What each line is as far as these pages tell; more of them can only make furniture of text."""
    others = [face for face in near if not _is_copy(own, face)]
    return {line.index: _kind(line, own, others) for line in own.lines}


def _kind(line: _Line, own: _Face, others: Sequence[_Face]) -> Kind:
    if line.kind is Kind.PAGE_NUMBER:
        return Kind.PAGE_NUMBER if others else Kind.TEXT  # a page on its own may be a form or a receipt
    if line.lone:
        is_only = sum(other.lone for other in own.beside(line.middle)) == 1  # not a cell in a row of numbers
        counts = is_only and any(_counts_on(line, own.page - face.page, face) for face in others)
        return Kind.PAGE_NUMBER if counts else Kind.TEXT
    runs = any(_runs(line, own.page - face.page, face) for face in others)
    if line.kind is Kind.TEXT:
        return (Kind.HEADER if line.middle < 0.5 else Kind.FOOTER) if runs else Kind.TEXT
    # Headers that name the section change with it, often from page to page, but leaving them out loses nothing.
    return line.kind if runs or any(_names(line, face) for face in (own, *others)) else Kind.TEXT


def _kinds_alone(own: _Face) -> dict[int, Kind]:
    """What each line is on a page that is all there is. Only a page of running text has a number, and headers: what
    stands beside that number, and what reads like nothing else. On a form or a letter they may be what counts."""
    numbers = [line for line in own.lines if line.lone and line.kind is Kind.PAGE_NUMBER]
    kinds: dict[int, Kind] = {}
    for line in own.lines:
        beside = any(other is not line and abs(line.middle - other.middle) <= _ROW for other in numbers)
        if line.kind in (Kind.HEADER, Kind.FOOTER) and _names(line, own):
            kinds[line.index] = line.kind
        elif not own.is_prose:
            kinds[line.index] = Kind.TEXT
        elif line in numbers:
            kinds[line.index] = Kind.PAGE_NUMBER
        elif beside or (line.is_imprint and not line.lone):
            kinds[line.index] = Kind.HEADER if line.middle < 0.5 else Kind.FOOTER
        else:
            kinds[line.index] = Kind.TEXT
    return kinds


def _label(own: _Face, near: Iterable[_Face]) -> str:
    return confirmed(own.labels, own.page, ((face.page, face.labels) for face in near if not _is_copy(own, face)))


def _is_copy(a: _Face, b: _Face) -> bool:
    fewer = min(len(a.body), len(b.body))
    return fewer > 0 and len(a.body & b.body) >= _COPY * fewer


def _counts_on(line: _Line, step: int, face: _Face) -> bool:
    """Whether the page `step` pages before has the lone number that goes with this one at the same place."""
    left, right = line.box[0], 1 - line.box[2]
    return any(
        line.numbers[0] - other.numbers[0] == step
        and min(abs(left - other.box[0]), abs(right - other.box[0]), abs(right - (1 - other.box[2]))) <= _BESIDE
        for other in face.beside(line.middle)
        if other.lone
    )


def _runs(line: _Line, step: int, face: _Face) -> bool:
    """Whether the page `step` pages before says the same at this height, in one block or in several."""
    row = face.beside(line.middle)
    if line.kind is Kind.TEXT:
        # "Invoice 4711" is not "Invoice 4822", but "Page 2 of 9" goes with "Page 3 of 9".
        known = {number for other in row for number in other.numbers}
        if any(number not in known and number - step not in known for number in line.numbers):
            return False
    return any(_alike(line.text, other.text) for other in row) or _holds("".join(o.text for o in row), line.text)


def _names(line: _Line, face: _Face) -> bool:
    """Whether the line is a heading of the page, or the beginning of one that is too long for a header."""
    return len(line.text) >= _SHORT and any(_alike(line.text, said[: len(line.text)]) for said in face.headings)


def _alike(a: str, b: str) -> bool:
    if sum(character != "0" for character in a) < 2:
        return False
    if min(len(a), len(b)) < _SHORT:
        return a == b
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _holds(row: str, text: str) -> bool:
    """Whether a row says this among other things: what is two blocks on one page may be one on the next."""
    if len(text) < _SHORT or len(row) < _ALIKE * len(text):
        return False
    matches = SequenceMatcher(None, row, text, autojunk=False).get_matching_blocks()
    return sum(match.size for match in matches if match.size >= _RUN) >= _ALIKE * len(text)


# ---- what is remembered of a page


def _face(result: PageResult) -> _Face:
    boxes = [_upright(block.box, result) for block in result.blocks]
    chosen = _candidates(result.blocks, boxes)
    lines = [_line(index, result.blocks[index], boxes[index]) for index in chosen]
    rest = (block for index, block in enumerate(result.blocks) if index not in chosen)
    body = frozenset(said for block in rest for text in _texts(block) if (said := "".join(text.split()).casefold()))
    headings = tuple(_folded(block.text) for block in result.blocks if block.kind in _HEADINGS)
    numbered = sorted((result.blocks[index] for index in chosen), key=lambda block: block.kind is not Kind.PAGE_NUMBER)
    labels = tuple(label for block in numbered if (label := label_of(block.text[:_LONGEST])) is not None)
    written = sum(len(block.text) for i, block in enumerate(result.blocks) if i not in chosen and _is_paragraph(block))
    ordered = tuple(sorted(lines, key=lambda line: line.box[0]))
    return _Face(result.page, ordered, body, headings, written >= _PROSE, labels)


def _is_paragraph(block: Block) -> bool:
    return block.kind is Kind.TEXT and len(block.lines) > 2


def _candidates(blocks: Sequence[Block], boxes: Sequence[Box]) -> set[int]:
    """The blocks called furniture, and the low ones of text in the margins with nothing but such outside of them."""
    furniture = {index for index, block in enumerate(blocks) if block.kind in FURNITURE}
    marginal = {index for index, block in enumerate(blocks) if block.kind is Kind.TEXT and _in_margin(boxes[index])}
    rest = [
        (box[1] + box[3]) / 2
        for index, box in enumerate(boxes)
        if index not in furniture | marginal and blocks[index].kind not in _OUTSIDE
    ]
    top, bottom = min(rest, default=1.0), max(rest, default=0.0)
    outermost = {i for i in marginal if (boxes[i][3] < top if boxes[i][3] <= _MARGIN else boxes[i][1] > bottom)}
    return furniture | outermost


def _in_margin(box: Box) -> bool:
    return box[3] - box[1] <= _LOW and (box[3] <= _MARGIN or box[1] >= 1 - _MARGIN)


def _line(index: int, block: Block, box: Box) -> _Line:
    said = _plain(block.text)
    said = _OF_ALL.sub(r"\1", said)
    numbers = tuple(_value(found[0]) for found in _NUMBER.finditer(said))
    lone = _NUMBER.fullmatch(_FRAME.sub("", said)) is not None and len(numbers) == 1
    is_imprint = _IMPRINT.search(block.text[:_LONGEST]) is not None
    return _Line(index, block.kind, box, _folded(block.text), numbers, lone, is_imprint)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()


def _folded(text: str) -> str:
    """Letters only, every number a zero."""
    letters = "".join(character for character in _NUMBER.sub("0", _plain(text)) if character.isalnum())
    return re.sub("0+", "0", letters)


def _value(number: str) -> int:
    """Of digits, or of a Roman numeral in small letters."""
    return int(number) if number[0].isdecimal() else roman_value(number)


def _texts(block: Block) -> Iterator[str]:
    if block.lines:
        return (line.text for line in block.lines)
    return iter(block.text.splitlines())


def _upright(box: Box, result: PageResult) -> Box:
    """A box on the page as displayed, in parts of the page's size and as the page stands upright."""
    width, height = result.width or 1.0, result.height or 1.0
    x0, y0, x1, y1 = box[0] / width, box[1] / height, box[2] / width, box[3] / height
    return upright((x0, y0, x1, y1), 1.0, 1.0, result.rotation)
