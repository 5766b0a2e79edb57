"""When a page's own text is used and when its picture is read: good layers, wrong ones, and what the user wants."""

from __future__ import annotations

from dataclasses import replace as changed_layer
from typing import Any

import numpy as np
import pytest
from drawn import PROSE, Drawn, alike, both, draw, replaced, text_of
from msgspec.structs import replace as changed

from octavo.document import Block, Kind, Page, PageResult, PageStatus, TextLayer
from octavo.engines.engine import Engine, Task

DPI = 150
DRAWN = draw(size=(1240, 700))
GOOD = DRAWN.layer(DPI)
LATIN = str.maketrans({chr(c): chr((c - 96) % 26 + 97) for c in range(97, 123)})  # a to b, b to c, z to a


def read(engine: Engine, page: Page, text_layer: str = "auto") -> PageResult:
    (result,) = engine.recognize([page], Task(text_layer=text_layer))  # type: ignore[arg-type]
    return result


def shifted(drawn: Drawn) -> Drawn:
    """Said to be written in a shifted alphabet, as fonts without a right table of letters are."""
    return replaced(drawn, [text.lower().translate(LATIN) for _, text, _ in drawn.words])


def codes(result: PageResult) -> set[str]:
    return {warning.code for warning in result.warnings}


def test_a_good_layer_is_used(pipeline: Engine) -> None:
    result = read(pipeline, DRAWN.page(dpi=DPI, layer=GOOD))
    assert (result.status, result.text_source, result.confidence) == (PageStatus.OK, "text-layer", 1.0)
    assert codes(result) == set()
    words = [word for block in result.blocks for line in block.lines for word in line.words]
    assert [word.text for word in words] == DRAWN.text.split()
    wanted = [word.box for line in GOOD.lines for word in line.words]
    assert np.abs(np.array([word.box for word in words]) - np.array(wanted)).max() < 0.1


def test_a_good_invisible_layer_over_a_scan_is_used(pipeline: Engine) -> None:
    layer = DRAWN.layer(DPI, visible=False, image_cover=1.0)
    assert read(pipeline, DRAWN.page(dpi=DPI, layer=layer)).text_source == "text-layer"


@pytest.mark.parametrize(
    ("page", "layer"),
    [
        pytest.param(DRAWN, shifted(DRAWN).layer(DPI), id="a shifted alphabet"),
        pytest.param(
            DRAWN,
            replaced(DRAWN, DRAWN.text.split()[::-1]).layer(DPI, visible=False, image_cover=1.0),
            id="other words, invisible, over a scan",
        ),
        pytest.param(
            both(DRAWN, draw(PROSE[::-1], size=(1240, 700))),
            DRAWN.layer(DPI, image_cover=0.5),
            id="half of the page is a picture with text",
        ),
        pytest.param(DRAWN, TextLayer(GOOD.lines, unmapped=200), id="glyphs without a meaning"),
        pytest.param(DRAWN, TextLayer((), unmapped=0, image_cover=1.0), id="no text at all"),
        pytest.param(
            DRAWN,
            TextLayer(
                tuple(
                    changed(line, box=(0, 250 + 9 * i, 90, 256 + 9 * i), words=()) for i, line in enumerate(GOOD.lines)
                ),
                image_cover=1.0,
            ),
            id="text where the picture shows nothing",
        ),
    ],
)
def test_a_wrong_layer_is_not_used_and_that_is_told(pipeline: Engine, page: Drawn, layer: TextLayer) -> None:
    result = read(pipeline, page.page(dpi=DPI, layer=layer))
    assert result.text_source == "ocr"
    assert codes(result) == {"text-layer-not-used"}
    assert alike(text_of(result), page.text) > 0.97


def test_always_takes_the_layer_as_it_is(engine: Engine) -> None:
    garbage = shifted(DRAWN)
    result = read(engine, DRAWN.page(dpi=DPI, layer=garbage.layer(DPI)), "always")
    assert result.text_source == "text-layer"
    assert alike(text_of(result), garbage.text) == 1
    lines = [line.box for block in result.blocks for line in block.lines]
    assert np.abs(np.array(lines) - np.array([line.box for line in garbage.layer(DPI).lines])).max() < 0.1


def test_never_reads_the_picture(engine: Engine) -> None:
    result = read(engine, DRAWN.page(dpi=DPI, layer=shifted(DRAWN).layer(DPI)), "never")
    assert result.text_source == "ocr"
    assert alike(text_of(result), DRAWN.text) > 0.97


