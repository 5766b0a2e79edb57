from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from octavo.conversion.whole_file import WholeFile
from octavo.errors import DiskFullError, StorageError


def put(path: Path, content: bytes) -> None:
    file = WholeFile(path)
    file.stream.write(content)
    file.complete()
    file.appear()
    file.discard()


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.md"
    put(path, b"first")
    put(path, b"second")
    assert path.read_bytes() == b"second"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.md"]
    assert path.stat().st_mode & 0o600 == 0o600


def test_the_longest_name_has_room_for_the_hidden_file(tmp_path: Path) -> None:
    path = tmp_path / ("目" * 84 + ".md")
    assert len(os.fsencode(path.name)) == 255
    put(path, b"text")
    assert path.read_bytes() == b"text"


def test_a_discarded_file_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    file = WholeFile(path)
    file.stream.write(b"new")
    file.discard()
    file.discard()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_runs_do_not_write_the_same_file_at_once(tmp_path: Path) -> None:
    first = WholeFile(tmp_path / "a.md")
    with pytest.raises(StorageError, match="another run"):
        WholeFile(tmp_path / "a.md")
    other = WholeFile(tmp_path / "b.md")
    other.discard()
    first.discard()
    put(tmp_path / "a.md", b"text")


def test_what_a_killed_run_left_is_taken_over(tmp_path: Path) -> None:
    first = WholeFile(tmp_path / "a.md")
    first.stream.write(b"long and unfinished")
    first.stream.close()  # as the kernel does for a killed process
    assert len(list(tmp_path.iterdir())) == 1
    put(tmp_path / "a.md", b"text")
    assert (tmp_path / "a.md").read_bytes() == b"text"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "a.md").symlink_to(tmp_path / "far" / "b.md")
    put(tmp_path / "a.md", b"text")
    assert (tmp_path / "a.md").is_symlink()
    assert (tmp_path / "far" / "b.md").read_bytes() == b"text"


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    put(Path(os.devnull), b"text")
    assert not Path(os.devnull).is_file()


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = WholeFile(tmp_path / "a.md")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError, match=r"a\.md"):
        file.complete()
    file.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_full_device_is_told() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    file = WholeFile(full)
    file.stream.write(b"text")
    with pytest.raises(DiskFullError):
        file.complete()
    file.discard()


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        WholeFile(tmp_path / "file" / "a.md")
    with pytest.raises(StorageError, match="cannot be written"):
        WholeFile(tmp_path)
