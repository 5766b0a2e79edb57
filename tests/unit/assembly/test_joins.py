"""How two texts are one: spaces, hyphens by language, scripts without spaces, and styles that go on."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.assembly.joins import Join, glued, join_of, joined
from octavo.document import Block, Kind, Span

BOX = (0.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("before", "after", "languages", "whole"),
    [
        ("of the", "paper mill", ("en",), "of the paper mill"),
        ("a pub-", "lic house", ("en",), "a public house"),
        ("die Papier-", "mühle", ("de",), "die Papiermühle"),
        ("die Mas\u00ad", "se", ("de",), "die Masse"),
        ("die Stra¬", "ße", ("de-fraktur",), "die Straße"),
        ("das Maß-", "werk", ("de",), "das Maßwerk"),
        ("in Baden-", "Württemberg", ("de",), "in Baden-Württemberg"),
        ("Haupt-", "und Nebenfach", ("de",), "Haupt- und Nebenfach"),
        ("pre-", "and post-war", ("en",), "pre- and post-war"),
        ("to co-", "operate with", ("en",), "to co-operate with"),
        ("a self-", "made man", ("en",), "a self-made man"),
        ("for ex-", "ample", ("en",), "for example"),
        ("pure non-", "sense", ("en",), "pure nonsense"),
        ("state-of-the-", "art", ("en",), "state-of-the-art"),
        ("his mother-", "in-law", ("en",), "his mother-in-law"),
        ("im all-", "gemeinen", ("de",), "im allgemeinen"),
        ("GOVERN-", "MENT", ("en",), "GOVERNMENT"),
        ("in 1914-", "1918", ("en",), "in 1914-1918"),
        ("biało-", "-czerwony", ("pl",), "biało-czerwony"),
        ("和紙は楮から", "作られる", ("ja",), "和紙は楮から作られる"),
        ("한지는", "오래 간다", ("ko",), "한지는 오래 간다"),
        ("กระดาษ", "ทำมือ", ("th",), "กระดาษทำมือ"),
        ("造纸 with", "纸", ("zh",), "造纸 with 纸"),
        ("the end—", "or not", ("en",), "the end—or not"),
        ("and/", "or", ("en",), "and/or"),
        ("the rate –", "a high one", ("en",), "the rate – a high one"),
    ],
)
def test_the_whole_of_two_halves(before: str, after: str, languages: tuple[str, ...], whole: str) -> None:
    assert glued(before, after, join_of(before, after, languages)) == whole


def test_the_documents_own_words_tell_about_its_hyphens() -> None:
    assert join_of("the rag-", "room", ("en",)) == "hyphen"
    assert join_of("the rag-", "room", ("en",), ["No lamp in the rag-room."]) == "none"
    assert join_of("to co-", "operate", ("en",), ["They cooperate."]) == "hyphen"


def test_english_is_guessed_where_no_language_is_known() -> None:
    assert join_of("and the self-", "made man") == "none"
    assert join_of("und der self-", "made man") == "hyphen"


def test_styles_go_on_over_a_join() -> None:
    first = Block(Kind.TEXT, BOX, "a bold pub-", spans=(Span(2, 11, "b"),))
    second = Block(Kind.TEXT, BOX, "lic house", spans=(Span(0, 3, "b"), Span(4, 9, "i")))
    whole = joined([first, second], ["", "hyphen"])
    assert whole.text == "a bold public house"
    assert whole.spans == (Span(2, 13, "b"), Span(14, 19, "i"))


STYLES = st.sampled_from(["", "b", "i"])
TEXTS = st.text(alphabet="ab- é纸.", min_size=1, max_size=8)


@st.composite
def styled(draw: st.DrawFn) -> Block:
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=3)) | {0, len(text)})
    spans = tuple(Span(start, end, style) for start, end in pairwise(cuts) if (style := draw(STYLES)))
    return Block(Kind.TEXT, BOX, text, spans=spans)


@given(st.lists(styled(), min_size=1, max_size=4), st.data())
def test_every_letter_keeps_its_style(blocks: list[Block], data: st.DataObject) -> None:
    joins: list[Join] = [""]
    joins += [data.draw(st.sampled_from(["space", "none", "line"])) for _ in blocks[1:]]
    whole = joined(blocks, joins)

    def styles(block: Block) -> list[tuple[str, str]]:
        of = [""] * len(block.text)
        for span in block.spans:
            of[span.start : span.end] = [span.style] * (span.end - span.start)
        return [(letter, style) for letter, style in zip(block.text, of, strict=True) if not letter.isspace()]

    assert styles(whole) == [pair for block in blocks for pair in styles(block)]
    assert all(a.end <= b.start for a, b in pairwise(whole.spans))
