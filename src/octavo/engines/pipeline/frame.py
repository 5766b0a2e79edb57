"""A page seen so that its lines run from left to right and follow each other downwards, whatever its script.

Everything that asks where a line begins, what stands beside it and what comes next is written once, for this view:
a page in Arabic or Hebrew is seen in a mirror, a page set vertically from right to left is seen turned.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine

_UPRIGHT = 1.5  # times its width: a line that is higher runs downwards


@dataclass(frozen=True)
class Frame:
    """`size` is the upright page's width and height in pixels."""

    view: Literal["level", "mirrored", "vertical"]
    size: tuple[float, float]

    @property
    def height(self) -> float:
        """Of the page as it is seen."""
        return self.size[0] if self.view == "vertical" else self.size[1]

    def seen(self, box: Box) -> Box:
        """A box of the upright page as it is seen."""
        x0, y0, x1, y1 = box
        match self.view:
            case "mirrored":
                return (self.size[0] - x1, y0, self.size[0] - x0, y1)
            case "vertical":
                return (y0, self.size[0] - x1, y1, self.size[0] - x0)
            case _:
                return box

    def back(self, box: Box) -> Box:
        """A box that is seen, on the upright page."""
        x0, y0, x1, y1 = box
        match self.view:
            case "mirrored":
                return (self.size[0] - x1, y0, self.size[0] - x0, y1)
            case "vertical":
                return (self.size[0] - y1, x0, self.size[0] - y0, x1)
            case _:
                return box

    def line(self, line: TextLine) -> TextLine:
        """The line with its box as it is seen; its words keep their places on the upright page."""
        return line if self.view == "level" else replace(line, box=self.seen(line.box))

    def line_back(self, line: TextLine) -> TextLine:
        """The line with its box on the upright page."""
        return line if self.view == "level" else replace(line, box=self.back(line.box))


def frame_of(lines: Sequence[TextLine], size: tuple[float, float]) -> Frame:
    """The view that most letters of the page ask for."""
    letters = sum(len(line.text) for line in lines)
    vertical = sum(len(line.text) for line in lines if len(line.text) > 1 and line.height > _UPRIGHT * line.width)
    if vertical * 2 > letters:
        return Frame("vertical", size)
    if sum(len(line.text) for line in lines if is_right_to_left(line.text)) * 2 > letters:
        return Frame("mirrored", size)
    return Frame("level", size)


def is_right_to_left(text: str) -> bool:
    """Whether most letters of the text are written from right to left."""
    if text.isascii():
        return False
    directions = [unicodedata.bidirectional(character) for character in text]
    return sum(d in ("R", "AL") for d in directions) > sum(d == "L" for d in directions)
