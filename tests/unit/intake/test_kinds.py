from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from octavo.errors import UnreadableError, UnsupportedError
from octavo.intake import SUFFIXES
from octavo.intake.kinds import sniff

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.pdf", b"%PDF-1.7\n", "application/pdf"),
        ("a.txt", PNG, "image/png"),  # bytes decide, not names
        ("a.png", b"%PDF-1.4", "application/pdf"),
        ("a", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("a", b"II*\0\x08\0\0\0", "image/tiff"),
        ("a", b"MM\0*\0\0\0\x08", "image/tiff"),
        ("a", b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        ("a", b"GIF89a\1\0\1\0", "image/gif"),
        ("a", b"BM" + bytes(12) + b"\x28\0\0\0" + bytes(20), "image/bmp"),
        ("a", b"\xff\x4f\xff\x51\0", "image/jp2"),
        ("a.pdf", b"x" * 3000 + b"%PDF-1.4", "application/pdf"),
        ("a", bytes(3000) + b"%PDF-1.4", "application/pdf"),
        ("notes.txt", b"x" * 3000 + b"%PDF-1.4 is how a PDF begins", "text/plain"),
        ("a.md", b"# Title\n", "text/markdown"),
        ("README", "Grüße".encode(), "text/plain"),
        ("a.txt", b"BM is a word too, and this is text", "text/plain"),
        ("a.txt", b"<html> as text", "text/plain"),
        ("a.txt", "\ufeffx".encode("utf-16"), "text/plain"),
    ],
)
def test_kind_comes_from_the_bytes(name: str, head: bytes, kind: str) -> None:
    assert sniff(Path(name), head) == kind


@pytest.mark.parametrize(
    ("name", "head", "word"),
    [
        ("a.pdf", b"", "empty"),
        ("a.pdf", b"%PDX", "no PDF header"),
        ("a.png", b"just some words", "plain text"),
        ("a.bin", bytes(range(256)), "neither"),
        ("a.txt", b"text with a \0 in it", "neither"),
    ],
)
def test_what_is_no_document_is_unreadable(name: str, head: bytes, word: str) -> None:
    with pytest.raises(UnreadableError, match=word):
        sniff(Path(name), head)


@pytest.mark.parametrize(
    ("head", "word"),
    [(b"{\\rtf1", "RTF"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"), (b"<!DOCTYPE html><p>", "HTML"),
     (b"\0\0\0\x18ftypheic", "HEIC"), (b"%!PS-Adobe", "PostScript"), (b"\x1f\x8b\x08", "gzip")],
)  # fmt: skip
def test_documents_that_are_not_read_are_named(head: bytes, word: str) -> None:
    with pytest.raises(UnsupportedError, match=word):
        sniff(Path("a.bin"), head)


def test_office_files_are_told_from_other_archives(tmp_path: Path) -> None:
    for member, word in (("word/document.xml", "Word"), ("xl/workbook.xml", "Excel"), ("a.txt", "ZIP archive")):
        path = tmp_path / "packed"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, "x")
        with pytest.raises(UnsupportedError, match=word):
            sniff(path, path.read_bytes())


def test_folders_are_searched_for_what_is_read() -> None:
    assert {
        ".pdf",
        ".png",
        ".jpg",
        ".jpeg",
        ".tif",
        ".tiff",
        ".webp",
        ".bmp",
        ".gif",
        ".jp2",
        ".txt",
        ".md",
    } <= SUFFIXES


def test_the_parent_gets_ranges_and_suffixes_without_the_heavy_libraries() -> None:
    code = (
        "import sys, octavo.intake as i; i.parse_pages('1', 1); i.SUFFIXES; "
        "print(sorted({'numpy', 'PIL', 'pypdfium2', 'blake3', 'cv2'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
