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
# What `standard` has to reach without being told the languages: kind, score and value.
FIGURES = (
    ("two-column", "order", 0.97),
    ("mixed", "order", 0.95),
    ("newspaper", "order", 0.85),
    ("table", "tedsS", 0.88),
    ("table", "teds", 0.80),
    ("multi-language", "overall", 0.95),
)
MEAN, FAST_LOSS = 0.85, 0.02
ONLY_MEASURED = 0.005  # of a score: less is no difference


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
        _languages(cases, evaluated),
    ]
    if "standard" in evaluated and not told and (goals := _goals(evaluated, baselines)):
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


def _goals(evaluated: Mapping[str, Evaluated], baselines: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    scores = evaluated["standard"].scores
    kinds, cases, mean = scores["kinds"], scores["cases"], scores["headline"]
    rows = [["mean over kinds", score(mean), score(MEAN), goal(mean >= MEAN)]]
    for kind in sorted(kinds):
        if known := [found for name in baselines if (found := _same_cases(kind, cases, baselines[name]))]:
            ours, theirs = max(known, key=lambda pair: pair[1])
            rows.append(
                [f"{kind}: the better baseline, on its cases", score(ours), score(theirs), goal(ours >= theirs)]
            )
    for kind, part, least in FIGURES:
        if kind in kinds and kinds[kind].get(part) is not None:
            rows.append([f"{kind}: {part}", score(kinds[kind][part]), score(least), goal(kinds[kind][part] >= least)])
    if {"rotated", "text"} <= set(kinds):
        turned, level = kinds["rotated"]["overall"], kinds["text"]["overall"]
        rows.append(["rotated: as upright text", score(turned), score(level), goal(turned >= level - ONLY_MEASURED)])
    if "fast" in evaluated:
        fast = evaluated["fast"].scores["headline"]
        rows.append(["`fast`: mean over kinds", score(fast), score(mean - FAST_LOSS), goal(fast >= mean - FAST_LOSS)])
    return rows


def _same_cases(
    kind: str, cases: Mapping[str, Mapping[str, Any]], baseline: Mapping[str, Any]
) -> tuple[float, float] | None:
    """Our mean and the baseline's over those cases of a kind that both have read."""
    shared = [name for name, one in baseline["cases"].items() if one["kind"] == kind and name in cases]
    if not shared:
        return None
    ours, theirs = (
        sum(found[name]["overall"] for name in shared) / len(shared) for found in (cases, baseline["cases"])
    )
    return ours, theirs


def _languages(cases: Sequence[Case], evaluated: Mapping[str, Evaluated]) -> str:
    """Scores per language, over all cases that have a transcription."""
    rows = []
    for lang in sorted({case.lang for case in cases}):
        members = [case.id for case in cases if case.lang == lang and case.truth]
        row = [lang, str(len(members))]
        for one in evaluated.values():
            found = [one.scores["cases"][name] for name in members if name in one.scores["cases"]]
            texts = [case["text"] for case in found if case.get("text") is not None]
            row.append(score(sum(texts) / len(texts)) if texts else "–")
        rows.append(row)
    return f"`text` by language:\n\n{table(['language', 'n', *evaluated], rows)}"


def _failures(tier: str, run: Run) -> str:
    return "\n".join([f"Not read with `{tier}`:", "", *(f"- {line}" for line in run.failures)])
