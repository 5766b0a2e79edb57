from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.conversion.documents import (
    DocumentFinished,
    DocumentRefused,
    DocumentStarted,
    PageFinished,
    Request,
    read_documents,
    task_of,
)
from octavo.conversion.messages import Answer, Done, Open, Opened, Refused
from octavo.conversion.pool import Pool, Ticket
from octavo.document import PageResult, PageStatus, Source
from octavo.engines.engine import Task
from octavo.errors import ModelMissingError, TooManyPagesError, UnreadableError, UsageError
from octavo.settings import Settings


class PaperPool:
    """Answers in a random order. The names of documents are their page counts; `damaged` is refused."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size = size
        self.tickets: list[Ticket] = []
        self.most = 0
        self._random = random.Random(seed)

    @property
    def in_flight(self) -> int:
        return len(self.tickets)

    def submit(self, ticket: Ticket) -> None:
        self.tickets.append(ticket)
        assert len(self.tickets) <= self.size

    def wait(self, *, block: bool = True) -> list[tuple[Ticket, Answer]]:
        if not self.tickets or (not block and self._random.random() < 0.5):
            return []
        self._random.shuffle(self.tickets)
        ticket = self.tickets.pop()
        return [(ticket, self._answer(ticket))]

    def _answer(self, ticket: Ticket) -> Answer:
        name = os.fsdecode(ticket.request.path).rsplit("/", 1)[1]
        if isinstance(ticket.request, Open):
            if name == "damaged":
                return Refused("unreadable", "damaged is damaged")
            return Opened(Source(name, "application/pdf", 1, "blake3:0", pages=int(name.split("-")[0])))
        page = ticket.request.page
        status = PageStatus.FAILED if page % 7 == 0 else PageStatus.OK
        return Done(PageResult(page, status))


def events(pool: Any, *names: str, pages: str | None = None, **changes: Any) -> Iterator[Any]:
    settings = Settings(cache_mb=0, **changes)
    return read_documents([Request(Path(name), pages) for name in names], cast(Pool, pool), settings)


@given(
    st.lists(st.sampled_from(["1", "2", "9", "40", "damaged"]), max_size=6), st.integers(1, 5), st.integers(0, 1 << 16)
)
def test_every_document_and_page_comes_out_once_and_in_order(names: list[str], size: int, seed: int) -> None:
    seen: list[Any] = []
    for event in events(PaperPool(size, seed), *names):
        match event:
            case DocumentStarted():
                seen.append(event.source.name)
            case PageFinished():
                seen.append(event.result.page)
            case DocumentFinished():
                seen.append(event.summary)
            case DocumentRefused():
                assert isinstance(event.error, UnreadableError)
                seen.append(event.request.path.name)
    expected: list[Any] = []
    for name in names:
        expected.append(name)
        if name != "damaged":
            expected += range(1, int(name) + 1)
            failed = tuple(range(7, int(name) + 1, 7))
            summary = seen[len(expected)]
            assert (summary.pages, summary.ok, summary.failed) == (int(name), int(name) - len(failed), len(failed))
            assert summary.failed_pages == failed
            expected.append(summary)
    assert seen == expected


class StuckPool(PaperPool):
    """Never answers for page 1, as long as there is anything else to answer."""

    def wait(self, *, block: bool = True) -> list[tuple[Ticket, Answer]]:
        others = [ticket for ticket in self.tickets if getattr(ticket.request, "page", 0) != 1]
        if not others:
            raise TimeoutError
        self.tickets.remove(others[0])
        self.most = max(self.most, getattr(others[0].request, "page", 0))
        return [(others[0], self._answer(others[0]))]


def test_the_pages_ahead_of_a_slow_one_are_bounded() -> None:
    pool = StuckPool(size=3)
    with pytest.raises(TimeoutError):
        list(events(pool, "2000"))
    assert pool.most == 4 * 3 + 16


def test_one_page_documents_keep_all_workers_busy() -> None:
    pool = PaperPool(size=4)
    busy = []
    for event in events(pool, *(["1"] * 100)):
        if isinstance(event, PageFinished):
            busy.append(pool.in_flight)
    assert len(busy) == 100
    assert sum(count == 4 for count in busy) >= 85


def test_documents_are_opened_only_just_ahead() -> None:
    opened = 0

    def requests() -> Iterator[Request]:
        nonlocal opened
        for _ in range(50):
            opened += 1
            yield Request(Path("40"))

    reading = read_documents(requests(), cast(Pool, PaperPool(2)), Settings(cache_mb=0))
    for _ in range(20):
        next(reading)
    assert opened <= 3


def test_a_page_range_selects_pages() -> None:
    pages = [
        event.result.page for event in events(PaperPool(2), "40", pages="3,5-7,39-") if isinstance(event, PageFinished)
    ]
    assert pages == [3, 5, 6, 7, 39, 40]


def test_a_range_beyond_one_document_does_not_stop_the_others() -> None:
    found = list(events(PaperPool(2), "2", "40", pages="5"))
    assert isinstance(found[0], DocumentRefused)
    assert isinstance(found[0].error, UsageError)
    assert [event.result.page for event in found if isinstance(event, PageFinished)] == [5]


def test_too_many_pages_are_refused_unless_fewer_are_selected() -> None:
    (refused,) = events(PaperPool(2), "40", max_pages=39)
    assert isinstance(refused.error, TooManyPagesError)
    assert "40 pages" in refused.error.message
    assert "OCTAVO_MAX_PAGES=40" in refused.error.message
    assert len(list(events(PaperPool(2), "40", pages="2-", max_pages=39))) == 41


def test_an_error_of_the_engine_ends_everything() -> None:
    class Hopeless(PaperPool):
        def wait(self, *, block: bool = True) -> list[tuple[Ticket, Answer]]:
            raise ModelMissingError("gone")

    with pytest.raises(ModelMissingError):
        list(events(Hopeless(2), "40"))


def test_the_task_is_what_the_settings_ask_for() -> None:
    assert task_of(Settings(lang="rus+eng", text_layer="never", dpi=300)) == Task(("ru", "en"), "never", 300)
    with pytest.raises(UsageError, match="klingon"):
        task_of(Settings(lang="klingon"))
