"""Pieces of paragraphs, lists and tables from several columns and pages, made whole again.

Pieces come in reading order. What may still go on is held, and so is everything after it, so that passages come out in
the order in which they begin. Nothing is held over more than WINDOW pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from octavo.assembly import table_parts
from octavo.assembly.continuation import goes_on, heading_goes_on
from octavo.assembly.joins import Join, join_of, joined
from octavo.assembly.list_levels import ListLevels
from octavo.assembly.pieces import Passage, Piece
from octavo.assembly.places import FLOATS, FURNITURE, RUNNING
from octavo.document import Block, FlowItem, Fragment, Kind, PageResult, PageStatus

WINDOW = 32  # pages

_HEADINGS = (Kind.TITLE, Kind.HEADING)

Event = PageResult | Passage
Near = Callable[[], Iterable[str]]


@dataclass(slots=True, eq=False)
class _Draft:
    """A passage in the making."""

    pieces: list[Piece]
    level: int = 0
    joins: list[Join] = field(default_factory=lambda: [""])
    skipped: list[int] = field(default_factory=lambda: [0])
    captions: list[Block] = field(default_factory=list)
    tied: bool = False
    goes_on: bool = False
    table: Block | None = None  # the whole of a table in parts
    model: Piece | None = None  # the part whose columns it has

    @property
    def last(self) -> Piece:
        return self.pieces[-1]

    @property
    def block(self) -> Block:
        """The first of its blocks."""
        return self.pieces[0].block

    def passage(self) -> Passage:
        fragments = tuple(
            Fragment(piece.page, piece.index, piece.block.box, join, skip)
            for piece, join, skip in zip(self.pieces, self.joins, self.skipped, strict=True)
        )
        block = self.table or joined([piece.block for piece in self.pieces], self.joins)
        block = replace(block, level=self.level)
        item = FlowItem(block.kind, fragments, self.level)
        return Passage(item, block, tuple(self.captions), self.tied, self.goes_on)


class Stitching:
    """Takes pages with their pieces, in page order; gives each page, without its blocks, before what begins on it.

    In an `exact` document, whose text was set here, a hyphen at the end of a line is one that the author wrote.
    """

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact
        self._held: deque[_Draft | PageResult] = deque()
        self._text: _Draft | None = None  # running text that may go on
        self._table: _Draft | None = None
        self._interrupted = False  # since that text, by what it may run past
        self._begun = False  # whether the page has running text
        self._captions: list[_Draft] = []  # of the page, while nothing but captions and furniture has come
        self._lists = ListLevels()
        self._page = 0
        self._near: Near = tuple

    def page(self, result: PageResult, pieces: Sequence[Piece], near: Near = tuple) -> Iterator[Event]:
        """What is settled once this page is known. `near` gives texts of the pages around, for their words."""
        self._near = near
        if result.status is PageStatus.FAILED or (self._page and result.page != self._page + 1):
            self._close()
        self._page = result.page
        self._close_old()
        self._held.append(replace(result, blocks=()))
        self._begun, self._interrupted = False, True
        self._captions.clear()
        if any(piece.block.kind in RUNNING for piece in pieces):
            self._lists.begin_page(result.page, _edge(pieces))
        tables = {piece.index: draft for piece in pieces if (draft := self._take(piece))}
        self._tie(pieces, tables)
        yield from self._settled()

    def end(self) -> Iterator[Event]:
        """What was waiting for a page that does not come."""
        self._close()
        yield from self._settled()

    def _settled(self) -> Iterator[Event]:
        while self._held and self._held[0] is not self._text and self._held[0] is not self._table:
            first = self._held.popleft()
            yield first if isinstance(first, PageResult) else first.passage()

    def _close(self) -> None:
        self._text = self._table = None
        self._lists.end_list()

    def _close_old(self) -> None:
        oldest = self._page - WINDOW
        if self._text is not None and self._text.pieces[0].page <= oldest:
            self._text = None
        if self._table is not None and self._table.pieces[0].page <= oldest:
            self._table = None

    # ---- one piece after the other

    def _take(self, piece: Piece) -> _Draft:
        """Puts the piece where it belongs; the passage that it is now a part of."""
        kind = piece.block.kind
        if kind in RUNNING:
            return self._running(piece)
        latest = self._held[-1]
        if kind is Kind.HEADING and isinstance(latest, _Draft) and _is_heading_of(latest, piece):
            self._append(latest, piece)
            return latest
        draft = self._add(piece)
        if kind is Kind.CAPTION:
            self._captions.append(draft)
        if kind is Kind.TABLE:
            return self._tabular(draft)
        if kind is Kind.FIGURE:
            self._table = None
        if kind in FLOATS or kind in FURNITURE:
            self._interrupted = self._interrupted or kind in FLOATS
        else:
            self._text = self._table = None
            self._begun = True
            self._lists.end_list()
        return draft

    def _add(self, piece: Piece) -> _Draft:
        draft = _Draft([piece])
        if piece.block.kind in _HEADINGS:
            draft.level = piece.block.level
        self._held.append(draft)
        return draft

    def _running(self, piece: Piece) -> _Draft:
        self._table = None
        before, first = self._text, not self._begun
        self._begun = True
        interrupted = self._interrupted or (before is not None and _begins_column(before.last, piece))
        self._interrupted = False
        if before is not None and goes_on(before.last, piece, interrupted=interrupted):
            self._append(before, piece)
            self._begun = not first  # an item after the end of one from the page before may go on its list
            return before
        draft = self._text = self._add(piece)
        if piece.block.kind is Kind.LIST_ITEM:
            draft.level, draft.goes_on = self._lists.item(piece, first=first)
        else:
            self._lists.end_list()
        return draft

    def _append(self, draft: _Draft, piece: Piece) -> None:
        before, after = draft.last.block.text, piece.block.text
        if piece.block.kind is Kind.CODE:
            join: Join = "line"
        elif self._exact:
            join = "none" if before[-1:].isspace() or before[-1:] == "-" else join_of(before, after)
        else:
            join = join_of(before, after, piece.languages or draft.last.languages, self._near())
        draft.pieces.append(piece)
        draft.joins.append(join)
        draft.skipped.append(0)

    # ---- tables

    def _tabular(self, draft: _Draft) -> _Draft:
        """Adds the table, which was held as the latest, to the one before if it goes on that."""
        before, piece = self._table, draft.last
        if before is not None and before.last.page != piece.page and not self._begun:
            own = [caption for caption in self._captions if caption.block.target in (None, piece.index)]
            said = "\n".join(caption.text for caption in before.captions)
            repeating = [caption for caption in own if table_parts.repeats(caption.block.text, said)]
            if len(repeating) == len(own):
                whole, model = before.table or before.block, before.model or before.last
                seam = table_parts.seam(whole, model, before.last, piece, announced=bool(repeating))
                if seam is not None:
                    for gone in [draft, *repeating]:
                        self._held.remove(gone)
                    self._captions.clear()
                    before.table = table_parts.appended(whole, piece.block, seam)
                    before.model = piece if seam.widened else model
                    before.pieces.append(piece)
                    before.joins.append("rows")
                    before.skipped.append(seam.skip_rows)
                    return before
        self._table = draft if piece.block.cells else None
        self._interrupted = True
        return draft

    def _tie(self, pieces: Sequence[Piece], drafts: dict[int, _Draft]) -> None:
        """Gives figures and tables of the page just taken the captions that name them."""
        for piece in pieces:
            caption, target = piece.block, piece.block.target
            own = drafts.get(target) if caption.kind is Kind.CAPTION and target is not None else None
            if own is None or own.block.kind not in (Kind.FIGURE, Kind.TABLE) or drafts[piece.index] not in self._held:
                continue
            said = "\n".join(other.text for other in own.captions)
            if len(own.pieces) > 1 and own.captions and table_parts.repeats(caption.text, said):
                self._held.remove(drafts[piece.index])
                continue
            drafts[piece.index].tied = True
            own.captions.append(caption)


def _is_heading_of(draft: _Draft, piece: Piece) -> bool:
    return draft.block.kind in _HEADINGS and heading_goes_on(draft.last, piece)


def _begins_column(before: Piece, piece: Piece) -> bool:
    """Whether a piece on the same page stands beside or above the end of the one before, not below it."""
    if before.page != piece.page:
        return False
    a, b = before.sheet, piece.sheet
    beside = b[0] >= a[2] or b[2] <= a[0]
    return beside and b[1] < a[3]


def _edge(pieces: Iterable[Piece]) -> float | None:
    """Where the lines of a page's text begin."""
    lefts = [piece.shape.left for piece in pieces if piece.shape is not None and piece.block.kind in RUNNING]
    return min(lefts, default=None)
