"""Damaged PDFs that PDFium gives up on: junk before the header, or a lost end.

PDFium rebuilds the table of objects by itself as long as it finds the header at the beginning and a trailer. What is
missing of these is put back on a copy; the objects stay as they are.
"""

from __future__ import annotations

import ctypes
import mmap
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_LEAF = re.compile(rb"/Type\s*/Page\b(?!s)")
_OBJECT = re.compile(rb"(?:^|(?<=[\s>]))(\d{1,7})\s+(\d{1,5})\s+obj\b")
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_MOST_UNPACKED = 64 << 20  # bytes of object streams; those of a book of 5,000 pages have 20 MB
_REACH = 1 << 16  # bytes before a /Type key in which the beginning of its object is looked for


class Copy:
    """A mended copy in an unnamed temporary file, so that nothing is left behind by a killed process.

    `view` is its bytes as a ctypes array, mapped, not read; it is valid until `close`.
    """

    def __init__(self, path: Path, start: int, end: int, tail: bytes) -> None:
        with path.open("rb") as source, tempfile.TemporaryFile(prefix="octavo-") as target:
            source.seek(start)
            shutil.copyfileobj(source, target, 1 << 20)
            target.truncate(end - start)
            target.seek(end - start)
            target.write(tail)
            target.flush()
            self._map = mmap.mmap(target.fileno(), 0, access=mmap.ACCESS_COPY)
        self.view = (ctypes.c_ubyte * len(self._map)).from_buffer(self._map)

    def close(self) -> None:
        del self.view
        try:
            self._map.close()
        except BufferError:  # PDFium's wrapper still holds the view; the mapping goes when it does
            del self._map


def mended(path: Path) -> Copy | None:
    """A copy of the PDF at `path` with what its ends lack; None where nothing can be put back.

    Raises OSError where the file cannot be read or the copy has no room.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        start = max(content.find(b"%PDF-", 0, 1 << 16), 0)
        end, tail = len(content), _lost_trailer(content)
        whole = content.rfind(b"endobj") + len(b"endobj")
        if tail and content.find(b"stream", whole) >= 0:
            tail = b"\nendstream\nendobj\n" + tail  # the beginning of a picture is worth having
        elif tail:
            end = whole
    return Copy(path, start, end, tail) if start or tail else None


def _lost_trailer(content: mmap.mmap) -> bytes:
    """A trailer, and a page tree where that is lost too. Empty where there is one or none can be made."""
    whole = re.search(rb"trailer\s*<<.{0,4096}?/Root\b", content, re.DOTALL) or re.search(rb"/Type\s*/XRef\b", content)
    # Without the trailer's key the text of an encrypted file would come out as noise.
    if whole or re.search(rb"/Filter\s*/Standard\b", content):
        return b""
    packed = b"".join(_unpacked(content))
    catalogs = _owners(content, _CATALOG) + _owners(packed, _CATALOG)
    if catalogs:
        return b"\n%s\ntrailer\n<< /Root %d %d R >>\n%%%%EOF\n" % (packed, *catalogs[-1])
    leaves = _owners(content, _LEAF) + _owners(packed, _LEAF)
    if not leaves:
        return b""
    free = max(int(found[1]) for part in (content, packed) for found in _OBJECT.finditer(part)) + 1
    kids = b" ".join(b"%d %d R" % leaf for leaf in leaves)
    return (
        b"\n%s\n%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj\n" % (packed, free, len(leaves), kids)
        + b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (free + 1, free)
        + b"trailer\n<< /Root %d 0 R /Size %d >>\n%%%%EOF\n" % (free + 1, free + 2)
    )


def _unpacked(content: mmap.mmap) -> Iterator[bytes]:
    """The objects inside object streams, written out: PDFium finds those only through the table that is lost."""
    left = _MOST_UNPACKED
    for key in _PACKED.finditer(content):
        start = content.find(b"stream", key.end(), key.end() + _REACH)
        head = content[max(key.start() - 1024, 0) : max(start, 0)]
        head = head[head.rfind(b" obj") :]
        first, number = re.search(rb"/First\s+(\d+)", head), re.search(rb"/N\s+(\d+)", head)
        if start < 0 or not first or not number or b"/DecodeParms" in head:
            continue
        end = content.find(b"endstream", start)
        data = content[start + len(b"stream") : end if end >= 0 else len(content)].lstrip(b"\r\n")
        if b"/FlateDecode" in head:
            try:
                data = zlib.decompressobj().decompress(data, left)
            except zlib.error:
                continue
        left -= len(data)
        if left <= 0:
            return
        yield from _written_out(data, int(first[1]), int(number[1]))


def _written_out(data: bytes, first: int, number: int) -> Iterator[bytes]:
    """An object stream begins with pairs of object number and offset from `first`; offsets ascend."""
    pairs = [int(word) for word in data[:first].split()[: 2 * number] if word.isdigit()]
    offsets = [*pairs[1::2], len(data) - first]
    for name, begin, end in zip(pairs[::2], offsets, offsets[1:], strict=False):
        yield b"%d 0 obj\n%s\nendobj\n" % (name, data[first + begin : first + end])


def _owners(content: mmap.mmap | bytes, key: re.Pattern[bytes]) -> list[tuple[int, int]]:
    """Number and generation of each object that holds `key`, in the order of the file."""
    owners: dict[tuple[int, int], None] = {}
    for found in key.finditer(content):
        before = content[max(found.start() - _REACH, 0) : found.start()]
        heads = list(_OBJECT.finditer(before[before.rfind(b"endobj") + 1 :]))
        if heads:
            owners[int(heads[-1][1]), int(heads[-1][2])] = None
    return list(owners)
