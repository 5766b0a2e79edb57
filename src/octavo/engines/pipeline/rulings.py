"""Straight rulings in a page's pixels: the borders of tables, underlines, the lines under running headers.

A ruling is a thin ridge, darker or lighter than what lies on both sides of it, that runs on far longer than the strokes
of letters do. It is looked for in a picture of at most 1,600 pixels, where the rulings of usual pages are one to four
pixels thick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine

if TYPE_CHECKING:
    from octavo.document import Pixels

    Bytes = NDArray[np.uint8]
    Boxes = NDArray[np.float64]  # rows of x0, y0, x1, y1

_SIDE = 1600  # px of the picture that is looked at
_REACHES = (4, 8)  # px to both sides at which the ground is looked at: for thin rulings and for bold ones
_CONTRAST = 10  # grey levels between a ruling and its ground
_STRIDE, _SLOPE = 8, 0.07  # px at a time by which a ruling is followed, and how far off its level it may lead
_GAP = 5  # px between the dots of a dotted ruling, or left by a break
_SHORTEST = 26  # px of a ruling, and 3 % of the picture's longer side at most
_THICKEST, _DOTTED = 8, 4  # px, for solid and for dotted ones: less than letters are high
_THIN = 5  # px of one that may run through letters
_PIECE = 32  # px; a tilted or bent ruling is handed out in pieces of this length, each a thin box
_EVEN = 0.45  # of its median contrast a solid ruling keeps nearly everywhere; rows of letters don't
_WHOLLY = 0.95  # share of a part of letters that lies along its line; rulings go on beyond the text
_THROUGH = 0.3  # share of an uneven ruling that may run through words
_AROUND = 0.3  # of a line's height above and below it, where edges of letters still look like rulings


@dataclass(frozen=True)
class _Ruling:
    """A ruling that was seen, as the box around it and the thin boxes it consists of."""

    box: Box
    pieces: tuple[Box, ...]
    even: bool


def find(pixels: Pixels, lines: Sequence[TextLine]) -> tuple[Box, ...]:
    """Thin boxes of the rulings in `pixels` (HxWx3, upright), in those pixels, level ones first.

    A level ruling is one box, wider than high; an upright one is higher than wide. Tilted or bent rulings come in
    pieces that follow each other. `lines` is the page's text: strokes of its letters are no rulings.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    rows = np.array([line.box for line in lines], np.float64).reshape(-1, 4) * scale
    words = np.array([w.box for line in lines for w in line.words], np.float64).reshape(-1, 4) * scale
    if not len(words):
        words = rows
    level = _level(grey, rows, words, _AROUND)
    turned = (1, 0, 3, 2)
    across = _level(np.ascontiguousarray(grey.T), rows[:, turned], words[:, turned], 0.0)
    upright = [(x0, y0, x1, y1) for y0, x0, y1, x1 in across]
    return tuple((x0 / scale, y0 / scale, x1 / scale, y1 / scale) for x0, y0, x1, y1 in level + upright)


def _level(grey: Bytes, lines: Boxes, words: Boxes, around: float) -> list[Box]:
    """The thin boxes of the level rulings in a grey picture, those left out that are parts of letters.

    What runs through words, more than half `around` of their height away from their edges, has to be thin and even;
    what does not reach beyond the line that it lies in, or nearly lies in, is part of its letters.
    """
    seen = _seen(grey, max(12, min(_SHORTEST, round(0.03 * max(grey.shape)))))
    if not seen or not len(words):
        return [piece for ruling in seen for piece in ruling.pieces]
    boxes = np.array([ruling.box for ruling in seen])
    even = np.array([ruling.even for ruling in seen])
    through = _covered(boxes, words, -around / 2).sum(axis=1) > _THROUGH
    along = _covered(boxes, lines, around) > _WHOLLY
    kept = (even | ~through) & ~along.any(axis=1)
    found: list[list[Box]] = []
    for ruling in (ruling for ruling, keep in zip(seen, kept, strict=True) if keep):
        before = _followed(grey, ruling.pieces[0], -1) if ruling.even else []
        behind = _followed(grey, ruling.pieces[-1], 1) if ruling.even else []
        found.append([*before[::-1], *ruling.pieces, *behind])
    return _trimmed(found, words)


