"""Small documents made by hand, the input of the golden files of the same names."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from octavo.document import (
    Block,
    Box,
    Cell,
    Kind,
    Line,
    PageError,
    PageResult,
    PageStatus,
    PageWarning,
    Source,
    Stamp,
    Summary,
    Usage,
    Word,
)

STAMP = Stamp("pipeline", "1", "blake3:5eed", "onnxruntime 1.20 fp32", {"tier": "standard"})


class Case(NamedTuple):
    source: Source
    pages: list[PageResult]

    @property
    def summary(self) -> Summary:
        def count(status: PageStatus) -> int:
            return sum(page.status is status for page in self.pages)

        failed = tuple(page.page for page in self.pages if page.status is PageStatus.FAILED)
        return Summary(
            len(self.pages),
            count(PageStatus.OK),
            count(PageStatus.FALLBACK),
            count(PageStatus.BLANK),
            count(PageStatus.FAILED),
            failed,
        )


def made_source(name: str, pages: int) -> Source:
    return Source(name, "application/pdf", 4096, "blake3:" + "0" * 64, pages)


def _blocks(*pairs: tuple[Kind, str] | tuple[Kind, str, int]) -> tuple[Block, ...]:
    """Blocks below each other, 20 pt apart."""

    def box(index: int) -> Box:
        return (72.0, 72.0 + 20 * index, 523.0, 90.0 + 20 * index)

    return tuple(
        Block(pair[0], box(index), pair[1], level=pair[2] if len(pair) > 2 else 0) for index, pair in enumerate(pairs)
    )


def _page(number: int, blocks: tuple[Block, ...]) -> PageResult:
    return PageResult(
        number, PageStatus.OK, 595.0, 842.0, "pt", text_source="ocr", confidence=0.97, blocks=blocks, stamp=STAMP
    )


def stamped(number: int, blocks: tuple[Block, ...], languages: tuple[str, ...] = ()) -> PageResult:
    """A page of a PDF with text of its own."""
    page = _page(number, blocks)
    return replace(page, text_source="text-layer", confidence=1.0, languages=languages)


def _table(rows: list[list[str]], *, header: bool = True) -> Block:
    cells = tuple(
        Cell(
            row,
            column,
            text,
            (column * 90.0, row * 20.0, column * 90.0 + 90, row * 20.0 + 20),
            header=header and row == 0,
        )
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )
    return Block(Kind.TABLE, (0.0, 0.0, 90.0 * len(rows[0]), 20.0 * len(rows)), cells=cells)


def kinds() -> Case:
    """Every kind of block, over three pages."""
    words = (Word("The", (72.0, 112.0, 90.0, 124.0), 0.99), Word("rag-room", (94.0, 112.0, 140.0, 124.0), 0.87))
    lines = (Line("The rag-room", (72.0, 112.0, 140.0, 124.0), 0.93, words),)
    first = _blocks(
        (Kind.HEADER, "Notes of a Paper Mill"),
        (Kind.TITLE, "Notes of a Paper Mill"),
        (Kind.HEADING, "1. The rags", 1),
        (Kind.TEXT, "The rag-room was the largest in the mill.\nNo lamp was allowed in it."),
        (Kind.HEADING, "1.1 Sorting", 2),
        (Kind.LIST_ITEM, "• linen, white", 1),
        (Kind.LIST_ITEM, "• cotton", 1),
        (Kind.LIST_ITEM, "– bleached", 2),
        (Kind.LIST_ITEM, "– dyed", 2),
        (Kind.LIST_ITEM, "• rope and sail", 1),
        (Kind.TEXT, "A vat needed three men:"),
        (Kind.LIST_ITEM, "1. the vatman", 1),
        (Kind.LIST_ITEM, "2. the coucher", 1),
        (Kind.LIST_ITEM, "4. the layman, who in this list comes after a gap", 1),
        (Kind.LIST_ITEM, "(a) and his boy", 2),
        (Kind.FOOTNOTE, "1 Weights are in pounds."),
        (Kind.PAGE_NUMBER, "1"),
    )
    first = (*first[:3], Block(Kind.TEXT, first[3].box, first[3].text, 0.93, lines=lines), *first[4:])
    spans = Block(
        Kind.TABLE,
        (72.0, 72.0, 523.0, 200.0),
        cells=(
            Cell(0, 0, "Size", (0.0, 0.0, 1.0, 1.0), row_span=2, header=True),
            Cell(0, 1, "Inches", (0.0, 0.0, 1.0, 1.0), column_span=2, header=True),
            Cell(1, 1, "wide", (0.0, 0.0, 1.0, 1.0), header=True),
            Cell(1, 2, "high", (0.0, 0.0, 1.0, 1.0), header=True),
            Cell(2, 0, "Foolscap & <Crown>", (0.0, 0.0, 1.0, 1.0)),
            Cell(2, 1, "17", (0.0, 0.0, 1.0, 1.0)),
            Cell(2, 2, "13½", (0.0, 0.0, 1.0, 1.0)),
            Cell(3, 1, "not\nmeasured", (0.0, 0.0, 1.0, 1.0), column_span=2),
        ),
    )
    loose = Block(
        Kind.TABLE,
        (72.0, 300.0, 523.0, 340.0),
        lines=(Line("Demy 22½ 17½", (72.0, 300.0, 523.0, 318.0)), Line("Royal 24 19", (72.0, 320.0, 523.0, 338.0))),
    )
    second = (
        _table(
            [
                ["Year", "Vats", "Reams"],
                ["1801", "4", "6,200"],
                ["1802", "4 | 5", "first\nsecond half"],
                ["1803", "", "7"],
            ]
        ),
        *_blocks((Kind.CAPTION, "Table 1. Reams made, by year.")),
        spans,
        loose,
        *_blocks(
            (Kind.FIGURE, "Vat\nPress"),
            (Kind.FIGURE, ""),
            (Kind.CAPTION, "Figure 1. The vat house."),
            (Kind.SEAL, "PAID"),
        ),
    )
    third = (
        Block(Kind.FORMULA, (72.0, 72.0, 523.0, 90.0), "m = Q / A", latex="m = \\frac{Q}{A}"),
        *_blocks((Kind.FORMULA, "A = w * h * 2")),
        *_blocks((Kind.CODE, "if dry:\n\tprint('``` is a fence')\n\n    return 1 < 2")),
        *_blocks((Kind.HEADING, "References", 1), (Kind.REFERENCE, "[1] J. Whatman, On Wove Paper, 1757.")),
        *_blocks((Kind.FOOTER, "Printed for the author"), (Kind.PAGE_NUMBER, "3")),
    )
    return Case(made_source("mill.pdf", 3), [_page(1, first), _page(2, second), _page(3, third)])


def losses() -> Case:
    """Pages 4 to 8 of a document: failed, read, blank, read another way, failed without a word."""
    timeout = PageError("page-timeout", "page 4 took over 120 s -- its worker was killed --> raise page_timeout", True)
    fallback = PageResult(
        7,
        PageStatus.FALLBACK,
        1240.0,
        1754.0,
        rotation=90,
        skew=-0.4,
        text_source="text-layer",
        confidence=0.8,
        blocks=_blocks((Kind.TEXT, "Read from the text layer.")),
        warnings=(PageWarning("text-layer-used", "the picture could not be read; the PDF's own text was used"),),
        usage=Usage(1.5, 1.25, 2),
    )
    return Case(
        made_source("losses.pdf", 12),
        [
            PageResult(4, PageStatus.FAILED, error=timeout, usage=Usage(240.0, 3.0, 2)),
            _page(5, _blocks((Kind.LIST_ITEM, "9. a list that goes on", 3))),
            PageResult(6, PageStatus.BLANK, 595.0, 842.0, "pt"),
            fallback,
            PageResult(8, PageStatus.FAILED),
        ],
    )


def scripts() -> Case:
    """Other directions and scripts, and characters that mean something in Markdown or HTML."""
    first = _blocks(
        (Kind.TITLE, "造纸术 — صناعة الورق"),
        (Kind.TEXT, "中国是最早发明造纸术的国家。纸的制造经历了漫长的过程。"),
        (Kind.TEXT, "漉いた紙を干す。日本の和紙は楮から作られる。"),
        (Kind.TEXT, "닥나무 껍질로 만든 한지는 오래 간다."),
        (Kind.LIST_ITEM, "1、剥皮", 1),
        (Kind.LIST_ITEM, "2、蒸煮", 1),
        (Kind.LIST_ITEM, "（一）漂洗", 2),
        (Kind.TEXT, "وصل الورق إلى سمرقند في القرن الثامن."),
        (Kind.TEXT, "הנייר הגיע לאירופה דרך ספרד."),
        (Kind.TEXT, "𝒜 𠀀 👩‍🔬 e\u0301 zero\u200bwidth soft\u00adhyphen"),
    )
    second = _blocks(
        (Kind.HEADING, "C# and *stars* #", 1),
        (Kind.TEXT, "# no heading"),
        (Kind.TEXT, "- no item"),
        (Kind.TEXT, "12. no item either"),
        (Kind.TEXT, "> no quotation, but 3 > 2 and a <b>tag</b> &amp; an entity & <!-- no comment -->"),
        (Kind.TEXT, "*emphasis* and **strong**, 2 * 3, snake_case, _under_, ~~struck~~, Name: ______ Date: ______"),
        (Kind.TEXT, "`code`, a single ` here is harmless; C:\\temp, \\*, and a backslash at the end \\"),
        (Kind.TEXT, "[text](javascript:alert(1)) ![image](x.png)"),
        (Kind.TEXT, "[1] a reference, [a] and [2] stay"),
        (Kind.TEXT, "[label]: a definition"),
        (Kind.TEXT, "$x$ is math, $5 and $6 are not, $$y$$ is"),
        (Kind.TEXT, "a | b"),
        (Kind.TEXT, "---"),
        (Kind.LIST_ITEM, "- [ ] no box to tick", 1),
        (Kind.LIST_ITEM, "- # still no heading", 1),
        (Kind.TEXT, "control \x00\x07 characters,\x0ca form feed,\r\nand line\u2028ends"),
        (Kind.FIGURE, "<script>alert('no')</script>"),
    )
    table = _table([["`a`", "b|c"], ["\\|", "<td>"], ["*x*", "y*"]], header=False)
    lines = tuple(Line(text, (0.0, 0.0, 1.0, 1.0)) for text in ("a | b", "--- | ---", "=====", "- c"))
    return Case(
        made_source("<scripts> & “names”.pdf", 3),
        [_page(1, first), _page(2, second), _page(3, (table, Block(Kind.TABLE, (0.0, 0.0, 1.0, 1.0), lines=lines)))],
    )


CASES = {"kinds": kinds, "losses": losses, "scripts": scripts}
