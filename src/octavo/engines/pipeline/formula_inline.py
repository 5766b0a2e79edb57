"""Formulas within the lines of a page that has text of its own: told by their type, as there no sign is in doubt.

A run of words is taken for a formula where it has scripts on letters of mathematics, or relates such letters to each
other. Units, ordinals, chemical formulas and the marks of footnotes are none: what carries the script there is upright.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from octavo.document import Word
from octavo.engines.pipeline.formula_nodes import OPERATORS, Accent, Atom, Node, latex
from octavo.engines.pipeline.formula_parts import Part
from octavo.engines.pipeline.formula_tree import tree
from octavo.engines.pipeline.lines import TextLine

_RELATIONS = frozenset("=≠≡≈≅≃∼≤≥<>≪≫∈∉∋⊂⊃⊆⊇→←↔⇒⇔↦∝")
_GLUE = re.compile(r"[-+−±·×∗/∖|∥∘⊕⊗∪∩∧∨¬()\[\]{}⟨⟩,:;.!…⋯′\d=≠≡≈≅≃∼≤≥<>≪≫∈∉∋⊂⊃⊆⊇→←↔⇒⇔↦∝∀∃∑∏∫∂∇∞ℏ]+")
_GREEK = re.compile(r"[\u0391-\u03c9ϑϕϖϱϵ∂∇∞ℏℓ]")
_ITALIC_WORDS = frozenset({
    "a", "I", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in", "is", "it", "me", "my", "no", "of", "on",
    "or", "so", "to", "up", "us", "we", "al", "et", "un", "la", "le", "el", "en", "de", "il", "ne", "si", "da", "zu",
})  # fmt: skip
_LETTERS = re.compile(r"[^\W\d_]+")
_BOX, _BELOW = 1.15, 0.27  # of the type size: the height of a character's box; of the box, from middle to baseline
_REFUSED = frozenset('√\ufffd"#$&%@\\_~^`')  # composed signs, codes without meaning, and what LaTeX would stumble over
_PUNCTUATION = ",.;:"
_SCRIPT = 0.7  # of the size of what it belongs to
_MARKS = {
    "\u0302": "^", "\u0303": "∼", "\u0304": "−", "\u0307": ".", "\u0308": "¨", "\u030c": "ˇ", "\u0306": "˘",
    "\u20d7": "→",
}  # fmt: skip


@dataclass(frozen=True)
class Inline:
    """The characters of the line from `start` to before `end` are a formula; `latex` is without dollar signs."""

    start: int
    end: int
    latex: str


def find(line: TextLine) -> list[Inline]:
    """The formulas in a line of a text layer, from left to right."""
    if not any("i" in word.style or _GREEK.search(word.text) for word in line.words):
        return []
    placed = _placed(line)
    found: list[Inline] = []
    run: list[tuple[int, Word]] = []
    for place, (start, word) in enumerate(placed):
        if _may_be(word, [w for _, w in placed], place):
            run.append((start, word))
        else:
            found += _formula(run)
            run = []
    return found + _formula(run)


def _placed(line: TextLine) -> list[tuple[int, Word]]:
    """The words with their places in the line's text; those that are not found there are left out."""
    out = []
    at = 0
    for word in line.words:
        start = line.text.find(word.text, at)
        if start >= 0 and word.text:
            out.append((start, word))
            at = start + len(word.text)
    return out


def _may_be(word: Word, words: Sequence[Word], place: int) -> bool:
    """Whether a word can stand in a formula."""
    if word.link or "m" in word.style or any(c in _REFUSED for c in word.text):
        return False
    if "s" in word.style or "u" in word.style:
        return place > 0 and _carries(words[place - 1], word) and len(word.text) <= 24
    letters = _LETTERS.findall(unicodedata.normalize("NFKC", word.text))
    if not letters:
        return _GLUE.fullmatch(word.text) is not None
    if "i" in word.style:
        return all(len(part) <= 2 or part in OPERATORS for part in letters) and not _is_prose(word, words, place)
    lone = len(word.text) == 1 and not _GREEK.match(word.text)  # an article, or the number of something
    return not lone and all(part in OPERATORS or _GREEK.fullmatch(part) or len(part) == 1 for part in letters)


