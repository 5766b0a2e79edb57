from __future__ import annotations

import cv2
import numpy as np
import pytest

from octavo.document import Box, Word
from octavo.engines.pipeline import rulings
from octavo.engines.pipeline.lines import TextLine

Colour = tuple[int, int, int]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def picture(ground: Colour = WHITE, height: int = 600, width: int = 900) -> np.ndarray:
    return np.full((height, width, 3), ground, np.uint8)


def written(page: np.ndarray, text: str, x: int, y: int, size: float = 0.7) -> TextLine:
    """`text` drawn with its baseline at `y`, as the line that OCR would find there."""
    cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, BLACK, 2, cv2.LINE_AA)
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    box = (float(x), float(y - height), float(x + width), float(y + below))
    letter = width / len(text)
    words, at = [], 0
    for word in text.split(" "):
        words.append(Word(word, (x + at * letter, box[1], x + (at + len(word)) * letter, box[3])))
        at += len(word) + 1
    return TextLine(text, box, words=tuple(words))


def covered(found: tuple[Box, ...], level: bool, at: float, low: float, high: float) -> float:
    """The share of the stretch from `low` to `high` that rulings within 3 px of `at` cover."""
    pixels = np.zeros(2000, bool)
    for x0, y0, x1, y1 in found:
        across, along = ((y0, y1), (x0, x1)) if level else ((x0, x1), (y0, y1))
        if (x1 - x0 > y1 - y0) == level and abs(sum(across) / 2 - at) <= 3:
            pixels[int(along[0]) : int(along[1])] = True
    return float(pixels[int(low) : int(high)].mean())


@pytest.mark.parametrize(
    ("ground", "ink", "thickness"),
    [
        (WHITE, BLACK, 1),
        (WHITE, BLACK, 2),
        (WHITE, BLACK, 6),
        (WHITE, (200, 200, 200), 2),
        (WHITE, (220, 120, 60), 2),
        ((70, 120, 190), WHITE, 2),
        ((40, 40, 40), (120, 120, 120), 2),
    ],
)
def test_rulings_of_any_colour_and_weight_are_found(ground: Colour, ink: Colour, thickness: int) -> None:
    page = picture(ground)
    cv2.line(page, (100, 200), (800, 200), ink, thickness)
    cv2.line(page, (400, 100), (400, 500), ink, thickness)
    found = rulings.find(page, [])
    # Where a light ruling crosses another it has no dark ground on both sides.
    assert covered(found, True, 200, 105, 795) > 0.95
    assert covered(found, False, 400, 105, 495) > 0.95
    assert all(abs((b[1] + b[3]) / 2 - 200) <= 6 or abs((b[0] + b[2]) / 2 - 400) <= 6 for b in found)


def test_dotted_and_broken_rulings_are_found() -> None:
    page = picture()
    for x in range(100, 800, 6):
        page[300:302, x : x + 3] = 0
    page[400:402, 100:800] = 0
    page[400:402, 300:304] = 255
    found = rulings.find(page, [])
    assert covered(found, True, 301, 110, 790) > 0.95
    assert covered(found, True, 401, 105, 795) > 0.95


def test_a_tilted_ruling_comes_in_thin_pieces_that_follow_it() -> None:
    page = picture()
    cv2.line(page, (50, 200), (850, 232), BLACK, 2, cv2.LINE_AA)
    found = rulings.find(page, [])
    assert len(found) > 10
    for x0, y0, x1, y1 in found:
        assert y1 - y0 <= 9
        assert abs((y0 + y1) / 2 - (200 + 0.04 * ((x0 + x1) / 2 - 50))) <= 3
    assert sum(x1 - x0 for x0, _, x1, _ in found) > 0.95 * 800


def test_letters_are_no_rulings() -> None:
    page = picture()
    lines = [
        written(page, "The quick brown fox jumps over it", 60, 80, 1.0),
        written(page, "LITTLE HILL ILL FILL TILE", 60, 140, 1.4),
        *(written(page, "E (12) 1111 llll ---- ____ ====", 60, 200 + 26 * row) for row in range(10)),
    ]
    assert rulings.find(page, lines) == ()


def test_a_ruling_close_under_letters_is_whole() -> None:
    page = picture()
    page[300:302, 50:850] = 0
    above = written(page, "Every letter nearly touches what is below", 80, 297)
    below = written(page, "HEADINGS OF CAPITALS DO FROM BELOW", 80, 319)
    assert covered(rulings.find(page, [above, below]), True, 301, 55, 845) > 0.95


def test_pictures_and_shades_are_no_rulings() -> None:
    page = picture()
    page[100:200, 100:400] = (30, 60, 90)
    page[300:500, 100:800] = (235, 240, 250)
    cv2.circle(page, (650, 150), 80, (10, 10, 10), -1)
    assert rulings.find(page, []) == ()


def test_boxes_are_in_the_pixels_of_the_page() -> None:
    page = picture(height=3000, width=2400)
    page[1500:1506, 200:2200] = 0
    (box,) = rulings.find(page, [])
    assert box == pytest.approx((200, 1500, 2200, 1506), abs=6)
