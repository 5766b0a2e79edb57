from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.engines.pipeline.formula_nodes import flat, latex, spelt
from octavo.engines.pipeline.formula_parts import em_of, parts_of
from octavo.engines.pipeline.formula_symbols import Symbol
from octavo.engines.pipeline.formula_tree import tree

EM = 40.0
AXIS = 0.25
# Top and bottom of the ink above the baseline, and width, in ems; what is not here is a capital.
INK = {
    **dict.fromkeys("acemnorsuvwxzαμπσωε", (0.45, 0.0, 0.5)),
    **dict.fromkeys("gpqyμρ", (0.45, -0.21, 0.5)),
    **dict.fromkeys("fβψ", (0.69, -0.21, 0.5)),
    **dict.fromkeys("0123456789t", (0.66, 0.0, 0.45)),
    "i": (0.66, 0.0, 0.25), "l": (0.69, 0.0, 0.25), "(": (0.75, -0.25, 0.25), ")": (0.75, -0.25, 0.25),
    "[": (0.75, -0.25, 0.2), "]": (0.75, -0.25, 0.2), "+": (0.58, -0.08, 0.65), "=": (0.37, 0.13, 0.65),
    "−": (0.27, 0.23, 0.65), ",": (0.1, -0.2, 0.12), ".": (0.1, 0.0, 0.1), "→": (0.35, 0.15, 0.9),
    "j": (0.66, -0.21, 0.3), "∑": (1.0, -0.45, 1.1), "∫": (1.1, -0.75, 0.6), "′": (0.78, 0.45, 0.2),
}  # fmt: skip


class Setting:
    """Sets signs as a typesetter does: `row` puts text at a place and moves on."""

    def __init__(self) -> None:
        self.signs: list[Symbol] = []
        self.x = 100.0
        self.base = 200.0

    def row(self, text: str, size: float = 1.0, up: float = 0.0, x: float | None = None, gap: float = 0.08) -> Setting:
        """`size` and `up` (above the baseline) in ems; `x` sets the text elsewhere and does not move on."""
        at = self.x if x is None else x
        for character in text:
            if character != " ":
                top, bottom, width = INK.get(character, (0.69, 0.0, 0.6))
                base, em = self.base - up * EM, EM * size
                box = (at, base - top * em, at + width * em, base - bottom * em)
                self.signs.append(Symbol(character, box))
                at += width * em
            at += gap * EM * size
        if x is None:
            self.x = at
        return self

    def sub(self, text: str) -> Setting:
        return self.row(text, 0.7, -0.18)

    def sup(self, text: str) -> Setting:
        return self.row(text, 0.7, 0.4)

    def both(self, below: str, above: str) -> Setting:
        self.row(above, 0.7, 0.4, x=self.x)
        return self.row(below, 0.7, -0.25)

    def bar(self, width: float) -> Setting:
        """The line of a fraction, from here on."""
        y = self.base - AXIS * EM
        self.signs.append(Symbol("−", (self.x, y - 1, self.x + width * EM, y + 1)))
        return self

    def sign(self, text: str, box: tuple[float, float, float, float]) -> Setting:
        """Any sign in a box from here, in ems above the baseline: left, bottom, right, top."""
        left, bottom, right, top = (v * EM for v in box)
        self.signs.append(Symbol(text, (self.x + left, self.base - top, self.x + right, self.base - bottom)))
        return self

    def move(self, ems: float) -> Setting:
        self.x += ems * EM
        return self

    @property
    def latex(self) -> str:
        return latex(tree(parts_of(self.signs)))

    @property
    def flat(self) -> str:
        return flat(tree(parts_of(self.signs)))


def test_scripts_stand_beside_what_they_belong_to() -> None:
    set_ = Setting().row("a").sup("2").row("+b").sub("ij").row("=d").both("0", "t")
    assert set_.latex == "a^{2}+b_{ij}=d_{0}^{t}"
    assert set_.flat == "a² + bᵢⱼ = d₀ᵗ"


def test_scripts_have_scripts() -> None:
    set_ = Setting().row("e").sup("a").row("t", 0.49, 0.65).row("=b")
    assert set_.latex == "e^{a^{t}}=b"


def test_a_fraction_has_what_stands_over_and_under_its_line() -> None:
    set_ = Setting().row("a=").bar(1.6)
    set_.row("b+d", x=set_.x, up=0.7, gap=0.02).row("2", x=set_.x + 20, up=-0.75).move(1.7).row("−e")
    assert set_.latex == r"a=\frac{b+d}{2}-e"
    assert set_.flat == "a = (b + d)/2 − e"


def test_fractions_stand_in_fractions() -> None:
    set_ = Setting().bar(2.4)
    x = set_.x
    set_.row("1", x=x + 40, up=0.7).row("b+", x=x, up=-0.9)
    y = set_.base + 0.9 * EM - AXIS * EM
    set_.signs.append(Symbol("−", (x + 58, y - 1, x + 88, y + 1)))
    set_.row("d", 0.7, x=x + 62, up=-0.5).row("2", 0.7, x=x + 64, up=-1.4)
    assert set_.latex == r"\frac{1}{b+\frac{d}{2}}"


def test_a_minus_without_something_over_and_under_it_stays_one() -> None:
    assert Setting().row("a−b=−d").latex == "a-b=-d"


def test_a_radical_holds_what_its_roof_covers() -> None:
    set_ = Setting().row("b=").sign("√", (0, -0.1, 2.6, 0.9)).move(0.75)
    set_.row("1+d", gap=0.0).move(0.15).row("e")
    assert set_.latex == r"b=\sqrt{1+d}e"
    assert set_.flat == "b = √(1 + d)e"


