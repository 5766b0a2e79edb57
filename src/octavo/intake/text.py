"""Plain text and Markdown, set on A4 pages of 1240 x 1754 px, that is at 150 dpi."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.document import Page, PageWarning, Source, TextLayer
from octavo.errors import UnreadableError
from octavo.intake import fonts, kinds
from octavo.intake.drawing import draw
from octavo.intake.markdown import markdown_passages
from octavo.intake.page_setting import HEIGHT, WIDTH, Place, SetPage, set_page
from octavo.intake.passages import plain_passages
from octavo.intake.text_decoding import decode
from octavo.intake.text_layer import layer_of

if TYPE_CHECKING:
    from octavo.document import Pixels

_NAMED = 10  # missing characters that a warning lists


class TextFile:
    """An open text file. Raises what `octavo.intake.open_source` does.

    Only the places where pages begin are kept; a page is set again when it is asked for, and drawn when rendered.
    """

    def __init__(self, path: Path, source: Source) -> None:
        self._name = path.name
        try:
            content = path.read_bytes()
        except OSError as fault:
            raise UnreadableError(f"{path} cannot be read: {fault.strerror or fault}") from None
        text, self._warnings = decode(content, self._name)
        is_markdown = source.media_type == kinds.MARKDOWN
        self._passages = markdown_passages(text) if is_markdown else plain_passages(text)
        self._starts = self._page_starts()
        self.source = msgspec.structs.replace(source, pages=len(self._starts))

    def page(self, number: int) -> Page:
        if not 1 <= number <= self.source.pages:
            raise UnreadableError(f"{self._name} has {self.source.pages} pages, there is no page {number}")
        found = self._set(number)
        blocks = layer_of(found, self._passages)
        lines = tuple(line for block in blocks for line in block.lines)
        layer = TextLayer(lines, blocks=blocks) if blocks else None
        text = "".join(line.text for line in lines)
        warnings = (*self._warnings, *self._missing(text, number))
        return Page(number, WIDTH, HEIGHT, "px", lambda dpi: self._pixels(number), layer, warnings)

    def close(self) -> None:
        """Nothing is held open."""

    def _page_starts(self) -> list[Place]:
        starts: list[Place] = []
        following: Place | None = Place(0, 0, 0)
        while following is not None:
            starts.append(following)
            following = set_page(self._passages, following).following
        return starts

    def _set(self, number: int) -> SetPage:
        return set_page(self._passages, self._starts[number - 1])

    def _pixels(self, number: int) -> Pixels:
        return draw(self._set(number))

    def _missing(self, text: str, number: int) -> list[PageWarning]:
        absent = fonts.missing(text)
        if not absent:
            return []
        named = ", ".join(f"U+{ord(char):04X}" for char in absent[:_NAMED])
        more = f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else ""
        packages = " ".join(sorted({fonts.package_for(char) for char in absent}))
        message = (
            f"page {number} of {self._name}: no font on this machine has {named}{more}; their pictures are boxes, the "
            f"text is exact; on Debian or Ubuntu `apt install {packages}` may help"
        )
        return [PageWarning("missing-glyphs", message)]
