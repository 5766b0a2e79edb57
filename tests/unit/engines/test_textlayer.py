"""The looks that need no network; `tests/engines/test_text_layers.py` has those that do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from octavo.document import Block, Kind, Line, Page, TextLayer, Word
from octavo.engines.engine import Task
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.reading import Outcome
from octavo.engines.pipeline.textlayer import Sight, judge, read, read_layer


class Letters:
    """A recogniser that has every letter."""

    def knows(self, text: str) -> bool:
        return True


class Unasked:
    """Networks that nobody should run: what is plain to see costs no computing."""

    recognizer = Letters()

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the network {name} was asked")


UNASKED: Networks = Unasked()  # type: ignore[assignment]
PIXELS = np.full((400, 600, 3), 255, np.uint8)
LINE = Line("Some words", (20, 20, 120, 32), words=(Word("Some", (20, 20, 65, 32)), Word("words", (70, 20, 120, 32))))


def page(layer: TextLayer | None) -> Page:
    return Page(1, 300, 200, "pt", lambda _: PIXELS, layer)


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (None, "no text of its own"),
        (TextLayer(()), "no text of its own"),
        (TextLayer((Line("  ", (0, 0, 9, 9)),)), "no text of its own"),
        (TextLayer((LINE,), unmapped=9), "no meaning in Unicode"),
        (TextLayer((LINE,)), "shows nothing where the text layer has text"),
    ],
)
def test_layers_that_are_plainly_wrong(layer: TextLayer | None, words: str) -> None:
    verdict = judge(UNASKED, page(layer), PIXELS)
    assert not verdict.trusted
    assert words in verdict.reason


def test_a_page_set_from_its_source_is_trusted_and_its_blocks_kept() -> None:
    layer = TextLayer((LINE,), blocks=(Block(Kind.CODE, (0, 0, 9, 9), "x = 1"),))
    assert judge(UNASKED, page(layer), PIXELS).trusted
    assert read_layer(UNASKED, Sight(page(layer), layer, lambda: PIXELS)).blocks == layer.blocks


class Reader(Letters):
    """A recogniser that reads the same everywhere."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, _: object) -> Reader:
        return self


@pytest.mark.parametrize(
    ("said", "seen", "trusted"),
    [
        ("The first chapter" + " ." * 40 + " 17", "The first chapter 17", True),
        ("The first chapter" + " ." * 40 + " 17", "Tif gjstu dibqufs 17", False),
        ("“Quoted” – and dashed", '"Quoted" - and dashed', True),
    ],
)
def test_what_is_printed_is_compared_without_leaders_and_forms_of_quotes(said: str, seen: str, trusted: bool) -> None:
    pixels = PIXELS.copy()
    pixels[40:64:2, 40:400] = 0
    networks = Unasked()
    networks.recognizer = Reader(seen)
    words = (Word(said, (20, 20, 200, 32)),)
    layer = TextLayer((Line(said, (20, 20, 200, 32), words=words),))
    assert judge(networks, page(layer), pixels).trusted is trusted  # type: ignore[arg-type]


def test_without_a_picture_only_the_glyphs_are_looked_at() -> None:
    assert judge(UNASKED, page(TextLayer((LINE,))), None).trusted
    assert not judge(UNASKED, page(TextLayer((LINE,), unmapped=9)), None).trusted


@pytest.mark.parametrize(
    ("layer", "layout", "looks"),
    [
        (TextLayer((LINE,)), "light", False),
        (TextLayer((LINE,), image_cover=0.05), "light", False),
        (TextLayer((LINE,), image_cover=0.5), "light", True),
        (TextLayer((LINE,), visible=False), "light", True),
        (TextLayer((LINE,)), "auto", True),
        (TextLayer((LINE,)), "full", True),
    ],
)
def test_the_page_is_rendered_only_where_something_may_be_hidden(layer: TextLayer, layout: str, looks: bool) -> None:
    class Rendered(Exception):
        pass

    def shown() -> np.ndarray:
        raise Rendered

    sight = Sight(page(layer), layer, shown)  # type: ignore[arg-type]
    if looks:
        with pytest.raises(Rendered):
            read(UNASKED, sight, Task(layout=layout))  # type: ignore[arg-type]
    else:
        outcome = read(UNASKED, sight, Task(layout=layout))  # type: ignore[arg-type]
        assert isinstance(outcome, Outcome)
        assert [block.text for block in outcome.blocks] == ["Some words"]
