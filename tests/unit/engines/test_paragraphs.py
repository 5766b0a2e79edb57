from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from page_parts import line

from octavo.document import Span, Word
from octavo.engines.pipeline.lines import TextLine, bounds
from octavo.engines.pipeline.paragraphs import code_text, set_text


def styled(text: str, y: float, **styles: str) -> TextLine:
    """A full line whose words named have a style."""
    made = line(text, 0, y, 600)
    return replace(made, words=tuple(Word(word, made.box, style=styles.get(word, "")) for word in text.split()))


BOX = (0.0, 0.0, 600.0, 100.0)


def test_words_of_one_style_are_one_span() -> None:
    text, spans = set_text([styled("paper is very strong here", 0, very="b", strong="b")], BOX)
    assert [(text[s.start : s.end], s.style) for s in spans] == [("very strong", "b")]


def test_a_span_goes_on_over_the_end_of_a_line() -> None:
    text, spans = set_text([styled("this is strong", 0, strong="b"), styled("stuff to write on", 30, stuff="b")], BOX)
    assert [(text[s.start : s.end], s.style) for s in spans] == [("strong stuff", "b")]


def test_a_hyphen_that_goes_is_not_in_the_span() -> None:
    lines = [styled("here is a water-", 0, **{"water-": "i"}), styled("mark to see", 30, mark="i")]
    text, spans = set_text(lines, BOX)
    assert text == "here is a watermark to see"
    assert spans == (Span(10, 19, "i"),)


def test_two_styles_beside_each_other_stay_two() -> None:
    text, spans = set_text([styled("one two", 0, one="b", two="i")], BOX)
    assert [(text[s.start : s.end], s.style) for s in spans] == [("one", "b"), ("two", "i")]


@given(
    st.lists(st.lists(st.sampled_from(["rag", "wood-", "mill", "x"]), min_size=1, max_size=4), min_size=1, max_size=4)
)
def test_spans_lie_in_the_text_one_after_the_other(rows: list[list[str]]) -> None:
    lines = [styled(" ".join(row), 30 * i, rag="b", **{"wood-": "b"}, x="i") for i, row in enumerate(rows)]
    text, spans = set_text(lines, bounds(line.box for line in lines))
    places = [place for span in spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


def test_code_keeps_columns_beside_each_other() -> None:
    lines = [line("key", 0, 0, 30), line("value", 100, 0, 50), line("x", 20, 30, 10)]
    assert code_text(lines) == "key       value\n  x"
