"""Lines and pages for tests of what is made of them."""

from __future__ import annotations

import numpy as np

from octavo.document import Box, Word
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.picture import upright

WIDTH, HEIGHT = 1000, 1400
PAGE = upright(np.zeros((HEIGHT, WIDTH, 3), np.uint8), 0, (WIDTH, HEIGHT))
PROSE = "words of a line that is long enough to be prose"


def line(text: str, x: float, y: float, width: float = 0, height: float = 20, style: str = "") -> TextLine:
    """A line with nine pixels a letter; `style` is that of all its words."""
    box = (x, y, x + (width or 9 * len(text)), y + height)
    words = tuple(Word(word, box, style=style) for word in text.split())
    return TextLine(text, box, 0.9, words)


def paragraph(x: float, y: float, lines: int, width: float = 420, height: float = 20) -> list[TextLine]:
    return [line(f"{PROSE} {int(x)}.{i}", x, y + 1.5 * height * i, width, height) for i in range(lines)]


def around(lines: list[TextLine], by: float = 5) -> Box:
    x0, y0, x1, y1 = bounds(line.box for line in lines)
    return x0 - by, y0 - by, x1 + by, y1 + by
