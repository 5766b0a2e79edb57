"""From pixels to what a network takes, and the straightened page with its way back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.document import Box

if TYPE_CHECKING:
    from octavo.document import Pixels

Floats = NDArray[np.float32]


def blob(pixels: Pixels, mean: Sequence[float], std: Sequence[float]) -> Floats:
    """1x3xHxW float32 in BGR order, `(value / 255 - mean) / std`, as the PaddlePaddle networks are trained."""
    height, width = pixels.shape[:2]
    out = np.empty((1, 3, height, width), np.float32)
    for channel in range(3):
        plane = pixels[:, :, 2 - channel]
        np.multiply(plane, np.float32(1 / (255 * std[channel])), out=out[0, channel], casting="unsafe")
        out[0, channel] -= np.float32(mean[channel] / std[channel])
    return out


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture in another size: areas averaged where it shrinks, as that keeps thin strokes."""
    shrinks = width * height < pixels.shape[0] * pixels.shape[1]
    out = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(out, np.uint8)


@dataclass(frozen=True)
class Upright:
    """A page's pixels made upright and straight, and how to go back.

    `back` is the 2x3 matrix from upright pixels to page units as displayed; `rotation` and `skew` are in degrees.
    """

    pixels: Pixels
    back: NDArray[np.float64]
    page_size: tuple[float, float]  # width and height as displayed, in page units
    rotation: int = 0
    skew: float = 0.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; in page units where the page was not rendered."""
        if not self.pixels.size:
            return math.ceil(self.page_size[0]), math.ceil(self.page_size[1])
        return self.pixels.shape[1], self.pixels.shape[0]

    @cached_property
    def _in_page_units(self) -> bool:
        return not self.pixels.size and bool((self.back == np.eye(2, 3)).all())

    @cached_property
    def _matrix(self) -> tuple[float, ...]:
        # Plain floats: a page has hundreds of words, and for four corners numpy takes ten times as long.
        return tuple(self.back.ravel().tolist())

    def box(self, box: Sequence[float]) -> Box:
        """A box in upright pixels as the box around it on the displayed page, in page units."""
        x0, y0, x1, y1 = box
        width, height = self.page_size
        if self._in_page_units:
            return (max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height))
        a, b, c, d, e, f = self._matrix
        xs = (a * x0 + b * y0, a * x1 + b * y0, a * x1 + b * y1, a * x0 + b * y1)
        ys = (d * x0 + e * y0, d * x1 + e * y0, d * x1 + e * y1, d * x0 + e * y1)
        # The page's edges: a straightened picture has corners that the page has not.
        return (
            round(min(max(min(xs) + c, 0.0), width), 2),
            round(min(max(min(ys) + f, 0.0), height), 2),
            round(min(max(max(xs) + c, 0.0), width), 2),
            round(min(max(max(ys) + f, 0.0), height), 2),
        )


def upright(pixels: Pixels, degrees: int, page_size: tuple[float, float]) -> Upright:
    """The page turned clockwise by `degrees`. `page_size` is the displayed width and height in page units."""
    height, width = pixels.shape[:2]
    to_page = np.diag((page_size[0] / width, page_size[1] / height))
    # Pixel edges, not centres: a page of W pixels spans 0..W.
    unturn = {
        0: ((1, 0, 0), (0, 1, 0)),
        90: ((0, 1, 0), (-1, 0, height)),
        180: ((-1, 0, width), (0, -1, height)),
        270: ((0, -1, width), (1, 0, 0)),
    }[degrees]
    return Upright(turned(pixels, degrees), to_page @ np.array(unturn, np.float64), page_size, degrees)


def cropped(pixels: Pixels, box: Box) -> Pixels:
    """The part of a picture (HxWx3) in a box, as far as it lies in the picture."""
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    return pixels[y0 : max(y0, int(np.ceil(box[3]))), x0 : max(x0, int(np.ceil(box[2])))]


def unrendered(page_size: tuple[float, float]) -> Upright:
    """A page that nobody has looked at: without pixels, and measured in page units."""
    return Upright(np.zeros((0, 0, 3), np.uint8), np.eye(2, 3), page_size)


def turned(pixels: Pixels, degrees: int) -> Pixels:
    """`pixels` turned clockwise by a multiple of 90 degrees."""
    return np.ascontiguousarray(np.rot90(pixels, -degrees // 90)) if degrees else pixels


def turned_round(page: Upright) -> Upright:
    """`page` turned by 180 degrees: it was taken for upside down and is not, or the other way round."""
    width, height = page.size
    unturn = np.array(((-1, 0, width), (0, -1, height), (0, 0, 1)), np.float64)
    rotation = (page.rotation + 180) % 360
    return Upright(turned(page.pixels, 180), page.back @ unturn, page.page_size, rotation, page.skew)


def straightened(page: Upright, skew: float) -> Upright:
    """`page` with lines that fall to the right by `skew` degrees made level; nothing is cut off."""
    height, width = page.pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1.0)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (int(width * cos + height * sin + 0.5), int(width * sin + height * cos + 0.5))
    matrix[:, 2] += (size[0] / 2 - width / 2, size[1] / 2 - height / 2)
    pixels = cv2.warpAffine(page.pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inverse = np.vstack([cv2.invertAffineTransform(matrix), (0, 0, 1)])
    return Upright(np.asarray(pixels, np.uint8), page.back @ inverse, page.page_size, page.rotation, skew)
