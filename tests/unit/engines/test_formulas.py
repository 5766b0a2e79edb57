from __future__ import annotations

import cv2
import numpy as np
import pytest
from page_parts import PAGE, line, paragraph

from octavo.document import Kind, Word
from octavo.engines.pipeline import formulas
from octavo.engines.pipeline.formula_glyphs import glyphs
from octavo.engines.pipeline.formula_layer import told
from octavo.engines.pipeline.formula_symbols import Symbol
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.picture import Upright, upright
from octavo.engines.pipeline.recognition import Reading


class Reader:
    """Stands in for the recogniser: names the glyphs that it is shown, one after the other."""

    def __init__(self, *names: str, sure: float = 0.99) -> None:
        self._names = list(names)
        self._sure = sure

    def read(self, picture: np.ndarray, among: frozenset[str] | None = None) -> Reading:
        assert picture.ndim == 3
        name = self._names.pop(0)
        assert among is not None
        assert name in among
        return Reading(name, self._sure, (0.5,), (self._sure,))


def blank(width: int = 400, height: int = 200) -> np.ndarray:
    return np.full((height, width, 3), 255, np.uint8)


def draw(pixels: np.ndarray, text: str, x: int, y: int, size: float = 1.0) -> None:
    cv2.putText(pixels, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 2, cv2.LINE_AA)


def page(pixels: np.ndarray) -> Upright:
    return upright(pixels, 0, (pixels.shape[1], pixels.shape[0]))


def fraction() -> tuple[np.ndarray, tuple[float, float, float, float]]:
    """a = b over d, drawn."""
    pixels = blank()
    draw(pixels, "a", 40, 110)
    cv2.rectangle(pixels, (80, 97), (100, 98), (0, 0, 0), -1)
    cv2.rectangle(pixels, (80, 105), (100, 106), (0, 0, 0), -1)
    draw(pixels, "b", 125, 88)
    cv2.rectangle(pixels, (120, 101), (150, 102), (0, 0, 0), -1)
    draw(pixels, "d", 125, 135)
    return pixels, (30.0, 55.0, 160.0, 145.0)


# ---- where


def test_lines_of_mathematics_alone_in_their_rows_are_a_formula() -> None:
    above, below = paragraph(100, 100, 3), paragraph(100, 300, 3)
    pieces = [line("λ = ∑", 220, 210, 60), line("i=1", 255, 236, 25, 12), line("x", 286, 210, 12)]
    found = formulas.find([*above, *pieces, *below], [], PAGE)
    assert [region.kind for region in found] == [Kind.FORMULA]
    assert found[0].box == bounds(piece.box for piece in pieces)


def test_the_number_of_a_formula_belongs_to_it() -> None:
    lines = [*paragraph(100, 100, 3), line("E = mc²", 250, 200), line("(3.1)", 360, 200), *paragraph(100, 260, 3)]
    (found,) = formulas.find(lines, [], PAGE)
    assert found.box == bounds((lines[3].box, lines[4].box))


def test_regions_of_the_network_stay_and_are_not_found_twice() -> None:
    piece = line("y = ∫ f", 250, 200)
    box = (200.0, 180.0, 400.0, 240.0)
    regions = [Region(Kind.FORMULA, box, 0.9), Region(Kind.TEXT, (90, 90, 600, 170), 0.9)]
    assert formulas.find([*paragraph(100, 100, 3), piece], regions, PAGE) == regions


def test_prose_that_the_network_took_for_a_formula_is_text() -> None:
    lines = [line("Opinion of the Court", 250, 200)]
    (found,) = formulas.find([*lines, *paragraph(100, 300, 2)], [Region(Kind.FORMULA, lines[0].box, 0.6)], PAGE)
    assert found.kind is Kind.TEXT


@pytest.mark.parametrize(
    "text",
    [
        "12.50",
        "Tel. +49 30 1234",
        "where x = 5 holds for all",
        "9 × 13",
        "ΑΒΓΔΕ ΖΗΘΙΚ",
        "- 3 -",
        "2024 = 100",
    ],
)
def test_what_is_no_mathematics_is_no_formula(text: str) -> None:
    lines = [*paragraph(100, 100, 3), line(text, 250, 200), *paragraph(100, 300, 3)]
    assert formulas.find(lines, [], PAGE) == []
    assert not formulas.present(lines)


def test_a_formula_beside_prose_is_inline_and_stays_where_it_is() -> None:
    text = line("so that we have in the end", 100, 200, 230)
    assert formulas.find([*paragraph(100, 100, 3), text, line("λ = ∑ x", 350, 200)], [], PAGE) == []


def test_a_formula_at_the_left_edge_of_prose_is_the_end_of_its_paragraph() -> None:
    assert formulas.find([*paragraph(100, 100, 3), line("λ = ∑ x", 100, 190)], [], PAGE) == []


def test_unsure_lines_make_no_formula() -> None:
    noise = TextLine("y=,y", (250, 200, 290, 220), 0.5)
    assert formulas.find([*paragraph(100, 100, 3), noise, *paragraph(100, 300, 3)], [], PAGE) == []


