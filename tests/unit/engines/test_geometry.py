"""The parts of a page from geometry alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.document import Box, Kind, Word
from octavo.engines.pipeline.geometry import doubt, regions
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine

SIZE = (600.0, 800.0)


def line(text: str, x: float, y: float, width: float | None = None, size: float = 10, style: str = "") -> TextLine:
    """A line of one word per word, 1.15 times as high as its size."""
    width = 0.5 * size * len(text) if width is None else width
    bottom, pieces = y + 1.15 * size, text.split()
    step = width / max(1, len(pieces))
    words = tuple(Word(w, (x + i * step, y, x + (i + 0.9) * step, bottom), style=style) for i, w in enumerate(pieces))
    return TextLine(text, (x, y, x + width, bottom), words=words)


def paragraph(x: float, y: float, rows: int, width: float = 400, pitch: float = 13, size: float = 10) -> list[TextLine]:
    return [
        line("a line of running text that fills its column", x, y + pitch * row, width, size) for row in range(rows)
    ]


def found(
    lines: list[TextLine], kind: Kind, rulings: tuple[Box, ...] = (), pictures: tuple[Box, ...] = ()
) -> list[Box]:
    return [region.box for region in regions(lines, rulings, pictures, SIZE) if region.kind is kind]


def test_paragraphs_are_parted_where_the_gap_is_wider() -> None:
    lines = paragraph(100, 200, 4) + paragraph(100, 200 + 4 * 13 + 8, 4)
    assert [(box[1], box[3]) for box in found(lines, Kind.TEXT)] == [(200, 250.5), (260, 310.5)]


@pytest.mark.parametrize("pitch", [12, 15, 20, 26])
def test_a_page_set_wide_keeps_its_paragraphs(pitch: float) -> None:
    assert len(found(paragraph(100, 150, 20, pitch=pitch), Kind.TEXT)) == 1


def test_a_ruling_parts_what_stands_close() -> None:
    lines = paragraph(100, 200, 6)
    ruling = (90.0, 238.0, 510.0, 238.5)  # between the third and the fourth line
    boxes = [r.box for r in regions(lines, (ruling,), (), SIZE) if r.kind is Kind.TEXT]
    assert [(box[1], box[3]) for box in boxes] == [(200, 237.5), (239, 276.5)]


@pytest.mark.parametrize("mark", ["•", "3.", "(a)", "2.1", "[12]"])
def test_a_mark_goes_with_what_it_marks(mark: str) -> None:
    lines = [line(mark, 100, 200), *paragraph(125, 200, 3)]
    assert found(lines, Kind.TEXT) == [(100, 200, 525, 237.5)]


def test_a_number_by_itself_marks_a_heading() -> None:
    lines = [line("2.1", 100, 200, size=14), line("On numbers", 135, 200, size=14), *paragraph(100, 230, 6)]
    assert found(lines, Kind.HEADING) == [(100, 200, 205, 216.1)]


def test_columns_are_parts_of_their_own() -> None:
    boxes = found(paragraph(50, 200, 8, width=240) + paragraph(310, 203, 8, width=240), Kind.TEXT)
    assert sorted(box[0] for box in boxes) == [50, 310]


@pytest.mark.parametrize(
    ("text", "size", "style", "is_heading"),
    [
        ("On larger type", 13, "", True),
        ("Does larger type ask questions?", 13, "", True),
        ("On bold type", 10, "b", True),
        ("On plain type", 10, "", False),
        ("On larger type that ends as sentences do.", 13, "", False),
        ("1.2.3 5,000", 14, "", False),
        ("a b = c d", 14, "b", False),
        ("論語", 14, "", True),
        ("Small and bold", 8, "b", False),
    ],
)
def test_headings_stand_out(text: str, size: float, style: str, is_heading: bool) -> None:
    heading = line(text, 100, 200, size=size, style=style)
    lines = [heading, *paragraph(100, 225, 6)]
    assert found(lines, Kind.HEADING) == ([heading.box] if is_heading else [])


def test_on_a_bold_page_bold_is_no_heading() -> None:
    lines = [line(f"Entry number {n}", 100, 100 + 25 * n, style="b") for n in range(10)]
    assert found(lines, Kind.HEADING) == []


def test_large_type_beside_other_text_is_that_of_a_form() -> None:
    label = line("Total", 100, 200, size=14)
    assert found([label, line("1,000", 145, 202), *paragraph(100, 240, 6)], Kind.HEADING) == []


def test_unruled_columns_of_numbers_are_a_table() -> None:
    rows = [
        [line(f"Item {n}", 100, 200 + 15 * n), line(str(n * 7), 300, 200 + 15 * n), line("3.5", 400, 200 + 15 * n)]
        for n in range(6)
    ]
    lines = [cell for row in rows for cell in row]
    (box,) = found(lines + paragraph(100, 400, 6), Kind.TABLE)
    assert box == pytest.approx((100, 200, 415, 286.5))


def test_two_columns_of_text_are_none() -> None:
    lines = paragraph(50, 200, 12, width=240) + paragraph(310, 200, 12, width=240)
    assert found(lines, Kind.TABLE) == []


def test_a_table_of_contents_is_none() -> None:
    lines = [
        piece
        for n in range(8)
        for piece in (line(f"Chapter {n} . . . . . . . . . .", 100, 200 + 15 * n), line(str(n), 450, 200 + 15 * n))
    ]
    assert found(lines, Kind.TABLE) == []


def test_a_numbered_list_is_none() -> None:
    lines = [
        piece
        for n in range(6)
        for piece in (line(f"{n}.", 100, 200 + 15 * n), line("an item of several words", 130, 200 + 15 * n, 300))
    ]
    assert found(lines, Kind.TABLE) == []


def test_pictures_are_figures_and_pieces_of_one_are_joined() -> None:
    text = paragraph(100, 500, 6)
    strips = ((100.0, 100.0, 300.0, 150.0), (100.0, 150.0, 300.0, 200.0))
    assert found(text, Kind.FIGURE, pictures=strips) == [(100, 100, 300, 200)]


@pytest.mark.parametrize("box", [(0.0, 0.0, 600.0, 800.0), (100.0, 100.0, 110.0, 110.0)])
def test_grounds_and_ornaments_are_no_figures(box: Box) -> None:
    assert found(paragraph(100, 500, 6), Kind.FIGURE, pictures=(box,)) == []


def test_a_page_of_pictures_alone() -> None:
    assert found([], Kind.FIGURE, pictures=((100.0, 100.0, 300.0, 300.0),)) == [(100, 100, 300, 300)]


def test_doubt_is_the_share_of_what_stands_side_by_side_without_reason() -> None:
    text = paragraph(100, 300, 10)
    assert doubt(text, []) == 0
    assert doubt(paragraph(50, 200, 8, width=240) + paragraph(310, 200, 8, width=240), []) == 0
    labels = [line(f"Label {n}", 100 + 200 * (n % 2), 100 + 40 * (n // 2)) for n in range(6)]
    letters = sum(len(one.text) for one in labels)
    total = letters + sum(len(one.text) for one in text)
    assert doubt(labels + text, []) == pytest.approx(letters / total)
    assert doubt(labels + text, [Region(Kind.TABLE, (90, 90, 400, 250), 1.0)]) == 0


PLACE = st.floats(0, 700, allow_nan=False)


@given(
    st.lists(
        st.tuples(PLACE, PLACE, st.floats(0, 300), st.floats(0.5, 60), st.sampled_from(["x", "12", "A b c", "", "…"])),
        max_size=25,
    )
)
def test_any_page_is_parted_somehow(places: list[tuple[float, float, float, float, str]]) -> None:
    lines = [TextLine(text, (x, y, x + width, y + height)) for x, y, width, height, text in places]
    for region in regions(lines, (), (), SIZE):
        assert region.box[0] <= region.box[2]
        assert region.box[1] <= region.box[3]
    assert 0 <= doubt(lines, []) <= 1
