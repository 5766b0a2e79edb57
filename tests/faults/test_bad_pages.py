"""A page that makes its worker misbehave costs that page, and nothing else."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from octavo.conversion import Conversion, convert
from octavo.document import PageStatus
from octavo.settings import Settings
from scripted import lines, write_pdf


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the engine was asked to read, over all processes."""
    path = tmp_path / "read.log"
    monkeypatch.setenv("FAKE_ENGINE_LOG", str(path))
    return path


def strict(folder: Path, **changes: object) -> Settings:
    values = {"engine": "fake", "workers": 2, "page_timeout": 60.0, "worker_memory_mb": 512, **changes}
    return dataclasses.replace(Settings(data_dir=str(folder)), **values)  # type: ignore[arg-type]


def reading(tmp_path: Path, *pages: str, **changes: object) -> Conversion:
    return convert(write_pdf(tmp_path / "book.pdf", pages), settings=strict(tmp_path, **changes))


@pytest.mark.parametrize(
    ("deed", "code", "attempts"),
    [
        ("crash", "worker-crashed", 2),
        ("exit", "worker-crashed", 2),
        ("babble", "worker-crashed", 2),
        ("hang", "page-timeout", 2),
        ("oom", "out-of-memory", 2),
        ("bomb", "out-of-memory", 2),
        ("retry", "engine", 2),
        ("raise", "internal", 1),
        ("refuse", "image-too-large", 1),
        ("garbage", "engine", 1),
        ("wrong", "engine", 1),
        ("none", "engine", 1),
        ("twice", "engine", 1),
        ("nan", "engine", 1),
    ],
)
def test_a_bad_page_is_reported_and_the_others_are_read(
    tmp_path: Path, log: Path, deed: str, code: str, attempts: int
) -> None:
    timeout = 3.0 if deed == "hang" else 60.0
    conversion = reading(tmp_path, "", f"fake: {deed}", "", "", page_timeout=timeout)
    first, bad, *rest = list(conversion)
    assert [page.status for page in (first, *rest)] == [PageStatus.OK] * 3
    assert [page.page for page in (first, bad, *rest)] == [1, 2, 3, 4]
    assert bad.status is PageStatus.FAILED
    assert bad.error is not None
    assert bad.error.code == code
    assert "book.pdf, page 2" in bad.error.message
    assert bad.usage.attempts == attempts
    assert sum(deed in line for line in lines(log)) == attempts
    assert conversion.summary is not None
    assert (conversion.summary.ok, conversion.summary.failed_pages) == (3, (2,))


@pytest.mark.parametrize("deed", ["crash", "exit", "hang", "bomb", "retry"])
def test_a_page_that_goes_wrong_once_is_read_in_the_second_attempt(tmp_path: Path, log: Path, deed: str) -> None:
    timeout = 3.0 if deed == "hang" else 60.0
    pages = list(reading(tmp_path, "", f"fake: {deed} 1", "", page_timeout=timeout))
    assert [page.status for page in pages] == [PageStatus.OK] * 3
    assert [page.usage.attempts for page in pages] == [1, 2, 1]


def test_the_number_of_attempts_is_a_setting(tmp_path: Path, log: Path) -> None:
    pages = list(reading(tmp_path, "fake: crash 2", "fake: crash 3", page_attempts=3))
    assert [page.status for page in pages] == [PageStatus.OK, PageStatus.FAILED]
    assert [page.usage.attempts for page in pages] == [3, 3]


def test_failed_pages_are_not_cached(tmp_path: Path, log: Path) -> None:
    first = list(reading(tmp_path, "", "fake: raise 1"))
    second = list(reading(tmp_path, "", "fake: raise 1"))
    assert [page.status for page in first] == [PageStatus.OK, PageStatus.FAILED]
    assert [(page.status, page.usage.cached) for page in second] == [(PageStatus.OK, True), (PageStatus.OK, False)]


def test_a_worker_is_replaced_after_its_share_of_pages(tmp_path: Path, log: Path) -> None:
    conversion = reading(tmp_path, *[""] * 12, workers=1, worker_pages=5)
    seen = set()
    for page in conversion:
        assert page.status is PageStatus.OK
        seen.update(worker.pid for worker in conversion._pool._workers)
    assert len(seen) == 3


DEEDS = ["", "fake: blank", "fake: crash", "fake: crash 1", "fake: raise", "fake: none", "fake: bomb 1", "fake: exit"]
STATUS = {"": "ok", "fake: blank": "blank", "fake: crash 1": "ok", "fake: bomb 1": "ok"}


@examples(max_examples=6, deadline=None)
@given(st.lists(st.sampled_from(DEEDS), min_size=1, max_size=7))
def test_as_many_pages_come_out_as_went_in(deeds: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAKE_ENGINE_LOG", f"{folder}/read.log")
        conversion = reading(Path(folder), *deeds)
        pages = list(conversion)
    assert [page.page for page in pages] == list(range(1, len(deeds) + 1))
    assert [page.status.value for page in pages] == [STATUS.get(deed, "failed") for deed in deeds]
    summary = conversion.summary
    assert summary is not None
    assert summary.pages == len(deeds) == summary.ok + summary.blank + summary.failed
