from __future__ import annotations

from pathlib import Path

import pytest

from octavo.document import Kind
from octavo.intake import open_source
from octavo.intake.markdown import markdown_passages
from octavo.settings import Settings


def told(text: str) -> list[tuple[Kind, int, str]]:
    return [(passage.kind, passage.level, passage.text) for passage in markdown_passages(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n# B\n## *C* `d`", [(Kind.TITLE, 1, "A"), (Kind.HEADING, 1, "B"), (Kind.HEADING, 2, "C d")]),
        ("one\ntwo [link](u) **bold** ~~gone~~", [(Kind.TEXT, 0, "one two link bold gone")]),
        ("one  \ntwo<br>three", [(Kind.TEXT, 0, "one\ntwo\nthree")]),
        ("中文\n中文", [(Kind.TEXT, 0, "中文中文")]),
        ("```py\nx = 1\n\n  y\n```", [(Kind.CODE, 0, "x = 1\n\n  y")]),
        ("![a *picture*](x.png)", [(Kind.TEXT, 0, "a picture")]),
        ("<p>html &amp; text</p>", [(Kind.TEXT, 0, "html & text")]),
        ("> quoted\n\n---\n\nafter", [(Kind.TEXT, 0, "quoted"), (Kind.TEXT, 0, "after")]),
        ("", [(Kind.TEXT, 0, "")]),
    ],
)
def test_blocks_with_inline_marks_dropped(text: str, expected: list[tuple[Kind, int, str]]) -> None:
    assert told(text) == expected


def test_list_items_keep_their_marks_and_depth() -> None:
    text = "- a\n- b\n\n  3. c\n  4. d\n\n     more of d\n- \n0) zero"
    assert told(text) == [
        (Kind.LIST_ITEM, 1, "• a"),
        (Kind.LIST_ITEM, 1, "• b"),
        (Kind.LIST_ITEM, 2, "3. c"),
        (Kind.LIST_ITEM, 2, "4. d"),
        (Kind.TEXT, 0, "more of d"),
        (Kind.LIST_ITEM, 1, "•"),
        (Kind.LIST_ITEM, 1, "0) zero"),
    ]


def test_tables_become_cells_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("| Name | *Value* |\n|---|--:|\n| a | 1 \\| 2 |\n| b | |\n")
    (block,) = open_source(path, Settings()).page(1).text_layer.blocks
    assert block.kind is Kind.TABLE
    assert [(cell.row, cell.column, cell.text, cell.header) for cell in block.cells] == [
        (0, 0, "Name", True),
        (0, 1, "Value", True),
        (1, 0, "a", False),
        (1, 1, "1 | 2", False),
        (2, 0, "b", False),
        (2, 1, "", False),
    ]
    assert block.text == "Name\tValue\na\t1 | 2\nb\t"
    x0, y0, x1, y1 = block.box
    assert all(x0 <= cell.box[0] < cell.box[2] <= x1 and y0 <= cell.box[1] < cell.box[3] <= y1 for cell in block.cells)


def test_a_form_feed_begins_a_page() -> None:
    assert [passage.new_page for passage in markdown_passages("one\n\ntwo\f# three\f")] == [False, False, True]
