"""The text lines that were found on a page, their pictures, and what has been read of them so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from octavo.document import Box
from octavo.engines.pipeline import sheet
from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.lines import TextLine, from_reading, from_words
from octavo.engines.pipeline.recognition import Reading, Recognizer, cut
from octavo.engines.pipeline.sheet import SheetLine

if TYPE_CHECKING:
    from octavo.document import Pixels

_VERTICAL = 1.5  # times its width: a line that is higher runs downwards
_LONG = 4.0  # times its height: a line that shows what it is written in
_DENSE = 0.5  # characters for each line height: print has one to four
_SPREAD = 3  # times the lines asked for: that many of the longest are chosen from


@dataclass
class PageLines:
    """Lines by their index in `found`. Each is read by the network once, when that is first asked for."""

    recognizer: Recognizer
    pixels: Pixels
    found: Sequence[Found]
    _read: dict[int, tuple[Found, Reading]] = field(default_factory=dict)

    def parted(self, found: Sequence[Found]) -> PageLines:
        """The same page with lines of which some are parts of these; what was read of the others is kept."""
        return PageLines(self.recognizer, self.pixels, found, self._read)

    def length(self, index: int) -> float:
        """How many times its height a line is long."""
        sides = self.found[index].size
        return max(sides) / max(1.0, min(sides))

    def is_vertical(self, index: int) -> bool:
        """Whether a line runs downwards."""
        width, height = self.found[index].size
        return height >= _VERTICAL * width

    def box(self, index: int) -> Box:
        """The box around a line, in the page's pixels."""
        corners = self.found[index].corners
        limits = (self.pixels.shape[1], self.pixels.shape[0])
        low, high = np.maximum(corners.min(axis=0), 0), np.minimum(corners.max(axis=0), limits)
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    def picture(self, index: int) -> Pixels:
        """A line as a level picture; one that runs downwards is turned counter-clockwise."""
        return cut(self.pixels, self.found[index].corners)

    def reading(self, index: int) -> Reading:
        """What the network reads."""
        line = self.found[index]
        if id(line) not in self._read:  # with the line itself, so that its id stays its own
            self._read[id(line)] = (line, self.recognizer.read(self.picture(index)))
        return self._read[id(line)][1]

    def trust(self, index: int) -> float:
        """The network's confidence, 0 to 1; less where it read fewer characters than the line has room for.

        Of a script it doesn't know it makes few characters, and is sure of those.
        """
        return trust(self.reading(index), self.length(index))

    def by_network(self, indices: Iterable[int]) -> dict[int, TextLine]:
        """The lines as the network reads them. In order of length: a runtime prepares anew for each change of shape."""
        return {
            index: from_reading(self.reading(index), self.box(index), vertical=self.is_vertical(index))
            for index in sorted(indices, key=self.length)
        }

    def by_tesseract(self, indices: Sequence[int], names: str) -> dict[int, TextLine]:
        """The lines as Tesseract reads them with the language data `names`. Raises EngineError, OutOfMemoryError."""
        read = sheet.read([self.picture(index) for index in indices], names)
        return {index: self.placed(index, line) for index, line in zip(indices, read, strict=True)}

    def placed(self, index: int, line: SheetLine) -> TextLine:
        """What a sheet says of a line, on the page."""
        words = [(word.text, word.start, word.end, word.confidence) for word in line.words]
        return from_words(words, self.box(index), vertical=self.is_vertical(index))

    def sample(self, count: int, among: Sequence[int] | None = None) -> list[int]:
        """At most `count` lines, long ones from all over the page, that show what it is written in."""
        known = range(len(self.found)) if among is None else among
        long = [index for index in known if self.length(index) >= _LONG] or list(known)
        long = sorted(long, key=self.length, reverse=True)[: _SPREAD * count]
        long.sort(key=lambda index: float(self.found[index].corners.sum()))
        return long[:: max(1, len(long) // count)][:count]


def trust(reading: Reading, length: float) -> float:
    """How far the network's reading of a line, `length` times as long as high, can be believed."""
    characters = len(reading.text.replace(" ", ""))
    return reading.confidence * min(1.0, characters / (_DENSE * length))
