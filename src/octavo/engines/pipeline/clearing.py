"""A page made black on white, for a second reading where the first was unsure.

What is done to a picture is chosen by measurement. Networks read faint print, uneven light, coloured and dark paper,
noise, blur, hard JPEG, 100 and 600 dpi and inverted pages as they are, and gain nothing from any treatment; old print
on brown paper is read worse for it. But where the other side of the sheet shines through they read both sides. So a
page is cleared only when it was read with little confidence, and the second reading counts only where it is surer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from octavo.document import Pixels

_SIDE = 600  # px of the picture in which paper and ink are measured
_WINDOW = 15  # px of that picture, several lines of text: paper shows in it everywhere
_INKED = 0.02  # of the picture: at least so much is ink on a page of text
_WHITE = 0.55  # of the way from ink to paper, from where everything is paper


def cleared(pixels: Pixels) -> Pixels:
    """The picture (HxWx3) in greys with its ink black and its paper, with all that shines through it, white."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small, paper = _measured(pixels)
    ink = float(np.percentile(small / np.maximum(paper, 1), 100 * _INKED / 2))
    ground = cv2.resize(paper, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_LINEAR)
    light = grey / np.maximum(ground, 1)
    stretched = np.clip((light - ink) / max(1e-3, _WHITE * (1 - ink)), 0, 1) * 255
    return np.ascontiguousarray(np.repeat(stretched.astype(np.uint8)[..., None], 3, axis=2))


def _measured(pixels: Pixels) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The picture shrunk and grey, and the light of its paper at every place there."""
    height, width = pixels.shape[:2]
    step = max(1, max(height, width) // _SIDE)
    grey = cv2.cvtColor(np.ascontiguousarray(pixels[::step, ::step]), cv2.COLOR_RGB2GRAY)
    widened = cv2.dilate(grey, np.ones((5, 5), np.uint8))
    return grey.astype(np.float32), cv2.medianBlur(widened, _WINDOW).astype(np.float32)