def _carries(before: Word, script: Word) -> bool:
    """Whether a script on the word before it is one of mathematics, and no mark of a footnote."""
    if _is_script(before):
        return True
    letters = re.search(r"[^\W\d_]*$", before.text)
    name = letters[0] if letters else ""
    if name in OPERATORS:
        return True
    if len(name) > 1 and "s" in script.style and script.text.strip(",").isdigit():
        return False
    if name:
        return "i" in before.style or _GREEK.match(name[-1]) is not None
    return before.text[-1] in ")]}|∑∏∫"


def _is_prose(word: Word, words: Sequence[Word], place: int) -> bool:
    """Whether a short italic word is one of an italic sentence."""
    if word.text.strip("().,;:") not in _ITALIC_WORDS:
        return False
    beside = [w for w in words[max(0, place - 2) : place + 3] if w is not word]
    return any("i" in w.style and len(w.text) > 2 and w.text.isalpha() for w in beside)


def _formula(run: Sequence[tuple[int, Word]]) -> list[Inline]:
    """The run as a formula, if it is one, without the punctuation of the sentence around it."""
    words = list(run)
    while words and not _is_letter_of_mathematics(words[0][1]) and not _opens(words[0][1]):
        words.pop(0)
    while words and not _closes(words[-1][1]):
        words.pop()
    if not words or not _is_one([word for _, word in words]):
        return []
    start, end = words[0][0], words[-1][0] + len(words[-1][1].text)
    last = words[-1][1].text
    dropped = len(last) - len(last.rstrip(_PUNCTUATION))
    end -= dropped
    parts = _parts([word for _, word in words])
    if dropped:
        parts = parts[:-dropped]
    if not _balanced("".join(part.text for part in parts)):
        return []
    return [Inline(start, end, latex(tree(parts)))]


def _is_script(word: Word) -> bool:
    return "s" in word.style or "u" in word.style


def _is_letter_of_mathematics(word: Word) -> bool:
    return (
        not _is_script(word)
        and ("i" in word.style or _GREEK.search(word.text) is not None)
        and any(c.isalpha() for c in word.text)
    )


def _closes(word: Word) -> bool:
    """Whether a formula can end with the word: no operator, and no punctuation alone."""
    last = word.text.rstrip(_PUNCTUATION)[-1:]
    return bool(last) and (_is_script(word) or last in ")]}|′!∞⟩" or last.isalnum())


def _opens(word: Word) -> bool:
    return word.text[0] in "([{|∑∏∫∀∃" or any(part in OPERATORS for part in _LETTERS.findall(word.text))


def _is_one(words: Sequence[Word]) -> bool:
    """Whether a run says something that only a formula can say."""
    bases = [word for word in words if _is_letter_of_mathematics(word)]
    scripts = [word for word in words if _is_script(word)]
    related = any(c in _RELATIONS for word in words for c in word.text)
    return bool(bases) and (bool(scripts) or (related and len(words) > 2))


def _balanced(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in ("()", "[]", "{}"))


def _parts(words: Sequence[Word]) -> list[Part]:
    """The characters of the words, each with its share of its word's width."""
    highest = median(_height(word) for word in words if not _is_script(word))
    parts: list[Part] = []
    for word in words:
        x0, y0, x1, y1 = word.box
        size, base = _height(word) / _BOX, (y0 + y1) / 2 + _BELOW * _height(word)
        if _is_script(word):  # small type has higher boxes than its size says
            size = min(size, _SCRIPT * highest / _BOX)
        text = _plain(word.text)
        step = (x1 - x0) / len(text)
        for place, character in enumerate(text):
            box = (x0 + step * place, y0, x0 + step * (place + 1), y1)
            parts.append(Part(_node(character), box, size, base, told=True))
    return parts


def _height(word: Word) -> float:
    return word.box[3] - word.box[1]


def _plain(text: str) -> str:
    """Letters of the mathematical alphabets as plain ones."""
    return "".join(unicodedata.normalize("NFKC", c) if ord(c) >= 0x1D400 else c for c in text)


def _node(character: str) -> Node:
    """A sign, or a letter with its accent over it."""
    apart = unicodedata.normalize("NFD", character)
    return Accent(_MARKS[apart[1]], Atom(apart[0])) if len(apart) == 2 and apart[1] in _MARKS else Atom(character)
