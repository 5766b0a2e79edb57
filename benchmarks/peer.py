"""One system being measured, seen from outside: a process that is kept warm and asked for one page at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass
from types import TracebackType

import msgspec
import psutil

from benchmarks.bench_pages import BenchPage
from benchmarks.surroundings import ONE_THREAD, ROOT, child_environment
from benchmarks.system_child import Answer, Loaded, Wanted
from benchmarks.systems import MANY_THREADS, STARTS_PROGRAMS
from benchmarks.words import word_f1

SAMPLE = 0.05  # seconds between looks at the memory of a tree of programs


@dataclass(frozen=True)
class Reading:
    """One page read once by one system. Seconds."""

    cpu: float
    wall: float
    networks: float  # CPU seconds
    f1: float


class Peer:
    """The process of one system. `loaded` says what making it ready took, or why it cannot be used.

    `peak` is the most resident memory in bytes: of the process itself, or, where it starts programs, of those together.
    """

    def __init__(self, system: str) -> None:
        """Starts the process and waits until it is ready."""
        self.system = system
        self.peak = 0
        limits = {} if system in MANY_THREADS else ONE_THREAD
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.system_child", system],
            cwd=ROOT,
            env=child_environment(**limits),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.loaded = msgspec.json.decode(self._line(), type=Loaded)

    def read(self, page: BenchPage) -> Reading:
        """Raises RuntimeError where the process has died over the page."""
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(Wanted(str(page.picture), page.tesseract)) + b"\n")
        self._process.stdin.flush()
        if self.system in STARTS_PROGRAMS:
            with _TreeSampler(self._process.pid) as tree:
                answer = msgspec.json.decode(self._line(), type=Answer)
            self.peak = max(self.peak, tree.peak, answer.peak)
        else:
            answer = msgspec.json.decode(self._line(), type=Answer)
            self.peak = max(self.peak, answer.peak)
        return Reading(answer.cpu, answer.wall, answer.networks, word_f1(answer.text, page.truth, page.optional))

    def close(self) -> None:
        """Let the process end; it does when there is nothing more to read."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"the process of {self.system} ended with status {self._process.wait()}; run "
                f"`python -m benchmarks.system_child '{self.system}'` to see why"
            )
        return line

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _TreeSampler:
    """Watches the descendants of a process; `peak` is the most resident memory that they held together, in bytes."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._root = psutil.Process(pid)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._done.wait(SAMPLE):
            self.peak = max(self.peak, sum(map(resident, self._root.children(recursive=True))))

    def __enter__(self) -> _TreeSampler:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()


def resident(process: psutil.Process) -> int:
    """Bytes of memory that a process holds; 0 when it is gone."""
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
