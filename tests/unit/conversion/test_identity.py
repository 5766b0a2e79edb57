from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from octavo.conversion.identity import Remembered, page_digest
from octavo.document import Line, Page, PageWarning, TextLayer

PIXELS = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
LAYER = TextLayer((Line("text", (0.0, 0.0, 1.0, 1.0)),))
PAGE = Page(1, 60.0, 40.0, "px", lambda dpi: PIXELS, LAYER)


def test_the_number_of_a_page_does_not_count() -> None:
    assert page_digest(PAGE, 200) == page_digest(dataclasses.replace(PAGE, number=9), 200)


@pytest.mark.parametrize(
    "change",
    [
        {"width": 61.0},
        {"unit": "pt"},
        {"render": lambda dpi: PIXELS.reshape(6, 4, 3)},
        {"render": lambda dpi: PIXELS + 1},
        {"text_layer": None},
        {"text_layer": dataclasses.replace(LAYER, visible=False)},
        {"text_layer": TextLayer((Line("test", (0.0, 0.0, 1.0, 1.0)),))},
        {"warnings": (PageWarning("a", "b"),)},
    ],
)
def test_all_else_does(change: dict[str, object]) -> None:
    assert page_digest(PAGE, 200) != page_digest(dataclasses.replace(PAGE, **change), 200)  # type: ignore[arg-type]


def test_pixels_need_not_lie_in_one_piece() -> None:
    wide = np.zeros((4, 12, 3), np.uint8)
    wide[:, ::2] = PIXELS
    strided = dataclasses.replace(PAGE, render=lambda dpi: wide[:, ::2])
    assert page_digest(strided, 200) == page_digest(PAGE, 200)


def test_pixels_are_made_once_per_resolution() -> None:
    asked = []
    render = Remembered(lambda dpi: asked.append(dpi) or PIXELS)  # type: ignore[func-returns-value]
    assert [render(dpi) is PIXELS for dpi in (200, 200, 300, 200)] == [True] * 4
    assert asked == [200, 300]
