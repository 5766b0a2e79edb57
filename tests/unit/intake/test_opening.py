from __future__ import annotations

import os
from pathlib import Path

import blake3
import pytest

from octavo.errors import FileTooLargeError, UnreadableError
from octavo.intake import open_source
from octavo.settings import Settings


def test_the_source_says_what_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "größe 大.txt"
    path.write_text("x" * 70_000, "utf-8")
    source = open_source(path, Settings()).source
    assert (source.name, source.media_type, source.bytes) == ("größe 大.txt", "text/plain", 70_000)
    assert source.digest == "blake3:" + blake3.blake3(b"x" * 70_000).hexdigest()


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate((1 << 20) + 1)
    with pytest.raises(FileTooLargeError, match="max_file_mb"):
        open_source(path, Settings(max_file_mb=1))


def test_what_is_no_file_is_unreadable(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, word in (("none.pdf", "does not exist"), ("", "not a file"), ("pipe", "not a file")):
        with pytest.raises(UnreadableError, match=word):
            open_source(tmp_path / name, Settings())


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_page_the_document_does_not_have_is_an_error(tmp_path: Path, number: int) -> None:
    path = tmp_path / "one.txt"
    path.write_text("one page")
    with pytest.raises(UnreadableError, match=f"no page {number}"):
        open_source(path, Settings()).page(number)
