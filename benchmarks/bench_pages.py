"""The pages that `make bench` reads: dense, upright, with known words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from benchmarks.evaluation_set import DEV, Case, cases
from benchmarks.surroundings import ROOT, default_settings
from octavo.engines.languages import TESSERACT
from octavo.intake import open_source

# Two plain pages, four in columns, two typewritten, and five languages; no crops, photographs or turned pages.
CHOSEN = (
    "scribe-singlecol_01", "scribe-filing_01", "scribe-multicol_01", "scribe-multicol_05", "scribe-multicol_07",
    "scribe-multicol_11", "tapus-3097347b-1335", "tapus-election-92005", "deb-faq-de-33-scan", "deb-faq-pt-57-scan",
    "deb-ins-cs-44-scan", "deb-ref-zh-cn-35-scan",
)  # fmt: skip

# The English pages of the example that stand upright; where the evaluation set is absent.
EXAMPLE_PAGES = (1, 2, 3)
DPI = 200


@dataclass(frozen=True)
class BenchPage:
    """A picture of a page and its words. `tesseract` is the name of its language's data for Tesseract."""

    name: str
    picture: Path
    truth: str
    optional: str
    tesseract: str


def bench_pages(scratch: Path, data: Path = DEV) -> list[BenchPage]:
    """The chosen pages of the evaluation set in `data`, or pages of the examples, whose pictures go to `scratch`."""
    if not (data / "manifest.jsonl").exists():
        return list(_from_examples(scratch))
    known = {case.id: case for case in cases(data)}
    return [_from_case(known[name]) for name in CHOSEN if name in known]


def _from_case(case: Case) -> BenchPage:
    names = "+".join(TESSERACT[code] for code in case.lang.split("+"))
    return BenchPage(case.id, case.input, case.truth, "\n".join(case.optional), names)


def _from_examples(scratch: Path) -> Iterator[BenchPage]:
    """Pictures of the scan; the words are those that the digital file of the same pages brings along."""
    settings = default_settings()
    scan = open_source(ROOT / "examples/report-scan.pdf", settings)
    digital = open_source(ROOT / "examples/report-digital.pdf", settings)
    for number in EXAMPLE_PAGES:
        layer = digital.page(number).text_layer
        assert layer is not None
        picture = scratch / f"report-{number}.png"
        cv2.imwrite(str(picture), scan.page(number).render(DPI)[:, :, ::-1])
        yield BenchPage(picture.stem, picture, "\n".join(line.text for line in layer.lines), "", "eng")
    scan.close()
    digital.close()


def names(pages: Sequence[BenchPage]) -> str:
    return ", ".join(f"`{page.name}`" for page in pages)
