"""Whether the text a PDF page brings along says what the page shows, and reading such a page.

Three looks, cheapest first: are the glyphs letters at all; is there ink where the layer says text is, and does the
layer cover the text that the picture shows; does a sample of lines, read from the picture, say the same. The last two
need the page rendered. Where pictures hold the text that the layer lacks, as on pages that are half scan and half
text, their lines are read and stand among those of the layer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from octavo.document import Box, Line, Page, TextLayer
from octavo.engines.pipeline import blocks, formulas, geometry, layout, leaders, readers, scripts, tables
from octavo.engines.pipeline.detection import Found
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.page_lines import PageLines
from octavo.engines.pipeline.picture import Upright, cropped, unrendered, upright
from octavo.engines.pipeline.reading import Outcome, find_lines

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.engine import Task

_UNMAPPED = 0.02  # share of glyphs without a meaning that makes a layer garbage where OCR knows the script
_UNMAPPED_BEYOND = 0.5  # where it does not: half a text is better than none
_INKED = 0.7  # share of words that must have ink under them
_COVERED = 0.7  # share of the lines seen in the picture that the layer must have
_COVERED_BESIDE = 0.3  # the same where what it lacks stands in pictures: with less, the page is a scan with a stamp
_IN_PICTURES = 0.9  # share of what it lacks that stands in pictures there
_FEWEST = 3  # lines in pictures that are worth reading; fewer are logos
_ALIKE = 0.6  # similarity of the median sampled line of visible text; a good layer's are above 0.9
_SAMPLE = 5  # lines of it read from the picture, of the longest
_HIDDEN_ALIKE, _HIDDEN_SAMPLE = 0.98, 10  # mean and lines, all over the page, of what another OCR program left behind
_PICTURES = 0.1  # share of the page under pictures from which text may hide in them
_DOUBT = 0.1  # share of letters whose place geometry can only guess, from which the layout network is asked
_DOTS = re.compile(r"[.·]{3,}")  # leaders of tables of contents, of which networks read a few
_MISREAD = {ord(a): b for a, b in zip("’‘“”–—−‐", "''\"\"----", strict=True)}


@dataclass(frozen=True)
class Verdict:
    """`missing` are lines in the page's pictures, in pixels, that have to be read as well."""

    trusted: bool
    reason: str
    missing: tuple[Found, ...] = ()


@dataclass(frozen=True)
class Sight:
    """A page with a text layer, and how to look at it: `shown` renders it as displayed, once, when first asked."""

    page: Page
    layer: TextLayer
    shown: Callable[[], Pixels]
    told: tuple[str, ...] = ()  # codes of its languages, empty where they are to be found
    tier: str = "standard"


def read(networks: Networks, sight: Sight, task: Task) -> Outcome | Verdict:
    """The page from its text layer, as far as `task` lets it be used, or why it can not be.

    With `light` layout the page is not rendered, unless its text may be hidden or a picture may hold text.
    """
    page, layer = sight.page, sight.layer
    verdict = Verdict(True, "the user wants it so")
    if task.text_layer == "auto":
        blind = task.layout == "light" and layer.visible and layer.image_cover < _PICTURES
        verdict = judge(networks, page, None if blind else sight.shown())
    if not verdict.trusted:
        return verdict
    return read_layer(networks, sight, task.layout, verdict.missing)


def judge(networks: Networks, page: Page, pixels: Pixels | None) -> Verdict:
    """Whether `page.text_layer` can be used instead of OCR; `pixels` show the page as displayed.

    Without pixels nothing but the glyphs' meaning is looked at.
    """
    layer = page.text_layer
    if layer is None or not any(line.text.strip() for line in layer.lines):
        return Verdict(False, "the page has no text of its own")
    if layer.blocks:
        return Verdict(True, "the text was rendered from its source")
    lines = [line for line in layer.lines if line.text.strip()]
    known = [line for line in lines if _level(line) and networks.recognizer.knows(line.text)]
    readable = 2 * len(known) >= len(lines)
    glyphs = sum(len(line.text) for line in lines) + layer.unmapped
    if layer.unmapped > (_UNMAPPED if readable else _UNMAPPED_BEYOND) * glyphs:
        return Verdict(False, "glyphs of the text layer have no meaning in Unicode")
    if pixels is None:
        return Verdict(True, "the glyphs of the text layer are letters")
    scale = pixels.shape[1] / page.width
    inked = _inked(pixels, lines, scale)
    if inked < _INKED:
        return Verdict(False, "the picture shows nothing where the text layer has text")
    missing: tuple[Found, ...] = ()
    if not layer.visible or layer.image_cover >= _PICTURES or inked < 0.9:
        lacking, seen = _lacking(networks, pixels, lines, scale)
        covered = 1 - _length(lacking) / seen if seen else 1.0
        in_pictures = [line for line in lacking if _stands_in(line, layer.pictures, scale)]
        beside = covered >= _COVERED_BESIDE and _length(in_pictures) >= _IN_PICTURES * _length(lacking)
        if covered < _COVERED and not (beside and layer.visible):
            return Verdict(False, "the picture shows text that the text layer lacks")
        missing = tuple(in_pictures) if layer.visible and len(in_pictures) >= _FEWEST else ()
    if readable and not _alike(networks, pixels, known, scale, layer.visible):
        return Verdict(False, "the text layer says something else than the picture")
    return Verdict(True, "the text layer agrees with the picture", missing)


