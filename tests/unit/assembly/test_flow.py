from __future__ import annotations

from octavo.assembly.flow import Flow
from octavo.document import Block, FlowItem, Fragment, Kind, PageResult, PageStatus

BOX = (1.0, 2.0, 3.0, 4.0)


def test_items_name_their_page_and_block_and_leave_furniture_out() -> None:
    kinds = [Kind.HEADER, Kind.TITLE, Kind.TEXT, Kind.PAGE_NUMBER, Kind.TABLE, Kind.FOOTER]
    page = PageResult(7, PageStatus.OK, blocks=tuple(Block(kind, BOX) for kind in kinds))
    flow = Flow()
    items = [*flow.page(page), *flow.page(PageResult(8, PageStatus.FAILED)), *flow.end()]
    assert items == [
        FlowItem(Kind.TITLE, (Fragment(7, 1, BOX),)),
        FlowItem(Kind.TEXT, (Fragment(7, 2, BOX),)),
        FlowItem(Kind.TABLE, (Fragment(7, 4, BOX),)),
    ]