def _followed(grey: Bytes, piece: Box, way: int) -> list[Box]:
    """The dark ruling's way on beyond its first piece (`way` -1) or its last (1), as long as it keeps its shade.

    Between letters that nearly touch it from above or below, a ruling is no ridge.
    """
    x0, y0, x1, y1 = (int(value) for value in piece)
    height, width = grey.shape
    row = y0 + int(grey[y0:y1, x0:x1].mean(axis=1).argmin())
    shade = float(grey[row, x0:x1].mean())
    ground = min(float(grey[max(0, y0 - 4), x0:x1].mean()), float(grey[min(height - 1, y1 + 3), x0:x1].mean()))
    if ground - shade < 2 * _CONTRAST:
        return []
    limit = shade + 0.4 * (ground - shade)
    first, at = row, x1 if way > 0 else x0
    boxes: list[Box] = []
    while True:
        low, high = (at, at + _STRIDE) if way > 0 else (at - _STRIDE, at)
        far = abs(at - (x1 if way > 0 else x0))
        if low < 0 or high > width or row < 1 or row + 1 >= height or abs(row - first) > 2 + _SLOPE * far:
            return boxes
        window = grey[row - 1 : row + 2, low:high]
        if int((window.min(axis=0) <= limit).sum()) < _STRIDE - 1:
            return boxes
        row += int(window.sum(axis=1).argmin()) - 1
        at += way * _STRIDE
        boxes.append((low, row, high, row + 1))


def _trimmed(rulings: list[list[Box]], words: Boxes) -> list[Box]:
    """The pieces of the rulings, their ends cut off that lie in a word: a stroke of a letter that a ruling runs into
    carries it on."""
    if not rulings:
        return []
    ends = np.array([(r[0][0], r[0][1] + r[0][3], r[-1][2], r[-1][1] + r[-1][3]) for r in rulings])
    width, height = words[:, 2] - words[:, 0], words[:, 3] - words[:, 1]

    def inside(at: Boxes, double: Boxes) -> NDArray[np.bool_]:
        off = np.abs(double[:, None] - words[:, 1] - words[:, 3]) < 0.6 * height
        return off & (words[:, 0] + 0.1 * width < at[:, None]) & (at[:, None] < words[:, 2] - 0.1 * width)

    low = np.where(inside(ends[:, 0], ends[:, 1]), words[:, 2], -np.inf).max(axis=1)
    high = np.where(inside(ends[:, 2], ends[:, 3]), words[:, 0], np.inf).min(axis=1)
    return [
        (max(x0, first), y0, min(x1, last), y1)
        for ruling, first, last in zip(rulings, low.tolist(), high.tolist(), strict=True)
        for x0, y0, x1, y1 in ruling
        if min(x1, last) - max(x0, first) > 2
    ]


def _covered(rulings: Boxes, boxes: Boxes, around: float) -> Boxes:
    """For each level ruling and each box the share of the ruling's length in the box, where its height is the box's.

    `around` is the share of its height by which each box is made higher above and below.
    """
    middle = (rulings[:, 1] + rulings[:, 3])[:, None] / 2
    more = around * (boxes[:, 3] - boxes[:, 1])
    level = (boxes[:, 1] - more < middle) & (middle < boxes[:, 3] + more)
    ends = np.minimum(rulings[:, 2, None], boxes[:, 2]) - np.maximum(rulings[:, 0, None], boxes[:, 0])
    return np.asarray(np.clip(ends, 0, None) * level / np.maximum(1e-6, rulings[:, 2] - rulings[:, 0])[:, None])


