"""The system's Tesseract as an engine of its own: about 120 languages, for pages the built-in networks cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np

from octavo.document import Block, Kind, Line, Page, PageResult, PageStatus, Stamp, TextLayer, Word
from octavo.engines import identification, languages
from octavo.engines import tesseract_program as program
from octavo.engines.engine import Task
from octavo.engines.one_by_one import read_each
from octavo.engines.pipeline import blocks, orientation, paragraphs
from octavo.engines.pipeline.lines import TextLine, bounds, placed
from octavo.engines.pipeline.picture import Upright, straightened, upright
from octavo.engines.pipeline.runtime import Network, choose
from octavo.engines.skew import skew_of
from octavo.engines.tesseract_program import TesseractLine
from octavo.models import catalogue, store
from octavo.models.store import State
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.document import Pixels

_NETWORK = "doc-orientation"
_SMALL = 1000  # px; a page of 792 px was read at a word F1 of .50, enlarged to twice its size at .91
_LEVEL = 0.3  # degrees of skew that change nothing; from 2 on Tesseract loses words, from 4 lines
_LONGEST = 30_000  # px; OpenCV warps no side over 32,767

# Who tells which way up a page is: the built-in network where its weights are, else Tesseract, else nobody.
Orientation = Literal["network", "osd", "none"]


def stamp(settings: Settings) -> Stamp:
    """The stamp of the engine that these settings make.

    Its weights are a digest over names and sizes of the data files of the languages in the settings. Raises
    EngineMissingError, LanguageMissingError, UsageError for an unknown language.
    """
    version = program.program_version()
    names = program.data_names(languages.parse(settings.lang))
    by = _orientation(settings)
    runtime = choose(settings.runtime).description if by == "network" else f"tesseract {version}"
    return Stamp("tesseract", version, program.data_digest(names), runtime, {"orientation": by})


def create(settings: Settings) -> TesseractEngine:
    """The engine, ready to read. Raises what `stamp` raises, ModelDamagedError, EngineError."""
    return TesseractEngine(settings)


class TesseractEngine:
    """Reads one page after the other, each by a Tesseract process of its own."""

    def __init__(self, settings: Settings) -> None:
        self.stamp = stamp(settings)
        self._by = _orientation(settings)
        self._network: Network | None = None
        if self._by == "network":
            self._network = choose(settings.runtime).load(store.locate(_NETWORK, settings))

    def recognize(self, pages: Iterable[Page], task: Task) -> Iterator[PageResult]:
        """One result per page, in order."""
        return read_each(pages, lambda page: self._read(page, task), self.stamp)

    def close(self) -> None:
        """Nothing to give back: no process outlives its page."""

    def _read(self, page: Page, task: Task) -> PageResult:
        layer = page.text_layer
        if layer is not None and _is_used(layer, task):
            found, spoken = identification.tagged(layer.blocks or _layer_blocks(layer), languages.told(task.lang))
            return PageResult(
                page.number,
                PageStatus.OK if found else PageStatus.BLANK,
                page.width,
                page.height,
                page.unit,
                text_source="text-layer" if found else "none",
                blocks=found,
                warnings=page.warnings,
                languages=spoken,
            )
        return self._by_ocr(page, task, page.render(task.dpi))

    def _by_ocr(self, page: Page, task: Task, pixels: Pixels) -> PageResult:
        names = program.data_names(task.lang)
        dpi = pixels.shape[1] / page.width * 72 if page.unit == "pt" else 0.0
        whole = upright(pixels, self._turns(pixels), (page.width, page.height))
        skew = skew_of(whole.pixels)
        if abs(skew) >= _LEVEL and max(pixels.shape) < _LONGEST:
            whole = straightened(whole, skew)
        if max(pixels.shape[:2]) < _SMALL:
            whole, dpi = _enlarged(whole), 2 * dpi
        read = program.read(whole.pixels, names, dpi)
        if not read:
            return PageResult(page.number, PageStatus.BLANK, page.width, page.height, page.unit, warnings=page.warnings)
        lines = [_text_line(line) for line in read]
        found, spoken = identification.tagged(_paragraphs(read, whole), languages.told(task.lang))
        return PageResult(
            page.number,
            PageStatus.OK,
            page.width,
            page.height,
            page.unit,
            whole.rotation,
            whole.skew,
            "ocr",
            round(blocks.confidence(lines), 4),
            found,
            warnings=page.warnings,
            languages=spoken,
        )

    def _turns(self, pixels: Pixels) -> int:
        if self._network is not None:
            return orientation.turns(self._network, pixels)[0]
        return program.turns(pixels) if self._by == "osd" else 0


def _enlarged(page: Upright) -> Upright:
    """The page at twice its size."""
    pixels = cv2.resize(page.pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC).astype(np.uint8, copy=False)
    return replace(page, pixels=pixels, back=page.back @ np.diag((0.5, 0.5, 1.0)))


def _orientation(settings: Settings) -> Orientation:
    looks = store.inspect(catalogue.find(_NETWORK), settings, digest=False)
    if all(look.state is not State.MISSING for look in looks):
        return "network"
    return "osd" if "osd" in program.installed() else "none"


def _is_used(layer: TextLayer, task: Task) -> bool:
    """Whether the page's own text is taken: where it is asked for, and where the page was set from it."""
    if task.text_layer == "never":
        return False
    return bool(layer.blocks) or (task.text_layer == "always" and any(line.text.strip() for line in layer.lines))


def _layer_blocks(layer: TextLayer) -> tuple[Block, ...]:
    """The layer's lines in its own order, those close below one another as one block; empty where it has no text."""
    groups: list[list[Line]] = []
    for line in layer.lines:
        if not line.text.strip():
            continue
        if groups and _goes_on(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    found = []
    for group in groups:
        box = bounds(line.box for line in group)
        text = paragraphs.joined([TextLine(line.text, line.box) for line in group], box)
        sure = min(line.confidence for line in group)
        found.append(Block(Kind.TEXT, box, text, sure, lines=tuple(group)))
    return tuple(found)


def _goes_on(above: Line, line: Line) -> bool:
    """Whether `line` stands close below `above`, or beside it."""
    height = min(above.box[3] - above.box[1], line.box[3] - line.box[1])
    gap = line.box[1] - above.box[3]
    beside = abs((line.box[1] + line.box[3]) - (above.box[1] + above.box[3])) < height
    below = -0.5 * height < gap < 0.8 * height and line.box[0] < above.box[2] and above.box[0] < line.box[2]
    return beside or below


def _text_line(line: TesseractLine) -> TextLine:
    return TextLine(line.text, line.box, line.confidence, tuple(Word(*word) for word in line.words))


def _paragraphs(read: Sequence[TesseractLine], page: Upright) -> tuple[Block, ...]:
    """A block per paragraph, in Tesseract's order."""
    found = []
    for _, members in groupby(read, lambda line: (line.block, line.paragraph)):
        lines = [_text_line(line) for line in members]
        box = bounds(line.box for line in lines)
        sure = round(blocks.confidence(lines), 4)
        found.append(Block(Kind.TEXT, page.box(box), paragraphs.joined(lines, box), sure, lines=placed(lines, page)))
    return tuple(found)
