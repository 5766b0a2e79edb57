"""What a worker does with a request: open documents, look pages up in the cache, have the engine read the rest."""

from __future__ import annotations

import logging
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from octavo.conversion.identity import Remembered, page_digest, place_digest
from octavo.conversion.messages import (
    DOCUMENTS_OPEN,
    Done,
    Loading,
    Message,
    Open,
    Opened,
    Read,
    Ready,
    Refused,
    encodable,
)
from octavo.conversion.whole_file import storage_error
from octavo.document import Block, Page, PageError, PageResult, PageStatus, Source, Stamp, Usage
from octavo.engines import engine as engines
from octavo.engines.engine import Engine, Task
from octavo.errors import (
    EngineError,
    EngineMissingError,
    LanguageMissingError,
    ModelDamagedError,
    ModelMissingError,
    OctavoError,
    UnreadableError,
    UsageError,
)
from octavo.settings import Settings
from octavo.storage.cache import PageCache, cache_key

if TYPE_CHECKING:
    from octavo.intake import Opened as Document

T = TypeVar("T")
log = logging.getLogger(__name__)

# Errors that every other page would meet too, in whichever worker.
HOPELESS = (UsageError, ModelMissingError, ModelDamagedError, EngineMissingError, LanguageMissingError)


class EngineUnusable(Exception):
    """Carries the typed error that ends the whole run."""

    def __init__(self, error: OctavoError) -> None:
        super().__init__(error.message)
        self.error = error


class Reader:
    """Answers requests. Keeps the last documents open, and the engine once a page has needed it.

    MemoryError is let through: only a fresh process is sure to have memory again.
    """

    def __init__(self, settings: Settings, tell: Callable[[Message], None]) -> None:
        """`tell` sends a message to the parent while a request is being answered."""
        self._settings = settings
        self._tell = tell
        self._documents: OrderedDict[tuple[bytes, str | None], Document] = OrderedDict()
        self._cache = PageCache(settings.folder("cache")) if settings.cache_mb else None
        self._engine: Engine | None = None
        self._stamp: Stamp | None = None

    def open(self, request: Open) -> Opened | Refused:
        self._forget(request.path)
        try:
            source = self._document(request.path, request.password).source
            return Opened(replace(source, name=encodable(source.name)))
        except OctavoError as error:
            return Refused(error.code, encodable(error.message))
        except Exception as fault:
            _pass_on_memory_error(fault)
            name = _name(request.path)
            log.exception("%s: opening failed", name)
            message = f"{name}: opening failed by a fault of ours ({fault!r}); the log has the traceback"
            return Refused(OctavoError.code, encodable(message))

    def read(self, request: Read) -> Done | Refused:
        began, cpu = time.monotonic(), _cpu_seconds()
        page: Page | None = None
        try:
            document = self._same_document(request)
            page = document.page(request.page)
            result = self._result(page, request.task, document.source)
            if request.overlay:
                _draw(result, page, request)
        except EngineUnusable as fault:
            return Refused(fault.error.code, encodable(fault.error.message), fatal=True)
        except OctavoError as error:
            result = _failed(request.page, page, error.code, error.message, error.retryable)
        except Exception as fault:
            _pass_on_memory_error(fault)
            place = f"{_name(request.path)}, page {request.page}"
            log.exception("%s: reading failed", place)
            message = f"{place}: reading failed by a fault of ours ({fault!r}); the log has the traceback"
            result = _failed(request.page, page, OctavoError.code, message, retryable=False)
        usage = replace(
            result.usage,
            seconds=time.monotonic() - began,
            cpu_seconds=_cpu_seconds() - cpu,
            attempts=request.attempt,
        )
        if result.error is not None:
            result = replace(result, error=_located(result.error, _name(request.path), request.page))
        return Done(replace(result, usage=usage))

    def close(self) -> None:
        for document in self._documents.values():
            document.close()
        self._documents.clear()
        if self._engine is not None:
            self._engine.close()

    # ---- documents

    def _document(self, path: bytes, password: str | None) -> Document:
        from octavo.intake import open_source  # heavy: only when the first document is opened

        key = (path, password)
        if key not in self._documents:
            while len(self._documents) >= DOCUMENTS_OPEN:
                self._documents.popitem(last=False)[1].close()
            self._documents[key] = open_source(Path(os.fsdecode(path)), self._settings, password)
        self._documents.move_to_end(key)
        return self._documents[key]

    def _same_document(self, request: Read) -> Document:
        """The document whose digest the request names. Raises UnreadableError where the file is another by now."""
        for _ in range(2):  # the one that is open may be an older one
            document = self._document(request.path, request.password)
            if document.source.digest == request.digest:
                return document
            self._forget(request.path)
        raise UnreadableError(f"{_name(request.path)}: the file was changed while it was read; convert it again")

    def _forget(self, path: bytes) -> None:
        for key in [key for key in self._documents if key[0] == path]:
            self._documents.pop(key).close()

    # ---- pages

    def _result(self, page: Page, task: Task, source: Source) -> PageResult:
        page.render = Remembered(page.render)
        if self._cache is None:
            return self._recognized(page, task)
        undrawn = task.layout == "light" and page.text_layer is not None
        digest = place_digest(source, page) if undrawn else page_digest(page, task.dpi)
        found = self._cache.get(cache_key(digest, task, self._known_stamp()))
        if found is not None:
            return replace(found, page=page.number, usage=Usage(cached=True))
        result = self._recognized(page, task)
        if result.status is not PageStatus.FAILED:
            self._cache.put(cache_key(digest, task, self._loaded().stamp), result)
        return result

    def _recognized(self, page: Page, task: Task) -> PageResult:
        engine = self._loaded()
        try:
            results = list(engine.recognize(iter((page,)), task))
        except HOPELESS as error:
            raise EngineUnusable(error) from error
        result = _checked(results, page, self._settings.engine)
        new = tuple(warning for warning in page.warnings if warning not in result.warnings)
        return replace(result, stamp=result.stamp or engine.stamp, warnings=new + result.warnings)

    # ---- the engine

    def _known_stamp(self) -> Stamp:
        """The engine's stamp, without loading its networks."""
        if self._engine is not None:
            return self._engine.stamp
        if self._stamp is None:
            self._stamp = self._from_engine(engines.stamp)
        return self._stamp

    def _loaded(self) -> Engine:
        if self._engine is None:
            self._tell(Loading())
            self._engine = self._from_engine(engines.create)
            self._tell(Ready())
        return self._engine

    def _from_engine(self, call: Callable[[Settings], T]) -> T:
        try:
            return call(self._settings)
        except OctavoError as error:
            raise EngineUnusable(error) from error
        except Exception as fault:
            _pass_on_memory_error(fault)
            log.exception("the engine %r cannot be loaded", self._settings.engine)
            message = f"the engine {self._settings.engine!r} cannot be loaded: {fault!r}; the log has the traceback"
            raise EngineUnusable(EngineError(message)) from fault


