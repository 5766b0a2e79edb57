from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.document import Block, Kind, PageResult, PageStatus, Stamp
from octavo.engines.engine import Task
from octavo.storage.cache import PageCache, cache_key

STAMP = Stamp("fake", "1", "digest", "python", {"tier": "standard"})
RESULT = PageResult(
    3, PageStatus.OK, 10.0, 20.0, blocks=(Block(Kind.TEXT, (0.0, 0.0, 1.0, 1.0), "目 text"),), stamp=STAMP
)


def key(number: int) -> str:
    return cache_key(f"{number:064x}", Task(), STAMP)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_put_can_be_got(tmp_path: Path) -> None:
    cache = PageCache(tmp_path / "cache")
    assert cache.get(key(1)) is None
    cache.put(key(1), RESULT)
    assert cache.get(key(1)) == RESULT
    assert PageCache(tmp_path / "cache").get(key(1)) == RESULT
    assert cache.get(key(2)) is None


def test_the_key_depends_on_page_task_and_stamp() -> None:
    keys = {
        cache_key("a", Task(), STAMP),
        cache_key("b", Task(), STAMP),
        cache_key("a", Task(dpi=300), STAMP),
        cache_key("a", Task(lang=("rus",)), STAMP),
        cache_key("a", Task(), Stamp("fake", "2", "digest", "python", {"tier": "standard"})),
        cache_key("a", Task(), Stamp("fake", "1", "digest", "python", {"tier": "fast"})),
        cache_key("a", Task(), Stamp("fake", "1", "digest", "python", {"tier": "standard", "more": "1"})),
    }
    assert len(keys) == 7


def test_the_key_does_not_depend_on_the_order_of_settings() -> None:
    one = Stamp("fake", "1", "digest", "python", {"a": "1", "b": "2"})
    two = Stamp("fake", "1", "digest", "python", {"b": "2", "a": "1"})
    assert cache_key("a", Task(), one) == cache_key("a", Task(), two)


def test_failed_results_are_not_kept(tmp_path: Path) -> None:
    cache = PageCache(tmp_path)
    cache.put(key(1), PageResult(1, PageStatus.FAILED))
    assert cache.get(key(1)) is None
    assert files(tmp_path) == []


@given(st.binary(max_size=40) | st.integers(0, 200).map(lambda cut: cut))
def test_a_damaged_entry_is_removed(tmp_path_factory: pytest.TempPathFactory, damage: bytes | int) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = PageCache(folder)
    cache.put(key(1), RESULT)
    (path,) = files(folder)
    whole = path.read_bytes()
    path.write_bytes(damage if isinstance(damage, bytes) else whole[: damage % len(whole)])
    assert cache.get(key(1)) is None
    assert files(folder) == []
    cache.put(key(1), RESULT)
    assert cache.get(key(1)) == RESULT


def test_the_longest_unused_are_pruned_first(tmp_path: Path) -> None:
    cache = PageCache(tmp_path)
    for number in range(4):
        cache.put(key(number), RESULT)
    sizes = {number: cache._path(key(number)).stat().st_blocks * 512 for number in range(4)}
    for number, path in enumerate(cache._path(key(number)) for number in range(4)):
        os.utime(path, (1000 + number, 1000 + number))
    assert cache.get(key(0)) == RESULT  # used just now
    assert cache.prune(sum(sizes.values())) == 0
    assert cache.prune(sizes[0] + sizes[3]) == sizes[1] + sizes[2]
    assert [cache.get(key(number)) is not None for number in range(4)] == [True, False, False, True]
    cache.prune(0)
    assert files(tmp_path) == []


def test_a_large_cache_is_judged_by_a_sample(tmp_path: Path) -> None:
    cache = PageCache(tmp_path)
    for shard in range(256):
        (tmp_path / f"{shard:02x}").mkdir()
        (tmp_path / f"{shard:02x}" / "entry").write_bytes(b"x" * 4096)
    total = sum(path.stat().st_blocks * 512 for path in files(tmp_path))
    assert cache.prune(2 * total) == 0
    assert cache.prune(total // 2) >= total // 2
    assert len(files(tmp_path)) <= 128


def test_pruning_touches_only_the_cache(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.pdf").write_bytes(b"x" * 10_000)
    (tmp_path / "ab.txt").touch()
    PageCache(tmp_path).prune(0)
    assert len(files(tmp_path)) == 2


def test_what_a_killed_writer_left_goes_with_time(tmp_path: Path) -> None:
    cache = PageCache(tmp_path)
    cache.put(key(1), RESULT)
    shard = cache._path(key(1)).parent
    (shard / "fresh.part").touch()
    (shard / "stale.part").touch()
    os.utime(shard / "stale.part", (time.time() - 7200,) * 2)
    cache.prune(1 << 30)
    assert sorted(path.name for path in files(tmp_path)) == sorted(["fresh.part", cache._path(key(1)).name])


def test_a_disk_that_refuses_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    cache = PageCache(tmp_path / "file")
    with caplog.at_level(logging.WARNING):
        cache.put(key(1), RESULT)
        cache.put(key(2), RESULT)
    assert len(caplog.records) == 1
    assert cache.get(key(1)) is None
    assert cache.prune(0) == 0


def test_a_full_disk_leaves_no_half_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    PageCache(tmp_path).put(key(1), RESULT)
    assert files(tmp_path) == []
