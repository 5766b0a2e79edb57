"""The stitched reading order of a document, built while its pages arrive."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from octavo.assembly import notes
from octavo.assembly.headings import AHEAD, Headings
from octavo.assembly.pieces import Passage, Piece
from octavo.assembly.places import FURNITURE
from octavo.assembly.shapes import Shape, shapes_of
from octavo.assembly.stitching import Event, Stitching
from octavo.assembly.upright import upright
from octavo.document import Block, PageResult, Source

__all__ = ["Event", "Flow", "Passage"]

_BEHIND = 3  # pages whose words are remembered, to mend hyphens by


class Flow:
    """Turns page results, given in page order, into the passages of the document.

    Each page comes as a PageResult without blocks, followed by the passages that begin on it. All of it comes in order,
    when nothing on a later page can change it any more. A page's blocks are held until the AHEAD pages after it are
    known, and while a paragraph or a table of theirs may go on, for WINDOW pages at most.

    Every block is in exactly one passage, but for furniture, which comes only where it is asked for, and captions that
    do nothing but repeat that of a table which goes on. `source` tells documents that were set here, and bring their
    headings and hyphens with them.
    """

    def __init__(self, source: Source | None = None, *, keep_furniture: bool = False) -> None:
        exact = source is not None and source.media_type.startswith("text/")
        self._keep_furniture = keep_furniture
        self._headings = Headings(exact=exact)
        self._stitching = Stitching(exact=exact)
        self._waiting: deque[tuple[PageResult, list[Shape | None]]] = deque()
        self._behind: deque[PageResult] = deque(maxlen=_BEHIND)

    def page(self, result: PageResult) -> Iterator[Event]:
        """What is settled once this page is known."""
        shapes = shapes_of(result)
        self._headings.see(result, shapes, _unit(result))
        self._waiting.append((result, shapes))
        if len(self._waiting) > AHEAD:
            yield from self._next()

    def end(self) -> Iterator[Event]:
        """What was waiting for pages that do not come."""
        while self._waiting:
            yield from self._next()
        yield from self._stitching.end()

    def _next(self) -> Iterator[Event]:
        result, shapes = self._waiting.popleft()
        verdicts = self._headings.settle(result)
        pieces = []
        for index, block in enumerate(notes.tied(result.blocks, result.page)):
            if block.kind in FURNITURE and not self._keep_furniture:
                continue
            kind, level = verdicts.get(index, (block.kind, block.level))
            if (kind, level) != (block.kind, block.level):
                block = replace(block, kind=kind, level=level)
            pieces.append(_piece(result, index, block, shapes[index]))
        yield from self._stitching.page(result, pieces, lambda: self._texts(result))
        self._behind.append(result)

    def _texts(self, result: PageResult) -> Iterator[str]:
        """What the pages around say."""
        for near in [*self._behind, result, *(other for other, _ in self._waiting)]:
            for block in near.blocks:
                yield block.text


def _unit(result: PageResult) -> float:
    """What sizes on the page are divided by to be comparable with those on others."""
    return 1.0 if result.unit == "pt" else max(result.width, result.height) or 1.0


def _piece(result: PageResult, index: int, block: Block, shape: Shape | None) -> Piece:
    turned = upright(block.box, result.width, result.height, result.rotation)
    width, height = result.width or 1.0, result.height or 1.0
    if result.rotation in (90, 270):
        width, height = height, width
    sheet = (turned[0] / width, turned[1] / height, turned[2] / width, turned[3] / height)
    return Piece(result.page, index, block, shape, sheet, _unit(result), result.languages)
