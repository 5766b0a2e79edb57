"""Formulas on a page: where they stand, what they say in LaTeX and as plain text, and their picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import cv2
import numpy as np

from octavo.document import Box, Kind
from octavo.engines.pipeline import formula_nodes, formula_parts, formula_tree
from octavo.engines.pipeline.formula_glyphs import glyphs
from octavo.engines.pipeline.formula_layer import told
from octavo.engines.pipeline.formula_symbols import Symbol, symbols
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.picture import Upright

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.pipeline.recognition import Recognizer

_STRONG = re.compile(
    r"[\u0391-\u03c9µ∆ϑϕϖϱϵ∀∂∃∅∇∈∉∋∏∐∑∓∗∘√∝∞∧∨∩∪∫∬∮∼≃≅≈≠≡≤≥≪≫⊂⊃⊆⊇⊕⊗⊥⟨⟩←→↔⇒⇔↦ℏℓℜℑ±×÷]|[\U0001d400-\U0001d7ff]"
)
_RELATION = re.compile(r"[=≡≈≤≥<>≠∼≃≅→∈⊂:]")
_VARIABLE = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_GREEK = re.compile(r"[\u0386-\u03ce]{5}|(?:[\u0386-\u03ce]{3,}\s+){2}")  # the language
_NUMBER = re.compile(r"\(\s*([A-Z]?\d{1,3}(?:[.\-]\d{1,3})*[a-z]?)\s*\)")
_FEW = 15  # lines on a picture that is nothing but a formula, at most
_MOST_GLYPHS = 250  # glyphs read in one formula: 3 ms each
_READ = 0.7  # mean confidence of lines that a formula is seen in
_SURE = 0.5  # mean confidence of the signs from which LaTeX is written
_BLURRED = 0.85  # mean confidence below which the picture is taken for a blurred one
_SMALL = 13  # px of the usual glyph: below it is read twice as large
_PICTURE_BYTES, _PICTURE_SIDE = 200_000, 1600


@dataclass(frozen=True)
class Formula:
    """`text` is one line of Unicode; `latex` is without dollar signs, and empty where none can be written."""

    text: str
    latex: str = ""


# ---- where


def find(
    lines: Sequence[TextLine], regions: Sequence[Region], page: Upright, drawn: Sequence[Box] = ()
) -> list[Region]:
    """All regions of an upright page, in its pixels, with its display formulas mended and added.

    What the network took for a formula and reads as prose becomes text; runs of lines without words, but with signs
    of mathematics, that stand alone in their rows become formulas, and so does a picture that holds nothing else.
    """
    if _is_alone(lines):
        return [Region(Kind.FORMULA, bounds(line.box for line in lines) if page.pixels.size == 0 else _ink(page), 1.0)]
    kept = [_mended(region, lines) for region in regions]
    taken = [region.box for region in kept if region.kind in (Kind.TABLE, Kind.FORMULA, Kind.SEAL)]
    free = [line for line in lines if not any(_inside(line.box, box) for box in taken)]
    return kept + [Region(Kind.FORMULA, box, 0.5) for box in _displayed(free, drawn)]


def present(lines: Sequence[TextLine]) -> bool:
    """Whether there are display formulas among the lines: such a page is worth a look at its picture."""
    return _is_alone(lines) or bool(_displayed(lines, ()))


def _is_alone(lines: Sequence[TextLine]) -> bool:
    """Whether the page holds nothing but a formula."""
    if not 0 < len(lines) <= _FEW or any(_wordy(line.text) for line in lines):
        return False
    text = " ".join(line.text for line in lines)
    return bool(_STRONG.search(text) or ("=" in text and _VARIABLE.search(text)))


def _ink(page: Upright) -> Box:
    found = glyphs(page.pixels)
    return bounds(glyph.box for glyph in found) if found else (0.0, 0.0, float(page.size[0]), float(page.size[1]))


def _mended(region: Region, lines: Sequence[TextLine]) -> Region:
    if region.kind is not Kind.FORMULA:
        return region
    inside = [line for line in lines if _inside(line.box, region.box)]
    letters = sum(len(line.text) for line in inside)
    words = sum(len(line.text) for line in inside if _wordy(line.text))
    return replace(region, kind=Kind.TEXT) if words * 2 > letters else region


def _displayed(lines: Sequence[TextLine], drawn: Sequence[Box]) -> list[Box]:
    """The boxes of runs of lines that are display formulas."""
    wordy = [line for line in lines if _wordy(line.text)]
    rest = [line for line in lines if not _wordy(line.text)]
    if not rest:
        return []
    body = median(line.height for line in wordy or rest)
    boxes = []
    for group in _clusters(rest, body):
        box = bounds(line.box for line in group)
        if (
            _is_mathematics(group)
            and not any(_beside(line.box, box, body) for line in wordy)
            and _apart(box, wordy, body)
        ):
            bars = [b for b in drawn if _inside(b, (box[0] - body, box[1] - body, box[2] + body, box[3] + body))]
            boxes.append(bounds([box, *(b for b in bars if b[3] - b[1] < 0.3 * body)]))
    return boxes


def _clusters(lines: Sequence[TextLine], body: float) -> list[list[TextLine]]:
    """Lines in runs of neighbours: pieces of one formula, and the formula's number, stand close together."""
    groups: list[list[TextLine]] = []
    for line in lines:
        near = [group for group in groups if any(_near(line.box, other.box, body) for other in group)]
        merged = [line, *(member for group in near for member in group)]
        groups = [group for group in groups if not any(group is other for other in near)] + [merged]
    return groups


