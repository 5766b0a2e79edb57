"""What every writer promises: streams, whole documents, no word lost, no loss unseen."""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tracemalloc
from collections import Counter
from html.parser import HTMLParser
from io import BytesIO, RawIOBase
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from octavo.assembly.flow import Flow, Passage
from octavo.assembly.schema import Document
from octavo.assembly.writers import FORMATS, create
from octavo.document import (
    Block,
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
from octavo.errors import UsageError

SOURCE = Source("a & b.pdf", "application/pdf", 1, "blake3:00", 1)
BOX = (0.0, 0.0, 1.0, 1.0)


def write(format: str, pages: list[PageResult], **options: bool) -> str:
    out = BytesIO()
    writer = create(format, out, **options)
    writer.begin(SOURCE)
    for page in pages:
        writer.page(page)
    failed = tuple(page.page for page in pages if page.status is PageStatus.FAILED)
    writer.end(Summary(len(pages), ok=len(pages) - len(failed), failed=len(failed), failed_pages=failed))
    return out.getvalue().decode()


def page(number: int, *blocks: Block) -> PageResult:
    return PageResult(number, PageStatus.OK, blocks=blocks)


def test_an_unknown_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="did you mean 'html'"):
        create("htm", BytesIO())


def test_the_table_of_formats_loads_no_writer() -> None:
    probe = (
        "import sys, octavo.assembly.writers as w; print([m for m in sys.modules if m.startswith(w.__name__ + '.')])"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("format", FORMATS)
def test_a_document_without_pages_is_whole(format: str) -> None:
    text = write(format, [])
    if format == "json":
        document = msgspec.json.decode(text, type=Document)
        assert (document.pages, document.flow, document.summary) == ((), (), Summary(0))
    elif format == "html":
        assert text.endswith("</html>\n")
    else:
        assert text == ""


@pytest.mark.parametrize("format", FORMATS)
def test_failed_pages_are_seen(format: str) -> None:
    error = PageError("page-timeout", "it took -- too long -->")
    text = write(format, [PageResult(1, PageStatus.FAILED, error=error), page(2, Block(Kind.TEXT, BOX, "words"))])
    assert "page-timeout" in text
    assert "words" in text
    if format == "md":
        assert text.startswith("<!-- page 1 failed: page-timeout: it took - too long -> -->\n\n<!-- page 2 -->\n\n")


def test_text_has_a_piece_for_every_page() -> None:
    pages = [
        page(3, Block(Kind.TEXT, BOX, "three\fstill three")),
        PageResult(4, PageStatus.BLANK),
        PageResult(5, PageStatus.FAILED),
        page(6, Block(Kind.TEXT, BOX, "six")),
    ]
    pieces = write("txt", pages).split("\f")
    assert pieces == ["three\n\nstill three\n", "", "[page 5 could not be read: unknown]\n", "six\n"]


class Sink(RawIOBase):
    """Takes everything and keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


@pytest.mark.parametrize("format", FORMATS)
def test_memory_does_not_grow_with_the_pages(format: str) -> None:
    block = Block(Kind.TEXT, BOX, "some words on this line", lines=(Line("some words on this line", BOX),) * 5)
    item = Block(Kind.LIST_ITEM, BOX, "1. item")
    writer = create(format, Sink())  # type: ignore[arg-type]
    writer.begin(SOURCE)
    held = []
    tracemalloc.start()
    try:
        for number in range(1, 2001):
            writer.page(page(number, *[block] * 20, item))
            if number in (1000, 2000):  # by page 1000 the flow has gone over to its file
                held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    writer.end(Summary(2000, ok=2000))
    assert held[1] - held[0] < 100_000


NUMBER = st.floats(-1e6, 1e6)
SHARE = st.floats(0, 1)
TEXT = st.text(max_size=5)
BOXES = st.tuples(NUMBER, NUMBER, NUMBER, NUMBER)
COUNT = st.integers(0, 2**40)


def some(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


LINES = st.builds(Line, TEXT, BOXES, SHARE, some(st.builds(Word, TEXT, BOXES, SHARE)))
CELLS = st.builds(Cell, COUNT, COUNT, TEXT, BOXES, COUNT, COUNT, st.booleans())
RESULTS = st.builds(
    PageResult,
    COUNT,
    st.sampled_from(PageStatus),
    width=NUMBER,
    unit=st.sampled_from(["pt", "px"]),
    rotation=st.sampled_from([0, 90, 180, 270]),
    skew=NUMBER,
    text_source=st.sampled_from(["ocr", "text-layer", "none"]),
    blocks=some(st.builds(Block, st.sampled_from(Kind), BOXES, TEXT, SHARE, COUNT, some(LINES), some(CELLS), TEXT)),
    stamp=st.none() | st.builds(Stamp, TEXT, TEXT, TEXT, TEXT, st.dictionaries(TEXT, TEXT, max_size=2)),
    error=st.none() | st.builds(PageError, TEXT, TEXT, st.booleans()),
    warnings=some(st.builds(PageWarning, TEXT, TEXT)),
    usage=st.builds(Usage, NUMBER, NUMBER, COUNT, st.booleans(), COUNT, COUNT),
)


@given(st.lists(RESULTS, max_size=2))
def test_json_gives_the_same_pages_and_flow(pages: list[PageResult]) -> None:
    text = write("json", pages)
    document = msgspec.json.decode(text, type=Document)
    assert list(document.pages) == pages
    flow = Flow(SOURCE)
    events = [*(event for result in pages for event in flow.page(result)), *flow.end()]
    assert list(document.flow) == [event.item for event in events if isinstance(event, Passage)]
    assert document.source == SOURCE
    assert text.count("\n") == 3 + len(document.pages) + len(document.flow)


WORDS = st.lists(
    st.sampled_from(
        ["rag", "*vat*", "_x_", "<b>", "&amp;", "a|b", "[1]", "纸", "#", "1.", "-", "ورق", "`c`", "$m$", ">", "\\"]
    ),
    min_size=1,
    max_size=6,
)
PLAIN_KINDS = st.sampled_from([kind for kind in Kind if kind not in (Kind.LIST_ITEM, Kind.CODE)])
BLOCKS = st.lists(
    st.one_of(
        st.builds(
            lambda kind, words, level: Block(kind, BOX, " ".join(words), level=level),
            PLAIN_KINDS,
            WORDS,
            st.integers(0, 8),
        ),
        # A word of letters first, for bullets and numbers at the start are not kept as text.
        st.builds(
            lambda words, level: Block(Kind.LIST_ITEM, BOX, " ".join(["it", *words]), level=level),
            WORDS,
            st.integers(0, 5),
        ),
        st.builds(lambda words: Block(Kind.CODE, BOX, " ".join(["```", *words])), WORDS),
    ),
    max_size=6,
)


class Words(HTMLParser):
    """The words in the body of an HTML text, and the tags that are open."""

    VOID = ("br", "meta")

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "main" in self.open and self.open[-1] not in ("a", "span"):
            self.words += data.split()


def expected(blocks: list[Block]) -> list[str]:
    return [word for block in blocks for word in block.text.split()]


@given(BLOCKS)
def test_markdown_renders_to_the_same_words(blocks: list[Block]) -> None:
    rendered = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .render(write("md", [page(1, *blocks)], keep_furniture=True))
    )
    assert html.unescape(re.sub("<[^<>]*>", " ", rendered)).split() == expected(blocks)


@given(BLOCKS)
def test_html_is_well_formed_and_has_the_same_words(blocks: list[Block]) -> None:
    parser = Words()
    parser.feed(write("html", [page(1, *blocks)], keep_furniture=True))
    parser.close()
    assert parser.open == []
    assert parser.words == expected(blocks)


@given(BLOCKS)
def test_text_has_the_same_words(blocks: list[Block]) -> None:
    # A dash before each item without a mark of its own is all that is added.
    words = Counter(write("txt", [page(1, *blocks)], keep_furniture=True).split())
    words["-"] -= sum(block.kind is Kind.LIST_ITEM for block in blocks)
    assert +words == Counter(expected(blocks))


ITEMS = st.lists(
    st.tuples(st.sampled_from(["• ", "", "1. ", "2. ", "3. ", "7) ", "(a) "]), st.integers(0, 4)),
    min_size=1,
    max_size=8,
)


@given(ITEMS)
def test_markdown_and_html_lists_nest_alike_and_keep_their_numbers(items: list[tuple[str, int]]) -> None:
    blocks = [Block(Kind.LIST_ITEM, BOX, f"{mark}it{index}", level=level) for index, (mark, level) in enumerate(items)]
    tokens = MarkdownIt("commonmark").parse(write("md", [page(1, *blocks)]))
    found, open_lists = [], list[Any]()
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            open_lists.append(None if token.type.startswith("bullet") else int(token.attrs.get("start", 1)) - 1)
        elif token.type.endswith("_list_close"):
            open_lists.pop()
        elif token.type == "list_item_open" and open_lists[-1] is not None:
            open_lists[-1] += 1
        elif token.type == "inline":
            found.append((len(open_lists), open_lists[-1], token.content))

    depth, wanted = 0, []
    for index, (mark, level) in enumerate(items):
        depth = min(max(level, 1), depth + 1)
        number = int(mark[0]) if mark[:1].isdigit() else None
        wanted.append((depth, number, f"(a) it{index}" if mark == "(a) " else f"it{index}"))
    assert found == wanted

    markup = write("html", [page(1, *blocks)])
    nested, depth = [], 0
    for close, tag, value in re.findall(r'<(/?)(ul|ol|li)(?:[^>]*?value="(\d+)")?[^>]*>', markup):
        depth += {"ul": 1, "ol": 1, "li": 0}[tag] * (-1 if close else 1)
        if tag == "li" and not close:
            nested.append((depth, int(value) if value else None))
    assert nested == [(depth, number) for depth, number, _ in wanted]


def test_page_labels_are_shown_where_they_differ_from_the_number() -> None:
    labels = {1: "iv", 2: "2", 3: "", 4: 'a "-->" b'}
    pages = [PageResult(number, PageStatus.BLANK, label=label) for number, label in labels.items()]
    assert write("md", pages).splitlines()[::2] == [
        '<!-- page 1 label "iv" blank -->',
        "<!-- page 2 blank -->",
        "<!-- page 3 blank -->",
        '<!-- page 4 label "a  b" blank -->',
    ]
    markup = write("html", pages)
    assert '<a class="label" href="#page-1">iv (1)</a>' in markup
    assert '<a class="label" href="#page-2">2</a>' in markup
    assert "a &quot;--&gt;&quot; b (4)" in markup


def test_a_formula_is_latex_or_text_or_a_picture() -> None:
    picture = b"\x89PNG"
    both = Block(Kind.FORMULA, BOX, "a = b", latex="a=b", picture=picture)
    text = Block(Kind.FORMULA, BOX, "c = d", picture=picture)
    none = Block(Kind.FORMULA, BOX, picture=picture)
    assert write("md", [page(1, both, text, none)]) == "$$a=b$$\n\nc = d\n"
    markup = write("html", [page(1, both, text, none)])
    assert re.findall('<p class="formula"[^>]*>(.*)</p>', markup) == [
        '<code class="latex">a=b</code>',
        "c = d",
        '<img alt="Formula" src="data:image/png;base64,iVBORw==">',
    ]


def test_captions_stand_in_what_they_are_tied_to() -> None:
    cells = (Cell(0, 0, "a", BOX),)
    blocks = (
        Block(Kind.CAPTION, BOX, "Table 1", target=1),
        Block(Kind.TABLE, BOX, cells=cells),
        Block(Kind.FIGURE, BOX),
        Block(Kind.CAPTION, BOX, "Figure 1", target=2),
        Block(Kind.CAPTION, BOX, "Loose"),
        Block(Kind.CAPTION, BOX, "Astray", target=0),
    )
    markup = write("html", [page(1, *blocks)])
    assert '<table><caption dir="auto">Table 1</caption>' in markup
    assert '<figcaption dir="auto">Figure 1</figcaption></figure>' in markup
    assert re.findall('<p class="caption"[^>]*>(.*)</p>', markup) == ["Loose", "Astray"]
    assert write("txt", [page(1, *blocks)]) == "Table 1\n\na\n\nFigure 1\n\nLoose\n\nAstray\n"


def test_what_was_set_here_keeps_its_hyphens_and_levels() -> None:
    out = BytesIO()
    writer = create("md", out)
    writer.begin(Source("a.md", "text/markdown", 1, "blake3:00", 2))
    writer.page(page(1, Block(Kind.HEADING, BOX, "Deep", level=4), Block(Kind.TEXT, BOX, "one that was well-")))
    writer.page(page(2, Block(Kind.TEXT, BOX, "known to all.")))
    writer.end(Summary(2, ok=2))
    assert out.getvalue().decode() == "##### Deep\n\none that was well-known to all.\n\n<!-- page 2 -->\n"
