"""Several documents through one pool: pages are read by whichever worker is free and come out in order.

Every document that goes in comes out as DocumentRefused, or as DocumentStarted, one PageFinished for each selected page
in page order, and DocumentFinished. What an engine took for running headers and footers is checked against the pages
around, so a page may have to wait for the two after it. Documents come out in the order they went in. At most
`4 x workers + 16` pages are ahead of the first that is still being read, so the parent's memory does not grow with the
number of pages.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from octavo.assembly.furniture import RunningLines
from octavo.conversion.messages import Answer, Done, Open, Read, Refused
from octavo.conversion.pool import Pool, Ticket
from octavo.document import PageResult, PageStatus, Source, Summary
from octavo.engines import languages
from octavo.engines.engine import Task
from octavo.errors import OctavoError, TooManyPagesError, by_code
from octavo.intake.kinds import MARKDOWN, TEXT
from octavo.intake.ranges import parse_pages
from octavo.settings import Settings
from octavo.storage.cache import PageCache

_SET_HERE = frozenset({TEXT, MARKDOWN})  # kinds of files whose pages are made from their text: nothing runs on them


@dataclass(frozen=True, slots=True)
class Request:
    """A document to be read. `pages` is a range like `1-3,5,10-`; None means all.

    `overlay` is where to draw its pages with what was found on them: `<overlay>-p0001.png` and so on.
    """

    path: Path
    pages: str | None = None
    password: str | None = None
    overlay: Path | None = None


@dataclass(frozen=True, slots=True)
class DocumentStarted:
    request: Request
    source: Source
    pages: Sequence[int]  # the numbers of those selected, ascending


@dataclass(frozen=True, slots=True)
class PageFinished:
    result: PageResult


@dataclass(frozen=True, slots=True)
class DocumentFinished:
    summary: Summary


@dataclass(frozen=True, slots=True)
class DocumentRefused:
    """Not a single page of the document was read."""

    request: Request
    error: OctavoError


Event = DocumentStarted | PageFinished | DocumentFinished | DocumentRefused


def task_of(settings: Settings) -> Task:
    """What the settings ask of an engine. Raises UsageError for a language that is not known."""
    lang = languages.parse(settings.lang)
    return Task(lang, settings.text_layer, settings.dpi, settings.layout)  # type: ignore[arg-type]


def read_documents(requests: Iterable[Request], pool: Pool, settings: Settings) -> Generator[Event, None, None]:
    """Read the documents; the pool is the caller's to close, also when it stops asking for events.

    Raises an EngineError or UsageError where the engine cannot read any page at all.
    """
    reading = _Reading(requests, pool, settings)
    yield from reading.events()
    if settings.cache_mb and reading.fresh_pages:
        PageCache(settings.folder("cache")).prune(settings.cache_mb << 20)


@dataclass(slots=True)
class _Document:
    request: Request
    source: Source | None = None
    error: OctavoError | None = None
    numbers: Sequence[int] = ()
    announced: bool = False
    sent: int = 0  # of `numbers`
    results: dict[int, PageResult] = field(default_factory=dict)  # read, while an earlier page is not
    settled: int = 0  # of `numbers`, given to `running`
    running: RunningLines = field(default_factory=RunningLines)
    ready: deque[PageResult] = field(default_factory=deque)  # not delivered yet
    review_below: float = 0.0
    counts: Counter[PageStatus] = field(default_factory=Counter)
    failed: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)

    def next_event(self) -> Event | None:
        """The next event in order, None where it has still to happen."""
        if self.error is not None:
            return DocumentRefused(self.request, self.error)
        if self.source is None:
            return None
        if not self.announced:
            self.announced = True
            return DocumentStarted(self.request, self.source, self.numbers)
        self._settle()
        if self.ready:
            return PageFinished(self._counted(self.ready.popleft()))
        if self.settled < len(self.numbers):
            return None
        return DocumentFinished(self._summary())

    def _settle(self) -> None:
        """Give on what was read, in page order, until a page is ready to be delivered."""
        assert self.source is not None
        while not self.ready and self.settled < len(self.numbers):
            result = self.results.pop(self.numbers[self.settled], None)
            if result is None:
                return
            self.settled += 1
            if self.source.media_type in _SET_HERE:
                self.ready.append(result)
                return
            self.ready.extend(self.running.page(result))
            if self.settled == len(self.numbers):
                self.ready.extend(self.running.end())

    def _counted(self, result: PageResult) -> PageResult:
        self.counts[result.status] += 1
        if result.status is PageStatus.FAILED:
            self.failed.append(result.page)
        elif result.confidence < self.review_below:
            self.doubtful.append(result.page)
        return result

    def _summary(self) -> Summary:
        ok, fallback, blank, failed = (self.counts[status] for status in PageStatus)
        return Summary(len(self.numbers), ok, fallback, blank, failed, tuple(self.failed), tuple(self.doubtful))


class _Reading:
    def __init__(self, requests: Iterable[Request], pool: Pool, settings: Settings) -> None:
        self._requests = iter(requests)
        self._pool = pool
        self._settings = settings
        self._task = task_of(settings)
        self._ahead_limit = 4 * pool.size + 16
        self._ahead = 0  # documents being opened, and pages sent but not delivered
        self._documents: deque[_Document] = deque()
        self._exhausted = False
        self.fresh_pages = False

    def events(self) -> Generator[Event, None, None]:
        while True:
            self._send()
            if not self._documents:
                return
            event = self._documents[0].next_event()
            for ticket, answer in self._pool.wait(block=event is None):
                self._take(ticket, answer)
            if event is not None:
                self._send()
                self._account(event)
                yield event

    def _account(self, event: Event) -> None:
        if isinstance(event, PageFinished):
            self._ahead -= 1
        elif isinstance(event, DocumentFinished | DocumentRefused):
            self._documents.popleft()

    def _send(self) -> None:
        """Keep every worker busy, the earliest pages first."""
        while self._pool.in_flight < self._pool.size and self._ahead < self._ahead_limit:
            ticket = self._next_page() or self._next_document()
            if ticket is None:
                return
            self._ahead += 1
            self._pool.submit(ticket)

    def _next_page(self) -> Ticket | None:
        for document in self._documents:
            if document.source is not None and document.sent < len(document.numbers):
                number = document.numbers[document.sent]
                document.sent += 1
                return Ticket(self._read(document.request, document.source, number), document)
        return None

    def _read(self, request: Request, source: Source, number: int) -> Read:
        overlay = os.fsencode(os.path.abspath(request.overlay)) if request.overlay else b""
        return Read(_path(request), request.password, source.digest, number, 1, self._task, overlay)

    def _next_document(self) -> Ticket | None:
        request = None if self._exhausted else next(self._requests, None)
        if request is None:
            self._exhausted = True
            return None
        document = _Document(request, review_below=self._settings.review_below)
        self._documents.append(document)
        return Ticket(Open(_path(request), request.password), document)

    def _take(self, ticket: Ticket, answer: Answer) -> None:
        document = ticket.key
        assert isinstance(document, _Document)
        if isinstance(answer, Done):
            document.results[answer.result.page] = answer.result
            self.fresh_pages |= not answer.result.usage.cached
            return
        self._ahead -= 1
        if isinstance(answer, Refused):
            document.error = by_code(answer.code)(answer.message)
            return
        try:
            document.numbers = self._selected(document.request, answer.source)
            document.source = answer.source
        except OctavoError as error:
            document.error = error

    def _selected(self, request: Request, source: Source) -> Sequence[int]:
        total, limit = source.pages, self._settings.max_pages
        numbers: Sequence[int] = range(1, total + 1) if request.pages is None else parse_pages(request.pages, total)
        if len(numbers) > limit:
            raise TooManyPagesError(
                f"{source.name}: {len(numbers)} pages are to be read and the limit is {limit}; select fewer pages, for "
                f"example 1-{limit}, or raise the setting max_pages (OCTAVO_MAX_PAGES={len(numbers)})"
            )
        return numbers


def _path(request: Request) -> bytes:
    """Absolute: the workers keep the folder they were started in, the parent may go elsewhere."""
    return os.fsencode(os.path.abspath(request.path))
