"""From text lines and layout regions to blocks in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np

from octavo.document import Block, Box, Kind
from octavo.engines.pipeline.grid import cells_of
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds, placed
from octavo.engines.pipeline.order import Item, columns, is_prose, reading_order
from octavo.engines.pipeline.picture import Upright

_MARGIN = {Kind.HEADER, Kind.FOOTER}
_PICTURES = {Kind.TABLE, Kind.FIGURE, Kind.FORMULA}
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:\d{1,5}|[ivxlcdm]{1,8})[-–—\s]*", re.IGNORECASE)


@dataclass(frozen=True)
class Draft:
    """A block in the making, in pixels of the upright page; its lines stand in reading order."""

    kind: Kind
    box: Box
    lines: tuple[TextLine, ...]
    loose: bool = False  # not from a region


def build(lines: Sequence[TextLine], regions: Sequence[Region], page: Upright) -> tuple[Block, ...]:
    """Blocks in reading order. Every line comes out in exactly one block."""
    drafts = _drafts(lines, regions)
    ordered = [part for draft in _rejoined(_page_order(drafts)) for part in _paragraphs(draft)]
    body = median([line.height for line in lines]) if lines else 1.0
    size = page.pixels.shape[0]
    return tuple(_block(draft, page, body, size) for draft in ordered)


def share(inner: Box, outer: Box) -> float:
    """The share of `inner`'s area that lies in `outer`, 0 to 1."""
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = (inner[2] - inner[0]) * (inner[3] - inner[1])
    return width * height / area if width > 0 and height > 0 and area > 0 else 0.0


def _page_order(drafts: list[Draft]) -> list[Draft]:
    """Running headers first, footers last, the rest between them in reading order."""
    order = []
    for kinds in ((Kind.HEADER,), tuple(set(Kind) - _MARGIN), (Kind.FOOTER,)):
        order += reading_order([Item(_extent(d), _line_boxes(d), d) for d in drafts if d.kind in kinds])
    return order


def _extent(draft: Draft) -> Box:
    """A figure with text in it stands where the text is: its frame may reach under its neighbours."""
    return bounds(line.box for line in draft.lines) if draft.kind is Kind.FIGURE and draft.lines else draft.box


def _line_boxes(draft: Draft) -> tuple[Box, ...]:
    """The boxes that tell columns from rows: a table's or figure's inside says nothing about the page's."""
    inside = tuple(line.box for line in draft.lines)
    return inside if inside and draft.kind not in _PICTURES else (draft.box,)


def _drafts(lines: Sequence[TextLine], regions: Sequence[Region]) -> list[Draft]:
    kept = _settled(regions, lines)
    members: list[list[TextLine]] = [[] for _ in kept]
    loose: list[TextLine] = []
    for line in lines:
        shares = [share(line.box, region.box) for region in kept]
        best = max(range(len(kept)), key=lambda i: (round(shares[i], 1), -_area(kept[i].box)), default=None)
        if best is not None and shares[best] >= 0.5:
            members[best].append(line)
        else:
            loose.append(line)
    drafts = []
    for region, inside in zip(kept, members, strict=True):
        beside: list[TextLine] = []
        if region.kind is Kind.TABLE and inside:
            inside, beside = _table_and_text(inside)
            loose += beside
        if region.kind is Kind.TEXT and not is_prose([line.box for line in inside]):
            loose += inside  # a region over half of a row, as layout networks find on receipts, must not tear it
        elif inside:
            inside = _line_order(inside)
            box = bounds(line.box for line in inside)
            if region.kind in (Kind.TABLE, Kind.FIGURE) and not beside:
                box = bounds((box, region.box))
            drafts.append(Draft(region.kind, box, tuple(inside)))
        elif region.kind is Kind.FIGURE:
            drafts.append(Draft(region.kind, region.box, ()))
    return drafts + _loose_drafts(loose)


def _loose_drafts(lines: list[TextLine]) -> list[Draft]:
    """Runs of prose as one draft each; other lines singly, so that those of a row can be read along it."""
    drafts = []
    for run in _runs(lines):
        for part in _apart_from_rows(run, lines):
            parts = [part] if is_prose([line.box for line in part]) else [[line] for line in part]
            drafts += [Draft(Kind.TEXT, bounds(line.box for line in p), tuple(p), loose=True) for p in parts]
    return drafts


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


def _rejoined(drafts: list[Draft]) -> list[Draft]:
    """Neighbours in reading order that came from loose lines and stand close together, made one."""
    joined: list[Draft] = []
    for draft in drafts:
        if joined and draft.loose and joined[-1].loose and _close(joined[-1].lines[-1], draft.lines[0]):
            lines = joined[-1].lines + draft.lines
            joined[-1] = Draft(Kind.TEXT, bounds(line.box for line in lines), lines, loose=True)
        else:
            joined.append(draft)
    return joined


def _close(above: TextLine, line: TextLine) -> bool:
    if not 0.6 < line.height / max(1e-6, above.height) < 1.7:
        return False
    same_row = abs(line.middle - above.middle) < 0.5 * min(line.height, above.height)
    return same_row or -0.5 * line.height < line.box[1] - above.box[3] < 0.8 * line.height


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _settled(regions: Sequence[Region], lines: Sequence[TextLine]) -> list[Region]:
    """The regions without doubles: of two over the same place the surer stays, and of a region within another the
    outer one, unless the inner ones hold most of the outer one's lines between them."""
    kept: list[Region] = []
    for region in _without_false_figures(sorted(regions, key=lambda r: -r.score), lines):
        if not any(share(region.box, other.box) > 0.7 and share(other.box, region.box) > 0.5 for other in kept):
            kept.append(region)
    for outer in sorted(kept, key=lambda r: -_area(r.box)):
        inner = [r for r in kept if r is not outer and share(r.box, outer.box) > 0.8]
        if outer not in kept or not inner or outer.kind in _PICTURES:
            continue
        held = [line for line in lines if share(line.box, outer.box) >= 0.5]
        in_inner = [line for line in held if any(share(line.box, r.box) >= 0.5 for r in inner)]
        gone = [outer] if len(in_inner) >= 0.6 * len(held) else [r for r in inner if r.kind not in _PICTURES]
        kept = [r for r in kept if r not in gone]
    return kept


