"""The evaluation as a section of docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.evaluation_run import Run
from benchmarks.evaluation_set import Case
from benchmarks.sections import goal, score, table
from benchmarks.surroundings import machine

NAMES = {"tesseract": "Tesseract", "rapidocr": "RapidOCR"}
PARTS = ("text", "order", "teds", "formula", "facts")
# Kinds on which `standard` has to be at or above the better baseline.
MATCHED = ("text", "historical", "receipt", "slide", "photo", "rotated")
TWO_COLUMN_ORDER = 0.95


@dataclass(frozen=True)
class Evaluated:
    """A tier's run and what the scorer says of it."""

    run: Run
    scores: dict[str, Any]


def section(
    cases: Sequence[Case],
    evaluated: Mapping[str, Evaluated],
    baselines: Mapping[str, Mapping[str, Any]],
    *,
    told: bool,
    minutes: float,
) -> str:
    """The section's Markdown."""
    parts = [
        machine("pypdfium2", "opencv-python-headless", "tesseract"),
        _what_was_run(cases, evaluated, told, minutes),
        _scores(cases, evaluated, baselines),
        _cost(evaluated),
    ]
    if "standard" in evaluated and (goals := _goals(evaluated["standard"].scores["kinds"], baselines)):
        parts.append(table(["what `standard` has to reach", "standard", "needed", "reached"], goals))
    parts += [_failures(tier, one.run) for tier, one in evaluated.items() if one.run.failures]
    return "\n\n".join(parts)


def _what_was_run(cases: Sequence[Case], evaluated: Mapping[str, Evaluated], told: bool, minutes: float) -> str:
    pages = sum(case.pages for case in cases)
    layer = max((one.run.by_text_layer for one in evaluated.values()), default=0)
    languages = (
        "Octavo was told each document's language" if told else "Octavo was not told the languages (`lang = auto`)"
    )
    return (
        f"{len(cases)} cases, {pages} pages. Default settings, page cache off; text layers used where they can be "
        f"trusted (`text_layer = auto`: {layer} pages). {languages}; the Tesseract baseline was. "
        f"At most {minutes:g} minutes per tier."
    )


def _scores(
    cases: Sequence[Case], evaluated: Mapping[str, Evaluated], baselines: Mapping[str, Mapping[str, Any]]
) -> str:
    """Scores and CPU seconds per kind."""
    head = ["kind", "n", "pages", *evaluated, *(NAMES[name] for name in baselines)]
    head += [f"{tier}: CPU s/page" for tier in evaluated]
    rows = []
    for kind in sorted({case.kind for case in cases}):
        members = [case for case in cases if case.kind == kind]
        row = [kind, str(len(members)), str(sum(case.pages for case in members))]
        row += [_parts(one.scores["kinds"].get(kind)) for one in evaluated.values()]
        row += [_baseline(kind, len(members), found) for found in baselines.values()]
        row += [_cpu_per_page(members, one.run) for one in evaluated.values()]
        rows.append(row)
    kinds = {case.kind for case in cases}
    mean = ["**mean over kinds**", str(len(cases)), str(sum(case.pages for case in cases))]
    mean += [f"**{score(one.scores['headline'])}**" for one in evaluated.values()]
    mean += [f"**{score(_mean(found['kinds'], kinds))}**" for found in baselines.values()]
    mean += [_cpu_per_page(cases, one.run) for one in evaluated.values()]
    note = (
        "A cell is overall, then text / order / tables (TEDS) / formulas / facts as far as the kind's ground truth has "
        "them. A baseline's number of cases stands in brackets where it was run on fewer."
    )
    return f"{note}\n\n{table(head, [*rows, mean])}"


def _parts(scores: Mapping[str, float | None] | None) -> str:
    if scores is None:
        return "–"
    values = [scores.get(part) for part in PARTS]
    while values and values[-1] is None:
        values.pop()
    return f"**{score(scores['overall'])}** {' / '.join(map(score, values))}"


def _baseline(kind: str, n: int, found: Mapping[str, Any]) -> str:
    run_on = sum(1 for case in found["cases"].values() if case["kind"] == kind)
    cell = _parts(found["kinds"].get(kind))
    return f"{cell} ({run_on})" if 0 < run_on != n else cell


def _mean(kinds: Mapping[str, Mapping[str, float]], wanted: set[str]) -> float | None:
    values = [scores["overall"] for kind, scores in kinds.items() if kind in wanted]
    return sum(values) / len(values) if values else None


def _cpu_per_page(cases: Sequence[Case], run: Run) -> str:
    pages = sum(run.pages.get(case.id, 0) for case in cases)
    return f"{sum(run.cpu_seconds.get(case.id, 0.0) for case in cases) / pages:.2f}" if pages else "–"


def _cost(evaluated: Mapping[str, Evaluated]) -> str:
    """Everything that a tier's run took, per page."""
    sentences = []
    for tier, one in evaluated.items():
        pages = sum(one.run.pages.values())
        each = f", {one.run.all_cpu_seconds / pages:.2f} per page" if pages else ""
        sentences.append(
            f"`{tier}` read {pages} pages in {one.run.wall_seconds:.0f} s with {one.run.all_cpu_seconds:.0f} CPU "
            f"seconds{each}, starting the processes and loading the networks included."
        )
    return " ".join(sentences)


def _goals(kinds: Mapping[str, Mapping[str, float]], baselines: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    rows = []
    for kind in MATCHED:
        known = [found["kinds"][kind]["overall"] for found in baselines.values() if kind in found["kinds"]]
        if kind in kinds and known:
            reached = kinds[kind]["overall"] >= max(known)
            rows.append(
                [f"{kind}: the better baseline", score(kinds[kind]["overall"]), score(max(known)), goal(reached)]
            )
    if "two-column" in kinds:
        order = kinds["two-column"]["order"]
        rows.append(["two-column: order", score(order), score(TWO_COLUMN_ORDER), goal(order >= TWO_COLUMN_ORDER)])
    return rows


def _failures(tier: str, run: Run) -> str:
    return "\n".join([f"Not read with `{tier}`:", "", *(f"- {line}" for line in run.failures)])
