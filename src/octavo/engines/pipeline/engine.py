"""The built-in engine: orientation, layout, detection, recognition and reading order, on one CPU thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.metadata import version

import cv2

from octavo.document import Page, PageResult, PageStatus, PageWarning, Stamp, TextSource
from octavo.engines import identification, languages, tesseract_program
from octavo.engines.engine import Task
from octavo.engines.one_by_one import read_each
from octavo.engines.pipeline import networks, scripts, textlayer
from octavo.engines.pipeline.reading import Outcome, read_picture
from octavo.engines.pipeline.runtime import choose
from octavo.models import store, supplied
from octavo.settings import Settings


def stamp(settings: Settings) -> Stamp:
    """The stamp of the engine that these settings make; loads no network.

    Raises UsageError for an unknown language, LanguageMissingError where Tesseract must read one it has no data for.
    """
    used = {"tier": settings.tier, "languages": f"py3langid {version('py3langid')}"}
    told = languages.told(languages.parse(settings.lang))
    if told and languages.beyond_pp_ocr(told, settings.tier):
        scripts.data_of(told)
    if not told or languages.beyond_pp_ocr(told, settings.tier):
        used["tesseract"] = _tesseract()
    if own := supplied.digest(supplied.FORMULAS, settings):
        used[supplied.FORMULAS.name] = f"sha256:{own}"
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
        identification.load()

    def recognize(self, pages: Iterable[Page], task: Task) -> Iterator[PageResult]:
        """One result per page, in order."""
        return read_each(pages, lambda page: self._read(page, task), self.stamp)

    def close(self) -> None:
        """Nothing to give back: the networks go with the object."""

    def _read(self, page: Page, task: Task) -> PageResult:
        shown = cache(lambda: page.render(task.dpi))
        warnings = page.warnings
        told = languages.told(task.lang)
        if page.blank:
            return _result(page, Outcome((), 0, 0.0, 1.0), "none", warnings)
        if page.text_layer is not None and task.text_layer != "never":
            sight = textlayer.Sight(page, page.text_layer, shown, told, self._tier)
            own = textlayer.read(self._networks, sight, task)
            if isinstance(own, Outcome):
                blocks, found = identification.tagged(own.blocks, told)
                return _result(page, replace(own, blocks=blocks, languages=found), "text-layer", warnings)
            warnings += (PageWarning("text-layer-not-used", own.reason),)
        read = read_picture(self._networks, shown(), (page.width, page.height), told, self._tier)
        return _result(page, read, "ocr", warnings)


def _tesseract() -> str:
    """What of Tesseract can change a page's text: its version and all data, as any of it may be chosen."""
    if not tesseract_program.found():
        return "none"
    digest = tesseract_program.data_digest("+".join(sorted(tesseract_program.installed())))
    return f"{tesseract_program.program_version()} {digest}"


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
        languages=read.languages,
    )
