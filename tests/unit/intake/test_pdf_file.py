from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader

from octavo.errors import PasswordRequiredError, PasswordWrongError, UnreadableError
from octavo.intake import open_source
from octavo.intake import pdf as pdf_module
from octavo.settings import Settings

Maker = Callable[..., Path]


def word(text: str):
    return lambda canvas: canvas.drawString(50, 700, text)


def scan(columns: int, rows: int) -> ImageReader:
    noise = np.random.default_rng(0).integers(0, 255, (rows, columns), np.uint8)
    return ImageReader(Image.fromarray(noise))


def ink(pixels: np.ndarray) -> tuple[float, float]:
    """The middle of what is dark, as shares of width and height."""
    ys, xs = np.nonzero((pixels < 128).all(axis=2))
    return xs.mean() / pixels.shape[1], ys.mean() / pixels.shape[0]


def test_pages_have_their_size_in_points_and_pixels_at_the_resolution_asked_for(pdf: Maker) -> None:
    opened = open_source(pdf(word("one"), word("two")), Settings())
    page = opened.page(2)
    assert opened.source.pages == 2
    assert (page.number, page.width, page.height, page.unit) == (2, 600, 800, "pt")
    pixels = page.render(144)
    assert pixels.shape == (1600, 1200, 3)
    assert pixels.dtype == np.uint8
    assert page.text_layer is not None
    assert [line.text for line in page.text_layer.lines] == ["two"]


def test_colours_are_rgb(pdf: Maker) -> None:
    def red(canvas) -> None:
        canvas.setFillColorRGB(1, 0, 0)
        canvas.rect(0, 0, 600, 800, fill=1, stroke=0)

    assert open_source(pdf(red), Settings()).page(1).render(72)[400, 300].tolist() == [255, 0, 0]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_is_shown_as_displayed_and_its_boxes_lie_on_the_ink(pdf: Maker, turn: int) -> None:
    path = pdf(word("corner"))
    made = pypdfium2.PdfDocument(path.read_bytes())
    made[0].set_rotation(turn)
    made.save(path)
    made.close()
    page = open_source(path, Settings()).page(1)
    assert (page.width, page.height) == ((800, 600) if turn % 180 else (600, 800))
    x0, y0, x1, y1 = page.text_layer.lines[0].box
    x, y = ink(page.render(72))
    assert x0 <= x * page.width <= x1
    assert y0 <= y * page.height <= y1


def test_passwords(pdf: Maker) -> None:
    path = pdf(word("secret"), encrypt=StandardEncryption("geheim", strength=128))
    with pytest.raises(PasswordRequiredError, match="--password-file"):
        open_source(path, Settings())
    with pytest.raises(PasswordWrongError):
        open_source(path, Settings(), "falsch")
    assert open_source(path, Settings(), "geheim").page(1).text_layer.lines[0].text == "secret"


def test_the_file_is_opened_anew_so_that_memory_stays_flat(pdf: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "_PAGES_PER_OPENING", 2)
    openings = []
    opened_once = pdf_module.PdfFile._opened
    monkeypatch.setattr(
        pdf_module.PdfFile, "_opened", lambda self, content: openings.append(1) or opened_once(self, content)
    )
    opened = open_source(pdf(*[word(f"page {n}") for n in range(1, 8)]), Settings())
    pages = [opened.page(number) for number in range(1, 8)]
    assert [page.text_layer.lines[0].text for page in pages] == [f"page {n}" for n in range(1, 8)]
    assert len(openings) == 4
    assert (pages[0].render(72) < 128).any()  # a page stays good after the file was opened anew
    opened.close()


def test_a_file_that_changes_while_it_is_read_is_an_error(pdf: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "_PAGES_PER_OPENING", 1)
    path = pdf(word("one"), word("two"))
    opened = open_source(path, Settings())
    opened.page(1)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(UnreadableError, match="changed"):
        opened.page(2)


def test_a_page_over_the_limits_is_rendered_more_coarsely_and_says_so(pdf: Maker) -> None:
    page = open_source(pdf(word("large"), size=(7200, 7200)), Settings(max_image_mpx=4)).page(1)
    assert [warning.code for warning in page.warnings] == ["dpi-lowered"]
    high, wide = page.render(200).shape[:2]
    assert 3_900_000 < high * wide <= 4_000_000
    assert [warning.code for warning in page.warnings] == ["dpi-lowered"]


def test_the_side_limit_holds_too(pdf: Maker) -> None:
    page = open_source(pdf(word("long"), size=(72, 14400)), Settings(max_image_side=2000)).page(1)
    assert 1990 <= page.render(200).shape[0] <= 2000


