"""Pages whose lines are set as a printer sets them, for the tests of what goes on over their breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.assembly.flow import Flow, Passage
from octavo.document import Block, Box, Cell, Kind, Line, PageResult, PageStatus

WIDTH, HEIGHT = 600.0, 800.0
LEFT, RIGHT = 60.0, 540.0
PITCH, LEADING, SIZE = 6.0, 14.0, 12.0


def paragraph(
    text: str,
    y: float = 100.0,
    *,
    kind: Kind = Kind.TEXT,
    left: float = LEFT,
    right: float = RIGHT,
    indent: float = 0.0,
    level: int = 0,
    size: float = SIZE,
    pitch: float = PITCH,
) -> Block:
    """A block broken into lines at spaces, from `left` to `right`, as many letters as fit; justified but the last."""
    lines: list[str] = [""]
    room = (right - left - indent) / pitch
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append("")
            room = (right - left) / pitch
        lines[-1] = f"{lines[-1]} {word}".strip()
    made = []
    for place, line in enumerate(lines):
        start = left + (indent if place == 0 else 0.0)
        end = right if place < len(lines) - 1 else start + len(line) * pitch
        top = y + place * LEADING
        made.append(Line(line, (start, top, end, top + size)))
    box = (left, y, max(line.box[2] for line in made), made[-1].box[3])
    return Block(kind, box, text, level=level, lines=tuple(made))


def set_lines(lines: Sequence[str], y: float = 100.0, *, kind: Kind = Kind.TEXT, text: str = "") -> Block:
    """A block of these lines, each from the left side to the right, but for the last if it ends a sentence."""
    made = []
    for place, line in enumerate(lines):
        end = LEFT + PITCH * len(line) if place == len(lines) - 1 and line.endswith(".") else RIGHT
        made.append(Line(line, (LEFT, y + LEADING * place, end, y + LEADING * place + SIZE)))
    return Block(kind, (LEFT, y, RIGHT, made[-1].box[3]), text or " ".join(lines), lines=tuple(made))


def full(words: str, letters: int = 160, *, right: float = RIGHT, left: float = LEFT) -> str:
    """The words again and again, cut so that the last line is filled to its end."""
    room = int((right - left) / PITCH)
    text = ""
    while True:
        for word in words.split():
            text = f"{text} {word}".strip()
            last = paragraph(text, right=right, left=left).lines[-1].text
            if len(text) >= letters and len(last) > room - 3:
                return text


def page(number: int, *blocks: Block, status: PageStatus = PageStatus.OK, languages: Sequence[str] = ()) -> PageResult:
    return PageResult(number, status, WIDTH, HEIGHT, "pt", blocks=blocks, languages=tuple(languages))


def table(
    rows: Sequence[Sequence[str]],
    y: float = 100.0,
    *,
    header: bool = True,
    left: float = LEFT,
    edges: Sequence[float] = (),
    height: float = 20.0,
) -> Block:
    """A table with a row of header cells; `edges` are the columns' left edges, evenly spread where not given."""
    count = len(rows[0])
    starts = list(edges) or [left + (RIGHT - LEFT) / count * column for column in range(count)]
    ends = [*starts[1:], left + RIGHT - LEFT]
    cells = tuple(
        Cell(row, column, text, (starts[column], y + height * row, ends[column] - 4, y + height * row + 12),
             header=header and row == 0)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )  # fmt: skip
    box: Box = (left, y, left + RIGHT - LEFT, y + height * len(rows))
    return Block(Kind.TABLE, box, "\n".join("\t".join(row) for row in rows), cells=cells)


def passages(pages: Iterable[PageResult]) -> list[Passage]:
    flow = Flow()
    events = [*(event for result in pages for event in flow.page(result)), *flow.end()]
    return [event for event in events if isinstance(event, Passage)]


def texts(pages: Iterable[PageResult]) -> list[str]:
    return [passage.block.text for passage in passages(pages)]
