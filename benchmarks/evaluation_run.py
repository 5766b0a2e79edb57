"""Reads the cases of the evaluation set with one tier, the way `octavo convert` does, and writes their Markdown."""

from __future__ import annotations

import contextlib
import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.evaluation_set import Case
from benchmarks.surroundings import default_settings
from octavo.conversion.documents import (
    DocumentFinished,
    DocumentRefused,
    DocumentStarted,
    PageFinished,
    Request,
    read_documents,
)
from octavo.conversion.outputs import Output, Outputs
from octavo.conversion.pool import Pool
from octavo.document import PageStatus
from octavo.settings import Settings


@dataclass
class Run:
    """What reading cost, and what could not be read. CPU seconds of pages are those of their workers."""

    pages: dict[str, int] = field(default_factory=dict)  # case id to pages read
    cpu_seconds: dict[str, float] = field(default_factory=dict)  # case id to seconds of all its pages
    by_text_layer: int = 0  # pages
    failures: list[str] = field(default_factory=list)  # a line for each document or page that was not read
    wall_seconds: float = 0.0
    all_cpu_seconds: float = 0.0  # of all processes, with their start, the loading of networks, and the writers


def read_cases(cases: Iterable[Case], tier: str, out: Path, *, told: bool, seconds: float) -> Run:
    """Read the cases and write `out/<id>.md` for each that could be read.

    Languages are told to Octavo if `told`, which is done for all documents of a language together. What is not finished
    after `seconds` counts as not read. Raises an EngineError where the engine can read no page at all.
    """
    run = Run()
    began, cpu = time.monotonic(), _cpu_seconds()
    groups: dict[str, list[Case]] = {}
    # The longest first, so that both workers are busy to the end and loading the networks weighs on many pages.
    for case in sorted(cases, key=lambda case: -case.pages):
        groups.setdefault(case.lang if told else "auto", []).append(case)
    pool = Pool(default_settings(tier=tier))
    total = sum(case.pages for group in groups.values() for case in group)
    deadline = began + seconds
    with contextlib.closing(pool), tqdm(total=total, unit="page", desc=tier, disable=None) as progress:
        for lang, group in groups.items():
            if time.monotonic() < deadline:
                _read_group(group, pool, default_settings(tier=tier, lang=lang), out, run, progress, deadline)
    named = {line.partition(":")[0] for line in run.failures}
    unread = [case.id for group in groups.values() for case in group if not (out / f"{case.id}.md").exists()]
    run.failures += [f"{name}: not read, the time was over" for name in unread if name not in named]
    run.wall_seconds, run.all_cpu_seconds = time.monotonic() - began, _cpu_seconds() - cpu
    return run


def _read_group(
    group: list[Case], pool: Pool, settings: Settings, out: Path, run: Run, progress: tqdm[Any], deadline: float
) -> None:
    """Read the cases in this order. A document that the deadline cuts leaves no file, as all after it."""
    waiting, requests = iter(group), [Request(case.input) for case in group]
    with contextlib.ExitStack() as stack:
        events = stack.enter_context(contextlib.closing(read_documents(requests, pool, settings)))
        for event in events:
            match event:
                case DocumentStarted(source=source):
                    case = next(waiting)
                    outputs = stack.enter_context(Outputs([Output(out / f"{case.id}.md", "md")]))
                    outputs.begin(source)
                    run.pages[case.id], run.cpu_seconds[case.id] = 0, 0.0
                case PageFinished(result=result):
                    outputs.page(result)
                    run.pages[case.id] += 1
                    run.cpu_seconds[case.id] += result.usage.cpu_seconds
                    run.by_text_layer += result.text_source == "text-layer"
                    if result.status is PageStatus.FAILED and result.error is not None:
                        run.failures.append(f"{case.id}: {result.error.message}")
                    progress.update()
                case DocumentFinished(summary=summary):
                    outputs.finish(summary)
                case DocumentRefused(error=error):
                    case = next(waiting)
                    run.failures.append(f"{case.id}: {error.message}")
            if time.monotonic() > deadline:
                break


def _cpu_seconds() -> float:
    """Of this process and the children that it has waited for."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
