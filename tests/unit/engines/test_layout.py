from __future__ import annotations

import numpy as np
import pytest

from octavo.document import Kind
from octavo.engines.pipeline.layout import regions
from octavo.engines.pipeline.runtime import Network

HEIGHT, WIDTH, BINS = 800, 608, 8  # of the network's picture; distances are 0 to 7 strides
TEXT, TABLE, HEADER = 0, 4, 6


def answering(*cells: tuple[int, int, int, int, float, tuple[int, int, int, int]]) -> Network:
    """A network that sees things: stride, row and column of the cell, class, score, sides' distances in strides."""

    def run(_: np.ndarray) -> list[np.ndarray]:
        scores, distances = [], []
        for stride in (8, 16, 32, 64):
            rows, columns = -(-HEIGHT // stride), -(-WIDTH // stride)
            score = np.zeros((1, rows * columns, 10), np.float32)
            distance = np.zeros((1, rows * columns, 4 * BINS), np.float32)
            for at, row, column, kind, value, sides in cells:
                if at == stride:
                    cell = row * columns + column
                    score[0, cell, kind] = value
                    for side, length in enumerate(sides):
                        distance[0, cell, side * BINS + length] = 50
            scores.append(score)
            distances.append(distance)
        return [*scores, *distances]

    return Network(run)


PAGE = np.full((800, 608, 3), 255, np.uint8)
SIZE = (1216, 1600)  # twice the network's picture


def test_nothing_seen() -> None:
    assert regions(answering(), PAGE, SIZE) == []


def test_a_box_is_its_cells_middle_and_four_distances_in_page_pixels() -> None:
    (region,) = regions(answering((32, 5, 6, TABLE, 0.9, (3, 2, 4, 1))), PAGE, SIZE)
    x, y = 6.5 * 32, 5.5 * 32
    assert region.kind is Kind.TABLE
    assert region.score == pytest.approx(0.9)
    wanted = [2 * (x - 3 * 32), 2 * (y - 2 * 32), 2 * (x + 4 * 32), 2 * (y + 1 * 32)]
    assert region.box == pytest.approx(wanted, abs=0.01)


def test_boxes_end_at_the_page() -> None:
    (region,) = regions(answering((64, 0, 0, TEXT, 0.9, (7, 7, 7, 7))), PAGE, SIZE)
    assert region.box[:2] == (0, 0)


def test_unsure_ones_are_dropped_and_the_surest_come_first() -> None:
    seen = answering(
        (16, 2, 2, TEXT, 0.6, (1, 1, 1, 1)),
        (16, 20, 20, HEADER, 0.8, (1, 1, 1, 1)),
        (16, 40, 30, TABLE, 0.2, (1, 1, 1, 1)),
    )
    assert [region.kind for region in regions(seen, PAGE, SIZE)] == [Kind.HEADER, Kind.TEXT]


def test_of_overlapping_boxes_of_one_class_the_surest_stays() -> None:
    seen = answering(
        (32, 5, 6, TEXT, 0.7, (4, 4, 4, 4)), (32, 5, 7, TEXT, 0.9, (4, 4, 4, 4)), (32, 5, 6, TABLE, 0.6, (4, 4, 4, 4))
    )
    assert [(region.kind, pytest.approx(region.score)) for region in regions(seen, PAGE, SIZE)] == [
        (Kind.TEXT, 0.9),
        (Kind.TABLE, 0.6),
    ]
