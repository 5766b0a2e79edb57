"""What repeats on near pages is furniture, what does not is text, and no page is lost or held back for long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.assembly.furniture import AHEAD, HELD, RunningLines
from octavo.assembly.places import FURNITURE
from octavo.document import Block, Box, Kind, Line, PageError, PageResult, PageStatus

WIDTH, HEIGHT = 500.0, 800.0
BODY = (60.0, 100.0, 440.0, 700.0)
LEFT, RIGHT, ACROSS = (60.0, 40.0, 160.0, 50.0), (340.0, 40.0, 440.0, 50.0), (60.0, 40.0, 440.0, 50.0)
FOOT, SECOND = (240.0, 750.0, 260.0, 760.0), (60.0, 60.0, 440.0, 70.0)


def block(kind: Kind, text: str, box: Box = LEFT) -> Block:
    return Block(kind, box, text, lines=tuple(Line(line, box) for line in text.splitlines()))


def page(number: int, *blocks: Block, body: str | None = "", rotation: int = 0) -> PageResult:
    """A page with a text of its own after the given blocks, unless `body` is None."""
    text = () if body is None else (block(Kind.TEXT, body or f"What only page {number} says.", BODY),)
    return PageResult(number, PageStatus.OK, WIDTH, HEIGHT, "pt", rotation, blocks=(*blocks, *text))


def run(pages: Iterable[PageResult]) -> list[PageResult]:
    lines = RunningLines()
    return [*(out for result in pages for out in lines.page(result)), *lines.end()]


def first_kinds(pages: Sequence[PageResult]) -> list[str]:
    return [result.blocks[0].kind.value for result in run(pages)]


def test_a_header_stays_one_where_it_runs() -> None:
    headers = ["The Rag Trade 2", "The Rag Trade 3", "THE RAG TRADE 4", "The R4g Trade 5"]
    assert first_kinds([page(n, block(Kind.HEADER, text)) for n, text in enumerate(headers, 2)]) == ["header"] * 4


def test_a_few_letters_may_be_misread() -> None:
    assert (
        first_kinds([page(n, block(Kind.HEADER, text)) for n, text in enumerate(("The Rag Trade", "Tne Rag Trade"))])
        == ["header"] * 2
    )
    assert (
        first_kinds([page(n, block(Kind.HEADER, text)) for n, text in enumerate(("The Rag Trade", "The Tax Trial"))])
        == ["text"] * 2
    )


def test_left_and_right_pages_may_differ() -> None:
    pages = [page(n, block(Kind.HEADER, ("The Rag Trade", "The Vats of Jingxian")[n % 2])) for n in range(1, 5)]
    assert first_kinds(pages) == ["header"] * 4


def test_roman_numbers_are_numbers() -> None:
    pages = [page(n, block(Kind.FOOTER, f"Preface, {text}", FOOT)) for n, text in enumerate(("vii", "viii", "xiv"))]
    assert first_kinds(pages) == ["footer"] * 3


@pytest.mark.parametrize("kind", [Kind.HEADER, Kind.FOOTER])
def test_what_is_printed_once_is_text(kind: Kind) -> None:
    assert first_kinds([page(1, block(kind, "The Rag Trade"))]) == ["text"]
    assert first_kinds([page(1, block(kind, "The Rag Trade")), page(2, block(kind, "Something else"))]) == ["text"] * 2


def test_what_stands_elsewhere_on_the_next_page_proves_nothing() -> None:
    lower = (60.0, 90.0, 160.0, 100.0)
    pages = [page(1, block(Kind.HEADER, "The Rag Trade")), page(2, block(Kind.HEADER, "The Rag Trade", lower))]
    assert first_kinds(pages) == ["text", "text"]


def test_a_header_further_off_than_the_window_proves_nothing() -> None:
    other = [page(n, block(Kind.TEXT, f"Heading {n}", BODY)) for n in range(2, 6)]
    ends = [page(1, block(Kind.HEADER, "The Rag Trade")), page(9, block(Kind.HEADER, "The Rag Trade"))]
    assert [p.blocks[0].kind for p in run([ends[0], *other, ends[1]])] == [Kind.TEXT] * 6


def test_neighbours_are_those_in_the_stream_not_those_in_the_file() -> None:
    assert first_kinds([page(n, block(Kind.HEADER, "The Rag Trade")) for n in (1, 50)]) == ["header"] * 2


def test_pages_without_blocks_do_not_stand_between() -> None:
    failed = [PageResult(n, PageStatus.FAILED, error=PageError("page-timeout", "slow")) for n in (2, 3)]
    blank = PageResult(4, PageStatus.BLANK, WIDTH, HEIGHT, "pt")
    pages = [page(1, block(Kind.HEADER, "The Rag Trade")), *failed, blank, page(5, block(Kind.HEADER, "The Rag Trade"))]
    out = run(pages)
    assert out == pages


def test_a_header_that_the_engine_missed() -> None:
    pages = [page(n, block(Kind.TEXT if n == 2 else Kind.HEADER, "The Rag Trade")) for n in range(1, 4)]
    assert first_kinds(pages) == ["header"] * 3
    pages = [page(n, block(Kind.TEXT, f"Page {n} of 9", FOOT)) for n in range(1, 4)]
    assert first_kinds(pages) == ["footer"] * 3


def test_one_block_on_one_page_and_two_on_the_next() -> None:
    split = (block(Kind.HEADER, "From Rags to Reams", LEFT), block(Kind.HEADER, "A short history", RIGHT))
    merged = block(Kind.TEXT, "From Rags to Reams A short history", ACROSS)
    first, second = run([page(1, *split), page(2, merged)])
    assert [b.kind for b in first.blocks] == [Kind.HEADER, Kind.HEADER, Kind.TEXT]
    assert [b.kind for b in second.blocks] == [Kind.HEADER, Kind.TEXT]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_pages_that_lie_on_their_side(rotation: int) -> None:
    """The box of a header as displayed, on a page that must be turned clockwise by `rotation` to stand upright."""
    x0, y0, x1, y1 = LEFT
    box = {
        90: (y0, WIDTH - x1, y1, WIDTH - x0),
        180: (WIDTH - x1, HEIGHT - y1, WIDTH - x0, HEIGHT - y0),
        270: (HEIGHT - y1, x0, HEIGHT - y0, x1),
    }[rotation]
    size = (WIDTH, HEIGHT) if rotation == 180 else (HEIGHT, WIDTH)
    body = block(Kind.TEXT, "What only the turned page says.", (200.0, 200.0, 300.0, 300.0))
    turned = PageResult(2, PageStatus.OK, *size, "pt", rotation, blocks=(block(Kind.TEXT, "The Rag Trade", box), body))
    assert first_kinds([page(1, block(Kind.HEADER, "The Rag Trade")), turned]) == ["header", "header"]


@pytest.mark.parametrize(
    ("texts", "box"),
    [
        (("Invoice 4711", "Invoice 4822"), LEFT),  # the numbers say something
        (("105", "610"), FOOT),  # years do not count pages
        (("The Rag Trade", "The Rag Trade"), (60.0, 75.0, 440.0, 85.0)),  # not in the margin
        (("The Rag Trade", "The Rag Trade"), (60.0, 20.0, 440.0, 70.0)),  # not a line
        (("ab", "ac"), LEFT),  # too short to be alike
    ],
)
def test_text_that_stays_text(texts: Sequence[str], box: Box) -> None:
    pages = [page(n, block(Kind.TEXT, text, box)) for n, text in enumerate(texts, 1)]
    assert first_kinds(pages) == ["text"] * len(texts)


def test_a_line_under_something_else_does_not_run() -> None:
    """The head of a table that goes on, below its title."""
    pages = [
        page(n, block(Kind.HEADING, f"Schedule {'AB'[n]}", LEFT), block(Kind.TEXT, "Year and place", SECOND))
        for n in range(2)
    ]
    assert [[b.kind for b in p.blocks[:2]] for p in run(pages)] == [[Kind.HEADING, Kind.TEXT]] * 2


def test_a_header_that_names_a_heading_near_by() -> None:
    heading = block(Kind.HEADING, "3.2 How paper is measured, and why", BODY)
    pages = [
        page(1, block(Kind.HEADER, "3.2. HOW PAPER IS MEASURED…"), heading),
        page(2, block(Kind.HEADER, "Of size")),
    ]
    assert first_kinds(pages) == ["header", "text"]


def test_copies_of_a_page_prove_nothing() -> None:
    pages = [page(n, block(Kind.HEADER, "Tax return"), body="Name\nStreet\nTown\nIncome") for n in range(1, 4)]
    assert first_kinds(pages) == ["text"] * 3


def test_a_page_with_nothing_else_keeps_its_lines() -> None:
    pages = [
        page(n, block(Kind.HEADER, "The Rag Trade"), block(Kind.PAGE_NUMBER, str(n), FOOT), body=None)
        for n in range(1, 4)
    ]
    assert [[b.kind for b in p.blocks] for p in run(pages)] == [[Kind.TEXT, Kind.PAGE_NUMBER]] * 3


def test_a_page_number_that_the_engine_missed() -> None:
    pages = [page(n, block(Kind.TEXT if n == 4 else Kind.PAGE_NUMBER, f"– {n + 10} –", FOOT)) for n in (3, 4, 6)]
    assert first_kinds(pages) == ["page_number"] * 3
    pages = [page(n, block(Kind.TEXT, text, FOOT)) for n, text in enumerate(("viii", "ix"), 8)]
    assert first_kinds(pages) == ["page_number"] * 2


def test_page_numbers_at_the_outer_edge() -> None:
    outer = ((60.0, 750.0, 70.0, 760.0), (430.0, 750.0, 440.0, 760.0))
    pages = [page(n, block(Kind.TEXT, str(n), outer[n % 2])) for n in (8, 9)]
    assert first_kinds(pages) == ["page_number"] * 2


def test_a_number_elsewhere_on_the_next_page_is_no_page_number() -> None:
    inner = (150.0, 750.0, 160.0, 760.0)
    pages = [
        page(8, block(Kind.TEXT, "8", LEFT)),
        page(9, block(Kind.TEXT, "9", FOOT)),
        page(10, block(Kind.TEXT, "10", inner)),
    ]
    assert first_kinds(pages) == ["text"] * 3


def test_a_row_of_numbers_is_no_page_number() -> None:
    edge = (400.0, 750.0, 420.0, 760.0)
    pages = [page(n, block(Kind.TEXT, str(n), FOOT), block(Kind.TEXT, str(n + 70), edge)) for n in (3, 4)]
    assert first_kinds(pages) == ["text"] * 2


def test_numbers_that_the_engine_found_stay_but_on_a_page_of_its_own() -> None:
    alone = page(1, block(Kind.PAGE_NUMBER, "417", FOOT))
    assert first_kinds([alone]) == ["text"]
    assert first_kinds([alone, page(2)])[0] == "page_number"


def test_a_page_comes_out_as_soon_as_nothing_can_change_it() -> None:
    lines = RunningLines()
    pages = [page(n, block(Kind.HEADER, "The Rag Trade")) for n in range(1, 5)]
    assert [[out.page for out in lines.page(result)] for result in pages] == [[], [], [1, 2, 3], [4]]
    plain = page(5)
    assert list(lines.page(plain)) == [plain]


# ---- for any stream

TEXTS = st.sampled_from(
    [
        "The Rag Trade",
        "The Rag Trade 12",
        "the vats of Jingxian",
        "造纸术简史",
        "ix",
        "12",
        "— 13 —",
        "",
        "Page 3 of 9",
        "0" * 300,
    ]
)
BOXES = st.sampled_from([LEFT, RIGHT, ACROSS, FOOT, SECOND, BODY, (0.0, 0.0, 0.0, 0.0)])
BLOCKS = st.builds(block, st.sampled_from(list(Kind)), TEXTS, BOXES)


@st.composite
def streams(draw: st.DrawFn) -> list[PageResult]:
    numbers = sorted(draw(st.sets(st.integers(1, 60), max_size=16)))
    return [
        PageResult(
            number,
            draw(st.sampled_from(PageStatus)),
            draw(st.sampled_from([0.0, WIDTH])),
            HEIGHT,
            rotation=draw(st.sampled_from([0, 90, 180, 270])),
            blocks=tuple(draw(st.lists(BLOCKS, max_size=4))),
        )
        for number in numbers
    ]


@given(streams())
def test_pages_in_are_pages_out_and_only_kinds_change(pages: list[PageResult]) -> None:
    out = run(pages)
    assert [p.page for p in out] == [p.page for p in pages]
    for before, after in zip(pages, out, strict=True):
        for old, new in zip(before.blocks, after.blocks, strict=True):
            assert (old.box, old.text, old.lines) == (new.box, new.text, new.lines)
            if old.kind is not new.kind:
                assert {old.kind, new.kind} <= FURNITURE | {Kind.TEXT}
                assert old.kind is not Kind.PAGE_NUMBER or new.kind is Kind.TEXT
        if not before.blocks:
            assert after is before
        elif any(b.kind is not Kind.PAGE_NUMBER for b in before.blocks):
            assert any(b.kind not in FURNITURE for b in after.blocks), "a page must not end up with nothing to show"


@given(streams())
def test_few_pages_are_held_back(pages: list[PageResult]) -> None:
    lines = RunningLines()
    given_out = 0
    for given_in, result in enumerate(pages, 1):
        given_out += len(list(lines.page(result)))
        assert given_in - given_out <= HELD
        waiting = pages[given_out:given_in]
        assert sum(bool(p.blocks) for p in waiting) <= AHEAD


@given(streams(), st.integers(0, 16))
def test_what_comes_later_does_not_change_what_came_out(pages: list[PageResult], cut: int) -> None:
    lines = RunningLines()
    early = [out for result in pages[:cut] for out in lines.page(result)]
    assert run(pages)[: len(early)] == early


PROSE = "\n".join(["What a page of a journal says in a line that is as long as its lines are, and no longer."] * 9)


def test_a_page_of_text_that_is_all_there_is_has_a_number_and_what_stands_beside_it() -> None:
    number, name = block(Kind.PAGE_NUMBER, "76", FOOT), block(Kind.FOOTER, "Rags in Kent 2023", (300, 750, 440, 760))
    other = block(Kind.HEADER, "A line that stands alone", ACROSS)
    (result,) = run([page(1, number, name, other, body=PROSE)])
    assert [b.kind for b in result.blocks] == [Kind.PAGE_NUMBER, Kind.FOOTER, Kind.TEXT, Kind.TEXT]
    (result,) = run([page(1, number, name, other, body="A receipt")])
    assert [b.kind for b in result.blocks] == [Kind.TEXT] * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March 2014 | Volume 8 | Issue 3", Kind.HEADER),
        ("Published by the Society, 1997", Kind.HEADER),
        ("Case 1:13-cv-01317 Filed 04/22/13 Page 1 of 10", Kind.TEXT),
        ("Rag and Bone Street 12, Maidstone", Kind.TEXT),
        ("Minutes of the meeting", Kind.TEXT),
    ],
)
def test_what_reads_like_an_imprint_is_furniture_without_a_neighbour(text: str, expected: Kind) -> None:
    (result,) = run([page(1, block(Kind.TEXT, text, ACROSS), body=PROSE)])
    assert result.blocks[0].kind is expected
