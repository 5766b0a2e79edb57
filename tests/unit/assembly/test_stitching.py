"""What goes on over a break is made whole, what does not is left alone, and it can all be undone from the JSON."""

from __future__ import annotations

from io import BytesIO

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pages_of_text import LEFT, RIGHT, full, page, paragraph, passages, set_lines, texts

from octavo.assembly.joins import glued
from octavo.assembly.schema import Document
from octavo.assembly.writers import create
from octavo.document import Block, Kind, Line, PageResult, PageStatus, Source, Span, Summary

FIRST = full("the vat man dips his mould into the pulp and lifts it again")
REST = "sheet after sheet, until the light is gone."


def foot(text: str = "1 A note at the foot.") -> Block:
    return paragraph(text, 700, kind=Kind.FOOTNOTE, size=9)


def test_a_paragraph_over_a_page_break() -> None:
    pages = [page(1, paragraph(FIRST)), page(2, paragraph(REST))]
    (passage,) = passages(pages)
    assert passage.block.text == f"{FIRST} {REST}"
    assert [(f.page, f.block, f.join) for f in passage.item.fragments] == [(1, 0, ""), (2, 0, "space")]
    assert [f.box for f in passage.item.fragments] == [p.blocks[0].box for p in pages]


@pytest.mark.parametrize("kind", [Kind.FOOTNOTE, Kind.FIGURE, Kind.CAPTION, Kind.TABLE, Kind.SEAL])
def test_floats_stand_aside_on_both_pages(kind: Kind) -> None:
    float_ = paragraph("Something that only stands here", 600, kind=kind)
    pages = [page(1, paragraph(FIRST), float_), page(2, float_, paragraph(REST))]
    found = texts(pages)
    assert found == [f"{FIRST} {REST}", float_.text, float_.text]


def test_over_a_blank_page_and_over_three_pages() -> None:
    blank = page(2, status=PageStatus.BLANK)
    pages = [page(1, paragraph(FIRST)), blank, page(3, paragraph(FIRST)), page(4, paragraph(REST))]
    assert texts(pages) == [f"{FIRST} {FIRST} {REST}"]


@pytest.mark.parametrize("kind", [Kind.HEADING, Kind.FORMULA])
def test_what_stands_in_the_text_ends_it(kind: Kind) -> None:
    pages = [page(1, paragraph(FIRST), paragraph("x = y", 500, kind=kind)), page(2, paragraph(REST))]
    assert texts(pages) == [FIRST, "x = y", REST]


def test_failed_and_missing_pages_end_a_merge() -> None:
    failed = PageResult(2, PageStatus.FAILED)
    assert texts([page(1, paragraph(FIRST)), failed, page(3, paragraph(REST))]) == [FIRST, REST]
    assert texts([page(1, paragraph(FIRST)), page(3, paragraph(REST))]) == [FIRST, REST]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FIRST + ".", "And a new one begins."),  # a sentence ended
        (FIRST + "?", "but small letters"),
        ("A short line that ends early and", FIRST),  # the next word would have fitted
        (f"{FIRST} {FIRST} and a last line", "goes on"),
        (FIRST, "• an item"),
        (FIRST, "2. A second point of the list"),
        (FIRST, "[12] J. Whatman, On Wove Paper"),
        (FIRST, "Table 2."),
        (FIRST, "4.5. CAN I USE THE OLD MOULDS OF MY FATHER AND HIS FATHER BEFORE HIM"),
        (FIRST + " . . . . . . 12", "Compatibility of the moulds . . . . . . . . . . . . . . . . . . . 13"),
    ],
)
def test_what_does_not_go_on(before: str, after: str) -> None:
    assert texts([page(1, paragraph(before)), page(2, paragraph(after))]) == [before, after]


def test_a_capital_goes_on_only_without_an_indent() -> None:
    after = "Monday mornings they came down to the mill by the river and waited for the carts with the rags to come."
    before = [page(1, paragraph(FIRST))]
    assert texts([*before, page(2, paragraph(after))]) == [f"{FIRST} {after}"]
    assert texts([*before, page(2, paragraph(after, indent=18))]) == [FIRST, after]


def test_other_type_is_another_paragraph() -> None:
    assert texts([page(1, paragraph(FIRST)), page(2, paragraph(REST, size=18))]) == [FIRST, REST]


def test_a_command_in_other_type_is_no_more_of_the_text() -> None:
    command = paragraph("lsb_release -a")
    command = replace(command, spans=(Span(0, len(command.text), "m"),))
    assert texts([page(1, paragraph(FIRST)), page(2, command)]) == [FIRST, command.text]


def test_a_german_noun_and_a_hyphen() -> None:
    first = full("der Schöpfer taucht seine Form in den Stoff und hebt sie") + " aus der Papier-"
    pages = [page(1, paragraph(first), languages=["de"]), page(2, paragraph("masse heraus."), languages=["de"])]
    assert texts(pages) == [first[:-1] + "masse heraus."]


