"""Every setting, declared once: default, range, unit, help.

Values come from a TOML file (`OCTAVO_CONFIG`, else `~/.config/octavo/octavo.toml` if present), then `OCTAVO_*`
variables, then flags, later ones winning. An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from octavo.errors import UsageError

T = TypeVar("T", str, int, float, bool)


@dataclass(frozen=True)
class Rule:
    """What is known of a setting besides its type and default."""

    help: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


def _setting(default: T, help: str, **rule: Any) -> T:
    return dataclasses.field(default=default, metadata={"rule": Rule(help, **rule)})


MIB = 1 << 20


@dataclass(frozen=True)
class Settings:
    """All settings with their defaults. `str` values for folders may start with `~`."""

    data_dir: str = _setting("~/.local/share/octavo", "Folder for everything Octavo keeps.")
    models_dir: str = _setting("", "Folder of the model weights; empty means `models` in data_dir.")
    cache_dir: str = _setting("", "Folder of the page cache; empty means `cache` in data_dir.")
    cache_mb: int = _setting(
        4096, "Size the page cache is pruned to, oldest use first; 0 turns it off.", unit="MiB", low=0, high=1 << 24
    )
    wheels_dir: str = _setting("", "Folder of wheels to take models from, for machines without a network.")

    max_file_mb: int = _setting(512, "Largest input file.", unit="MiB", low=1, high=1 << 20)
    max_pages: int = _setting(2000, "Most pages read of one document.", unit="pages", low=1, high=1_000_000)
    max_image_side: int = _setting(30_000, "Longest side of an input image.", unit="px", low=64, high=1 << 20)
    max_image_mpx: int = _setting(200, "Most pixels in an input image or rendered page.", unit="Mpx", low=1, high=4000)
    max_unpack_ratio: int = _setting(
        2000,
        "Most bytes of pixels an image may unpack to per byte of file, above 16 MiB.",
        unit="x",
        low=10,
        high=1 << 20,
    )
    page_timeout: float = _setting(
        120.0, "Time one page may take before its worker is killed.", unit="s", low=0.1, high=86_400
    )
    page_attempts: int = _setting(2, "Times a page is tried before it is reported as failed.", low=1, high=10)

    workers: int = _setting(0, "Worker processes; 0 means one per core.", low=0, high=1024)
    worker_memory_mb: int = _setting(
        2048, "Memory a worker may hold before it is killed.", unit="MiB", low=512, high=1 << 20
    )
    worker_pages: int = _setting(
        500, "Pages after which a worker is replaced by a fresh one.", unit="pages", low=1, high=1 << 30
    )

    engine: str = _setting("pipeline", "Engine that reads the pages.")
    tier: str = _setting("standard", "Size of the built-in engine's networks.", choices=("standard", "fast"))
    lang: str = _setting("auto", "Languages of the document, as codes joined by `+`; `auto` finds them.")
    text_layer: str = _setting("auto", "Whether a PDF's own text is used.", choices=("auto", "always", "never"))
    layout: str = _setting(
        "auto",
        "How the parts of a page with text of its own are found: `light` from geometry alone, `full` with the layout "
        "network; `auto` chooses page by page.",
        choices=("auto", "light", "full"),
    )
    dpi: int = _setting(200, "Resolution at which PDF pages are rendered.", unit="dpi", low=50, high=1200)
    runtime: str = _setting(
        "auto",
        "What runs the networks; `auto` takes OpenVINO where it is installed.",
        choices=("auto", "openvino", "onnxruntime"),
    )

    review_below: float = _setting(
        0.9, "Confidence below which a page is named in the summary for review.", low=0.0, high=1.0
    )

    log_level: str = _setting(
        "warning", "Least serious messages to log.", choices=("debug", "info", "warning", "error")
    )
    log_format: str = _setting(
        "auto", "Form of log lines; `auto` is text on a terminal.", choices=("auto", "text", "json")
    )

    def folder(self, name: str) -> Path:
        """An absolute folder: `data`, `models` or `cache`."""
        data = Path(self.data_dir).expanduser().absolute()
        if name == "data":
            return data
        given = {"models": self.models_dir, "cache": self.cache_dir}[name]
        return Path(given).expanduser().absolute() if given else data / name


def rules() -> dict[str, tuple[type, Any, Rule]]:
    """Name to type, default and rule, in order of declaration."""
    found = {}
    for f in dataclasses.fields(Settings):
        found[f.name] = (type(f.default), f.default, f.metadata["rule"])
    return found


def load(flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings in force. Flags whose value is None count as not given.

    Raises UsageError for an unknown key, a value of the wrong type or out of range, or a config file that is no TOML.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    for key, value in _read_file(environ).items():
        values[_known(key, "the config file")] = value
    for variable, text in environ.items():
        if variable.startswith("OCTAVO_") and variable != "OCTAVO_CONFIG":
            values[_known(variable.removeprefix("OCTAVO_").lower(), f"the variable {variable}")] = text
    for key, value in (flags or {}).items():
        if value is not None:
            values[_known(key, "a flag")] = value
    return Settings(**{key: _checked(key, value) for key, value in values.items()})


def _read_file(environ: Mapping[str, str]) -> dict[str, Any]:
    named = environ.get("OCTAVO_CONFIG")
    path = Path(named or "~/.config/octavo/octavo.toml").expanduser()
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            raise UsageError(f"the config file {path} does not exist; unset OCTAVO_CONFIG or create it") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise UsageError(f"the config file {path} cannot be read: {fault}") from None


def _known(key: str, place: str) -> str:
    if key in rules():
        return key
    near = difflib.get_close_matches(key, rules(), n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "; `octavo settings` lists them"
    raise UsageError(f"{place} names an unknown setting {key!r}{hint}")


_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _checked(key: str, value: Any) -> Any:
    kind, _, rule = rules()[key]
    try:
        if kind is bool:
            value = value if isinstance(value, bool) else _BOOLEANS[str(value).lower()]
        elif kind is str and not isinstance(value, str | Path):
            raise ValueError
        else:
            value = kind(value)
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"setting {key} must be of type {kind.__name__}, not {value!r}") from None
    if rule.choices and value not in rule.choices:
        near = difflib.get_close_matches(str(value), rule.choices, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"setting {key} must be one of {', '.join(rule.choices)}, not {value!r}{hint}")
    if (rule.low is not None and not value >= rule.low) or (rule.high is not None and not value <= rule.high):
        unit = f" {rule.unit}" if rule.unit else ""
        raise UsageError(f"setting {key} must be between {rule.low:g} and {rule.high:g}{unit}, not {value}")
    return value
