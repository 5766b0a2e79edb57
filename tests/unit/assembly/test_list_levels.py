"""Lists that go on over a page break keep the levels that they began with."""

from __future__ import annotations

from pages_of_text import LEADING, LEFT, full, page, paragraph, passages

from octavo.document import Block, Kind, PageResult

STEP = 24.0


def items(*marked: tuple[str, int], y: float = 100.0, indent: float = 0.0) -> list[Block]:
    """Items by text and depth from 0; `indent` is how far the page's least indented one stands in."""
    base = min(depth for _, depth in marked)
    return [
        paragraph(text, y + LEADING * i, kind=Kind.LIST_ITEM, left=LEFT + indent + STEP * depth, level=depth - base + 1)
        for i, (text, depth) in enumerate(marked)
    ]


def levels(*pages: PageResult) -> list[tuple[int, bool]]:
    return [(p.item.level, p.goes_on) for p in passages(pages) if p.item.kind is Kind.LIST_ITEM]


BODY = paragraph("Some text above that ends here.", 60)


def test_a_nested_list_goes_on_at_its_level() -> None:
    first = page(1, BODY, *items(("• linen", 0), ("– white", 1), ("– dyed", 1)))
    second = page(2, *items(("– bleached", 1), ("– raw", 1), ("• rope", 0)))
    second_alone = page(2, *items(("– bleached", 1), ("– raw", 1)), paragraph("And text.", 400))
    assert levels(first, second)[3:] == [(2, True), (2, False), (1, False)]
    assert levels(first, second_alone)[3:] == [(2, True), (2, False)]


def test_an_item_further_out_ends_the_list_inside() -> None:
    """The engine, which sees one page, gives the first item of a page level 1, and those further out too."""
    first = page(1, BODY, *items(("1. linen", 0), ("a) white", 1)))
    inner, outer = items(("b) dyed", 1), y=60)[0], items(("2. rope", 0), y=80)[0]
    assert levels(first, page(2, inner, outer, BODY))[2:] == [(2, True), (1, False)]


def test_numbers_find_their_level() -> None:
    first = page(1, *items(("1. vat", 0), ("a) mould", 1), ("b) felt", 1)))
    assert levels(first, page(2, *items(("c) press", 0))))[3:] == [(2, True)]
    assert levels(first, page(2, *items(("2. loft", 0))))[3:] == [(1, True)]
    assert levels(first, page(2, *items(("1. another list", 0))))[3:] == [(1, False)]


def test_a_list_inside_may_begin_on_the_next_page() -> None:
    text = paragraph("Text that shows where the lines of the page begin.", 600)
    first = page(1, *items(("1. vat", 0), ("2. loft", 0)), text)
    assert levels(first)[1:] == [(1, False)]
    first = page(1, text, *items(("1. vat", 0), ("2. loft", 0)))
    second = page(2, *items(("a) ropes", 0), indent=STEP), text)
    assert levels(first, second)[2:] == [(2, True)]


def test_text_between_ends_a_list() -> None:
    first = page(1, *items(("1. vat", 0), ("2. loft", 0)), BODY)
    assert levels(first, page(2, *items(("3. salle", 0))))[2:] == [(1, False)]
    first = page(1, *items(("1. vat", 0), ("2. loft", 0)))
    assert levels(first, page(2, BODY, *items(("3. salle", 0))))[2:] == [(1, False)]


def test_a_list_goes_on_after_the_end_of_an_item() -> None:
    long = full(
        "2. the loft where the sheets are hung on ropes of cow hair to dry, by the women and the boys of the mill"
    )
    first = page(1, *items(("1. vat", 0), (long, 0)))
    rest = paragraph("taken down again when they are dry.", 60, left=LEFT + 20)
    assert levels(first, page(2, rest, *items(("3. salle", 0), y=100)))[2:] == [(1, True)]
