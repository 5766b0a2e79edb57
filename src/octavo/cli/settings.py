"""`octavo settings`: every setting with the value in force."""

from __future__ import annotations

import argparse
import json
from typing import Any

from octavo.settings import load, rules


def add(subparsers: Any) -> None:
    """Declares the command."""
    about = "Show every setting with its value, default, unit and meaning."
    parser = subparsers.add_parser("settings", help=about, description=about)
    parser.add_argument("--json", action="store_true", help="write JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the settings in force, from the config file and the environment. Raises UsageError."""
    rows = described()
    print(json.dumps(rows, indent=2, ensure_ascii=False) if args.json else _text(rows))
    return 0


def described() -> list[dict[str, Any]]:
    """One record a setting: name, value, default, type, unit, low, high, choices, variable, help."""
    settings = load()
    return [
        {
            "name": name,
            "value": getattr(settings, name),
            "default": default,
            "type": kind.__name__,
            "unit": rule.unit,
            "low": rule.low,
            "high": rule.high,
            "choices": list(rule.choices),
            "variable": f"OCTAVO_{name.upper()}",
            "help": rule.help,
        }
        for name, (kind, default, rule) in rules().items()
    ]


def _text(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        value = f"{_shown(row['value'])} {row['unit']}".strip()
        given = "" if row["value"] == row["default"] else f" (default {_shown(row['default'])})"
        choices = f" One of {', '.join(row['choices'])}." if row["choices"] else ""
        lines.append(f"{row['name']:16} = {value}{given}\n{'':19}{row['help']}{choices}")
    return "\n".join(lines)


def _shown(value: object) -> str:
    return str(value) if value != "" else '""'
