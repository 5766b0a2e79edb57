"""Titles and levels that hold through the document."""

from __future__ import annotations

import pytest
from pages_of_text import full, page, paragraph, passages

from octavo.assembly.flow import Flow, Passage
from octavo.assembly.headings import depth_of, is_none
from octavo.document import Block, Kind, PageResult, Source, Span

BODY = full("the vat man dips his mould into the pulp and lifts it again", 200) + "."


def head(text: str, y: float = 60.0, *, size: float = 16.0, bold: bool = False, kind: Kind = Kind.HEADING) -> Block:
    block = paragraph(text, y, kind=kind, size=size, level=2, pitch=size / 2)
    spans = (Span(0, len(text), "b"),) if bold else ()
    return Block(block.kind, block.box, text, level=2, lines=block.lines, spans=spans)


def body(y: float = 300.0) -> Block:
    return paragraph(BODY, y)


def levels(*pages: PageResult) -> list[tuple[str, int]]:
    """The first word of every title and heading, with its level; 0 is the title's."""
    return [
        (p.block.text.split()[0], p.item.level) for p in passages(pages) if p.item.kind in (Kind.TITLE, Kind.HEADING)
    ]


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("2.1.3 Sorting", 3),
        ("1. The rags", 1),
        ("4 Results", 1),
        ("3.2.1. Boiling", 3),
        ("A.1 Tables", 2),
        ("Chapter 7", 1),
        ("Kapitel III Die Bütte", 1),
        ("第三章 造纸", 1),
        ("第二节 漂洗", 2),
        ("1.2造纸", 2),
        ("Results", 0),
        ("1984 was a year", 0),
        ("12", 0),
    ],
)
def test_numbers_tell_levels(text: str, depth: int) -> None:
    assert depth_of(text) == depth


@pytest.mark.parametrize(
    "text",
    [
        "12",
        "— 3 —",
        "• an item of a list",
        "This is a whole sentence with a full stop that was taken for a heading.",
        "x" * 300,
        "2.4 Boiling . . . . . . . . 17",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert is_none(Block(Kind.HEADING, (0, 0, 1, 1), text))


@pytest.mark.parametrize("text", ["Results.", "Vol. 3", "What is a mould?", "1. The rags", "结论。"])
def test_what_may_be_one(text: str) -> None:
    assert not is_none(Block(Kind.HEADING, (0, 0, 1, 1), text))


def test_a_heading_that_is_none_is_text() -> None:
    sentence = head("This is a whole sentence with a full stop that was taken for a heading.")
    item = head("• an item")
    assert [p.item.kind for p in passages([page(1, sentence, item)])] == [Kind.TEXT, Kind.LIST_ITEM]


def test_sizes_tell_levels_and_the_same_size_has_the_same_level_everywhere() -> None:
    pages = [
        page(1, head("Rags", size=24), body(), head("Linen", 500, size=18), head("Sorting", 600, size=14)),
        page(2, head("Cotton", size=18), body(), head("Boiling", 600, size=14)),
        page(9, head("Reams", size=24), body()),
    ]
    assert levels(*pages) == [
        ("Rags", 0), ("Linen", 1), ("Sorting", 2), ("Cotton", 1), ("Boiling", 2), ("Reams", 1)
    ]  # fmt: skip


def test_a_larger_heading_ahead_is_taken_into_account() -> None:
    pages = [page(3, head("Linen", size=16), body()), page(4, head("Reams", size=24), body())]
    assert levels(*pages) == [("Linen", 2), ("Reams", 1)]


def test_bold_stands_over_plain_of_the_same_size() -> None:
    pages = [page(3, head("Plain", size=14), body(), head("Bold", 500, size=14, bold=True))]
    assert levels(*pages) == [("Plain", 2), ("Bold", 1)]


def test_numbers_teach_the_levels_of_their_style() -> None:
    pages = [
        page(3, head("Abstract", size=14), body(), head("1.1 Sorting", 500, size=14)),
        page(4, head("Coda", size=14), body()),
    ]
    assert levels(*pages) == [("Abstract", 2), ("1.1", 2), ("Coda", 2)]


def test_the_title_stands_out_at_the_top_of_the_first_page() -> None:
    assert levels(page(1, head("Paper", size=30), body(), head("Rags", 500, size=16))) == [("Paper", 0), ("Rags", 1)]
    assert levels(page(1, head("Paper", size=16), body(), head("Rags", 500, size=16))) == [("Paper", 1), ("Rags", 1)]
    assert levels(page(5, head("Paper", size=30), body(), head("Rags", 500, size=16))) == [("Paper", 1), ("Rags", 2)]
    assert levels(page(1, head("Chapter 3", size=20), head("Paper", size=30), body())) == [("Chapter", 1), ("Paper", 1)]


def test_a_title_of_two_blocks() -> None:
    pages = [page(1, head("A Short", 40, size=30), head("History", 80, size=30), body(), head("Rags", 500, size=16))]
    assert levels(*pages) == [("A", 0), ("History", 0), ("Rags", 1)]


def test_a_later_title_is_a_heading() -> None:
    pages = [page(1, head("Paper", size=30, kind=Kind.TITLE), body()), page(2, head("Rags", size=30, kind=Kind.TITLE))]
    assert levels(*pages) == [("Paper", 0), ("Rags", 1)]


def test_documents_that_bring_their_levels_keep_them() -> None:
    block = Block(Kind.HEADING, (0, 0, 1, 1), "Deep", level=4, lines=head("Deep").lines)
    flow = Flow(Source("a.md", "text/markdown", 1, "blake3:00", 1))
    events = [*flow.page(page(1, block, Block(Kind.TITLE, (0, 0, 1, 1), "Late"))), *flow.end()]
    assert [(e.item.kind, e.item.level) for e in events if isinstance(e, Passage)] == [
        (Kind.HEADING, 4),
        (Kind.TITLE, 0),
    ]


def test_entries_of_a_table_of_contents_are_text() -> None:
    entries = [head("1 The rags 1"), head("2 The vat 15", 90), head("Contents", 40, size=20)]
    assert [p.item.kind for p in passages([page(3, *entries)])] == [Kind.TEXT, Kind.TEXT, Kind.HEADING]
    assert levels(page(3, head("Windows 95"), head("1 The top 10"))) == [("Windows", 1), ("1", 1)]


def test_a_cover_bears_the_title_even_if_chapters_are_larger() -> None:
    cover = page(1, head("A Short History", size=20), paragraph("May 1822", 600))
    inside = page(2, head("Rags", size=30), body())
    assert levels(cover, inside) == [("A", 0), ("Rags", 1)]


def test_a_heading_in_two_blocks_is_one() -> None:
    first, rest = head("2.5 Why does the release con-"), head("tain links to the old one?", 80)
    (whole,) = passages([page(3, first, rest)])
    assert whole.block.text == "2.5 Why does the release contain links to the old one?"
    assert [(f.block, f.join) for f in whole.item.fragments] == [(0, ""), (1, "hyphen")]
    assert levels(page(3, head("Rags"), head("Cotton", 80))) == [("Rags", 1), ("Cotton", 1)]
