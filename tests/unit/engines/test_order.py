from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.document import Box
from octavo.engines.pipeline.order import Item, is_prose, reading_order


def block(name: str, x: float, y: float, width: float, lines: int, height: float = 20) -> Item[str]:
    """A block of text: `lines` lines of `height`, one and a half of it apart."""
    step = 1.5 * height
    boxes = tuple((x, y + i * step, x + width, y + i * step + height) for i in range(lines))
    return Item((x, y, x + width, boxes[-1][3]), boxes, name)


def order(*items: Item[str]) -> str:
    return " ".join(reading_order(items))


def test_nothing_and_one() -> None:
    assert reading_order([]) == []
    assert order(block("a", 0, 0, 100, 1)) == "a"


def test_one_column_goes_down() -> None:
    assert order(block("c", 0, 400, 600, 3), block("a", 0, 0, 600, 3), block("b", 0, 200, 600, 3)) == "a b c"


def test_two_columns_are_read_to_their_end() -> None:
    items = [
        block("title", 100, 0, 800, 1, 40),
        block("left1", 0, 100, 480, 5),
        block("left2", 0, 300, 480, 9),
        block("right1", 520, 100, 480, 8),
        block("right2", 520, 400, 480, 5),
        block("foot", 100, 800, 800, 1),
    ]
    assert order(*reversed(items)) == "title left1 left2 right1 right2 foot"


def test_a_heading_over_both_columns_parts_them() -> None:
    items = [
        block("a1", 0, 0, 480, 6),
        block("a2", 520, 0, 480, 6),
        block("middle", 0, 250, 1000, 2, 30),
        block("b1", 0, 400, 480, 6),
        block("b2", 520, 400, 480, 6),
    ]
    assert order(*reversed(items)) == "a1 a2 middle b1 b2"


def test_three_columns() -> None:
    items = [block(f"c{i}", i * 400, 0, 360, 12) for i in range(3)]
    assert order(*reversed(items)) == "c0 c1 c2"


def test_pieces_of_rows_are_read_along_the_row() -> None:
    receipt = [
        item
        for i, (name, price) in enumerate([("tea", "2.10"), ("milk", "1.05"), ("sugar", "0.90")])
        for item in (block(name, 0, 40 * i, 90, 1), block(price, 400, 40 * i, 60, 1))
    ]
    assert order(*reversed(receipt)) == "tea 2.10 milk 1.05 sugar 0.90"


def test_prose_is_long_lines_not_cells() -> None:
    assert is_prose(block("a", 0, 0, 300, 3).lines)
    assert not is_prose(block("a", 0, 0, 300, 2).lines)
    assert not is_prose(block("a", 0, 0, 60, 8).lines)


coordinate = st.floats(0, 2000)
boxes = st.builds(lambda x, y, w, h: (x, y, x + w, y + h), coordinate, coordinate, st.floats(0, 800), st.floats(0, 200))


@given(st.lists(boxes, max_size=25))
def test_every_item_comes_out_once(placed: list[Box]) -> None:
    items = [Item(box, (box,), number) for number, box in enumerate(placed)]
    assert sorted(reading_order(items)) == list(range(len(placed)))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.randoms())
def test_one_column_in_any_order_of_arrival(lengths: list[int], random: object) -> None:
    items, y = [], 0.0
    for number, lines in enumerate(lengths):
        items.append(block(str(number), 0, y, 500, lines))
        y = items[-1].box[3] + 15
    wanted = [item.what for item in items]
    random.shuffle(items)  # type: ignore[attr-defined]
    assert reading_order(items) == wanted


def box(x0: float, y0: float, x1: float, y1: float) -> Box:
    return (x0, y0, x1, y1)


def test_a_ruling_makes_columns_of_what_would_be_read_by_rows() -> None:
    left = [box(100, 100 + 40 * i, 200, 120 + 40 * i) for i in range(4)]
    right = [box(300, 100 + 40 * i, 400, 120 + 40 * i) for i in range(4)]
    items = [Item(b, (b,), b) for b in left + right]
    assert reading_order(items) == [b for pair in zip(left, right, strict=True) for b in pair]
    assert reading_order(items, [(249.0, 90.0, 251.0, 250.0)]) == left + right


def test_cards_are_read_one_after_the_other() -> None:
    def card(x: float, y: float) -> Item[str]:
        lines = tuple(box(x - w, y + 25 * i, x + w, y + 25 * i + 20) for i, w in enumerate((60, 80, 40)))
        return Item((x - 80, y, x + 80, y + 70), lines, f"{x:.0f} {y:.0f}")

    cards = [card(x, y) for y in (100, 300) for x in (200, 500, 800)]
    assert reading_order(cards[::-1]) == [item.what for item in cards]
