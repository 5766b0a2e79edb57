"""Tables over page breaks: header rows once, columns reconciled, other tables left alone."""

from __future__ import annotations

from msgspec.structs import replace
from pages_of_text import page, paragraph, passages, table

from octavo.assembly.pieces import Passage
from octavo.assembly.table_parts import repeats
from octavo.document import Block, Kind

HEAD = ["Year", "Place", "Reams"]
UPPER = [HEAD, ["1801", "Kent", "6,200"], ["1802", "Troyes", "310"]]
LOWER = [["1803", "Fabriano", "7,000"], ["1804", "Xativa", "95"]]
FOOT, TOP = 640.0, 60.0


def rows(passage: Passage) -> list[list[str]]:
    """The texts of a table, row by row; "" where no cell begins."""
    cells = passage.block.cells
    width = 1 + max(cell.column + cell.column_span - 1 for cell in cells)
    grid = [[""] * width for _ in range(1 + max(cell.row for cell in cells))]
    for cell in cells:
        grid[cell.row][cell.column] = cell.text
    return grid


def caption(text: str, y: float, target: int | None = None) -> Block:
    return replace(paragraph(text, y, kind=Kind.CAPTION), target=target)


def test_a_repeated_header_is_dropped() -> None:
    misread = ["Year", "P1ace", "Reams"]
    (whole,) = passages([page(1, table(UPPER, FOOT)), page(2, table([misread, *LOWER], TOP))])
    assert rows(whole) == UPPER + LOWER
    assert [(f.page, f.join, f.skip_rows) for f in whole.item.fragments] == [(1, "", 0), (2, "rows", 1)]
    assert [cell.header for cell in whole.block.cells] == [True] * 3 + [False] * 12


def test_rows_go_on_without_a_header() -> None:
    (whole,) = passages([page(1, table(UPPER, FOOT)), page(2, table(LOWER, TOP, header=False))])
    assert rows(whole) == UPPER + LOWER
    assert whole.item.fragments[1].skip_rows == 0


def test_a_first_row_of_figures_is_no_header_whatever_the_engine_says() -> None:
    (whole,) = passages([page(1, table(UPPER, FOOT)), page(2, table(LOWER, TOP))])
    assert rows(whole) == UPPER + LOWER
    assert [cell.header for cell in whole.block.cells] == [True] * 3 + [False] * 12


def test_over_three_pages_past_notes_and_furniture() -> None:
    note, header = paragraph("1 A note.", 760, kind=Kind.FOOTNOTE), paragraph("Mills", 20, kind=Kind.HEADER)
    middle = table([HEAD, *[["1810", "Kent", "7"]] * 30], TOP)
    pages = [page(1, table(UPPER, FOOT), note), page(2, header, middle), page(3, header, table([HEAD, *LOWER], TOP))]
    whole, footnote = passages(pages)
    assert rows(whole) == UPPER + [["1810", "Kent", "7"]] * 30 + LOWER
    assert footnote.block is not None
    assert footnote.block.kind is Kind.FOOTNOTE


def test_a_caption_that_repeats_is_dropped_and_an_own_one_is_not() -> None:
    first = [caption("Table 3. Reams made, by year", 600, 1), table(UPPER, FOOT)]
    again = caption("Table 3 (continued)", 40, 1)
    found = passages([page(1, *first), page(2, again, table([HEAD, *LOWER], TOP))])
    assert [p.block.kind for p in found] == [Kind.CAPTION, Kind.TABLE]
    assert rows(found[1]) == UPPER + LOWER
    assert [c.text for c in found[1].captions] == ["Table 3. Reams made, by year"]
    own = caption("Table 4. Reams sold, by year", 40, 1)
    found = passages([page(1, *first), page(2, own, table([HEAD, *LOWER], TOP))])
    assert [p.block.kind for p in found] == [Kind.CAPTION, Kind.TABLE] * 2


def test_a_caption_below_the_last_part_belongs_to_the_whole() -> None:
    below = caption("Table 3. Reams made", 200, 0)
    whole, tied = passages([page(1, table(UPPER, FOOT)), page(2, table([HEAD, *LOWER], TOP), below)])
    assert len(whole.item.fragments) == 2
    assert [c.text for c in whole.captions] == ["Table 3. Reams made"]
    assert tied.tied


def test_a_column_that_is_empty_on_one_page() -> None:
    edges = [60.0, 180.0, 300.0, 420.0]
    four = [["Year", "Place", "Note", "Reams"], ["1801", "Kent", "old", "62"], ["1802", "Troyes", "new", "31"]]
    three = [["1803", "Kent", "70"], ["1804", "Troyes", "9"]]
    part = table([["Year", "Place", "Reams"], *three], TOP, edges=[60.0, 180.0, 420.0], header=False)
    announced = caption("Table 3 (continued)", 40, 1)
    (whole,) = passages([page(1, table(four, FOOT, edges=edges)), page(2, announced, part)])
    assert rows(whole)[-2:] == [["1803", "Kent", "", "70"], ["1804", "Troyes", "", "9"]]
    found = passages([page(1, part), page(2, announced, table(four, TOP, edges=edges, header=False))])
    assert len(found) == 1
    assert rows(found[0])[1] == ["1803", "Kent", "", "70"]
    assert rows(found[0])[-1] == ["1802", "Troyes", "new", "31"]


def test_other_tables_are_left_alone() -> None:
    upper = page(1, table(UPPER, FOOT))
    other = [["Mould", "Width", "Height"], ["Crown", "20", "15"]]
    assert len(passages([upper, page(2, table(other, TOP))])) == 2, "another header"
    assert len(passages([upper, page(2, table(LOWER, 500, header=False))])) == 2, "not at the top"
    assert len(passages([page(1, table(UPPER, 60)), page(2, table(LOWER, TOP, header=False))])) == 2, "not at the foot"
    two = [["1803", "7,000"], ["1804", "95"]]
    assert len(passages([upper, page(2, table(two, TOP, header=False))])) == 2, "fewer columns, and nothing says so"
    text = paragraph("Some text that stands between the tables.", 60)
    assert len(passages([upper, page(2, text, table([HEAD, *LOWER], 100))])) == 3, "text between"
    assert len(passages([upper, page(3, table([HEAD, *LOWER], TOP))])) == 2, "a page is missing"
    assert len(passages([upper, page(2, table(UPPER[:1], TOP))])) == 2, "nothing but a header"


def test_captions_that_say_that_a_table_goes_on() -> None:
    first = "Table 3. Reams made, by year"
    for text in (
        "Table 3 (continued)",
        "Tabelle 3: Fortsetzung",
        "表3（续）",
        "Tableau 3 (suite)",
        "Table 3. Reams made, by year",
    ):
        assert repeats(text, first), text
    for text in ("Table 4. Reams made, by year", "Table 30. Suits and cloth", "A table of contents"):
        assert not repeats(text, first), text
