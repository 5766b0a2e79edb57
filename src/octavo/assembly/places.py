"""Which kinds of blocks are a part of the running text, and which only stand on the page with it."""

from __future__ import annotations

from octavo.document import Kind

FURNITURE = frozenset({Kind.HEADER, Kind.FOOTER, Kind.PAGE_NUMBER})
"""What is printed on every page and belongs to none of the text."""

FLOATS = frozenset({Kind.TABLE, Kind.FIGURE, Kind.CAPTION, Kind.FOOTNOTE, Kind.SEAL})
"""What a paragraph may run past: it is set where there is room for it."""

RUNNING = frozenset({Kind.TEXT, Kind.LIST_ITEM, Kind.REFERENCE, Kind.CODE})
"""What may go on after the end of a column or a page."""
