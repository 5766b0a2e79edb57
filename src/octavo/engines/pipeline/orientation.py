"""Which way up a page is, by the PP-LCNet document orientation network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from octavo.engines.pipeline.picture import blob, resized

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.pipeline.runtime import Network

_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def turns(network: Network, pixels: Pixels) -> tuple[int, float]:
    """Clockwise degrees (0, 90, 180, 270) that make `pixels` (HxWx3) upright, and the network's certainty.

    The network names the turn the page has been given; its training resizes the short side to 256 and looks at the
    224 x 224 centre.
    """
    height, width = pixels.shape[:2]
    scale = 256 / min(height, width)
    small = resized(pixels, max(224, round(width * scale)), max(224, round(height * scale)))
    top, left = (small.shape[0] - 224) // 2, (small.shape[1] - 224) // 2
    scores = network.run(blob(small[top : top + 224, left : left + 224], _MEAN, _STD))[0][0]
    best = int(np.argmax(scores))
    return (0, 270, 180, 90)[best], float(scores[best])
