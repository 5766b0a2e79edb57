"""The worker processes, and what becomes of a request whose worker crashes, hangs or swells.

Such a request is tried again in a fresh worker, `settings.page_attempts` times in all, and then answered in the
worker's stead: a page with a failed PageResult, a document with Refused. Every request gets exactly one answer.
"""

from __future__ import annotations

import logging
import os
import signal
import time
import weakref
from collections import deque
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path

import msgspec

from octavo.conversion.cores import cores
from octavo.conversion.messages import (
    EXIT_MEMORY,
    Answer,
    Done,
    Loading,
    Logged,
    Read,
    Ready,
    Refused,
    Report,
    Request,
    encodable,
)
from octavo.conversion.worker import START_TIMEOUT, Worker
from octavo.document import PageError, PageResult, PageStatus, Usage
from octavo.errors import EngineError, OctavoError, OutOfMemoryError, PageTimeoutError, WorkerCrashedError, by_code
from octavo.observe import logs
from octavo.settings import Settings

log = logging.getLogger(__name__)

WATCH = 0.3  # seconds between looks at the workers' memory
STARTS = 2  # workers that may die in a row while they load the engine
LEAVE = 1.0  # seconds that idle workers get to leave by themselves
_MEMORY_CURE = "; raise the setting worker_memory_mb, or lower dpi"
_MEMORY_WORDS = ("MemoryError", "bad_alloc", "Cannot allocate memory", "Insufficient memory")


@dataclass(frozen=True, slots=True)
class _Death:
    """Why a worker died: the error it means for its page, what it did, and what to do about it."""

    kind: type[OctavoError]
    what: str
    cure: str = ""


@dataclass(eq=False, slots=True)
class Ticket:
    """A request on its way. `key` is the asker's own and comes back with the answer."""

    request: Request
    key: object = None
    attempts: int = 0
    begun: float = 0.0  # monotonic seconds of the first attempt

    @property
    def place(self) -> str:
        """File and page, for messages."""
        name = encodable(Path(os.fsdecode(self.request.path)).name)
        return f"{name}, page {self.request.page}" if isinstance(self.request, Read) else name


