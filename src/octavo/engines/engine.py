"""What every engine is, and the table of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Literal, Protocol

import msgspec

from octavo.document import Page, PageResult, Stamp
from octavo.errors import UsageError
from octavo.settings import Settings


class Task(msgspec.Struct, frozen=True):
    """What is asked of an engine, apart from the pages. Every field can change the answer."""

    lang: tuple[str, ...] = ("auto",)
    text_layer: Literal["auto", "always", "never"] = "auto"
    dpi: int = 200
    layout: Literal["auto", "light", "full"] = "auto"


class Engine(Protocol):
    """Reads pages. A page that cannot be read is a result with status `failed`, never an exception."""

    @property
    def stamp(self) -> Stamp: ...

    def recognize(self, pages: Iterable[Page], task: Task) -> Iterator[PageResult]:
        """One result per page, in any order."""

    def close(self) -> None: ...


# Each of these modules has `create(settings) -> Engine` and `stamp(settings) -> Stamp`.
ENGINES = {
    "pipeline": "octavo.engines.pipeline.engine",
    "tesseract": "octavo.engines.tesseract",
    "fake": "octavo.engines.fake",
}


def create(settings: Settings) -> Engine:
    """The engine that the settings name, loaded and ready. Raises UsageError or EngineError."""
    engine: Engine = _module(settings).create(settings)
    return engine


def stamp(settings: Settings) -> Stamp:
    """The stamp that engine will have, told without loading its networks. Raises UsageError or EngineError."""
    stamp: Stamp = _module(settings).stamp(settings)
    return stamp


def _module(settings: Settings) -> Any:
    if settings.engine not in ENGINES:
        known = ", ".join(name for name in ENGINES if name != "fake")
        raise UsageError(f"there is no engine {settings.engine!r}; known engines: {known}")
    return import_module(ENGINES[settings.engine])
