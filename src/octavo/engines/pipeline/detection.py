"""Where the text lines are: the PP-OCRv6 detection network and its post-processing.

The network gives a probability per pixel that it belongs to a shrunken text line (differentiable binarisation,
Liao et al. 2020); each connected region is grown back by the ratio the network was trained with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.engines.pipeline.picture import blob, resized

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.pipeline.runtime import Network

_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_THRESHOLD, _BOX_THRESHOLD, _UNCLIP = 0.2, 0.45, 1.4  # the network's own inference settings
_CANDIDATES = 3000
_SMALLEST = 3  # px of the shrunken line in the network's picture

SIDE_LIMIT = 2560  # px; larger pictures are read in tiles
_OVERLAP = 256  # px; more than the height of any line of ordinary text


@dataclass(frozen=True)
class Found:
    """A text line as found: the corners of its rotated box (4x2, from top left, clockwise) and the score."""

    corners: NDArray[np.float32]
    score: float

    @property
    def size(self) -> tuple[float, float]:
        """Length along the text's top edge and height, in pixels."""
        top, side = self.corners[1] - self.corners[0], self.corners[3] - self.corners[0]
        return float(np.hypot(*top)), float(np.hypot(*side))

    @property
    def angle(self) -> float:
        """Degrees by which the top edge falls to the right."""
        top = self.corners[1] - self.corners[0]
        return float(np.degrees(np.arctan2(top[1], top[0])))


def shrunk(pixels: Pixels, scale: float) -> Pixels:
    """The picture (HxWx3) resized by about `scale`, as the network takes it.

    Sides are multiples of 64: half as many shapes for the runtime to prepare as with the 32 that the network needs.
    """
    height, width = pixels.shape[:2]
    return resized(pixels, max(64, round(width * scale / 64) * 64), max(64, round(height * scale / 64) * 64))


def detect(network: Network, pixels: Pixels, scale: float) -> list[Found]:
    """All text lines in `pixels` (HxWx3), looked for in the picture resized by `scale`.

    In tiles where that is large.
    """
    height, width = pixels.shape[:2]
    if max(height, width) * scale <= SIDE_LIMIT:
        return detect_in(network, shrunk(pixels, scale), (width, height))
    step = int(SIDE_LIMIT / scale)
    overlap = int(_OVERLAP / scale)
    found: list[Found] = []
    for top in _starts(height, step, overlap):
        for left in _starts(width, step, overlap):
            tile = pixels[top : top + step, left : left + step]
            shift = np.array((left, top), np.float32)
            inside = detect_in(network, shrunk(tile, scale), (tile.shape[1], tile.shape[0]))
            found += [Found(f.corners + shift, f.score) for f in inside]
    return _merged(found)


def detect_in(network: Network, small: Pixels, size: tuple[int, int]) -> list[Found]:
    """All text lines in the shrunk picture `small`, in pixels of the picture of `size` (width, height) it shows."""
    probability = network.run(blob(small, _MEAN, _STD))[0][0, 0]
    back = np.array((size[0] / small.shape[1], size[1] / small.shape[0]), np.float32)
    return [Found(corners * back, score) for corners, score in _lines(probability)]


def _starts(length: int, step: int, overlap: int) -> list[int]:
    """Where tiles of `step` begin so that they cover `length` and neighbours share at least `overlap`."""
    if length <= step:
        return [0]
    count = -(-(length - overlap) // (step - overlap))
    return [round(i * (length - step) / (count - 1)) for i in range(count)]


def _lines(probability: NDArray[np.float32]) -> list[tuple[NDArray[np.float32], float]]:
    mask = (probability > _THRESHOLD).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    lines = []
    for contour in contours[:_CANDIDATES]:
        center, (w, h), angle = cv2.minAreaRect(contour)
        if min(w, h) < _SMALLEST:
            continue
        score = _score(probability, np.asarray(contour, np.int32))
        if score < _BOX_THRESHOLD:
            continue
        grow = 2 * (w * h * _UNCLIP) / (2 * (w + h))
        if min(w, h) + grow < _SMALLEST + 2:
            continue
        lines.append((_ordered(np.asarray(cv2.boxPoints((center, (w + grow, h + grow), angle)), np.float32)), score))
    return lines


def _score(probability: NDArray[np.float32], contour: NDArray[np.int32]) -> float:
    x, y, w, h = cv2.boundingRect(contour)
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, [contour - (x, y)], -1, 1, -1)
    return float(cv2.mean(probability[y : y + h, x : x + w], inside)[0])


def _ordered(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners from the top left, clockwise, where the top edge is the one nearest to level."""
    edges = corners[1] - corners[0], corners[3] - corners[0]
    along, down = sorted(edges, key=lambda edge: abs(edge[1]) - abs(edge[0]))
    along, down = along * (1 if along[0] >= 0 else -1), down * (1 if down[1] >= 0 else -1)
    middle = corners.mean(axis=0)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([middle + (a * along + b * down) / 2 for a, b in signs], np.float32)


def _merged(found: list[Found]) -> list[Found]:
    """Lines of overlapping tiles: of two that show the same piece of text the longer one stays."""
    kept: list[Found] = []
    boxes: list[tuple[float, float, float, float]] = []
    for line in sorted(found, key=lambda f: -f.size[0]):
        (x0, y0), (x1, y1) = line.corners.min(axis=0), line.corners.max(axis=0)
        area = max(1e-6, (x1 - x0) * (y1 - y0))
        covered = (
            max(0.0, min(x1, b[2]) - max(x0, b[0])) * max(0.0, min(y1, b[3]) - max(y0, b[1])) / area for b in boxes
        )
        if not any(share > 0.5 for share in covered):
            kept.append(line)
            boxes.append((x0, y0, x1, y1))
    return kept
