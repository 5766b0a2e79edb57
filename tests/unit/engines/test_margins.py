"""Guesses at running headers and footers from one page alone."""

from __future__ import annotations

import pytest
from test_geometry import SIZE, line, paragraph

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.margins import margins

TEXT = paragraph(100, 110, 20)  # ends at 368
LOW = paragraph(100, 440, 20)  # ends at 698


def header(*lines: TextLine, rulings: tuple[Box, ...] = ()) -> list[str]:
    return [found.text for found in margins([*lines, *TEXT], rulings, SIZE[1])[0]]


def footer(*lines: TextLine, rulings: tuple[Box, ...] = ()) -> list[str]:
    return [found.text for found in margins([*LOW, *lines], rulings, SIZE[1])[1]]


def test_a_number_and_what_stands_beside_it() -> None:
    assert header(line("Chapter one", 100, 40), line("17", 480, 40)) == ["Chapter one", "17"]
    assert footer(line("17", 300, 760)) == ["17"]
    assert header(line("400 BRITISH HUSBANDRY", 200, 40)) == ["400 BRITISH HUSBANDRY"]


def test_a_ruling_below_a_header() -> None:
    name = line("The name of the book", 100, 60)
    assert header(name, rulings=((100, 80, 500, 81),)) == [name.text]
    assert header(name, rulings=((100, 80, 200, 81),)) == []


def test_where_text_never_stands() -> None:
    assert header(line("The name of the book", 100, 40)) == ["The name of the book"]
    assert footer(line("The name of the book", 100, 770)) == ["The name of the book"]


@pytest.mark.parametrize(
    "what",
    [
        line("A title in the text's own size", 100, 60),
        line("A large title", 100, 40, size=16),
        line("17", 300, 400),
        line("1 Introduction", 100, 60),
    ],
)
def test_what_is_none(what: TextLine) -> None:
    assert header(what) == []


def test_the_first_line_of_the_text_is_none() -> None:
    first = line("Page 17 begins with this line of text", 100, 110 - 13)
    assert header(first) == []


def test_a_footnote_under_its_ruling_is_no_footer() -> None:
    note = line("1 See the other book", 100, 740, size=8)
    assert footer(note, rulings=((100, 720, 260, 720.5),)) == []
    assert footer(line("2 See also www.example.org", 100, 740, size=8)) == ["2 See also www.example.org"]


def test_a_page_with_little_on_it_has_none() -> None:
    assert margins([line("Chapter one", 100, 40), line("17", 480, 40)], (), SIZE[1]) == ([], [])