def test_a_picture_of_nothing_but_a_formula_is_one_as_far_as_its_ink() -> None:
    pixels, _ = fraction()
    lines = [TextLine("a =", (40, 90, 100, 112), 0.9)]
    (found,) = formulas.find(lines, [Region(Kind.FIGURE, (0, 0, 90, 90), 0.9)], page(pixels))
    x0, y0, x1, y1 = found.box
    assert found.kind is Kind.FORMULA
    assert (x0, x1) == pytest.approx((41, 151), abs=4)
    assert (y0, y1) == pytest.approx((66, 136), abs=4)


# ---- what


def test_a_formula_is_read_sign_by_sign() -> None:
    pixels, box = fraction()
    read = formulas.read(Reader("a", "d", "b"), page(pixels), box, [line("a b", 40, 90, height=30)])  # type: ignore[arg-type]
    assert read == formulas.Formula("a = b/d", r"a=\frac{b}{d}")


def test_light_ink_on_dark_is_read_too() -> None:
    pixels, box = fraction()
    read = formulas.read(Reader("a", "d", "b"), page(255 - pixels), box, [])  # type: ignore[arg-type]
    assert read.latex == r"a=\frac{b}{d}"


def test_the_number_becomes_a_tag() -> None:
    pixels = blank(700)
    draw(pixels, "a", 40, 110)
    cv2.rectangle(pixels, (80, 97), (100, 98), (0, 0, 0), -1)
    cv2.rectangle(pixels, (80, 105), (100, 106), (0, 0, 0), -1)
    draw(pixels, "b", 120, 110)
    draw(pixels, "(7)", 560, 110)
    read = formulas.read(Reader("a", "b", "(", "7", ")"), page(pixels), (30, 70, 640, 130), [])  # type: ignore[arg-type]
    assert read == formulas.Formula("a = b (7)", r"a=b \tag{7}")


@pytest.mark.parametrize("networks", [None, Reader("a", "d", "b", "a", "d", "b", sure=0.0)])
def test_without_certainty_the_lines_stand_as_they_were_read(networks: Reader | None) -> None:
    pixels, box = fraction()
    lines = [line("b over d", 120, 60), line("a =", 40, 90)]
    assert formulas.read(networks, page(pixels), box, lines) == formulas.Formula("b over d a =")  # type: ignore[arg-type]


def test_a_page_without_pixels_has_the_text_only() -> None:
    nothing = Upright(np.zeros((0, 0, 3), np.uint8), np.eye(2, 3), (100, 100))
    assert formulas.read(Reader(), nothing, (0, 0, 9, 9), [line("x = 1", 0, 0)]) == formulas.Formula("x = 1")  # type: ignore[arg-type]
    assert formulas.picture(nothing, (0, 0, 9, 9)) == b""


def test_letters_of_a_text_layer_replace_those_that_were_read() -> None:
    signs = [Symbol("w", (0, 0, 10, 10), 0.4), Symbol("√", (12, 0, 30, 10)), Symbol("l", (14, 2, 18, 10), 0.5)]
    words = (Word("ω", (99, 49, 111, 61)), Word("p1", (111, 49, 131, 61)))
    named = told(signs, [TextLine("ω p1", (99, 49, 131, 61), words=words)], (100, 50))
    assert [sign.text for sign in named] == ["ω", "√", "1"]  # the code of a radical in old fonts is a letter's
    few = told(signs, [TextLine("ωp1", (99, 49, 131, 61), words=(Word("ωp12", (99, 49, 131, 61)),))], (100, 50))
    assert few == signs


# ---- glyphs


def test_parts_of_one_sign_are_put_together() -> None:
    pixels = blank()
    draw(pixels, "i", 40, 110)
    for y in (95, 101, 107):
        cv2.rectangle(pixels, (80, y), (100, y + 1), (0, 0, 0), -1)
    draw(pixels, ":", 130, 110)
    draw(pixels, "AB", 160, 110)
    found = glyphs(pixels)
    assert [len(glyph.parts) for glyph in found] == [2, 3, 2, 0, 0]
    assert found[1].box == (80, 95, 101, 109)
    assert found[1].shades.shape == (16, 23)  # with a pixel of paper around it


def test_lines_of_fractions_are_no_equals_sign() -> None:
    pixels, _ = fraction()
    cv2.rectangle(pixels, (120, 141), (150, 142), (0, 0, 0), -1)
    assert sorted(len(glyph.parts) for glyph in glyphs(pixels)) == [0, 0, 0, 0, 0, 2]


@pytest.mark.parametrize("pixels", [blank(), np.zeros((0, 0, 3), np.uint8), np.full((20, 20, 3), 77, np.uint8)])
def test_empty_pictures_have_no_glyphs(pixels: np.ndarray) -> None:
    assert glyphs(pixels) == []


# ---- its picture


def test_the_picture_shows_the_formula_and_stays_small() -> None:
    pixels, box = fraction()
    png = cv2.imdecode(np.frombuffer(formulas.picture(page(pixels), box), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert png.shape == (99, 139)
    assert int(png.min()) == 0
    noise = np.random.default_rng(1).integers(0, 255, (1200, 3000, 3), np.uint8)
    assert 0 < len(formulas.picture(page(noise), (0, 0, 3000, 1200))) <= 200_000
