from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from page_parts import line

from octavo.engines.pipeline.bullets import added

if TYPE_CHECKING:
    from octavo.document import Pixels

LINES = [line("rags of linen", 150, 100 + 40 * i, 400, 24) for i in range(3)]


def page(shade: int = 255) -> Pixels:
    return np.full((400, 800, 3), shade, np.uint8)


def dot(pixels: Pixels, x: int, y: int, shade: int = 0, size: int = 4) -> None:
    cv2.circle(pixels, (x, y), size, (shade,) * 3, -1)


def texts(pixels: Pixels) -> list[str]:
    return [found.text for found in added(pixels, LINES)]


def test_dots_before_lines_become_bullets() -> None:
    pixels = page()
    dot(pixels, 125, 112)
    dot(pixels, 125, 192)
    assert texts(pixels) == ["• rags of linen", "rags of linen", "• rags of linen"]
    first = added(pixels, LINES)[0]
    assert first.box[0] == pytest.approx(121, abs=1)
    assert [word.text for word in first.words] == ["•", "rags", "of", "linen"]


def test_light_bullets_on_a_dark_page() -> None:
    pixels = page(20)
    for i in range(3):
        pixels[105 + 40 * i : 115 + 40 * i, 120:130] = 240
    assert texts(pixels) == ["• rags of linen"] * 3


def test_one_dot_alone_is_dirt() -> None:
    pixels = page()
    dot(pixels, 125, 112)
    assert texts(pixels) == ["rags of linen"] * 3


@pytest.mark.parametrize(
    ("x0", "y0", "x1", "y1"),
    [(100, 80, 104, 240), (110, 104, 140, 108), (118, 96, 134, 124)],
    ids=["ruling", "dash", "letter's height"],
)
def test_what_is_not_compact_is_no_bullet(x0: int, y0: int, x1: int, y1: int) -> None:
    pixels = page()
    for shift in (0, 40, 80):
        pixels[y0 + shift : y1 + shift, x0:x1] = 0
    assert texts(pixels) == ["rags of linen"] * 3


def test_no_lines() -> None:
    assert added(page(), []) == []
