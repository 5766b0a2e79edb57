from __future__ import annotations

import numpy as np

from octavo.engines.pipeline.grid import cells_of
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.picture import upright

PAGE = upright(np.zeros((400, 600, 3), np.uint8), 0, (300, 200))  # two pixels to a unit


def line(text: str, x: float, y: float, width: float = 80) -> TextLine:
    return TextLine(text, (x, y, x + width, y + 20))


def table() -> list[TextLine]:
    return [line(f"{column}{row}", 40 + 200 * column, 40 + 40 * row) for row in range(3) for column in range(2)]


def test_rows_and_columns() -> None:
    cells = cells_of(table()[::-1], PAGE)
    assert [(c.row, c.column, c.text, c.header) for c in cells] == [
        (0, 0, "00", True),
        (0, 1, "10", True),
        (1, 0, "01", False),
        (1, 1, "11", False),
        (2, 0, "02", False),
        (2, 1, "12", False),
    ]


def test_boxes_are_in_page_units() -> None:
    assert cells_of(table(), PAGE)[3].box == (120, 40, 160, 50)


def test_an_empty_cell_is_left_out() -> None:
    cells = cells_of([t for t in table() if t.text != "01"], PAGE)
    assert [(c.row, c.column) for c in cells] == [(0, 0), (0, 1), (1, 1), (2, 0), (2, 1)]


def test_pieces_of_a_cell_are_joined_from_the_left() -> None:
    lines = [*table(), line("more", 123, 82, 40)]
    assert next(c.text for c in cells_of(lines, PAGE) if (c.row, c.column) == (1, 0)) == "01 more"


def test_what_is_no_grid_has_no_cells() -> None:
    assert cells_of([], PAGE) == ()
    assert cells_of(table()[:2], PAGE) == (), "one row"
    assert cells_of([line("a", 40, 40), line("b", 40, 80)], PAGE) == (), "one column"
