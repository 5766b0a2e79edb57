"""Tables that go on over a page break: whether they do, and their parts made one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from statistics import median

from msgspec.structs import replace

from octavo.assembly.pieces import Piece
from octavo.document import Block, Cell

Row = list[Cell]

_HEADER_ROWS = 4  # most rows of a header that are looked for
_ALIKE = 0.85  # similarity of a header row and its repetition; a few letters may be misread
_LOW, _HIGH = (
    0.66,
    0.4,
)  # of the page's height: a part that goes on ends below, one that goes on from before begins above
_BESIDE = 0.03  # of the page's width: edges of one table on two pages
_CONTINUED = re.compile(
    r"\b(?:continued|cont(?:inuation|[’']?d)?\b\.?|fortsetzung|forts\.|forts(?:ättning|at)|suite|continuación|continuação|"
    r"continua(?:zione)?|segue|vervolg|продолжение|окончание|ciąg dalszy|c\.\s?d\.|pokračov[aá]n[ií]e?|folytatás)"
    r"|[续續]|続き|계속",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\W*[^\W\d]{1,12}\.?\s*([\dIVXA-Z]{0,3}\d+(?:[.\-–]\d+)*|[IVX]+\b)", re.IGNORECASE)
_NUMERIC = re.compile(r"[\d\s.,%()+\-–−±$€£¥/:*]*\d[\d\s.,%()+\-–−±$€£¥/:*]*")


@dataclass(frozen=True, slots=True)
class Seam:
    """How the rows of a part go on those before: the rows that repeat the header, and where its columns belong."""

    skip_rows: int
    columns: dict[int, int]  # of the part to those of the whole
    widened: dict[int, int]  # of the whole to what they become where the part has more
    is_headless: bool  # no row of the part is a header, whatever its cells say


def repeats(caption: str, before: str) -> bool:
    """Whether a caption says that its table goes on, or says the same as the one `before`."""
    if _CONTINUED.search(caption):
        return True
    a, b = _NUMBERED.match(caption), _NUMBERED.match(before)
    return a is not None and b is not None and a[1].casefold() == b[1].casefold() and _alike(caption, before)


def seam(whole: Block, model: Piece, last: Piece, part: Piece, *, announced: bool) -> Seam | None:
    """How the table `part` goes on `whole`, whose last fragment is `last`; None where it is another table.

    `model` is the fragment whose columns the whole has, and `announced` tells that a caption says that it goes on.
    """
    head, rows = _rows(whole), _rows(part.block)
    if not head or not rows:
        return None
    skipped = _repeated(head, rows)
    if skipped == len(rows):
        return None
    found = _columns(model, part)
    if found is None:
        return None
    columns, widened = found
    if not skipped and not announced and not (len(columns) == len(_starts(model)) and _is_placed(last, part)):
        return None
    if not skipped and not announced and not _is_alike(head, rows, columns, model, part):
        return None
    return Seam(skipped, columns, widened, is_headless=not skipped)


def appended(whole: Block, part: Block, seam: Seam) -> Block:
    """The table with the part's rows added below."""
    cells = whole.cells
    if seam.widened:
        cells = tuple(_moved(cell, seam.widened) for cell in cells)
    start = 1 + max(cell.row + max(1, cell.row_span) - 1 for cell in cells)
    numbers = sorted({cell.row for cell in part.cells})
    first = numbers[seam.skip_rows]
    for cell in part.cells:
        if cell.row < first:
            continue
        header = cell.header and not seam.is_headless
        cells += (replace(_moved(cell, seam.columns), row=cell.row - first + start, header=header),)
    text = f"{whole.text}\n{part.text}" if part.text else whole.text
    return replace(whole, cells=cells, text=text, lines=())


def _moved(cell: Cell, columns: dict[int, int]) -> Cell:
    column = columns.get(cell.column, cell.column)
    last = cell.column + max(1, cell.column_span) - 1
    end = max((to for at, to in columns.items() if cell.column <= at <= last), default=column)
    return replace(cell, column=column, column_span=end - column + 1)


def _rows(block: Block) -> list[Row]:
    ordered = sorted(block.cells, key=lambda cell: (cell.row, cell.column))
    return [list(row) for _, row in groupby(ordered, key=lambda cell: cell.row)]


# ---- the header, once more


