from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.document import Box, Cell, Kind, Word
from octavo.engines.pipeline import rulings, tables
from octavo.engines.pipeline.drafts import share
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.picture import Upright, upright

HEIGHT = 20  # px of a text line
LETTER = 10


def line(text: str, x: float, y: float) -> TextLine:
    words, at = [], 0
    for word in text.split(" "):
        words.append(Word(word, (x + LETTER * at, y, x + LETTER * (at + len(word)), y + HEIGHT)))
        at += len(word) + 1
    return TextLine(text, (x, y, x + LETTER * len(text), y + HEIGHT), words=tuple(words))


def page(width: int = 900, height: int = 700) -> Upright:
    return upright(np.full((height, width, 3), 255, np.uint8), 0, (width / 2, height / 2))  # two pixels to a unit


def level(y: float, x0: float, x1: float) -> Box:
    return (x0, y - 1, x1, y + 1)


def plumb(x: float, y0: float, y1: float) -> Box:
    return (x - 1, y0, x + 1, y1)


def grid_of(xs: list[float], ys: list[float]) -> list[Box]:
    return [level(y, xs[0], xs[-1]) for y in ys] + [plumb(x, ys[0], ys[-1]) for x in xs]


def read(lines: list[TextLine], drawn: list[Box], where: Upright | None = None) -> list[tuple[int, int, str]]:
    return [(c.row, c.column, c.text) for c in cells(lines, drawn, where)]


def cells(lines: list[TextLine], drawn: list[Box], where: Upright | None = None) -> tuple[Cell, ...]:
    where = where or page()
    return tables.cells(None, where, (0, 0, *map(float, where.size)), lines, drawn)


def spans(found: tuple[Cell, ...]) -> dict[str, tuple[int, int, int, int]]:
    return {c.text: (c.row, c.column, c.row_span, c.column_span) for c in found}


# ---- cells


def test_a_ruled_table_with_an_empty_cell() -> None:
    drawn = grid_of([50, 250, 450, 650], [50, 90, 130])
    lines = [
        line("name", 60, 60),
        line("size", 260, 60),
        line("cost", 460, 60),
        line("cup", 60, 100),
        line("9", 470, 100),
    ]
    assert read(lines, drawn) == [
        (0, 0, "name"),
        (0, 1, "size"),
        (0, 2, "cost"),
        (1, 0, "cup"),
        (1, 1, ""),
        (1, 2, "9"),
    ]
    found = cells(lines, drawn)
    assert [c.header for c in found] == [True, True, True, False, False, False]
    assert found[4].box == (125, 45, 225, 65)


def test_cells_of_several_lines_and_lines_over_a_border() -> None:
    drawn = grid_of([50, 250, 450], [50, 90, 150, 190])
    lines = [
        line("what", 60, 60),
        line("remark", 260, 60),
        line("cup", 60, 110),
        line("a long remark", 260, 95),
        line("that goes on", 260, 122),
        replace(line("saucer none", 160, 160), box=(160, 160, 270, 180)),  # read as one over the border
    ]
    assert read(lines, drawn)[2:] == [
        (1, 0, "cup"),
        (1, 1, "a long remark\nthat goes on"),
        (2, 0, "saucer"),
        (2, 1, "none"),
    ]


def test_nested_headers_and_spans_by_rulings() -> None:
    xs, ys = [50.0, 200.0, 350.0, 500.0], [50.0, 90.0, 130.0, 170.0]
    drawn = [level(y, 50, 500) for y in (50, 130, 170)] + [level(90, 200, 500)]
    drawn += [plumb(x, 50, 170) for x in (50, 200, 500)] + [plumb(350, 90, 170)]
    lines = [line("Name", 60, 80), line("Sizes", 300, 60), line("S", 210, 100), line("L", 360, 100)]
    lines += [line("cup", 60, 140), line("1", 210, 140), line("2", 360, 140)]
    found = cells(lines, drawn)
    assert spans(found) == {
        "Name": (0, 0, 2, 1),
        "Sizes": (0, 1, 1, 2),
        "S": (1, 1, 1, 1),
        "L": (1, 2, 1, 1),
        "cup": (2, 0, 1, 1),
        "1": (2, 1, 1, 1),
        "2": (2, 2, 1, 1),
    }
    assert {c.text for c in found if c.header} == {"Name", "Sizes", "S", "L"}
    assert len(xs) == len(ys)


def test_rows_that_only_the_header_s_rulings_leave_unparted_come_from_the_text() -> None:
    drawn = [level(y, 50, 500) for y in (50, 90, 300)] + [plumb(x, 50, 300) for x in (200, 350)]
    lines = [line(t, x, 60) for t, x in (("year", 60), ("in", 210), ("out", 360))]
    for row in range(6):
        lines += [
            line(f"201{row}", 60, 100 + 30 * row),
            line(f"{row}7", 210, 100 + 30 * row),
            line(f"{row}8", 360, 100 + 30 * row),
        ]
    found = read(lines, drawn)
    assert len(found) == 21
    assert found[-3:] == [(6, 0, "2015"), (6, 1, "57"), (6, 2, "58")]


