"""Structured logs: one line an event, as JSON or as text, on standard error.

A line carries `ts` (ISO 8601, UTC), `level`, `event` and the event's own fields. Values whose names say that they are
secret (password, key, token, …) are masked whatever they are, at any depth.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from octavo.settings import Settings

MASK = "***"
_SECRET = frozenset(
    {"password", "passwords", "passwd", "passphrase", "secret", "key", "token", "authorization", "cookie"}
)


def configure(settings: Settings) -> None:
    """Sends the logs of this process to standard error, in the form and from the level the settings say.

    Libraries are heard from warnings upwards. May be called again: the last call counts.
    """
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty())
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(JsonLines() if as_json else TextLines())
    logging.basicConfig(handlers=[output], level=logging.WARNING, force=True)
    logging.getLogger("octavo").setLevel(settings.log_level.upper())
    logging.captureWarnings(True)


def log(logger: logging.Logger, level: int, event: str, **fields: Any) -> None:
    """Logs an event with its fields: `log(logger, logging.WARNING, "page failed", page=7, code="page-timeout")`."""
    logger.log(level, event, extra={"fields": fields}, stacklevel=2)


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {**_fields(record), "ts": _stamp(record), "level": record.levelname.lower()}
        line["event"] = record.getMessage()
        line["logger"] = record.name
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        first = ("ts", "level", "event", "logger")
        ordered = {name: line[name] for name in first} | line
        return json.dumps(ordered, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """A record as one line for people; only a traceback takes more."""

    def format(self, record: logging.LogRecord) -> str:
        head = f"{_stamp(record)} {record.levelname.lower():7} {_plain(record.getMessage())}"
        text = " ".join([head, *(f"{_plain(name)}={_value(value)}" for name, value in _fields(record).items())])
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    given = getattr(record, "fields", None)
    return _masked(given) if isinstance(given, Mapping) else {}


def _masked(fields: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): MASK if _is_secret(str(name)) else _open(value) for name, value in fields.items()}


def _open(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _masked(value)
    if isinstance(value, list | tuple):
        return [_open(item) for item in value]
    return value


def _is_secret(name: str) -> bool:
    """By whole words, so that `output_tokens`, which are counted, stay readable."""
    return not _SECRET.isdisjoint(name.lower().replace("-", "_").split("_"))


def _stamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return _quoted(text) if not text or set(text) & set(' ="') else _plain(text)


def _plain(text: str) -> str:
    """The text itself, unless something in it would break the line or upset a terminal."""
    return text if text.isprintable() else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
