"""How the text of a PDF page is set: bold, italic, monospaced, how large, and on which base line.

All of it is asked once per text object, since a text object has one font, one size and one base line.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from octavo.intake import pdf_native
from octavo.intake.pdf_geometry import Geometry

BOLD, ITALIC, MONOSPACED, SUPERSCRIPT, SUBSCRIPT = 1, 2, 4, 8, 16
_LETTERS = "bimsu"  # of `Word.style`, in the order of the bits

# Names say more than flags and weights do: PDFium guesses the weight from the thickness of the stems.
_BOLD = re.compile(
    r"bold|black|heavy|demi|[-,_](?:b|bd|bi)\b|-medi(?:ital)?$|^(?:cm|sf|ec)(?:bx|b\d|ssbx)", re.IGNORECASE
)
_UPRIGHT = re.compile(r"regular|roman|-?roma$|-regu|book|light|medium|normal|thin|-rg$", re.IGNORECASE)
_ITALIC = re.compile(
    r"ital|obli|slant|kursiv|[-,_](?:i|it|bi)\b|^(?:cm|sf|ec)(?:ti|sl|bxti|mi\d|ssi|mmi)", re.IGNORECASE
)
_MONO = re.compile(
    r"mono(?!type)|courier|consol|typewriter|menlo|letter ?gothic|andale|terminal|sourcecode|firacode|"
    r"^(?:cm|sf|ec|lm)(?:tt|sltt|itt)",
    re.IGNORECASE,
)
# Fonts of East Asian letters are all of one width, whatever they are used for.
_EASTERN = re.compile(
    r"gothic|mincho|ming|song|sung|hei|kai|batang|dotum|gulim|gungsuh|cjk|sim(?:sun|fang)|meiryo|yahei|jhenghei",
    re.IGNORECASE,
)
_FIXED_PITCH, _ITALIC_FLAG, _FORCE_BOLD = 1, 1 << 6, 1 << 18
_HEAVY = (600, 1000)  # weights taken for bold where the name says nothing; beyond are errors
_SHEARED = 0.15  # tangent of the slant by which programs fake italics; real ones are 0.2 to 0.25
_STROKED = 2  # rendering mode of text that is filled and outlined, as fake bold is

_SMALLER = 0.85  # of the size of its line: superscripts and subscripts are at most that large
_RAISED, _LOWERED = 0.15, -0.06  # of that size: how far their base line is off


@dataclass(frozen=True)
class Setting:
    """Columns over text objects: style (bits), size in pt, a point of the base line (n x 2), and the direction of
    writing (n x 2, a unit vector), all on the displayed page."""

    styles: NDArray[np.uint8]
    sizes: NDArray[np.float64]
    origins: NDArray[np.float64]
    directions: NDArray[np.float64]


def setting(text_page: int, objects: NDArray[np.uint64], firsts: NDArray[np.intp], geometry: Geometry) -> Setting:
    """The setting of text objects, of each of which `firsts` has the index of a character."""
    addresses, member = np.unique(pdf_native.fonts(objects), return_inverse=True)
    styles = np.array([font_style(*_described(int(font))) if font else 0 for font in addresses], np.uint8)[member]
    a, b, c, d = pdf_native.matrices(text_page, firsts).astype(np.float64).T[:4]
    length = np.hypot(a, b)
    length = np.where(length > 0, length, 1.0)
    scale = abs(np.linalg.det(geometry.linear)) ** 0.5
    sizes = pdf_native.font_sizes(objects) * np.abs(a * d - b * c) / length * scale
    area = np.where(a * d - b * c != 0, np.abs(a * d - b * c), 1.0)
    sheared = np.abs(a * c + b * d) / area > _SHEARED
    styles |= np.where(sheared, ITALIC, 0).astype(np.uint8)
    styles |= np.where(pdf_native.render_modes(objects) == _STROKED, BOLD, 0).astype(np.uint8)
    origins = pdf_native.origins(text_page, firsts) @ geometry.linear + geometry.shift
    # Not PDFium's own angle: that of slanted letters is the slant's.
    along = np.column_stack([a, b]) @ geometry.linear
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    directions = np.where(lengths > 0, along / np.where(lengths > 0, lengths, 1), (1.0, 0.0))
    return Setting(styles, np.abs(sizes), origins, directions)


def _described(font: int) -> tuple[str, int, int, int]:
    """Name, flags, weight and italic angle of a font."""
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    name = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(handle, name, len(name))
    angle = ctypes.c_int()
    pdfium.FPDFFont_GetItalicAngle(handle, angle)
    plain = name.value.decode("utf-8", "replace")
    return plain, pdfium.FPDFFont_GetFlags(handle), pdfium.FPDFFont_GetWeight(handle), angle.value


def font_style(name: str, flags: int, weight: int, angle: int) -> int:
    """The style bits of a font by its PostScript name, the flags and italic angle of its descriptor, and its weight."""
    plain = name[7:] if len(name) > 7 and name[6] == "+" else name
    style = 0
    seems_bold = bool(flags & _FORCE_BOLD) or _HEAVY[0] <= weight <= _HEAVY[1]
    named = _UPRIGHT.search(plain) or _ITALIC.search(plain)
    if _BOLD.search(plain) or (seems_bold and not named):
        style |= BOLD
    if _ITALIC.search(plain) or flags & _ITALIC_FLAG or angle:
        style |= ITALIC
    if _MONO.search(plain) or (flags & _FIXED_PITCH and not _EASTERN.search(plain)):
        style |= MONOSPACED
    return style


def shifts(
    line_starts: NDArray[np.bool_],
    sizes: NDArray[np.float64],
    bases: NDArray[np.float64],
    counted: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """Which characters are SUPERSCRIPT or SUBSCRIPT in their line: smaller than most of it, and off its base line.

    `bases` are places across the direction of writing, growing downwards; `counted` tells the letters, whose size is
    the line's: signs of sums and brackets are larger.
    """
    found = np.zeros(len(sizes), np.uint8)
    starts = np.flatnonzero(line_starts)
    small, large = np.minimum.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
    ends = np.append(starts[1:], len(sizes))
    for number in np.flatnonzero(small < _SMALLER * large).tolist():
        line = slice(starts[number], ends[number])
        measure = counted[line] if counted[line].any() else np.ones(ends[number] - starts[number], np.bool_)
        values, counts = np.unique(np.round(sizes[line][measure], 1), return_counts=True)
        # A line of many small notes has more small letters than large ones; of capitals set small it has no other base.
        size = float(values[counts >= 0.3 * counts.max()].max())
        base = float(np.median(bases[line][measure & (np.abs(sizes[line] - size) <= 0.1)]))
        up = (base - bases[line]) / max(size, 0.1)
        little = sizes[line] < _SMALLER * size
        found[line][little & (up > _RAISED)] = SUPERSCRIPT
        found[line][little & (up < _LOWERED)] = SUBSCRIPT
    return found


def letters(style: int) -> str:
    """Style bits as `Word.style` writes them."""
    return _WRITTEN[style]


_WRITTEN = ["".join(letter for bit, letter in enumerate(_LETTERS) if style >> bit & 1) for style in range(32)]
