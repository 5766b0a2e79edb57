"""The blocks of a page as the flow takes them up, and the passages that it makes of them."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.assembly.shapes import Shape
from octavo.document import Block, Box, FlowItem


@dataclass(frozen=True, slots=True)
class Piece:
    """A block with its place. Its kind and level are those that hold for the whole document."""

    page: int
    index: int  # of the block on its page, from 0
    block: Block
    shape: Shape | None
    sheet: Box  # the block's box on the upright page, in parts of the page's size
    unit: float = 1.0  # what makes sizes of different pages comparable, in the unit of the page
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """An item of the flow with what it says: the blocks of its fragments made one.

    A caption that is tied to a figure or table on its page comes twice: among the `captions` of that, and as a passage
    of its own, which is `tied`. A list item `goes_on` where its list began on a page before.
    """

    item: FlowItem
    block: Block
    captions: tuple[Block, ...] = ()
    tied: bool = False
    goes_on: bool = False
