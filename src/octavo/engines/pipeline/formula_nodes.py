"""A formula as a tree, and the tree in LaTeX and as one line of plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Atom:
    """A sign; `gap` is the white space before it, in ems."""

    text: str
    gap: float = 0.0


@dataclass(frozen=True)
class Name:
    """Letters that belong together, such as the name of a function."""

    text: str


@dataclass(frozen=True)
class Row:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Scripts:
    """`base` with what stands below and above it, beside it or as limits; either may be an empty row."""

    base: Node
    below: Row
    above: Row


@dataclass(frozen=True)
class Fraction:
    above: Node
    below: Node


@dataclass(frozen=True)
class Root:
    inside: Node
    index: Node


@dataclass(frozen=True)
class Accent:
    """`mark` is a key of ACCENTS."""

    mark: str
    inside: Node


@dataclass(frozen=True)
class Fenced:
    """Something between two brackets that grow with it; an empty string is a side without one."""

    left: str
    inside: Node
    right: str


@dataclass(frozen=True)
class Grid:
    """Rows of a matrix between brackets, of cases, or of a formula in several lines (no brackets)."""

    left: str
    rows: tuple[tuple[Node, ...], ...]
    right: str


Node = Atom | Name | Row | Scripts | Fraction | Root | Accent | Fenced | Grid
EMPTY = Row(())

ACCENTS = {
    "∼": "tilde", "^": "hat", "→": "vec", "−": "bar", ".": "dot", "¨": "ddot", "ˇ": "check", "˘": "breve",
    "‾": "overline", "_": "underline",
}  # fmt: skip

COMMANDS = {
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon",
    "ϵ": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ϖ": "varpi", "ρ": "rho", "ϱ": "varrho",
    "σ": "sigma", "ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega", "∂": "partial", "∇": "nabla", "ℏ": "hbar", "ℓ": "ell", "ℜ": "Re", "ℑ": "Im", "ℵ": "aleph",
    "℘": "wp", "∞": "infty", "±": "pm", "∓": "mp", "×": "times", "÷": "div", "·": "cdot", "⋅": "cdot", "∗": "ast",
    "∘": "circ", "°": "circ", "•": "bullet", "⊕": "oplus", "⊖": "ominus", "⊗": "otimes", "⊙": "odot", "†": "dagger",
    "‡": "ddagger", "≤": "leq", "≥": "geq", "⩽": "leqslant", "⩾": "geqslant", "≪": "ll", "≫": "gg", "≠": "neq",
    "≡": "equiv", "≈": "approx", "≅": "cong", "≃": "simeq", "∼": "sim", "∝": "propto", "≺": "prec", "≻": "succ",
    "→": "rightarrow", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow", "⇐": "Leftarrow",
    "⇔": "Leftrightarrow", "↦": "mapsto", "↑": "uparrow", "↓": "downarrow", "⟶": "longrightarrow", "∈": "in",
    "∉": "notin", "∋": "ni", "⊂": "subset", "⊃": "supset", "⊆": "subseteq", "⊇": "supseteq", "∪": "cup", "∩": "cap",
    "∧": "wedge", "∨": "vee", "¬": "neg", "∀": "forall", "∃": "exists", "∅": "emptyset", "⊥": "perp", "∥": "|",
    "∖": "setminus", "∣": "mid", "⊢": "vdash", "⊤": "top", "∠": "angle", "△": "triangle", "□": "square",
    "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int", "∬": "iint", "∭": "iiint", "∮": "oint", "⋃": "bigcup",
    "⋂": "bigcap", "⨁": "bigoplus", "⨂": "bigotimes", "…": "ldots", "⋯": "cdots", "⋮": "vdots", "⋱": "ddots",
    "√": "surd", "§": "S", "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle", "⌊": "lfloor",
    "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "‖": "|",
}  # fmt: skip
LIMITED = frozenset({"lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "gcd", "Pr"})
FUNCTIONS = LIMITED | {
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "dim", "exp", "hom", "ker", "ln",
    "log", "sec", "sin", "sinh", "tan", "tanh",
}  # fmt: skip
OPERATORS = FUNCTIONS | {
    "arcsinh", "arccosh", "arctanh", "arcosh", "arsinh", "artanh", "sech", "csch", "diag", "tr", "Tr", "Res", "sgn",
    "sign", "rank", "erf", "curl", "div", "grad", "mod", "Ann", "Hom", "End", "Aut", "Gal", "Ker", "Im", "Re", "const",
}  # fmt: skip
_SHORT_NAMES = frozenset({"ln", "Tr", "tr", "Re", "Im", "Pr"})  # other two letters are a product
_PLAIN = {"−": "-", "′": "'", "*": "*", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$",
          "_": r"\_", "\\": r"\backslash", "~": r"\sim", "^": r"\wedge", "\u00a0": " "}  # fmt: skip
_GREEK_UP = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΧ")  # letters LaTeX has no command for: they look as the Latin ones do
_LATIN_OF = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo")

_SUPERSCRIPTS = dict(zip("0123456789+−=()niabcdefghjklmoprstuvwxyzβγδθφχ′",
                         "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵝᵞᵟᶿᵠᵡ′", strict=True))  # fmt: skip
_SUBSCRIPTS = dict(zip("0123456789+−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
_COMBINING = {"tilde": "\u0303", "hat": "\u0302", "vec": "\u20d7", "bar": "\u0304", "dot": "\u0307", "ddot": "\u0308",
              "check": "\u030c", "breve": "\u0306", "overline": "\u0305", "underline": "\u0332"}  # fmt: skip
_RELATIONS = frozenset("=<>≤≥≠≡≈≅≃∼→←↔⇒⇔↦∈∉∋⊂⊃⊆⊇∝+−±∓×≪≫")


# ---- LaTeX


def latex(node: Node) -> str:
    """The formula in LaTeX's mathematical mode, without dollar signs."""
    match node:
        case Atom(text, gap):
            space = r"\qquad " if gap > 2 else r"\quad " if gap > 0.9 else ""
            return space + "".join(map(_sign, text))
        case Name(text):
            return f"\\{text}" if text in FUNCTIONS else f"\\operatorname{{{text}}}"
        case Row(items):
            return _joined(latex(item) for item in items)
        case Scripts(base, below, above):
            return _scripts(base, below, above)
        case Fraction(above, below):
            return f"\\frac{{{latex(above)}}}{{{latex(below)}}}"
        case Root(inside, index):
            power = f"[{latex(index)}]" if index != EMPTY else ""
            return f"\\sqrt{power}{{{latex(inside)}}}"
        case Accent(mark, inside):
            name = ACCENTS[mark]
            wide = {"bar": "overline", "tilde": "widetilde", "hat": "widehat"}
            name = wide.get(name, name) if _letters(inside) > 1 else name
            return f"\\{name}{{{latex(inside)}}}"
        case Fenced(left, inside, right):
            return f"\\left{_fence(left)} {latex(inside)} \\right{_fence(right)}"
        case Grid(left, rows, right):
            return _grid(left, rows, right)