def _without_false_figures(regions: Sequence[Region], lines: Sequence[TextLine]) -> list[Region]:
    """A figure full of text is a table taken for one where the text stands in rows, and nothing where it does not."""
    kept = []
    for region in regions:
        inside = [line for line in lines if share(line.box, region.box) >= 0.5] if region.kind is Kind.FIGURE else []
        if sum(_area(line.box) for line in inside) <= 0.15 * _area(region.box):
            kept.append(region)
        elif _share_in_rows(inside) >= 0.5:
            kept.append(replace(region, kind=Kind.TABLE))
    return kept


def _share_in_rows(lines: Sequence[TextLine]) -> float:
    """The share of the lines that have another one level with them."""
    middles, heights = np.array([line.middle for line in lines]), np.array([line.height for line in lines])
    level = np.abs(middles[:, None] - middles) < 0.4 * np.minimum(heights[:, None], heights)
    return float(np.mean(level.sum(axis=1) > 1))


def _table_and_text(lines: list[TextLine]) -> tuple[list[TextLine], list[TextLine]]:
    """The lines of a table region, and those of columns of text that the region swallowed."""
    parts = columns([Item(line.box, (line.box,), line) for line in lines])
    if len(parts) == 1:
        return lines, []
    table: list[TextLine] = []
    text: list[TextLine] = []
    for part in parts:
        prose = sum(item.what.width > 14 * item.what.height for item in part) >= 3
        (text if prose else table).extend(item.what for item in part)
    return table, text


def _line_order(lines: list[TextLine]) -> list[TextLine]:
    return reading_order([Item(line.box, (line.box,), line) for line in lines])


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


def _paragraphs(draft: Draft) -> list[Draft]:
    """A text region parted where a line is indented after a line that ended short."""
    if draft.kind is not Kind.TEXT or len(draft.lines) < 3:
        return [draft]
    left, right = draft.box[0], draft.box[2]
    parts: list[list[TextLine]] = [[draft.lines[0]]]
    for before, line in pairwise(draft.lines):
        indent = line.box[0] - left
        ended_short = right - before.box[2] > 2 * line.height
        if ended_short and line.height < indent < 4 * line.height and line.box[1] > before.middle:
            parts.append([])
        parts[-1].append(line)
    if len(parts) == 1:
        return [draft]
    return [Draft(draft.kind, bounds(line.box for line in part), tuple(part)) for part in parts]


def _block(draft: Draft, page: Upright, body: float, page_height: float) -> Block:
    kind, level = draft.kind, 0
    text = joined(draft.lines, draft.box) if kind is not Kind.TABLE else "\n".join(line.text for line in draft.lines)
    at_margin = draft.box[1] > 0.9 * page_height or draft.box[3] < 0.1 * page_height
    if (kind in _MARGIN or (kind is Kind.TEXT and at_margin)) and _PAGE_NUMBER.fullmatch(text):
        kind = Kind.PAGE_NUMBER
    if kind is Kind.HEADING:
        level = 1 if median(line.height for line in draft.lines) >= 1.5 * body else 2
    return Block(
        kind,
        page.box(draft.box),
        text,
        round(confidence(draft.lines), 4),
        level,
        placed(draft.lines, page),
        cells_of(draft.lines, page) if kind is Kind.TABLE else (),
    )


def confidence(lines: Sequence[TextLine]) -> float:
    """Mean confidence of the lines' characters; 1 where there are none."""
    weight = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / weight if weight else 1.0


def joined(lines: Sequence[TextLine], box: Box) -> str:
    """The lines as running text.

    A line break stays where the next line's first word would still have fitted behind the line: there the author
    broke it. A hyphen before a small letter at a line's end is taken for a syllable break and dropped.
    """
    if not lines:
        return ""
    text = lines[0].text
    in_row = False
    for before, line in pairwise(lines):
        was_in_row, in_row = in_row, abs(line.middle - before.middle) < 0.5 * min(line.height, before.height)
        if in_row:
            text += " " + line.text
        elif was_in_row or box[2] - before.box[2] > _first_word(line) + 0.5 * line.height:
            text += "\n" + line.text
        elif _hyphenated(text, line.text):
            text = text[:-1] + line.text
        elif _spaceless(text[-1:]) and _spaceless(line.text[:1]):
            text += line.text
        else:
            text += " " + line.text
    return text


def _first_word(line: TextLine) -> float:
    word = line.text.split(" ", 1)[0]
    if _spaceless(line.text[:1]):
        return 2 * line.height
    return line.width * len(word) / max(1, len(line.text))


def _hyphenated(before: str, after: str) -> bool:
    return len(before) > 1 and before[-1] in "-‐\u00ad" and before[-2].isalpha() and after[:1].islower()


def _spaceless(character: str) -> bool:
    """Whether words of this character's script are written without spaces between them."""
    return bool(character) and ("\u2e80" <= character <= "\ua4cf" or "\uf900" <= character <= "\uffef")
