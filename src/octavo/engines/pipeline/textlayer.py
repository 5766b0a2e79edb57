"""Whether the text a PDF page brings along says what the page shows, and reading such a page.

Three looks, cheapest first: are the glyphs letters at all; is there ink where the layer says text is, and does the
layer cover the text that the picture shows; does a sample of lines, read from the picture, say the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from octavo.document import Box, Line, Page, TextLayer
from octavo.engines.pipeline import blocks, layout
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.picture import upright
from octavo.engines.pipeline.reading import Outcome, find_lines

if TYPE_CHECKING:
    from octavo.document import Pixels

_UNMAPPED = 0.02  # share of glyphs without a meaning that makes a layer garbage where OCR knows the script
_UNMAPPED_BEYOND = 0.5  # where it does not: half a text is better than none
_INKED = 0.7  # share of words that must have ink under them
_COVERED = 0.7  # share of the lines seen in the picture that the layer must have
_ALIKE = 0.6  # similarity of the median sampled line of visible text; a good layer's are above 0.9
_SAMPLE = 5  # lines of it read from the picture, of the longest
_HIDDEN_ALIKE, _HIDDEN_SAMPLE = 0.98, 10  # mean and lines, all over the page, of what another OCR program left behind
_PICTURES = 0.1  # share of the page under pictures from which text may hide in them
_MISREAD = {ord(a): b for a, b in zip("’‘“”–—−‐", "''\"\"----", strict=True)}


@dataclass(frozen=True)
class Verdict:
    trusted: bool
    reason: str


def judge(networks: Networks, page: Page, pixels: Pixels) -> Verdict:
    """Whether `page.text_layer` can be used instead of OCR; `pixels` show the page as displayed."""
    layer = page.text_layer
    if layer is None or not any(line.text.strip() for line in layer.lines):
        return Verdict(False, "the page has no text of its own")
    if layer.blocks:
        return Verdict(True, "the text was rendered from its source")
    scale = pixels.shape[1] / page.width
    lines = [line for line in layer.lines if line.text.strip()]
    known = [line for line in lines if _level(line) and networks.recognizer.knows(line.text)]
    readable = 2 * len(known) >= len(lines)
    glyphs = sum(len(line.text) for line in lines) + layer.unmapped
    if layer.unmapped > (_UNMAPPED if readable else _UNMAPPED_BEYOND) * glyphs:
        return Verdict(False, "glyphs of the text layer have no meaning in Unicode")
    inked = _inked(pixels, lines, scale)
    if inked < _INKED:
        return Verdict(False, "the picture shows nothing where the text layer has text")
    if not layer.visible or layer.image_cover >= _PICTURES or inked < 0.9:
        covered = _covered(networks, pixels, lines, scale)
        if covered < _COVERED:
            return Verdict(False, "the picture shows text that the text layer lacks")
    if readable and not _alike(networks, pixels, known, scale, layer.visible):
        return Verdict(False, "the text layer says something else than the picture")
    return Verdict(True, "the text layer agrees with the picture")


def read_layer(networks: Networks, page: Page, layer: TextLayer, pixels: Pixels) -> Outcome:
    """The page from its text layer, its parts found in the picture by the layout network."""
    if layer.blocks:
        return Outcome(layer.blocks, 0, 0.0, 1.0)
    whole = upright(pixels, 0, (page.width, page.height))
    scale = pixels.shape[1] / page.width
    lines = [
        TextLine(
            line.text,
            _scaled(line.box, scale),
            line.confidence,
            tuple((word.text, _scaled(word.box, scale), word.confidence) for word in line.words),
        )
        for line in layer.lines
        if line.text.strip()
    ]
    return Outcome(
        blocks.build(lines, layout.regions(networks.layout, pixels, (pixels.shape[1], pixels.shape[0])), whole),
        0,
        0.0,
        1.0,
    )


def _scaled(box: Box, scale: float) -> Box:
    return (box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale)


def _crop(pixels: Pixels, box: Box) -> Pixels:
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    return pixels[y0 : int(np.ceil(box[3])), x0 : int(np.ceil(box[2]))]


def _inked(pixels: Pixels, lines: Sequence[Line], scale: float) -> float:
    """Share of the words (at most 200 of them, evenly taken) whose box shows more than one shade."""
    words = [word for line in lines for word in line.words or (line,) if word.text.strip()]
    words = words[:: max(1, len(words) // 200)]
    shades = [_crop(pixels, _scaled(word.box, scale)) for word in words]
    seen = sum(1 for part in shades if part.size and int(part.max()) - int(part.min()) > 40)
    return seen / max(1, len(words))


def _covered(networks: Networks, pixels: Pixels, lines: Sequence[Line], scale: float) -> float:
    """Share, by length, of the lines found in the picture whose middle lies in a line of the layer."""
    boxes = np.array([_scaled(line.box, scale) for line in lines])
    total = hit = 0.0
    for found in find_lines(networks, pixels):
        x, y = found.corners.mean(axis=0)
        length = found.size[0]
        total += length
        inside = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        hit += length * bool(inside.any())
    return hit / total if total else 1.0


def _alike(networks: Networks, pixels: Pixels, lines: Sequence[Line], scale: float, visible: bool) -> bool:
    """Whether sampled lines, read from the picture, say what the layer says."""
    count = _SAMPLE if visible else _HIDDEN_SAMPLE
    chosen = sorted(lines, key=lambda line: -len(line.text))[: 3 * count] if visible else lines
    sample = sorted(chosen, key=lambda line: line.box[1])[:: max(1, len(chosen) // count)]
    scores = []
    for line in sample:
        x0, y0, x1, y1 = _scaled(line.box, scale)
        pad = 0.15 * (y1 - y0)
        read = networks.recognizer.read(_crop(pixels, (x0 - pad, y0 - pad, x1 + pad, y1 + pad))).text
        scores.append(SequenceMatcher(None, _plain(line.text), _plain(read), autojunk=False).ratio())
    if not scores:
        return True
    return float(np.median(scores)) >= _ALIKE if visible else float(np.mean(scores)) >= _HIDDEN_ALIKE


def _level(line: Line) -> bool:
    x0, y0, x1, y1 = line.box
    return x1 - x0 > y1 - y0 or len(line.text) == 1


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_MISREAD)
    return "".join(c for c in folded if not c.isspace()).casefold()