def _sign(character: str) -> str:
    if character in COMMANDS:
        return f"\\{COMMANDS[character]}" if COMMANDS[character] != "|" else r"\|"
    return _PLAIN.get(character, character.translate(_LATIN_OF))


def _joined(parts: object) -> str:
    """LaTeX one after the other, with a space where a command would run into a letter."""
    out = ""
    for part in parts:  # type: ignore[attr-defined]
        space = re.search(r"\\[A-Za-z]+$", out) is not None and part[:1].isalpha()
        out += f" {part}" if space else part
    return out


def _scripts(base: Node, below: Row, above: Row) -> str:
    out = latex(base) or "{}"
    if isinstance(base, Fraction | Grid | Row | Scripts):
        out = f"{{{out}}}"
    primes = len(above.items) if above.items and all(_is_prime(item) for item in above.items) else 0
    if primes:
        out += "'" * primes
    if below.items:
        out += f"_{{{latex(below)}}}"
    if above.items and not primes:
        out += f"^{{{latex(above)}}}".replace("'", r"\prime ")
    return out


def _is_prime(node: Node) -> bool:
    return isinstance(node, Atom) and node.text == "′"


def _fence(sign: str) -> str:
    return {"": ".", "{": r"\{", "}": r"\}", "‖": r"\|"}.get(sign, _sign(sign) if sign else ".")


