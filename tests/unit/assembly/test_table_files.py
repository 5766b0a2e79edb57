from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from xml.etree import ElementTree

import pytest

from octavo.assembly.tables import TableFiles
from octavo.document import Block, Cell, Kind, PageResult, PageStatus, Source, Summary

BOX = (0.0, 0.0, 1.0, 1.0)
SOURCE = Source("report.pdf", "application/pdf", 1, "blake3:" + "0" * 64, 9)
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def table(*rows: tuple[str, ...]) -> Block:
    cells = [Cell(r, c, text, BOX, header=r == 0) for r, row in enumerate(rows) for c, text in enumerate(row)]
    return Block(Kind.TABLE, BOX, cells=tuple(cells))


def written(*pages: PageResult) -> dict[str, bytes]:
    """The files of a document, by name; each has to be complete when the next is begun."""
    files: dict[str, bytes] = {}

    @contextmanager
    def place(name: str) -> Iterator[BinaryIO]:
        assert name not in files
        out = io.BytesIO()
        yield out
        files[name] = out.getvalue()

    writer = TableFiles("report", place)
    writer.begin(SOURCE)
    for result in pages:
        writer.page(result)
    writer.end(Summary(len(pages), len(pages)))
    return files


def page(number: int, *blocks: Block) -> PageResult:
    return PageResult(number, PageStatus.OK, blocks=blocks)


def cells_of(workbook: bytes, sheet: int) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        root = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{sheet}.xml"))
    return {cell.attrib["r"]: "".join(cell.itertext()) for cell in root.iter(f"{MAIN}c")}


def test_every_table_is_a_file_and_a_sheet() -> None:
    files = written(
        page(1, Block(Kind.TEXT, BOX, "no table")),
        page(3, table(("a", "b"), ("1", "2")), table(("c", "d"), ("3", "4"))),
        page(1204, table(("e", "f"), ("5", "6"))),
    )
    assert list(files) == ["report-p003-t1.csv", "report-p003-t2.csv", "report-p1204-t1.csv", "report-tables.xlsx"]
    assert files["report-p003-t2.csv"] == b"c,d\r\n3,4\r\n"
    with zipfile.ZipFile(io.BytesIO(files["report-tables.xlsx"])) as archive:
        assert archive.testzip() is None
        names = re.findall('<sheet name="([^"]*)"', archive.read("xl/workbook.xml").decode())
    assert names == ["p003-t1", "p003-t2", "p1204-t1"]
    assert cells_of(files["report-tables.xlsx"], 3) == {"A1": "e", "B1": "f", "A2": "5", "B2": "6"}


def test_a_table_that_goes_on_over_a_page_break_is_one_file() -> None:
    def part(top: float, *rows: tuple[str, ...]) -> Block:
        cells = [
            Cell(r, c, text, (100 * c, top + 20 * r, 100 * c + 90, top + 20 * r + 15), header=r == 0)
            for r, row in enumerate(rows)
            for c, text in enumerate(row)
        ]
        return Block(Kind.TABLE, (0, top, 190, top + 20 * len(rows)), cells=tuple(cells))

    first = part(600, ("Year", "Place"), ("105", "Luoyang"), ("610", "Nara"))
    second = part(60, ("Year", "Place"), ("751", "Samarkand"))
    pages = [PageResult(n, PageStatus.OK, 200, 700, blocks=(block,)) for n, block in ((4, first), (5, second))]
    files = written(*pages)
    assert list(files) == ["report-p004-t1.csv", "report-tables.xlsx"]
    assert files["report-p004-t1.csv"] == b"Year,Place\r\n105,Luoyang\r\n610,Nara\r\n751,Samarkand\r\n"


def test_a_document_without_tables_makes_no_file() -> None:
    assert written(page(1, Block(Kind.TEXT, BOX, "text"), Block(Kind.TABLE, BOX, "cells unknown"))) == {}


def test_csv_quotes_what_it_must() -> None:
    (data, _) = written(page(1, table(('say "hi"', "a,b"), ("two\nlines", "Zürich 東京")))).values()
    assert data == '"say ""hi""","a,b"\r\n"two\nlines",Zürich 東京\r\n'.encode()


def test_spans_are_empty_squares_in_csv_and_merged_in_the_workbook() -> None:
    cells = (
        Cell(0, 0, "Name", BOX, row_span=2, header=True),
        Cell(0, 1, "Sizes", BOX, column_span=2, header=True),
        Cell(1, 1, "S", BOX, header=True),
        Cell(1, 2, "L", BOX, header=True),
        Cell(2, 0, "cup", BOX),
        Cell(2, 2, "9", BOX),
    )
    files = written(page(2, Block(Kind.TABLE, BOX, cells=cells)))
    rows = list(csv.reader(io.StringIO(files["report-p002-t1.csv"].decode(), newline="")))
    assert rows == [["Name", "Sizes", ""], ["", "S", "L"], ["cup", "", "9"]]
    workbook = files["report-tables.xlsx"]
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert re.findall('mergeCell ref="([^"]*)"', sheet) == ["A1:A2", "B1:C1"]
    assert cells_of(workbook, 1) == {
        "A1": "Name",
        "B1": "Sizes",
        "B2": "S",
        "C2": "L",
        "A3": "cup",
        "B3": "",
        "C3": "9",
    }
    assert '<c r="A1" s="2"' in sheet, "headers are bold"


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "=HYPERLINK('x')"])
def test_what_looks_like_a_formula_stays_text(text: str) -> None:
    files = written(page(1, table(("a", "b"), (text, "1"))))
    (_, (first, _)) = csv.reader(io.StringIO(files["report-p001-t1.csv"].decode(), newline=""))
    assert first == f"'{text}"
    assert cells_of(files["report-tables.xlsx"], 1)["A2"] == text  # typed as text there


@pytest.mark.parametrize("text", ["-5", "+3.1", "-1,204.50", "-12 %", "-5 000"])
def test_plain_numbers_stay_as_they_are(text: str) -> None:
    files = written(page(1, table(("a", "b"), (text, "1"))))
    (_, (first, _)) = csv.reader(io.StringIO(files["report-p001-t1.csv"].decode(), newline=""))
    assert first == text


def test_the_workbook_escapes_markup_and_cuts_what_no_cell_can_hold() -> None:
    files = written(page(1, table(("<a> & b", "x" * 40_000), ("1", "2"))))
    cells = cells_of(files["report-tables.xlsx"], 1)
    assert cells["A1"] == "<a> & b"
    assert len(cells["B1"]) == 32_767


def test_equal_tables_give_equal_workbooks() -> None:
    one, other = (written(page(1, table(("a", "b"), ("1", "2"))))["report-tables.xlsx"] for _ in range(2))
    assert one == other


def test_columns_go_on_after_z() -> None:
    files = written(page(1, table(tuple(str(n) for n in range(703)), tuple("x" for _ in range(703)))))
    cells = cells_of(files["report-tables.xlsx"], 1)
    assert (cells["Z1"], cells["AA1"], cells["AZ1"], cells["ZZ1"], cells["AAA1"]) == ("25", "26", "51", "701", "702")
