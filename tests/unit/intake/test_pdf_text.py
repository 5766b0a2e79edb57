from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from octavo.document import TextLayer
from octavo.intake import open_source
from octavo.settings import Settings

Maker = Callable[..., Path]


def layer(path: Path) -> TextLayer:
    found = open_source(path, Settings()).page(1).text_layer
    assert found is not None
    return found


def texts(path: Path) -> list[str]:
    return [line.text for line in layer(path).lines]


def picture() -> ImageReader:
    return ImageReader(Image.fromarray(np.full((80, 60, 3), 230, np.uint8)))


def test_words_have_boxes_in_points_from_the_top(pdf: Maker) -> None:
    line = layer(pdf(lambda canvas: canvas.drawString(50, 700, "Hello wide world"))).lines[0]
    assert [word.text for word in line.words] == ["Hello", "wide", "world"]
    assert line.words[0].box[0] == pytest.approx(50, abs=0.5)
    assert line.box[1] < 100 < line.box[3]  # the base line is 100 pt below the top
    assert all(one.box[2] <= two.box[0] for one, two in zip(line.words, line.words[1:], strict=False))
    assert line.box == (line.words[0].box[0], line.words[0].box[1], line.words[-1].box[2], line.words[0].box[3])


def test_columns_drawn_row_by_row_are_not_joined(pdf: Maker) -> None:
    def page(canvas) -> None:
        for row in range(3):
            canvas.drawString(50, 700 - 14 * row, f"left column {row}")
            canvas.drawString(145, 700 - 14 * row, f"right column {row}")

    assert sorted(texts(pdf(page))) == [f"{side} column {row}" for side in ("left", "right") for row in range(3)]


def test_right_column_drawn_first_is_not_joined_either(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(145, 700, "right")
        canvas.drawString(80, 700, "left")

    assert sorted(texts(pdf(page))) == ["left", "right"]


def test_superscripts_stay_in_their_line(pdf: Maker) -> None:
    def page(canvas) -> None:
        text = canvas.beginText(50, 700)
        text.textOut("see note")
        text.setRise(4)
        text.setFont("Helvetica", 7)
        text.textOut("12")
        text.setRise(0)
        text.setFont("Helvetica", 12)
        text.textOut(" below")
        canvas.drawText(text)

    assert texts(pdf(page)) == ["see note12 below"]


def test_fake_bold_is_read_once(pdf: Maker) -> None:
    def page(canvas) -> None:
        for shift in (0, 0.3, 0.6):
            canvas.drawString(50 + shift, 700, "Hello all")

    assert texts(pdf(page)) == ["Hello all"]


def test_repeated_letters_and_lines_are_kept(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 700, "llliii")
        canvas.drawString(50, 686, "llliii")

    assert texts(pdf(page)) == ["llliii", "llliii"]


def test_hyphens_at_a_lines_end_are_seen_and_ligatures_taken_apart(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 700, "inter-")
        canvas.drawString(50, 686, "national")

    assert texts(pdf(page)) == ["inter-", "national"]


def test_text_outside_the_page_is_dropped(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 700, "inside")
        canvas.drawString(50, -40, "below")
        canvas.drawString(900, 700, "right")

    assert texts(pdf(page)) == ["inside"]


def test_text_drawn_upwards_is_a_line(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(200, -50, "turned margin text")

    line = layer(pdf(page)).lines[0]
    assert line.text == "turned margin text"
    x0, y0, x1, y1 = line.box
    assert y1 - y0 > 5 * (x1 - x0)


def test_invisible_text_over_a_scan_is_told(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawImage(picture(), 0, 0, 600, 800)
        text = canvas.beginText(50, 700)
        text.setTextRenderMode(3)
        text.textOut("left by an OCR program")
        canvas.drawText(text)

    found = layer(pdf(page))
    assert not found.visible
    assert found.image_cover == pytest.approx(1.0)
    assert found.lines[0].text == "left by an OCR program"


def test_text_under_a_scan_is_invisible_too(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 700, "under the picture")
        canvas.drawImage(picture(), 0, 0, 600, 800)

    assert not layer(pdf(page)).visible


def test_text_over_a_picture_is_visible_and_cover_is_its_share(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.saveState()
        canvas.drawImage(picture(), 0, 400, 600, 400)
        canvas.drawImage(picture(), 0, 400, 300, 400)  # overlaps: counted once
        canvas.restoreState()
        canvas.drawString(50, 100, "visible")

    found = layer(pdf(page))
    assert found.visible
    assert found.image_cover == pytest.approx(0.5, abs=0.02)


def test_pictures_inside_forms_are_counted(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.beginForm("form")
        canvas.drawImage(picture(), 0, 0, 300, 200)
        canvas.endForm()
        canvas.saveState()
        canvas.scale(2, 2)
        canvas.doForm("form")
        canvas.restoreState()
        canvas.drawString(50, 700, "text")

    assert layer(pdf(page)).image_cover == pytest.approx(0.5, abs=0.02)


def test_no_characters_no_layer(pdf: Maker) -> None:
    assert open_source(pdf(lambda canvas: canvas.rect(10, 10, 50, 50)), Settings()).page(1).text_layer is None