def read_layer(networks: Networks, sight: Sight, wanted: str = "full", missing: Sequence[Found] = ()) -> Outcome:
    """The page from its text layer, and from its picture the lines of it that are `missing` there.

    Its parts are found as `wanted`: `light` from geometry alone, `full` by the layout network in the picture, `auto`
    by geometry unless that can only guess at them. Raises EngineError, OutOfMemoryError where Tesseract has to read.
    """
    layer = sight.layer
    if layer.blocks:
        return Outcome(layer.blocks, 0, 0.0, 1.0)
    size = (sight.page.width, sight.page.height)
    if missing or wanted == "full":
        return _seen(networks, sight, upright(sight.shown(), 0, size), wanted, missing)
    page = unrendered(size)
    lines = _lines(layer, 1.0)
    regions = geometry.regions(lines, layer.rulings, layer.pictures, size)
    doubtful = wanted == "auto" and (
        formulas.present(lines) or geometry.doubt(lines, tables.find(lines, regions, page, layer.rulings)) > _DOUBT
    )
    if doubtful:
        return _seen(networks, sight, upright(sight.shown(), 0, size), "full", ())
    return Outcome(blocks.build(lines, regions, page, None, layer.rulings), 0, 0.0, 1.0)


def _seen(networks: Networks, sight: Sight, page: Upright, wanted: str, missing: Sequence[Found]) -> Outcome:
    """The page from its layer and its picture."""
    scale = page.size[0] / sight.page.width
    lines = _lines(sight.layer, scale)
    rulings = [_scaled(box, scale) for box in sight.layer.rulings]
    outcome = Outcome((), 0, 0.0, 1.0)
    if missing:
        found = PageLines(networks.recognizer, page.pixels, missing)
        told = readers.read(found, scripts.survey(found, sight.tier), sight.told, sight.tier)
        lines += told.lines
        outcome = replace(outcome, confidence=blocks.confidence(lines), warnings=told.warnings)
    regions: list[Region]
    if wanted == "light":
        regions = geometry.regions(lines, rulings, [_scaled(box, scale) for box in sight.layer.pictures], page.size)
    else:
        regions = layout.regions(networks.layout, page.pixels, page.size)
    return replace(outcome, blocks=blocks.build(lines, regions, page, networks, rulings))


def _lines(layer: TextLayer, scale: float) -> list[TextLine]:
    return leaders.joined([
        TextLine(
            line.text,
            _scaled(line.box, scale),
            line.confidence,
            line.words
            if scale == 1
            else tuple(msgspec.structs.replace(word, box=_scaled(word.box, scale)) for word in line.words),
        )
        for line in layer.lines
        if line.text.strip()
    ])  # fmt: skip


def _scaled(box: Box, scale: float) -> Box:
    return (box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale)


def _inked(pixels: Pixels, lines: Sequence[Line], scale: float) -> float:
    """Share of the words (at most 200 of them, evenly taken) whose box shows more than one shade."""
    words = [word for line in lines for word in line.words or (line,) if word.text.strip()]
    words = words[:: max(1, len(words) // 200)]
    shades = [cropped(pixels, _scaled(word.box, scale)) for word in words]
    seen = sum(1 for part in shades if part.size and int(part.max()) - int(part.min()) > 40)
    return seen / max(1, len(words))


def _lacking(networks: Networks, pixels: Pixels, lines: Sequence[Line], scale: float) -> tuple[list[Found], float]:
    """The lines found in the picture whose middle lies in no line of the layer, and the length of all that were found,
    in pixels."""
    boxes = np.array([_scaled(line.box, scale) for line in lines])
    found = find_lines(networks, pixels)
    lacking = []
    for line in found:
        x, y = line.corners.mean(axis=0)
        inside = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        if not inside.any():
            lacking.append(line)
    return lacking, _length(found)


def _length(lines: Sequence[Found]) -> float:
    return sum(line.size[0] for line in lines)


def _stands_in(line: Found, pictures: Sequence[Box], scale: float) -> bool:
    x, y = (line.corners.mean(axis=0) / scale).tolist()
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in pictures)


def _alike(networks: Networks, pixels: Pixels, lines: Sequence[Line], scale: float, visible: bool) -> bool:
    """Whether sampled lines, read from the picture, say what the layer says."""
    count = _SAMPLE if visible else _HIDDEN_SAMPLE
    chosen = sorted(lines, key=lambda line: -len(_plain(line.text)))[: 3 * count] if visible else lines
    sample = sorted(chosen, key=lambda line: line.box[1])[:: max(1, len(chosen) // count)]
    scores = []
    for line in sample:
        x0, y0, x1, y1 = _scaled(line.box, scale)
        pad = 0.15 * (y1 - y0)
        read = networks.recognizer.read(cropped(pixels, (x0 - pad, y0 - pad, x1 + pad, y1 + pad))).text
        scores.append(SequenceMatcher(None, _plain(line.text), _plain(read), autojunk=False).ratio())
    if not scores:
        return True
    return float(np.median(scores)) >= _ALIKE if visible else float(np.mean(scores)) >= _HIDDEN_ALIKE


def _level(line: Line) -> bool:
    x0, y0, x1, y1 = line.box
    return x1 - x0 > y1 - y0 or len(line.text) == 1


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_MISREAD)
    return _DOTS.sub("", "".join(c for c in folded if not c.isspace())).casefold()
