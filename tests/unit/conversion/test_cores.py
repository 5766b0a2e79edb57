from __future__ import annotations

from pathlib import Path

import pytest

from octavo.conversion import cores


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2.0),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
    ],
)
def test_the_quota_of_a_container(tmp_path: Path, files: dict[str, str], expected: float | None) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="ascii")
    assert cores._quota(tmp_path) == expected


@pytest.mark.parametrize(("quota", "expected"), [(None, 8), (1.5, 2), (0.1, 1), (64.0, 8)])
def test_the_smaller_of_quota_and_affinity_counts(
    monkeypatch: pytest.MonkeyPatch, quota: float | None, expected: int
) -> None:
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda pid: set(range(8)))
    monkeypatch.setattr(cores, "_quota", lambda root: quota)
    assert cores.cores() == expected
