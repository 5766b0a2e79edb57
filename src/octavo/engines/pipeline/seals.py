"""Seals and stamps: round or square frames in a colour of their own, printed over the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from octavo.document import Kind
from octavo.engines.pipeline.layout import Region

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from octavo.document import Pixels

_SIDE = 800  # px, the longer side of the picture that is looked at
_SMALLEST, _LARGEST = 0.04, 0.3  # of the page's shorter side
_COLOURED = 60  # between a pixel's strongest and weakest channel
_SQUARE = 0.8  # shorter side by longer side, at least
_FRAMED = 0.85  # of the directions from the middle that meet ink near the edge
_SECTORS = 36
_FULL = 0.5  # of its box: more ink is a picture or a button


def find(pixels: Pixels) -> list[Region]:
    """Seals on an upright page (HxWx3), in its pixels."""
    height, width = pixels.shape[:2]
    step = max(1, max(height, width) // _SIDE)  # every so many pixels: frames are thick enough, and averaging is dear
    small = pixels[::step, ::step]
    # Red and blue are what seals are printed in; green and yellow are what photographs are full of.
    red, green, blue = (small[:, :, channel].astype(np.int16) for channel in range(3))
    found: list[Region] = []
    for ink in (red - np.maximum(green, blue), blue - np.maximum(red, green)):
        mask = (ink > _COLOURED).astype(np.uint8)
        if int(mask.sum()) >= 100:
            found += _framed(mask, step)
    return found


def _framed(mask: NDArray[np.uint8], step: int) -> list[Region]:
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    shorter = min(mask.shape)
    found = []
    for index in range(1, count):
        x, y, wide, high = (int(value) for value in stats[index][:4])
        in_size = _SMALLEST * shorter <= min(wide, high) and max(wide, high) <= _LARGEST * shorter
        if not in_size or min(wide, high) < _SQUARE * max(wide, high):
            continue
        part = mask[y : y + high, x : x + wide] * (labels[y : y + high, x : x + wide] == index)
        if part.mean() <= _FULL and _is_framed(part):
            box = (float(x * step), float(y * step), float((x + wide) * step), float((y + high) * step))
            found.append(Region(Kind.SEAL, box, 1.0))
    return found


def _is_framed(part: NDArray[np.uint8]) -> bool:
    """Whether ink stands near the edge in nearly all directions: of the circle, or of the box."""
    high, wide = part.shape
    rows, columns = np.nonzero(part)
    x, y = (columns + 0.5) / wide * 2 - 1, (rows + 0.5) / high * 2 - 1
    sectors = ((np.arctan2(y, x) + np.pi) / (2 * np.pi) * _SECTORS).astype(int) % _SECTORS
    for distance in (np.hypot(x, y), np.maximum(np.abs(x), np.abs(y))):
        near = (distance > 0.8) & (distance <= 1.05)
        if len(np.unique(sectors[near])) >= _FRAMED * _SECTORS and near.mean() > 0.2:
            return True
    return False
