"""Page ranges as people write them."""

from __future__ import annotations

import re

from octavo.errors import UsageError

_PART = re.compile(r"(\d*)\s*(-?)\s*(\d*)", re.ASCII)
_LONGEST = 4096  # characters; a range that names pages one by one stays far below


def parse_pages(text: str, total: int) -> list[int]:
    """The pages that `text` selects of a document of `total` pages: ascending, each once, 1-based.

    `text` is a comma-separated list of pages (`5`), spans (`1-3`), open spans (`10-`, `-4`) or `all`.
    Raises UsageError where it is not of that form, selects nothing, or names a page the document does not have.
    """
    if text.strip().lower() == "all":
        return list(range(1, total + 1))
    if len(text) > _LONGEST:
        raise UsageError(f"the page range is longer than {_LONGEST} characters; write spans such as 1-100")
    chosen: set[int] = set()
    for part in text.split(","):
        chosen.update(_span(part.strip(), text, total))
    return sorted(chosen)


def _span(part: str, text: str, total: int) -> range:
    match = _PART.fullmatch(part)
    if match is None or not (match[1] or match[3]):
        raise UsageError(f"{text!r} is not a page range; write it like 1-3,5,10-")
    first = int(match[1] or 1)
    last = int(match[3] or (total if match[2] else first))
    if first < 1 or (match[3] and last < 1):
        raise UsageError(f"page range {text!r} names page 0; pages are counted from 1")
    if match[3] and last < first:
        raise UsageError(f"page range {text!r} runs backwards at {part!r}; write {last}-{first}")
    beyond = max(first, last) if match[3] else first
    if beyond > total:
        pages = "1 page" if total == 1 else f"{total} pages"
        raise UsageError(f"page range {text!r} names page {beyond}, but the document has {pages}")
    return range(first, last + 1)
