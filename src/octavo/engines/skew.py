"""How far a page's text lines are from level, told from its pixels alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from octavo.document import Pixels

LARGEST = 10.0  # degrees
_SIDE = 1000  # px of the picture that is looked at; lines of small print are still apart in it
_COARSE, _FINE = 0.5, 0.1  # degrees between the angles tried
_CLEAR = 1.5  # times the score at level that a skew must reach; pictures and noise have no clear angle


def skew_of(pixels: Pixels) -> float:
    """Degrees by which text on an upright page (HxWx3) falls to the right, -10 to 10; 0 where none is to be seen.

    At the right angle, rows of ink and rows of paper are told apart best: the sum of squared differences between
    neighbouring rows' ink is largest (Postl, Detection of linear oblique structures, 1986).
    """
    ink = _edges(pixels, _SIDE)
    coarse = _best(_edges(pixels, _SIDE // 2), np.arange(-LARGEST, LARGEST + _COARSE, _COARSE))
    best = _best(ink, np.arange(coarse - _COARSE, coarse + _COARSE + _FINE, _FINE))
    clear = _score(ink, best) > _CLEAR * _score(ink, 0.0)
    return round(best, 1) + 0.0 if clear else _small(best)


def _edges(pixels: Pixels, side: int) -> NDArray[np.float32]:
    """Edges rather than dark pixels: white letters on black count too, shadows of a page's fold do not."""
    height, width = pixels.shape[:2]
    # Receipts are long and narrow: their letters must not vanish; and OpenCV warps no side over 32,767 px.
    scale = min(1.0, max(side / max(height, width), side / 2 / min(height, width)), 8 * side / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    return cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(np.float32)


def _small(angle: float) -> float:
    """Small angles are hardly better than level ones, and still right."""
    return round(angle, 1) + 0.0 if abs(angle) <= 1 else 0.0


def _best(ink: NDArray[np.float32], angles: NDArray[np.float64]) -> float:
    return float(max(angles, key=lambda angle: _score(ink, float(angle))))


def _score(ink: NDArray[np.float32], angle: float) -> float:
    height, width = ink.shape
    slope = np.tan(np.radians(angle))
    # Shearing is enough: columns are moved up by what the lines have fallen there.
    shear = np.array(((1, 0, 0), (-slope, 1, slope * width / 2)), np.float64)
    level = cv2.warpAffine(ink, shear, (width, height), flags=cv2.INTER_LINEAR)
    rows = level.sum(axis=1)
    return float(np.square(np.diff(rows)).sum())
