from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.document import Block, Kind, Page
from octavo.errors import UnreadableError
from octavo.intake import fonts, open_source
from octavo.intake.page_setting import HEIGHT, WIDTH, Place, set_page
from octavo.intake.passages import Passage, plain_passages
from octavo.intake.text_decoding import decode
from octavo.intake.text_layer import layer_of
from octavo.settings import Settings

Maker = Callable[..., list[Page]]


@pytest.fixture
def pages(tmp_path: Path) -> Maker:
    def read(content: str | bytes, name: str = "a.txt") -> list[Page]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        opened = open_source(path, Settings())
        return [opened.page(number) for number in range(1, opened.source.pages + 1)]

    return read


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def all_blocks(passages: list[Passage]) -> list[Block]:
    blocks: list[Block] = []
    place: Place | None = Place(0, 0, 0)
    while place is not None:
        page = set_page(passages, place)
        assert page.following is None or page.following > place
        for line in page.lines:
            assert line.y + line.look.leading <= HEIGHT
        blocks.extend(layer_of(page, passages))
        place = page.following
    return blocks


def test_a_page_is_a4_at_150_dpi_with_exact_text_and_boxes_on_the_ink(pages: Maker) -> None:
    (page,) = pages("Hello wide world\n")
    assert (page.width, page.height, page.unit) == (1240, 1754, "px") == (WIDTH, HEIGHT, "px")
    block = page.text_layer.blocks[0]
    assert (block.kind, block.text) == (Kind.TEXT, "Hello wide world")
    assert [word.text for word in block.lines[0].words] == ["Hello", "wide", "world"]
    pixels = page.render(200)
    assert pixels.shape == (1754, 1240, 3)
    for word in block.lines[0].words:
        x0, y0, x1, y1 = (round(side) for side in word.box)
        assert (pixels[y0:y1, x0:x1] < 128).any()
        pixels[y0:y1, x0:x1] = 255
    assert (pixels == 255).all()


def test_paragraphs_keep_their_lines_and_blank_lines_divide(pages: Maker) -> None:
    (page,) = pages("one\n  two\n\n\n \nthree")
    assert [block.text for block in page.text_layer.blocks] == ["one\n  two", "three"]
    assert [line.text for line in page.text_layer.lines] == ["one", "two", "three"]
    one, two, _ = page.text_layer.lines
    assert two.box[0] > one.box[0]


def test_a_form_feed_begins_a_page_and_one_at_the_end_does_not(pages: Maker) -> None:
    found = pages("one\f\ftwo\f\n")
    assert [[block.text for block in (page.text_layer.blocks if page.text_layer else ())] for page in found] == [
        ["one"],
        [],
        ["two"],
    ]


def test_a_file_of_white_space_is_one_blank_page(pages: Maker) -> None:
    (page,) = pages(" \n\n \n")
    assert page.text_layer is None
    assert (page.render(1) == 255).all()


def test_no_text_is_lost_over_page_breaks(pages: Maker) -> None:
    text = "\n\n".join(f"Paragraph {n}: " + f"word{n} " * 300 for n in range(20))
    found = pages(text)
    assert len(found) > 5
    assert squeezed("".join(block.text for page in found for block in page.text_layer.blocks)) == squeezed(text)


@given(st.text(alphabet=st.sampled_from("ab .-\n\t中。「」שיא٣éู\f"), max_size=400), st.integers(1, 40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_text_every_character_is_set_once(text: str, repeats: int) -> None:
    whole = "".join(f"{text}{n}" for n in range(repeats))
    blocks = all_blocks(plain_passages(whole))
    assert squeezed("".join(block.text for block in blocks)) == squeezed(whole)
    assert squeezed("".join(line.text for block in blocks for line in block.lines)) == squeezed(whole)
    words = [word for block in blocks for line in block.lines for word in line.words]
    assert squeezed("".join(word.text for word in words)) == squeezed(whole)


@given(
    st.lists(st.lists(st.text(alphabet="ab 中\n", max_size=60), min_size=1, max_size=6), min_size=1, max_size=60),
    st.integers(1, 60),
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_cell_of_a_table_is_lost_over_page_breaks(rows: list[list[str]], repeats: int) -> None:
    rows = [[cell * repeats for cell in row] for row in rows]
    blocks = all_blocks([Passage(Kind.TABLE, "", rows=tuple(map(tuple, rows)), heads=1)])
    columns = max(map(len, rows))
    for column in range(columns):
        expected = "".join(row[column] for row in rows if len(row) > column)
        found = "".join(cell.text for block in blocks for cell in block.cells if cell.column == column)
        assert squeezed(found) == squeezed(expected)


def test_a_character_without_a_font_is_named_with_a_package(pages: Maker) -> None:
    (page,) = pages("a \U00012000 b \ue123")  # cuneiform, private use
    absent = fonts.missing("\U00012000\ue123")
    assert "\ue123" in absent
    (warning,) = page.warnings
    assert warning.code == "missing-glyphs"
    assert "U+E123" in warning.message
    assert "apt install fonts-noto" in warning.message
    assert page.text_layer.blocks[0].text == "a \U00012000 b \ue123"
    page.render(1)


def test_right_to_left_text_stands_at_the_right_in_logical_order(pages: Maker) -> None:
    (page,) = pages("שלום עולם and more")
    line = page.text_layer.lines[0]
    assert line.text == "שלום עולם and more"
    assert [word.text for word in line.words] == ["שלום", "עולם", "and", "more"]
    left = {word.text: word.box[0] for word in line.words}
    assert left["and"] < left["more"] < left["עולם"] < left["שלום"]
    assert line.box[2] == pytest.approx(WIDTH - 118, abs=1)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("\ufeffBOM", "BOM"),
        ("Größe".encode("utf-16"), "Größe"),
        ("Größe".encode("utf-32"), "Größe"),
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_encodings_that_say_what_they_are(content: str | bytes, text: str) -> None:
    assert decode(content if isinstance(content, bytes) else content.encode(), "a.txt") == (text, [])


def test_an_encoding_that_is_guessed_is_warned_of(pages: Maker) -> None:
    (page,) = pages("Größe – 5 €".encode("cp1252"))
    assert page.text_layer.blocks[0].text == "Größe – 5 €"
    assert [warning.code for warning in page.warnings] == ["encoding-guessed"]


def test_bytes_in_no_encoding_are_unreadable(pages: Maker) -> None:
    with pytest.raises(UnreadableError, match="save it as UTF-8"):
        pages(b"text \x81\x8d\x90 more text, long enough to pass for text")


def test_any_page_can_be_asked_for_first(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(f"line {n}" for n in range(200)))
    one, two = open_source(path, Settings()), open_source(path, Settings())
    last = one.source.pages
    for number in range(1, last):
        one.page(number)
    assert one.page(last).text_layer == two.page(last).text_layer
    assert np.array_equal(one.page(last).render(1), two.page(last).render(1))
