"""Reading one page with the networks: pixels in, blocks in reading order out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from octavo.document import Block, Kind, PageWarning
from octavo.engines import tesseract_program
from octavo.engines.pipeline import blocks, detection, layout, orientation
from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds, from_reading
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.picture import Upright, straightened, turned, upright
from octavo.engines.pipeline.recognition import cut

if TYPE_CHECKING:
    from octavo.document import Pixels

_LONG, _SHORT = 1280, 960  # px of the picture that lines are looked for in, at least one of them
_SMALL_TEXT, _GOOD_TEXT = 13, 20  # px of line height in that picture: below the first it is looked at again, larger
_SURE, _SURE_SHORT = 0.5, 0.75  # lines (of one or two letters) read with less are noise more often than text
_LEVEL = 0.25  # degrees of skew that change nothing
_WARPS = 32_000  # px; OpenCV warps no side over 32,767
_REDETECT = 5.0  # degrees of skew from which lines are looked for again in the straightened picture


@dataclass(frozen=True)
class Outcome:
    """What was read: blocks in page units, how the page had to be turned, and what to tell the user."""

    blocks: tuple[Block, ...]
    rotation: int
    skew: float
    confidence: float
    warnings: tuple[PageWarning, ...] = ()


def read_picture(networks: Networks, pixels: Pixels, size: tuple[float, float], tesseract: str, dpi: float) -> Outcome:
    """OCR of a page's pixels (HxWx3, as displayed); `size` is its width and height in page units.

    `tesseract` names the language data where Tesseract has to read the lines; empty: the recognition network does.
    """
    height, width = pixels.shape[:2]
    overview = detection.shrunk(pixels, min(_first_scale(height, width), detection.SIDE_LIMIT / max(height, width)))
    degrees, _ = orientation.turns(networks.orientation, overview)
    page = upright(pixels, degrees, size)
    overview = turned(overview, degrees)
    found = find_lines(networks, page.pixels, overview)
    skew = _skew(found)
    if abs(skew) >= _LEVEL and max(height, width) < _WARPS:
        page, found = _straighten(networks, page, found, skew)
        overview = page.pixels
    if not found:
        return Outcome((), degrees, 0.0, 1.0)
    regions = layout.regions(networks.layout, overview, (page.pixels.shape[1], page.pixels.shape[0]))
    if tesseract:
        lines = _by_tesseract(page.pixels, tesseract, dpi)
    else:
        lines = _recognized(networks, page.pixels, [part for line in found for part in _parted(line, regions)])
    kept = [line for line in lines if line.confidence >= (_SURE if len(line.text) > 2 else _SURE_SHORT) and line.text]
    warnings = _dropped(lines, len(kept))
    return Outcome(blocks.build(kept, regions, page), degrees, round(page.skew, 2), blocks.confidence(kept), warnings)


def find_lines(networks: Networks, pixels: Pixels, overview: Pixels | None = None) -> list[Found]:
    """Text lines of an upright page; small text is looked for in a larger picture.

    `overview` is the shrunk picture where it has been made already.
    """
    height, width = pixels.shape[:2]
    scale = _first_scale(height, width)
    if overview is not None and max(height, width) * scale <= detection.SIDE_LIMIT:
        found = detection.detect_in(networks.detection, overview, (width, height))
    else:
        found = detection.detect(networks.detection, pixels, scale)
    if found and scale < 1:
        letters = median(line.size[1] for line in found) * scale
        if letters < _SMALL_TEXT:
            found = detection.detect(networks.detection, pixels, min(1.0, scale * _GOOD_TEXT / letters))
    return found


def _first_scale(height: int, width: int) -> float:
    if max(height, width) < _LONG / 2:
        return 2.0  # crops and thumbnails: the network was trained on larger letters
    return min(1.0, max(_LONG / max(height, width), _SHORT / min(height, width)))


def _skew(found: Sequence[Found]) -> float:
    """Degrees by which the text falls to the right: the median of the long lines' angles, by length."""
    long = sorted((line.angle, line.size[0]) for line in found if line.size[0] > 5 * line.size[1])
    total = sum(length for _, length in long)
    passed = 0.0
    for angle, length in long:
        passed += length
        if passed >= total / 2:
            return angle
    return 0.0


def _straighten(networks: Networks, page: Upright, found: list[Found], skew: float) -> tuple[Upright, list[Found]]:
    level = straightened(page, skew)
    if abs(skew) >= _REDETECT:
        return level, find_lines(networks, level.pixels)
    to_page = np.vstack([page.back, (0, 0, 1)])
    forward = np.linalg.inv(np.vstack([level.back, (0, 0, 1)])) @ to_page
    return level, [replace(line, corners=_moved(line.corners, forward)) for line in found]


def _moved(corners: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    return (np.hstack([corners, np.ones((4, 1))]) @ matrix[:2].T).astype(np.float32)


def _parted(line: Found, regions: Sequence[Region]) -> list[Found]:
    """A line found across the gutter between two text regions as its parts; most lines come back whole."""
    (x0, y0), (x1, y1) = line.corners.min(axis=0), line.corners.max(axis=0)
    middle, height = (y0 + y1) / 2, y1 - y0
    inside = sorted(
        (max(region.box[0], x0), min(region.box[2], x1))
        for region in regions
        if region.kind in (Kind.TEXT, Kind.REFERENCE) and region.box[1] <= middle <= region.box[3]
    )
    inside = [(a, b) for a, b in inside if b - a > 2 * height]
    cuts = [(a[1] + b[0]) / 2 for a, b in pairwise(inside) if b[0] > a[1] - 0.5 * height]
    if not cuts or x1 - x0 < 4 * height:
        return [line]
    edges = [x0, *cuts, x1]
    return [Found(np.array(((a, y0), (b, y0), (b, y1), (a, y1)), np.float32), line.score) for a, b in pairwise(edges)]


def _recognized(networks: Networks, pixels: Pixels, found: Sequence[Found]) -> list[TextLine]:
    """The lines in the order of `found`. They are read by width: a runtime prepares anew for each change of shape."""
    limits = (pixels.shape[1], pixels.shape[0])
    lines: dict[int, TextLine] = {}
    for index in sorted(range(len(found)), key=lambda i: found[i].size[0] / max(1.0, found[i].size[1])):
        line = found[index]
        reading = networks.recognizer.read(cut(pixels, line.corners))
        low, high = np.maximum(line.corners.min(axis=0), 0), np.minimum(line.corners.max(axis=0), limits)
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        width, height = line.size
        lines[index] = from_reading(reading, box, vertical=height >= 1.5 * width)
    return [lines[index] for index in range(len(found))]


def _by_tesseract(pixels: Pixels, names: str, dpi: float) -> list[TextLine]:
    return [
        TextLine(
            " ".join(text for text, _, _ in line.words),
            bounds(box for _, box, _ in line.words),
            sum(score for _, _, score in line.words) / len(line.words),
            line.words,
        )
        for line in tesseract_program.read(pixels, names, dpi)
    ]


def _dropped(lines: Sequence[TextLine], kept: int) -> tuple[PageWarning, ...]:
    dropped = sum(1 for line in lines if line.text) - kept
    if not dropped:
        return ()
    what = "1 line was" if dropped == 1 else f"{dropped} lines were"
    return (PageWarning("unsure-lines", f"{what} read with too little confidence and left out"),)
