"""An engine that cannot be loaded ends the conversion with its own error, after at most two attempts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from octavo.conversion import convert, pool
from octavo.errors import EngineError, ModelMissingError, OctavoError, OutOfMemoryError, UsageError, WorkerCrashedError
from octavo.settings import Settings
from scripted import lines, write_pdf


def fake(folder: Path, **changes: object) -> Settings:
    values = {"engine": "fake", "workers": 2, "worker_memory_mb": 512, **changes}
    return dataclasses.replace(Settings(data_dir=str(folder)), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("start", "error"),
    [
        ("missing", ModelMissingError),
        ("raise", EngineError),
        ("crash", WorkerCrashedError),
        ("exit", WorkerCrashedError),
        ("hang", WorkerCrashedError),
        ("oom", OutOfMemoryError),
        ("bomb", OutOfMemoryError),
    ],
)
def test_an_engine_that_does_not_load_ends_the_conversion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, error: type[OctavoError], workers: int
) -> None:
    monkeypatch.setenv("FAKE_ENGINE_START", start)
    if start == "hang":
        monkeypatch.setattr(pool, "START_TIMEOUT", 1.0)
    conversion = convert(write_pdf(tmp_path / "book.pdf", [""] * 50), settings=fake(tmp_path, workers=workers))
    with pytest.raises(OctavoError) as caught:
        list(conversion)
    assert type(caught.value) is error
    assert "fake" in caught.value.message
    assert conversion._pool._workers == []


def test_an_unknown_engine_is_a_usage_error(tmp_path: Path) -> None:
    conversion = convert(write_pdf(tmp_path / "book.pdf", [""]), settings=fake(tmp_path, engine="nonesuch"))
    with pytest.raises(UsageError, match="nonesuch"):
        list(conversion)


def test_a_cached_document_needs_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "read.log"
    monkeypatch.setenv("FAKE_ENGINE_LOG", str(log))
    book = write_pdf(tmp_path / "book.pdf", ["one", "two"])
    fresh = list(convert(book, settings=fake(tmp_path)))
    monkeypatch.setenv("FAKE_ENGINE_START", "crash")
    renamed = book.rename(tmp_path / "renamed.pdf")
    again = list(convert(renamed, settings=fake(tmp_path)))
    assert [page.usage.cached for page in again] == [True, True]
    assert [page.blocks for page in again] == [page.blocks for page in fresh]
    assert len(lines(log)) == 2
