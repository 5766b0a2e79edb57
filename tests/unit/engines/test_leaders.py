"""Page numbers of tables of contents and their lines."""

from __future__ import annotations

from test_geometry import line

from octavo.engines.pipeline.leaders import joined
from octavo.engines.pipeline.lines import TextLine

DOTS = " . . . . . . . . ."


def entries(*titles: str) -> list[TextLine]:
    """Entries with their page numbers aligned at the right."""
    return [
        piece
        for row, title in enumerate(titles)
        for piece in (line(title, 100, 100 + 15 * row, 300), line(str(7 * row + 1), 430, 100 + 15 * row, 20))
    ]


def texts(lines: list[TextLine]) -> list[str]:
    return [one.text for one in joined(lines)]


def test_numbers_behind_dots_and_those_below_them() -> None:
    lines = entries("1 First" + DOTS, "2 Second" + DOTS, "Part two", "3 Third" + DOTS)
    assert texts(lines) == [f"1 First{DOTS} 1", f"2 Second{DOTS} 8", "Part two 15", f"3 Third{DOTS} 22"]
    whole = joined(lines)[0]
    assert whole.box == (100, 100, 450, 111.5)
    assert [word.text for word in whole.words][-1] == "1"


def test_without_dots_numbers_stay() -> None:
    lines = entries("First", "Second", "Third")
    assert joined(lines) == lines


def test_numbers_elsewhere_stay() -> None:
    lines = [*entries("1 First" + DOTS, "2 Second" + DOTS), line("iv", 300, 700, 10), line("text", 100, 700, 40)]
    assert texts(lines)[-2:] == ["iv", "text"]


def test_an_entry_of_two_lines_has_its_number_at_the_end() -> None:
    lines = entries("1 First" + DOTS, "2 Second" + DOTS)
    lines += [line("3 A title so long", 100, 130, 300), line("that it runs on" + DOTS, 120, 145, 280)]
    lines += [line("44", 430, 145, 20)]
    assert texts(lines)[-2:] == ["3 A title so long", f"that it runs on{DOTS} 44"]
