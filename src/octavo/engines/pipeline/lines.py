"""A text line on the upright page, whichever way it was read, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from octavo.document import Box, Line, Word
from octavo.engines.pipeline.picture import Upright
from octavo.engines.pipeline.recognition import Reading


@dataclass(frozen=True)
class TextLine:
    """`box` is in pixels of the upright page; so are those of the words."""

    text: str
    box: Box
    confidence: float = 1.0
    words: tuple[Word, ...] = ()
    lang: str = ""

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def from_reading(reading: Reading, box: Box, *, vertical: bool) -> TextLine:
    """A recognised line with its words placed along it by the places of their characters."""
    words: list[Word] = []
    text, places = reading.text, reading.positions
    start = 0
    while start < len(text):
        if text[start] == " ":
            start += 1
            continue
        end = text.find(" ", start)
        end = len(text) if end < 0 else end
        # A word reaches halfway to its neighbours' characters.
        low = (places[start] + places[start - 1]) / 2 if start else 0.0
        high = (places[end - 1] + places[end]) / 2 if end < len(text) else 1.0
        scores = reading.confidences[start:end]
        words.append(Word(text[start:end], _part(box, low, high, vertical), sum(scores) / len(scores)))
        start = end
    return TextLine(text.strip(), box, reading.confidence, tuple(words))


def _part(box: Box, low: float, high: float, vertical: bool) -> Box:
    x0, y0, x1, y1 = box
    if vertical:
        return (x0, y0 + (y1 - y0) * low, x1, y0 + (y1 - y0) * high)
    return (x0 + (x1 - x0) * low, y0, x0 + (x1 - x0) * high, y1)


def placed(lines: Iterable[TextLine], page: Upright) -> tuple[Line, ...]:
    """The lines in page units as displayed."""
    return tuple(
        Line(
            line.text,
            page.box(line.box),
            round(line.confidence, 4),
            tuple(replace(word, box=page.box(word.box), confidence=round(word.confidence, 4)) for word in line.words),
            line.lang,
        )
        for line in lines
    )


def bounds(boxes: Iterable[Box]) -> Box:
    """The box around all boxes."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))
