from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.document import Block, Box, Kind
from octavo.engines.pipeline.blocks import build, confidence
from octavo.engines.pipeline.drafts import share
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.paragraphs import joined
from octavo.engines.pipeline.picture import upright

PAGE = upright(np.zeros((1400, 1000, 3), np.uint8), 0, (1000, 1400))
LONG = "words of a line that is long enough to be prose"


def line(text: str, x: float, y: float, width: float = 0, height: float = 20) -> TextLine:
    return TextLine(text, (x, y, x + (width or 9 * len(text)), y + height), 0.9)


def paragraph(x: float, y: float, lines: int, width: float = 420) -> list[TextLine]:
    return [line(f"{LONG} {int(x)}.{i}", x, y + 30 * i, width) for i in range(lines)]


def region(kind: Kind, box: Box, score: float = 0.9) -> Region:
    return Region(kind, box, score)


def around(lines: list[TextLine], by: float = 5) -> Box:
    x0, y0, x1, y1 = bounds(line.box for line in lines)
    return x0 - by, y0 - by, x1 + by, y1 + by


def texts(blocks: tuple[Block, ...]) -> list[str]:
    return [line.text for block in blocks for line in block.lines]


def test_nothing() -> None:
    assert build([], [], PAGE) == ()


def test_lines_of_a_region_are_one_block_of_its_kind() -> None:
    lines = paragraph(100, 300, 4)
    (block,) = build(lines[::-1], [region(Kind.FOOTER, around(lines))], PAGE)
    assert (block.kind, block.box) == (Kind.FOOTER, bounds(line.box for line in lines))
    assert texts((block,)) == [line.text for line in lines]
    assert block.confidence == pytest.approx(0.9)


def test_headers_come_first_and_footers_last_wherever_reading_order_would_put_them() -> None:
    body, header, footer = paragraph(100, 300, 4), [line("A header", 700, 310)], [line("A footer", 700, 340)]
    kinds = [(Kind.TEXT, body), (Kind.FOOTER, footer), (Kind.HEADER, header)]
    blocks = build(body + footer + header, [region(kind, around(lines)) for kind, lines in kinds], PAGE)
    assert [block.kind for block in blocks] == [Kind.HEADER, Kind.TEXT, Kind.FOOTER]


@pytest.mark.parametrize(
    ("text", "y", "kind"),
    [
        ("17", 1370, Kind.PAGE_NUMBER),
        ("- xiv -", 20, Kind.PAGE_NUMBER),
        ("17", 700, Kind.TEXT),
        ("Seventeen", 1370, Kind.TEXT),
    ],
)
def test_a_number_alone_at_the_edge_is_the_pages(text: str, y: float, kind: Kind) -> None:
    body = paragraph(100, 200, 5)
    blocks = build([*body, line(text, 480, y)], [region(Kind.TEXT, around(body))], PAGE)
    assert next(block.kind for block in blocks if block.text == text) is kind


def test_a_table_has_cells_and_its_regions_box() -> None:
    lines = [line(f"cell {c}{r}", 120 + 250 * c, 400 + 40 * r) for r in range(3) for c in range(3)]
    (block,) = build(lines, [region(Kind.TABLE, (100, 380, 800, 520))], PAGE)
    assert block.kind is Kind.TABLE
    assert block.box == (100, 380, 800, 520)
    assert [(c.row, c.column) for c in block.cells] == [(r, c) for r in range(3) for c in range(3)]


def test_a_figure_without_words_stays() -> None:
    blocks = build(paragraph(100, 100, 3), [region(Kind.FIGURE, (100, 400, 700, 900))], PAGE)
    assert [(block.kind, block.text) for block in blocks][1:] == [(Kind.FIGURE, "")]
    assert blocks[1].box == (100, 400, 700, 900)


def test_a_region_found_twice_is_one_block() -> None:
    lines = paragraph(100, 300, 4)
    box = around(lines)
    found = [region(Kind.TEXT, box, 0.6), region(Kind.FOOTER, (box[0], box[1], box[2] + 3, box[3]), 0.8)]
    assert [block.kind for block in build(lines, found, PAGE)] == [Kind.FOOTER]


