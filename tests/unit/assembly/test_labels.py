"""Page labels are read off printed numbers that count with the pages around, and from nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from octavo.assembly.furniture import RunningLines
from octavo.assembly.labels import label_of
from octavo.document import Block, Kind, Line, PageResult, PageStatus

BODY, FOOT = (60.0, 100.0, 440.0, 700.0), (240.0, 750.0, 260.0, 760.0)


def page(number: int, printed: str, *, label: str = "", kind: Kind = Kind.PAGE_NUMBER) -> PageResult:
    text = f"What only page {number} says."
    blocks = (Block(Kind.TEXT, BODY, text, lines=(Line(text, BODY),)),)
    if printed:
        blocks += (Block(kind, FOOT, printed, lines=(Line(printed, FOOT),)),)
    return PageResult(number, PageStatus.OK, 500.0, 800.0, "pt", blocks=blocks, label=label)


def labels(pages: Sequence[PageResult]) -> list[str]:
    lines = RunningLines()
    return [out.label for out in [*(out for result in pages for out in lines.page(result)), *lines.end()]]


@pytest.mark.parametrize(
    ("text", "label"),
    [("iv", "iv"), ("– 12 –", "12"), ("[ XIV ]", "XIV"), ("A-3", "A-3"), ("007", "7"), ("２", "2"), ("34 / 96", "34")],
)
def test_what_a_line_may_call_its_page(text: str, label: str) -> None:
    found = label_of(text)
    assert found is not None
    assert found.text == label


@pytest.mark.parametrize("text", ["", "Page 12", "12 mills", "iiii", "xIv", "--", "A-"])
def test_lines_that_call_it_nothing(text: str) -> None:
    assert label_of(text) is None


def test_roman_and_arabic_numbers_each_count_for_themselves() -> None:
    printed = ["", "ii", "iii", "", "1", "2", "3"]
    assert labels([page(n, text) for n, text in enumerate(printed, 1)]) == printed


def test_a_switch_waits_for_the_pages_after_it() -> None:
    printed = ["i", "ii", "1", "2"]
    assert labels([page(n, text) for n, text in enumerate(printed, 1)]) == printed


def test_numbers_that_do_not_count_with_the_pages_are_none() -> None:
    assert labels([page(1, "12"), page(2, "47"), page(3, "14")]) == ["12", "", "14"]
    assert labels([page(1, "1801")]) == [""]
    assert labels([page(1, "5"), page(9, "6")]) == ["", ""]
    assert labels([page(1, "5"), page(9, "13")]) == ["5", "13"]


def test_chapters_count_for_themselves() -> None:
    assert labels([page(1, "A-1"), page(2, "A-2"), page(3, "B-1"), page(4, "B-2")]) == ["A-1", "A-2", "B-1", "B-2"]


def test_what_the_file_says_stays() -> None:
    assert labels([page(1, "1", label="cover"), page(2, "2"), page(3, "3")]) == ["cover", "2", "3"]


def test_a_number_that_the_engine_took_for_text() -> None:
    assert labels([page(n, str(n + 10), kind=Kind.TEXT) for n in (1, 2, 3)]) == ["11", "12", "13"]


def test_a_count_of_all_pages_beside_the_number() -> None:
    pages = [page(n, f"{n - 2} / 96", kind=Kind.TEXT) for n in (3, 4, 5)]
    assert labels(pages) == ["1", "2", "3"]
    lines = RunningLines()
    settled = [*(out for result in pages for out in lines.page(result)), *lines.end()]
    assert [result.blocks[-1].kind for result in settled] == [Kind.PAGE_NUMBER] * 3


def test_pages_without_blocks_have_none_and_hide_none() -> None:
    failed = PageResult(2, PageStatus.FAILED)
    assert labels([page(1, "v"), failed, page(3, "vii")]) == ["v", "", "vii"]
    assert labels([replace(page(1, ""), blocks=())]) == [""]
