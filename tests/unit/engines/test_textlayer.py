"""The looks that need no network; `tests/engines/test_text_layers.py` has those that do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from octavo.document import Block, Kind, Line, Page, TextLayer, Word
from octavo.engines.pipeline.networks import Networks
from octavo.engines.pipeline.textlayer import judge, read_layer


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
    assert read_layer(UNASKED, page(layer), layer, PIXELS).blocks == layer.blocks
