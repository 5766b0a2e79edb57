"""The comparison with other systems as a section of docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from benchmarks.bench_pages import BenchPage, names
from benchmarks.peer import Reading
from benchmarks.sections import goal, score, table
from benchmarks.surroundings import machine
from benchmarks.system_child import Loaded

REFERENCE = "RapidOCR"
CPU_SHARE = {"octavo standard": 1 / 3, "octavo fast": 1 / 8}  # of the reference's CPU seconds per page, at most
F1_LOSS = 0.005  # that `standard` may have against the reference
OUTSIDE = 0.05  # share of a `standard` page's CPU time that may be spent outside the networks


@dataclass(frozen=True)
class Measured:
    """All of one system. `rounds` holds a reading of every page each; `peak` is in bytes."""

    system: str
    loaded: Loaded
    peak: int
    rounds: Sequence[Sequence[Reading]]

    def per_page(self, figure: Callable[[Reading], float]) -> list[float]:
        """The median over the rounds, for each page."""
        return [median(map(figure, readings)) for readings in zip(*self.rounds, strict=True)]

    @property
    def cpu(self) -> float:
        """CPU seconds per page."""
        return fmean(self.per_page(lambda reading: reading.cpu))

    @property
    def wall(self) -> float:
        """Seconds per page."""
        return fmean(self.per_page(lambda reading: reading.wall))

    @property
    def f1(self) -> float:
        return fmean(self.per_page(lambda reading: reading.f1))

    @property
    def outside(self) -> float | None:
        """Share of the CPU time outside the networks, 0 to 1; None where it is not known."""
        networks = fmean(self.per_page(lambda reading: reading.networks))
        return 1 - networks / self.cpu if networks else None


def section(pages: Sequence[BenchPage], measured: Sequence[Measured], missing: Sequence[str]) -> str:
    """The section's Markdown."""
    by_name = {one.system: one for one in measured}
    rounds = len(measured[0].rounds) if measured else 0
    parts = [
        machine("rapidocr", "tesseract", "ocrmypdf"),
        f"{len(pages)} pages, each read {rounds} times by every system in turn; a page counts with its median. "
        f"Pages: {names(pages)}.",
        _systems(measured, by_name.get(REFERENCE)),
    ]
    if goals := _goals(by_name):
        parts.append(table(["what has to be reached", "measured", "needed", "reached"], goals))
    parts.append(_pages(pages, measured))
    return "\n\n".join([*parts, *missing])


def _systems(measured: Sequence[Measured], reference: Measured | None) -> str:
    head = ["system", "CPU s/page", f"of {REFERENCE}", "s/page", "word F1", "peak MB", "outside networks", "load CPU s"]
    rows = []
    for one in measured:
        share = f"{one.cpu / reference.cpu:.2f} (1/{reference.cpu / one.cpu:.1f})" if reference else "–"
        outside = "–" if one.outside is None else f"{one.outside:.1%}"
        figures = [f"{one.cpu:.2f}", share, f"{one.wall:.2f}", score(one.f1), f"{one.peak / 1e6:.0f}", outside]
        rows.append([one.system, *figures, f"{one.loaded.cpu:.1f}"])
    return table(head, rows)


def _goals(by_name: dict[str, Measured]) -> list[list[str]]:
    rows = []
    standard, fast = by_name.get("octavo standard"), by_name.get("octavo fast")
    reference, tesseract = by_name.get(REFERENCE), by_name.get("Tesseract")
    for one in (standard, fast):
        if one and reference:
            share, most = one.cpu / reference.cpu, CPU_SHARE[one.system]
            what = f"{one.system}: CPU per page, of {REFERENCE}"
            rows.append([what, f"{share:.3f}", f"≤ {most:.3f}", goal(share <= most)])
    if standard and reference:
        least = reference.f1 - F1_LOSS
        rows.append(
            [f"standard: word F1, by {REFERENCE}", score(standard.f1), f"≥ {score(least)}", goal(standard.f1 >= least)]
        )
    if fast and tesseract:
        reached = goal(fast.f1 >= tesseract.f1)
        rows.append(["fast: word F1, by Tesseract", score(fast.f1), f"≥ {score(tesseract.f1)}", reached])
    if standard and standard.outside is not None:
        reached = goal(standard.outside <= OUTSIDE)
        rows.append(["standard: CPU outside networks", f"{standard.outside:.1%}", f"≤ {OUTSIDE:.0%}", reached])
    return rows


def _pages(pages: Sequence[BenchPage], measured: Sequence[Measured]) -> str:
    """Every page: word F1 and CPU seconds."""
    columns = [
        [
            f"{score(f1)} ({cpu:.2f} s)"
            for f1, cpu in zip(
                one.per_page(lambda reading: reading.f1), one.per_page(lambda reading: reading.cpu), strict=True
            )
        ]
        for one in measured
    ]
    rows = [[page.name, *cells] for page, *cells in zip(pages, *columns, strict=True)]
    return "Word F1 and CPU seconds of each page:\n\n" + table(["page", *(one.system for one in measured)], rows)
