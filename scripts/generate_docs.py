"""Writes the parts of docs/ that repeat the code: settings, errors, commands, models.

    python scripts/generate_docs.py            rewrites what lags
    python scripts/generate_docs.py --check    changes nothing, exits with 1 if something lags

A generated part stands between `<!-- generated: NAME -->` and `<!-- end: NAME -->`; everything else is written by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from octavo import errors, settings  # noqa: E402  # the path comes first
from octavo.cli import main as cli  # noqa: E402
from octavo.models.catalogue import CATALOGUE  # noqa: E402

DOCS = ROOT / "docs"


def settings_table() -> str:
    """Every setting with its variable, default, range and meaning."""
    rows = []
    for name, (kind, default, rule) in settings.rules().items():
        shown = f'`"{default}"`' if kind is str else f"`{default:g}`" if kind is float else f"`{default}`"
        rows.append([f"`{name}`", f"`OCTAVO_{name.upper()}`", shown, _range(rule), _escaped(rule.help)])
    return _table(["setting", "variable", "default", "range", "what it does"], rows)


def _range(rule: settings.Rule) -> str:
    if rule.choices:
        return ", ".join(f"`{choice}`" for choice in rule.choices)
    if rule.low is None or rule.high is None:
        return rule.unit
    return f"{_number(rule.low)} to {_number(rule.high)} {rule.unit}".strip()


def _number(value: float) -> str:
    return f"{value:,}".removesuffix(".0")


def errors_table() -> str:
    """Every class of the tree below its root, indented under its parent."""
    rows = []
    for cls in errors.all_errors():
        depth = len([base for base in cls.__mro__ if issubclass(base, errors.OctavoError)]) - 2
        if depth < 0:
            continue
        name = "&nbsp;" * 4 * depth + f"`{cls.__name__}`"
        retry = "yes" if cls.retryable else "no"
        rows.append([name, f"`{cls.code}`", str(cls.exit_code), str(cls.http_status), retry])
    return _table(["class", "code", "exit", "HTTP", "retryable"], rows)


def commands() -> str:
    """Every command with its arguments and flags, nested commands after their parent."""
    return "\n\n".join(_command(parser) for parser in _parsers(cli.build()))


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


def _command(parser: argparse.ArgumentParser) -> str:
    rows = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            continue
        rows.append([_invocation(action), _escaped(action.help or "")])
    parts = [f"### `{parser.prog}`", (parser.description or "").strip()]
    if rows:
        parts.append(_table(["argument", "what it does"], rows))
    return "\n\n".join(parts)


def _invocation(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if action.nargs == 0:
        value = ""
    elif action.nargs in ("*", "+"):
        value += "…"
    flags = ", ".join(action.option_strings)
    return f"`{_escaped(f'{flags} {value}'.strip())}`"


def models_table() -> str:
    """Every model with its version, size and source."""
    rows = [
        [f"`{one.name}`", one.version, f"{one.bytes / 1e6:.1f}", f"`{one.wheel}`", one.licence, _escaped(one.purpose)]
        for one in CATALOGUE
    ]
    return _table(["model", "version", "MB", "wheel", "licence", "what it does"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _escaped(text: str) -> str:
    return text.replace("%%", "%").replace("|", "\\|")


PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "settings.md": {"settings": settings_table},
    "errors.md": {"errors": errors_table},
    "cli.md": {"commands": commands, "models": models_table},
}


def generated(page: str, text: str) -> str:
    """The text of a page of docs/ with its generated parts renewed. Raises ValueError where a marker is missing."""
    for name, write in PARTS[page].items():
        start, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        if text.count(start) != 1 or text.count(end) != 1:
            raise ValueError(f"docs/{page} must have exactly one {start} and one {end}")
        head, _, rest = text.partition(start)
        text = f"{head}{start}\n{write()}\n{end}{rest.partition(end)[2]}"
    return text


def lagging() -> dict[Path, str]:
    """Pages that differ from the code, with the text they should have."""
    found = {}
    for page in PARTS:
        path = DOCS / page
        text = path.read_text(encoding="utf-8")
        if (fresh := generated(page, text)) != text:
            found[path] = fresh
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Renew the generated parts of docs/.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a page lags")
    check = parser.parse_args().check
    late = lagging()
    for path, text in late.items():
        print(f"{'lags' if check else 'rewritten'}: {path.relative_to(ROOT)}")
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and late else 0


if __name__ == "__main__":
    sys.exit(main())
