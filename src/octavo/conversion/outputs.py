"""The files that a document is written to: where they go, and that they appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import TracebackType
from typing import BinaryIO

import blake3

from octavo.assembly import writers
from octavo.assembly.tables import TableFiles
from octavo.assembly.writers import FORMATS
from octavo.conversion.whole_file import WholeFile, storage_error
from octavo.document import PageResult, Source, Summary
from octavo.errors import UsageError
from octavo.intake.kinds import SUFFIXES

__all__ = ["FORMATS", "Output", "Outputs", "format_of", "plan"]

NAME_LIMIT = 255  # bytes of a file name


@dataclass(frozen=True, slots=True)
class Output:
    """One file to be written; `path` is None for standard output."""

    path: Path | None
    format: str


def format_of(path: Path) -> str:
    """The format that a file's suffix stands for. Raises UsageError where it stands for none."""
    for name, form in FORMATS.items():
        if path.suffix.lower() == form.suffix:
            return name
    known = ", ".join(form.suffix for form in FORMATS.values())
    raise UsageError(f"the name {path.name!r} does not tell the format; end it in one of {known}, or name the format")


def plan(places: Sequence[PurePath], folder: Path, formats: Sequence[str]) -> list[list[Output]]:
    """Where each document goes in `folder`: `sub/book.pdf` to `sub/book.md`. No two get the same file.

    `places` are the documents' paths below the folders they were found in. Documents that differ only in their suffix
    keep it (`book.pdf.md`), others that would collide are numbered (`book-2.md`), overlong names are cut and told
    apart by a digest. Names that differ only in case count as the same.
    """
    longest = max(len(FORMATS[name].suffix) for name in formats)
    stems = [place.with_suffix("") if place.suffix.lower() in SUFFIXES else place for place in places]
    shared = Counter(_folded(stem) for stem in stems)
    order = sorted(range(len(places)), key=lambda i: shared[_folded(stems[i])] > 1)  # unshared names stay as they are
    taken: set[str] = set()
    chosen: dict[int, PurePath] = {}
    for i in order:
        base = stems[i] if shared[_folded(stems[i])] == 1 else places[i]
        name, number = _cut(base, longest), 2
        while _folded(name) in taken:
            name, number = _cut(base, longest, f"-{number}"), number + 1
        taken.add(_folded(name))
        chosen[i] = name
    return [
        [Output(folder / chosen[i].with_name(chosen[i].name + FORMATS[name].suffix), name) for name in formats]
        for i in range(len(places))
    ]


def _folded(place: PurePath) -> str:
    return str(place).casefold()


def _cut(place: PurePath, room: int, end: str = "") -> PurePath:
    """The place with `end` added to its name, which is cut to leave `room` bytes for a suffix."""
    name = place.name + end
    if len(os.fsencode(name)) + room > NAME_LIMIT:
        end = f"-{blake3.blake3(os.fsencode(place.name)).hexdigest(4)}{end}"
        name = place.name
        while len(os.fsencode(name + end)) + room > NAME_LIMIT:
            name = name[:-1]
        name += end
    return place.with_name(name)


class Outputs:
    """One document written to several files at the same time. Leaving its `with` without `finish` removes them all."""

    def __init__(self, targets: Sequence[Output], *, keep_furniture: bool = False, tables: Path | None = None) -> None:
        """Opens the files; raises StorageError, or UsageError for an unknown format.

        `tables` is where the document's tables go as files of their own: `<tables>-p003-t1.csv` and so on.
        """
        self._files: list[WholeFile] = []
        self._complete: list[WholeFile] = []  # and closed
        self._writers: list[tuple[Output, writers.Writer]] = []
        try:
            for target in targets:
                writer = writers.create(target.format, self._stream(target.path), keep_furniture=keep_furniture)
                self._writers.append((target, writer))
            if tables is not None:
                beside = Output(tables, "csv")
                self._writers.append((beside, TableFiles(tables.name, self._beside(tables.parent))))
        except BaseException:
            self._discard()
            raise

    def begin(self, source: Source) -> None:
        for target, writer in self._writers:
            with _named(target):
                writer.begin(source)

    def page(self, result: PageResult) -> None:
        for target, writer in self._writers:
            with _named(target):
                writer.page(result)

    def finish(self, summary: Summary) -> None:
        """Complete the files and let them appear."""
        for target, writer in self._writers:
            with _named(target):
                writer.end(summary)
                if target.path is None:
                    sys.stdout.buffer.flush()
        for file in self._files:
            file.complete()
        for file in self._files + self._complete:
            file.appear()

    def _beside(self, folder: Path) -> Callable[[str], AbstractContextManager[BinaryIO]]:
        """Opens files in a folder that appear with the others. Each is complete when its context is left, and none
        stays open: a document may have thousands of tables."""

        @contextlib.contextmanager
        def place(name: str) -> Iterator[BinaryIO]:
            file = WholeFile(folder / name)
            self._complete.append(file)
            yield file.stream
            file.complete()
            file.stream.close()

        return place

    def _stream(self, path: Path | None) -> BinaryIO:
        if path is None:
            sys.stdout.flush()
            return sys.stdout.buffer
        file = WholeFile(path)
        self._files.append(file)
        return file.stream

    def _discard(self) -> None:
        for file in self._files + self._complete:
            file.discard()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._discard()


@contextlib.contextmanager
def _named(target: Output) -> Iterator[None]:
    """Turn the OSError of a write into a StorageError that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise storage_error(fault, target.path or "standard output") from fault
