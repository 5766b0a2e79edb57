"""Footnotes and their marks find each other."""

from __future__ import annotations

import pytest

from octavo.assembly.notes import tied
from octavo.document import Block, Kind, Span

BOX = (0.0, 0.0, 1.0, 1.0)


def linked(text: str, note: str, *spans: Span) -> tuple[str, str]:
    """What the link in the text and that in the note cover."""
    blocks = (Block(Kind.TEXT, BOX, text, spans=spans), Block(Kind.FOOTNOTE, BOX, note, target=0))
    body, foot = tied(blocks, 7)
    marks = [body.text[span.start : span.end] for span in body.spans if span.link == "note:7-1"]
    signs = [foot.text[span.start : span.end] for span in foot.spans if span.link == "mark:7-1"]
    return (marks[0], signs[0]) if marks and signs else ("", "")


@pytest.mark.parametrize(
    ("text", "note", "expected"),
    [
        ("the mill1 and 11 more", "1 A note.", ("1", "1")),
        ("the mill.12 And", "12 A note.", ("12", "12")),
        ("the mill¹ and", "¹ A note.", ("¹", "¹")),
        ("the mill [3] and", "[3] A note.", ("[3]", "[3]")),
        ("the mill† and", "† A note.", ("†", "†")),
        ("the mill in 1801", "1 A note.", ("", "")),
        ("the mill", "A note without a sign.", ("", "")),
    ],
)
def test_marks_in_plain_text(text: str, note: str, expected: tuple[str, str]) -> None:
    assert linked(text, note) == expected


def test_a_raised_mark_is_taken_before_others_and_keeps_its_style() -> None:
    blocks = (
        Block(Kind.TEXT, BOX, "mill1 or vat1", spans=(Span(6, 8, "b"), Span(12, 13, "s"))),
        Block(Kind.FOOTNOTE, BOX, "1 A note.", target=0),
    )
    assert tied(blocks, 7)[0].spans == (Span(6, 8, "b"), Span(12, 13, "s", "note:7-1"))


def test_a_mark_within_a_styled_part() -> None:
    blocks = (
        Block(Kind.TEXT, BOX, "the mill1 burnt", spans=(Span(0, 15, "i"),)),
        Block(Kind.FOOTNOTE, BOX, "1 A note.", target=0),
    )
    assert tied(blocks, 7)[0].spans == (Span(0, 8, "i"), Span(8, 9, "i", "note:7-1"), Span(9, 15, "i"))


@pytest.mark.parametrize("target", [None, 1, 5, -1])
def test_notes_that_are_tied_to_nothing(target: int | None) -> None:
    blocks = (Block(Kind.TEXT, BOX, "the mill1"), Block(Kind.FOOTNOTE, BOX, "1 A note.", target=target))
    assert tied(blocks, 7) == list(blocks)
