"""`make bench`: Octavo beside RapidOCR, Tesseract and OCRmyPDF on the same pages, interleaved in one run.

Every system stands ready in a process of its own; each page goes to one after the other, and that is one round. Several
rounds are read while the time lasts, and each page counts with its median. The result is written to docs/benchmarks.md,
unless only some systems or pages were asked for.

    python -m benchmarks.bench [--rounds N] [--minutes N] [--pages N] [--system NAME]…
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from benchmarks import bench_report
from benchmarks.bench_pages import BenchPage, bench_pages
from benchmarks.bench_report import Measured
from benchmarks.peer import Peer, Reading
from benchmarks.sections import publish
from benchmarks.systems import SYSTEMS


def main(arguments: list[str] | None = None) -> int:
    """0 where at least one round was measured; systems that are not installed are named and left out."""
    args = _arguments(arguments)
    with tempfile.TemporaryDirectory(prefix="octavo-bench-") as scratch, contextlib.ExitStack() as stack:
        pages = bench_pages(Path(scratch))[: args.pages]
        peers, missing = [], []
        for system in args.system or SYSTEMS:
            peer = stack.enter_context(Peer(system))
            if peer.loaded.missing:
                missing.append(f"{system} was not measured. {peer.loaded.missing}")
                print(missing[-1], file=sys.stderr)
            else:
                peers.append(peer)
        readings = _measure(peers, pages, args.rounds, args.minutes * 60)
        measured = [Measured(peer.system, peer.loaded, peer.peak, readings[peer.system]) for peer in peers]
    body = bench_report.section(pages, measured, missing)
    publish("bench", body, only_print=bool(args.system or args.pages))
    return 0


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description="Measure Octavo beside its peers.")
    parser.add_argument("--rounds", type=int, default=3, help="times that each page is read by each system")
    parser.add_argument("--minutes", type=float, default=8.0, help="begin no round that would end later than this")
    parser.add_argument("--pages", type=int, metavar="N", help="only the first N pages")
    parser.add_argument("--system", choices=list(SYSTEMS), action="append", help="only this system")
    return parser.parse_args(arguments)


def _measure(
    peers: Sequence[Peer], pages: Sequence[BenchPage], rounds: int, seconds: float
) -> dict[str, list[list[Reading]]]:
    """System to rounds of readings, one for each page in order. At least one round; all rounds are whole."""
    readings: dict[str, list[list[Reading]]] = {peer.system: [] for peer in peers}
    began = time.monotonic()
    with tqdm(total=rounds * len(pages), unit="page", disable=None) as progress:
        for done in range(rounds):
            passed = time.monotonic() - began
            if done and passed + passed / done > seconds:
                break
            for peer in peers:
                readings[peer.system].append([])
            for page in pages:
                for peer in peers:
                    progress.set_postfix_str(peer.system)
                    readings[peer.system][-1].append(peer.read(page))
                progress.update()
    return readings


if __name__ == "__main__":
    sys.exit(main())
