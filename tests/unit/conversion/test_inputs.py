from __future__ import annotations

from pathlib import Path

import pytest

from octavo.conversion.inputs import find
from octavo.errors import UnreadableError


def touch(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return folder


def test_a_folder_is_searched_in_order(tmp_path: Path) -> None:
    folder = touch(tmp_path / "in", "b.pdf", "a.PNG", "z/é目.txt", "c.docx", ".hidden.pdf", ".git/d.pdf", "out/b.md")
    found = find([folder], leave_out=folder / "out")
    assert [str(document.place) for document in found] == ["a.PNG", "b.pdf", "z/é目.txt"]
    assert [document.path for document in found] == [folder / "a.PNG", folder / "b.pdf", folder / "z/é目.txt"]


def test_several_folders_are_told_apart(tmp_path: Path) -> None:
    one, two = touch(tmp_path / "one", "a.pdf"), touch(tmp_path / "two", "a.pdf")
    assert [str(document.place) for document in find([one, two])] == ["one/a.pdf", "two/a.pdf"]


def test_a_document_named_twice_is_read_once(tmp_path: Path) -> None:
    folder = touch(tmp_path / "in", "a.pdf")
    assert len(find([folder / "a.pdf", folder, folder / "." / "a.pdf"])) == 1


def test_files_are_taken_as_they_are(tmp_path: Path) -> None:
    assert [str(document.place) for document in find([tmp_path / "gone.xyz"])] == ["gone.xyz"]


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="holds no document"):
        find([tmp_path])
