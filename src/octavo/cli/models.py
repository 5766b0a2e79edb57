"""`octavo models list|pull|verify|path`: the weights on this machine."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from octavo.errors import ModelDamagedError
from octavo.models import catalogue, store, supplied
from octavo.models.catalogue import Model
from octavo.models.pull import pull
from octavo.models.store import State
from octavo.models.supplied import Supplied
from octavo.settings import Settings, load


def add(subparsers: Any) -> None:
    """Declares the command and its four actions."""
    about = "List, fetch and check the model weights."
    parser = subparsers.add_parser("models", help=about, description=about)
    actions = parser.add_subparsers(dest="action", metavar="COMMAND", title="commands", required=True)

    def action(name: str, about: str, names: str, default: str = "all of them") -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = actions.add_parser(name, help=about, description=about)
        if names:
            made.add_argument("names", nargs=names, metavar="NAME", help=f"a model; {default} if none is named")
        made.add_argument("--json", action="store_true", help="write JSON")
        return made

    action("list", "Show every model and whether it is installed.", "")
    fetch = action("pull", "Fetch models that are missing or damaged.", "*")
    fetch.add_argument(
        "--from", dest="folder", metavar="DIR", type=Path, help="take wheels from DIR, without a network"
    )
    action("verify", "Check every file against its SHA-256; exit code 1 if one is missing or wrong.", "*")
    action("path", "Print where a model's network lies.", "?", "the folder of all of them")


def run(args: argparse.Namespace) -> int:
    """Runs the action. Raises UsageError, EngineError or StorageError."""
    settings = load()
    match args.action:
        case "list":
            return _list(settings, args.json)
        case "pull":
            return _pull(args.names, args.folder, settings, args.json)
        case "verify":
            return _verify(args.names, settings, args.json)
        case _:
            return _path(args.names, settings, args.json)


def _list(settings: Settings, as_json: bool) -> int:
    states = {model.name: _state(model, settings) for model in catalogue.CATALOGUE}
    if as_json:
        models = [_record(model, states[model.name]) for model in catalogue.CATALOGUE]
        optional = [_optional_record(model, settings) for model in supplied.SUPPLIED]
        _print_json({"folder": str(settings.folder("models")), "models": models, "optional": optional})
        return 0
    for model in catalogue.CATALOGUE:
        size = f"{model.bytes / 1e6:.1f} MB"
        print(f"{model.name:20} {model.version:8} {size:>8}  {model.licence}  {states[model.name]:9}  {model.purpose}")
    for own in supplied.SUPPLIED:
        state = _optional_state(own, settings)
        print(f"{own.name:20} {'yours':8} {'':>8}  {'':10}  {state:9}  {own.purpose} (optional, see {own.guide})")
    return 0


def _pull(names: list[str], folder: Path | None, settings: Settings, as_json: bool) -> int:
    done = pull(names, settings, folder=folder, report=lambda line: print(line, file=sys.stderr, flush=True))
    if as_json:
        models = [
            {"name": one.model, "version": one.version, "path": str(one.path), "fetched": one.fetched} for one in done
        ]
        _print_json({"folder": str(settings.folder("models")), "models": models})
    else:
        fetched = sum(one.fetched for one in done)
        print(
            f"{len(done)} models in {settings.folder('models')}: {fetched} fetched, {len(done) - fetched} already there"
        )
    return 0


def _verify(names: list[str], settings: Settings, as_json: bool) -> int:
    checks = [one for model in catalogue.select(names) for one in store.inspect(model, settings, digest=True)]
    sound = all(one.state is State.OK for one in checks)
    if as_json:
        files = [
            {"model": one.model, "file": one.file, "path": str(one.path), "state": one.state, "fault": one.fault}
            for one in checks
        ]
        _print_json({"ok": sound, "files": files})
    else:
        for one in checks:
            print(f"{one.model}/{one.file}: {one.state}" + (f": {one.fault}" if one.fault else ""))
    return 0 if sound else 1


def _path(name: str | None, settings: Settings, as_json: bool) -> int:
    own = supplied.named(name) if name else None
    if own is not None:
        paths = supplied.present(own, settings)
        if not paths:
            raise supplied.not_to_be_had(own, settings)
        path = paths[0]
    else:
        path = store.locate(name, settings) if name else settings.folder("models")
    if as_json:
        _print_json({"path": str(path)})
    else:
        print(path)
    return 0


def _state(model: Model, settings: Settings) -> str:
    """By presence and size alone: `verify` reads the files."""
    states = {one.state for one in store.inspect(model, settings, digest=False)}
    if State.DAMAGED in states:
        return "damaged"
    return "missing" if State.MISSING in states else "installed"


def _optional_state(model: Supplied, settings: Settings) -> str:
    try:
        return "installed" if supplied.present(model, settings) else "missing"
    except ModelDamagedError:
        return "damaged"


def _optional_record(model: Supplied, settings: Settings) -> dict[str, Any]:
    return {
        "name": model.name,
        "purpose": model.purpose,
        "folder": str(supplied.place(model, settings)),
        "files": list(model.files),
        "guide": model.guide,
        "state": _optional_state(model, settings),
    }


def _record(model: Model, state: str) -> dict[str, Any]:
    return {
        "name": model.name,
        "version": model.version,
        "purpose": model.purpose,
        "wheel": str(model.wheel),
        "licence": model.licence,
        "bytes": model.bytes,
        "state": state,
        "files": [{"file": one.file, "sha256": one.sha256, "bytes": one.bytes} for one in model.files],
    }


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
