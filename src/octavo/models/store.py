"""The weights on disk: `<models_dir>/<name>/<version>/<file>`, and whether they are what the catalogue says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from octavo.errors import ModelDamagedError, ModelMissingError, StorageError, UsageError
from octavo.models import catalogue
from octavo.models.catalogue import Member, Model
from octavo.settings import Settings


class State(StrEnum):
    """How a file on disk compares with the catalogue."""

    OK = "ok"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Checked:
    """One file of a model after a look at it; `fault` says what is wrong and how to mend it, or is empty."""

    model: str
    file: str
    path: Path
    state: State
    fault: str = ""


# Path, size and time of change of each file whose digest was right in this process: pages are many, weights are large.
_proved: set[tuple[Path, int, int]] = set()


def place(model: Model, member: Member, settings: Settings) -> Path:
    """Where a file of a model belongs, whether it is there or not."""
    return settings.folder("models") / model.name / model.version / member.file


def locate(name: str, settings: Settings) -> Path:
    """The network file of a model, its SHA-256 checked once per process.

    Raises ModelMissingError, ModelDamagedError, StorageError where it cannot be read, UsageError for an unknown name.
    """
    model = catalogue.find(name)
    return _sound(model, model.files[0], settings)


def member(name: str, file: str, settings: Settings) -> Path:
    """A further file of a model, such as `inference.yml`; checked and raising as `locate`."""
    model = catalogue.find(name)
    for found in model.files:
        if found.file == file:
            return _sound(model, found, settings)
    known = ", ".join(found.file for found in model.files)
    raise UsageError(f"the model {name} has no file {file!r}; it has {known}")


def weights_digest(names: Iterable[str], settings: Settings | None = None) -> str:
    """One digest over the files of these models, whatever their order: `sha256:` and 64 hex digits.

    It comes from the catalogue, which `locate` holds the files to, so nothing is read; `settings` is not looked at.
    """
    lines = (
        f"{model.name}/{found.file} {found.sha256}\n"
        for model in sorted({catalogue.find(name) for name in names}, key=lambda model: model.name)
        for found in model.files
    )
    return "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()


def inspect(model: Model, settings: Settings, *, digest: bool) -> list[Checked]:
    """A look at every file of a model: presence and size, and with `digest` also the SHA-256, read afresh.

    Raises StorageError where a file cannot be read.
    """
    return [_inspect(model, found, settings, digest=digest) for found in model.files]


def _sound(model: Model, wanted: Member, settings: Settings) -> Path:
    path = place(model, wanted, settings)
    proof = _proof(path)
    if proof is not None and proof in _proved:
        return path
    checked = _inspect(model, wanted, settings, digest=True)
    if checked.state is State.MISSING:
        raise ModelMissingError(checked.fault)
    if checked.state is State.DAMAGED:
        raise ModelDamagedError(checked.fault)
    if proof is not None:
        _proved.add(proof)
    return path


def _proof(path: Path) -> tuple[Path, int, int] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return path, seen.st_size, seen.st_mtime_ns


def _inspect(model: Model, wanted: Member, settings: Settings, *, digest: bool) -> Checked:
    path = place(model, wanted, settings)

    def found(state: State, what: str = "") -> Checked:
        cure = "octavo models pull" if state is State.MISSING else f"octavo models pull {model.name}"
        return Checked(model.name, wanted.file, path, state, f"{what}; run `{cure}`" if what else "")

    try:
        if not path.exists():
            return found(State.MISSING, f"the model {model.name} {model.version} is not installed ({path} is missing)")
        size = path.stat().st_size
        if not path.is_file() or size != wanted.bytes:
            what = f"has {size:,} bytes instead of {wanted.bytes:,}" if path.is_file() else "is not a file"
            return found(State.DAMAGED, f"the model file {path} is damaged: it {what}")
        if digest and (actual := sha256_of(path)) != wanted.sha256:
            what = f"its SHA-256 is {actual} instead of {wanted.sha256}"
            return found(State.DAMAGED, f"the model file {path} is damaged: {what}")
    except OSError as fault:
        raise StorageError(f"the model file {path} cannot be read: {fault.strerror}; check its permissions") from fault
    return found(State.OK)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hex. Raises OSError."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
