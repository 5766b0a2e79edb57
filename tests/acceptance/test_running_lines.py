"""Running headers in whole conversions: left out where they run, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

import octavo
from octavo.document import Kind
from octavo.settings import Settings

WORDS = ("vat", "mould", "felt", "press", "rag", "size", "ream", "sheet", "pulp", "loft", "beater", "layman")


@pytest.fixture
def own(models_dir: Path, settings: Settings) -> Settings:
    return settings


def book(path: Path, headers: list[str]) -> Path:
    """A digital PDF with a header on each page, and below it text that only this page has."""
    canvas = Canvas(str(path), pagesize=(400, 600))
    for number, header in enumerate(headers, 1):
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(50, 565, header)
        for line in range(30):
            turned = [WORDS[(number * 7 + line * 3 + place * number) % len(WORDS)] for place in range(8)]
            canvas.drawString(50, 520 - 15 * line, " ".join(turned))
        canvas.drawString(195, 30, str(number))
        canvas.showPage()
    canvas.save()
    return path


def test_headers_that_run_are_left_out_and_one_that_does_not_is_kept(tmp_path: Path, own: Settings) -> None:
    path = book(tmp_path / "book.pdf", ["The Rag Trade and the Press"] * 3 + ["Printed for the author at Maidstone"])
    conversion = octavo.convert(path, settings=own, tier="fast")
    conversion.write(tmp_path / "book.md", tmp_path / "book.json")
    markdown = (tmp_path / "book.md").read_text(encoding="utf-8")
    assert "The Rag Trade" not in markdown
    assert markdown.count("Printed for the author at Maidstone") == 1
    assert (tmp_path / "book.json").read_text(encoding="utf-8").count('"kind":"header"') == 3


def test_pages_that_are_far_apart_are_neighbours_where_nothing_is_between(tmp_path: Path, own: Settings) -> None:
    path = book(tmp_path / "book.pdf", ["The Rag Trade and the Press"] * 9)
    for pages, kind in (("1,9", Kind.HEADER), ("5", Kind.TEXT)):
        results = list(octavo.convert(path, pages=pages, settings=own, tier="fast"))
        found = [b.kind for result in results for b in result.blocks if "Rag Trade" in b.text]
        assert found == [kind] * len(results), pages


def test_lines_of_a_text_file_are_never_taken_for_headers(tmp_path: Path, own: Settings) -> None:
    """Every second paragraph is the same, so that pages begin with the same line."""
    (tmp_path / "log.txt").write_text("\n\n".join(f"connection refused\n\nrequest {n} in" for n in range(200)))
    octavo.convert(tmp_path / "log.txt", settings=own, tier="fast").write(tmp_path / "log.md")
    assert (tmp_path / "log.md").read_text(encoding="utf-8").count("connection refused") == 200
