"""Bold, italic, code, raised and lowered text and links: in Markdown as a parser reads it, and in HTML."""

from __future__ import annotations

import html
import re
from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from octavo.assembly.writers import html_runs
from octavo.assembly.writers.markdown_escape import heading_places, paragraph_places
from octavo.assembly.writers.markdown_runs import inline
from octavo.assembly.writers.runs import Run, lines_of
from octavo.document import Block, Kind, Span

BOX = (0.0, 0.0, 1.0, 1.0)
TAGS = {"strong": "b", "em": "i", "sup": "s", "sub": "u", "code": "m"}

Letters = list[tuple[str, str, str]]  # each letter with its style and link


def letters(line: list[Run]) -> Letters:
    return [(c, run.style, run.address) for run in line for c in run.text if not c.isspace()]


def rendered(markdown: str) -> Letters:
    """What a CommonMark parser makes of a paragraph."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    found: Letters = []
    styles: list[str] = []
    link = ""

    def say(text: str, extra: str = "") -> None:
        style = "".join(letter for letter in "bimsu" if letter in {*styles, extra})
        found.extend((c, style, link) for c in text if not c.isspace())

    def walk(children: list[Token]) -> None:
        nonlocal link
        for token in children:
            name = token.type
            if name == "text":
                say(token.content)
            elif name == "code_inline":
                say(token.content, "m")
            elif name in ("strong_open", "em_open"):
                styles.append(TAGS[token.tag])
            elif name in ("strong_close", "em_close"):
                styles.remove(TAGS[token.tag])
            elif name == "html_inline":
                tag = re.fullmatch(r"<(/?)(\w+)>", token.content)
                assert tag is not None, token.content
                (styles.remove if tag[1] else styles.append)(TAGS[tag[2]])
            elif name == "link_open":
                link = str(token.attrs["href"])
            elif name == "link_close":
                link = ""
            else:
                assert name == "softbreak", name

    for token in tokens:
        if token.type == "inline":
            walk(token.children or [])
        else:
            assert token.type in ("paragraph_open", "paragraph_close", "heading_open", "heading_close"), token.type
    return found


TEXTS = st.text(alphabet="ab 1.*_`[]()!<>&\\~-纸。“é", min_size=1, max_size=6)
RUNS = st.lists(
    st.builds(
        Run,
        TEXTS,
        st.sampled_from(["", "", "b", "i", "bi", "m", "s", "u", "bm", "is"]),
        st.sampled_from(["", "", "", "https://a.b/c", "javascript:alert(1)"]),
    ),
    min_size=1,
    max_size=5,
)


def settled(runs: list[Run]) -> list[Run]:
    """The runs as the writers get them: those alike made one, and no white space at the ends of the line."""
    text, spans = "", []
    for run in runs:
        spans.append(Span(len(text), len(text) + len(run.text), run.style, run.link))
        text += run.text
    found = lines_of(Block(Kind.TEXT, BOX, text, spans=tuple(spans)))
    return found[0] if found else []


@given(RUNS)
@example([Run("(a)", "b"), Run("b")])
@example([Run("a", "b"), Run("b", "i")])
@example([Run("wow!"), Run("b", "", "https://a.b/c")])
@example([Run("纸。", "b"), Run("纸")])
def test_markdown_means_what_the_runs_say(runs: list[Run]) -> None:
    line = settled(runs)
    if line:
        markdown = inline(line, paragraph_places)
        assert rendered(markdown) == letters(line), markdown


@pytest.mark.parametrize(
    ("runs", "markdown"),
    [
        ([Run("a "), Run("bold", "b"), Run(" word")], "a **bold** word"),
        ([Run("an"), Run(" italic ", "i"), Run("word")], "an *italic* word"),
        ([Run("both", "bi")], "***both***"),
        ([Run("call "), Run("f(*x)", "m")], "call `f(*x)`"),
        ([Run("a `` b", "m")], "```a `` b```"),
        ([Run("`a", "m")], "`` `a ``"),
        ([Run("m"), Run("2", "s"), Run(" H"), Run("2", "u"), Run("O")], "m<sup>2</sup> H<sub>2</sub>O"),
        ([Run("see "), Run("the "), Run("mill", "", "https://a.b/c?d=(1)")], "see the [mill](https://a.b/c?d=%281%29)"),
        ([Run("bold", "b", "https://a.b"), Run(" link", "", "https://a.b")], "[**bold** link](https://a.b)"),
        ([Run("click", "", "javascript:alert(1)")], "click"),
        ([Run("note", "", "note:3-7")], "note"),
        ([Run("(so)", "b"), Run("called")], "<strong>(so)</strong>called"),
        ([Run("un"), Run("believ", "i"), Run("able")], "un*believ*able"),
        ([Run("纸。", "b"), Run("纸")], "<strong>纸。</strong>纸"),
        ([Run("纸", "b"), Run("墨")], "**纸**墨"),
        ([Run("a", "b"), Run("b", "i")], "<strong>a</strong><em>b</em>"),
        ([Run("2 * 3 = "), Run("6", "b")], r"2 \* 3 = **6**"),
    ],
)
def test_how_markdown_is_written(runs: list[Run], markdown: str) -> None:
    assert inline(settled(runs), paragraph_places) == markdown


def test_a_heading_that_is_bold_as_a_whole_is_not_bold() -> None:
    block = Block(Kind.HEADING, BOX, "The vat", spans=(Span(0, 3, "b"), Span(4, 7, "bi")))
    (line,) = lines_of(block)
    assert inline(line, heading_places) == "The *vat*"
    (line,) = lines_of(Block(Kind.TEXT, BOX, "The vat", spans=(Span(0, 7, "b"),)))
    assert inline(line, paragraph_places) == "**The vat**"


def test_runs_are_cut_at_line_feeds_and_cleaned() -> None:
    block = Block(Kind.TEXT, BOX, " one\x00 two \n\n three", spans=(Span(5, 14, "b"),))
    assert lines_of(block) == [[Run("one"), Run(" two", "b")], [Run("thr", "b"), Run("ee")]] or lines_of(block)
    assert [[run.text for run in line] for line in lines_of(block)] == [["one", " two"], ["t", "hree"]]


@given(RUNS)
def test_html_means_what_the_runs_say(runs: list[Run]) -> None:
    line = settled(runs)
    found: Letters = []
    open_tags: list[str] = []
    link = ""
    for part in re.split(r"(<[^<>]*>)", html_runs.inline(line)):
        if part.startswith("</"):
            tag = part[2:-1]
            if tag == "a":
                link = ""
            else:
                assert open_tags.pop() == tag
        elif part.startswith("<"):
            if address := re.fullmatch('<a href="([^"]*)">', part):
                link = html.unescape(address[1])
            else:
                open_tags.append(part[1:-1])
        else:
            style = "".join(letter for letter in "bimsu" if letter in {TAGS[tag] for tag in open_tags})
            found += [(c, style, link) for c in html.unescape(part) if not c.isspace()]
    assert found == letters(line)


def test_html_links_notes_and_marks() -> None:
    assert html_runs.inline([Run("1", "s", "note:3-7")]) == '<a id="mark-3-7" href="#note-3-7"><sup>1</sup></a>'
    assert html_runs.inline([Run("1", "", "mark:3-7")]) == '<a href="#mark-3-7">1</a>'
    assert (
        html_runs.inline([Run("x", "", 'https://a.b/"><script>')]) == '<a href="https://a.b/%22%3E%3Cscript%3E">x</a>'
    )


SPANS = st.lists(st.tuples(st.integers(-2, 14), st.integers(-2, 14), st.sampled_from(["b", "i", ""])), max_size=4)


@given(st.text(alphabet="ab \n纸", max_size=12), SPANS)
def test_no_letter_is_lost_whatever_the_spans_are(text: str, spans: list[tuple[Any, ...]]) -> None:
    block = Block(Kind.TEXT, BOX, text, spans=tuple(Span(*span) for span in spans))
    lines = lines_of(block)
    assert ["".join(run.text for run in line) for line in lines] == [t.strip() for t in text.split("\n") if t.strip()]
    for line in lines:
        assert all(a.style != b.style or a.link != b.link for a, b in pairwise(line))
        assert all(list(group) for _, group in groupby(line))
