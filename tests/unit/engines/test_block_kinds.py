from __future__ import annotations

import pytest
from page_parts import HEIGHT, PAGE, around, line, paragraph

from octavo.document import Block, Kind
from octavo.engines.pipeline.blocks import build
from octavo.engines.pipeline.layout import Region
from octavo.engines.pipeline.lines import TextLine


def built(*parts: tuple[Kind, list[TextLine]]) -> tuple[Block, ...]:
    """The blocks of a page whose parts the layout network found."""
    lines = [line for _, part in parts for line in part]
    return build(lines, [Region(kind, around(part, 2), 0.9) for kind, part in parts], PAGE)


def only(blocks: tuple[Block, ...], kind: Kind) -> Block:
    (found,) = (block for block in blocks if block.kind is kind)
    return found


BODY = (Kind.TEXT, paragraph(100, 300, 8, 800))


@pytest.mark.parametrize(
    ("text", "height", "level"),
    [
        ("A Large Line", 32, 1),
        ("2 Numbered with one number", 23, 1),
        ("2.1 Numbered", 23, 2),
        ("2.1.3 Numbered deeper", 23, 3),
        ("Abstract", 20, 2),
        ("参考文献", 20, 2),
    ],
)
def test_a_heading_that_the_network_missed(text: str, height: float, level: int) -> None:
    heading, *rest = built((Kind.TEXT, [line(text, 100, 100, 17 * len(text), height)]), BODY)
    assert (heading.kind, heading.level, heading.text) == (Kind.HEADING, level, text)
    assert [block.kind for block in rest] == [Kind.TEXT]


def test_large_words_in_a_row_are_not_headings() -> None:
    parts = [(Kind.TEXT, [line(text, x, 100, 150, 32)]) for text, x in (("Total", 100), ("Amount", 300))]
    assert Kind.HEADING not in {block.kind for block in built(*parts, BODY)}


def test_a_page_without_paragraphs_has_large_words_and_no_headings() -> None:
    lines = [line("Paper Mill", 400, 100, 200, 40), line("1 ream", 400, 160), line("2 quires", 400, 260)]
    assert Kind.HEADING not in {block.kind for block in build(lines, [], PAGE)}


def test_levels_of_headings_come_from_their_numbers_before_their_size() -> None:
    heads = [("1 One", 24), ("1.1 Two", 40), ("1.1.1 Three", 24), ("None", 24), ("Large", 40)]
    parts = [(Kind.HEADING, [line(text, 100, 60 * i, 0, height)]) for i, (text, height) in enumerate(heads)]
    assert [block.level for block in built(*parts, BODY) if block.kind is Kind.HEADING] == [1, 2, 3, 2, 1]


def test_a_heading_whose_sentence_goes_on_is_text() -> None:
    lines = paragraph(100, 300, 4, 800)
    first = line("Revenues come from the", 100, 270, 800)
    blocks = built((Kind.HEADING, [first]), (Kind.TEXT, lines))
    assert [(block.kind, len(block.lines)) for block in blocks] == [(Kind.TEXT, 5)]


def test_a_long_sentence_is_no_heading() -> None:
    lines = [line("a sentence that runs over several lines and then ends", 100, 100 + 30 * i, 800) for i in range(2)]
    lines.append(line("with a full stop, as no heading does, however bold it is.", 100, 160, 700))
    assert [block.kind for block in built((Kind.HEADING, lines))] == [Kind.TEXT]


def test_a_bold_line_over_text_is_a_heading() -> None:
    heading, text = built((Kind.TEXT, [line("Set in bold", 100, 250, style="b")]), BODY)
    assert (heading.kind, heading.level, text.kind) == (Kind.HEADING, 2, Kind.TEXT)
    heading, text = built((Kind.TEXT, [line("Set in italics", 100, 250, style="i")]), BODY)
    assert heading.kind is Kind.TEXT


def test_a_heading_in_a_region_of_text_is_set_apart() -> None:
    lines = [line("5.1 Two ways of drying", 100, 260), *paragraph(100, 300, 4, 800)]
    heading, text = built((Kind.TEXT, lines))
    assert (heading.kind, heading.level, heading.text) == (Kind.HEADING, 2, "5.1 Two ways of drying")
    assert (text.kind, len(text.lines)) == (Kind.TEXT, 4)


def test_a_number_at_the_start_of_a_paragraph_is_no_heading() -> None:
    lines = [line("5.1 percent of the rags", 100, 270), *paragraph(100, 300, 4, 800)]
    assert [block.kind for block in built((Kind.TEXT, lines))] == [Kind.TEXT]


