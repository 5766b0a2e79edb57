"""`make eval`: the scores of both tiers on the evaluation set, beside those of Tesseract and RapidOCR.

Documents take the real road of `octavo convert`: worker processes, intake, default settings; the page cache is off. The
Markdown goes to `.eval/<tier>/<case>.md`, and the set's own `score.py` judges it. The result is written to
docs/benchmarks.md, unless only a part of the set was read.

    python -m benchmarks.evaluate [--tier standard|fast] [--kinds a,b] [--lang told|untold] [--data DIR] [--minutes N]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import evaluation_report
from benchmarks.evaluation_report import Evaluated
from benchmarks.evaluation_run import read_cases
from benchmarks.evaluation_set import DEV, Case, cases
from benchmarks.sections import publish
from benchmarks.surroundings import ROOT
from octavo.errors import OctavoError

TIERS = ("standard", "fast")
BASELINES = ("tesseract", "rapidocr")


def main(arguments: list[str] | None = None) -> int:
    """0 where the evaluation ran or no set is there to run on, 2 for wrong arguments, else the error's own code."""
    args = _arguments(arguments)
    folder = args.data or DEV
    if not (folder / "manifest.jsonl").exists():
        print(f"No evaluation set at {folder}: nothing is measured, docs/benchmarks.md is as it was.", file=sys.stderr)
        return 2 if args.data else 0
    chosen = _chosen(cases(folder), args.kinds)
    if not chosen:
        print(f"No case of the kinds {args.kinds!r} in {folder}.", file=sys.stderr)
        return 2
    try:
        evaluated = {tier: _evaluate(tier, chosen, folder, args) for tier in args.tier or TIERS}
    except OctavoError as error:
        print(f"evaluation stopped: {error.message}", file=sys.stderr)
        return error.exit_code
    baselines = {name: _baseline(folder, name) for name in BASELINES}
    body = evaluation_report.section(chosen, evaluated, baselines, told=args.lang == "told", minutes=args.minutes)
    name = "evaluation-told" if args.lang == "told" else "evaluation"
    publish(name, body, only_print=bool(args.kinds or args.tier))
    return 0


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evaluate", description="Score Octavo on the evaluation set."
    )
    parser.add_argument("--tier", choices=TIERS, action="append", help="only this tier")
    parser.add_argument("--kinds", metavar="LIST", default="", help="only cases of these kinds, joined by commas")
    parser.add_argument("--lang", choices=("told", "untold"), default="untold", help="whether to tell the languages")
    parser.add_argument("--data", metavar="DIR", type=Path, help="the set's folder, with manifest.jsonl in it")
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="time for each tier; what is not read by then is lost"
    )
    return parser.parse_args(arguments)


def _chosen(found: list[Case], kinds: str) -> list[Case]:
    wanted = {kind.strip() for kind in kinds.split(",") if kind.strip()}
    return [case for case in found if not wanted or case.kind in wanted]


def _evaluate(tier: str, chosen: list[Case], folder: Path, args: argparse.Namespace) -> Evaluated:
    told = args.lang == "told"
    out = ROOT / ".eval" / (f"{tier}-told" if told else tier)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.md"):
        old.unlink()
    run = read_cases(chosen, tier, out, told=told, seconds=args.minutes * 60)
    return Evaluated(run, _score(folder, out, {case.kind for case in chosen}))


def _score(folder: Path, out: Path, kinds: set[str]) -> dict[str, Any]:
    """What `score.py` says of the Markdown files in `out`."""
    report = out / "scores.json"
    with contextlib.suppress(FileNotFoundError):
        report.unlink()
    command = [sys.executable, str(folder.parent / "score.py"), "--manifest", str(folder / "manifest.jsonl")]
    command += ["--pred", str(out), "--json", str(report), "--kinds", ",".join(sorted(kinds))]
    subprocess.run(command, check=True, stdout=sys.stderr)
    scores: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return scores


def _baseline(folder: Path, name: str) -> dict[str, Any]:
    path = folder.parent / "baselines" / f"{name}-dev.json"
    found: dict[str, Any] = (
        json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"kinds": {}, "cases": {}}
    )
    return found


if __name__ == "__main__":
    sys.exit(main())
