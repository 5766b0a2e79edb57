"""What is escaped reads as plain text again, with Markdown's own parser as the judge."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from octavo.assembly.writers import markdown_escape as escape
from octavo.assembly.writers.characters import lines_of

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Small pieces that mean something, so that they meet each other often.
PIECES = st.sampled_from(
    [
        *[
            *r"\`*_{}[]()<>#+-=.!|~$&:;^/ab1",
            *"  é中।",
            "](",
            "]: ",
            "<b>",
            "<!--",
            "&amp;",
            "&#42;",
            "**",
            "__",
            "~~~",
        ],
        *["```", "---", "http://a.b", "12. ", "12) ", "- ", "# ", "| ", "\u00a0", "e\u0301", "《", "。"],
    ]
)
TEXT = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=20)).map(
    lambda text: " ".join(lines_of(text))
)


def plain(tokens: list[Token]) -> str:
    """The text of the only inline token; fails on everything that is no text."""
    (inline,) = [token for token in tokens if token.type == "inline"]
    assert {child.type for child in inline.children or []} <= {"text", "softbreak", "hardbreak"}
    return "".join("\n" if child.type.endswith("break") else child.content for child in inline.children or [])


@given(TEXT.filter(bool))
@example("*a* _b_ ~~c~~ `d` $e$")
@example("a\\")
@example("**a*")
def test_a_paragraph_stays_one(text: str) -> None:
    tokens = GITHUB.parse(escape.paragraph(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert plain(tokens) == text


@given(st.lists(TEXT.filter(bool), min_size=2, max_size=4))
@example(["a | b", "--- | ---"])
@example(["a", "==="])
@example(["*a", "b*"])
@example(["a", "** *"])
@example(["*a", "***"])
@example(["~~~\\", "~~~"])
@example(["`a", "b`"])
def test_lines_of_a_paragraph_stay_lines(lines: list[str]) -> None:
    tokens = GITHUB.parse(escape.paragraph("\n".join(lines)).replace("\n", "  \n"))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert plain(tokens).split("\n") == lines


@given(TEXT.filter(bool))
@example("C# #")
@example("##")
def test_a_heading_stays_one(text: str) -> None:
    tokens = GITHUB.parse(f"## {escape.heading(text)}")
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close"]
    assert plain(tokens) == text


@given(st.lists(TEXT, min_size=2, max_size=2))
@example(["\\|", "|\\"])
def test_cells_stay_cells(texts: list[str]) -> None:
    row = f"| {' | '.join(map(escape.cell, texts))} |"
    tokens = [token for token in GITHUB.parse(f"{row}\n| --- | --- |\n{row}") if token.type == "inline"]
    assert [plain([token]) for token in tokens] == texts * 2


@pytest.mark.parametrize(
    "text",
    [
        "snake_case and a_b_c",
        "2 * 3 * 4",
        "*see the note below",
        "Name: ______ Date: ______",
        "costs $5, then $6, US$7",
        "[1] Whatman, 1757; see [2]",
        "R&D, AT&T, 3 < 4 > 2, a < b",
        "C:\\temp\\new",
        "1.5 litres; 3.14 - 2 = 1.14 + x",
        "a | b ~ c",
        "#hashtag, C#",
        "-5 to +7",
        "it`s",
    ],
)
def test_harmless_text_is_left_alone(text: str) -> None:
    assert escape.paragraph(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [("$x$", r"\$x\$"), ("$$x$$", r"\$\$x\$\$"), ("pay $5 or 6$", r"pay \$5 or 6\$"), ("~a~", r"\~a\~")],
)
def test_what_github_alone_reads_otherwise(text: str, escaped: str) -> None:
    assert escape.paragraph(text) == escaped