def _repeated(head: Sequence[Row], rows: Sequence[Row]) -> int:
    """How many rows at the top say the same in both."""
    count = 0
    for a, b in zip(head[:_HEADER_ROWS], rows, strict=False):
        said, again = _said(a), _said(b)
        is_header = all(cell.header for cell in a) or count == 0
        if not said or not again or not is_header or not _alike(said, again):
            break
        if _is_figures(a):  # equal figures are no header
            break
        count += 1
    return count


def _said(row: Row) -> str:
    return " ".join(cell.text for cell in row if cell.text.strip())


def _is_figures(row: Row) -> bool:
    filled = [cell for cell in row if cell.text.strip()]
    return sum(_NUMERIC.fullmatch(cell.text) is not None for cell in filled) * 2 > len(filled)


def _alike(a: str, b: str) -> bool:
    a, b = _folded(a), _folded(b)
    if a == b:
        return True
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text[:400]).casefold()
    return "".join(c for c in _CONTINUED.sub("", plain) if c.isalnum())


# ---- the columns


def _columns(model: Piece, part: Piece) -> tuple[dict[int, int], dict[int, int]] | None:
    """Where the part's columns go, and where the whole's where it has fewer; None where they do not go together."""
    old, new = _starts(model), _starts(part)
    if len(old) == len(new):
        return dict(zip(new, old, strict=True)), {}
    few, many = (new, old) if len(new) < len(old) else (old, new)
    if len(many) - len(few) > max(1, len(many) // 3):
        return None
    placed = _matched(few, many)
    if placed is None:
        return None
    return (placed, {}) if few is new else ({column: column for column in new}, placed)


def _starts(piece: Piece) -> dict[int, float]:
    """The middle of each column in parts of the table's width, by the boxes of its cells; evenly where none help."""
    columns = sorted({cell.column for cell in piece.block.cells})
    x0, _, x1, _ = piece.block.box
    middles: dict[int, float] = {}
    for place, column in enumerate(columns):
        boxes = [c.box for c in piece.block.cells if c.column == column and c.column_span <= 1 and c.text.strip()]
        inside = [(box[0] + box[2]) / 2 for box in boxes if box[2] > box[0]]
        at = median(inside) if inside else x0 + (x1 - x0) * (place + 0.5) / len(columns)
        middles[column] = (at - x0) / max(1e-9, x1 - x0)
    return middles


def _matched(few: dict[int, float], many: dict[int, float]) -> dict[int, int] | None:
    """Each of the few columns with the one of the many nearest to it; None where two want the same or change sides."""
    room = 0.75 / len(many)
    placed = {column: min(many, key=lambda other: abs(many[other] - at)) for column, at in few.items()}
    wanted = [placed[column] for column in sorted(few)]
    if any(b <= a for a, b in pairwise(wanted)):
        return None
    return placed if all(abs(many[placed[c]] - at) <= room for c, at in few.items()) else None


# ---- tables without a header of their own


def _is_placed(last: Piece, part: Piece) -> bool:
    """Whether the parts lie where a table is broken, at the foot and the head of a page, and are as wide."""
    wide, other = (piece.sheet[2] - piece.sheet[0] for piece in (last, part))
    return last.sheet[3] >= _LOW and part.sheet[1] <= _HIGH and abs(wide - other) <= _BESIDE


def _is_alike(head: Sequence[Row], rows: Sequence[Row], columns: dict[int, int], model: Piece, part: Piece) -> bool:
    """Whether the part's first row is more of what stands in the whole, and no header."""
    body = [row for row in head if not all(cell.header for cell in row)] or list(head[1:])
    if figures := _figure_columns(body):
        filled = {columns.get(cell.column): cell.text for cell in rows[0] if cell.text.strip()}
        asked = [column for column in figures if column in filled]
        return bool(asked) and sum(_NUMERIC.fullmatch(filled[c]) is not None for c in asked) * 2 >= len(asked)
    if all(cell.header for cell in rows[0]) and all(cell.header for cell in head[0]):
        old, new = _starts(model).values(), _starts(part).values()
        return all(abs(a - b) <= _BESIDE for a, b in zip(old, new, strict=True))
    return True


def _figure_columns(rows: Sequence[Row]) -> list[int]:
    """The columns that hold figures in most of these rows."""
    texts: dict[int, list[str]] = {}
    for row in rows:
        for cell in row:
            if cell.text.strip():
                texts.setdefault(cell.column, []).append(cell.text)
    return [
        column for column, said in texts.items() if sum(_NUMERIC.fullmatch(t) is not None for t in said) * 2 > len(said)
    ]
