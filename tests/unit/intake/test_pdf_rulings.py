"""Rulings and pictures that a page tells of, and text that it doesn't show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from octavo.document import Box, TextLayer
from octavo.intake import open_source
from octavo.intake.pdf_paths import MOST_RULINGS
from octavo.settings import Settings

Maker = Callable[..., Path]


def layer(path: Path) -> TextLayer:
    found = open_source(path, Settings()).page(1).text_layer
    assert found is not None
    return found


def texts(path: Path) -> list[str]:
    return [line.text for line in layer(path).lines]


def rulings(pdf: Maker, draw: Callable[..., None], **options: object) -> list[Box]:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "text")
        draw(canvas)

    return list(layer(pdf(page, **options)).rulings)


def near(found: list[Box], wanted: list[Box], by: float = 0.6) -> bool:
    return len(found) == len(wanted) and np.abs(np.array(found) - np.array(wanted)).max() <= by


def picture() -> ImageReader:
    return ImageReader(Image.fromarray(np.full((80, 60, 3), 230, np.uint8)))


def test_lines_level_and_upright_in_page_units_from_the_top(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.setLineWidth(1)
        canvas.line(50, 700, 350, 700)
        canvas.line(100, 500, 100, 600)
        canvas.line(50, 300, 350, 400)  # neither

    assert near(rulings(pdf, draw), [(50, 99.5, 350, 100.5), (99.5, 200, 100.5, 300)])


def test_thin_rectangles_are_rulings_and_squares_are_not(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.rect(50, 700, 300, 0.5, stroke=0, fill=1)
        canvas.rect(50, 600, 2, 2, stroke=0, fill=1)

    assert near(rulings(pdf, draw), [(50, 99.5, 350, 100)])


def test_a_drawn_box_gives_its_four_edges_and_a_shaded_one_none(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.rect(50, 600, 200, 100, stroke=1, fill=0)
        canvas.setFillGray(0.8)
        canvas.rect(300, 600, 200, 100, stroke=0, fill=1)

    edges = [(50, 100, 250, 100), (50, 200, 250, 200), (50, 100, 50, 200), (250, 100, 250, 200)]
    assert near(rulings(pdf, draw), [tuple(map(float, edge)) for edge in edges])  # type: ignore[misc]


def test_a_grid_in_one_path(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.grid([50, 150, 250], [600, 650, 700])

    found = rulings(pdf, draw)
    assert sum(x1 - x0 > y1 - y0 for x0, y0, x1, y1 in found) == 3
    assert sum(x1 - x0 < y1 - y0 for x0, y0, x1, y1 in found) == 3


def test_pieces_of_one_line_are_one_ruling(pdf: Maker) -> None:
    def draw(canvas) -> None:
        for x in range(50, 350, 30):
            canvas.line(x, 700, x + 30, 700)

    assert near(rulings(pdf, draw), [(50, 100, 350, 100)])


def test_what_is_clipped_away_or_off_the_page_is_no_ruling(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.line(400, 700, 900, 700)
        canvas.line(50, -20, 350, -20)
        path = canvas.beginPath()
        path.rect(50, 400, 100, 100)
        canvas.saveState()
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.line(20, 450, 500, 450)
        canvas.line(20, 300, 500, 300)
        canvas.restoreState()

    assert near(rulings(pdf, draw), [(400, 100, 600, 100), (50, 350, 150, 350)])


def test_rulings_of_a_turned_page_stand_where_it_is_displayed(pdf: Maker, tmp_path: Path) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "text")
        canvas.line(50, 700, 350, 700)

    turned = tmp_path / "turned.pdf"
    with pypdfium2.PdfDocument(pdf(page)) as file:
        file[0].set_rotation(90)
        file.save(turned)
    # What was 100 pt below the top is 100 pt left of the right edge of a page 800 pt wide.
    assert near(list(layer(turned).rulings), [(700, 50, 700, 350)])


def test_rulings_inside_forms_are_found_where_the_form_puts_them(pdf: Maker) -> None:
    def draw(canvas) -> None:
        canvas.beginForm("form")
        canvas.line(0, 0, 100, 0)
        canvas.endForm()
        canvas.saveState()
        canvas.translate(50, 400)
        canvas.scale(2, 2)
        canvas.doForm("form")
        canvas.restoreState()

    assert near(rulings(pdf, draw), [(50, 400, 250, 400)], by=1.1)


def test_a_drawing_of_countless_lines_is_cut_short(pdf: Maker) -> None:
    def draw(canvas) -> None:
        for row in range(2500):
            canvas.line(50, 50 + 0.25 * row, 60, 50 + 0.25 * row)
            canvas.line(80 + (row % 2) * 30, 50 + 0.25 * row, 100 + (row % 2) * 30, 50 + 0.25 * row)

    assert len(rulings(pdf, draw)) <= MOST_RULINGS


def test_pictures_are_told_of_as_far_as_they_are_shown(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "text")
        canvas.drawImage(picture(), 50, 500, 200, 100)
        canvas.drawImage(picture(), 500, 300, 200, 100)  # reaches over the page's edge
        canvas.drawImage(picture(), 50, 50, 5, 5)  # a bullet

    assert list(layer(pdf(page)).pictures) == [(50, 200, 250, 300), (500, 400, 600, 500)]


# ---- what is not shown


def test_white_on_white_is_not_read_and_white_on_dark_is(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "a line of black text to read")
        canvas.setFillGray(1)
        canvas.drawString(50, 720, "unseen")
        canvas.setFillColorRGB(0, 0, 0.4)
        canvas.rect(40, 640, 300, 30, stroke=0, fill=1)
        canvas.setFillGray(1)
        canvas.drawString(50, 650, "white on blue")
        canvas.setFillColorRGB(0, 0, 0.4)
        canvas.drawString(200, 650, "blue on blue")

    assert texts(pdf(page)) == ["a line of black text to read", "white on blue"]


def test_white_on_a_picture_is_read(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawImage(picture(), 0, 300, 600, 300)
        canvas.setFillGray(1)
        canvas.drawString(50, 400, "over the photograph")

    assert texts(pdf(page)) == ["over the photograph"]


def test_what_a_bar_or_a_picture_hides_is_not_read(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "the name of the accused is")
        canvas.drawString(300, 750, "a secret")
        canvas.rect(295, 742, 80, 20, stroke=0, fill=1)
        canvas.drawString(50, 700, "under a stamp")
        canvas.drawImage(picture(), 40, 690, 120, 30)
        canvas.drawString(50, 650, "and nothing else is missing from the page")

    assert texts(pdf(page)) == ["the name of the accused is", "and nothing else is missing from the page"]


def test_a_highlight_hides_nothing(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "marked")
        canvas.setFillColorRGB(1, 1, 0, alpha=0.5)
        canvas.rect(40, 740, 100, 25, stroke=0, fill=1)

    assert texts(pdf(page)) == ["marked"]


def test_a_bar_that_is_clipped_away_hides_nothing(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 750, "still here")
        path = canvas.beginPath()
        path.rect(0, 0, 600, 50)
        canvas.saveState()
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.rect(0, 0, 600, 800, stroke=0, fill=1)
        canvas.restoreState()

    assert texts(pdf(page)) == ["still here"]


def test_clipped_text_is_read_as_far_as_it_is_shown(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Courier", 10)
        canvas.drawString(50, 750, "the first line of the page")
        path = canvas.beginPath()
        path.rect(50, 690, 42, 30)  # seven letters of six points
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.drawString(50, 700, "visible hidden")
        canvas.drawString(50, 600, "hidden as a whole")

    assert texts(pdf(page)) == ["the first line of the page", "visible"]


def test_a_frame_around_black_text_does_not_make_it_black_on_black(pdf: Maker) -> None:
    def page(canvas) -> None:
        path = canvas.beginPath()
        path.rect(20, 20, 560, 760)
        path.rect(30, 30, 540, 740)
        canvas.drawPath(path, stroke=0, fill=1, fillMode=0)  # even-odd: a frame
        canvas.drawString(50, 700, "inside the frame")

    assert texts(pdf(page)) == ["inside the frame"]


@pytest.mark.parametrize("draw", [lambda canvas: None, lambda canvas: canvas.setFillGray(0.5)])
def test_a_page_that_draws_nothing_is_blank(pdf: Maker, draw: Callable[..., None]) -> None:
    assert open_source(pdf(draw), Settings()).page(1).blank


def test_a_page_with_a_picture_is_not_blank(pdf: Maker) -> None:
    path = pdf(lambda canvas: canvas.drawImage(picture(), 0, 0, 600, 800))
    assert not open_source(path, Settings()).page(1).blank
