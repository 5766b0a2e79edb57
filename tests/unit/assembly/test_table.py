from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.assembly.writers.table import grid, html_rows, is_plain
from octavo.document import Cell

BOX = (0.0, 0.0, 1.0, 1.0)
SMALL = st.integers(0, 5)
CELLS = st.lists(
    st.builds(Cell, SMALL, SMALL, st.sampled_from(["a", "b\nc", ""]), st.just(BOX), SMALL, SMALL, st.booleans()),
    min_size=1,
    max_size=12,
)


@given(CELLS)
def test_the_grid_covers_a_rectangle_once_and_keeps_every_word(cells: list[Cell]) -> None:
    rows = grid(cells)
    slots = [
        (row + down, cell.column + right)
        for row, placed in enumerate(rows)
        for cell in placed
        for down in range(cell.row_span)
        for right in range(cell.column_span)
    ]
    height, width = len({cell.row for cell in cells}), len({cell.column for cell in cells})
    assert sorted(slots) == [(row, column) for row in range(height) for column in range(width)]
    words = [word for placed in rows for cell in placed for line in cell.lines for word in line.split()]
    assert sorted(words) == sorted(word for cell in cells for word in cell.text.split())


def test_a_sound_table_is_kept_as_it_is() -> None:
    cells = [
        Cell(0, 0, "a", BOX, row_span=2, header=True),
        Cell(0, 1, "b", BOX, column_span=2, header=True),
        Cell(1, 1, "c", BOX),
        Cell(1, 2, "d < e\nf", BOX),
    ]
    rows = grid(cells)
    assert not is_plain(rows)
    assert html_rows(rows) == [
        '<tr><th rowspan="2">a</th><th colspan="2">b</th></tr>',
        "<tr><td>c</td><td>d &lt; e<br>f</td></tr>",
    ]


def test_a_table_numbered_beyond_reason_stays_small() -> None:
    rows = grid([Cell(0, 0, "a", BOX, row_span=10**9), Cell(10**9, 10**9, "b", BOX)])
    assert [[cell.lines for cell in row] for row in rows] == [[["a"], []], [[], ["b"]]]
    assert all(cell.row_span == cell.column_span == 1 for row in rows for cell in row)


@pytest.mark.parametrize(
    ("headers", "plain"),
    [([], False), ([(0, 0), (0, 1)], True), ([(0, 0)], False), ([(0, 0), (0, 1), (1, 0)], False), ([(1, 0)], False)],
)
def test_a_table_is_plain_with_one_header_row(headers: list[tuple[int, int]], plain: bool) -> None:
    cells = [Cell(r, c, "a", BOX, header=(r, c) in headers) for r in range(3) for c in range(2)]
    assert is_plain(grid(cells)) is plain


def test_an_empty_corner_does_not_matter_to_a_header_row() -> None:
    assert is_plain(grid([Cell(0, 1, "a", BOX, header=True), Cell(1, 0, "b", BOX), Cell(1, 1, "c", BOX)]))