def test_a_scan_is_not_enlarged_beyond_its_own_resolution(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawImage(scan(900, 1200), 0, 0, 600, 800)

    found = open_source(pdf(page), Settings()).page(1)  # 108 dpi
    assert found.render(200).shape == (1200, 900, 3)
    assert found.render(50).shape == (556, 417, 3)
    assert found.text_layer is None


def test_a_tiny_scan_keeps_at_least_one_pixel_a_point(pdf: Maker) -> None:
    found = open_source(pdf(lambda canvas: canvas.drawImage(scan(60, 80), 0, 0, 600, 800)), Settings()).page(1)
    assert found.render(200).shape == (800, 600, 3)


def test_text_over_a_coarse_picture_is_rendered_as_finely_as_asked(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawImage(scan(60, 80), 0, 0, 600, 800)
        canvas.drawString(50, 700, "a stamp of small print")

    assert open_source(pdf(page), Settings()).page(1).render(144).shape == (1600, 1200, 3)


def test_form_fields_are_drawn(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.acroForm.textfield(value="filled in", x=50, y=700, width=200, height=30, borderWidth=0, fontSize=20)

    pixels = open_source(pdf(page), Settings()).page(1).render(72)
    assert (pixels[70:100, 50:250] < 100).any()


def test_a_cut_off_end_is_put_back(pdf: Maker) -> None:
    path = pdf(word("one"), word("two"), pageCompression=0)
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"xref\n", 0, content.rindex(b"startxref"))])
    opened = open_source(path, Settings())
    assert opened.source.pages == 2
    page = opened.page(2)
    assert page.text_layer.lines[0].text == "two"
    assert [warning.code for warning in page.warnings] == ["file-repaired"]
    opened.close()


def test_objects_packed_in_streams_are_found_without_the_table(tmp_path: Path) -> None:
    packed = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 5 0 R /Resources <</Font <</F 4 0 R>>>>>>",
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    body = b"\n".join(packed.values())
    head = b" ".join(b"%d %d" % (number, body.index(one)) for number, one in packed.items()) + b"\n"
    stream = zlib.compress(head + body)
    entry = b"<< /Type /ObjStm /N 4 /First %d /Filter /FlateDecode /Length %d >>" % (len(head), len(stream))
    text = b"BT /F 20 Tf 50 100 Td (packed) Tj ET"
    path = tmp_path / "packed.pdf"
    path.write_bytes(
        b"%%PDF-1.5\n5 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (len(text), text)
        + b"6 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (entry, stream)
    )
    page = open_source(path, Settings()).page(1)
    assert (page.width, page.text_layer.lines[0].text) == (300, "packed")


def test_pages_are_found_where_the_page_tree_is_lost(pdf: Maker) -> None:
    path = pdf(word("one"), word("two"), pageCompression=0)
    content = path.read_bytes()
    # reportlab writes the catalogue and the tree after the pages
    path.write_bytes(content[: content.index(b"/Type /Catalog")])
    opened = open_source(path, Settings())
    assert opened.source.pages == 2
    assert [warning.code for warning in opened.page(1).warnings] == ["file-repaired"]


def test_junk_before_the_header_is_skipped(pdf: Maker) -> None:
    path = pdf(word("one"))
    path.write_bytes(b"junk " * 1000 + path.read_bytes())
    assert open_source(path, Settings()).page(1).text_layer.lines[0].text == "one"


def test_a_page_that_cannot_be_loaded_costs_only_itself(pdf: Maker) -> None:
    path = pdf(word("one"), word("two"), pageCompression=0)
    content = path.read_bytes()
    start = content.rindex(b"<<", 0, content.index(b"/MediaBox"))
    end = content.index(b"endobj", start)
    path.write_bytes(content[:start] + b"42".ljust(end - start) + content[end:])
    opened = open_source(path, Settings())
    assert opened.source.pages == 2
    with pytest.raises(UnreadableError, match=r"page 1 of made\.pdf"):
        opened.page(1)
    assert opened.page(2).text_layer.lines[0].text == "two"


def test_a_jpeg_scan_keeps_its_picture(pdf: Maker) -> None:
    out = io.BytesIO()
    Image.new("RGB", (600, 800), (10, 200, 30)).save(out, "JPEG")
    page = open_source(pdf(lambda canvas: canvas.drawImage(ImageReader(out), 0, 0, 600, 800)), Settings()).page(1)
    assert np.abs(page.render(72)[400, 300].astype(int) - (10, 200, 30)).max() <= 4
