"""Runs the conversion of a document and writes down the memory of its processes as the pages pass."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil
from tqdm import tqdm

from benchmarks.peer import resident
from benchmarks.surroundings import ROOT, child_environment
from octavo.settings import Settings

SAMPLE = 1.0  # seconds between looks
WINDOW = 20  # pages: memory at a page is the median of the looks taken over that many pages before it


@dataclass(frozen=True)
class Sample:
    """Resident memory in bytes at one moment. Pages that processes share count in each of them."""

    pages: int  # done
    parent: int
    children: tuple[int, ...]

    @property
    def tree(self) -> int:
        return self.parent + sum(self.children)


@dataclass
class Log:
    """What a run was seen to do."""

    samples: list[Sample] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # of the pages that came out, in their order
    statuses: Counter[str] = field(default_factory=Counter)
    wall: float = 0.0  # seconds
    exit_status: int = 0

    def around(self, page: int) -> list[Sample]:
        """The samples from the last WINDOW pages before `page` was done, or the last one before that."""
        near = [sample for sample in self.samples if page - WINDOW <= sample.pages <= page and sample.pages]
        return near or [sample for sample in self.samples if sample.pages <= page][-1:] or self.samples[:1]

    def tree_at(self, page: int) -> float:
        """Bytes held by all processes together when `page` was done."""
        return median(sample.tree for sample in self.around(page))


def convert_watched(document: Path, targets: Sequence[Path], settings: Settings, pages: int) -> Log:
    """Convert the document in a process of its own, looking at it and its children every SAMPLE seconds."""
    log = Log()
    began = time.monotonic()
    given = json.dumps(dataclasses.asdict(settings))
    command = [sys.executable, "-m", "benchmarks.convert_child", given, str(document), *map(str, targets)]
    process = subprocess.Popen(command, cwd=ROOT, env=child_environment(), stdout=subprocess.PIPE, text=True)
    listener = threading.Thread(target=_listen, args=(process, log, pages))
    listener.start()
    parent = psutil.Process(process.pid)
    while listener.is_alive():
        listener.join(SAMPLE)
        children = tuple(map(resident, _children(parent)))
        if held := resident(parent):
            log.samples.append(Sample(len(log.numbers), held, children))
    log.exit_status = process.wait()
    log.wall = time.monotonic() - began
    return log


def _listen(process: subprocess.Popen[str], log: Log, pages: int) -> None:
    assert process.stdout is not None
    with process.stdout, tqdm(total=pages, unit="page", desc="converting", disable=None) as progress:
        for line in process.stdout:
            number, status = line.split()
            log.statuses[status] += 1
            log.numbers.append(int(number))
            progress.update()


def _children(parent: psutil.Process) -> list[psutil.Process]:
    try:
        return parent.children(recursive=True)
    except psutil.Error:
        return []