def test_limits_stand_over_and_under_a_sum() -> None:
    set_ = Setting().row("d=")
    x = set_.x
    set_.row("∑").row("t", 0.7, x=x + 14, up=1.2).row("i=1", 0.7, x=x, up=-1.05).row("a").sub("i")
    assert set_.latex == r"d=\sum_{i=1}^{t}a_{i}"


def test_limits_stand_under_the_whole_of_a_name() -> None:
    set_ = Setting()
    x = set_.x
    set_.row("lim", gap=0.02).row("t→0", 0.7, x=x, up=-0.7).move(0.2).row("f")
    assert set_.latex == r"\lim_{t\rightarrow0}f"


def test_primes_are_no_ones() -> None:
    set_ = Setting().row("f").sign("1", (0, 0.45, 0.15, 0.78)).move(0.2).sign("1", (0, 0.45, 0.15, 0.78)).move(0.3)
    assert set_.row("=a").latex == "f''=a"
    assert Setting().row("f").sup("1").row("=a").latex == "f^{1}=a"


def test_letters_of_one_shape_are_told_by_their_size() -> None:
    small = [
        Symbol("A", (0, 0, 20, 27.6)),
        Symbol("O", (30, 9.6, 50, 27.6)),
        Symbol("C", (60, 9.6, 78, 27.6)),
        Symbol("b", (80, 0, 95, 27.6)),
    ]
    assert latex(tree(parts_of(small))) == "Aocb"
    set_ = Setting().row("a").sup("c").row("+d")
    set_.signs[1] = Symbol("C", set_.signs[1].box)
    assert set_.latex == "a^{c}+d"


def test_accents_are_put_over_their_letter() -> None:
    set_ = Setting().row("a=d")
    x0, y0, x1, _ = set_.signs[0].box
    set_.signs.append(Symbol("→", (x0, y0 - 10, x1, y0 - 4)))
    assert set_.latex == r"\vec{a}=d"


def test_brackets_grow_in_pairs_only() -> None:
    set_ = Setting().sign("(", (0, -0.9, 0.35, 1.4)).move(0.45).bar(0.8)
    set_.row("a", x=set_.x + 5, up=0.7).row("b", x=set_.x + 5, up=-0.75).move(0.9)
    set_.sign(")", (0, -0.9, 0.35, 1.4)).move(0.45).row("=d")
    assert set_.latex == r"\left( \frac{a}{b} \right)=d"
    del set_.signs[4]
    assert set_.latex == r"(\frac{a}{b}=d"


def test_rows_between_tall_brackets_are_a_matrix() -> None:
    set_ = Setting().row("A=").sign("[", (0, -1.3, 0.2, 1.8)).move(0.4)
    for up, text in ((0.75, "a  b"), (-0.75, "d  e")):
        set_.row(text, x=set_.x, up=up, gap=0.7)
    set_.move(3.2).sign("]", (0, -1.3, 0.2, 1.8))
    assert set_.latex == r"A=\begin{bmatrix} a & b \\ d & e \end{bmatrix}"
    assert set_.flat == "A = [a, b; d, e]"


def test_rows_behind_a_brace_are_cases() -> None:
    set_ = Setting().row("f=").sign("{", (0, -1.3, 0.3, 1.8)).move(0.5)
    set_.row("a+b", x=set_.x, up=0.75).row("d+e", x=set_.x, up=-0.75)
    assert set_.latex == r"f=\begin{cases} a+b \\ d+e \end{cases}"


def test_lines_of_one_formula_are_aligned() -> None:
    set_ = Setting()
    set_.row("a=b+d", x=100).row("e=f+g", x=100, up=-1.8)
    assert set_.latex == r"\begin{aligned} a=b+d \\ e=f+g \end{aligned}"


def test_the_main_type_is_that_of_most_letters() -> None:
    set_ = Setting().row("a").sub("bdt").row("=d").sub("gft").row("+e").sub("t").sup("t")
    assert em_of(parts_of(set_.signs)) == pytest.approx(EM, rel=0.1)


def test_nothing_is_an_empty_formula() -> None:
    assert latex(tree([])) == ""


@pytest.mark.parametrize(
    ("signs", "names"),
    [
        ("cosh", ["cosh"]),
        ("xsiny", ["", "sin", ""]),
        ("1nx", ["ln", ""]),
        ("21n", ["", "", ""]),  # twenty-one times n
        ("ab", ["", ""]),
    ],
)
def test_letters_spell_names_of_functions(signs: str, names: list[str]) -> None:
    assert [name for _, _, name in spelt(signs)] == names


BOXES = st.builds(
    lambda x, y, w, h: (float(x), float(y), float(x + w), float(y + h)),
    st.integers(0, 300), st.integers(0, 120), st.integers(2, 60), st.integers(2, 60),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("BDFGHRβδλ"), BOXES), max_size=14), st.lists(BOXES, max_size=3))
def test_every_letter_comes_out_once_wherever_it_stands(letters: list[tuple[str, tuple]], bars: list[tuple]) -> None:
    signs = [Symbol(text, box) for text, box in letters]
    signs += [Symbol("−", (x0, y0, x0 + 90, y0 + 2)) for x0, y0, _, _ in bars]
    signs += [Symbol("√", box) for box in bars[:1]]
    text = flat(tree(parts_of(signs)))
    small = str.maketrans("ᵝᵞᵟᵦ", "βγδβ")
    found = Counter(c for c in text.translate(small) if c in "BDFGHRβδλ")
    assert found == Counter(text for text, _ in letters)
