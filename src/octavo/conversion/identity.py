"""When two pages look the same and may share one result, wherever they stand and whatever their file is called."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

import blake3
import msgspec
import numpy as np

from octavo.document import Page, Source

if TYPE_CHECKING:
    from octavo.document import Pixels


class Remembered:
    """A page's `render` that keeps what it made: the digest and the engine need the same pixels."""

    def __init__(self, render: Callable[[float], Pixels]) -> None:
        self._render = render
        self._made: dict[float, Pixels] = {}

    def __call__(self, dpi: float) -> Pixels:
        if dpi not in self._made:
            self._made[dpi] = self._render(dpi)
        return self._made[dpi]


def page_digest(page: Page, dpi: int) -> str:
    """64 hex digits over everything an engine can see of a page except its number: the pixels at `dpi` and their shape,
    the page's size and unit, its label, its text layer and its warnings. Raises what `page.render` raises."""
    pixels = page.render(dpi)
    layer = page.text_layer
    rest = (
        pixels.shape,
        page.width,
        page.height,
        page.unit,
        page.label,
        page.warnings,
        layer and tuple(getattr(layer, field.name) for field in dataclasses.fields(layer)),
    )
    digest = blake3.blake3(msgspec.msgpack.encode(rest))
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def place_digest(source: Source, page: Page) -> str:
    """64 hex digits for a page that is read without being drawn, which to do for a digest alone would cost more than
    reading it: the file and the page's place in it."""
    return blake3.blake3(msgspec.msgpack.encode((source.digest, source.media_type, page.number))).hexdigest()
