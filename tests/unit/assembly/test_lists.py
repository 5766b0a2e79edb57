from __future__ import annotations

import pytest

from octavo.assembly.writers.lists import Item, depth_of, parse


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("• one", Item("one", "-")),
        ("●one", Item("one", "-")),
        ("– one", Item("one", "-")),
        ("-5 degrees", Item("-5 degrees", "-")),
        ("plain", Item("plain", "-")),
        ("3. three", Item("three", "3.", 3)),
        ("12) twelve", Item("twelve", "12)", 12)),
        ("2、蒸煮", Item("蒸煮", "2.", 2)),
        ("7.", Item("", "7.", 7)),
        ("1.5 litres", Item("1.5 litres", "")),
        ("2.1.3 three deep", Item("2.1.3 three deep", "")),
        ("01. keeps its zero", Item("01. keeps its zero", "")),
        ("1234567890. too long", Item("1234567890. too long", "")),
        ("(a) first", Item("(a) first", "")),
        ("（一）漂洗", Item("（一）漂洗", "")),
        ("iv. fourth", Item("iv. fourth", "")),
        ("", Item("", "-")),
    ],
)
def test_parse(text: str, item: Item) -> None:
    assert parse(text) == item


def test_no_depth_is_skipped() -> None:
    assert [depth_of(level, 1) for level in (-1, 0, 1, 2, 3, 9)] == [1, 1, 1, 2, 2, 2]
    assert depth_of(3, 0) == 1