def _draw(result: PageResult, page: Page, request: Read) -> None:
    """Write the page with its blocks drawn on it. Raises StorageError."""
    from octavo.assembly.overlay import drawn  # heavy, and seldom asked for

    path = f"{os.fsdecode(request.overlay)}-p{page.number:04}.png"
    picture = drawn(result, page.render(request.task.dpi))
    try:
        picture.save(path)
    except OSError as fault:
        raise storage_error(fault, Path(path)) from fault


def _checked(results: list[PageResult], page: Page, engine: str) -> PageResult:
    """The one result, if it is what an engine may answer; an engine at fault must not spoil the document."""
    if len(results) != 1:
        raise EngineError(f"page {page.number}: the engine {engine!r} gave {len(results)} results for one page")
    try:
        result = msgspec.msgpack.decode(msgspec.msgpack.encode(results[0]), type=PageResult)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as fault:
        raise EngineError(f"page {page.number}: the engine {engine!r} gave an invalid result: {fault}") from fault
    if result.page != page.number:
        raise EngineError(f"page {page.number}: the engine {engine!r} answered for page {result.page} instead")
    if not all(map(math.isfinite, _numbers(result.blocks))):
        raise EngineError(f"page {page.number}: the engine {engine!r} gave boxes or confidences that are no numbers")
    return result


def _numbers(blocks: tuple[Block, ...]) -> Iterator[float]:
    for block in blocks:
        yield from (*block.box, block.confidence)
        for line in block.lines:
            yield from (*line.box, line.confidence)
            for word in line.words:
                yield from (*word.box, word.confidence)
        for cell in block.cells:
            yield from cell.box


def _failed(number: int, page: Page | None, code: str, message: str, retryable: bool) -> PageResult:
    result = PageResult(number, PageStatus.FAILED, error=PageError(code, encodable(message), retryable))
    if page is None:
        return result
    return replace(result, width=page.width, height=page.height, unit=page.unit, warnings=page.warnings)


def _located(error: PageError, name: str, page: int) -> PageError:
    """The error with file and page named: engines do not know the file, and some of intake's errors not the page."""
    message = error.message
    if name in message:
        return error
    place = f"{name}, " if message.startswith(f"page {page}") else f"{name}, page {page}: "
    return replace(error, message=place + message)


def _pass_on_memory_error(fault: Exception) -> None:
    """Native libraries report a refused allocation in their own words."""
    words = ("bad_alloc", "bad allocation", "Insufficient memory", "Cannot allocate memory", "OutOfMemory")
    if isinstance(fault, MemoryError) or any(word in str(fault) for word in words):
        raise MemoryError from fault


def _cpu_seconds() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _name(path: bytes) -> str:
    return encodable(Path(os.fsdecode(path)).name)