# ---- captions


def test_a_caption_is_tied_to_the_figure_above_it() -> None:
    figure = Region(Kind.FIGURE, (100, 100, 900, 500), 0.9)
    caption = [line("Figure 3. A drawing of a mill", 300, 520)]
    body = paragraph(100, 700, 5, 800)
    blocks = build(caption + body, [figure, Region(Kind.TEXT, around(body), 0.9)], PAGE)
    found = only(blocks, Kind.CAPTION)
    assert found.target is not None
    assert blocks[found.target].kind is Kind.FIGURE


@pytest.mark.parametrize(
    "text", ["Table 2: Prices", "表 6-3-2 数量", "Рис. 4. Мельница", "Tab. 1 Werte", "Abbildung 7"]
)
def test_captions_in_other_languages(text: str) -> None:
    figure = Region(Kind.FIGURE, (100, 100, 900, 500), 0.9)
    assert only(build([line(text, 300, 510)], [figure], PAGE), Kind.CAPTION).text == text


def test_a_caption_far_from_every_picture_is_text_unless_it_says_so() -> None:
    blocks = built((Kind.CAPTION, [line("Sold by the dozen", 300, 100)]), BODY)
    assert [block.kind for block in blocks] == [Kind.TEXT, Kind.TEXT]
    blocks = built((Kind.CAPTION, [line("Figure 1. Sold by the dozen", 300, 100)]), BODY)
    assert [(block.kind, block.target) for block in blocks] == [(Kind.CAPTION, None), (Kind.TEXT, None)]


def test_a_sentence_about_a_table_is_no_caption() -> None:
    text = paragraph(100, 300, 4, 800)
    text[0] = line("Table 3 shows what was paid for a ream of paper in the year", 100, 300, 800)
    assert only(built((Kind.TEXT, text)), Kind.TEXT).target is None


# ---- footnotes


def test_a_footnote_is_small_text_at_the_foot_that_begins_with_a_mark() -> None:
    body = paragraph(100, 300, 8, 800)
    body[2] = line("this was said before1 and it will be said again in this long line", 100, 360, 800)
    note = [line("1 In a letter to his brother, now in the library of the town.", 100, 1200, 600, 15)]
    blocks = built((Kind.TEXT, body), (Kind.TEXT, note))
    found = only(blocks, Kind.FOOTNOTE)
    assert found.target == 0
    assert found.text.startswith("1 In a letter")


def test_small_text_at_the_top_is_no_footnote() -> None:
    note = [line("1 In a letter to his brother.", 100, 100, 600, 15)]
    assert Kind.FOOTNOTE not in {block.kind for block in built((Kind.TEXT, note), BODY)}


def test_text_of_the_bodys_size_is_no_footnote() -> None:
    note = [line("1 In a letter to his brother.", 100, 1200)]
    assert Kind.FOOTNOTE not in {block.kind for block in built(BODY, (Kind.TEXT, note))}


# ---- code and references


def test_lines_in_monospaced_type_are_code_with_its_indents() -> None:
    code = [
        line("def halved(sheet):", 100, 700, style="m"),
        line("return sheet / 2", 136, 730, style="m"),
        line("print(halved(8))", 100, 790, style="m"),
    ]
    found = only(built(BODY, (Kind.TEXT, code)), Kind.CODE)
    assert found.text == "def halved(sheet):\n    return sheet / 2\n\nprint(halved(8))"


def test_what_follows_the_heading_references_is_parted_into_entries() -> None:
    entries = [
        line("[1] A. Miller, On Paper, Journal of Mills, vol. 3, and so on", 100, 400, 800),
        line("pages 1-9, 1911.", 130, 430),
        line("[2] B. Carter, On Rags, 1912.", 100, 460),
    ]
    blocks = built((Kind.HEADING, [line("References", 100, 340)]), (Kind.REFERENCE, entries))
    found = [block for block in blocks if block.kind is Kind.REFERENCE]
    assert [len(block.lines) for block in found] == [2, 1]


def test_what_cites_nothing_is_not_a_reference() -> None:
    assert [block.kind for block in built((Kind.REFERENCE, paragraph(100, 300, 3)))] == [Kind.TEXT]


def test_a_number_in_the_margin_is_the_pages() -> None:
    blocks = built(BODY, (Kind.TEXT, [line("- 17 -", 480, HEIGHT - 40)]))
    assert only(blocks, Kind.PAGE_NUMBER).text == "- 17 -"
