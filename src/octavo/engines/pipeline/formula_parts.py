"""What stands in a formula: signs and finished pieces of it, each with the type size and the baseline its ink tells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from octavo.document import Box
from octavo.engines.pipeline.formula_nodes import Atom, Node
from octavo.engines.pipeline.formula_symbols import Symbol

_SHORT, _TALL, _FIGURE, _DEEP = 0.45, 0.69, 0.66, 0.21  # ems above and below the baseline, of Computer Modern and Times
_AXIS = 0.25  # ems above the baseline: where minus signs and the lines of fractions stand
_LEVELS = ((1.0, 0.0), (0.7, 0.0), (0.5, 0.15))  # sizes of letters, scripts and their scripts; how unlikely they are
_OTHER = 0.15  # how unlikely it is that a letter was taken for its lookalike

# How far the ink reaches above and below the baseline, in ems.
_INK = {
    **dict.fromkeys("acemnorsuvwxzαεικνοπστυωϵ", (_SHORT, 0.0)),
    **dict.fromkeys("bdhklδθλϑℓ∂ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΦΨΩ∇℘ℜℑℏ∀∃", (_TALL, 0.0)),
    **dict.fromkeys("gpqyγμρχηφ", (_SHORT, -_DEEP)),
    **dict.fromkeys("fjβζξψϕQ", (_TALL, -_DEEP)),
    **dict.fromkeys("0123456789it", (_FIGURE, 0.0)),
}  # fmt: skip

_AT_AXIS = frozenset("+−=<>≤≥≠≡≈≅≃∼±∓×·∗→←↔⇒⇔↦∈∉∋⊂⊃⊆⊇∪∩∧∨¬∝⊕⊗⊥∘≪≫∞÷∖∣∥|/")
_AS_WIDE, _OPERATOR = frozenset("+="), 0.65  # ems of their width
_ALIKE = 0.17  # powers of e between sizes of one type
_LARGE = frozenset("∑∏∫∮∐")
_DELIMITERS = frozenset("()[]{}|∥⟨⟩⌊⌋⌈⌉")

# Letters of one shape that differ in size or place only, and signs of like shape.
_SAME_SHAPE = [set(group) for group in ("cC", "oO0", "sS", "vVν", "wW", "xXχ", "zZ", "uU", "pPρ", "kKκ", "φϕ")]
_LIKE_SHAPE = [set(group) for group in ("z2Z", "nNη", "1l", "rΓ", "4ψ", "Eϵ")]
_SURE = 0.9  # confidence below which a sign may as well be one of like shape
_OWN, _DOUBTFUL = 0.9, 0.5  # worth of a lookalike that may well be meant, and of one that was surely read otherwise


@dataclass(frozen=True)
class Part:
    """`size` is its em and `base` its baseline in pixels; None where the ink does not tell them."""

    node: Node
    box: Box
    size: float | None = None
    base: float | None = None
    others: tuple[Part, ...] = ()  # what else it may be, with size and baseline as they would then be
    worth: float = 1.0  # how likely it is this sign
    told: bool = False  # by a text layer: its sign, size and baseline are what they are

    @property
    def text(self) -> str:
        """The sign, or empty for a finished piece."""
        return self.node.text if isinstance(self.node, Atom) else ""

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def x(self) -> float:
        return (self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def parts_of(symbols: Iterable[Symbol]) -> list[Part]:
    """The symbols (with ink boxes) as parts."""
    known = [symbol for symbol in symbols if symbol.text]
    stretch = _stretch(known)
    return [replace(_part(symbol.text, symbol.box, stretch), others=_others(symbol, stretch)) for symbol in known]


def _others(symbol: Symbol, stretch: float) -> tuple[Part, ...]:
    worths = {other: _OWN for group in _SAME_SHAPE if symbol.text in group for other in group}
    unsure = _OWN if symbol.sure < _SURE else _DOUBTFUL
    for group in _LIKE_SHAPE:
        if symbol.text in group:
            worths |= {other: unsure for other in group if other not in worths}
    worths.pop(symbol.text, None)
    return tuple(replace(_part(other, symbol.box, stretch), worth=worths[other]) for other in sorted(worths))


def _stretch(symbols: Sequence[Symbol]) -> float:
    """How much higher this type's small letters are, against its tall ones, than those that `_INK` is made for."""
    alike = [*_SAME_SHAPE, *_LIKE_SHAPE]
    alone = [s for s in symbols if s.sure >= _SURE and not any(s.text in group for group in alike)]
    heights = [
        sorted((s.box[3] - s.box[1] for s in alone if _INK.get(s.text) == reach), reverse=True)
        for reach in ((_SHORT, 0.0), (_TALL, 0.0))
    ]
    if min(map(len, heights)) < 2:
        return 1.0
    short, tall = (median(h for h in of if h > 0.85 * of[0]) for of in heights)
    ratio = short / tall * _TALL / _SHORT
    return ratio if 0.9 < ratio < 1.25 else 1.0


