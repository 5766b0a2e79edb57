"""How the lines of a block are set: their size, whether the last one is full, whether the first one is indented."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from octavo.assembly.places import RUNNING
from octavo.assembly.upright import upright
from octavo.document import Block, Box, PageResult

_WHOLE = 3  # lines that show a column's width by themselves
_SAME_EDGE = 4.0  # line heights within which two left edges are those of one column
_INDENT = (0.7, 5.0)  # line heights by which a paragraph's first line stands in


@dataclass(frozen=True, slots=True)
class Shape:
    """The lines of a block, in the unit of its page, with x along the lines and y from line to line.

    `left` and `right` bound the column; in writing from right to left a line ends at the left.
    """

    lines: tuple[Box, ...]
    letters: int  # of the last line
    left: float
    right: float
    leftwards: bool

    @property
    def size(self) -> float:
        """The height of the lines."""
        return median(line[3] - line[1] for line in self.lines)

    @property
    def measure(self) -> float:
        """The width of the column."""
        return self.right - self.left

    @property
    def is_whole(self) -> bool:
        """Whether the block has lines enough to show the width of its column."""
        return len(self.lines) >= _WHOLE

    @property
    def pitch(self) -> float:
        """The width of a letter of the last line."""
        last = self.lines[-1]
        return (last[2] - last[0]) / max(1, self.letters)

    def is_full(self, word: str, measure: float = 0.0) -> bool:
        """Whether `word`, the first of what may come next, would not have fitted behind the last line.

        `measure` is how wide the column is at least, where the block is too short to show it.
        """
        last, missing = self.lines[-1], max(0.0, measure - self.measure)
        free = missing + (last[0] - self.left if self.leftwards else self.right - last[2])
        return free < max(1, len(word)) * self.pitch + 0.5 * self.size

    @property
    def is_indented(self) -> bool:
        """Whether the first line stands in as that of a new paragraph does."""
        first, rest = self.lines[0], self.lines[1:]
        if self.leftwards:
            edge = max((line[2] for line in rest), default=self.right)
            indent = edge - first[2]
        else:
            edge = min((line[0] for line in rest), default=self.left)
            indent = first[0] - edge
        return _INDENT[0] * self.size < indent < _INDENT[1] * self.size


def shapes_of(result: PageResult) -> list[Shape | None]:
    """The shape of each block of a page; None where it has no lines or is no text."""
    set_lines = [_set(block, result) if block.lines else () for block in result.blocks]
    texts = [i for i, block in enumerate(result.blocks) if block.kind in RUNNING and set_lines[i]]
    shapes: list[Shape | None] = []
    for index, block in enumerate(result.blocks):
        lines = set_lines[index]
        if not lines:
            shapes.append(None)
            continue
        left, right = _edges(lines)
        if len(lines) < _WHOLE and index in texts:
            near = [set_lines[i] for i in _neighbours(texts, index)]
            left, right = _column(left, right, lines, near)
        shapes.append(Shape(lines, len(block.lines[-1].text), left, right, _runs_leftwards(block.lines[-1].text)))
    return shapes


def _neighbours(texts: Sequence[int], index: int) -> list[int]:
    place = texts.index(index)
    return [*texts[max(0, place - 2) : place], *texts[place + 1 : place + 3]]


def _column(left: float, right: float, lines: Sequence[Box], near: Sequence[Sequence[Box]]) -> tuple[float, float]:
    """The edges of the column that a short block stands in, by its neighbours in reading order."""
    room = _SAME_EDGE * (lines[0][3] - lines[0][1])
    for other in near:
        start, end = _edges(other)
        if abs(start - left) <= room or abs(end - right) <= room:
            return min(left, start), max(right, end)
    return left, right


def _edges(lines: Sequence[Box]) -> tuple[float, float]:
    return min(line[0] for line in lines), max(line[2] for line in lines)


def _set(block: Block, result: PageResult) -> tuple[Box, ...]:
    boxes = [upright(line.box, result.width, result.height, result.rotation) for line in block.lines]
    upstanding = sum(box[3] - box[1] > 2 * (box[2] - box[0]) for box in boxes)
    if upstanding * 2 > len(boxes):  # columns of characters, from right to left
        return tuple((y0, -x1, y1, -x0) for x0, y0, x1, y1 in boxes)
    return tuple(boxes)


def _runs_leftwards(text: str) -> bool:
    strong = [direction for c in text if (direction := unicodedata.bidirectional(c)) in ("L", "R", "AL")]
    return sum(direction != "L" for direction in strong) * 2 > len(strong)
