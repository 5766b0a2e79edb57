from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.document import Line, Word
from octavo.engines.pipeline.lines import TextLine, bounds, from_reading, from_words, placed
from octavo.engines.pipeline.picture import upright
from octavo.engines.pipeline.recognition import Reading


def reading(text: str) -> Reading:
    """Characters evenly along the line; each one's confidence is a hundredth more than the one's before."""
    places = tuple((i + 0.5) / len(text) for i in range(len(text)))
    return Reading(text, 0.9, places, tuple(0.5 + i / 100 for i in range(len(text))))


def test_words_stand_where_their_characters_are() -> None:
    line = from_reading(reading("ab cde"), (100, 10, 160, 30), vertical=False)
    assert (line.text, line.box, line.confidence) == ("ab cde", (100, 10, 160, 30), 0.9)
    assert [(word.text, pytest.approx(word.box)) for word in line.words] == [
        ("ab", (100, 10, 120, 30)),
        ("cde", (130, 10, 160, 30)),
    ]
    assert [word.confidence for word in line.words] == pytest.approx([0.505, 0.54])


def test_words_of_a_vertical_line_stand_below_each_other() -> None:
    line = from_reading(reading("ab cd"), (10, 100, 30, 200), vertical=True)
    assert [pytest.approx(word.box) for word in line.words] == [(10, 100, 30, 140), (10, 160, 30, 200)]


@given(st.text("ab ", max_size=30))
def test_words_are_the_text_and_stay_in_the_line(text: str) -> None:
    line = from_reading(reading(text), (5, 5, 300, 25), vertical=False)
    assert [word.text for word in line.words] == text.split()
    assert line.text == text.strip()
    edges = [side for word in line.words for side in (word.box[0], word.box[2])]
    assert edges == sorted(edges)
    assert all(5 <= edge <= 300 for edge in edges)


def test_words_of_another_reader_are_placed_along_the_line() -> None:
    words = [("اول", 0.5, 1.0, 0.9), ("جهان", 0.0, 0.25, 0.5)]
    line = from_words(words, (100, 10, 300, 30), vertical=False)
    assert (line.text, line.reader) == ("اول جهان", "tesseract")
    assert [word.box for word in line.words] == [(200, 10, 300, 30), (100, 10, 150, 30)]
    assert line.confidence == pytest.approx((3 * 0.9 + 4 * 0.5) / 7)
    assert from_words([("字", 0.0, 0.5, 0.9)], (0, 0, 10, 80), vertical=True).words[0].box == (0, 0, 10, 40)
    assert from_words([], (0, 0, 10, 10), vertical=False) == TextLine("", (0, 0, 10, 10), 0.0, (), reader="tesseract")


def test_measures_of_a_line() -> None:
    line = TextLine("x", (10, 20, 110, 40))
    assert (line.width, line.height, line.middle) == (100, 20, 30)


def test_lines_are_placed_in_page_units() -> None:
    page = upright(np.zeros((200, 400, 3), np.uint8), 0, (200, 100))
    words = (Word("a", (20, 40, 30, 60), 0.5, "b"), Word("b", (40, 40, 60, 60), link="#page-2"))
    line = TextLine("a b", (20, 40, 60, 60), 0.123456, words, "en")
    assert placed([line], page) == (
        Line(
            "a b",
            (10, 20, 30, 30),
            0.1235,
            (Word("a", (10, 20, 15, 30), 0.5, "b"), Word("b", (20, 20, 30, 30), link="#page-2")),
            "en",
        ),
    )


def test_bounds() -> None:
    assert bounds([(3, 4, 5, 6), (1, 5, 4, 9)]) == (1, 4, 5, 9)
