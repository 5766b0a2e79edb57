from __future__ import annotations

from itertools import pairwise

import pytest

from octavo.intake.line_setting import Look, lines_of, set_words, visual_order, width

LOOK = Look("regular", 23, 34)


def lines(text: str, room: float) -> list[str]:
    return [text[start:end] for start, end, _ in lines_of(text, 0, room, LOOK)]


def test_lines_break_at_white_space_and_fit() -> None:
    text = "the quick brown fox jumps over the lazy dog " * 5
    found = lines(text, 300)
    assert " ".join(found).split() == text.split()
    assert all(width(line, LOOK) <= 300 for line in found)
    assert len(found) > 5


def test_a_word_wider_than_the_line_is_cut_but_letters_keep_their_accents() -> None:
    word = "e\u0301" * 400
    found = lines(word, 100)
    assert "".join(found) == word
    assert all(line.startswith("e") for line in found)


def test_east_asian_text_breaks_anywhere_but_not_before_closing_marks() -> None:
    found = lines("中文標點，" * 40, 25 * 7)
    assert len(found) > 5
    assert not any(line.startswith("，") for line in found)


@pytest.mark.parametrize("room", [0.0, 1.0, 5.0])
def test_however_narrow_the_line_it_ends(room: float) -> None:
    assert "".join(lines("ab 中文\n\tx", room)).replace("\t", "") == "ab中文x"


def test_words_do_not_overlap_in_either_direction() -> None:
    for text, rtl in (("one two three", False), ("אחת שתיים three four שלוש 12", True), ("one שתיים שלוש four", False)):
        words = sorted(set_words(text, 0, len(text), 600, LOOK, rtl), key=lambda word: word.x)
        assert all(one.x + one.width < two.x for one, two in pairwise(words))
        assert words[0].x >= 0
        assert words[-1].x + words[-1].width <= 600.01


@pytest.mark.parametrize(
    ("directions", "rtl", "order"),
    [
        ("LLL", False, [0, 1, 2]),
        ("RRR", True, [2, 1, 0]),
        ("LRRL", False, [0, 2, 1, 3]),
        ("RLLR", True, [3, 1, 2, 0]),
        ("RNR", False, [2, 1, 0]),
        ("LNR", False, [0, 1, 2]),
        ("RNN", True, [2, 1, 0]),
        ("", False, []),
    ],
)
def test_visual_order(directions: str, rtl: bool, order: list[int]) -> None:
    assert visual_order(list(directions), rtl) == order