class Pool:
    """Up to `size` workers, started when there is work for them. Not to be shared between threads at the same time."""

    def __init__(self, settings: Settings, size: int | None = None) -> None:
        """`size` defaults to `settings.workers`, and that to the number of cores."""
        self.size = size or settings.workers or cores()
        self._settings = settings
        self._workers: list[Worker] = []
        self._waiting: deque[Ticket] = deque()
        self._failed_starts = 0  # in a row
        self._watched = 0.0  # monotonic seconds of the last look at the workers
        self._reaper = weakref.finalize(self, _kill_all, self._workers, os.getpid())

    @property
    def in_flight(self) -> int:
        """Requests that were submitted and not answered yet."""
        return len(self._waiting) + sum(worker.ticket is not None for worker in self._workers)

    def submit(self, ticket: Ticket) -> None:
        self._waiting.append(ticket)
        self._dispatch()

    def wait(self, *, block: bool = True) -> list[tuple[Ticket, Answer]]:
        """The answers that have come, at least one if `block` and anything is in flight.

        Raises an EngineError or UsageError where no worker can read any page; the pool is of no use then.
        """
        while True:
            self._dispatch()
            answers = self._collect(WATCH if block else 0.0)
            if answers or not block or not self.in_flight:
                return answers

    def close(self) -> None:
        """Stop all workers at once, the busy ones in mid-page."""
        idle = [worker for worker in self._workers if worker.ticket is None and not worker.starting]
        for worker in idle:
            worker.dismiss()
        until = time.monotonic() + LEAVE
        for worker in idle:
            worker.join(max(0.0, until - time.monotonic()))
        self._waiting.clear()
        self._reaper()

    # ---- giving work out

    def _dispatch(self) -> None:
        while self._waiting:
            ticket = self._waiting[0]
            worker = self._worker_for(ticket)
            if worker is None:
                return
            self._waiting.popleft()
            now = time.monotonic()
            ticket.begun = ticket.begun or now
            ticket.attempts += 1
            if isinstance(ticket.request, Read):
                ticket.request = msgspec.structs.replace(ticket.request, attempt=ticket.attempts)
            worker.give(ticket)
            if not worker.starting:
                worker.deadline = now + self._settings.page_timeout

    def _worker_for(self, ticket: Ticket) -> Worker | None:
        """An idle worker, one with the document open if possible; for a second attempt always a fresh one."""
        if ticket.attempts == 0:
            for worker in list(self._workers):
                if worker.ticket is None and worker.connection.poll():
                    self._listen(worker)  # it may have died since its last answer
            idle = [worker for worker in self._workers if worker.ticket is None]
            if idle:
                return min(idle, key=lambda worker: ticket.request.path not in worker.documents)
        elif len(self._workers) >= self.size:
            for worker in self._workers:
                if worker.ticket is None:
                    self._retire(worker)
                    break
        return self._start() if len(self._workers) < self.size else None

    def _start(self) -> Worker:
        try:
            worker = Worker(self._settings)
        except OSError as fault:
            message = f"no worker process could be started: {fault}; free some memory, or lower the setting workers"
            raise WorkerCrashedError(message) from fault
        self._workers.append(worker)
        return worker

    def _retire(self, worker: Worker) -> None:
        worker.dismiss()
        worker.join(LEAVE)
        worker.kill()
        self._workers.remove(worker)

    # ---- taking answers in

    def _collect(self, timeout: float) -> list[tuple[Ticket, Answer]]:
        answers: list[tuple[Ticket, Answer]] = []
        ready = connection.wait([worker.connection for worker in self._workers], timeout)
        watch = time.monotonic() - self._watched >= WATCH
        if watch:
            self._watched = time.monotonic()
        for worker in list(self._workers):
            if worker.connection in ready:
                answers += self._listen(worker)
            elif watch and worker.ticket is not None:
                answers += self._watch(worker)
        return answers

    def _listen(self, worker: Worker) -> list[tuple[Ticket, Answer]]:
        try:
            report = worker.receive()
        except (EOFError, OSError, msgspec.DecodeError):
            return self._bury(worker)
        return self._heed(worker, report)

    def _heed(self, worker: Worker, report: Report) -> list[tuple[Ticket, Answer]]:
        if isinstance(report, Logged):
            fields = {"worker": worker.pid, **report.fields}
            logs.log(logging.getLogger(report.logger), report.level, report.event, **fields)
            return []
        now = time.monotonic()
        if isinstance(report, Loading):
            worker.starting, worker.deadline = True, now + START_TIMEOUT
            return []
        if isinstance(report, Ready):
            worker.starting, worker.deadline = False, now + self._settings.page_timeout
            return []
        if isinstance(report, Refused) and report.fatal:
            raise by_code(report.code)(report.message)
        return self._answered(worker, report)

    def _answered(self, worker: Worker, answer: Answer) -> list[tuple[Ticket, Answer]]:
        ticket, worker.ticket = worker.ticket, None
        if ticket is None:
            return self._bury(worker, _Death(WorkerCrashedError, "answered without being asked"))
        if isinstance(answer, Done):
            worker.pages += 1
            if not answer.result.usage.cached:
                self._failed_starts = 0  # the engine has been loaded
        if worker.pages >= self._settings.worker_pages:
            self._retire(worker)
        if isinstance(answer, Done) and answer.result.error and answer.result.error.retryable and self._again(ticket):
            return []
        return [(ticket, answer)]

    def _again(self, ticket: Ticket) -> bool:
        if ticket.attempts >= self._settings.page_attempts:
            return False
        self._waiting.appendleft(ticket)
        return True

    # ---- watching over the workers

    def _watch(self, worker: Worker) -> list[tuple[Ticket, Answer]]:
        worker.trim_stderr()
        limit = self._settings.worker_memory_mb
        if worker.resident() > limit << 20:
            return self._bury(worker, _Death(OutOfMemoryError, f"needed more than {limit} MiB of memory", _MEMORY_CURE))
        if time.monotonic() > worker.deadline:
            allowed = START_TIMEOUT if worker.starting else self._settings.page_timeout
            cure = "" if worker.starting else "; raise the setting page_timeout"
            return self._bury(worker, _Death(PageTimeoutError, f"took longer than {allowed:g} s", cure))
        return []

    def _bury(self, worker: Worker, death: _Death | None = None) -> list[tuple[Ticket, Answer]]:
        """Take a dead worker, or one that has to die, out of the pool; answer its request or try it again."""
        status, words = worker.kill()
        self._workers.remove(worker)
        death = death or _cause_of_death(status, words)
        ticket = worker.ticket
        if ticket is None:
            logs.log(log, logging.WARNING, f"an idle worker {death.what}", worker=worker.pid, stderr=words)
            return []
        event = f"{ticket.place}: the worker {death.what}"
        logs.log(log, logging.WARNING, event, worker=worker.pid, attempt=ticket.attempts, stderr=words)
        if worker.starting:
            self._count_failed_start(death, words)
            ticket.attempts -= 1
            self._waiting.appendleft(ticket)
            return []
        return [] if self._again(ticket) else [(ticket, _failure(ticket, death))]

    def _count_failed_start(self, death: _Death, words: str) -> None:
        self._failed_starts += 1
        if self._failed_starts >= STARTS:
            last = f" ({words.splitlines()[-1]})" if words else ""
            kind = death.kind if issubclass(death.kind, EngineError) else WorkerCrashedError
            engine = self._settings.engine
            raise kind(f"a worker starting the engine {engine!r} {death.what}{last}{death.cure}; the log says more")


def _cause_of_death(status: int, words: str) -> _Death:
    if status == EXIT_MEMORY or any(word in words for word in _MEMORY_WORDS):
        return _Death(OutOfMemoryError, "ran out of memory", _MEMORY_CURE)
    if status == -signal.SIGKILL:
        return _Death(WorkerCrashedError, "was killed from outside, perhaps because the machine ran out of memory")
    if status < 0:
        return _Death(WorkerCrashedError, f"crashed ({signal.strsignal(-status)})")
    return _Death(WorkerCrashedError, f"stopped unasked with status {status}")


def _failure(ticket: Ticket, death: _Death) -> Answer:
    """The answer in the stead of a worker that gave none."""
    tries = f" in each of {ticket.attempts} attempts" if ticket.attempts > 1 else ""
    message = f"{ticket.place}: the worker reading it {death.what}{tries}{death.cure}"
    if not isinstance(ticket.request, Read):
        return Refused(death.kind.code, message)
    error = PageError(death.kind.code, message, death.kind.retryable)
    usage = Usage(seconds=time.monotonic() - ticket.begun, attempts=ticket.attempts)
    return Done(PageResult(ticket.request.page, PageStatus.FAILED, error=error, usage=usage))


def _kill_all(workers: list[Worker], owner: int) -> None:
    if os.getpid() == owner:  # not in a fork of the owner, where the finalizer runs too
        while workers:
            workers.pop().kill()
