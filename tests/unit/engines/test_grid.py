from __future__ import annotations

from octavo.document import Word
from octavo.engines.pipeline import grid
from octavo.engines.pipeline.lattice import levels_of
from octavo.engines.pipeline.lines import TextLine


def line(text: str, x: float, y: float, width: float = 80) -> TextLine:
    return TextLine(text, (x, y, x + width, y + 20))


def table() -> list[TextLine]:
    return [line(f"{column}{row}", 40 + 200 * column, 40 + 40 * row) for row in range(3) for column in range(2)]


def shape(lines: list[TextLine], rulings: tuple[tuple[float, float, float, float], ...] = ()) -> list[tuple[int, ...]]:
    return [(s.row, s.column, s.row_span, s.column_span) for s in grid.slots_of(rulings, lines)]


def test_rows_and_columns() -> None:
    assert shape(table()[::-1]) == [(row, column, 1, 1) for row in range(3) for column in range(2)]
    assert [slot.header for slot in grid.slots_of((), table())] == [True, True, False, False, False, False]


def test_an_empty_square_has_a_slot() -> None:
    assert len(shape([t for t in table() if t.text != "01"])) == 6


def test_what_is_no_grid_has_no_slots() -> None:
    assert shape([]) == []
    assert shape(table()[:2]) == [], "one row"
    assert shape([line(c, 40, 40 * i) for i, c in enumerate("abcdef")]) == [], "one column"


def test_text_over_a_gap_spans_the_columns() -> None:
    body = [line("7", 40 + 150 * column, 80 + 40 * row, 50) for row in range(6) for column in range(3)]
    assert shape([line("both", 190, 40, 200), *body])[:2] == [(0, 0, 1, 1), (0, 1, 1, 2)]


def test_a_level_without_the_first_column_goes_on_the_row_above() -> None:
    lines = [
        text
        for row in range(4)
        for text in (
            line(f"row {row}", 40, 40 + 60 * row),
            line("a long remark that", 240, 40 + 60 * row, 160),
            line("goes on below", 240, 64 + 60 * row, 120),
        )
    ]
    assert shape(lines) == [(row, column, 1, 1) for row in range(4) for column in range(2)]


def test_rulings_part_rows_that_text_would_join() -> None:
    lines = [line("a", 40, 40), line("b", 240, 40), line("c", 240, 64), line("d", 40, 104), line("e", 240, 104)]
    assert len({row for row, *_ in shape(lines)}) == 2
    assert len({row for row, *_ in shape(lines, ((30, 61, 330, 62),))}) == 3


def test_a_line_is_parted_where_its_words_stand_in_two_columns() -> None:
    words = tuple(Word(text, (x, 0, x + 40, 20)) for text, x in (("to", 0), ("air", 45), ("12", 200), ("34", 300)))
    parts = grid.parted_at_gaps(TextLine("to air 12 34", (0, 0, 340, 20), words=words))
    assert [(part.text, part.box) for part in parts] == [
        ("to air", (0, 0, 85, 20)),
        ("12", (200, 0, 240, 20)),
        ("34", (300, 0, 340, 20)),
    ]


def test_a_gap_with_text_of_hardly_a_row_beyond_it_parts_no_column() -> None:
    lines = [line(f"{row}", 40 + 150 * column, 40 * row, 100) for row in range(8) for column in range(2)]
    gaps = grid.column_gaps(levels_of([*lines, line("note", 400, 80, 30)]), 20)
    assert [(round(low), round(high)) for low, high in gaps] == [(140, 190)]
