"""Signs read from a page's picture, named as the page's own text names them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from octavo.engines.pipeline.formula_nodes import COMMANDS
from octavo.engines.pipeline.formula_symbols import Symbol
from octavo.engines.pipeline.lines import TextLine

# Large signs are composed of pieces, whose codes in old fonts mean nothing: what the picture shows is better known.
_SHAPES = frozenset("√∑∏∫∮()[]{}|−=≡")


def told(signs: Sequence[Symbol], lines: Sequence[TextLine], origin: tuple[float, float]) -> list[Symbol]:
    """The signs, in a picture whose top left is `origin` on the page, with the letters that the words in `lines` have.

    A word's letters stand in one row; where the picture shows as many signs in the word's box, each is the letter in
    its place. Elsewhere what was read stays.
    """
    named = {id(sign): sign for sign in signs}
    for word in (word for line in lines for word in line.words):
        x0, y0, x1, y1 = word.box
        letters = [unicodedata.normalize("NFKC", c) for c in word.text]
        letters = [c for c in letters if len(c) == 1 and unicodedata.combining(c) == 0]
        inside = [
            sign
            for sign in signs
            if x0 <= (sign.box[0] + sign.box[2]) / 2 + origin[0] <= x1
            and y0 <= (sign.box[1] + sign.box[3]) / 2 + origin[1] <= y1
        ]
        inside.sort(key=lambda sign: sign.box[0])
        if len(inside) != len(letters):
            continue
        for sign, letter in zip(inside, letters, strict=True):
            if sign.text not in _SHAPES and (letter.isalnum() or letter in COMMANDS):
                named[id(sign)] = replace(sign, text=letter, sure=1.0)
    return [named[id(sign)] for sign in signs]
