"""What the flow promises for any document: every page and every block once, in order, and nothing held for long."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from octavo.assembly.flow import Event, Flow, Passage
from octavo.assembly.headings import AHEAD
from octavo.assembly.places import FURNITURE
from octavo.assembly.stitching import WINDOW
from octavo.document import Block, Cell, FlowItem, Fragment, Kind, Line, PageResult, PageStatus, Source

BOX = (1.0, 2.0, 3.0, 4.0)


def run(pages: Iterable[PageResult], source: Source | None = None, *, keep_furniture: bool = False) -> list[Event]:
    flow = Flow(source, keep_furniture=keep_furniture)
    return [*(event for page in pages for event in flow.page(page)), *flow.end()]


def passages(events: Iterable[Event]) -> list[Passage]:
    return [event for event in events if isinstance(event, Passage)]


def test_items_name_their_page_and_block_and_leave_furniture_out() -> None:
    kinds = [Kind.HEADER, Kind.TITLE, Kind.TEXT, Kind.PAGE_NUMBER, Kind.TABLE, Kind.FOOTER]
    page = PageResult(1, PageStatus.OK, blocks=tuple(Block(kind, BOX, "words") for kind in kinds))
    events = run([page, PageResult(2, PageStatus.FAILED)])
    assert [event.item if isinstance(event, Passage) else event.page for event in events] == [
        1,
        FlowItem(Kind.TITLE, (Fragment(1, 1, BOX),)),
        FlowItem(Kind.TEXT, (Fragment(1, 2, BOX),)),
        FlowItem(Kind.TABLE, (Fragment(1, 4, BOX),)),
        2,
    ]
    kept = passages(run([page], keep_furniture=True))
    assert [passage.item.kind for passage in kept] == kinds


TEXTS = st.sampled_from(
    [
        "",
        "and it goes on, as it did for a hundred years or more",
        "A paragraph that ends.",
        "A paragraph that is hyphen-",
        "ated and goes on",
        "• an item",
        "2. Measures",
        "Table 3 (continued)",
        "纸的制造经历了漫长的过程，而且",
        "الورق إلى سمرقند",
        "1 a note",
    ]
)
ROWS = st.integers(1, 3)


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kind, text, wide = draw(st.sampled_from(list(Kind))), draw(TEXTS), draw(st.booleans())
    y = draw(st.sampled_from([50.0, 400.0, 700.0]))
    x = draw(st.sampled_from([50.0, 320.0]))
    box = (x, y, x + (500.0 if wide else 230.0), y + 40)
    lines = tuple(Line(part, (x, y, box[2], y + 12)) for part in text.splitlines()) if draw(st.booleans()) else ()
    cells: tuple[Cell, ...] = ()
    if kind is Kind.TABLE:
        width, height = draw(ROWS), draw(ROWS)
        cells = tuple(
            Cell(row, column, text or str(row), (x + 20 * column, y + 10 * row, x + 20 * column + 18, y + 10 * row + 9))
            for row in range(height)
            for column in range(width)
        )
    target = draw(st.none() | st.integers(0, 5))
    return Block(kind, box, text, level=draw(st.integers(0, 3)), lines=lines, cells=cells, target=target)


@st.composite
def documents(draw: st.DrawFn) -> list[PageResult]:
    numbers = sorted(draw(st.sets(st.integers(1, 12), max_size=8)))
    return [
        PageResult(
            number,
            draw(st.sampled_from(PageStatus)),
            600.0,
            800.0,
            "pt",
            draw(st.sampled_from([0, 0, 90])),
            blocks=tuple(draw(st.lists(blocks(), max_size=5))),
        )
        for number in numbers
    ]


@given(documents())
def test_every_page_and_block_comes_once_and_in_order(pages: list[PageResult]) -> None:
    events = run(pages, keep_furniture=True)
    assert [event.page for event in events if isinstance(event, PageResult)] == [page.page for page in pages]
    page = 0
    for event in events:
        if isinstance(event, PageResult):
            page = event.page
        else:
            assert event.item.fragments[0].page == page, "a passage comes on the page where it begins"
    starts = [(p.item.fragments[0].page, p.item.fragments[0].block) for p in passages(events)]
    assert starts == sorted(starts)
    places = [(f.page, f.block) for p in passages(events) for f in p.item.fragments]
    assert len(places) == len(set(places))
    gone = {(page.page, i) for page in pages for i in range(len(page.blocks))} - set(places)
    by_page = {page.page: page for page in pages}
    for number, index in gone:
        block = by_page[number].blocks[index]
        assert block.kind is Kind.CAPTION
        assert block.text == "Table 3 (continued)"


@given(documents(), st.integers(0, 8))
def test_what_comes_later_does_not_change_what_came_out(pages: list[PageResult], cut: int) -> None:
    flow = Flow()
    early = [event for page in pages[:cut] for event in flow.page(page)]
    assert run(pages)[: len(early)] == early


def test_few_pages_are_held_although_everything_goes_on() -> None:
    flow, given_out = Flow(), 0
    endless = "words that never come to an end and have no full stop " * 3
    for number in range(1, 201):
        page = PageResult(number, PageStatus.OK, 600.0, 800.0, blocks=(Block(Kind.TEXT, BOX, endless),))
        events = list(flow.page(page))
        given_out += sum(isinstance(event, PageResult) for event in events)
        assert number - given_out <= WINDOW + AHEAD + 1
        for passage in passages(events):
            assert len(passage.item.fragments) <= WINDOW + 1
    assert sum(isinstance(event, PageResult) for event in flow.end()) + given_out == 200


def test_furniture_is_never_a_part_of_a_merge() -> None:
    text = "the first half of a paragraph that goes on over the break of the page and"
    footer, header = Block(Kind.FOOTER, BOX, "foot"), Block(Kind.HEADER, BOX, "head")
    pages = [
        PageResult(1, PageStatus.OK, blocks=(Block(Kind.TEXT, BOX, text), footer)),
        PageResult(2, PageStatus.OK, blocks=(header, Block(Kind.TEXT, BOX, "has a second half."))),
    ]
    events = run(pages, keep_furniture=True)
    found = [event.page if isinstance(event, PageResult) else event.block.text for event in events]
    assert found == [1, f"{text} has a second half.", "foot", 2, "head"]
    assert {kind for kind in Kind if kind in FURNITURE} == {Kind.HEADER, Kind.FOOTER, Kind.PAGE_NUMBER}