def _part(text: str, box: Box, stretch: float) -> Part:
    height = box[3] - box[1]
    if text not in _INK:
        return Part(Atom(text), box)
    top, bottom = _INK[text]
    top *= stretch if top == _SHORT else 1.0
    size = height / (top - bottom)
    return Part(Atom(text), box, size, box[3] + bottom * size)


def em_of(parts: Sequence[Part]) -> float:
    """The size of the formula's main type: the one that most signs fit, as letters of it or of its scripts."""
    sizes = [c.size for p in parts if p.text not in _DELIMITERS for c in (p, *p.others) if c.size]
    if not sizes:
        return max((p.height for p in parts), default=1.0)
    # Where nothing but scripts and small fractions has letters, the main type is seen in its signs alone.
    sizes += [size / 0.7 for size in sizes] + [p.width / _OPERATOR for p in parts if p.text in _AS_WIDE]
    return max(sorted(set(sizes)), key=lambda em: sum(_fit(p, em) for p in parts))


def _fit(part: Part, em: float) -> float:
    """How well a sign fits a formula in `em`: up to 1, and below 0 where it is larger than anything in it."""
    if part.text in _AS_WIDE:
        wide = part.width / (_OPERATOR * em)
        return -1.0 if wide > 1.3 else 0.7 if wide > 0.8 else 0.0
    if part.text in _LARGE:
        return -2.0 if part.height > 1.6 * em else 0.0
    if part.text in ("Σ", "Π"):  # letters, or the sum and the product
        return 0.0
    sizes = [(c.size / em, c.worth) for c in (part, *part.others) if c.size]
    if not sizes:
        return 0.0
    if min(size for size, _ in sizes) > 1.2:
        return -1.0
    return max(
        worth * weight if abs(math.log(size / level)) < 0.11 else 0.0
        for size, weight in sizes
        for level, worth in ((1.0, 1.0), (0.7, 0.9), (0.5, 0.6))
    )


def row_of(parts: Sequence[Part], em: float) -> tuple[float, float] | None:
    """Size and baseline of the row that the parts stand on: of the largest type that any of them fits in, where most
    of them stand. None where nothing tells."""
    for level in (1.0, 0.7, 0.5):
        size = level * em
        bases = [
            (c.base, c.worth)
            for p in parts
            for c in (p, *p.others)
            if c.size and c.base is not None and abs(math.log(c.size / size)) < _ALIKE and not is_tall(p, em)
        ]
        # Signs that would have to be others than they were surely read as make no row alone.
        if any(worth >= _OWN for _, worth in bases):
            return size, _likeliest(bases, [p.y for p in parts if p.text in _AT_AXIS and p.height < 1.2 * size], size)
    known = [p.base for p in parts if p.base is not None]
    axes = [p.y for p in parts if p.text in _AT_AXIS]
    if known:
        return em, known[0]
    return (em, median(axes) + _AXIS * em) if axes else None


def _likeliest(bases: Sequence[tuple[float, float]], axes: Sequence[float], size: float) -> float:
    """The baseline that most of `bases` (each with its worth) and of the signs at the height of a minus agree on."""

    def worth(base: float) -> float:
        on = sum(weight for other, weight in bases if abs(other - base) < 0.1 * size)
        return on + 0.5 * sum(abs(y - (base - _AXIS * size)) < 0.12 * size for y in axes)

    best = max((base for base, _ in bases), key=worth)
    return median(other for other, _ in bases if abs(other - best) < 0.1 * size)


