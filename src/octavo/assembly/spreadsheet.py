"""Office Open XML workbooks (ECMA-376, SpreadsheetML), written sheet by sheet.

The libraries for it keep all sheets, or a file open for each, until the end, and none writes cells that span rows while
it streams; the few parts that tables of text need are written here instead. Cells are text, whatever they begin with:
nothing in them is ever a formula.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from typing import IO
from xml.sax.saxutils import escape

from octavo.assembly.writers.table import Placed

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_LIMIT = 32_767  # characters of a cell
_NAME_LIMIT = 31  # characters of a sheet's name
_FORBIDDEN = re.compile(r"[][:*?/\\]")  # in a sheet's name
# Style 1 is for cells, 2 for headers: both wrap and stand at the top, headers are bold.
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    + "".join(
        f'<xf numFmtId="49" fontId="{font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" '
        'applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>'
        for font in (0, 1)
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


class Workbook:
    """A workbook on its way to `out`, which has to be seekable. It holds nothing but the names of its sheets."""

    def __init__(self, out: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
        self._names: list[str] = []

    def add(self, name: str, rows: Sequence[Sequence[Placed]]) -> None:
        """One more sheet. `rows` hold the cells that begin in them; characters that a name must not have are
        replaced."""
        self._names.append(_FORBIDDEN.sub("_", name)[:_NAME_LIMIT])
        # The date is left out, so that equal tables give equal bytes.
        info = zipfile.ZipInfo(f"xl/worksheets/sheet{len(self._names)}.xml")
        info.compress_type = zipfile.ZIP_DEFLATED
        merged: list[str] = []
        with self._archive.open(info, "w") as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for number, row in enumerate(rows, 1):
                sheet.write(f'<row r="{number}">{"".join(_cell(number, cell) for cell in row)}</row>'.encode())
                merged += [_range(number, cell) for cell in row if cell.row_span > 1 or cell.column_span > 1]
            sheet.write(b"</sheetData>")
            if merged:
                cells = "".join(f'<mergeCell ref="{reference}"/>' for reference in merged)
                sheet.write(f'<mergeCells count="{len(merged)}">{cells}</mergeCells>'.encode())
            sheet.write(b"</worksheet>")

    def close(self) -> None:
        """Complete the archive; there has to be at least one sheet. `out` stays open."""
        numbers = range(1, len(self._names) + 1)
        sheets = "".join(
            f'<sheet name="{_attribute(name)}" sheetId="{n}" r:id="rId{n}"/>'
            for n, name in zip(numbers, self._names, strict=True)
        )
        relations = [(f"rId{n}", f"{_RELATIONS}/worksheet", f"worksheets/sheet{n}.xml") for n in numbers]
        relations.append((f"rId{len(self._names) + 1}", f"{_RELATIONS}/styles", "styles.xml"))
        parts = [("xl/workbook.xml", "sheet.main+xml"), ("xl/styles.xml", "styles+xml")]
        parts += [(f"xl/worksheets/sheet{n}.xml", "worksheet+xml") for n in numbers]
        overrides = "".join(f'<Override PartName="/{part}" ContentType="{_TYPES}{kind}"/>' for part, kind in parts)
        self._write("xl/styles.xml", _STYLES)
        self._write(
            "xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{sheets}</sheets></workbook>'
        )
        self._write("xl/_rels/workbook.xml.rels", _relationships(relations))
        self._write("_rels/.rels", _relationships([("rId1", f"{_RELATIONS}/officeDocument", "xl/workbook.xml")]))
        self._write(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        )
        self._archive.close()

    def _write(self, name: str, text: str) -> None:
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        self._archive.writestr(info, _HEAD + text)


def _cell(row: int, cell: Placed) -> str:
    style = 2 if cell.header else 1
    text = escape("\n".join(cell.lines)[:_LIMIT])
    place = f"{_column(cell.column)}{row}"
    if not text:
        return f'<c r="{place}" s="{style}"/>'
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _range(row: int, cell: Placed) -> str:
    last = f"{_column(cell.column + cell.column_span - 1)}{row + cell.row_span - 1}"
    return f"{_column(cell.column)}{row}:{last}"


def _column(number: int) -> str:
    """The letters of a 0-based column: A to Z, AA, AB and so on."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _relationships(relations: Sequence[tuple[str, str, str]]) -> str:
    items = "".join(f'<Relationship Id="{i}" Type="{kind}" Target="{target}"/>' for i, kind, target in relations)
    return f'<Relationships xmlns="{_PACKAGE}relationships">{items}</Relationships>'