def test_text_that_wraps_in_all_columns_is_one_row() -> None:
    drawn = grid_of([50, 300, 550], [50, 90, 160, 230])
    lines = [line("one", 60, 60), line("two", 310, 60)]
    for y in (95, 165):
        for x in (60, 310):
            lines += [line("running text fills lines", x, y), line("and goes on below it", x, y + 22)]
    assert [(row, column) for row, column, _ in read(lines, drawn)] == [(r, c) for r in range(3) for c in range(2)]


def test_an_unruled_table() -> None:
    lines = [line(f"{'abc'[column]}{row}", 60 + 200 * column, 60 + 34 * row) for row in range(5) for column in range(3)]
    assert read(lines, []) == [(row, column, f"{'abc'[column]}{row}") for row in range(5) for column in range(3)]


def test_what_is_no_table_has_no_cells() -> None:
    assert cells([], grid_of([50, 250, 450], [50, 90, 130])) == ()
    assert cells([line("a paragraph of running text", 60, 60 + 26 * row) for row in range(6)], []) == ()


def test_a_table_that_runs_up_the_page() -> None:
    drawn = grid_of([50, 250, 450], [50, 90, 130])
    lines = [line("name", 60, 60), line("size", 260, 60), line("cup", 60, 100), line("9 ml", 260, 100)]
    expected = read(lines, drawn)
    height, width = 700, 900
    standing = page(height, width)

    def up(box: Box) -> Box:
        return (box[1], width - box[2], box[3], width - box[0])

    turned = [replace(t, box=up(t.box), words=tuple(Word(w.text, up(w.box)) for w in t.words)) for t in lines]
    found = tables.cells(None, standing, (0, 0, height, width), turned, [up(b) for b in drawn])
    assert [(c.row, c.column, c.text) for c in found] == expected
    assert found[0].box == (25, 325, 45, 425)


def test_a_bent_table_is_read_along_its_rulings() -> None:
    xs, ys = [50, 350, 650, 850], list(range(50, 330, 30))

    def bend(x: float) -> float:
        return 0.06 * x + 0.00006 * (x - 450) ** 2

    drawn = [plumb(x, 50 + bend(x), 320 + bend(x)) for x in xs]
    for y in ys:
        drawn += [(x, y + bend(x), x + 25, y + bend(x + 25) + 1) for x in range(50, 850, 25)]
    lines = [
        line(f"{'abc'[column]}{row}", x + 20, y + 5 + bend(x + 30))
        for row, y in enumerate(ys[:-1])
        for column, x in enumerate(xs[:-1])
    ]
    assert read(lines, drawn) == [(row, column, f"{'abc'[column]}{row}") for row in range(9) for column in range(3)]


def test_arabic_tables_begin_at_the_right() -> None:
    drawn = grid_of([50, 250, 450], [50, 90, 130])
    lines = [line("الاسم", 260, 60), line("الحجم", 60, 60), line("كوب", 260, 100), line("كبير", 60, 100)]
    assert read(lines, drawn) == [(0, 0, "الاسم"), (0, 1, "الحجم"), (1, 0, "كوب"), (1, 1, "كبير")]


PLACES = st.tuples(st.integers(0, 70), st.integers(0, 30), st.integers(1, 3))
RULES = st.tuples(st.booleans(), st.integers(0, 14), st.integers(0, 8), st.integers(1, 8))


@given(st.lists(PLACES, min_size=1, max_size=25), st.lists(RULES, max_size=14))
@settings(max_examples=150, deadline=None)
def test_no_word_is_lost_or_doubled_and_no_square_taken_twice(
    places: list[tuple[int, int, int]], rules: list[tuple[bool, int, int, int]]
) -> None:
    lines = [
        line(" ".join(f"w{i}x{n}" for n in range(count)), 10.0 * x, 20.0 * y) for i, (x, y, count) in enumerate(places)
    ]
    drawn = [
        level(40.0 * at, 100.0 * low, 100.0 * (low + long))
        if flat
        else plumb(60.0 * at, 80.0 * low, 80.0 * (low + long))
        for flat, at, low, long in rules
    ]
    found = cells(lines, drawn)
    if found:
        assert sorted(" ".join(c.text for c in found).split()) == sorted(" ".join(t.text for t in lines).split())
        taken = [
            (r, k)
            for c in found
            for r in range(c.row, c.row + c.row_span)
            for k in range(c.column, c.column + c.column_span)
        ]
        rows, columns = max(r for r, _ in taken) + 1, max(k for _, k in taken) + 1
        assert sorted(taken) == [(r, k) for r in range(rows) for k in range(columns)]
    regions = tables.find(lines, [Region(Kind.TABLE, (0, 0, 800, 600), 0.9)], page(), drawn)
    boxes = [region.box for region in regions if region.kind is Kind.TABLE]
    assert not any(a is not b and share(a, b) >= 0.3 for a in boxes for b in boxes)