def test_headings_are_ranked_by_their_height() -> None:
    body = paragraph(100, 400, 6)
    large, small = line("Large", 100, 100, height=44), line("Small", 100, 300, height=21)
    found = [region(Kind.HEADING, around([large])), region(Kind.HEADING, around([small]))]
    blocks = build([large, small, *body], [*found, region(Kind.TEXT, around(body))], PAGE)
    assert [(block.text, block.level) for block in blocks[:2]] == [("Large", 1), ("Small", 2)]


def test_without_regions_two_columns_are_still_read_to_their_end() -> None:
    left, right = paragraph(60, 100, 8), paragraph(540, 100, 8)
    shuffled = [piece for pair in zip(right, left, strict=True) for piece in pair]
    assert texts(build(shuffled, [], PAGE)) == [line.text for line in left + right]


coordinates = st.tuples(st.integers(0, 900), st.integers(0, 1300), st.integers(1, 500), st.integers(5, 60))
kinds = st.sampled_from([Kind.TEXT, Kind.HEADING, Kind.TABLE, Kind.FIGURE, Kind.HEADER, Kind.FOOTER, Kind.FORMULA])


@given(st.lists(coordinates, max_size=20), st.lists(st.tuples(kinds, coordinates, st.floats(0.4, 1)), max_size=6))
def test_every_line_comes_out_in_exactly_one_block(
    places: list[tuple[int, int, int, int]], found: list[tuple[Kind, tuple[int, int, int, int], float]]
) -> None:
    lines = [TextLine(f"line {i}", (x, y, x + w, y + h)) for i, (x, y, w, h) in enumerate(places)]
    regions = [Region(kind, (x, y, x + w, y + 3 * h), score) for kind, (x, y, w, h), score in found]
    assert sorted(texts(build(lines, regions, PAGE))) == sorted(line.text for line in lines)


# ---- running text


BOX = (0.0, 0.0, 500.0, 200.0)


def full(text: str, row: int) -> TextLine:
    """A line as wide as the block."""
    return line(text, 0, 30 * row, 500)


def test_full_lines_are_joined_with_spaces() -> None:
    assert joined([full("one two", 0), full("three", 1)], BOX) == "one two three"


def test_a_syllable_break_is_mended_and_a_true_hyphen_kept() -> None:
    assert joined([full("an exam-", 0), full("ple of it", 1)], BOX) == "an example of it"
    assert joined([full("in Baden-", 0), full("Baden", 1)], BOX) == "in Baden- Baden"
    assert joined([full("a soft\u00ad", 0), full("ness", 1)], BOX) == "a softness"


def test_a_short_line_was_ended_by_the_author() -> None:
    assert (
        joined([line("12 High Street", 0, 0, 120), full("London is far away", 1)], BOX)
        == "12 High Street\nLondon is far away"
    )


def test_east_asian_lines_are_joined_without_a_space() -> None:
    assert joined([full("人人生而", 0), full("自由", 1)], BOX) == "人人生而自由"
    assert joined([full("人人生而", 0), full("free", 1)], BOX) == "人人生而 free"


def test_pieces_of_one_row_stand_beside_each_other() -> None:
    assert joined([line("Total", 0, 0, 90), line("12.40", 400, 2, 90)], BOX) == "Total 12.40"


def test_no_lines() -> None:
    assert joined([], BOX) == ""
    assert confidence([]) == 1.0


def test_confidence_is_by_characters() -> None:
    sure, unsure = TextLine("abcdefghi", BOX, 1.0), TextLine("j", BOX, 0.0)
    assert confidence([sure, unsure]) == pytest.approx(0.9)


def test_share() -> None:
    assert share((0, 0, 10, 10), (5, 0, 20, 20)) == 0.5
    assert share((0, 0, 10, 10), (10, 0, 20, 20)) == 0
    assert share((3, 3, 3, 9), (0, 0, 20, 20)) == 0
