"""Which lines belong together: those of a region of the layout, and runs of those that no region holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from octavo.document import Box, Kind
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.order import Item, is_card, is_prose, reading_order

PICTURES = frozenset({Kind.TABLE, Kind.FIGURE, Kind.FORMULA, Kind.SEAL})

_TEXT_IN_FIGURE = 0.15  # of its area, at most


@dataclass(frozen=True)
class Draft:
    """A block in the making, in pixels of the page as its frame shows it; its lines stand in reading order."""

    kind: Kind
    box: Box
    lines: tuple[TextLine, ...]
    loose: bool = False  # not from a region
    level: int = 0
    target: int | None = None  # place, among the page's blocks, of what a caption or a footnote belongs to

    @property
    def text(self) -> str:
        """The lines' text as printed."""
        return "\n".join(line.text for line in self.lines)


def share(inner: Box, outer: Box) -> float:
    """The share of `inner`'s area that lies in `outer`, 0 to 1."""
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    return width * height / area(inner) if width > 0 and height > 0 and area(inner) > 0 else 0.0


def area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def drafts_of(lines: Sequence[TextLine], regions: Sequence[Region]) -> list[Draft]:
    """Every line in exactly one draft, in no order; regions without lines only where they are figures."""
    kept = _settled(regions, lines)
    members: list[list[TextLine]] = [[] for _ in kept]
    loose: list[TextLine] = []
    for line in lines:
        shares = [share(line.box, region.box) for region in kept]
        best = max(range(len(kept)), key=lambda i: (round(shares[i], 1), -area(kept[i].box)), default=None)
        if best is not None and shares[best] >= 0.5:
            members[best].append(line)
        else:
            loose.append(line)
    drafts = []
    for region, inside in zip(kept, members, strict=True):
        if region.kind is Kind.TEXT and not is_prose([line.box for line in inside]):
            loose += inside  # a region over half of a row, as layout networks find on receipts, must not tear it
        elif inside:
            inside = line_order(inside, in_cards=region.kind is Kind.FIGURE)
            box = bounds(line.box for line in inside)
            if region.kind in PICTURES:
                box = bounds((box, region.box))
            drafts.append(Draft(region.kind, box, tuple(inside)))
        elif region.kind in (Kind.FIGURE, Kind.SEAL, Kind.FORMULA):
            drafts.append(Draft(region.kind, region.box, ()))
    return drafts + _loose_drafts(loose)


def merged(drafts: Sequence[Draft], belongs: Callable[[Draft, Draft], bool], kind: Kind | None = None) -> list[Draft]:
    """The drafts, each made a part of the one before it where it belongs to that: of `kind`, or of the first one's."""
    whole: list[Draft] = []
    for draft in drafts:
        if whole and belongs(whole[-1], draft):
            before = whole[-1]
            box, lines = bounds((before.box, draft.box)), before.lines + draft.lines
            whole[-1] = replace(before, kind=kind or before.kind, level=0, box=box, lines=lines)
        else:
            whole.append(draft)
    return whole


def line_order(lines: list[TextLine], *, in_cards: bool = False) -> list[TextLine]:
    """The lines of one region in reading order; `in_cards`: those that are centred under each other stay together."""
    cards = _cards(_runs(lines)) if in_cards else []
    groups = cards + [[line] for line in lines if not any(line in card for card in cards)]
    boxes = [tuple(line.box for line in group) for group in groups]
    items = [Item(bounds(inside), inside, group) for inside, group in zip(boxes, groups, strict=True)]
    return [line for group in reading_order(items) for line in group]


def rejoined(drafts: list[Draft]) -> list[Draft]:
    """Neighbours in reading order that came from loose lines and stand close together, made one."""
    return merged(
        drafts, lambda before, draft: before.loose and draft.loose and _close(before.lines[-1], draft.lines[0])
    )


def _close(above: TextLine, line: TextLine) -> bool:
    if not 0.6 < line.height / max(1e-6, above.height) < 1.7:
        return False
    same_row = abs(line.middle - above.middle) < 0.5 * min(line.height, above.height)
    return same_row or -0.5 * line.height < line.box[1] - above.box[3] < 0.8 * line.height


