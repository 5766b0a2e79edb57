"""What a file calls its pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from octavo.intake import open_source
from octavo.settings import Settings

Maker = Callable[..., Path]


def labels(path: Path) -> list[str]:
    file = open_source(path, Settings())
    return [file.page(number).label for number in range(1, file.source.pages + 1)]


def write(canvas: Canvas) -> None:
    canvas.drawString(50, 700, "text")


def test_roman_numerals_then_numbers_with_a_prefix(pdf: Maker) -> None:
    def first(canvas: Canvas) -> None:
        write(canvas)
        canvas.addPageLabel(0, "ROMAN_LOWER")
        canvas.addPageLabel(2, "ARABIC", 7)
        canvas.addPageLabel(4, "ARABIC", 1, "A-")

    assert labels(pdf(first, *[write] * 4)) == ["i", "ii", "7", "8", "A-1"]


def test_no_labels(pdf: Maker) -> None:
    assert labels(pdf(write, write)) == ["", ""]


def test_labels_are_of_printable_letters(pdf: Maker) -> None:
    def page(canvas: Canvas) -> None:
        write(canvas)
        canvas.addPageLabel(0, None, None, " Überblick\n\u202e ")

    assert labels(pdf(page)) == ["Überblick"]
