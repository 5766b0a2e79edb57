"""What all writers ask of a block before they write it."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.assembly.flow import FURNITURE
from octavo.assembly.writers.characters import lines_of
from octavo.document import Block, PageError, PageResult


def shown(result: PageResult, keep_furniture: bool) -> Iterator[Block]:
    """The blocks of a page that are written."""
    return (block for block in result.blocks if keep_furniture or block.kind not in FURNITURE)


def paragraphs(block: Block) -> list[str]:
    """The block's text, one paragraph an item; its lines where it has no joined text."""
    return lines_of(block.text) or lines_of("\n".join(line.text for line in block.lines))


def printed_lines(block: Block) -> list[str]:
    """The block's text as it is broken on the page; its joined text where no lines are known."""
    return lines_of("\n".join(line.text for line in block.lines)) or lines_of(block.text)


def code_text(block: Block) -> str:
    """The text of a code block with its line breaks."""
    return block.text if block.text.strip() else "\n".join(line.text for line in block.lines)


def reason(error: PageError | None) -> str:
    """Why a page failed, for people: the code and the message."""
    return f"{error.code}: {error.message}" if error else "unknown"
