from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.engines.pipeline.recognition import EMPTY, Reading, Recognizer, cut
from octavo.engines.pipeline.runtime import Network

ALPHABET = ("a", "b", "c", "Ａ", "１", "中", " ")
BLANK = 0


def answering(steps: list[int], score: float = 0.9) -> Recognizer:
    """A recogniser whose network gives these indices, one per step of 8 px, and blanks after them."""

    def run(x: np.ndarray) -> list[np.ndarray]:
        out = np.full((1, x.shape[3] // 8, len(ALPHABET) + 1), 0.01, np.float32)
        out[0, :, BLANK] = 0.5
        for place, index in enumerate(steps):
            out[0, place, index] = score
        return [out]

    return Recognizer(Network(run), ALPHABET)


def read(steps: list[int], score: float = 0.9) -> Reading:
    return answering(steps, score).read(np.zeros((48, 8 * max(1, len(steps)), 3), np.uint8))


def test_repeats_are_one_character_unless_a_blank_parts_them() -> None:
    assert read([1, 1, 0, 1, 2, 2, 2, 0, 0, 3]).text == "aabc"


def test_places_are_the_middles_of_the_runs() -> None:
    reading = read([1, 1, 0, 0, 2, 2, 2, 2])
    assert reading.positions == pytest.approx((1 / 8, 6 / 8))


def test_confidences() -> None:
    reading = read([1, 0, 2], 0.8)
    assert reading.confidences == pytest.approx((0.8, 0.8))
    assert reading.confidence == pytest.approx(0.8)


def test_blanks_only_are_no_text() -> None:
    assert read([0, 0, 0]) == EMPTY


@pytest.mark.parametrize("shape", [(1, 50), (50, 1), (0, 0)])
def test_a_sliver_is_not_read(shape: tuple[int, int]) -> None:
    assert answering([1]).read(np.zeros((*shape, 3), np.uint8)) == EMPTY


def test_wide_forms_are_made_narrow_unless_east_asian_letters_stand_by() -> None:
    assert read([4, 5, 1]).text == "A1a"
    assert read([4, 5, 6]).text == "Ａ１中"


@given(st.lists(st.integers(0, len(ALPHABET)), min_size=1, max_size=60))
def test_every_character_has_a_place_and_a_confidence_and_they_go_on(steps: list[int]) -> None:
    reading = read(steps)
    assert len(reading.text) == len(reading.positions) == len(reading.confidences)
    assert list(reading.positions) == sorted(reading.positions)
    assert all(0 <= place <= 1 for place in reading.positions)


def test_the_network_is_given_the_line_at_its_height_in_bgr() -> None:
    seen = []

    def run(x: np.ndarray) -> list[np.ndarray]:
        seen.append(x.copy())
        return [np.zeros((1, x.shape[3] // 8, len(ALPHABET) + 1), np.float32)]

    line = np.zeros((24, 50, 3), np.uint8)
    line[:, :, 0] = 255  # red
    Recognizer(Network(run), ALPHABET).read(line)
    (given_,) = seen
    assert given_.shape[:3] == (1, 3, 48)
    assert given_.shape[3] >= 100
    assert given_[0, :, 24, 40] == pytest.approx([-1, -1, 1])
    assert given_[0, :, 24, given_.shape[3] - 1] == pytest.approx([0, 0, 0])


def test_knowing_is_of_letters() -> None:
    recognizer = answering([])
    assert recognizer.knows("abc 12 — abc")
    assert not recognizer.knows("abc д д д")
    assert recognizer.knows("")


def test_a_level_line_is_cut_out() -> None:
    pixels = np.zeros((200, 300, 3), np.uint8)
    pixels[90:110, 50:250] = 255
    line = cut(pixels, np.array(((50, 90), (250, 90), (250, 110), (50, 110)), np.float32))
    assert line.shape[1] > 3 * line.shape[0]
    assert line[line.shape[0] // 2, line.shape[1] // 2].tolist() == [255, 255, 255]
    assert line.mean() > 140


def test_an_upright_line_is_laid_down_counter_clockwise() -> None:
    pixels = np.zeros((300, 200, 3), np.uint8)
    pixels[50:150, 90:110] = 200  # the upper half
    line = cut(pixels, np.array(((90, 50), (110, 50), (110, 250), (90, 250)), np.float32))
    assert line.shape[1] > 3 * line.shape[0]
    middle = line[line.shape[0] // 2, :, 0].astype(int)
    assert middle[: len(middle) // 3].mean() > middle[-len(middle) // 3 :].mean() + 100, "the top comes first"


def test_neighbours_of_a_long_upright_line_stay_out() -> None:
    pixels = np.zeros((1300, 200, 3), np.uint8)
    pixels[50:1250, 90:110] = 200
    pixels[50:1250, 60:80] = pixels[50:1250, 120:140] = 100
    line = cut(pixels, np.array(((89, 50), (111, 50), (111, 1250), (89, 1250)), np.float32))
    assert not (line == 100).any()
    assert (line == 200).mean() > 0.85


def test_a_box_over_the_edge_of_the_page_is_cut_at_the_edge() -> None:
    pixels = np.full((50, 60, 3), 9, np.uint8)
    line = cut(pixels, np.array(((-20, 30), (90, 30), (90, 70), (-20, 70)), np.float32))
    assert line.shape[0] > 0
    assert line.shape[1] <= 60
