"""What the parts of a page are: the PicoDet layout network trained on CDLA (ten classes)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from octavo.document import Box, Kind
from octavo.engines.pipeline.picture import blob, resized

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.pipeline.runtime import Network

_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_HEIGHT, _WIDTH = 800, 608
_STRIDES = (8, 16, 32, 64)
_SCORE, _IOU = 0.45, 0.5
_KINDS = (
    Kind.TEXT,
    Kind.HEADING,
    Kind.FIGURE,
    Kind.CAPTION,
    Kind.TABLE,
    Kind.CAPTION,
    Kind.HEADER,
    Kind.FOOTER,
    Kind.REFERENCE,
    Kind.FORMULA,
)


@dataclass(frozen=True)
class Region:
    """A part of the page in pixels of the picture that was looked at."""

    kind: Kind
    box: Box
    score: float


def regions(network: Network, pixels: Pixels, size: tuple[int, int]) -> list[Region]:
    """The regions of an upright page, best first, those of one class not overlapping much.

    `pixels` (HxWx3) may show the page smaller than it is; boxes come back for `size`, its width and height.
    """
    outputs = network.run(blob(resized(pixels, _WIDTH, _HEIGHT), _MEAN, _STD))
    found = []
    scale = np.array((size[0] / _WIDTH, size[1] / _HEIGHT) * 2)
    for level, stride in enumerate(_STRIDES):
        scores, distribution = outputs[level][0], outputs[level + len(_STRIDES)][0]
        keep = np.flatnonzero(scores.max(axis=1) > _SCORE)
        if len(keep):
            boxes = _boxes(distribution[keep], keep, stride)
            found.append(np.hstack([boxes, scores[keep]]))
    if not found:
        return []
    candidates = np.vstack(found)
    result = []
    for index, kind in enumerate(_KINDS):
        score = candidates[:, 4 + index]
        chosen = candidates[score > _SCORE]
        for row in _suppressed(chosen[:, :4], score[score > _SCORE]):
            x0, y0, x1, y1 = (row[:4] * scale).tolist()
            result.append(Region(kind, (x0, y0, x1, y1), float(row[4])))
    return sorted(result, key=lambda region: -region.score)


def _boxes(distribution: NDArray[np.float32], cells: NDArray[np.intp], stride: int) -> NDArray[np.float32]:
    """Boxes from the four sides' distance distributions (generalised focal loss, Li et al. 2020)."""
    bins = distribution.shape[1] // 4
    logits = distribution.reshape(-1, bins)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    distance = (weights @ np.arange(bins, dtype=np.float32) / weights.sum(axis=1)).reshape(-1, 4) * stride
    columns = -(-_WIDTH // stride)
    x, y = (cells % columns + 0.5) * stride, (cells // columns + 0.5) * stride
    boxes = np.stack([x - distance[:, 0], y - distance[:, 1], x + distance[:, 2], y + distance[:, 3]], axis=1)
    return np.asarray(np.clip(boxes, 0, (_WIDTH, _HEIGHT, _WIDTH, _HEIGHT)), np.float32)


def _suppressed(boxes: NDArray[np.float32], scores: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Greedy non-maximum suppression; rows of x0, y0, x1, y1, score."""
    kept: list[NDArray[np.float32]] = []
    for i in np.argsort(-scores):
        box = boxes[i]
        if all(_iou(box, other) <= _IOU for other in kept):
            kept.append(np.append(box, scores[i]))
    return kept


def _iou(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return float(shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared))
