"""The glyphs in the picture of a formula: connected ink, and the parts of one sign put together.

Boxes are in pixels of the picture, measured to the ink's edges. Nothing is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.document import Box
from octavo.engines.pipeline.lines import bounds

if TYPE_CHECKING:
    from octavo.document import Pixels

    Mask = NDArray[np.bool_]

_FAINT, _FAINT_SHARP = (
    0.25,
    0.3,
)  # of the way from paper to ink: hairlines of letters, thinner than a pixel, are still connected
_CONTRAST = 40  # shades between paper and ink that a picture with anything in it has
_SPECK = 3  # px of ink; smaller ones are dust
_BAR = 2.3  # times its height: a glyph so wide and solid is a bar
_DOT = 0.45  # of the usual glyph's height, at most


@dataclass(frozen=True)
class Glyph:
    """`mask` is its ink (height x width), `shades` the same place as grey, 0 black to 255 paper, nothing else on it."""

    box: Box
    mask: Mask
    shades: NDArray[np.uint8]
    parts: tuple[Glyph, ...] = ()  # what it was put together from

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def is_bar(self) -> bool:
        """A straight horizontal stroke: a minus, the line of a fraction, a line over something."""
        if self.width < _BAR * self.height:
            return False
        rows = self.mask.mean(axis=1)
        # Enlarged, a long line has ragged edges.
        return bool(rows.mean() > 0.7 or (self.width > 6 * self.height and rows.max() > 0.9 and rows.mean() > 0.55))


def glyphs(pixels: Pixels, *, sharpened: bool = False) -> list[Glyph]:
    """The glyphs in a picture (HxWx3) of dark ink on light paper or the reverse, from left to right.

    `sharpened`: for blurred pictures, whose letters run into each other; it breaks the thin strokes of clear ones.
    """
    grey = shades(pixels)
    if grey is None:
        return []
    found = _connected(grey, sharpened=sharpened)
    return sorted(_put_together(found), key=lambda glyph: glyph.box[0])


def shades(pixels: Pixels) -> NDArray[np.uint8] | None:
    """The picture in grey, its ink 0 and its paper 255; None where there is nothing on it."""
    if pixels.size == 0:
        return None
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    if np.median(grey) < 128:
        grey = 255 - grey
    paper = float(np.percentile(grey, 70))
    darkest = min(grey.size, 20) - 1  # the picture may be nearly empty: no share of it is ink for certain
    ink = float(np.partition(grey, darkest, axis=None)[darkest])
    if paper - ink < _CONTRAST:
        return None
    return np.asarray(np.clip((grey - ink) * (255 / (paper - ink)), 0, 255), np.uint8)


def _connected(grey: NDArray[np.uint8], *, sharpened: bool) -> list[Glyph]:
    if sharpened:
        ink = 2 * grey.astype(np.float32) - cv2.GaussianBlur(grey, (0, 0), 1.5) < 255 * (1 - _FAINT_SHARP)
    else:
        ink = grey < 255 * (1 - _FAINT)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    height, width = grey.shape
    found = []
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        if area < _SPECK:
            continue
        # With a pixel around it: the grey edges belong to the glyph too.
        x0, y0, x1, y1 = max(0, x - 1), max(0, y - 1), min(width, x + w + 1), min(height, y + h + 1)
        own = labels[y0:y1, x0:x1] == label
        near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        others = ink[y0:y1, x0:x1] & ~own
        clean = np.where(near & ~others, grey[y0:y1, x0:x1], np.uint8(255))
        found.append(Glyph((x, y, x + w, y + h), labels[y : y + h, x : x + w] == label, clean))
    return found


def _put_together(found: list[Glyph]) -> list[Glyph]:
    usual = _usual_height(found)
    return _dotted(_underlined(_stacked(found, usual), usual), usual)


def _usual_height(found: Sequence[Glyph]) -> float:
    heights = sorted(g.height for g in found if not g.is_bar and g.height > 3)
    return heights[int(0.65 * len(heights))] if heights else 1.0


def _stacked(found: list[Glyph], usual: float) -> list[Glyph]:
    """Two or three strokes of one length close under each other as one sign: =, ≡ and ≈."""
    strokes = sorted((g for g in found if g.width > 1.8 * g.height and g.height < 0.6 * usual), key=lambda g: g.box[1])
    piles: list[list[Glyph]] = []
    for stroke in strokes:
        for pile in piles:
            last = pile[-1]
            level = abs(stroke.box[0] - last.box[0]) + abs(stroke.box[2] - last.box[2]) < 0.3 * last.width
            near = 0 < stroke.box[1] - last.box[3] < min(0.8 * last.width, 0.8 * usual)
            if level and near and len(pile) < 3:
                pile.append(stroke)
                break
        else:
            piles.append([stroke])
    piles = [pile for pile in piles if len(pile) > 1 and not _between(pile, found)]
    return _replaced(found, piles)


def _underlined(found: list[Glyph], usual: float) -> list[Glyph]:
    """Signs with a bar of their own width right under them, and nothing under it: ≤, ≥, ± and the like."""
    pairs = []
    for bar in (g for g in found if g.is_bar and g.width < 2 * usual):
        x0, _, x1, y1 = bar.box
        hanging = [g for g in found if x0 - 1 < g.middle[0] < x1 + 1 and 0 < g.box[1] - y1 + 1 < 1.2 * usual]
        above = [
            g
            for g in found
            if not g.is_bar
            and not g.parts
            and 0.75 < g.width / bar.width < 1.3
            and abs(g.middle[0] - bar.middle[0]) < 0.2 * bar.width
            and -0.1 * usual < bar.box[1] - g.box[3] < 0.35 * bar.width
        ]
        if above and not hanging:
            pairs.append([above[0], bar])
    return _replaced(found, pairs)


def _replaced(found: list[Glyph], groups: Sequence[list[Glyph]]) -> list[Glyph]:
    gone = {id(glyph) for group in groups for glyph in group}
    return [g for g in found if id(g) not in gone] + [together(group) for group in groups]


def _between(pile: list[Glyph], found: list[Glyph]) -> bool:
    """Whether something stands between the bars: then they are lines of fractions."""
    x0, y0, x1, y1 = bounds(bar.box for bar in pile)
    others = [glyph for glyph in found if not glyph.is_bar and not any(glyph is bar for bar in pile)]
    return any(x0 < glyph.middle[0] < x1 and y0 < glyph.middle[1] < y1 for glyph in others)


def _dotted(found: list[Glyph], usual: float) -> list[Glyph]:
    """Dots put to what they belong to: the letters i and j, the colon, the semicolon and the exclamation mark."""
    dots = [g for g in found if max(g.width, g.height) <= _DOT * usual and 0.4 < g.width / g.height < 2.2]
    gone: set[int] = set()
    pairs: list[list[Glyph]] = []
    for dot in sorted(dots, key=lambda g: g.box[1]):
        if id(dot) in gone:
            continue
        mates = [g for g in found if g is not dot and id(g) not in gone and _mates(dot, g, usual)]
        if mates:
            mate = min(mates, key=lambda g: abs(g.middle[1] - dot.middle[1]))
            gone |= {id(dot), id(mate)}
            pairs.append([dot, mate])
    return _replaced(found, pairs)


def _mates(dot: Glyph, other: Glyph, usual: float) -> bool:
    """Whether `other` is the stem under a dot, or the dot or comma under it."""
    x = dot.middle[0]
    narrow = not other.is_bar and not other.parts
    # The dot of an italic letter leans to the right of its stem.
    above = narrow and other.box[0] - dot.width < x < other.box[2] + dot.width
    gap = other.box[1] - dot.box[3]
    is_stem = other.height > 1.5 * dot.height and other.width < 0.95 * other.height and gap < 0.6 * other.height
    is_point = other.height < 3 * dot.height and other.width < 2 * dot.width and gap < 1.1 * usual
    return above and gap > 0 and (is_stem or is_point)


def together(parts: Sequence[Glyph]) -> Glyph:
    """Several glyphs as one."""
    x0, y0, x1, y1 = (int(v) for v in bounds(part.box for part in parts))
    mask = np.zeros((y1 - y0, x1 - x0), np.bool_)
    grey = np.full((y1 - y0 + 2, x1 - x0 + 2), 255, np.uint8)
    for part in parts:
        x, y = int(part.box[0]) - x0, int(part.box[1]) - y0
        h, w = part.mask.shape
        mask[y : y + h, x : x + w] |= part.mask
        inner = part.shades if part.shades.shape == (h + 2, w + 2) else np.pad(part.shades, 1, constant_values=255)
        inner = inner[: h + 2, : w + 2]
        place = grey[y : y + inner.shape[0], x : x + inner.shape[1]]
        np.minimum(place, inner[: place.shape[0], : place.shape[1]], out=place)
    return Glyph((x0, y0, x1, y1), mask, grey, tuple(parts))
