"""Bent and tilted tables made level: photographs of pages leave rulings that fall, rise and bow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec.structs import replace as replaced
from numpy.typing import NDArray

from octavo.document import Box
from octavo.engines.pipeline.lines import TextLine

_GAP = 2.0  # heights of a line between pieces of one ruling
_STEP = 0.15  # of the way along that the next piece may lie off the last
_LONG = 0.5  # share of the table that a ruling must run along to say how it is bent
_FLAT = 1.5  # px of bend that need no levelling


@dataclass(frozen=True)
class Levelling:
    """How far off a level place stands, in pixels: `down` and `right` hold what multiplies u, u^2 and u v, where u
    runs along the rulings and v across them, both from -1 to 1 over the table."""

    box: Box
    down: NDArray[np.float64]
    right: NDArray[np.float64]

    @property
    def flat(self) -> bool:
        return not (self.down.any() or self.right.any())

    def levelled(self, box: Box) -> Box:
        """The box moved to where it would stand if the table were level."""
        right, down = self._off(box)
        return (box[0] - right, box[1] - down, box[2] - right, box[3] - down)

    def bent(self, box: Box) -> Box:
        """The way back, near enough."""
        right, down = self._off(box)
        return (box[0] + right, box[1] + down, box[2] + right, box[3] + down)

    def line(self, line: TextLine) -> TextLine:
        """The line moved with its words."""
        if self.flat:
            return line
        words = tuple(replaced(word, box=self.levelled(word.box)) for word in line.words)
        return replace(line, box=self.levelled(line.box), words=words)

    def _off(self, box: Box) -> tuple[float, float]:
        if self.flat:
            return 0.0, 0.0
        x0, y0, x1, y1 = self.box
        u = (box[0] + box[2] - 2 * x0) / max(1.0, x1 - x0) - 1
        v = (box[1] + box[3] - 2 * y0) / max(1.0, y1 - y0) - 1
        return float(_terms(v, u) @ self.right), float(_terms(u, v) @ self.down)


def fitted(box: Box, rulings: Sequence[Box], height: float) -> Levelling:
    """The levelling of the table in `box` by its long rulings; `height` is that of a text line."""
    x0, y0, x1, y1 = box
    level = [r for r in rulings if r[2] - r[0] >= r[3] - r[1]]
    upright = [(b, a, d, c) for a, b, c, d in rulings if c - a < d - b]
    down = _fit(_chains(level, height), (x0, x1), (y0, y1))
    right = _fit(_chains(upright, height), (y0, y1), (x0, x1))
    return Levelling(box, down, right)


def _chains(pieces: Sequence[Box], height: float) -> list[list[Box]]:
    """Pieces that follow each other along one ruling, from the left."""
    chains: list[list[Box]] = []
    for piece in sorted(pieces, key=lambda p: p[0]):
        best, least = None, float("inf")
        for chain in chains:
            gap = piece[0] - chain[-1][2]
            off = abs(_middle(piece) - _middle(chain[-1]))
            along = max(0.0, gap) + (piece[2] - piece[0] + chain[-1][2] - chain[-1][0]) / 2
            if -height < gap < _GAP * height and off < max(3.0, min(_STEP * along, 0.5 * height)) and off < least:
                best, least = chain, off
        if best is None:
            chains.append([piece])
        else:
            best.append(piece)
    return chains


def _middle(piece: Box) -> float:
    return (piece[1] + piece[3]) / 2


def _fit(chains: Sequence[list[Box]], along: tuple[float, float], across: tuple[float, float]) -> NDArray[np.float64]:
    """The bend common to the long chains by least squares; zeros where there is none to speak of."""
    rows, values = [], []
    for chain in chains:
        if chain[-1][2] - chain[0][0] < _LONG * (along[1] - along[0]) or len(chain) < 3:
            continue
        at = np.array([((p[0] + p[2]) / 2, _middle(p)) for p in chain])
        u = 2 * (at[:, 0] - along[0]) / max(1.0, along[1] - along[0]) - 1
        v = 2 * (at[:, 1].mean() - across[0]) / max(1.0, across[1] - across[0]) - 1
        terms = _terms(u, np.full_like(u, v))
        rows.append(terms - terms.mean(axis=0))
        values.append(at[:, 1] - at[:, 1].mean())
    if not rows:
        return np.zeros(3)
    solution = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=1e-3)[0]
    return solution if np.abs(solution).max() > _FLAT else np.zeros(3)


def _terms(u: float | NDArray[np.float64], v: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.asarray(u, np.float64), np.asarray(u, np.float64) ** 2, np.asarray(u * v, np.float64)], axis=-1)
