"""Accents that a PDF draws as characters of their own, over or under a letter, made one with it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import numpy as np

from octavo.intake.pdf_lines import Characters

# Spacing accent to combining mark. TeX's fonts without accented letters give the former.
_MARKS = {
    0x60: 0x300, 0xB4: 0x301, 0x2C6: 0x302, 0x2DC: 0x303, 0xAF: 0x304, 0x2D8: 0x306, 0x2D9: 0x307, 0xA8: 0x308,
    0x2DA: 0x30A, 0x2DD: 0x30B, 0x2C7: 0x30C, 0xB8: 0x327, 0x2DB: 0x328,
}  # fmt: skip
_SPACING = {mark: accent for accent, mark in _MARKS.items()}
_DOTLESS = {0x131: 0x69, 0x237: 0x6A}
_ALL = np.array([*_MARKS, *_SPACING], np.uint32)
_NEAR = 0.5  # of the font size, between the base lines of an accent and its letter
_INSIDE = 0.1  # of the letter's width, by which the accent's middle lies in it at least
_MOST = 500  # accents of a page


def composed(found: Characters) -> Characters:
    """The characters with accented letters in place of letters and accents.

    A combining mark that stands over no letter is the quotation mark or the like that it looks like, and goes to its
    place in the line.
    """
    accents = np.flatnonzero(np.isin(found.codes, _ALL))[:_MOST]
    if not len(accents):
        return found
    codes, boxes = found.codes.copy(), found.boxes.copy()
    order = np.arange(len(codes), dtype=np.float64)
    keep = np.ones(len(codes), np.bool_)
    for index in accents.tolist():
        letter = _letter_under(found, index)
        code = int(codes[index])
        whole = _whole(int(codes[letter]), _MARKS.get(code, code)) if letter is not None else None
        if whole is not None and letter is not None:
            codes[letter] = whole
            keep[index] = False
        elif code in _SPACING and letter is None:
            codes[index] = _SPACING[code]
            if (after := _next(found, index)) is not None:
                order[index] = after - 0.5
                boxes[index, [1, 3]] = boxes[after, [1, 3]]
    places = np.argsort(order, kind="stable")
    moved = replace(found, codes=codes, boxes=boxes).where(places[keep[places]])
    # What was moved stands in the line that it was moved to.
    late = np.flatnonzero(np.diff(moved.lines) < 0)
    moved.lines[late] = moved.lines[late + 1]
    moved.spaces[:] = np.minimum.accumulate(moved.spaces[::-1])[::-1]
    return moved


def _letter_under(found: Characters, index: int) -> int | None:
    """The index of the letter whose box the accent's middle lies in."""
    x0, x1 = found.boxes[:, 0], found.boxes[:, 2]
    middle = (x0[index] + x1[index]) / 2
    slack = _INSIDE * (x1 - x0)
    inside = (x0 + slack < middle) & (middle < x1 - slack) & _in_line(found, index)
    inside[index] = False
    places = np.flatnonzero(inside)
    return int(places[np.argmin(np.abs(places - index))]) if len(places) else None


def _next(found: Characters, index: int) -> int | None:
    """The index of the character that follows in the same line, by its place."""
    ahead = found.boxes[:, 0] - found.boxes[index, 0]
    places = np.flatnonzero(_in_line(found, index) & (ahead > 0))
    return int(places[np.argmin(ahead[places])]) if len(places) else None


def _in_line(found: Characters, index: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    near: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (
        np.abs(found.bases - found.bases[index]) < _NEAR * found.sizes[index]
    )
    return near


def _whole(letter: int, mark: int) -> int | None:
    """The code of the letter with the mark, where Unicode has one."""
    text = unicodedata.normalize("NFC", chr(_DOTLESS.get(letter, letter)) + chr(mark))
    return ord(text) if len(text) == 1 else None
