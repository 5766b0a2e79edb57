"""From what a network says of its answer to the share of characters that are right.

Networks trained to be right are too sure of themselves: lines that PP-OCR gives 0.99 have five wrong characters in a
hundred. The points below are the means of the evaluation set's lines, made monotone; `python -m benchmarks.calibration
--fit` prints them anew, and docs/benchmarks.md shows how well they hold.
"""

from __future__ import annotations

from bisect import bisect_right

_POINTS = {
    "small": (
        (0.0, 0.0), (0.698, 0.669), (0.848, 0.825), (0.934, 0.869), (0.961, 0.898), (0.979, 0.933), (0.988, 0.953),
        (0.993, 0.954), (0.9968, 0.986), (0.999, 0.989), (0.9998, 0.9967), (1.0, 0.998),
    ),
    "tiny": (
        (0.0, 0.0), (0.64, 0.62), (0.752, 0.74), (0.86, 0.837), (0.93, 0.891), (0.961, 0.918), (0.979, 0.963),
        (0.988, 0.975), (0.993, 0.983), (0.997, 0.994), (0.999, 0.995), (1.0, 0.996),
    ),
    "tesseract": (
        (0.0, 0.0), (0.43, 0.75), (0.713, 0.794), (0.866, 0.922), (0.93, 0.975), (0.96, 0.998), (1.0, 0.999),
    ),
}  # fmt: skip


def name(reader: str, tier: str) -> str:
    """Which points hold for lines that a tier's network or Tesseract has read."""
    return reader if reader == "tesseract" else "small" if tier == "standard" else "tiny"


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
