"""The stitched reading order of a document, built while its pages arrive."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.document import FlowItem, Fragment, Kind, PageResult

FURNITURE = frozenset({Kind.HEADER, Kind.FOOTER, Kind.PAGE_NUMBER})
"""What is printed on every page and belongs to none of the text."""


class Flow:
    """Turns page results, given in page order, into flow items.

    An item is handed out when nothing on a later page can change it any more, so whoever takes the items holds no page.
    Each item has one fragment: blocks that go on over a page break stand as one item per page.
    """

    def page(self, result: PageResult) -> Iterator[FlowItem]:
        """The items that are settled once this page is known, in reading order, without the page's furniture."""
        for index, block in enumerate(result.blocks):
            if block.kind not in FURNITURE:
                yield FlowItem(block.kind, (Fragment(result.page, index, block.box),))

    def end(self) -> Iterator[FlowItem]:
        """The items that were waiting for a page that does not come."""
        return iter(())
