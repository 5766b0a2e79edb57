"""Pages drawn for the tests, with what stands on them and where."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from octavo.document import Box, Line, Page, PageResult, TextLayer, Word

PROSE = (
    "The quick brown fox jumps over the lazy dog near",
    "a river bank, while every page that went inside",
    "comes out again. Nothing is lost or invented by",
    "this small reader of quiet documents. Numbers such",
    "as 1984 and 2026 should also be kept unchanged.",
)
RUSSIAN = ("Все люди рождаются свободными", "и равными в своём достоинстве")


@dataclass(frozen=True)
class Drawn:
    """A picture and the words on it with their boxes in its pixels; the words of a line share its number."""

    image: Image.Image
    words: tuple[tuple[int, str, Box], ...] = ()

    @property
    def text(self) -> str:
        return " ".join(text for _, text, _ in self.words)

    def turned(self, degrees: int) -> Drawn:
        """The same, lying: turned clockwise by 90, 180 or 270 degrees."""
        width, height = self.image.size
        moved = {
            90: lambda x, y: (height - y, x),
            180: lambda x, y: (width - x, height - y),
            270: lambda x, y: (y, width - x),
        }[degrees]
        image = self.image.rotate(-degrees, expand=True)
        return Drawn(image, tuple((n, text, _around(box, moved)) for n, text, box in self.words))

    def skewed(self, degrees: float) -> Drawn:
        """The same with lines that fall to the right, turned about the middle."""
        x0, y0 = self.image.width / 2, self.image.height / 2
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

        def moved(x: float, y: float) -> tuple[float, float]:
            return x0 + (x - x0) * cos - (y - y0) * sin, y0 + (x - x0) * sin + (y - y0) * cos

        image = self.image.rotate(-degrees, resample=Image.Resampling.BICUBIC, fillcolor=(255, 255, 255))
        return Drawn(image, tuple((n, text, _around(box, moved)) for n, text, box in self.words))

    def page(self, number: int = 1, dpi: float = 0, layer: TextLayer | None = None) -> Page:
        """A page in pixels, or in points where the picture's dpi is given."""
        pixels = np.asarray(self.image.convert("RGB"))
        size = self.image.width, self.image.height
        if dpi:
            return Page(number, size[0] * 72 / dpi, size[1] * 72 / dpi, "pt", lambda _: pixels, layer)
        return Page(number, *map(float, size), "px", lambda _: pixels, layer)

    def layer(self, dpi: float, *, visible: bool = True, image_cover: float = 0.0) -> TextLayer:
        """A text layer that says what is drawn, in points."""
        lines: dict[int, list[Word]] = {}
        for number, text, box in self.words:
            x0, y0, x1, y1 = (side * 72 / dpi for side in box)
            lines.setdefault(number, []).append(Word(text, (x0, y0, x1, y1)))
        made = tuple(
            Line(" ".join(word.text for word in words), union([word.box for word in words]), words=tuple(words))
            for words in lines.values()
        )
        return TextLayer(made, visible, image_cover)


def draw(
    lines: Sequence[str] = PROSE,
    size: tuple[int, int] = (1000, 560),
    px: int = 32,
    at: tuple[int, int] = (60, 80),
    step: int = 0,
    font: Path | None = None,
) -> Drawn:
    """Black lines of text on white, `step` pixels apart (1.7 times their size unless given)."""
    face = ImageFont.truetype(font, px) if font else ImageFont.load_default(px)
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    words = []
    for number, line in enumerate(lines):
        x, y = float(at[0]), float(at[1] + number * (step or int(1.7 * px)))
        for text in line.split():
            pen.text((x, y), text, font=face, fill="black")
            x0, y0, x1, y1 = pen.textbbox((x, y), text, font=face)
            words.append((number, text, (float(x0), float(y0), float(x1), float(y1))))
            x += pen.textlength(text + " ", font=face)
    return Drawn(image, tuple(words))


def both(first: Drawn, second: Drawn) -> Drawn:
    """The second below the first, as one picture."""
    image = Image.new("RGB", (first.image.width, first.image.height + second.image.height), "white")
    image.paste(first.image, (0, 0))
    image.paste(second.image, (0, first.image.height))
    lines = 1 + max(number for number, _, _ in first.words)
    down = first.image.height
    below = tuple((n + lines, text, (x0, y0 + down, x1, y1 + down)) for n, text, (x0, y0, x1, y1) in second.words)
    return Drawn(image, first.words + below)


def replaced(drawn: Drawn, words: Sequence[str]) -> Drawn:
    """The same picture with other words said to stand on it."""
    told = zip(drawn.words, words, strict=True)
    return replace(drawn, words=tuple((number, text, box) for (number, _, box), text in told))


def union(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def text_of(result: PageResult) -> str:
    return " ".join(block.text for block in result.blocks)


def alike(told: str, wanted: str) -> float:
    """How alike two texts are, 0 to 1, going by their letters and digits."""
    a, b = (re.sub(r"\W", "", text).casefold() for text in (told, wanted))
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def dejavu() -> Path:
    """A font with Cyrillic letters; skips the test where it is not installed."""
    for folder in ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu-sans-fonts"):
        path = Path(folder) / "DejaVuSans.ttf"
        if path.is_file():
            return path
    pytest.skip("the font DejaVu Sans is not installed (Debian: fonts-dejavu-core)")


def _around(box: Box, moved) -> Box:  # type: ignore[no-untyped-def]
    x0, y0, x1, y1 = box
    corners = [moved(x, y) for x in (x0, x1) for y in (y0, y1)]
    return union([(x, y, x, y) for x, y in corners])
