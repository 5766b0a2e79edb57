"""Pixels of a page that was set here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from octavo.intake import fonts
from octavo.intake.line_setting import is_rtl, pieces, set_words
from octavo.intake.page_setting import HEIGHT, WIDTH, SetLine, SetPage

if TYPE_CHECKING:
    from octavo.document import Pixels

_BASELINE = 0.74  # of the distance of lines, from the top: fonts reach about 3 times as far up as down
_BORDER = 120  # grey of table borders


def draw(page: SetPage) -> Pixels:
    """HEIGHT x WIDTH x 3, RGB: black text on white."""
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    canvas = ImageDraw.Draw(image)
    for cell in page.cells:
        canvas.rectangle(cell.box, outline=_BORDER)
    for line in page.lines:
        _draw_line(canvas, line)
    return np.repeat(np.asarray(image)[:, :, None], 3, axis=2)


def _draw_line(canvas: ImageDraw.ImageDraw, line: SetLine) -> None:
    baseline = line.y + line.look.leading * _BASELINE
    for word in set_words(line.text, line.start, line.end, line.room, line.look, line.rtl):
        parts = pieces(word.text, line.look.style)
        x = line.x + word.x
        for face, part in reversed(parts) if is_rtl(word.text) else parts:
            font = fonts.font(face, line.look.size)
            canvas.text((x, baseline), part, fill=0, font=font, anchor="ls")
            x += font.getlength(part)
