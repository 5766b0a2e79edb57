from __future__ import annotations

import numpy as np
import pytest

from octavo.assembly.overlay import LONGEST, drawn
from octavo.document import Block, Cell, Kind, PageResult, PageStatus


def page(width: float = 400, height: float = 600) -> PageResult:
    cells = (Cell(0, 0, "a", (50, 300, 150, 340)), Cell(0, 1, "b", (150, 300, 250, 340)))
    blocks = (
        Block(Kind.HEADING, (50, 50, 350, 90), "A heading", level=2),
        Block(Kind.TABLE, (50, 300, 250, 340), "a\nb", cells=cells),
        Block(Kind.CAPTION, (50, 350, 250, 370), "Table 1", target=1),
    )
    return PageResult(1, PageStatus.OK, width, height, blocks=blocks)


def differs(picture: np.ndarray, x: int, y: int) -> bool:
    """Whether something coloured is near a place of the white page."""
    part = picture[y - 3 : y + 4, x - 3 : x + 4].astype(int)
    return bool((part.max(axis=2) - part.min(axis=2)).max() > 60)


@pytest.mark.parametrize("scale", [1, 2])
def test_blocks_cells_and_the_way_of_reading_are_drawn_where_they_are(scale: int) -> None:
    white = np.full((600 * scale, 400 * scale, 3), 255, np.uint8)
    picture = np.asarray(drawn(page(), white))
    assert picture.shape == white.shape
    for x, y in [(50, 70), (350, 70), (200, 90), (150, 320), (250, 360)]:  # edges of blocks and of a cell
        assert differs(picture, x * scale, y * scale), (x, y)
    assert differs(picture, 175 * scale, 195 * scale)  # half way between the first block and the second
    assert not differs(picture, 380 * scale, 500 * scale)


def test_large_pages_are_drawn_smaller() -> None:
    picture = drawn(page(3000, 4500), np.full((4500, 3000, 3), 255, np.uint8))
    assert max(picture.size) == LONGEST


def test_a_page_without_blocks_is_only_paler() -> None:
    black = np.zeros((60, 40, 3), np.uint8)
    picture = np.asarray(drawn(PageResult(1, PageStatus.BLANK, 40, 60), black))
    assert 0 < picture.min() == picture.max() < 255
