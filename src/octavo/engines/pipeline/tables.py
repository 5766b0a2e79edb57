"""The cells of a table, from its rulings, from the structure network, or from where its text stands.

Which source is asked was decided by measurement on 30 documents with 44 tables, scanned, photographed and digital (mean
similarity of structure, TEDS without text): all sources in turn reach .99, the network alone .97, rulings and then text
.95, the text alone .85. A grid whose rulings part all columns gives the cells exactly and costs nothing.
Elsewhere SLANet-plus is right more often than the positions of the text, though it loses a row of long tables now and
then, which the text shows plainly; these positions are the last resort, and together with rulings all there is without
a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace as replaced

from octavo.document import Box, Cell
from octavo.engines.pipeline import grid, lattice, orientation, placing, table_structure
from octavo.engines.pipeline.frame import is_right_to_left
from octavo.engines.pipeline.lattice import Boundary, boundaries, is_torn, levels_of
from octavo.engines.pipeline.levelling import Levelling, fitted
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.paragraphs import joined
from octavo.engines.pipeline.picture import turned
from octavo.engines.pipeline.slots import Slot, complete, mirrored, size, with_headers
from octavo.engines.pipeline.table_regions import find

if TYPE_CHECKING:
    from octavo.engines.pipeline.networks import Networks
    from octavo.engines.pipeline.picture import Upright
    from octavo.engines.pipeline.runtime import Network

__all__ = ["cells", "find"]

_SURE = 0.8  # mean probability of the network's tokens; below it saw no table
_DOUBT = 0.04  # share of the sides of a ruled grid that may be drawn in parts
_MISFIT = 0.1  # share of cells that may be at odds with the text before another source is asked
_MARGIN = 0.3  # heights of a line around the text that the network sees: it was trained on tight crops
_ALONG = 1.5  # times its width: a line that is higher runs upwards or downwards


@dataclass(frozen=True)
class _Filled:
    """A grid with its lines, and the share of its cells that are at odds with them."""

    slots: list[Slot]
    inside: list[list[TextLine]]
    misfit: float


def cells(
    networks: Networks | None, page: Upright, box: Box, lines: Sequence[TextLine], rulings: Sequence[Box]
) -> tuple[Cell, ...]:
    """The cells of the table in `box`, in order of rows and columns, their boxes in page units; empty squares of the
    grid have cells too. Nothing where the lines form no table of at least two rows and two columns.

    `box`, `lines` (all those of the table) and `rulings` are in pixels of the upright page. Without `networks` the
    cells come from rulings and text alone.
    """
    lines = [line for line in lines if line.text.strip()]
    if not lines:
        return ()
    along = sum(len(t.text) for t in lines if len(t.text) > 1 and t.height > _ALONG * t.width)
    if 2 * along > sum(len(t.text) for t in lines if len(t.text) > 1):
        return _turned_cells(networks, page, box, lines, rulings)
    height = median(line.height for line in lines)
    own = [ruling for ruling in rulings if _within(ruling, box, height)]
    levelling = fitted(box, own, height)
    filled = _filled(networks, page, lines, own, levelling)
    if filled is None or min(size(filled.slots)) < 2:
        return ()
    if is_right_to_left(" ".join(line.text for line in lines)):
        filled = replace(filled, slots=mirrored(filled.slots))
    found = [
        Cell(slot.row, slot.column, _text(inside, slot.box), page.box(levelling.bent(slot.box)), *_spans(slot))
        for slot, inside in zip(filled.slots, filled.inside, strict=True)
    ]
    return tuple(sorted(found, key=lambda cell: (cell.row, cell.column)))


def _spans(slot: Slot) -> tuple[int, int, bool]:
    return slot.row_span, slot.column_span, slot.header


def _filled(
    networks: Networks | None, page: Upright, lines: Sequence[TextLine], rulings: Sequence[Box], levelling: Levelling
) -> _Filled | None:
    """The grid of the surest source that the text agrees with; where it agrees with none, the least at odds."""
    level = [levelling.line(line) for line in lines]
    ruled = [levelling.levelled(ruling) for ruling in rulings]
    rules = boundaries(ruled, median(line.height for line in level))[0]
    found: list[_Filled] = []
    ruling = lattice.lattice_of(ruled, level)
    if ruling:
        found.append(_judged(ruling.slots, placing.by_box(ruling.slots, level), rules, ruling.doubt))
        if ruling.doubt <= _DOUBT and found[0].misfit <= _MISFIT:
            return found[0]
    network = networks.tables() if networks else None
    if network and (slots := _seen(network, page, lines, levelling)):
        if ruling and size(slots) == size(ruling.slots) and len(slots) <= len(ruling.slots):
            return found[0]
        found.append(_judged(slots, placing.by_order(slots, level), rules))
        if found[-1].misfit == 0:
            return found[-1]
    if slots := grid.slots_of(ruled, level):
        by_text = _judged(slots, placing.by_box(slots, level), rules)
        # The network loses or doubles a row of long tables, that the text shows plainly.
        best = min(found, key=lambda filled: filled.misfit, default=None)
        lost = best and by_text.misfit == 0 and _differ_by_a_row(best.slots, slots)
        if best is None or best.misfit > _MISFIT or lost:
            found.append(by_text)
    return min(found, key=lambda filled: filled.misfit, default=None)


def _differ_by_a_row(one: Sequence[Slot], other: Sequence[Slot]) -> bool:
    """Whether two grids have as many columns and nearly, but not quite, as many rows."""
    (rows, columns), (other_rows, other_columns) = size(one), size(other)
    return columns == other_columns and 0 < abs(rows - other_rows) <= max(1, 0.03 * rows)


def _seen(network: Network, page: Upright, lines: Sequence[TextLine], levelling: Levelling) -> list[Slot]:
    """The grid as the network sees it in the picture around the lines."""
    margin = _MARGIN * median(line.height for line in lines)
    x0, y0, x1, y1 = bounds(line.box for line in lines)
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    right, bottom = min(page.size[0], int(x1 + margin) + 1), min(page.size[1], int(y1 + margin) + 1)
    seen = table_structure.structure(network, page.pixels[top:bottom, left:right])
    if seen.score < _SURE:
        return []
    moved = []
    for slot in seen.slots:
        a, b, c, d = slot.box
        moved.append(replace(slot, box=levelling.levelled((a + left, b + top, c + left, d + top))))
    slots = complete(moved)
    if not any(slot.header for slot in slots):
        slots = with_headers(slots)  # ruled tables come without
    return slots if slots and min(size(slots)) > 1 else []


def _judged(slots: list[Slot], inside: list[list[TextLine]], rules: Sequence[Boundary], doubt: float = 0.0) -> _Filled:
    """The share of the cells that are torn, as they hold pieces far apart on one level or on both sides of a ruling,
    or, counted twice, in rows or columns that are all empty."""
    torn = sum(is_torn(lines) or _is_ruled_through(lines, rules) for lines in inside)
    rows, columns = size(slots)
    taken = [place for slot, lines in zip(slots, inside, strict=True) if lines for place in slot.places]
    empty = columns * (rows - len({row for row, _ in taken})) + rows * (columns - len({column for _, column in taken}))
    packed = sum(_packed(slots, inside, row) for row in range(rows))
    return _Filled(slots, inside, doubt + (torn + packed + 2 * empty) / max(1, len(slots)))


def _packed(slots: Sequence[Slot], inside: Sequence[list[TextLine]], row: int) -> int:
    """The number of cells in a row of the body where each holds the same number of lines, more than one, and some hold
    nothing but numbers: these are rows that were made one."""
    cells = [
        lines
        for slot, lines in zip(slots, inside, strict=True)
        if slot.row == row and slot.row_span == 1 and lines and not slot.header
    ]
    counts = {len(levels_of(lines)) for lines in cells}
    numbers = any(all(sum(c.isdigit() for c in t.text) * 2 > len(t.text) for t in lines) for lines in cells)
    return len(cells) if len(cells) > 1 and len(counts) == 1 and min(counts) > 1 and numbers else 0


def _is_ruled_through(lines: Sequence[TextLine], rules: Sequence[Boundary]) -> bool:
    """Whether one of the level rulings parts the lines of a cell."""
    if len(lines) < 2:
        return False
    x0, _, x1, _ = bounds(line.box for line in lines)
    top, bottom = min(line.middle for line in lines), max(line.middle for line in lines)
    return any(top < rule.at < bottom and rule.share(x0, x1) > 0.9 for rule in rules)


def _text(lines: Sequence[TextLine], box: Box) -> str:
    ordered = [line for level in levels_of(lines) for line in sorted(level, key=lambda t: t.box[0])]
    return joined(ordered, bounds([box, *(line.box for line in ordered)]))


def _within(ruling: Box, box: Box, height: float) -> bool:
    """Whether the ruling's middle lies in the box, or not farther from it than a line is high."""
    x, y = (ruling[0] + ruling[2]) / 2, (ruling[1] + ruling[3]) / 2
    return box[0] - height <= x <= box[2] + height and box[1] - height <= y <= box[3] + height


def _turned_cells(
    networks: Networks | None, page: Upright, box: Box, lines: Sequence[TextLine], rulings: Sequence[Box]
) -> tuple[Cell, ...]:
    """The cells of a table whose text runs up or down the page, rows and columns counted as its reader holds it."""
    x0, y0, x1, y1 = (max(0, int(value)) for value in box)
    degrees = orientation.turns(networks.orientation, page.pixels[y0:y1, x0:x1])[0] if networks else 90
    degrees = 270 if degrees == 270 else 90  # running upwards is by far the more usual
    width, height = page.size

    def moved(b: Box) -> Box:
        if degrees == 90:
            return (height - b[3], b[0], height - b[1], b[2])
        return (b[1], width - b[2], b[3], width - b[0])

    unturn = ((0, 1, 0), (-1, 0, height)) if degrees == 90 else ((0, -1, width), (1, 0, 0))
    back = page.back @ np.vstack([unturn, (0, 0, 1)])
    level = replace(page, pixels=turned(page.pixels, degrees), back=back)
    upright = [
        replace(t, box=moved(t.box), words=tuple(replaced(word, box=moved(word.box)) for word in t.words))
        for t in lines
    ]
    if any(t.height > _ALONG * t.width for t in upright if len(t.text) > 3):
        return ()
    return cells(networks, level, moved(box), upright, [moved(ruling) for ruling in rulings])
