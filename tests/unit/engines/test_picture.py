from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.engines.pipeline.picture import blob, straightened, turned_round, upright


def marked(height: int, width: int, x: int, y: int, w: int, h: int) -> np.ndarray:
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[y : y + h, x : x + w] = 255
    return pixels


def bright(pixels: np.ndarray) -> tuple[int, int, int, int]:
    """The box of what is bright, edges of pixels."""
    rows, columns = np.nonzero(pixels[:, :, 0] > 127)
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_blob_is_bgr_and_normalised() -> None:
    pixels = np.zeros((2, 3, 3), np.uint8)
    pixels[1, 2] = (255, 51, 0)
    out = blob(pixels, (0.5, 0.4, 0.3), (0.5, 0.2, 0.1))
    assert (out.shape, out.dtype) == ((1, 3, 2, 3), np.float32)
    assert out[0, :, 1, 2] == pytest.approx([(0 - 0.5) / 0.5, (0.2 - 0.4) / 0.2, (1 - 0.3) / 0.1], abs=1e-5)
    assert out[0, :, 0, 0] == pytest.approx([-1, -2, -3], abs=1e-5)


@given(
    st.sampled_from([0, 90, 180, 270]),
    st.tuples(st.integers(20, 60), st.integers(20, 60)),
    st.tuples(st.integers(0, 10), st.integers(0, 10), st.integers(1, 10), st.integers(1, 10)),
    st.sampled_from([0.36, 1.0, 2.5]),
)
def test_a_box_found_upright_is_mapped_back_onto_the_displayed_page(
    degrees: int, shape: tuple[int, int], mark: tuple[int, int, int, int], unit: float
) -> None:
    height, width = shape
    x, y, w, h = mark
    shown = marked(height, width, x, y, w, h)
    page = upright(shown, degrees, (width * unit, height * unit))
    assert page.rotation == degrees
    assert page.pixels.shape[:2] == ((width, height) if degrees % 180 else (height, width))
    wanted = [side * unit for side in (x, y, x + w, y + h)]
    assert page.box(bright(page.pixels)) == pytest.approx(wanted, abs=0.01)


def test_turning_is_clockwise() -> None:
    page = upright(marked(40, 60, 0, 30, 10, 10), 90, (60, 40))  # bottom left goes to top left
    assert bright(page.pixels) == (0, 0, 10, 10)


@pytest.mark.parametrize("skew", [-7.0, -1.0, 0.5, 3.0])
def test_a_falling_line_is_made_level_and_nothing_is_cut_off(skew: float) -> None:
    matrix = cv2.getRotationMatrix2D((300, 200), -skew, 1)  # falls to the right by `skew`
    shown = cv2.warpAffine(marked(400, 600, 50, 190, 500, 12), matrix, (600, 400))
    page = straightened(upright(shown, 0, (600, 400)), skew)
    x0, y0, x1, y1 = bright(page.pixels)
    assert (x1 - x0, y1 - y0) == (pytest.approx(500, abs=4), pytest.approx(12, abs=3))
    assert page.skew == skew
    assert page.pixels.shape[0] >= 400
    assert page.pixels.shape[1] >= 600
    assert page.box((x0, y0, x1, y1)) == pytest.approx(bright(shown), abs=12 * abs(np.sin(np.radians(skew))) + 4)


def test_straightening_a_turned_page_maps_back_through_both() -> None:
    shown = marked(300, 500, 100, 40, 60, 10)
    page = straightened(upright(shown, 270, (250, 150)), 2.0)
    x0, y0, x1, y1 = page.box(bright(page.pixels))
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((65, 22.5), abs=0.5)


@pytest.mark.parametrize(("degrees", "skew"), [(0, 0.0), (90, 0.0), (180, 2.0), (270, -3.0)])
def test_turning_round_maps_back_to_the_same_place(degrees: int, skew: float) -> None:
    page = upright(marked(300, 500, 100, 40, 60, 10), degrees, (500, 300))
    page = straightened(page, skew) if skew else page
    other = turned_round(page)
    assert other.rotation == (degrees + 180) % 360
    assert other.skew == page.skew
    assert (other.pixels == np.rot90(page.pixels, 2)).all()
    assert other.box(bright(other.pixels)) == pytest.approx(page.box(bright(page.pixels)), abs=0.1)
