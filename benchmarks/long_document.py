"""`make bench-long`: the memory of a conversion of a very long scan, page after page.

The scan is made from real pages, each picture another, about 0.5 MB a page; it and all else is removed at the end. It
is converted by `octavo.convert` to Markdown and JSON with default settings (the page cache on, in the same temporary
folder). The result is written to docs/benchmarks.md, unless --print is given.

    python -m benchmarks.long_document [--pages N] [--tier standard|fast] [--workers N] [--folder DIR] [--print]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.long_scan import PICTURE_BYTES, write_long_scan
from benchmarks.memory_log import WINDOW, Log, convert_watched
from benchmarks.sections import goal, publish, table
from benchmarks.surroundings import default_settings, machine
from octavo.settings import MIB

MILESTONES = (10, 100, 200, 500, 1000, 1500, 2000)
SETTLED = 200  # pages after which memory should not grow any more
PARENT_MB, CHILD_MB, GROWTH = 200, 1000, 1.05  # what must not be passed


def main(arguments: list[str] | None = None) -> int:
    """0 where every page came out once and in order, 1 where not, 2 where there is no room for the scan."""
    args = _arguments(arguments)
    room = shutil.disk_usage(args.folder or tempfile.gettempdir()).free
    if room < 1.2 * args.pages * PICTURE_BYTES:
        print(f"The scan needs {1.2 * args.pages * PICTURE_BYTES / 1e6:.0f} MB on disk; name a --folder with room.")
        return 2
    with tempfile.TemporaryDirectory(prefix="octavo-long-", dir=args.folder) as folder:
        document = Path(folder, "long-scan.pdf")
        size = write_long_scan(document, args.pages)
        settings = default_settings(
            tier=args.tier,
            workers=args.workers,
            cache_mb=4096,
            cache_dir=str(Path(folder, "cache")),
            max_pages=max(2000, args.pages),
            max_file_mb=size // MIB + 1,
        )
        log = convert_watched(document, [Path(folder, "out.md"), Path(folder, "out.json")], settings, args.pages)
    publish("long-document", section(log, args.pages, size, args.tier), only_print=args.print)
    return 0 if not log.exit_status and log.numbers == list(range(1, args.pages + 1)) else 1


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_document", description="Convert a very long scan.")
    parser.add_argument("--pages", type=int, default=2000, help="pages of the scan")
    parser.add_argument("--tier", choices=("standard", "fast"), default="fast")
    parser.add_argument("--workers", type=int, default=0, help="worker processes; 0 means one per core")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where to make the scan, instead of the usual place")
    parser.add_argument("--print", action="store_true", help="write nothing to docs/benchmarks.md")
    return parser.parse_args(arguments)


def section(log: Log, pages: int, size: int, tier: str) -> str:
    """The section's Markdown."""
    parts = [machine("pypdfium2"), _what_was_run(log, pages, size, tier)]
    if not log.samples:
        return "\n\n".join(parts)
    milestones = [page for page in MILESTONES if page < pages] + [pages]
    rows = []
    for page in milestones:
        near = log.around(page)
        parent, child = max(one.parent for one in near), max((max(one.children, default=0) for one in near), default=0)
        rows.append([str(page), *(f"{held / 1e6:.0f}" for held in (parent, child, log.tree_at(page)))])
    parts.append(table(["pages done", "parent MB", "largest child MB", "all processes MB"], rows))
    parts.append(
        f"Resident memory, looked at every second over the {WINDOW} pages before: the most of the parent and of a "
        "child, the median of all processes together. Memory that processes share counts in each."
    )
    return "\n\n".join([*parts, _goals(log, milestones)])


def _what_was_run(log: Log, pages: int, size: int, tier: str) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in sorted(log.statuses.items()))
    end = "" if not log.exit_status else f" **The conversion ended with exit status {log.exit_status}.**"
    return (
        f"A scan of {pages} pages, {size / 1e6:.0f} MB, with the `{tier}` tier to Markdown and JSON. Pages out: "
        f"{len(log.numbers)} ({counts or 'none'}) in {log.wall:.0f} s, {len(log.numbers) / log.wall:.2f} pages/s.{end}"
    )


def _goals(log: Log, milestones: list[int]) -> str:
    parent = max(one.parent for one in log.samples) / 1e6
    child = max(max(one.children, default=0) for one in log.samples) / 1e6
    begin, end = SETTLED if SETTLED in milestones else milestones[0], milestones[-1]
    growth = log.tree_at(end) / log.tree_at(begin)
    out = len(log.numbers)
    in_order = log.numbers == list(range(1, end + 1))
    rows = [
        ["parent, at most", f"{parent:.0f} MB", f"≤ {PARENT_MB} MB", goal(parent <= PARENT_MB)],
        ["each child, at most", f"{child:.0f} MB", f"≤ {CHILD_MB} MB", goal(child <= CHILD_MB)],
        [f"all at page {end}, of page {begin}", f"{growth:.3f}", f"≤ {GROWTH}", goal(growth <= GROWTH)],
        ["pages out, each once and in order", str(out), str(end), goal(in_order)],
    ]
    return table(["what has to hold", "measured", "needed", "reached"], rows)


if __name__ == "__main__":
    sys.exit(main())
