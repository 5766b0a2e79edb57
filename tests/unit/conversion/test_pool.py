from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.conversion.messages import Answer, Done, Open, Opened, Read, Refused
from octavo.conversion.pool import Pool, Ticket
from octavo.document import PageStatus
from octavo.engines.engine import Task
from octavo.settings import Settings
from scripted import wait_for, write_pdf


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[Pool]:
    pool = Pool(Settings(data_dir=str(tmp_path / "data"), engine="fake", page_attempts=1), size=1)
    yield pool
    pool.close()
    assert pool._workers == []


def ask(pool: Pool, request: Open | Read) -> Answer:
    pool.submit(Ticket(request, key="mine"))
    ((ticket, answer),) = pool.wait()
    assert ticket.key == "mine"
    assert pool.in_flight == 0
    return answer


def opened(pool: Pool, path: Path) -> Opened:
    answer = ask(pool, Open(os.fsencode(path), None))
    assert isinstance(answer, Opened)
    return answer


def text_of(pool: Pool, path: Path, digest: str) -> str:
    answer = ask(pool, Read(os.fsencode(path), None, digest, 1, 1, Task()))
    assert isinstance(answer, Done)
    assert answer.result.status is PageStatus.OK
    return answer.result.blocks[0].text


def test_an_idle_pool_has_nothing_to_wait_for(pool: Pool) -> None:
    assert pool.wait() == []
    assert pool._workers == []


def test_a_worker_that_dies_idle_costs_nothing(pool: Pool, tmp_path: Path) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["text"])
    source = opened(pool, book).source
    (worker,) = pool._workers
    os.kill(worker.pid, signal.SIGKILL)
    wait_for(worker.connection.poll)
    assert text_of(pool, book, source.digest) == "this is page 1\ntext"
    assert pool._workers != [worker]


def test_a_replaced_file_is_opened_again(pool: Pool, tmp_path: Path) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["old"])
    text_of(pool, book, opened(pool, book).source.digest)
    write_pdf(book, ["new"])
    other = Pool(pool._settings, size=1)
    digest = opened(other, book).source.digest
    other.close()
    assert text_of(pool, book, digest) == "this is page 1\nnew"


def test_a_document_whose_opening_fails_is_refused(pool: Pool, tmp_path: Path) -> None:
    answer = ask(pool, Open(os.fsencode(tmp_path / "gone.pdf"), None))
    assert isinstance(answer, Refused)
    assert answer.code == "unreadable"
    assert not answer.fatal


def test_workers_have_one_thread_and_a_memory_limit(pool: Pool, tmp_path: Path) -> None:
    opened(pool, write_pdf(tmp_path / "book.pdf", [""]))
    (worker,) = pool._workers
    environ = Path(f"/proc/{worker.pid}/environ").read_bytes().split(b"\0")
    assert b"OMP_NUM_THREADS=1" in environ
    limits = Path(f"/proc/{worker.pid}/limits").read_text(encoding="ascii")
    (data,) = (line for line in limits.splitlines() if line.startswith("Max data size"))
    assert data.split()[3] == str(2 * 2048 << 20)
    assert os.getsid(worker.pid) == worker.pid != os.getsid(0)
