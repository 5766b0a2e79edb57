"""The example files say what examples/report.md says. `scripts/make_examples.py` makes them anew."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FURNITURE = "FromRagstoReamsAshorthistoryofpaper"


def _letters(text: str) -> str:
    return re.sub(r"[\s•|]+", "", text)


@pytest.mark.parametrize(("name", "limit"), [("report-digital.pdf", 400_000), ("report-scan.pdf", 1_000_000)])
def test_the_files_stay_small_and_have_six_pages(name: str, limit: int) -> None:
    path = EXAMPLES / name
    assert path.stat().st_size < limit
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 6


def test_the_digital_report_holds_the_text_in_reading_order() -> None:
    markdown = (EXAMPLES / "report.md").read_text(encoding="utf-8")
    wanted = _letters(re.sub(r"<!--.*?-->|^\| ---.*$|^#+ |^- ", "", markdown, flags=re.MULTILINE))
    with pypdfium2.PdfDocument(EXAMPLES / "report-digital.pdf") as document:
        pages = [_letters(page.get_textpage().get_text_range()) for page in document]
    found = pages[0] + "".join(page.removeprefix(f"{FURNITURE}{number}") for number, page in enumerate(pages[1:], 2))
    before, header, after = found.partition("YearPlaceEventFibre")
    assert after.count(header) == 1, "the table should go on over a page break, with its header row repeated"
    assert before + header + after.replace(header, "") == wanted


def test_the_scan_has_no_text_and_one_page_on_its_side() -> None:
    with pypdfium2.PdfDocument(EXAMPLES / "report-scan.pdf") as document:
        assert [page.get_textpage().count_chars() for page in document] == [0] * 6
        sides = Counter(page.get_width() > page.get_height() for page in document)
    assert sides == {False: 5, True: 1}
