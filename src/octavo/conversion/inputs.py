"""From the files and folders that were named to the documents in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from octavo.errors import UnreadableError
from octavo.intake.kinds import SUFFIXES


@dataclass(frozen=True, slots=True)
class Found:
    """A document. `place` is its path below the folder it was found in, or its name."""

    path: Path
    place: PurePath


def find(named: Sequence[Path], leave_out: Path | None = None) -> list[Found]:
    """The documents named, each once: files as they are, folders searched to the bottom for names with a known suffix.

    Hidden files and the folder `leave_out` (that of the outputs) are passed over, links to folders not followed. What
    several folders hold lies below their names; equal names are told apart by `plan`. A file that does not exist counts
    as a document: opening it will tell. Raises UnreadableError for a folder that cannot be listed or holds no document.
    """
    found: dict[str, Found] = {}
    for path in named:
        documents = _in_folder(path, leave_out, len(named) > 1) if path.is_dir() else [Found(path, PurePath(path.name))]
        for document in documents:
            found.setdefault(os.path.abspath(document.path), document)
    return list(found.values())


def _in_folder(folder: Path, leave_out: Path | None, prefixed: bool) -> list[Found]:
    def fail(fault: OSError) -> None:
        raise UnreadableError(f"the folder {fault.filename} cannot be listed: {fault.strerror}") from fault

    top = PurePath(folder.absolute().name) if prefixed else PurePath()
    found = []
    for parent, folders, names in os.walk(folder, onerror=fail):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if name[0] != "." and not _same(here / name, leave_out))
        for name in sorted(names):
            if name[0] != "." and Path(name).suffix.lower() in SUFFIXES:
                found.append(Found(here / name, top / (here / name).relative_to(folder)))
    if not found:
        raise UnreadableError(f"the folder {folder} holds no document; known suffixes: {', '.join(sorted(SUFFIXES))}")
    return found


def _same(path: Path, other: Path | None) -> bool:
    return other is not None and os.path.realpath(path) == os.path.realpath(other)
