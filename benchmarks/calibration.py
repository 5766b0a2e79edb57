"""`make calibration`: what the confidence of lines and pages is worth, on the evaluation set.

Every recognised line is looked for in the ground truth of its document; what differs are character errors. Lines are
put into bins by the confidence that Octavo said, and each bin's mean is held against the share of right characters.
The result is written to docs/benchmarks.md.

    python -m benchmarks.calibration [--tier standard|fast] [--kinds a,b] [--fit]

`--fit` prints, for each reader, the points that `octavo/engines/calibration.py` should have instead of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from benchmarks.evaluation_set import DEV, Case, cases
from benchmarks.sections import publish, score, table
from benchmarks.surroundings import default_settings, machine
from octavo.conversion.documents import PageFinished, Request, read_documents
from octavo.conversion.pool import Pool
from octavo.document import PageResult
from octavo.engines import calibration, languages

# Kinds whose ground truth is a transcription of all that the page says.
KINDS = (
    "text", "two-column", "newspaper", "mixed", "multi-language", "historical", "receipt", "photo", "rotated", "slide",
    "table-text", "handwritten",
)  # fmt: skip
EDGES = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 1.0001)
FIT_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 0.9995, 1.0001)
WINDOW = 3  # characters around the best place that are tried for a better one
LEAST_PIECES = 5  # lines or pages in a bin for it to be shown


@dataclass(frozen=True)
class Piece:
    """A line, or a page: what was said of it, the share of its characters that are right, and their number."""

    said: float
    right: float
    letters: int
    reader: str = ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=("standard", "fast"), action="append", help="only this tier")
    parser.add_argument("--kinds", default=",".join(KINDS), help="only cases of these kinds, joined by commas")
    parser.add_argument("--fit", action="store_true", help="print the points that fit these lines")
    args = parser.parse_args(arguments)
    if not (DEV / "manifest.jsonl").exists():
        print(f"No evaluation set at {DEV}: nothing is measured.", file=sys.stderr)
        return 0
    chosen = [case for case in cases(DEV) if case.kind in args.kinds.split(",") and case.truth]
    tiers = args.tier or ["standard", "fast"]
    measured = {tier: list(_measured(chosen, tier)) for tier in tiers}
    if args.fit:
        for tier, pages in measured.items():
            _print_fit(tier, [line for page in pages for line in page])
    publish("calibration", _section(measured), only_print=bool(args.tier or args.kinds != ",".join(KINDS)))
    return 0


def _measured(chosen: Sequence[Case], tier: str) -> Iterator[list[Piece]]:
    """The lines of each page that was read by OCR."""
    settings = default_settings(tier=tier)
    with contextlib.closing(Pool(settings)) as pool:
        for case in chosen:
            truth = _plain(case.truth, case.kind)
            for event in read_documents([Request(case.input)], pool, settings):
                if isinstance(event, PageFinished) and event.result.text_source == "ocr":
                    yield list(_pieces(event.result, truth, case.kind, tier))


def _pieces(result: PageResult, truth: str, kind: str, tier: str) -> Iterator[Piece]:
    for line in (line for block in result.blocks for line in block.lines):
        text = _plain(line.text, kind)
        if len(text) >= 2:
            wrong = min(len(text), _distance(text, truth))
            yield Piece(line.confidence, 1 - wrong / len(text), len(text), _reader(line.lang, tier))


def _reader(lang: str, tier: str) -> str:
    """Which points the confidence of a line in `lang` was made by; results name the language and not the reader."""
    by_tesseract = lang and languages.beyond_pp_ocr((lang,), tier)
    return calibration.name("tesseract" if by_tesseract else "network", tier)


def _plain(text: str, kind: str) -> str:
    """Letters without spaces and marks of Markdown; receipts are transcribed in capitals only."""
    folded = "".join(c for c in unicodedata.normalize("NFKC", text) if not c.isspace() and c not in "*#|$\\_`<>-–—")
    return folded.casefold() if kind == "receipt" else folded


def _distance(text: str, truth: str) -> int:
    """Edits between a line and the part of the truth most like it."""
    if text in truth:
        return 0
    if len(text) > len(truth):
        return Levenshtein.distance(text, truth)
    place = fuzz.partial_ratio_alignment(text, truth)
    if place is None:
        return len(text)
    starts = range(max(0, place.dest_start - WINDOW), place.dest_start + WINDOW + 1)
    ends = range(place.dest_end - WINDOW, place.dest_end + WINDOW + 1)
    return min(Levenshtein.distance(text, truth[a:b]) for a in starts for b in ends if b > a)


def _page(lines: Sequence[Piece]) -> Piece | None:
    letters = sum(line.letters for line in lines)
    if not letters:
        return None
    said = sum(line.said * line.letters for line in lines) / letters
    return Piece(said, sum(line.right * line.letters for line in lines) / letters, letters)


def _section(measured: dict[str, list[list[Piece]]]) -> str:
    parts = [machine("rapidfuzz", "tesseract")]
    for tier, pages in measured.items():
        lines = [line for page in pages for line in page]
        whole = [page for lines_of_page in pages if (page := _page(lines_of_page))]
        parts.append(
            f"`{tier}`: {len(lines)} lines on {len(whole)} pages read by OCR. Said and right differ by "
            f"{_error(lines):.3f} on average over lines and by {_error(whole):.3f} over pages."
        )
        rows = []
        for low, high in pairwise(EDGES):
            bins = [[piece for piece in pieces if low <= piece.said < high] for pieces in (lines, whole)]
            if any(len(found) >= LEAST_PIECES for found in bins):
                name = f"{low:g} to {min(high, 1):g}"
                rows.append([name, *(cell for found in bins for cell in _cells(found))])
        parts.append(table(["confidence", "lines", "said", "right", "pages", "said", "right"], rows))
    return "\n\n".join(parts)


def _cells(found: Sequence[Piece]) -> list[str]:
    if len(found) < LEAST_PIECES:
        return [str(len(found)), "", ""]
    return [str(len(found)), score(_mean(found, "said")), score(_mean(found, "right"))]


def _mean(found: Iterable[Piece], what: str) -> float:
    pieces = list(found)
    return sum(getattr(piece, what) * piece.letters for piece in pieces) / sum(piece.letters for piece in pieces)


def _error(pieces: Sequence[Piece]) -> float:
    """The expected calibration error: the mean of the bins' differences, by letters."""
    total = sum(piece.letters for piece in pieces) or 1
    error = 0.0
    for low, high in pairwise(EDGES):
        found = [piece for piece in pieces if low <= piece.said < high]
        if found:
            letters = sum(piece.letters for piece in found)
            error += abs(_mean(found, "said") - _mean(found, "right")) * letters / total
    return error