def _near(a: Box, b: Box, body: float) -> bool:
    across = max(a[0], b[0]) - min(a[2], b[2])
    down = max(a[1], b[1]) - min(a[3], b[3])
    return across < 2.5 * body and down < 0.45 * body


def _is_mathematics(group: Sequence[TextLine]) -> bool:
    text = " ".join(line.text for line in group)
    if _GREEK.search(text) or sum(line.confidence for line in group) < _READ * len(group):
        return False
    strong = len(_STRONG.findall(text))
    related = _RELATION.search(text) is not None
    letters = _VARIABLE.sub("", text)
    figures = sum(c.isdigit() for c in text)
    equation = "=" in text and _VARIABLE.search(text) is not None and figures < 0.6 * len(text.replace(" ", ""))
    return len(text) > 2 and ((strong >= 1 and related) or strong >= 2 or equation) and len(letters) < len(text)


def _beside(other: Box, box: Box, body: float) -> bool:
    """Whether prose stands in the formula's rows, near enough to belong to it: then it is an inline formula."""
    down = min(other[3], box[3]) - max(other[1], box[1])
    across = max(other[0], box[0]) - min(other[2], box[2])
    return down > 0.4 * min(other[3] - other[1], box[3] - box[1]) and across < 3 * body


def _apart(box: Box, wordy: Sequence[TextLine], body: float) -> bool:
    """Whether it is indented against the prose right above or below, as display formulas are."""
    for line in wordy:
        gap = max(line.box[1] - box[3], box[1] - line.box[3])
        overlap = min(line.box[2], box[2]) - max(line.box[0], box[0])
        if 0 <= gap < 2 * body and overlap > 0 and line.width > 8 * body and box[0] < line.box[0] + 0.8 * body:
            return False
    return True