def is_large(part: Part, em: float) -> bool:
    """Whether it is a sign with limits: a sum, a product, an integral, larger than the letters."""
    return part.text in _LARGE or (part.text in ("Σ", "Π") and part.height > 1.0 * em)


def is_tall(part: Part, em: float) -> bool:
    """Whether it is a bracket that has grown with what it holds."""
    return part.text in _DELIMITERS and part.height > 1.2 * em and not part.told


def level_of(size: float, em: float) -> float:
    """How far, in powers of e, a size is from the nearest of those that a formula in `em` has."""
    return min(abs(math.log(size / (em * level))) + unlikely for level, unlikely in _LEVELS)


def settled(part: Part, em: float, base: float) -> Part:
    """The part as its place on a row of this size and baseline shows it: the right one of its lookalikes."""
    if part.told:
        return part
    sign = _by_place(part, em, base)
    if sign:
        return Part(Atom(sign), part.box)
    if not part.others:
        return part
    choices = (part, *part.others)
    fitting = [c for c in choices if c.size and c.base is not None and _fits(c.size, c.base, em, base)]
    if fitting:
        return replace(fitting[0], others=())
    best = min(choices, key=lambda c: level_of(c.size, em) + (_OTHER if c is not part else 0) if c.size else math.inf)
    return replace(best, others=tuple(replace(c, others=()) for c in choices if c is not best))


def _fits(size: float, base: float, em: float, line: float) -> bool:
    return abs(math.log(size / em)) < _ALIKE and abs(base - line) < 0.1 * em


def _by_place(part: Part, em: float, base: float) -> str:
    """The sign that only size and place tell from a letter; else empty."""
    text, height, width = part.text, part.height / em, part.width / em
    if not text:
        return ""
    if (
        text in "9,;1Ilj)/zJ′"
        and height < 0.36
        and width < 0.25
        and part.box[1] > base - 0.22 * em
        and part.box[3] > base + 0.05 * em
    ):
        return ","
    if text in "1lI|" and height > 0.88 and width < 0.18:
        return "|"
    if text in "SJf" and height > (1.3 if text == "f" else 1.15):
        return "∫"
    if text in ("Σ", "Π") and height > 0.85:
        return "∑" if text == "Σ" else "∏"
    if text in ("<", ">") and height > 0.8:
        return "⟨" if text == "<" else "⟩"
    if text == "E" and 0.48 < height < 0.62 and abs(part.box[3] - base) < 0.1 * em:
        return "∈"
    if text == "∈" and height < 0.47:
        return "ϵ"
    if text == "." and abs(part.y - base + _AXIS * em) < 0.1 * em:
        return "·"
    if text == "I" and width > 0.4:
        return "π" if height < 0.55 else "Π" if height < 0.85 else "∏"
    return ""


def on_row(part: Part, em: float, base: float) -> bool:
    """Whether a part stands on the row of this size and baseline, and not above or below it as a script."""
    axis = base - _AXIS * em
    if part.size and part.base is not None and not is_tall(part, em):
        off = abs(part.base - base)
        return (part.size > 0.8 * em and off < 0.14 * em) or (part.size > 0.65 * em and off < 0.06 * em)
    if part.text in (".", "…"):
        return abs(part.box[3] - base) < 0.1 * em
    if part.text in (",", ";"):
        return abs(part.box[1] - (base - 0.1 * em)) < 0.14 * em
    if part.text in (":", "!"):
        return abs(part.box[3] - base) < 0.15 * em
    if part.text in _AT_AXIS and part.height < 1.2 * em:
        return abs(part.y - axis) < 0.15 * em and (part.text not in "+=" or part.width > 0.5 * em)
    if part.text in _DELIMITERS and part.height < 1.2 * em:
        return abs(part.y - axis) < 0.2 * em and part.height > 0.78 * em
    return part.box[1] < axis < part.box[3] and (abs(part.y - axis) < 0.35 * em or part.height > em)
