"""What kind of file some bytes are. Names count only where the bytes leave it open."""

from __future__ import annotations

import zipfile
from pathlib import Path

from octavo.errors import UnreadableError, UnsupportedError

PDF = "application/pdf"
TEXT = "text/plain"
MARKDOWN = "text/markdown"

_SUFFIX_KINDS = {
    ".pdf": PDF,
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jpe": "image/jpeg",
    ".jfif": "image/jpeg",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".gif": "image/gif",
    ".jp2": "image/jp2",
    ".j2k": "image/jp2",
    ".jpf": "image/jp2",
    ".jpx": "image/jp2",
    ".txt": TEXT,
    ".text": TEXT,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
}
SUFFIXES: frozenset[str] = frozenset(_SUFFIX_KINDS)  # what a folder is searched for

HEAD_BYTES = 65_536  # how much of a file `sniff` wants to see
_PDF_NEAR = 1024  # readers, PDFium among them, look for the header this far in
_BITMAP_HEADERS = frozenset({12, 16, 40, 52, 56, 64, 108, 124})

_IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"),
    (b"\xff\x4f\xff\x51", "image/jp2"),
)
_FOREIGN = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (b"{\\rtf", "a rich text (RTF) document"),
    (b"%!PS", "a PostScript file"),
    (b"\xc5\xd0\xd3\xc6", "a PostScript file"),
    (b"AT&TFORM", "a DjVu document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"\0\0\1\0", "an icon"),
    (b"8BPS", "a Photoshop image"),
    (b"ID3", "a sound file"),
)
_ZIPPED = (
    ("word/", "a Word (docx) document"),
    ("xl/", "an Excel (xlsx) workbook"),
    ("ppt/", "a PowerPoint (pptx) presentation"),
    ("META-INF/container.xml", "an EPUB book"),
    ("content.xml", "an OpenDocument file"),
)
_CURE = "convert it to PDF first"


def sniff(path: Path, head: bytes) -> str:
    """The media type of the file at `path` that begins with `head` (its first HEAD_BYTES bytes).

    Raises UnreadableError for empty files and for bytes that are no document at all, UnsupportedError for kinds of
    document that are not read.
    """
    name, suffix = path.name, path.suffix.lower()
    if not head:
        raise UnreadableError(f"{name} is empty (0 bytes); was it copied completely?")
    if kind := _image(head):
        return kind
    if b"%PDF-" in head[:_PDF_NEAR]:
        return PDF
    plain = looks_like_text(head)
    if b"%PDF-" in head and (suffix == ".pdf" or not plain):
        return PDF
    if foreign := _foreign(path, head, suffix):
        raise UnsupportedError(f"{name} is {foreign}, which is not read; {_CURE}")
    named = _SUFFIX_KINDS.get(suffix, TEXT)
    if named == PDF:
        raise UnreadableError(f"{name} is named like a PDF but has no PDF header; was it copied completely?")
    if not plain:
        raise UnreadableError(f"{name} holds neither a PDF, an image nor text that we know; is the file damaged?")
    if named.startswith("image/"):
        raise UnreadableError(f"{name} is named like an image but holds plain text; rename it to .txt to read it")
    return named


def looks_like_text(head: bytes) -> bool:
    """Whether bytes are text in some encoding: a byte order mark, or hardly any control characters."""
    if head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return True
    controls = sum(head.count(code) for code in range(32) if code not in b"\t\n\v\f\r\x1b\b")
    return b"\0" not in head and controls * 100 <= len(head)


def _image(head: bytes) -> str:
    for magic, kind in _IMAGES:
        if head.startswith(magic):
            return kind
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS:
        return "image/bmp"
    return ""


def _foreign(path: Path, head: bytes, suffix: str) -> str:
    """What a file is that we do not read, as words for a sentence; empty where it is not known."""
    for magic, words in _FOREIGN:
        if head.startswith(magic):
            return words
    if head.startswith(b"PK\x03\x04"):
        return _zipped(path)
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return "a HEIC or AVIF image" if brand[:2] in (b"he", b"mi", b"av") else "a film or sound file"
    opening = head[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if suffix not in (".txt", ".text", ".md", ".markdown"):
        if opening.startswith((b"<!doctype html", b"<html")):
            return "a web page (HTML)"
        if opening.startswith(b"<svg") or (opening.startswith(b"<?xml") and b"<svg" in opening):
            return "an SVG drawing"
    return ""


def _zipped(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return "a damaged ZIP archive"
    for start, words in _ZIPPED:
        if any(name.startswith(start) for name in names):
            return words
    return "a ZIP archive"
