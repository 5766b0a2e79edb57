"""The built-in engine: orientation, layout, detection, recognition and reading order, on one CPU thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

import cv2

from octavo.document import Page, PageResult, PageStatus, PageWarning, Stamp, TextSource
from octavo.engines import languages, tesseract_program
from octavo.engines.engine import Task
from octavo.engines.one_by_one import read_each
from octavo.engines.pipeline import networks
from octavo.engines.pipeline.reading import Outcome, read_picture
from octavo.engines.pipeline.runtime import choose
from octavo.engines.pipeline.textlayer import judge, read_layer
from octavo.models import store
from octavo.settings import Settings

if TYPE_CHECKING:
    from octavo.document import Pixels


def stamp(settings: Settings) -> Stamp:
    """The stamp of the engine that these settings make; loads no network.

    Raises UsageError for an unknown language, LanguageMissingError where Tesseract must read one it has no data for.
    """
    used = {"tier": settings.tier}
    codes = languages.parse(settings.lang)
    if languages.beyond_pp_ocr(codes, settings.tier):
        names = tesseract_program.data_names(codes)
        used["tesseract"] = f"{tesseract_program.program_version()} {tesseract_program.data_digest(names)}"
    weights = store.weights_digest(networks.model_names(settings.tier))
    return Stamp("pipeline", version("octavo"), weights, choose(settings.runtime).description, used)


def create(settings: Settings) -> PipelineEngine:
    """The engine with its networks loaded. Raises ModelMissingError, ModelDamagedError, EngineError."""
    return PipelineEngine(settings)


class PipelineEngine:
    """Reads one page after the other; holds the networks and no state between pages."""

    def __init__(self, settings: Settings) -> None:
        cv2.setNumThreads(1)  # pages are spread over processes; OpenCV would start a thread per core in each
        self.stamp = stamp(settings)
        self._tier = settings.tier
        self._networks = networks.load(settings, choose(settings.runtime))

    def recognize(self, pages: Iterable[Page], task: Task) -> Iterator[PageResult]:
        """One result per page, in order."""
        return read_each(pages, lambda page: self._read(page, task), self.stamp)

    def close(self) -> None:
        """Nothing to give back: the networks go with the object."""

    def _read(self, page: Page, task: Task) -> PageResult:
        pixels = page.render(task.dpi)
        warnings = page.warnings
        layer = page.text_layer
        if layer is not None and task.text_layer != "never":
            verdict = judge(self._networks, page, pixels) if task.text_layer == "auto" else None
            if verdict is None or verdict.trusted:
                return _result(page, read_layer(self._networks, page, layer, pixels), "text-layer", warnings)
            warnings += (PageWarning("text-layer-not-used", verdict.reason),)
        return _result(page, self._by_ocr(page, pixels, task), "ocr", warnings)

    def _by_ocr(self, page: Page, pixels: Pixels, task: Task) -> Outcome:
        names = tesseract_program.data_names(task.lang) if languages.beyond_pp_ocr(task.lang, self._tier) else ""
        dpi = pixels.shape[1] / page.width * 72 if page.unit == "pt" else 0.0
        return read_picture(self._networks, pixels, (page.width, page.height), names, dpi)


def _result(page: Page, read: Outcome, source: TextSource, warnings: tuple[PageWarning, ...]) -> PageResult:
    has_text = any(block.text for block in read.blocks)
    return PageResult(
        page.number,
        PageStatus.OK if has_text else PageStatus.BLANK,
        page.width,
        page.height,
        page.unit,
        read.rotation,
        read.skew,
        source if has_text else "none",
        round(read.confidence, 4),
        read.blocks,
        warnings=warnings + read.warnings,
    )