def _grid(left: str, rows: Sequence[Sequence[Node]], right: str) -> str:
    body = r" \\ ".join(" & ".join(latex(cell) for cell in row) for row in rows)
    if not left and not right:
        return f"\\begin{{aligned}} {body} \\end{{aligned}}"
    if left == "{" and not right:
        return f"\\begin{{cases}} {body} \\end{{cases}}"
    kind = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("{", "}"): "Bmatrix"}.get(
        (left, right)
    )
    if kind:
        return f"\\begin{{{kind}}} {body} \\end{{{kind}}}"
    return f"\\left{_fence(left)} \\begin{{matrix}} {body} \\end{{matrix}} \\right{_fence(right)}"


def _letters(node: Node) -> int:
    match node:
        case Atom(text) | Name(text):
            return len(text)
        case Row(items):
            return sum(_letters(item) for item in items)
        case Scripts(base):
            return _letters(base)
        case _:
            return 2


# ---- one line of text


def flat(node: Node) -> str:
    """The formula as one line of Unicode: x₁², (a + b)/c, √(1 + α²)."""
    text = _flat(node)
    return re.sub(r" +", " ", text).strip()


def _flat(node: Node) -> str:
    match node:
        case Atom(text, gap):
            spaced = f" {text} " if text in _RELATIONS else text
            return ("  " if gap > 0.9 else "") + spaced
        case Name(text):
            return f" {text} "
        case Row(items):
            return _signed("".join(_flat(item) for item in items))
        case Scripts(base, below, above):
            return _flat(base) + _small(below, _SUBSCRIPTS, "_") + _small(above, _SUPERSCRIPTS, "^")
        case Fraction(above, below):
            return f"{_grouped(above)}/{_grouped(below)}"
        case Root(inside, index):
            return f"{_small(index, _SUPERSCRIPTS, '')}√{_grouped(inside)}"
        case Accent(mark, inside):
            return "".join(character + _COMBINING[ACCENTS[mark]] for character in _flat(inside))
        case Fenced(left, inside, right):
            return f"{left}{_flat(inside).strip()}{right}"
        case Grid(left, rows, right):
            return left + "; ".join(", ".join(flat(cell) for cell in row) for row in rows) + right


def _signed(text: str) -> str:
    """A sign at the beginning, or after a bracket or another sign, is no operator between two things."""
    return re.sub(r"(^|[(\[{=,<>≤≥])(\s*)([+−±∓]) ", r"\1\2\3", text)


def _small(node: Node, letters: dict[str, str], mark: str) -> str:
    text = flat(node).replace(" ", "")
    if not text:
        return ""
    if all(character in letters for character in text):
        return "".join(letters[character] for character in text)
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _grouped(node: Node) -> str:
    text = flat(node)
    simple = (
        len(text) == 1 or re.fullmatch(r"\w+", text) is not None or (text[:1] + text[-1:] == "()" and _closed(text))
    )
    return text if simple else f"({text})"


def _closed(text: str) -> bool:
    """Whether the bracket that opens the text is closed by the one that ends it."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


# ---- names of functions


def spelt(signs: Sequence[str]) -> list[tuple[int, int, str]]:
    """The runs of signs, from first to behind the last, with the name of a function that each spells, or empty."""
    out: list[tuple[int, int, str]] = []
    start = 0
    while start < len(signs):
        end, name = _longest_name(signs, start)
        out.append((start, end, name))
        start = end
    return out


def _longest_name(signs: Sequence[str], start: int) -> tuple[int, str]:
    for end in range(min(len(signs), start + 8), start + 1, -1):
        text = "".join(signs[start:end])
        # A figure one is how an upright l is read more often than not.
        if text[:1] == "1" and text[1:2].islower() and not (start and signs[start - 1].isdigit()):
            text = "l" + text[1:]
        if text in OPERATORS and len(text) == end - start and (len(text) > 2 or text in _SHORT_NAMES):
            return end, text
    return start + 1, ""
