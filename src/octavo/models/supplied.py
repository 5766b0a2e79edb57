"""Models that no package carries: the user puts their files into the models folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from octavo.errors import ModelDamagedError, ModelMissingError, StorageError
from octavo.models import store
from octavo.settings import Settings


@dataclass(frozen=True, slots=True)
class Supplied:
    """A model of the user's own. `files` are looked for in `<models_dir>/<name>`; `guide` says what they must be."""

    name: str
    purpose: str
    files: tuple[str, ...]
    guide: str


FORMULAS = Supplied("formula-latex", "writes formulas in LaTeX", ("formula.onnx", "tokens.txt"), "docs/formulas.md")
SUPPLIED: tuple[Supplied, ...] = (FORMULAS,)


def named(name: str) -> Supplied | None:
    """The model of this name, where it is one that users supply."""
    return next((model for model in SUPPLIED if model.name == name), None)


def place(model: Supplied, settings: Settings) -> Path:
    """The folder its files belong in, whether it is there or not."""
    return settings.folder("models") / model.name


def present(model: Supplied, settings: Settings) -> tuple[Path, ...]:
    """Its files, in the order of `model.files`; none where the user has put none there.

    Raises ModelDamagedError where only some of them are there.
    """
    paths = tuple(place(model, settings) / file for file in model.files)
    lacking = [path.name for path in paths if not path.is_file()]
    if len(lacking) == len(paths):
        return ()
    if lacking:
        raise ModelDamagedError(
            f"the model {model.name} in {place(model, settings)} lacks {' and '.join(lacking)}; {model.guide} says "
            "what its files must be; without any of them it is not used"
        )
    return paths


def digest(model: Supplied, settings: Settings) -> str:
    """The SHA-256 in hex over its files; empty where there are none. Raises ModelDamagedError or StorageError."""
    paths = present(model, settings)
    if not paths:
        return ""
    try:
        lines = (f"{path.name} {store.sha256_of(path)}\n" for path in paths)
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    except OSError as fault:
        raise StorageError(
            f"the model file {fault.filename} cannot be read: {fault.strerror}; check its permissions"
        ) from fault


def not_to_be_had(model: Supplied, settings: Settings) -> ModelMissingError:
    """The error for a wish to fetch it."""
    return ModelMissingError(
        f"the model {model.name} cannot be fetched: no package carries it; put {' and '.join(model.files)} into "
        f"{place(model, settings)}; {model.guide} says what they must be"
    )