def test_a_paragraph_over_columns_and_past_a_figure() -> None:
    narrow = full("he dips the mould", 120, right=280)
    left, right = paragraph(narrow, 400, right=280), paragraph(narrow, 100, left=320, right=540)
    assert texts([page(1, left, right)]) == [f"{narrow} {narrow}"]
    figure = Block(Kind.FIGURE, (60, 200, 280, 390))
    above, below = paragraph(narrow, 100, right=280), paragraph(narrow, 400, right=280)
    assert texts([page(1, above, figure, below)]) == [f"{narrow} {narrow}", ""]
    assert texts([page(1, above, below)]) == [narrow, narrow], "the engine parted them, and nothing stands between"


def test_receipts_and_forms_are_left_alone() -> None:
    lines = [paragraph(text, 100 + 20 * i) for i, text in enumerate(["total of", "items sold", "thank you"])]
    assert texts([page(1, *lines), page(2, *lines)]) == ["total of", "items sold", "thank you"] * 2


def test_items_and_listings_go_on() -> None:
    item = full("• the vat man dips his mould into the pulp and lifts it again")
    pages = [page(1, paragraph(item, kind=Kind.LIST_ITEM, level=1)), page(2, paragraph(REST, left=72))]
    assert texts(pages) == [f"{item} {REST}"]
    code = [Block(Kind.CODE, (60, 700, 500, 712), "if dry:"), Block(Kind.CODE, (60, 60, 500, 72), "    press()")]
    assert texts([page(1, code[0]), page(2, code[1])]) == ["if dry:\n    press()"]
    reference = full("[1] J. Whatman and others on the making of wove paper in the mills of")
    pages = [
        page(1, paragraph(reference, kind=Kind.REFERENCE)),
        page(2, paragraph("kent, 1757.", kind=Kind.REFERENCE), paragraph("[2] Another.", 120, kind=Kind.REFERENCE)),
    ]
    assert texts(pages) == [f"{reference} kent, 1757.", "[2] Another."]


def test_chinese_goes_on_without_a_space() -> None:
    lines = ["中国是最早发明造纸术的国家纸的制造经历了漫长的过程" for _ in range(2)]
    first = set_lines(lines, text="".join(lines))
    after = "经过蒸煮漂洗然后晒干。"
    assert texts([page(1, first), page(2, set_lines([after]))]) == [f"{first.text}{after}"]
    ended = set_lines(lines, text="".join(lines) + "。")
    assert texts([page(1, ended), page(2, set_lines([after]))]) == [ended.text, after]


@pytest.mark.parametrize(("short", "whole"), [(0.0, 1), (300.0, 2)])
def test_right_to_left_lines_end_at_the_left(short: float, whole: int) -> None:
    """The last line of the first page is full if it reaches the left side."""
    line = " ".join(["الورق"] * 13)
    block = set_lines([line, line])
    last = Line(line, (LEFT + short, 114.0, RIGHT, 126.0))
    first = replace(block, lines=(block.lines[0], last))
    assert len(texts([page(1, first), page(2, block)])) == whole


# ---- undoing it


WORDS = st.lists(
    st.sampled_from(["the", "vat", "man", "dips", "his", "mould", "mulberry", "fourdrinier", "gelatine"]),
    min_size=60,
    max_size=120,
)


@given(WORDS, st.sets(st.integers(1, 6), max_size=3), st.booleans())
def test_split_stitched_and_undone_from_the_json(words: list[str], cuts: set[int], hyphenated: bool) -> None:
    """A paragraph, broken at the ends of lines over pages, some of them within a word, comes out whole."""
    text = " ".join(words) + "."
    lines = [line.text for line in paragraph(text).lines]
    ends = [*sorted(cut for cut in cuts if cut < len(lines)), len(lines)]
    if hyphenated:
        for end in ends[:-1]:
            head, _, tail = lines[end - 1].rpartition(" ")
            if len(tail) > 5:
                lines[end - 1], lines[end] = f"{head} {tail[:3]}-", f"{tail[3:]} {lines[end]}"
    blocks = [set_lines(lines[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    parts = [block.text for block in blocks]
    pages = [page(n, block, foot(), languages=["en"]) for n, block in enumerate(blocks, 1)]

    out = BytesIO()
    writer = create("json", out)
    writer.begin(Source("a.pdf", "application/pdf", 1, "blake3:00", len(pages)))
    for result in pages:
        writer.page(result)
    writer.end(Summary(len(pages), ok=len(pages)))
    document = msgspec.json.decode(out.getvalue(), type=Document)

    block_of = {(p.page, i): block for p in document.pages for i, block in enumerate(p.blocks)}
    merged = [item for item in document.flow if item.kind is Kind.TEXT]
    assert len(merged) == 1
    whole, undone = "", []
    for fragment in merged[0].fragments:
        block = block_of[fragment.page, fragment.block]
        assert fragment.box == block.box
        whole = glued(whole, block.text, fragment.join) if fragment.join else block.text
        undone.append(block.text)
    assert whole == text
    assert undone == parts
    assert [(f.page, f.block) for f in merged[0].fragments] == [(n, 0) for n in range(1, len(parts) + 1)]
