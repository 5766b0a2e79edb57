from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from octavo.engines import tesseract_program as program
from octavo.engines.pipeline import sheet
from octavo.engines.tesseract_program import Look, TesseractLine


def picture(text: str, px: int = 40, ink: str = "black", paper: str = "white") -> np.ndarray:
    font = ImageFont.load_default(px)
    image = Image.new("RGB", (int(font.getlength(text)) + px, int(1.5 * px)), paper)
    ImageDraw.Draw(image).text((px // 2, px // 6), text, font=font, fill=ink)
    return np.asarray(image)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """The sheets that Tesseract is given; it finds one word in the middle of the second line."""
    sheets = []

    def read(pixels: np.ndarray, names: str, dpi: float, mode: int) -> list[TesseractLine]:
        sheets.append(pixels)
        assert (names, dpi, mode) == ("rus+eng", 0, 6)
        width = pixels.shape[1] - 36
        word = ("слово", (18 + width / 4, 72 + 20.0, 18 + width / 2, 72 + 50.0), 0.8)
        return [TesseractLine(1, 1, (word,))]

    monkeypatch.setattr(program, "read", read)
    return sheets


def test_words_come_back_on_the_line_they_stand_on(seen: list[np.ndarray]) -> None:
    wide = np.full((36, 400, 3), 255, np.uint8)
    above, line, below = sheet.read([wide, wide, wide], "rus+eng")
    assert (above.text, above.confidence, below.words) == ("", 0.0, ())
    (word,) = line.words
    assert (word.text, word.confidence) == ("слово", 0.8)
    assert (word.start, word.end) == pytest.approx((0.25, 0.5), abs=0.001)


def test_lines_are_of_one_height_and_on_white_paper(seen: list[np.ndarray]) -> None:
    dark = np.full((90, 300, 3), (20, 10, 60), np.uint8)
    dark[30:60, 100:200] = 250
    grey = np.full((20, 100, 3), 200, np.uint8)
    grey[5:15, 20:40] = 30
    sheet.read([dark, grey], "rus+eng")
    (pixels,) = seen
    assert pixels.shape == (2 * 72, 180 + 36, 3)
    assert pixels[0, 0].tolist() == pixels[30, 20].tolist() == pixels[72 + 20, 20].tolist() == [255, 255, 255]
    assert pixels[36, 18 + 60].mean() < 80  # what was light on dark is dark on light
    assert pixels[72 + 36, 18 + 54].mean() < 100


def test_many_lines_take_several_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    heights = []

    def read(pixels: np.ndarray, *_: object) -> list[TesseractLine]:
        heights.append(pixels.shape[0] // 72)
        return [TesseractLine(1, 1, ((str(len(heights)), (20.0, 20.0, 30.0, 50.0), 1.0),))]

    monkeypatch.setattr(program, "read", read)
    lines = sheet.read([np.full((36, 50, 3), 255, np.uint8)] * 230, "rus")
    assert heights == [100, 100, 30]
    assert {place: line.text for place, line in enumerate(lines) if line.text} == {0: "1", 100: "2", 200: "3"}


def test_nothing_is_read_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "read", lambda *_: pytest.fail("a process was started"))
    assert sheet.read([], "rus") == []


def test_looking_needs_few_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(program, "look", lambda pixels, fewest: asked.append(fewest) or Look("Cyrillic", 0, 3.0))
    assert sheet.look([picture("abc")]) == Look("Cyrillic", 0, 3.0)
    assert asked == [10]


def test_tesseract_reads_a_sheet() -> None:
    if not program.found() or "eng" not in program.installed():
        pytest.skip("Tesseract or its English data is not installed (Debian: tesseract-ocr)")
    texts = ("Nothing is lost", "or invented", "by this small reader")
    pictures = [picture(texts[0]), picture(texts[1], 70), picture(texts[2], ink="white", paper="black")]
    lines = sheet.read(pictures, "eng")
    assert tuple(line.text for line in lines) == texts
    assert all(line.confidence > 0.5 for line in lines)
    starts = [word.start for word in lines[2].words]
    assert starts == sorted(starts)
    assert 0 <= starts[0] < 0.1
