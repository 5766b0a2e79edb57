"""The measured parts of docs/benchmarks.md, each between `<!-- generated: NAME -->` and `<!-- end: NAME -->`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.surroundings import ROOT

PAGE = ROOT / "docs/benchmarks.md"


def replace(name: str, body: str, page: Path = PAGE) -> None:
    """Put `body` between the markers of section `name`. Raises ValueError where there is not exactly one such pair."""
    start, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
    text = page.read_text(encoding="utf-8")
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise ValueError(f"{page} must have exactly one {start} and, after it, one {end}")
    head, _, rest = text.partition(start)
    page.write_text(f"{head}{start}\n{body.strip()}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


def publish(name: str, body: str, *, only_print: bool) -> None:
    """Show the section, and write it to the page unless `only_print`."""
    print(body.strip())
    if only_print:
        print(f"\n(docs/benchmarks.md is as it was; its part {name!r} is written by the whole measurement)")
    else:
        replace(name, body)
        print(f"\n(written to docs/benchmarks.md, part {name!r})")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column holds words, the others figures."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def score(value: float | None) -> str:
    """A score from 0 to 1 with three places, `–` where there is none."""
    return "–" if value is None else f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1.0"


def goal(reached: bool) -> str:
    return "yes" if reached else "**no**"
