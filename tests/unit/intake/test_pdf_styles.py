"""How text is set: bold, italic, monospaced, raised and lowered, and where it leads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.document import Line, Word
from octavo.intake import open_source
from octavo.intake.pdf_styles import BOLD, ITALIC, MONOSPACED, font_style
from octavo.settings import Settings

Maker = Callable[..., Path]


def lines(path: Path, page: int = 1) -> tuple[Line, ...]:
    found = open_source(path, Settings()).page(page).text_layer
    assert found is not None
    return found.lines


def words(path: Path) -> list[Word]:
    return [word for line in lines(path) for word in line.words]


def styled(path: Path) -> dict[str, str]:
    return {word.text: word.style for word in words(path)}


def write(canvas, *parts: tuple[str, str, float, float]) -> None:  # type: ignore[no-untyped-def]
    """Parts of one line: font, text, size, rise."""
    text = canvas.beginText(50, 700)
    for font, words, size, rise in parts:
        text.setFont(font, size)
        text.setRise(rise)
        text.textOut(words)
    canvas.drawText(text)


def test_fonts_of_a_line(pdf: Maker) -> None:
    parts = [
        ("Helvetica", "plain ", 12, 0),
        ("Helvetica-Bold", "heavy ", 12, 0),
        ("Times-Italic", "slanted ", 12, 0),
        ("Times-BoldItalic", "both ", 12, 0),
        ("Courier", "typed", 12, 0),
    ]
    found = styled(pdf(lambda canvas: write(canvas, *parts)))
    assert found == {"plain": "", "heavy": "b", "slanted": "i", "both": "bi", "typed": "m"}


def test_what_the_whole_page_is_set_in_is_no_style(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Courier-Bold", 12)
        for row in range(5):
            canvas.drawString(50, 700 - 14 * row, "a letter typed on a machine")

    assert set(styled(pdf(page)).values()) == {""}


@pytest.mark.parametrize(
    ("rise", "size", "style"),
    [(4, 7, "s"), (-2, 7, "u"), (0, 7, ""), (4, 12, ""), (0.5, 7, "")],
)
def test_raised_and_lowered(pdf: Maker, rise: float, size: float, style: str) -> None:
    parts = [("Helvetica", "water", 12, 0), ("Helvetica", "2", size, rise), ("Helvetica", " flows", 12, 0)]
    path = pdf(lambda canvas: write(canvas, *parts))
    assert lines(path)[0].text == "water2 flows"
    found = [(word.text, word.style) for word in words(path)]
    assert found == ([("water", ""), ("2", style), ("flows", "")] if style else [("water2", ""), ("flows", "")])


def test_large_signs_make_no_subscripts_of_the_letters(pdf: Maker) -> None:
    parts = [("Helvetica", "(", 24, -4), ("Helvetica", "half of it", 12, 0), ("Helvetica", ")", 24, -4)]
    assert {word.style for word in words(pdf(lambda canvas: write(canvas, *parts)))} == {""}


def test_slanted_by_the_matrix_and_outlined_count_as_italic_and_bold(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 760, "plain text to set it apart")
        canvas.saveState()
        canvas.transform(1, 0, 0.3, 1, 50, 700)
        canvas.drawString(0, 0, "leaning")
        canvas.restoreState()
        canvas.drawString(96, 700, "upright again")
        text = canvas.beginText(50, 650)
        text.setTextRenderMode(2)
        text.textOut("thickened")
        canvas.drawText(text)

    path = pdf(page)
    assert lines(path)[1].text == "leaning upright again"
    found = styled(path)
    assert (found["leaning"], found["thickened"], found["plain"]) == ("i", "b", "")


def test_boxes_are_as_high_as_the_size_has_them_whatever_the_font_says(pdf: Maker) -> None:
    def page(canvas) -> None:
        for row, font in enumerate(("Helvetica", "Times-Roman", "Courier")):
            canvas.setFont(font, 10)
            canvas.drawString(50, 700 - 20 * row, "Some text")
        canvas.setFont("Helvetica", 20)
        canvas.drawString(50, 600, "Twice as large")

    *small, large = (line.box[3] - line.box[1] for line in lines(pdf(page)))
    assert small == pytest.approx([11.5] * 3, abs=0.05)
    assert large == pytest.approx(23, abs=0.05)


def test_turned_text_is_measured_across_its_lines(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.translate(300, 300)
        for degrees in (90, 180, 270):
            canvas.saveState()
            canvas.rotate(degrees)
            canvas.drawString(20, 0, f"turned by {degrees}")
            canvas.restoreState()

    for line in lines(pdf(page)):
        assert min(line.box[2] - line.box[0], line.box[3] - line.box[1]) == pytest.approx(11.5, abs=0.05), line.text


# Names, flags, weights and angles as fonts of real files have them; PDFium guesses weights from stems.
FONTS = [
    ("OYPCKP+CharisSIL-Italic", 70, 435, -11, ITALIC),
    ("PPSGID+CharisSIL-Bold", 262150, 800, 0, BOLD),
    ("EPZGFQ+FreeMono", 6, 435, 0, MONOSPACED),
    ("Verdana,Bold", 32, 700, 0, BOLD),
    ("Times-BoldItalic", 32, 0, 0, BOLD | ITALIC),
    ("URWPalladioL-Roma", 4, 420, 0, 0),
    ("URWPalladioL-Bold", 4, 615, 0, BOLD),
    ("NimbusRomNo9L-Medi", 4, 0, 0, BOLD),
    ("NimbusRomNo9L-MediItal", 68, 0, -15, BOLD | ITALIC),
    ("CMBX10", 4, 0, 0, BOLD),
    ("EAAAAA+KaTeX_Math-Italic", 68, 892, 0, ITALIC),
    ("CMTT10", 4, 0, 0, MONOSPACED),
    ("CMR10", 4, 345, 0, 0),
    ("SFTI1000", 4, 0, 0, ITALIC),
    ("AAAAAA+NotoSerifHebrew-Regular", 6, 1828, 0, 0),
    ("AAAAAA+NotoSerifHebrew-Bold", 6, 1828, 0, BOLD),
    ("MS-Gothic", 5, 0, 0, 0),
    ("MonotypeCorsiva", 68, 0, -12, ITALIC),
    ("LiberationMono", 5, 435, 0, MONOSPACED),
    ("", 0, 0, 0, 0),
]


@pytest.mark.parametrize(("name", "flags", "weight", "angle", "style"), FONTS)
def test_styles_of_real_fonts(name: str, flags: int, weight: int, angle: int, style: int) -> None:
    assert font_style(name, flags, weight, angle) == style


def test_links_lead_to_the_web_mail_and_pages(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.bookmarkPage("there")
        canvas.drawString(50, 700, "see the site, write us, or turn to page one")
        width = canvas.stringWidth
        for before, words, target in (
            ("see the ", "site", "https://example.org/a b"),
            ("see the site, ", "write us", "mailto:a@example.org"),
        ):
            x = 50 + width(before)
            canvas.linkURL(target, (x, 695, x + width(words), 712))
        x = 50 + width("see the site, write us, or turn to ")
        canvas.linkRect("", "there", (x, 695, x + width("page one"), 712))

    found = [(word.text, word.link) for word in words(pdf(page)) if word.link]
    assert found == [
        ("site", "https://example.org/a%20b"),
        ("write", "mailto:a@example.org"),
        ("us", "mailto:a@example.org"),
        ("page", "#page-1"),
        ("one", "#page-1"),
    ]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "https://", "ftp://example.org/x"])
def test_other_addresses_are_no_links(pdf: Maker, address: str) -> None:
    def page(canvas) -> None:
        canvas.drawString(50, 700, "press here")
        canvas.linkURL(address, (40, 690, 200, 720))

    assert {word.link for word in words(pdf(page))} == {""}


def test_accents_drawn_by_themselves_are_put_on_their_letters(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Helvetica", 12)
        canvas.drawString(50, 700, "caf")
        x = 50 + canvas.stringWidth("caf", "Helvetica", 12)
        canvas.drawString(x + 1.7, 700, "\u00b4")
        canvas.drawString(x, 700, "e noir")
        canvas.drawString(50, 660, "a lone \u00b4 stays")

    assert [line.text for line in lines(pdf(page))] == ["café noir", "a lone ´ stays"]


def test_what_was_drawn_out_of_turn_stands_in_its_place(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Courier", 10)  # six points a letter
        canvas.drawString(50 + 6 * 10, 700, "middle")
        canvas.drawString(50, 660, "another line")
        canvas.drawString(50 + 6 * 16, 700, ", the end")
        canvas.drawString(50, 700, "beginning")
        canvas.drawString(300, 700, "far away")

    assert sorted(line.text for line in lines(pdf(page))) == ["another line", "beginning middle, the end", "far away"]


def test_pieces_that_fill_each_others_gaps_are_one_line(pdf: Maker) -> None:
    def page(canvas) -> None:
        canvas.setFont("Courier", 10)
        canvas.drawString(50, 700, "e  + 1")
        canvas.drawString(50 + 6 * 7, 700, "= 0")
        canvas.setFont("Courier", 7)
        canvas.drawString(50 + 6.2, 704, "ix")
        canvas.setFont("Courier", 10)
        canvas.drawString(50, 690, "the next line is a line of its own")

    assert [line.text for line in lines(pdf(page))] == ["eix + 1 = 0", "the next line is a line of its own"]
