"""A page's picture with what was read drawn on it: blocks, their kinds and order, cells, and a line along the order."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from octavo.document import Block, Box, Kind, PageResult

if TYPE_CHECKING:
    from octavo.document import Pixels

LONGEST = 2000  # px of the drawn page; more is for no eye

_COLOURS = {
    Kind.TITLE: "#b00020",
    Kind.HEADING: "#d1495b",
    Kind.TEXT: "#1f6feb",
    Kind.LIST_ITEM: "#0a8f8f",
    Kind.TABLE: "#2da44e",
    Kind.FIGURE: "#8250df",
    Kind.CAPTION: "#bf3989",
    Kind.FORMULA: "#c06000",
    Kind.CODE: "#4a4a4a",
    Kind.HEADER: "#8c959f",
    Kind.FOOTER: "#8c959f",
    Kind.PAGE_NUMBER: "#8c959f",
    Kind.FOOTNOTE: "#9a6700",
    Kind.REFERENCE: "#6e5494",
    Kind.SEAL: "#e00000",
}


def drawn(result: PageResult, pixels: Pixels) -> Image.Image:
    """The page as displayed (`pixels`, HxWx3) with its blocks drawn over it, at most LONGEST high and wide."""
    picture = Image.fromarray(pixels)
    picture.thumbnail((LONGEST, LONGEST))
    picture = Image.blend(picture, Image.new("RGB", picture.size, "white"), 0.2)
    pen = ImageDraw.Draw(picture, "RGBA")
    scale = (picture.width / (result.width or 1.0), picture.height / (result.height or 1.0))
    width = max(1, round(max(picture.size) / 700))
    size = max(10, round(max(picture.size) / 90))
    font = ImageFont.load_default(size=size)
    boxes = [_scaled(block.box, scale) for block in result.blocks]
    for block, box in zip(result.blocks, boxes, strict=True):
        colour = _COLOURS[block.kind]
        pen.rectangle(box, outline=colour, fill=f"{colour}14", width=width)
        for cell in block.cells:
            pen.rectangle(_scaled(cell.box, scale), outline=f"{colour}90", width=1)
    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
    for start, end in pairwise(middles):
        pen.line((start, end), fill="#e3600080", width=width)
    for index, (block, (x0, y0, _, _)) in enumerate(zip(result.blocks, boxes, strict=True)):
        label = _label(index, block)
        top = max(0.0, y0 - size)
        pen.rectangle(pen.textbbox((x0, top), label, font=font), fill="#ffffffd0")
        pen.text((x0, top), label, fill=_COLOURS[block.kind], font=font)
    return picture


def _label(index: int, block: Block) -> str:
    level = f" {block.level}" if block.level else ""
    target = f" to {block.target + 1}" if block.target is not None else ""
    return f"{index + 1} {block.kind.value}{level}{target}"


def _scaled(box: Box, scale: tuple[float, float]) -> Box:
    x0, y0, x1, y1 = box
    return (x0 * scale[0], y0 * scale[1], max(x0, x1) * scale[0], max(y0, y1) * scale[1])
