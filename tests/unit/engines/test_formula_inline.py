from __future__ import annotations

import pytest

from octavo.document import Word
from octavo.engines.pipeline.formula_inline import find
from octavo.engines.pipeline.lines import TextLine, bounds


def line(*words: str) -> TextLine:
    """A line from words like `x//i` and `2//is`: text, two strokes, style. Scripts are set small, and glued to the word
    before; what begins with `~` is glued too."""
    at, text, placed = 100.0, "", []
    for word in words:
        content, _, style = word.removeprefix("~").partition("//")
        script = "s" in style or "u" in style
        glued = script or word.startswith("~") or not text
        if not glued:
            text, at = text + " ", at + 4
        high, middle = (10.5, 205.0 + (-4 if "s" in style else 4)) if script else (14.0, 205.0)
        box = (at, middle - high / 2, at + 0.5 * high * len(content), middle + high / 2)
        placed.append(Word(content, box, style=style))
        text, at = text + content, box[2]
    return TextLine(text, bounds(word.box for word in placed), 1.0, tuple(placed))


def found(*words: str) -> list[tuple[str, str]]:
    whole = line(*words)
    return [(whole.text[one.start : one.end], one.latex) for one in find(whole)]


def test_a_formula_in_a_sentence_is_found_without_the_sentence() -> None:
    assert found("that", "λ//i", "g//iu", "=", "λ//i", "h//iu", "~.", "The", "end") == [
        ("λg = λh", r"\lambda_{g}=\lambda_{h}")
    ]


def test_scripts_stand_on_letters_and_brackets() -> None:
    assert found("where", "x//i", "2//s", "and", "(x//i", "i//iu", "~)", "×//is", "hold") == [
        ("x2", "x^{2}"),
        ("(xi)×", r"(x_{i})^{\times}"),
    ]


def test_upright_names_are_operators() -> None:
    assert found("u//i", "∈", "Ann", "R//iu", "~(x//i", "i//iu", "~),") == [
        ("u ∈ AnnR(xi)", r"u\in\operatorname{Ann}_{R}(x_{i})")
    ]


def test_letters_with_accents_keep_them() -> None:
    assert found("s//i", "=", "û//i", "~x//i", "i//iu") == [("s = ûxi", r"s=\hat{u}x_{i}")]


def test_letters_of_mathematical_alphabets_are_plain_ones() -> None:
    assert found("so", "𝑥//i", "≤", "𝑦//i", "holds") == [("𝑥 ≤ 𝑦", r"x\leq y")]


@pytest.mark.parametrize(
    "words",
    [
        ("a", "plain", "sentence", "= 5"),
        ("an//i", "italic//i", "is//i", "=", "sentence//i"),
        ("5", "m", "2//s", "of", "land"),
        ("CO", "2//u", "and", "10", "−3//s"),
        ("the", "EU//i", "2//is", "said"),
        ("the", "word", "1//s"),
        ("the", "set", "S//i", "and"),
        ("Λόγος", "=", "λέξη"),
        ("x//m", "=", "y//m"),
        ("f//i", "(", "x//i", "=", "2"),
        ("x//i", "2//s", "√", "y//i"),
    ],
)
def test_what_says_no_formula_is_none(words: tuple[str, ...]) -> None:
    assert [text for text, _ in found(*words) if len(text) > 2] == []


def test_words_that_the_text_lacks_are_left_out() -> None:
    whole = line("x//i", "2//s")
    assert find(TextLine("y", whole.box, 1.0, whole.words)) == []