# ---- which parts of the page are tables


def found_in(lines: list[TextLine], drawn: list[Box], *regions: Region, where: Upright | None = None) -> list[Box]:
    found = tables.find(lines, regions, where or page(), drawn)
    return [region.box for region in found if region.kind is Kind.TABLE]


def rows_of_text(x: float, y: float, rows: int, columns: int = 3) -> list[TextLine]:
    return [
        line(f"{row}{column} text", x + 150 * column, y + 40 * row) for row in range(rows) for column in range(columns)
    ]


def prose(x: float, y: float, lines: int) -> list[TextLine]:
    return [line("some words of running text here", x, y + 26 * row) for row in range(lines)]


def test_ruled_grids_that_the_layout_missed_are_found_one_by_one() -> None:
    drawn = grid_of([50, 190, 340, 490], [50, 90, 130]) + grid_of([50, 190, 340, 490], [170, 210, 250])
    lines = rows_of_text(60, 60, 2) + rows_of_text(60, 180, 2) + prose(60, 400, 5)
    figure = Region(Kind.FIGURE, (40, 40, 500, 260), 0.9)
    assert found_in(lines, drawn, figure) == [(49, 49, 491, 131), (49, 169, 491, 251)]


def test_a_table_between_rulings_of_one_length_and_the_rows_below_them() -> None:
    drawn = [level(50, 50, 500), level(90, 50, 500)]
    lines = rows_of_text(60, 60, 5)
    lines += [line("one wide line of the running text that stands below the table", 60, 400 + 26 * n) for n in range(6)]
    (box,) = found_in(lines, drawn)
    assert box == (50, 50, 500, 240)


def test_prose_above_a_ruled_table_is_none_of_it() -> None:
    drawn = grid_of([50, 190, 340, 490], [100, 140, 180])
    lines = [line("a sentence that stands over the whole table", 50, 60), *rows_of_text(60, 110, 2)]
    assert found_in(lines, drawn, Region(Kind.TABLE, (40, 50, 500, 190), 0.9)) == [(49, 99, 491, 181)]


def test_a_figure_full_of_rows_is_a_table_and_one_of_prose_is_not() -> None:
    rows = rows_of_text(60, 60, 6, 5)
    box = (50.0, 50.0, 720.0, 290.0)
    assert len(found_in(rows, [], Region(Kind.FIGURE, box, 0.8))) == 1
    assert found_in(prose(60, 60, 8), [], Region(Kind.FIGURE, box, 0.8)) == []


def test_columns_of_running_text_are_no_table() -> None:
    lines = prose(50, 60, 14) + prose(480, 60, 14)
    region = Region(Kind.TABLE, (40, 50, 800, 430), 0.95)
    found = tables.find(lines, [region], page(), [level(40, 50, 800), level(440, 50, 800)])
    assert [r.kind for r in found] == [Kind.TEXT]


def test_the_grid_of_a_chart_is_no_table() -> None:
    drawn = grid_of([200, 300, 400, 500, 600], [100, 160, 220, 280])
    labels = [line(f"{y}", 150, y - 10) for y in (100, 160, 220, 280)]
    labels += [line(f"{x}", x - 15, 290) for x in (200, 300, 400, 500, 600)]
    assert found_in(labels, drawn) == []


def test_receipts_are_no_tables() -> None:
    lines = [line("CORNER SHOP", 130, 20), line("12 High Street", 110, 50), line("Thank you", 140, 560)]
    for row in range(8):
        lines += [line(f"item {row}", 40, 120 + 40 * row), line(f"{row}.50", 330, 120 + 40 * row)]
    lines += [line("incl. tax", 40, 140 + 40 * row) for row in range(8)]
    drawn = [level(110, 40, 380), level(450, 40, 380)]
    assert found_in(lines, drawn, Region(Kind.TABLE, (30, 100, 390, 460), 0.7), where=page(420, 620)) == []


@pytest.mark.parametrize("ink", [(0, 0, 0), (180, 60, 60)])
def test_a_drawn_table_is_found_and_read(ink: tuple[int, int, int]) -> None:
    picture = np.full((500, 800, 3), 255, np.uint8)
    lines = []
    for y in (60, 110, 160, 210):
        cv2.line(picture, (50, y), (650, y), ink, 2)
    for x in (50, 250, 450, 650):
        cv2.line(picture, (x, 60), (x, 210), ink, 2)
    for row in range(3):
        for column in range(3):
            text = f"{row}{column}"
            cv2.putText(picture, text, (70 + 200 * column, 95 + 50 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2)
            lines.append(line(text, 70 + 200 * column, 77 + 50 * row))
    where = upright(picture, 0, (800, 500))
    drawn = rulings.find(picture, lines)
    (box,) = found_in(lines, list(drawn), where=where)
    assert box == pytest.approx((50, 60, 650, 210), abs=4)
    found = tables.cells(None, where, box, lines, drawn)
    assert [(c.row, c.column, c.text) for c in found] == [(r, c, f"{r}{c}") for r in range(3) for c in range(3)]