def _print_fit(tier: str, lines: Sequence[Piece]) -> None:
    """For each reader: what it said, before calibration, against what was right, made monotone."""
    for reader in sorted({line.reader for line in lines}):
        own = [
            (calibration.raw(line.said, reader), line.right, line.letters) for line in lines if line.reader == reader
        ]
        groups = _monotone(own)
        print(f"{tier}, {reader}, {len(own)} lines:", ", ".join(f"({said:.4f}, {right:.4f})" for said, right in groups))


def _monotone(points: Sequence[tuple[float, float, int]]) -> list[tuple[float, float]]:
    """Points through the means of bins of the confidences, from the lowest; bins that fall are pooled with those before
    (isotonic regression)."""
    pools: list[tuple[float, float, int]] = []
    for low, high in pairwise(FIT_EDGES):
        found = [point for point in points if low <= point[0] < high]
        if not found:
            continue
        pools.append(_pooled(found))
        while len(pools) > 1 and pools[-1][1] < pools[-2][1]:
            pools[-2:] = [_pooled(pools[-2:])]
    return [(said, right) for said, right, _ in pools]


def _pooled(points: Sequence[tuple[float, float, int]]) -> tuple[float, float, int]:
    letters = sum(weight for _, _, weight in points)
    said, right = (sum(point[i] * point[2] for point in points) / letters for i in (0, 1))
    return said, right, letters


if __name__ == "__main__":
    sys.exit(main())
