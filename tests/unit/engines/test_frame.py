from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_parts import HEIGHT, PAGE, WIDTH

from octavo.engines.pipeline.blocks import build
from octavo.engines.pipeline.frame import Frame, frame_of, is_right_to_left
from octavo.engines.pipeline.lines import TextLine

coordinates = st.integers(0, 1000)


@pytest.mark.parametrize("view", ["level", "mirrored", "vertical"])
@given(coordinates, coordinates, coordinates, coordinates)
def test_boxes_come_back_from_every_view(view: str, x0: int, y0: int, width: int, height: int) -> None:
    frame, box = Frame(view, (WIDTH, HEIGHT)), (x0, y0, x0 + width, y0 + height)  # type: ignore[arg-type]
    assert frame.back(frame.seen(box)) == box


def vertical(text: str, x: float, y: float) -> TextLine:
    return TextLine(text, (x, y, x + 30, y + 30 * len(text)))


def test_vertical_columns_are_read_from_the_right() -> None:
    lines = [
        vertical("三番目の行です", 300, 100),
        vertical("一番目の行です", 400, 100),
        vertical("二番目の行です", 350, 100),
    ]
    assert frame_of(lines, PAGE.size).view == "vertical"
    (block,) = build(lines, [], PAGE)
    assert [line.text for line in block.lines] == ["一番目の行です", "二番目の行です", "三番目の行です"]
    assert block.text == "一番目の行です二番目の行です三番目の行です"
    assert block.box == (300, 100, 430, 310)


def test_two_tiers_of_vertical_text_are_read_one_after_the_other() -> None:
    upper = [vertical(f"上の段の{i}行目の文", 900 - 50 * i, 100) for i in range(6)]
    lower = [vertical(f"下の段の{i}行目の文", 900 - 50 * i, 600) for i in range(6)]
    texts = [line.text for block in build(lower + upper, [], PAGE) for line in block.lines]
    assert texts == [line.text for line in upper + lower]


def hebrew(text: str, right: float, y: float, width: float) -> TextLine:
    return TextLine(text, (right - width, y, right, y + 20))


def test_columns_of_right_to_left_text_are_read_from_the_right() -> None:
    right = [hebrew(f"שורה של טקסט ארוך דיו {i}", 900, 100 + 30 * i, 380) for i in range(5)]
    left = [hebrew(f"טור שני של אותו עמוד {i}", 480, 100 + 30 * i, 380) for i in range(5)]
    blocks = build(left + right, [], PAGE)
    assert [line.text for block in blocks for line in block.lines] == [line.text for line in right + left]
    assert blocks[0].lines[0].box == right[0].box


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", False), ("שלום", True), ("مرحبا world", False), ("مرحبا بك 2024", True), ("", False), ("中文", False)],
)
def test_right_to_left(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected
