"""The paths that a PDF page draws: which of them are rulings, and what is painted under or over the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.document import Box
from octavo.intake import pdf_native
from octavo.intake.pdf_clips import clips
from octavo.intake.pdf_geometry import Geometry
from octavo.intake.pdf_objects import IDENTITY, MOST, Drawn, Painted, matrix_of

Floats = NDArray[np.float64]

MOST_RULINGS = 3000  # of a page; charts and maps have more, which say nothing about its text
_MOST_PATHS = 6000
_MOST_SEGMENTS = 400  # of one path that is looked into
_MOST_SEGMENTS_ALL = 20_000  # of a page
_MOST_FILLS = 500

_THICKEST = 3.5  # pt
_SHORTEST = 2.0  # pt; the borders of cells come in pieces as short as a line is high
_SLENDER = 2.5  # times as long as thick, at least; squares are the corners of borders, or dots
_STRAIGHT = 0.3  # pt by which the ends of a level line may differ
_HAIR = 0.5  # pt, the thickness of a line whose width is not known
_GAP = 1.0  # pt between pieces of one ruling


@dataclass(frozen=True)
class Paths:
    """`rulings` are thin boxes on the displayed page. `fills` are what is not thin; `complete` is False where there are
    more than were looked at."""

    rulings: tuple[Box, ...] = ()
    fills: tuple[Painted, ...] = ()
    complete: bool = True


def paths(objects: Sequence[Drawn], geometry: Geometry) -> Paths:
    """Looks through the paths among the objects of a page."""
    chosen = [place for place, one in enumerate(objects) if one.kind == pdfium.FPDF_PAGEOBJ_PATH]
    complete = len(objects) < MOST and len(chosen) <= _MOST_PATHS
    if not chosen:
        return Paths(complete=complete)
    chosen = chosen[:_MOST_PATHS]
    drawn = [objects[place] for place in chosen]
    handles = np.array([one.handle for one in drawn], np.uint64)
    boxes = _placed(pdf_native.bounds(handles).astype(np.float64), drawn, geometry)
    modes = pdf_native.draw_modes(handles)
    filled, lined = modes[:, 0], modes[:, 1]
    seen = (filled | lined) & _on_page(boxes, geometry)
    slender = seen & _is_slender(boxes)
    only_lined = slender & lined & ~filled
    boxes[only_lined] = _without_pen(boxes[only_lined])
    thick = np.flatnonzero(seen & ~slender).tolist()
    fills = _fills(thick, handles, boxes, filled, drawn, chosen, geometry)
    inside = list(_inside(thick, handles, lined, drawn, geometry))
    pieces = np.array([*boxes[slender].tolist(), *(box for _, box in inside)]).reshape(-1, 4)
    owners = [*np.flatnonzero(slender).tolist(), *(index for index, _ in inside)]
    rulings = _merged(_clipped(pieces, [drawn[index] for index in owners], geometry))
    return Paths(tuple(rulings[:MOST_RULINGS]), tuple(fills[:_MOST_FILLS]), complete and len(fills) <= _MOST_FILLS)


def _placed(bounds: Floats, objects: Sequence[Drawn], geometry: Geometry) -> Floats:
    """Boxes in their objects' coordinates as boxes on the displayed page."""
    for row, one in enumerate(objects):
        if one.matrix is not IDENTITY:
            x0, y0, x1, y1 = bounds[row]
            corners = np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)]) @ one.matrix[:2, :2] + one.matrix[2, :2]
            bounds[row] = (*corners.min(axis=0), *corners.max(axis=0))
    return geometry.boxes(bounds)


def _on_page(boxes: Floats, geometry: Geometry) -> NDArray[np.bool_]:
    low, high = np.maximum(boxes[:, :2], 0), np.minimum(boxes[:, 2:], (geometry.width, geometry.height))
    inside = np.asarray(np.hstack([np.isfinite(boxes), high >= low]).all(axis=1), np.bool_)
    return inside


def _is_slender(boxes: Floats) -> NDArray[np.bool_]:
    sides = boxes[:, 2:] - boxes[:, :2]
    thin, long = sides.min(axis=1), sides.max(axis=1)
    slender: NDArray[np.bool_] = (thin <= _THICKEST) & (long >= _SHORTEST) & (long >= _SLENDER * thin)
    return slender


def _without_pen(boxes: Floats) -> Floats:
    """Boxes of drawn lines as thick as the lines: PDFium adds the width of the pen on all sides."""
    level = (boxes[:, 2] - boxes[:, 0] >= boxes[:, 3] - boxes[:, 1])[:, None]
    pen = (boxes[:, 2:] - boxes[:, :2]).min(axis=1, keepdims=True) / 2
    more = np.where(level, np.hstack([pen, pen / 2]), np.hstack([pen / 2, pen]))
    return np.hstack([boxes[:, :2] + more, boxes[:, 2:] - more])


# ---- what is painted


def _fills(
    thick: Sequence[int],
    handles: NDArray[np.uint64],
    boxes: Floats,
    filled: NDArray[np.bool_],
    objects: Sequence[Drawn],
    chosen: Sequence[int],
    geometry: Geometry,
) -> list[Painted]:
    """What the paths at `thick` paint, those too small to hold a letter left out; `chosen` has their places."""
    rows = [i for i in thick if filled[i] and (boxes[i, 2:] - boxes[i, :2]).min() > _THICKEST][: _MOST_FILLS + 1]
    colours = pdf_native.fill_colours(handles[rows])
    shown, whole = clips([objects[i] for i in rows], geometry)
    found = []
    for row, i in enumerate(rows):
        red, green, blue, alpha = colours[row].tolist()
        x0, y0 = np.maximum(boxes[i, :2], shown[row, :2]).tolist()
        x1, y1 = np.minimum(boxes[i, 2:], shown[row, 2:]).tolist()
        if alpha == 0 or x1 <= x0 or y1 <= y0:
            continue
        handle = int(handles[i])
        opaque = bool(whole[row]) and alpha == 255 and _is_rectangle(handle) and not pdf_native.is_transparent(handle)
        found.append(Painted((x0, y0, x1, y1), (red, green, blue) if opaque else None, opaque, chosen[i]))
    return found


def _is_rectangle(handle: int) -> bool:
    """Whether a path is one level rectangle in its own coordinates."""
    count = pdf_native.count_segments(handle)
    if not 4 <= count <= 6:
        return False
    points, kinds, _ = pdf_native.segments(handle, count)
    if (kinds == pdfium.FPDF_SEGMENT_BEZIERTO).any() or (kinds[1:] == pdfium.FPDF_SEGMENT_MOVETO).any():
        return False
    steps = np.abs(np.diff(points, axis=0))
    return bool((steps.min(axis=1) < _STRAIGHT).all())


# ---- rulings


def _inside(
    thick: Sequence[int],
    handles: NDArray[np.uint64],
    lined: NDArray[np.bool_],
    objects: Sequence[Drawn],
    geometry: Geometry,
) -> Iterator[tuple[int, Box]]:
    """The straight parts of paths that are more than one line: drawn lines, and thin figures among those filled."""
    left = _MOST_SEGMENTS_ALL
    for index in thick:
        handle = int(handles[index])
        count = pdf_native.count_segments(handle)
        if not 2 <= count <= _MOST_SEGMENTS or left < count or (not lined[index] and count < 8):
            continue  # one filled figure that is not thin holds no ruling
        own = matrix_of(handle)
        if own is None:
            continue
        left -= count
        points, kinds, closes = pdf_native.segments(handle, count)
        matrix = own if objects[index].matrix is IDENTITY else own @ objects[index].matrix
        shown = (points.astype(np.float64) @ matrix[:2, :2] + matrix[2, :2]) @ geometry.linear + geometry.shift
        for box in _lines(shown, kinds, closes) if lined[index] else _thin_figures(shown, kinds):
            yield index, box


def _lines(points: Floats, kinds: NDArray[np.int32], closes: NDArray[np.bool_]) -> list[Box]:
    """The level and upright lines of a drawn path, as thin boxes."""
    found: list[Box] = []
    start = points[0]
    for place in range(1, len(points)):
        if kinds[place] == pdfium.FPDF_SEGMENT_MOVETO:
            start = points[place]
        elif kinds[place] == pdfium.FPDF_SEGMENT_LINETO:
            found += _line(points[place - 1], points[place])
        if closes[place]:
            found += _line(points[place], start)
    return found


def _line(one: Floats, two: Floats) -> list[Box]:
    (x0, y0), (x1, y1) = np.minimum(one, two).tolist(), np.maximum(one, two).tolist()
    if min(x1 - x0, y1 - y0) > _STRAIGHT or max(x1 - x0, y1 - y0) < _SHORTEST:
        return []
    half = _HAIR / 2
    if x1 - x0 >= y1 - y0:
        return [(x0, (y0 + y1) / 2 - half, x1, (y0 + y1) / 2 + half)]
    return [((x0 + x1) / 2 - half, y0, (x0 + x1) / 2 + half, y1)]


def _thin_figures(points: Floats, kinds: NDArray[np.int32]) -> list[Box]:
    """The boxes of those figures of a filled path that are thin."""
    starts = np.flatnonzero(kinds == pdfium.FPDF_SEGMENT_MOVETO)
    if not len(starts) or starts[0] != 0:
        return []
    boxes = np.hstack([np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)])
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in boxes[_is_slender(boxes)].tolist()]


def _clipped(boxes: Floats, objects: Sequence[Drawn], geometry: Geometry) -> Floats:
    """What of the rulings is shown: cut at the page's edges and where their clip paths cut them."""
    if not len(boxes):
        return boxes
    shown, _ = clips(objects, geometry)
    low = np.maximum(np.maximum(boxes[:, :2], shown[:, :2]), 0)
    high = np.minimum(np.minimum(boxes[:, 2:], shown[:, 2:]), (geometry.width, geometry.height))
    cut = np.hstack([low, high])
    sides = high - low
    # A clip path as thin as the line itself may miss it by rounding.
    kept: Floats = cut[(sides >= -0.01).all(axis=1) & (sides.max(axis=1) >= _SHORTEST)]
    return kept


def _merged(boxes: Floats) -> list[Box]:
    """The rulings, level ones first, pieces that follow each other on one line made one."""
    found: list[Box] = []
    level = (boxes[:, 2] - boxes[:, 0]) >= (boxes[:, 3] - boxes[:, 1])
    for flat, mine in ((True, boxes[level]), (False, boxes[~level][:, (1, 0, 3, 2)])):
        middles = np.round(mine[:, 1] + mine[:, 3]) / 2
        row: list[float] = []
        at = None
        for middle, piece in sorted(zip(middles.tolist(), mine.tolist(), strict=True)):
            if row and middle == at and piece[0] <= row[2] + _GAP:
                row = [row[0], min(row[1], piece[1]), max(row[2], piece[2]), max(row[3], piece[3])]
                found.pop()
            else:
                row, at = piece, middle
            x0, y0, x1, y1 = (round(value, 2) for value in row)
            found.append((x0, y0, x1, y1) if flat else (y0, x0, y1, x1))
    return found
