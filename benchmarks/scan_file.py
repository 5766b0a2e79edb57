"""A PDF of scanned pages, written page by page: one JPEG picture fills each page, and nothing is kept in memory."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import BinaryIO

_CATALOG, _PAGES = 1, 2  # object numbers; each page takes the next three


class ScanFile:
    """Writes the file at `path`; leaving its `with` completes it. Objects are those of ISO 32000-1, 7.3 and 7.5."""

    def __init__(self, path: Path) -> None:
        self._out: BinaryIO = path.open("wb")
        self._offsets: dict[int, int] = {}  # object number to its place in the file
        self.pages = 0
        self._out.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._out.tell()

    def add(self, jpeg: bytes, width: int, height: int, dpi: float) -> None:
        """Append a page with a grey picture of width x height pixels at `dpi`."""
        page = _PAGES + 1 + 3 * self.pages
        image, content = page + 1, page + 2
        across, down = width / dpi * 72, height / dpi * 72
        self._object(
            page,
            f"<</Type/Page/Parent {_PAGES} 0 R/MediaBox[0 0 {across:.2f} {down:.2f}]/Contents {content} 0 R"
            f"/Resources<</XObject<</Scan {image} 0 R>>>>>>",
        )
        kind = f"/Type/XObject/Subtype/Image/Width {width}/Height {height}"
        self._object(image, f"<<{kind}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode", jpeg)
        self._object(content, "<<", f"{across:.2f} 0 0 {down:.2f} 0 0 cm /Scan Do".encode())
        self.pages += 1

    def _object(self, number: int, head: str, stream: bytes | None = None) -> None:
        """`head` is the whole object, or the open dictionary of `stream`."""
        self._offsets[number] = self._out.tell()
        self._out.write(f"{number} 0 obj\n{head}".encode())
        if stream is not None:
            self._out.write(f"/Length {len(stream)}>>stream\n".encode() + stream + b"\nendstream")
        self._out.write(b"\nendobj\n")

    def _complete(self) -> None:
        kids = " ".join(f"{_PAGES + 1 + 3 * page} 0 R" for page in range(self.pages))
        self._object(_PAGES, f"<</Type/Pages/Count {self.pages}/Kids[{kids}]>>")
        self._object(_CATALOG, f"<</Type/Catalog/Pages {_PAGES} 0 R>>")
        table = self._out.tell()
        size = len(self._offsets) + 1
        self._out.write(f"xref\n0 {size}\n0000000000 65535 f \n".encode())
        for number in range(1, size):
            self._out.write(f"{self._offsets[number]:010d} 00000 n \n".encode())
        self._out.write(f"trailer\n<</Size {size}/Root {_CATALOG} 0 R>>\nstartxref\n{table}\n%%EOF\n".encode())

    def __enter__(self) -> ScanFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._out:
            if kind is None:
                self._complete()
