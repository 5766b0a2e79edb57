"""What the glyphs of a formula are: simple ones by their shape, others by the recognition network, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from octavo.document import Box
from octavo.engines.pipeline.formula_glyphs import Glyph
from octavo.engines.pipeline.recognition import Recognizer

_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_GREEK = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψωϕϵϑµ∆∂∇"
_SIGNS = "+−-=<>≤≥≠≡≈∼~±∓×·∙∗*/\\|∥()[]{}.,:;!?'′\"→←↔⇒⇔↦∈∉∋⊂⊃⊆⊇∪∩∧∨¬∀∃∅∞∝∫∮∑∏√⊕⊗⊥†‡ℏℓℜℑℵ∘°^≪≫≅≃∖&%#@§"
_UNDERLINED = frozenset("≤≥±≃≅⊆⊇")
_WITH_BAR = {"<": "≤", ">": "≥", "+": "±", "∼": "≃", "⊂": "⊆", "⊃": "⊇"}
_DOTTED = frozenset("ij:;!?")
_PILES = frozenset("=≈≡≃＝")
_TWINS = "十一丨｜＋＝＜＞"  # East Asian signs of the same shape, which the network would rather see
ALPHABET = frozenset(_LATIN + "0123456789" + _GREEK + _SIGNS + _TWINS)
_SURE_PAIR = 0.8  # confidence of each of several letters read in one piece of ink
_SAME = str.maketrans("µ∆-~∙'*十一丨｜＋＝＜＞", "μΔ−∼·′∗+−||+=<>")


@dataclass(frozen=True)
class Symbol:
    """A sign and where its ink stands, in pixels. `sure` is the confidence it was read with."""

    text: str
    box: Box
    sure: float = 1.0


def symbols(recognizer: Recognizer, found: Sequence[Glyph]) -> list[Symbol]:
    """The glyphs read; one that holds several touching letters comes out as several."""
    return _Reading(recognizer, found).symbols()


class _Reading:
    """Equal glyphs, as printed from a font without noise, are read once."""

    def __init__(self, recognizer: Recognizer, found: Sequence[Glyph]) -> None:
        self._recognizer = recognizer
        self._found = found
        self._usual = _usual(found)
        self._known: dict[tuple[tuple[int, ...], bytes], tuple[Symbol, ...]] = {}

    def symbols(self) -> list[Symbol]:
        return [symbol for glyph in self._found for symbol in self._read(glyph)]

    def _read(self, glyph: Glyph) -> list[Symbol]:
        name = _by_shape(glyph, self._usual)
        if not name and _is_radical(glyph, self._usual) and any(_holds(glyph, other) for other in self._found):
            name = "√"
        if name:
            return [Symbol(name, glyph.box)]
        among = _PILES if glyph.parts and all(part.width > 1.8 * part.height for part in glyph.parts) else ALPHABET
        key = (glyph.mask.shape, glyph.mask.tobytes())
        if key not in self._known:
            self._known[key] = _by_network(self._recognizer, glyph, among)
        read = self._known[key]
        if len(glyph.parts) == 2 and among is ALPHABET:
            known = _UNDERLINED if glyph.parts[1].is_bar else _DOTTED
            if read[0].text not in known:
                return self._apart(glyph)
        x, y = glyph.box[:2]
        return [Symbol(s.text, (s.box[0] + x, s.box[1] + y, s.box[2] + x, s.box[3] + y), s.sure) for s in read]

    def _apart(self, glyph: Glyph) -> list[Symbol]:
        """Parts that make no sign together, each for itself; but a bar under some signs makes another one of them."""
        read = [symbol for part in glyph.parts for symbol in self._read(part)]
        if glyph.parts[1].is_bar and read[0].text in _WITH_BAR:
            return [Symbol(_WITH_BAR[read[0].text], glyph.box, read[0].sure)]
        return read


def _holds(outer: Glyph, inner: Glyph) -> bool:
    x, y = inner.middle
    return inner is not outer and outer.box[0] < x < outer.box[2] and outer.box[1] < y < outer.box[3]


def _usual(found: Sequence[Glyph]) -> float:
    heights = sorted(g.height for g in found if not g.is_bar and g.width > 0.4 * g.height)
    return heights[int(len(heights) * 0.6)] if heights else 1.0


def _by_network(recognizer: Recognizer, glyph: Glyph, among: frozenset[str]) -> tuple[Symbol, ...]:
    """What the network reads in the glyph, boxes from the glyph's top left."""
    margin = max(3, round(0.3 * min(glyph.height, 40)))
    around = cv2.copyMakeBorder(glyph.shades, *(margin,) * 4, cv2.BORDER_CONSTANT, value=(255,))
    reading = recognizer.read(np.repeat(np.asarray(around, np.uint8)[:, :, None], 3, axis=2), among)
    width, height = glyph.width, glyph.height
    text = reading.text.translate(_SAME)
    if not text:
        return (Symbol("", (0, 0, width, height), 0.0),)
    if text in _WITH_BAR and glyph.mask[-max(1, glyph.mask.shape[0] // 12) :].mean() > 0.8:
        text = _WITH_BAR[text]  # the bar touches what stands on it
    if len(text) == 1 or width < 0.95 * height or min(reading.confidences) < _SURE_PAIR:
        best = int(np.argmax(reading.confidences))
        return (Symbol(text[best], (0, 0, width, height), reading.confidences[best]),)
    whole = width + 2 * margin
    edges = [0.0, *((a + b) / 2 * whole - margin for a, b in pairwise(reading.positions)), width]
    return tuple(
        Symbol(c, _inked(glyph.mask, low, high), sure)
        for c, low, high, sure in zip(text, edges[:-1], edges[1:], reading.confidences, strict=True)
    )


def _inked(mask: NDArray[np.bool_], low: float, high: float) -> Box:
    """The box around the ink between two places along the glyph."""
    x0 = int(np.clip(low, 0, mask.shape[1] - 1))
    x1 = int(np.clip(np.ceil(high), x0 + 1, mask.shape[1]))
    rows = np.flatnonzero(mask[:, x0:x1].any(axis=1))
    return (x0, int(rows[0]), x1, int(rows[-1]) + 1) if len(rows) else (x0, 0, x1, mask.shape[0])


# ---- by shape


def _by_shape(glyph: Glyph, usual: float) -> str:
    """The sign, where its shape alone tells; else empty."""
    if glyph.is_bar:
        return "−"
    if len(glyph.parts) > 1 and all(part.is_bar for part in glyph.parts):
        return "=" if len(glyph.parts) == 2 else "≡"
    if max(glyph.width, glyph.height) < 0.35 * usual and glyph.mask.mean() > 0.6 and not glyph.parts:
        return "." if glyph.height < 1.4 * glyph.width else ""
    if glyph.height > 6 * glyph.width and glyph.mask.mean() > 0.9:
        return "|"
    if glyph.height > 2.2 * glyph.width and (bracket := _square(glyph)):
        return bracket
    if glyph.height > 2.4 * usual and glyph.width < 0.7 * glyph.height:
        return _tall(glyph)
    if not glyph.parts and glyph.width < 0.7 * glyph.height and _is_slash(glyph):
        return "/"
    if glyph.width > 1.3 * glyph.height and _is_infinity(glyph):
        return "∞"
    return ""


def _is_radical(glyph: Glyph, usual: float) -> bool:
    """A long stroke along the top right of an empty space, with a hook on its left that reaches the bottom."""
    mask, (height, width) = glyph.mask, glyph.mask.shape
    if height < 0.8 * usual or width < 0.6 * height:
        return False
    top = max(2, round(0.12 * height))
    right = mask[:, round(0.75 * width) :]
    hook = min(width, height)
    corner = mask[: round(0.4 * height), : round(0.3 * hook)]
    bottom = np.flatnonzero(mask[round(0.92 * height) :].any(axis=0))
    return bool(
        right[:top].any(axis=0).mean() > 0.9
        and not right[2 * top :].any()
        and not corner.any()
        and len(bottom) > 0
        and bottom.mean() < 0.6 * hook
    )


def _is_infinity(glyph: Glyph) -> bool:
    """Two holes side by side."""
    padded = np.pad(~glyph.mask, 1, constant_values=True).astype(np.uint8)
    return int(cv2.connectedComponents(padded, connectivity=4)[0]) - 1 == 3


def _course(glyph: Glyph) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The middle of the ink of each row, 0 at the glyph's left to 1 at its right, and how much ink the row has."""
    weight = glyph.mask.sum(axis=1)
    places = np.arange(glyph.mask.shape[1]) / max(1, glyph.mask.shape[1] - 1)
    return (glyph.mask @ places) / np.maximum(weight, 1), weight


def _is_slash(glyph: Glyph) -> bool:
    centre, weight = _course(glyph)
    spans = glyph.mask.shape[1] - np.argmax(glyph.mask[:, ::-1], axis=1) - np.argmax(glyph.mask, axis=1)
    straight = np.abs(centre - np.linspace(centre[0], centre[-1], len(centre))).max() < 0.15
    thin = spans.max() <= 1.6 * np.median(spans) + 1 and weight.min() > 0
    return bool(straight and thin and centre[0] - centre[-1] > 0.5)


def _square(glyph: Glyph) -> str:
    """[ or ]: one straight stroke with an end to the same side above and below; else empty."""
    mask, (height, width) = glyph.mask, glyph.mask.shape
    end = max(2, height // 10)
    middle = mask[end:-end]
    body = np.flatnonzero(middle.mean(axis=0) > 0.9)
    if not len(body) or len(body) > 0.5 * width or middle.any(axis=0).sum() > len(body) + 0.15 * width + 1:
        return ""
    reach = [mask[rows].any(axis=0).mean() for rows in (slice(0, end), slice(-end, None))]
    if min(reach) < 0.85:
        return ""
    left, right = body[0], width - 1 - body[-1]
    return "[" if left < 0.2 * width < right else "]" if right < 0.2 * width < left else ""


def _tall(glyph: Glyph) -> str:
    """Brackets, bars, slashes and integrals by the course of their ink from top to bottom; else empty."""
    centre, weight = _course(glyph)
    height, width = glyph.mask.shape
    if (weight == 0).any():
        return ""
    if _is_slash(glyph):
        return "/"
    part = max(1, height // 12)
    middle = centre[2 * part : -2 * part]
    if middle.max() - middle.min() < 0.2:
        return "|"
    top, bottom = centre[:part].mean(), centre[-part:].mean()
    body = float(np.median(weight))
    waist = centre[height // 2 - part : height // 2 + part].mean()
    # A brace runs straight down between its end and its waist, where a round bracket still curves.
    high, low = centre[round(0.2 * height)], centre[round(0.3 * height)]
    straight = abs(high - low) < 0.08 and abs(low - waist) > 0.15
    if top > 0.6 and bottom < 0.4 and width > 2 * body:
        return "∫"
    if top > 0.6 and bottom > 0.6:
        return "{" if straight else "("
    if top < 0.4 and bottom < 0.4:
        return "}" if straight else ")"
    return ""
