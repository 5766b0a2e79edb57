from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.engines.pipeline.detection import SIDE_LIMIT, Found, _ordered, detect
from octavo.engines.pipeline.runtime import Network


def finds_ink() -> Network:
    """Stands in for the network: sure of a line wherever the picture is dark."""
    return Network(lambda x: [(x.mean(axis=1, keepdims=True) < 0).astype(np.float32)])


def paper(height: int, width: int) -> np.ndarray:
    return np.full((height, width, 3), 255, np.uint8)


def bounds(found: Found) -> tuple[float, float, float, float]:
    low, high = found.corners.min(axis=0), found.corners.max(axis=0)
    return (*low.tolist(), *high.tolist())


def test_a_blank_picture_has_no_lines() -> None:
    assert detect(finds_ink(), paper(300, 400), 1.0) == []


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_line_is_found_where_it_is_and_grown(scale: float) -> None:
    pixels = paper(320, 640)
    pixels[100:120, 64:448] = 0
    (line,) = detect(finds_ink(), pixels, scale)
    x0, y0, x1, y1 = bounds(line)
    assert (x0 + x1) / 2 == pytest.approx(256, abs=3)
    assert (y0 + y1) / 2 == pytest.approx(110, abs=3)
    assert 384 < x1 - x0 < 440
    assert 20 < y1 - y0 < 60
    assert line.score > 0.99
    assert abs(line.angle) < 1


def test_corners_go_clockwise_from_the_top_left_and_tell_the_angle() -> None:
    pixels = paper(512, 640)
    matrix = cv2.getRotationMatrix2D((320, 256), -5, 1)
    pixels[250:266, 100:540] = 0
    fallen = cv2.warpAffine(pixels, matrix, (640, 512), borderValue=(255, 255, 255))
    (line,) = detect(finds_ink(), fallen, 1.0)
    assert line.angle == pytest.approx(5, abs=0.5)
    length, height = line.size
    assert length > 440 > height
    left, right = line.corners[[0, 3]], line.corners[[1, 2]]
    assert left[:, 0].max() < right[:, 0].min()
    assert line.corners[0][1] < line.corners[3][1]
    assert line.corners[1][1] < line.corners[2][1]


@given(st.tuples(st.floats(5, 60), st.floats(200, 1500)), st.booleans(), st.floats(-30, 30), st.permutations(range(4)))
def test_corners_are_ordered_by_the_edge_nearest_to_level(
    sides: tuple[float, float], upright: bool, angle: float, order: list[int]
) -> None:
    width, height = sides if upright else sides[::-1]
    x, y = width / 2, height / 2
    turn = np.radians(angle)
    around = np.array(((np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))))
    corners = np.array(((-x, -y), (x, -y), (x, y), (-x, y))) @ around + 2000
    start = order[0]  # OpenCV begins anywhere, and goes round either way
    given_as = np.roll(corners, start, axis=0)[:: 1 if order[1] < order[2] else -1]
    found = Found(_ordered(given_as.astype(np.float32)), 1.0)
    assert found.corners == pytest.approx(corners, abs=0.1)
    assert found.angle == pytest.approx(angle, abs=0.5)
    assert found.size == pytest.approx((width, height), rel=0.01)


def test_specks_are_no_lines() -> None:
    pixels = paper(320, 320)
    pixels[100:102, 100:102] = 0
    assert detect(finds_ink(), pixels, 1.0) == []


def test_unsure_regions_are_no_lines() -> None:
    doubts = Network(lambda x: [(x.mean(axis=1, keepdims=True) < 0).astype(np.float32) * 0.3])
    pixels = paper(320, 640)
    pixels[100:120, 64:448] = 0
    assert detect(doubts, pixels, 1.0) == []


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(0, (2 * SIDE_LIMIT + 700) // 110), min_size=1, max_size=8, unique=True).map(
        lambda numbers: [20 + 110 * number for number in numbers]
    ),
    st.booleans(),
)
def test_lines_of_a_picture_in_tiles_are_found_once_and_in_place(places: list[int], along: bool) -> None:
    pixels = paper(2 * SIDE_LIMIT + 800, 384)
    for y in places:
        pixels[y : y + 20, 60:320] = 0
    if along:
        pixels = np.ascontiguousarray(pixels.transpose(1, 0, 2))
    found = [bounds(line) for line in detect(finds_ink(), pixels, 1.0)]
    if along:
        found = [(y0, x0, y1, x1) for x0, y0, x1, y1 in found]
    assert sorted((y0 + y1) / 2 for _, y0, _, y1 in found) == pytest.approx([y + 10 for y in sorted(places)], abs=4)
    assert all((x0 + x1) / 2 == pytest.approx(190, abs=4) for x0, _, x1, _ in found)


def test_no_tile_is_larger_than_the_limit() -> None:
    seen = []

    def run(x: np.ndarray) -> list[np.ndarray]:
        seen.append(max(x.shape[2:]))
        return [np.zeros((1, 1, *x.shape[2:]), np.float32)]

    detect(Network(run), paper(3 * SIDE_LIMIT, 200), 1.0)
    assert len(seen) > 3
    assert max(seen) <= SIDE_LIMIT
