"""The evaluation set: pages and documents with ground truth, in a folder beside the checkout that not everyone has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.surroundings import ROOT
from octavo.engines import languages

DEV = ROOT.parent / "shared/eval/dev"


@dataclass(frozen=True)
class Case:
    """One document of the set. `optional` are lines that are neither asked for nor wrong, such as running headers."""

    id: str
    kind: str
    lang: str  # codes of ours joined by `+`
    pages: int
    input: Path
    truth: str  # Markdown; empty where the case is judged by facts alone
    optional: tuple[str, ...]


def cases(folder: Path) -> list[Case]:
    """All cases of the set in `folder`, in the order of its manifest.

    Raises FileNotFoundError where `folder` is no such set, UsageError where it names a language that we do not know.
    """
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line), folder) for line in lines if line.strip()]


def _case(row: dict[str, Any], folder: Path) -> Case:
    truth = (folder / row["gt"]).read_text(encoding="utf-8") if row.get("gt") else ""
    optional = json.loads((folder / row["optional"]).read_text(encoding="utf-8")) if row.get("optional") else []
    return Case(
        row["id"],
        row["kind"],
        "+".join(languages.parse(row["lang"])),
        row["pages"],
        folder / row["input"],
        truth,
        tuple(optional),
    )
