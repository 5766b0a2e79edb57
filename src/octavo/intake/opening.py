"""From a path to a document whose pages can be asked for one at a time."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Protocol

import blake3

from octavo.document import Page, Source
from octavo.errors import FileTooLargeError, UnreadableError
from octavo.intake import kinds
from octavo.settings import MIB, Settings


class Opened(Protocol):
    """An open document. Not for use by several threads."""

    @property
    def source(self) -> Source: ...

    def page(self, number: int) -> Page:
        """Page `number`, 1-based. Raises an InputError that concerns this page only."""

    def close(self) -> None:
        """Release the file. Pages taken from it can no longer be rendered."""


def open_source(path: Path, settings: Settings, password: str | None = None) -> Opened:
    """Open the document at `path`, whatever kind its bytes are.

    Only worker processes call this: the libraries below can be crashed by hostile files.
    Raises UnreadableError, UnsupportedError, FileTooLargeError, ImageTooLargeError, DecompressionBombError,
    PasswordRequiredError or PasswordWrongError.
    """
    path = Path(path)
    size, head, digest = _read_through(path, settings)
    media_type = kinds.sniff(path, head)
    source = Source(name=path.name, media_type=media_type, bytes=size, digest=digest)
    # Each kind brings libraries of 20 to 60 MB along, so only the one that is needed is loaded.
    if media_type == kinds.PDF:
        from octavo.intake.pdf import PdfFile

        return PdfFile(path, source, settings, password)
    if media_type.startswith("image/"):
        from octavo.intake.images import PictureFile

        return PictureFile(path, source, settings)
    from octavo.intake.text import TextFile

    return TextFile(path, source)


def _read_through(path: Path, settings: Settings) -> tuple[int, bytes, str]:
    """Size, beginning and digest of a file, read once as a stream."""
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            raise UnreadableError(f"{path} is not a file")
        if info.st_size > settings.max_file_mb * MIB:
            raise FileTooLargeError(
                f"{path.name} has {info.st_size / MIB:.0f} MiB, more than the {settings.max_file_mb} MiB allowed; "
                "raise max_file_mb or split the file"
            )
        digest = blake3.blake3()
        with path.open("rb") as file:
            head = file.read(kinds.HEAD_BYTES)
            digest.update(head)
            while chunk := file.read(MIB):
                digest.update(chunk)
    except FileNotFoundError:
        raise UnreadableError(f"{path} does not exist") from None
    except OSError as fault:
        raise UnreadableError(f"{path} cannot be read: {fault.strerror or fault}") from None
    return info.st_size, head, f"blake3:{digest.hexdigest()}"
