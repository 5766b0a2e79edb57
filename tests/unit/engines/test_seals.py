from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from octavo.document import Box, Kind
from octavo.engines.pipeline.seals import find

if TYPE_CHECKING:
    from octavo.document import Pixels

RED, BLUE, BLACK = (200, 30, 40), (30, 50, 190), (20, 20, 20)


def page() -> Pixels:
    pixels = np.full((1600, 1200, 3), 255, np.uint8)
    for y in range(100, 1500, 40):  # print under the seal
        cv2.putText(pixels, "what the document says in its lines", (100, y), cv2.FONT_HERSHEY_SIMPLEX, 1, BLACK, 2)
    return pixels


def overlap(a: Box, b: Box) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(0, width) * max(0, height) / ((a[2] - a[0]) * (a[3] - a[1]))


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_a_round_seal_over_print(colour: tuple[int, int, int]) -> None:
    pixels = page()
    cv2.circle(pixels, (800, 1200), 120, colour, 8)
    cv2.putText(pixels, "*", (770, 1230), cv2.FONT_HERSHEY_SIMPLEX, 2, colour, 6)
    (seal,) = find(pixels)
    assert seal.kind is Kind.SEAL
    assert overlap(seal.box, (676, 1076, 924, 1324)) > 0.97


def test_a_square_seal() -> None:
    pixels = page()
    cv2.rectangle(pixels, (300, 300), (460, 460), RED, 7)
    cv2.line(pixels, (380, 300), (380, 460), RED, 6)
    (seal,) = find(pixels)
    assert overlap(seal.box, (296, 296, 464, 464)) > 0.95


def test_what_is_no_seal() -> None:
    pixels = page()
    cv2.circle(pixels, (800, 300), 120, BLACK, 8)  # no colour
    cv2.circle(pixels, (800, 700), 100, RED, -1)  # a filled button
    cv2.line(pixels, (100, 1000), (1000, 1010), RED, 8)  # a rule
    cv2.putText(pixels, "IMPORTANT", (200, 1300), cv2.FONT_HERSHEY_SIMPLEX, 4, RED, 12)  # a heading
    assert find(pixels) == []
