"""The rows, columns and cells of a table as the SLANet-plus network sees them.

The network was trained on PubTabNet and Chinese tables. It reads a 488 x 488 picture and writes HTML tokens one after
the other, with four corners for each cell, so what it costs grows with the number of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from octavo.document import Box
from octavo.engines.pipeline.picture import blob, resized
from octavo.engines.pipeline.runtime import Network
from octavo.engines.pipeline.slots import Slot

if TYPE_CHECKING:
    from octavo.document import Pixels

_SIDE = 488
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


@dataclass(frozen=True)
class Structure:
    """The cells row by row, and how sure the network was of its tokens: their mean probability, 0 to 1."""

    slots: tuple[Slot, ...]
    score: float


def structure(network: Network, pixels: Pixels) -> Structure:
    """The structure of the table that `pixels` (HxWx3, RGB) show and nothing else."""
    height, width = pixels.shape[:2]
    ratio = _SIDE / max(height, width)
    size = max(1, round(width * ratio)), max(1, round(height * ratio))
    picture = np.zeros((1, 3, _SIDE, _SIDE), np.float32)  # padded after it is normalised, as in training
    picture[:, :, : size[1], : size[0]] = blob(resized(pixels, *size), _MEAN, _STD)
    boxes, scores = network.run(picture)
    # Corners come as shares of the padded picture, eight numbers a token.
    corners = boxes[0].reshape(len(boxes[0]), 4, 2) * (_SIDE / ratio)
    best = scores[0].argmax(axis=1)
    sure = scores[0][np.arange(len(best)), best]
    tokens = network.characters.rstrip("\n").split("\n")
    end = np.flatnonzero(
        (best == 0) | (best > len(tokens))
    )  # the first index stands for the start, the last for the end
    count = int(end[0]) if len(end) else len(best)
    slots = parse([tokens[i - 1] for i in best[:count]], [_bounds(c, width, height) for c in corners[:count]])
    return Structure(slots, float(sure[:count].mean()) if count else 0.0)


def parse(tokens: Sequence[str], boxes: Sequence[Box]) -> tuple[Slot, ...]:
    """The cells that a sequence of HTML tokens describes, each with the box of the token that begins it."""
    slots: list[Slot] = []
    taken: set[tuple[int, int]] = set()
    row, column, header = -1, 0, False
    spans = {"colspan": 1, "rowspan": 1}
    begun: Box | None = None
    for token, box in zip(tokens, boxes, strict=True):
        if token in ("<thead>", "</thead>"):
            header = token == "<thead>"
        elif token == "<tr>":
            row, column = row + 1, 0
        elif token == "<td":
            begun = box
        elif "span=" in token:
            name, _, number = token.strip().partition("=")
            spans[name] = int(number.strip('"'))
        elif token in (">", "<td></td>"):
            row = max(row, 0)
            while (row, column) in taken:
                column += 1
            down, right = spans["rowspan"], spans["colspan"]
            slots.append(Slot(row, column, down, right, header, begun or box))
            taken.update((row + i, column + j) for i in range(down) for j in range(right))
            spans, begun = {"colspan": 1, "rowspan": 1}, None
    return tuple(slots)


def _bounds(corners: NDArray[np.float32], width: int, height: int) -> Box:
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return (max(0.0, float(x0)), max(0.0, float(y0)), min(float(width), float(x1)), min(float(height), float(y1)))
