"""Documents through workers, page by page: the one road that the command, the Python call and the service take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo.conversion.call import Conversion, convert

__all__ = ["Conversion", "convert"]


def __getattr__(name: str) -> Any:
    if name in __all__:  # not needed in the worker processes, which pass through here as well
        from octavo.conversion import call

        return getattr(call, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
