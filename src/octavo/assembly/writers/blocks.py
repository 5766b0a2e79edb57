"""What all writers ask of a block before they write it."""

from __future__ import annotations

from octavo.assembly.writers.characters import lines_of
from octavo.document import Block, PageError, PageResult


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


def own_label(result: PageResult) -> str:
    """What the document calls the page, where that is not its number."""
    label = " ".join(lines_of(result.label))
    return "" if label == str(result.page) else label
