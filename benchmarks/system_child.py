"""`python -m benchmarks.system_child SYSTEM`: reads pages with one system and says what each took.

A JSON object per line: first comes Loaded, then for each Wanted on standard input an Answer on standard output.
CPU seconds are those of this process and of the programs it has started.
"""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from pathlib import Path

import msgspec

from benchmarks.systems import SYSTEMS, Missing


class Loaded(msgspec.Struct):
    """`missing` says why the system cannot be used, or is empty. Times are those of making it ready."""

    missing: str = ""
    cpu: float = 0.0  # seconds
    wall: float = 0.0  # seconds


class Wanted(msgspec.Struct):
    picture: str
    tesseract: str


class Answer(msgspec.Struct):
    text: str
    cpu: float  # seconds
    wall: float  # seconds
    networks: float  # CPU seconds in networks; 0 where that is not known
    peak: int  # bytes: the most this process has held, and the largest of the programs


def main(system: str) -> None:
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print must not get between the answers
    wall, cpu = time.monotonic(), _cpu_seconds()
    try:
        reader = SYSTEMS[system]()
    except Missing as fault:
        answers.write(msgspec.json.encode(Loaded(str(fault))) + b"\n")
        return
    answers.write(msgspec.json.encode(Loaded("", _cpu_seconds() - cpu, time.monotonic() - wall)) + b"\n")
    for line in sys.stdin.buffer:
        wanted = msgspec.json.decode(line, type=Wanted)
        file = reader.prepare(Path(wanted.picture))
        wall, cpu, networks = time.monotonic(), _cpu_seconds(), reader.networks_seconds
        text = reader.read(file, wanted.tesseract)
        answer = Answer(
            text,
            _cpu_seconds() - cpu,
            time.monotonic() - wall,
            reader.networks_seconds - networks,
            max(_own_peak(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10),
        )
        answers.write(msgspec.json.encode(answer) + b"\n")


def _cpu_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _own_peak() -> int:
    """Bytes. Not from getrusage, which counts what the parent held when it forked this process."""
    found = re.search(r"^VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE)
    return int(found[1]) << 10 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


if __name__ == "__main__":
    main(sys.argv[1])
