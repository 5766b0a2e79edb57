"""From text lines and layout regions to blocks in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from octavo.document import Block, Box, Kind
from octavo.engines.pipeline import formulas, kinds, rulings, seals, tables
from octavo.engines.pipeline.drafts import PICTURES, Draft, drafts_of, rejoined
from octavo.engines.pipeline.frame import Frame, frame_of
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds, placed
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.order import Item, reading_order
from octavo.engines.pipeline.paragraphs import code_text, set_text
from octavo.engines.pipeline.picture import Upright, cropped

_MARGIN = {Kind.HEADER, Kind.FOOTER}


def build(
    lines: Sequence[TextLine],
    regions: Sequence[Region],
    page: Upright,
    networks: Networks | None = None,
    drawn: Sequence[Box] | None = None,
) -> tuple[Block, ...]:
    """Blocks in reading order. Every line comes out in exactly one block.

    `regions` are the layout's, `drawn` the rulings on the page, as thin boxes; without them they are looked for in the
    page's pixels. Tables whose cells cannot be told otherwise are shown to a network, if `networks` are given.
    """
    digital = drawn is not None
    if drawn is None:
        drawn = rulings.find(page.pixels, lines)
    stamped = seals.find(page.pixels) if page.pixels.size else []
    found = formulas.find(lines, tables.find(lines, [*regions, *stamped], page, drawn), page, drawn)
    frame = frame_of(lines, page.size)
    drafts = drafts_of(
        [frame.line(line) for line in lines],
        [Region(region.kind, frame.seen(region.box), region.score) for region in found],
    )
    pictures = [draft.box for draft in drafts if draft.kind in PICTURES]
    separators = [box for box in map(frame.seen, drawn) if not any(_within(box, picture) for picture in pictures)]
    ordered = kinds.settled(rejoined(_page_order(drafts, separators)), frame.height)
    making = _Making(page, frame, networks, drawn, digital)
    return tuple(making.block(draft) for draft in ordered)


def _within(inner: Box, outer: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def confidence(lines: Sequence[TextLine]) -> float:
    """Mean confidence of the lines' characters; 1 where there are none."""
    weight = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / weight if weight else 1.0


def _page_order(drafts: list[Draft], separators: Sequence[Box]) -> list[Draft]:
    """Running headers first, footers last, the rest between them in reading order."""
    order = []
    upright = [box for box in separators if box[3] - box[1] > 4 * (box[2] - box[0])]
    for wanted in ((Kind.HEADER,), tuple(set(Kind) - _MARGIN), (Kind.FOOTER,)):
        items = [Item(_extent(d), _line_boxes(d), d) for d in drafts if d.kind in wanted]
        order += reading_order(items, upright)
    return order


def _extent(draft: Draft) -> Box:
    """A figure with text in it stands where the text is: its frame may reach under its neighbours."""
    return bounds(line.box for line in draft.lines) if draft.kind is Kind.FIGURE and draft.lines else draft.box


def _line_boxes(draft: Draft) -> tuple[Box, ...]:
    """The boxes that tell columns from rows: a table's or figure's inside says nothing about the page's."""
    inside = tuple(line.box for line in draft.lines)
    return inside if inside and draft.kind not in PICTURES else (draft.box,)


@dataclass(frozen=True)
class _Making:
    """What blocks are made with."""

    page: Upright
    frame: Frame
    networks: Networks | None
    drawn: Sequence[Box]
    digital: bool  # the text is the page's own

    def block(self, draft: Draft) -> Block:
        lines = [self.frame.line_back(line) for line in draft.lines]
        box = self.frame.back(draft.box)
        block = Block(
            draft.kind,
            self.page.box(box),
            draft.text,
            round(confidence(draft.lines), 4),
            draft.level,
            placed(lines, self.page),
            target=draft.target,
        )
        match draft.kind:
            case Kind.TABLE:
                cells = tables.cells(self.networks, self.page, box, lines, self.drawn)
                return replace(block, cells=cells) if cells else replace(block, kind=Kind.TEXT)
            case Kind.FORMULA:
                return self._formula(block, box, lines)
            case Kind.CODE:
                return replace(block, text=code_text(draft.lines))
            case _:
                text, spans = set_text(draft.lines, draft.box)
                return replace(block, text=text, spans=spans)

    def _formula(self, block: Block, box: Box, lines: Sequence[TextLine]) -> Block:
        recognizer = self.networks.signs() if self.networks else None
        read = formulas.read(recognizer, self.page, box, lines, digital=self.digital)
        model = self.networks.formulas() if self.networks and self.page.pixels.size else None
        latex = model.latex(cropped(self.page.pixels, box)) if model else ""
        return replace(block, text=read.text, latex=latex or read.latex, picture=formulas.picture(self.page, box))
