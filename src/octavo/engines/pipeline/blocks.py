"""From text lines and layout regions to blocks in reading order."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Block, Box, Kind
from octavo.engines.pipeline import kinds
from octavo.engines.pipeline.drafts import PICTURES, Draft, drafts_of, rejoined
from octavo.engines.pipeline.frame import Frame, frame_of
from octavo.engines.pipeline.grid import cells_of
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds, placed
from octavo.engines.pipeline.order import Item, reading_order
from octavo.engines.pipeline.paragraphs import code_text, set_text
from octavo.engines.pipeline.picture import Upright

_MARGIN = {Kind.HEADER, Kind.FOOTER}


def build(lines: Sequence[TextLine], regions: Sequence[Region], page: Upright) -> tuple[Block, ...]:
    """Blocks in reading order. Every line comes out in exactly one block."""
    frame = frame_of(lines, page.size)
    drafts = drafts_of(
        [frame.line(line) for line in lines],
        [Region(region.kind, frame.seen(region.box), region.score) for region in regions],
    )
    ordered = kinds.settled(rejoined(_page_order(drafts)), frame.height)
    return tuple(_block(draft, page, frame) for draft in ordered)


def confidence(lines: Sequence[TextLine]) -> float:
    """Mean confidence of the lines' characters; 1 where there are none."""
    weight = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / weight if weight else 1.0


def _page_order(drafts: list[Draft]) -> list[Draft]:
    """Running headers first, footers last, the rest between them in reading order."""
    order = []
    for wanted in ((Kind.HEADER,), tuple(set(Kind) - _MARGIN), (Kind.FOOTER,)):
        order += reading_order([Item(_extent(d), _line_boxes(d), d) for d in drafts if d.kind in wanted])
    return order


def _extent(draft: Draft) -> Box:
    """A figure with text in it stands where the text is: its frame may reach under its neighbours."""
    return bounds(line.box for line in draft.lines) if draft.kind is Kind.FIGURE and draft.lines else draft.box


def _line_boxes(draft: Draft) -> tuple[Box, ...]:
    """The boxes that tell columns from rows: a table's or figure's inside says nothing about the page's."""
    inside = tuple(line.box for line in draft.lines)
    return inside if inside and draft.kind not in PICTURES else (draft.box,)


def _block(draft: Draft, page: Upright, frame: Frame) -> Block:
    kind = draft.kind
    text, spans = set_text(draft.lines, draft.box) if kind is not Kind.TABLE else (draft.text, ())
    if kind is Kind.CODE:
        text, spans = code_text(draft.lines), ()
    lines = [frame.line_back(line) for line in draft.lines]
    return Block(
        kind,
        page.box(frame.back(draft.box)),
        text,
        round(confidence(draft.lines), 4),
        draft.level,
        placed(lines, page),
        cells_of(lines, page) if kind is Kind.TABLE else (),
        spans=spans,
        target=draft.target,
    )