def _loose_drafts(lines: list[TextLine]) -> list[Draft]:
    """Runs of prose, and cards, as one draft each; other lines singly, so that those of a row can be read along it."""
    drafts = []
    runs = _runs(lines)
    cards = _cards(runs)
    for run in runs:
        for part in [run] if run in cards else _apart_from_rows(run, lines):
            whole = run in cards or is_prose([line.box for line in part])
            parts = [part] if whole else [[line] for line in part]
            drafts += [Draft(Kind.TEXT, bounds(line.box for line in p), tuple(p), loose=True) for p in parts]
    return drafts


def _cards(runs: list[list[TextLine]]) -> list[list[TextLine]]:
    """The runs that are cards, and have nothing but cards beside them."""
    cards = [run for run in runs if is_card([line.box for line in run])]
    others = [line for run in runs if run not in cards for line in run]
    return [
        run
        for run in cards
        if not any(abs(line.middle - other.middle) < 0.4 * line.height for line in run for other in others)
    ]


def _apart_from_rows(run: list[TextLine], lines: list[TextLine]) -> list[list[TextLine]]:
    """The run parted at lines that share their row with another line within the run's own width."""
    left, _, right, _ = bounds(line.box for line in run)
    parts: list[list[TextLine]] = [[]]
    for line in run:
        tolerance = 0.4 * line.height
        in_row = any(
            other is not line and abs(line.middle - other.middle) < tolerance and left <= other.box[0] < right
            for other in lines
        )
        if in_row:
            parts += [[line], []]
        else:
            parts[-1].append(line)
    return [part for part in parts if part]


def _runs(lines: list[TextLine]) -> list[list[TextLine]]:
    """Lines grouped where one stands close below another of like height."""
    runs: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda t: t.box[1]):
        for run in runs:
            last = run[-1]
            gap = line.box[1] - last.box[3]
            overlap = min(line.box[2], last.box[2]) - max(line.box[0], last.box[0])
            alike = 0.7 < line.height / max(1e-6, last.height) < 1.4
            if alike and -0.5 * line.height < gap < 0.8 * line.height and overlap > 0.5 * min(line.width, last.width):
                run.append(line)
                break
        else:
            runs.append([line])
    return runs


# ---- the layout's regions


def _settled(regions: Sequence[Region], lines: Sequence[TextLine]) -> list[Region]:
    """The regions without doubles: of two over the same place the surer stays, and of a region within another the
    outer one, unless the inner ones hold most of the outer one's lines between them."""
    kept: list[Region] = []
    for region in sorted(_without_pages_of_text(regions, lines), key=lambda r: -r.score):
        if not any(share(region.box, other.box) > 0.7 and share(other.box, region.box) > 0.5 for other in kept):
            kept.append(region)
    for outer in sorted(kept, key=lambda r: -area(r.box)):
        inner = [r for r in kept if r is not outer and share(r.box, outer.box) > 0.8]
        if outer not in kept or not inner or outer.kind in PICTURES:
            continue
        held = [line for line in lines if share(line.box, outer.box) >= 0.5]
        in_inner = [line for line in held if any(share(line.box, r.box) >= 0.5 for r in inner)]
        gone = [outer] if len(in_inner) >= 0.6 * len(held) else [r for r in inner if r.kind not in PICTURES]
        kept = [r for r in kept if r not in gone]
    return kept


def _without_pages_of_text(regions: Sequence[Region], lines: Sequence[TextLine]) -> list[Region]:
    """The regions without figures that are full of text: the network sees one in a whole page that it cannot read."""
    kept = []
    for region in regions:
        inside = [line for line in lines if share(line.box, region.box) >= 0.5] if region.kind is Kind.FIGURE else []
        if sum(area(line.box) for line in inside) <= _TEXT_IN_FIGURE * area(region.box):
            kept.append(region)
    return kept
