"""Bullets of scanned lists: detection networks pass over them, and recognition never sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from octavo.document import Box, Word
from octavo.engines.pipeline.lines import TextLine

if TYPE_CHECKING:
    from octavo.document import Pixels

_REACH, _CLEAR = 3.0, 0.1  # of a line's height: how far before the line a bullet may stand, and how near
_SMALL, _LARGE = 0.12, 0.65  # of a line's height: a bullet's size
_OFF_MIDDLE = 0.3  # of a line's height
_CONTRAST = 60  # shades between paper and bullet
_FILLED = 0.6  # of its box; letters and rings are less, a circle is 0.79
_SAME_PLACE = 0.5  # of a line's height: bullets of one list stand below each other
_SIGNS = ("•", "◦", "▪", "■", "●", "○", "-", "–", "·")


def added(pixels: Pixels, lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines, with "• " before those that have a bullet in the upright page's `pixels` (HxWx3).

    A mark counts where another line has one at the same place, seen here or read as text: one alone may be dirt.
    """
    boxes = np.array([line.box for line in lines]) if lines else np.zeros((0, 4))
    found = {index: mark for index, line in enumerate(lines) if (mark := _mark(pixels, line, boxes)) is not None}
    places = [mark[0] for mark in found.values()]
    places += [line.box[0] for line in lines if line.text.startswith(_SIGNS)]
    return [
        _with_bullet(line, found[index])
        if index in found and sum(abs(x - found[index][0]) < _SAME_PLACE * line.height for x in places) > 1
        else line
        for index, line in enumerate(lines)
    ]


def _with_bullet(line: TextLine, mark: Box) -> TextLine:
    box = (mark[0], line.box[1], line.box[2], line.box[3])
    return replace(line, text=f"• {line.text}", box=box, words=(Word("•", mark, line.confidence), *line.words))


def _mark(pixels: Pixels, line: TextLine, boxes: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Box | None:
    """The box of the one compact mark before a level line, with nothing else around it."""
    height = line.height
    if line.width < 2 * height or line.text.startswith(_SIGNS):
        return None
    x0, x1 = int(max(0, line.box[0] - _REACH * height)), int(line.box[0] - _CLEAR * height)
    y0, y1 = int(max(0, line.box[1])), int(line.box[3])
    beside = (
        (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1 - 0.2 * height) & (boxes[:, 3] > y0 + 0.2 * height)
    )
    if beside.any():  # another line: nearer than that no bullet is looked for
        x0 = max(x0, int(boxes[beside, 2].max()) + 1)
    if x1 - x0 < _SMALL * height or y1 - y0 < 4:
        return None
    window = cv2.cvtColor(pixels[y0:y1, x0:x1], cv2.COLOR_RGB2GRAY)
    paper = int(np.median(window))
    ink = (np.abs(window.astype(np.int16) - paper) > _CONTRAST).astype(np.uint8)
    if not ink.any():
        return None
    count, _, stats, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    parts = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > 0.004 * height * height]
    if len(parts) != 1:
        return None
    left, top, wide, high, area = (int(value) for value in stats[parts[0]])
    fits = _SMALL * height <= min(wide, high) and max(wide, high) <= _LARGE * height and wide < 1.6 * high < 2.5 * wide
    level = abs(float(middles[parts[0]][1]) - (y1 - y0) / 2) <= _OFF_MIDDLE * height
    whole = left > 0 and top > 0 and left + wide < x1 - x0 and top + high < y1 - y0
    if not (fits and level and whole and area >= _FILLED * wide * high):
        return None
    return (float(x0 + left), float(y0 + top), float(x0 + left + wide), float(y0 + top + high))