@pytest.mark.parametrize("text_layer", ["auto", "always", "never"])
def test_without_a_layer_the_picture_is_read(engine: Engine, text_layer: str) -> None:
    result = read(engine, DRAWN.page(dpi=DPI), text_layer)
    assert (result.text_source, codes(result)) == ("ocr", set())
    assert alike(text_of(result), DRAWN.text) > 0.97


def test_tesseract_reads_the_picture_unless_told_otherwise(tesseract: Engine) -> None:
    assert read(tesseract, DRAWN.page(dpi=DPI, layer=GOOD)).text_source == "ocr"


def test_a_page_set_from_known_text_keeps_its_blocks(engine: Engine) -> None:
    blocks = (
        Block(Kind.HEADING, (20.0, 20.0, 300.0, 40.0), "A heading of its own", level=1),
        Block(Kind.CODE, (20.0, 60.0, 300.0, 90.0), "for i in range(3):\n    pass"),
    )
    layer = TextLayer(GOOD.lines, blocks=blocks)
    for text_layer in ("auto", "always"):
        result = read(engine, DRAWN.page(dpi=DPI, layer=layer), text_layer)
        assert (result.text_source, result.blocks) == ("text-layer", blocks)
    assert read(engine, DRAWN.page(dpi=DPI, layer=layer), "never").text_source == "ocr"


MIXED = both(DRAWN, draw(PROSE[::-1], size=(1240, 700)))
LOWER_HALF = (0.0, 700 * 72 / DPI, 1240 * 72 / DPI, 1400 * 72 / DPI)


@pytest.mark.parametrize("layout", ["auto", "full", "light"])
def test_pages_that_are_half_text_and_half_scan_are_read_from_both(pipeline: Engine, layout: str) -> None:
    layer = changed_layer(DRAWN.layer(DPI, image_cover=0.5), pictures=(LOWER_HALF,))
    task = Task(layout=layout)  # type: ignore[arg-type]
    (result,) = pipeline.recognize([MIXED.page(dpi=DPI, layer=layer)], task)
    assert result.text_source == "text-layer"
    assert alike(text_of(result), MIXED.text) > 0.97
    lines = [line for block in result.blocks for line in block.lines]
    exact = {line.text for line in layer.lines}
    assert {line.text for line in lines if line.confidence == 1} >= exact
    assert any(line.confidence < 1 for line in lines)
    assert 0.9 < result.confidence < 1


def test_a_scan_with_a_stamp_of_text_is_read_as_a_scan(pipeline: Engine) -> None:
    stamp = changed_layer(GOOD, lines=GOOD.lines[:1], image_cover=1.0, pictures=((0.0, 0.0, 600.0, 340.0),))
    result = read(pipeline, DRAWN.page(dpi=DPI, layer=stamp))
    assert result.text_source == "ocr"
    assert alike(text_of(result), DRAWN.text) > 0.97


def test_light_layout_does_not_render_a_page_of_plain_text(pipeline: Engine) -> None:
    page = DRAWN.page(dpi=DPI, layer=GOOD)
    page.render = None  # type: ignore[assignment]  # to be called, it would have to be something
    (result,) = pipeline.recognize([page], Task(layout="light"))
    assert (result.status, result.text_source) == (PageStatus.OK, "text-layer")
    assert alike(text_of(result), DRAWN.text) == 1
    wanted = [word.box for line in GOOD.lines for word in line.words]
    assert [word.box for block in result.blocks for line in block.lines for word in line.words] == wanted


@pytest.mark.parametrize("layer", [{"visible": False, "image_cover": 1.0}, {"image_cover": 0.5}])
def test_light_layout_looks_where_text_may_hide(pipeline: Engine, layer: dict[str, Any]) -> None:
    wrong = replaced(DRAWN, DRAWN.text.split()[::-1]).layer(DPI, **layer)
    (result,) = pipeline.recognize([DRAWN.page(dpi=DPI, layer=wrong)], Task(layout="light"))
    assert result.text_source == "ocr"


def test_a_page_on_which_the_file_draws_nothing_is_not_looked_at(pipeline: Engine) -> None:
    page = DRAWN.page(dpi=DPI)
    page.blank, page.render = True, None  # type: ignore[assignment]
    (result,) = pipeline.recognize([page], Task())
    assert (result.status, result.blocks, result.error) == (PageStatus.BLANK, (), None)