def _inside(inner: Box, outer: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _wordy(text: str) -> bool:
    """Whether a line has words in it, other than the names of functions."""
    words = [word for word in _WORD.findall(text) if word not in formula_nodes.OPERATORS and _is_word(word)]
    long = sum(len(word) for word in words if len(word) > 3)
    return long > 0.2 * len(text) or len(words) > 2


def _is_word(letters: str) -> bool:
    """Whether letters in a row are written as words are: in one script, and in one case but for the first."""
    greek = sum("\u0370" <= c <= "\u03ff" or c == "µ" for c in letters)
    if greek:
        return greek == len(letters) > 4
    return letters[1:].islower() or letters.isupper() or not letters.isascii()


# ---- what


def read(
    recognizer: Recognizer | None, page: Upright, box: Box, lines: Sequence[TextLine], *, digital: bool = False
) -> Formula:
    """The formula in `box` of an upright page, read sign by sign; `lines` are those the page's reading found in it.

    With `digital` the lines come from a text layer: their letters are right, and only their places are looked at.
    """
    known = " ".join(line.text for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])))
    if recognizer is None or page.pixels.size == 0:
        return Formula(known)
    height = median(line.height for line in lines) if lines else 30.0
    x0, y0 = max(0, int(box[0] - 0.4 * height)), max(0, int(box[1] - 0.4 * height))
    crop = page.pixels[y0 : int(box[3] + 0.4 * height) + 1, x0 : int(box[2] + 0.4 * height) + 1]
    signs = _signs(recognizer, crop)
    inner = (box[0] - x0, box[1] - y0, box[2] - x0, box[3] - y0)
    signs = [sign for sign in signs if _inside(sign.box, inner)]
    if _sureness(signs) < _SURE:
        return Formula(known)
    if digital:
        signs = told(signs, lines, (x0, y0))
    tree, number = _numbered(signs)
    latex = formula_nodes.latex(tree)
    text = formula_nodes.flat(tree)
    if number:
        return Formula(f"{text} ({number})", f"{latex} \\tag{{{number}}}")
    return Formula(text, latex)


def _signs(recognizer: Recognizer, crop: Pixels) -> list[Symbol]:
    signs = _read_signs(recognizer, crop, sharpened=False)
    if 0 < _sureness(signs) < _BLURRED:
        again = _read_signs(recognizer, crop, sharpened=True)
        signs = max(signs, again, key=_sureness)
    return signs


def _sureness(signs: Sequence[Symbol]) -> float:
    """Mean confidence of the signs; 0 where there are none."""
    return sum(sign.sure for sign in signs) / max(1, len(signs))


def _read_signs(recognizer: Recognizer, crop: Pixels, *, sharpened: bool) -> list[Symbol]:
    found = glyphs(crop, sharpened=sharpened)
    if not found or len(found) > _MOST_GLYPHS:
        return []
    heights = sorted(glyph.height for glyph in found if not glyph.is_bar)
    if not heights or heights[len(heights) // 2] >= _SMALL:
        return symbols(recognizer, found)
    # Twice as large, strokes thinner than a pixel come out whole, and the network sees letters of the size it knows.
    large = np.asarray(cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    again = symbols(recognizer, glyphs(large, sharpened=sharpened))
    return [replace(s, box=(s.box[0] / 2, s.box[1] / 2, s.box[2] / 2, s.box[3] / 2)) for s in again]


def _numbered(signs: Sequence[Symbol]) -> tuple[formula_nodes.Node, str]:
    """The tree, and the number of the formula that stands at its far right in brackets."""
    parts = formula_parts.parts_of(signs)
    em = formula_parts.em_of(parts)
    ordered = sorted(parts, key=lambda part: part.box[0])
    reach, cut = float("-inf"), 0
    for place, part in enumerate(ordered):
        if place and part.box[0] - reach > 1.8 * em:
            cut = place
        reach = max(reach, part.box[2])
    if cut:
        last = formula_nodes.flat(formula_tree.tree(ordered[cut:])).replace(" ", "")
        number = _NUMBER.fullmatch(last.replace("l", "1").replace("O", "0"))
        if number:
            return formula_tree.tree(ordered[:cut]), number[1]
    return formula_tree.tree(parts), ""


# ---- its picture


def picture(page: Upright, box: Box) -> bytes:
    """PNG of the box of an upright page, at most 200 kB; empty where the page has no pixels or the box holds none."""
    x0, y0 = max(0, int(box[0]) - 4), max(0, int(box[1]) - 4)
    crop = page.pixels[y0 : int(box[3]) + 5, x0 : int(box[2]) + 5]
    if crop.size == 0:
        return b""
    grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2GRAY)
    scale = min(1.0, _PICTURE_SIDE / max(grey.shape))
    while True:
        size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
        shown = grey if scale == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        _, png = cv2.imencode(".png", shown)
        if len(png) <= _PICTURE_BYTES:
            return png.tobytes()
        scale *= 0.7
