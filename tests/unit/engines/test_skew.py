from __future__ import annotations

import cv2
import numpy as np
import pytest

from octavo.engines.skew import LARGEST, skew_of


def page(height: int = 900, width: int = 700) -> np.ndarray:
    """Lines of strokes, like words without their letters."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    random = np.random.default_rng(3)
    for y in range(80, height - 80, 40):
        x = 60
        while x < width - 120:
            length = int(random.integers(20, 90))
            pixels[y : y + 14, x : x + length : 3] = 0
            x += length + 14
    return pixels


def fallen(pixels: np.ndarray, degrees: float, paper: int = 255) -> np.ndarray:
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1)
    return cv2.warpAffine(pixels, matrix, (width, height), borderValue=(paper,) * 3)


@pytest.mark.parametrize("degrees", [0, 0.5, -1, 2, -4, 9])
def test_text_tells_its_angle(degrees: float) -> None:
    assert skew_of(fallen(page(), degrees)) == pytest.approx(degrees, abs=0.2)


def test_white_on_black() -> None:
    assert skew_of(fallen(255 - page(), 3, paper=0)) == pytest.approx(3, abs=0.2)


def test_a_long_receipt() -> None:
    assert skew_of(fallen(page(9000, 600), 1)) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize(
    "pixels",
    [
        np.full((500, 400, 3), 255, np.uint8),
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((2, 40_000, 3), np.uint8),
        np.zeros((40_000, 2, 3), np.uint8),
    ],
)
def test_without_text_there_is_no_skew(pixels: np.ndarray) -> None:
    assert skew_of(pixels) == 0


def test_noise_does_not_tilt_a_page() -> None:
    dots = np.random.default_rng(5).integers(0, 256, (600, 500, 3), dtype=np.uint8)
    assert abs(skew_of(dots)) <= 1 < LARGEST
