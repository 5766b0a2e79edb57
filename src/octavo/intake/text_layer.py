"""The exact text layer of a page that was set here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from octavo.document import Block, Box, Cell, Kind, Line, Word
from octavo.intake.line_setting import set_words
from octavo.intake.page_setting import SetCell, SetLine, SetPage
from octavo.intake.passages import Passage


def layer_of(page: SetPage, passages: Sequence[Passage]) -> tuple[Block, ...]:
    """The blocks of a set page with their lines and words, in reading order; text as in the source."""
    blocks: list[Block] = []
    for number, group in groupby(page.lines, key=lambda line: line.passage):
        lines = list(group)
        cells = [cell for cell in page.cells if cell.passage == number]
        block = _table(cells) if cells else _text(passages[number], lines)
        if block is not None:
            blocks.append(block)
    return tuple(blocks)


def _text(passage: Passage, lines: list[SetLine]) -> Block | None:
    made = tuple(line for line in map(_line, lines) if line is not None)
    if not made:
        return None
    text = passage.text[lines[0].start : lines[-1].end]
    return Block(passage.kind, _hull([line.box for line in made]), text, level=passage.level, lines=made)


def _table(cells: list[SetCell]) -> Block:
    first = cells[0].row
    made = tuple(Cell(cell.row - first, cell.column, _cell_text(cell), cell.box, header=cell.header) for cell in cells)
    lines = tuple(line for cell in cells for line in map(_line, cell.lines) if line is not None)
    rows = ["\t".join(cell.text for cell in row) for _, row in groupby(made, key=lambda cell: cell.row)]
    return Block(Kind.TABLE, _hull([cell.box for cell in cells]), "\n".join(rows), lines=lines, cells=made)


def _cell_text(cell: SetCell) -> str:
    return cell.lines[0].text[cell.lines[0].start : cell.lines[-1].end] if cell.lines else ""


def _line(line: SetLine) -> Line | None:
    placed = set_words(line.text, line.start, line.end, line.room, line.look, line.rtl)
    if not placed:
        return None
    bottom = line.y + line.look.leading
    words = tuple(
        Word(word.text, (round(line.x + word.x, 1), line.y, round(line.x + word.x + word.width, 1), bottom))
        for word in placed
    )
    return Line(line.text[line.start : line.end].strip(), _hull([word.box for word in words]), words=words)


def _hull(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))
