"""From what a network says of its answer to the share of characters that are right.

Networks trained to be right are too sure of themselves: lines that PP-OCR gives 0.99 have five wrong characters in a
hundred. The points below are the means of the evaluation set's lines, made monotone; `python -m benchmarks.calibration
--fit` prints them anew, and docs/benchmarks.md shows how well they hold.
"""

from __future__ import annotations

from bisect import bisect_right

from octavo.engines import languages

_POINTS = {
    "small": (
        (0.0, 0.0), (0.6, 0.45), (0.76, 0.62), (0.85, 0.8), (0.92, 0.85), (0.96, 0.91), (0.975, 0.93),
        (0.99, 0.94), (0.995, 0.965), (0.998, 0.982), (1.0, 0.996),
    ),
    "tiny": (
        (0.0, 0.0), (0.6, 0.45), (0.76, 0.62), (0.85, 0.8), (0.92, 0.85), (0.96, 0.91), (0.975, 0.93),
        (0.99, 0.94), (0.995, 0.965), (0.998, 0.982), (1.0, 0.996),
    ),
    "tesseract": ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0)),
}  # fmt: skip


def reader(tier: str, lang: str) -> str:
    """Which points hold for lines that `tier` reads as `lang` (a code, or empty where none is known)."""
    if lang and languages.beyond_pp_ocr((lang,), tier):
        return "tesseract"
    return "small" if tier == "standard" else "tiny"


def calibrated(said: float, reader: str) -> float:
    """The share of right characters, 0 to 1, to expect where a reader is as sure as `said`, 0 to 1."""
    return _between(said, _POINTS[reader])


def raw(confidence: float, reader: str) -> float:
    """What the reader must have said; the inverse of `calibrated`."""
    return _between(confidence, tuple((right, said) for said, right in _POINTS[reader]))


def _between(x: float, points: tuple[tuple[float, float], ...]) -> float:
    """Along the straight lines between the points."""
    place = min(max(1, bisect_right(points, (x, 2.0))), len(points) - 1)
    (x0, y0), (x1, y1) = points[place - 1], points[place]
    return min(1.0, max(0.0, y0 + (y1 - y0) * (x - x0) / (x1 - x0)))
