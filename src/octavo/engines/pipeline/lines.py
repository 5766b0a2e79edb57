"""A text line on the upright page, whichever way it was read, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from octavo.document import Box, Line, Word
from octavo.engines.pipeline.picture import Upright
from octavo.engines.pipeline.recognition import Reading


@dataclass(frozen=True)
class TextLine:
    """`box` is in pixels of the upright page; so are those of the words. `reader` is empty for a text layer's lines."""

    text: str
    box: Box
    confidence: float = 1.0
    words: tuple[Word, ...] = ()
    lang: str = ""
    reader: Literal["", "network", "tesseract"] = ""

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
    return TextLine(text.strip(), box, reading.confidence, tuple(words), reader="network")


def from_words(words: Iterable[tuple[str, float, float, float]], box: Box, *, vertical: bool) -> TextLine:
    """A line of words, each with where it begins and ends along the line, 0 to 1, and its confidence."""
    placed = tuple(Word(text, _part(box, low, high, vertical), score) for text, low, high, score in words)
    letters = sum(len(word.text) for word in placed)
    confidence = sum(word.confidence * len(word.text) for word in placed) / letters if letters else 0.0
    return TextLine(" ".join(word.text for word in placed), box, confidence, placed, reader="tesseract")


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
            tuple(_placed(word, page) for word in line.words),
            line.lang,
        )
        for line in lines
    )


def _placed(word: Word, page: Upright) -> Word:
    box = page.box(word.box)
    if box == word.box and word.confidence == 1:
        return word  # making them anew is a fifth of what a page with text of its own costs
    return replace(word, box=box, confidence=round(word.confidence, 4))


def bounds(boxes: Iterable[Box]) -> Box:
    """The box around all boxes."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))
