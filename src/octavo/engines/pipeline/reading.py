"""Reading one page with the networks: pixels in, blocks in reading order out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace as replaced
from numpy.typing import NDArray

from octavo.document import Block, Kind, PageWarning
from octavo.engines import calibration, identification, languages
from octavo.engines.pipeline import blocks, bullets, clearing, detection, layout, orientation, readers, scripts
from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.page_lines import PageLines
from octavo.engines.pipeline.picture import Upright, straightened, turned, turned_round, upright
from octavo.engines.pipeline.readers import Read
from octavo.engines.pipeline.scripts import NETWORK, Survey

if TYPE_CHECKING:
    from octavo.document import Pixels

_LONG, _SHORT = 1280, 960  # px of the picture that lines are looked for in, at least one of them
_SMALL_TEXT, _GOOD_TEXT = 13, 20  # px of line height in that picture: below the first it is looked at again, larger
_LEVEL = 0.25  # degrees of skew that change nothing
_DOUBTFUL, _GAIN = 0.96, 0.01  # confidence under which a page is read again, and by how much it must then be surer
_FEW = 8  # lines of a page that is no more than a formula or a label
_PAGE = 300  # letters of a page of text
_CERTAIN = 0.9  # of a line that is text and no noise
_KEPT = 0.9  # of the letters of such lines that must still be there
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
    languages: tuple[str, ...] = ()


def read_picture(
    networks: Networks, pixels: Pixels, size: tuple[float, float], told: tuple[str, ...], tier: str
) -> Outcome:
    """OCR of a page's pixels (HxWx3, as displayed); `size` is its width and height in page units.

    `told` are the codes of the page's languages, empty where they are to be found. Raises LanguageMissingError where
    Tesseract must read a told one and has no data for it, EngineError, OutOfMemoryError.
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
    lines = PageLines(networks.recognizer, page.pixels, found)
    judged = lines
    if len(found) <= _FEW and networks.signs() is not networks.recognizer:
        # On so little text the small network cannot tell a formula from one that stands on its head.
        judged = PageLines(networks.signs(), page.pixels, found)
    survey = _told(judged, told, tier) if told else scripts.survey(judged, tier)
    if survey.turn:
        page, overview = turned_round(page), turned(overview, 180)
        lines = PageLines(networks.recognizer, page.pixels, [_turned_round(line, page.size) for line in found])
    regions = layout.regions(networks.layout, overview, page.size)
    lines = lines.parted([part for line in lines.found for part in _parted(line, regions)])
    read = readers.read(lines, survey, told, tier)
    if not survey.names and _is_doubtful(read.lines):
        reread = _read_cleared(networks, page, told, tier)
        read = reread if _is_better(reread.lines, read.lines) else read
    text = [_calibrated(line, tier) for line in bullets.added(page.pixels, read.lines)]
    return Outcome(
        blocks.build(text, regions, page, networks),
        page.rotation,
        round(page.skew, 2),
        blocks.confidence(text),
        read.warnings,
        read.languages,
    )


def _is_doubtful(lines: Sequence[TextLine]) -> bool:
    """Whether a page of text, and no mere formula or label, was read with little confidence."""
    return sum(len(line.text) for line in lines) >= _PAGE and blocks.confidence(lines) < _DOUBTFUL


def _read_cleared(networks: Networks, page: Upright, told: tuple[str, ...], tier: str) -> Read:
    """The lines of an upright page once more, without what shines through its paper."""
    pixels = clearing.cleared(page.pixels)
    return readers.read(PageLines(networks.recognizer, pixels, find_lines(networks, pixels)), NETWORK, told, tier)


def _is_better(lines: Sequence[TextLine], others: Sequence[TextLine]) -> bool:
    """Whether the lines are surer, and hardly fewer of their letters sure: what shone through was sure now and then."""
    sure, before = (sum(len(line.text) for line in some if line.confidence >= _CERTAIN) for some in (lines, others))
    return blocks.confidence(lines) > blocks.confidence(others) + _GAIN and sure >= _KEPT * before


def _calibrated(line: TextLine, tier: str) -> TextLine:
    """The line with confidences that are the share of characters to be right."""
    reader = calibration.name(line.reader, tier)
    words = tuple(replaced(word, confidence=calibration.calibrated(word.confidence, reader)) for word in line.words)
    return replace(line, confidence=calibration.calibrated(line.confidence, reader), words=words)


def _told(lines: PageLines, told: tuple[str, ...], tier: str) -> Survey:
    """Who reads a page in languages that were told."""
    if not languages.beyond_pp_ocr(told, tier):
        return NETWORK
    vertical = 2 * sum(map(lines.is_vertical, range(len(lines.found)))) > len(lines.found)
    names = scripts.data_of(told, vertical=vertical)
    return Survey(names, identification.script_name(told[0]), told[0], scripts.turn_of(lines))


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
    long = sorted((line.angle, max(line.size)) for line in found if max(line.size) > 5 * min(line.size))
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


def _turned_round(line: Found, size: tuple[int, int]) -> Found:
    """The line where it stands on a page of `size` (width, height) that was turned by 180 degrees."""
    corners = np.array(size, np.float32) - line.corners
    return replace(line, corners=np.roll(corners, 2, axis=0))


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
