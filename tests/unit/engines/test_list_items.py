from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_parts import PAGE, around, line

from octavo.document import Kind
from octavo.engines.pipeline.blocks import build
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine


def items(lines: list[TextLine]) -> list[tuple[str, int]]:
    """Text and level of the list items found in one region of text."""
    blocks = build(lines, [Region(Kind.TEXT, around(lines), 0.9)], PAGE)
    assert sum(len(block.lines) for block in blocks) == len(lines)
    return [(block.text, block.level) for block in blocks if block.kind is Kind.LIST_ITEM]


def rows(*texts: str | tuple[str, int]) -> list[TextLine]:
    """Lines below each other; a number beside a text is its indent."""
    placed = [(text, 0) if isinstance(text, str) else text for text in texts]
    return [line(text, 100 + indent, 300 + 30 * i, 700 - indent) for i, (text, indent) in enumerate(placed)]


def test_bullets_and_their_wrapped_lines() -> None:
    found = items(rows("• rags of linen, which come from", ("the whole of the county", 20), "• rags of cotton"))
    assert found == [("• rags of linen, which come from the whole of the county", 1), ("• rags of cotton", 1)]


@pytest.mark.parametrize(
    "texts",
    [
        ("1. sort", "2. wash", "3. beat"),
        ("(1) sort", "(2) wash", "(3) beat"),
        ("a) sort", "b) wash", "c) beat"),
        ("(i) sort", "(ii) wash", "(iii) beat"),
        ("- sort", "- wash", "- beat"),
        ("– sort", "– wash", "– beat"),
        ("1、分拣", "2、洗涤", "3、打浆"),
        ("（一）分拣", "（二）洗涤", "（三）打浆"),
        ("h. sort", "i. wash", "j. beat"),
    ],
)
def test_marks_that_count_on(texts: tuple[str, ...]) -> None:
    assert items(rows(*texts)) == [(text, 1) for text in texts]


def test_levels_follow_the_indents() -> None:
    found = items(rows("• rags", ("• of linen", 40), ("• of cotton", 40), "• wood", ("1. spruce", 40), ("2. pine", 40)))
    assert [level for _, level in found] == [1, 2, 2, 1, 2, 2]


@pytest.mark.parametrize(
    "texts",
    [
        ("It was bought by the ream in the year", "1799. A ream is what is sold as one"),
        ("1. A single number is no list",),
        ("3. three and", "7. seven do not count on"),
        ("- one dash may be a sign of speech",),
    ],
)
def test_no_lists(texts: tuple[str, ...]) -> None:
    assert items(rows(*texts)) == []


def test_a_paragraph_after_the_list_is_not_the_last_items() -> None:
    lines = rows("• rags of linen, which come from", ("the whole of the county", 20))
    after = line("A paragraph that begins at the left again and goes on", 100, 360, 700)
    blocks = build([*lines, after], [Region(Kind.TEXT, around([*lines, after]), 0.9)], PAGE)
    assert [(block.kind, len(block.lines)) for block in blocks] == [(Kind.LIST_ITEM, 2), (Kind.TEXT, 1)]


def test_an_item_whose_text_the_network_cut_off_is_made_whole() -> None:
    first = [line("• Fees of all kinds are received for", 100, 300, 700)]
    rest = [line(f"services of many sorts that go on in line {i}", 120, 330 + 30 * i, 680) for i in range(3)]
    blocks = build(first + rest, [Region(Kind.TEXT, around(first), 0.9), Region(Kind.TEXT, around(rest, 2), 0.8)], PAGE)
    assert [(block.kind, len(block.lines)) for block in blocks] == [(Kind.LIST_ITEM, 4)]


def test_marks_set_apart_from_their_text() -> None:
    """As text layers have them, where a tab stands between."""
    lines = []
    for i, text in enumerate(("rags of linen, which", "rags of cotton", "wood")):
        lines += [line("•", 100, 300 + 60 * i), line(text, 150, 300 + 60 * i, 650)]
    lines.insert(2, line("come from the county", 150, 330, 300))
    blocks = build(lines, [Region(Kind.TEXT, around(lines), 0.9)], PAGE)
    texts = [block.text for block in blocks if block.kind is Kind.LIST_ITEM]
    assert texts == ["• rags of linen, which come from the county", "• rags of cotton", "• wood"]


@given(st.lists(st.sampled_from(["• a", "1. b", "2. c", "a) d", "- e", "text", "(3) f"]), min_size=1, max_size=12))
def test_no_line_is_lost_whatever_the_marks(texts: list[str]) -> None:
    items(rows(*texts))