def _seen(grey: Bytes, shortest: int) -> list[_Ruling]:
    """What looks like a level ruling of at least about `shortest` pixels in a grey picture."""
    strength = _strength(grey)
    ridges = np.asarray(cv2.threshold(strength, _CONTRAST, 255, cv2.THRESH_BINARY)[1], np.uint8)
    mask = _runs(ridges, shortest)
    # What is dotted or broken must go on for longer: the gaps of a text line close just as well.
    closed = np.asarray(cv2.morphologyEx(ridges, cv2.MORPH_CLOSE, np.ones((1, _GAP), np.uint8)), np.uint8)
    mask = _without_thick(mask | _without_thick(_runs(closed, 4 * shortest), _DOTTED), _THICKEST)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    seen = []
    for index in range(1, count):
        x, y, w, h, area = stats[index].tolist()
        if w < 0.75 * shortest or w < 4 * h:
            continue
        ink = labels[y : y + h, x : x + w] == index
        profile = (strength[y : y + h, x : x + w] * ink).max(axis=0)
        pieces = [(x, y, x + w, y + h)] if h <= 3 or area >= 0.85 * w * h else _pieces(ink, x, y)
        thin = bool(pieces) and median(y1 - y0 for _, y0, _, y1 in pieces) <= _THIN
        even = thin and w >= 2 * shortest and bool(np.mean(profile < _EVEN * np.median(profile)) < 0.1)
        if pieces:
            seen.append(_Ruling((x, y, x + w, y + h), tuple(pieces), even))
    return seen


def _strength(grey: Bytes) -> Bytes:
    """By how many grey levels the picture is darker, or lighter, than it is a few pixels above and below."""
    smooth = cv2.blur(grey, (3, 1))
    strength = np.zeros_like(grey)
    for reach in _REACHES:
        padded = cv2.copyMakeBorder(smooth, reach, reach, 0, 0, cv2.BORDER_REPLICATE)
        above, below = padded[: -2 * reach], padded[2 * reach :]
        dark = cv2.subtract(cv2.min(above, below), smooth)
        # The lightest within some pixels: a light ruling parts dark grounds, and not lines of dark letters.
        ground = cv2.dilate(cv2.max(above, below), np.ones((1, 11), np.uint8))
        strength = np.maximum(strength, np.maximum(dark, cv2.subtract(smooth, ground)))
    return strength


def _runs(mask: Bytes, shortest: int) -> Bytes:
    """Where the mask runs on level for `shortest` pixels, though it may step up or down by one at a time."""
    taller = cv2.dilate(mask, np.ones((3, 1), np.uint8))
    runs = cv2.morphologyEx(taller, cv2.MORPH_OPEN, np.ones((1, shortest), np.uint8))
    return np.minimum(mask, np.asarray(runs, np.uint8))


def _without_thick(mask: Bytes, thickest: int) -> Bytes:
    kernel = np.ones((thickest + 1, 1), np.uint8)
    # Not MORPH_OPEN: with a kernel of even height it shifts what it opens by a pixel.
    thick = cv2.dilate(cv2.erode(mask, kernel, anchor=(0, 0)), kernel, anchor=(0, thickest))
    return np.minimum(mask, ~np.asarray(thick, np.uint8))


def _pieces(ink: NDArray[np.bool_], left: int, top: int) -> list[Box]:
    """A ruling that does not fill its box, cut into thin ones; nothing where a piece is no thin one."""
    boxes: list[Box] = []
    for x in range(0, ink.shape[1], _PIECE):
        rows = np.flatnonzero(ink[:, x : x + _PIECE].any(axis=1))
        width = min(_PIECE, ink.shape[1] - x)
        if len(rows) and rows[-1] - rows[0] < _THICKEST + 2 and width > 2:
            boxes.append((left + x, top + int(rows[0]), left + x + width, top + int(rows[-1]) + 1))
    return boxes
