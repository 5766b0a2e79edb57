"""Opening documents: sniffing, limits, and pages with their pixels and text layers.

`open_source` and `Opened` are loaded on first use, so that the parent process, which never opens a document,
stays free of the libraries they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.intake.kinds import SUFFIXES
from octavo.intake.ranges import parse_pages

if TYPE_CHECKING:
    from octavo.intake.opening import Opened, open_source

__all__ = ["SUFFIXES", "Opened", "open_source", "parse_pages"]


def __getattr__(name: str) -> Any:
    if name in ("Opened", "open_source"):
        from octavo.intake import opening

        return getattr(opening, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
