"""Documents whose text goes on over the breaks of columns and pages, set in lines as a printer sets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from documents import Case, made_source, stamped
from msgspec.structs import replace

from octavo.assembly.furniture import RunningLines
from octavo.document import Block, Cell, Kind, Line, PageResult, PageStatus, Span

LEFT, RIGHT = 72.0, 523.0
PITCH, LEADING = 5.5, 14.0


class Sheet:
    """A page that is filled from the top. Lines are justified, and broken where no further word fits."""

    def __init__(self, number: int, *, languages: Sequence[str] = ("en",)) -> None:
        self.number = number
        self._y = 72.0
        self._blocks: list[Block] = []
        self._languages = tuple(languages)

    def add(
        self,
        kind: Kind,
        text: str,
        *,
        size: float = 11.0,
        left: float = LEFT,
        right: float = RIGHT,
        y: float | None = None,
        level: int = 0,
        styled: Mapping[str, str] | None = None,
        links: Mapping[str, str] | None = None,
        target: int | None = None,
    ) -> Sheet:
        """Adds a block. `styled` and `links` name parts of the text with their style or address."""
        top = self._y if y is None else float(y)
        pitch = PITCH * size / 11
        lines: list[str] = [""]
        for word in text.split(" "):
            if lines[-1] and (len(lines[-1]) + 1 + len(word)) * pitch > right - left:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        made = []
        for place, line in enumerate(lines):
            is_last = place == len(lines) - 1
            end = left + len(line) * pitch if is_last and len(line) * pitch < right - left - 4 * pitch else right
            line_top = top + place * LEADING * size / 11
            made.append(Line(line, (left, round(line_top, 1), round(end, 1), round(line_top + size, 1))))
        spans = _spans(text, styled or {}, links or {})
        box = (left, top, right if len(made) > 1 else made[0].box[2], made[-1].box[3])
        self._blocks.append(Block(kind, box, text, level=level, lines=tuple(made), spans=spans, target=target))
        self._y = max(self._y, made[-1].box[3]) + 8
        return self

    def table(self, rows: Sequence[Sequence[str]], y: float) -> Sheet:
        step = (RIGHT - LEFT) / len(rows[0])
        cells = tuple(
            Cell(row, column, text, (LEFT + step * column, y + 18 * row, LEFT + step * (column + 1), y + 18 * row + 11),
                 header=row == 0)
            for row, texts in enumerate(rows)
            for column, text in enumerate(texts)
        )  # fmt: skip
        self._blocks.append(Block(Kind.TABLE, (LEFT, float(y), RIGHT, y + 18.0 * len(rows)), cells=cells))
        self._y = y + 18.0 * len(rows) + 8
        return self

    def figure(self, y: float, height: float) -> Sheet:
        self._blocks.append(Block(Kind.FIGURE, (LEFT, float(y), RIGHT, float(y + height))))
        self._y = y + height + 8
        return self

    def result(self) -> PageResult:
        return stamped(self.number, tuple(self._blocks), self._languages)


def _spans(text: str, styled: Mapping[str, str], links: Mapping[str, str]) -> tuple[Span, ...]:
    spans = [Span(text.index(part), text.index(part) + len(part), style) for part, style in styled.items()]
    spans += [Span(text.index(part), text.index(part) + len(part), "", link) for part, link in links.items()]
    return tuple(sorted(spans, key=lambda span: span.start))


def _case(name: str, pages: Sequence[PageResult]) -> Case:
    running = RunningLines()
    settled = [*(out for page in pages for out in running.page(page)), *running.end()]
    return Case(made_source(name, len(pages)), settled)


def breaks() -> Case:
    """A preface and a chapter: labels, headings, a hyphen, a list, a table and a note over the breaks of pages."""
    folio = 800.0
    first = (
        Sheet(1)
        .add(Kind.HEADING, "The Paper Mill", size=26, level=1)
        .add(Kind.TEXT, "A treatise in two parts, for the use of apprentices.")
        .add(Kind.HEADING, "Preface", size=16, level=2)
        .add(
            Kind.TEXT,
            "A mill of one vat gives work to eleven people, and he who would set one up must first ask what he has of "
            "water, and only then what he has of money. Of rags he need not ask, for where there are people there are "
            "rags, and where there are none he will not sell his pa-",
            styled={"one vat": "i", "not sell": "b", "pa-": "b"},
        )
        .add(Kind.FOOTNOTE, "1 Rags were sold by the hundredweight.", size=8, y=760)
        .add(Kind.PAGE_NUMBER, "i", y=folio, left=290)
        .result()
    )
    second = (
        Sheet(2)
        .add(
            Kind.TEXT,
            "per either. The author has had the care of three mills, and has seen two of them burn.",
            styled={"per": "b"},
        )
        .add(Kind.TEXT, "What follows was written in the winters, by day.")
        .add(Kind.PAGE_NUMBER, "ii", y=folio, left=290)
        .result()
    )
    third = (
        Sheet(3)
        .add(Kind.HEADING, "1 The rags", size=16, level=1)
        .add(Kind.HEADING, "1.1 Sorting", size=13, level=2)
        .add(
            Kind.TEXT,
            "The women stand at tables of wire cloth, each with a scythe blade fixed upright before her. For more, see "
            "the plates at the mill's own page; E = mc2 is not known to them, nor is f(x).",
            styled={"2": "s", "f(x)": "m"},
            links={"the mill's own page": "https://www.example.org/?a=(1)"},
        )
        .add(Kind.LIST_ITEM, "1. white linen, which is kept apart", level=1)
        .add(Kind.LIST_ITEM, "2. coloured linen:", level=1)
        .add(Kind.LIST_ITEM, "a) blue", level=2, left=LEFT + 24)
        .add(Kind.LIST_ITEM, "b) red", level=2, left=LEFT + 24)
        .add(Kind.PAGE_NUMBER, "1", y=folio, left=290)
        .result()
    )
    fourth = (
        Sheet(4)
        .add(Kind.LIST_ITEM, "c) any other colour", level=1, left=LEFT + 24)
        .add(Kind.LIST_ITEM, "3. rope and sail", level=1)
        .add(Kind.HEADING, "Boiling", size=13, level=2)
        .add(Kind.TEXT, "Boiling takes a day1 and a night.", styled={"1": "s"})
        .add(Kind.CAPTION, "Table 1. Rags sorted in a week", y=650, size=9, target=5)
        .table([["Kind", "Pounds", "Price"], ["white linen", "310", "9s"], ["blue linen", "120", "4s"]], 670)
        .add(Kind.FOOTNOTE, "1 Before the Act, two.", size=8, y=770, target=3)
        .add(Kind.PAGE_NUMBER, "2", y=folio, left=290)
        .result()
    )
    fifth = (
        Sheet(5)
        .add(Kind.CAPTION, "Table 1 (continued)", size=9, target=1)
        .table([["Kind", "Pounds", "Price"], ["red linen", "45", "3s"], ["rope", "800", "2s 6d"]], 92)
        .add(Kind.HEADING, "2 The vat", size=16, level=1)
        .add(Kind.HEADING, "This was taken for a heading, but it is a whole sentence, and it has a full stop.", size=13)
        .figure(300, 120)
        .add(Kind.CAPTION, "Figure 1. The vat house", size=9, target=4)
        .add(Kind.PAGE_NUMBER, "3", y=folio, left=290)
        .result()
    )
    return _case("breaks.pdf", [first, second, third, fourth, fifth])


def columns() -> Case:
    """Two columns and a figure in German, then Chinese, with a page that failed between them."""
    gutter = 297.0
    left = (
        "Der Schöpfer taucht seine Form in die Bütte und hebt sie waagerecht heraus, schüttelt sie einmal nach vorn "
        "und einmal zur Seite, bis der Stoff sich gesetzt hat, und reicht sie dem Gautscher, der sie auf den nassen "
        "Filz drückt. So geht es von früh bis spät, Bogen um Bogen, wie es in Baden-"
    )
    right = "Württemberg noch heute an zwei Orten zu sehen ist. Das Maß-"
    first = (
        Sheet(1, languages=["de"])
        .add(Kind.TEXT, left, right=gutter - 12, y=72)
        .add(Kind.TEXT, right, left=gutter + 12, y=72)
        .figure(400, 100)
        .result()
    )
    second = Sheet(2, languages=["de"]).add(Kind.TEXT, "werk der Form besteht aus Draht.").result()
    words = "中国是最早发明造纸术的国家纸的制造经历了漫长的过程"
    full = Line(words, (72.0, 100.0, 523.0, 116.0)), Line(words, (72.0, 122.0, 523.0, 138.0))
    fourth = stamped(4, (Block(Kind.TEXT, (72.0, 100.0, 523.0, 138.0), words * 2, lines=full),), ("zh",))
    rest = "其中最重要的是蒸煮。"
    line = Line(rest, (72.0, 72.0, 72.0 + 18 * len(rest), 88.0))
    fifth = stamped(5, (Block(Kind.TEXT, line.box, rest, lines=(line,)),), ("zh",))
    failed = PageResult(3, PageStatus.FAILED)
    return _case("columns.pdf", [first, second, failed, fourth, replace(fifth, label="五")])


CASES = {"breaks": breaks, "columns": columns}
