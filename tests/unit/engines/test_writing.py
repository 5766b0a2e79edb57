from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.engines.languages import TESSERACT
from octavo.engines.writing import BY_NAME, SCRIPTS, letters_by_script, main_script, script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The fox", "Latin"),
        ("Đặng Thị", "Latin"),
        ("Все люди", "Cyrillic"),
        ("Όλοι", "Greek"),
        ("حقوق", "Arabic"),
        ("אדם", "Hebrew"),
        ("सभी मनुष्य", "Devanagari"),
        ("সকল মানুষ", "Bengali"),
        ("มนุษย์", "Thai"),
        ("모든 인간", "Hangul"),
        ("人人生而自由", "Han"),
        ("人はみな自由", "Japanese"),
        ("カタカナ", "Japanese"),
        ("ყველა", "Georgian"),
        ("Բոլոր", "Armenian"),
        ("ሰው", "Ethiopic"),
        ("12 + 3.5 = ?", ""),
        ("", ""),
        ("Linux 系統管理員指南", "Han"),
    ],
)
def test_the_script_that_most_letters_belong_to(text: str, script: str) -> None:
    assert main_script(text) == script


def test_a_name_in_kana_makes_no_page_japanese() -> None:
    text = "人人生而自由在尊严和权利上一律平等他们赋有理性和良心并应以兄弟关系的精神相对待" * 2 + "カ"
    assert letters_by_script(text) == {"Han": 78, "Japanese": 1}


def test_letters_of_mixed_text_are_counted_apart() -> None:
    assert letters_by_script("Debian — это система, 2026") == {"Latin": 6, "Cyrillic": 10}


@given(st.text())
def test_a_letter_is_of_one_script_and_no_more_letters_come_out_than_went_in(text: str) -> None:
    assert sum(letters_by_script(text).values()) <= len(text)


def test_ranges_do_not_overlap() -> None:
    ranges = sorted(one for script in SCRIPTS for one in script.ranges)
    assert all(first <= last for first, last in ranges)
    assert all(before[1] < after[0] for before, after in pairwise(ranges))


@pytest.mark.parametrize("name", [script.name for script in SCRIPTS if script.name not in ("Japanese", "Han")])
def test_the_ranges_hold_what_unicode_calls_so(name: str) -> None:
    called = [unicodedata.name(chr(c), "") for first, last in BY_NAME[name].ranges for c in range(first, last + 1)]
    called = [one for one in called if one]
    strays = [one for one in called if name.upper().split()[0] not in one]
    assert len(strays) <= 0.06 * len(called), strays  # signs that stand among the letters
    assert script_of(unicodedata.lookup(called[0])) == name


def test_every_language_of_a_script_is_known() -> None:
    assert {code for script in BY_NAME.values() for code in script.languages} <= TESSERACT.keys()
