"""Octavo reads long documents: scans, photographs and electronic documents in, Markdown, JSON, HTML and text out.

`octavo.convert(path, …)` is the Python face of `octavo convert`. Importing the package loads nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.conversion import convert

__version__ = "0.1.0"

__all__ = ["__version__", "convert"]


def __getattr__(name: str) -> object:
    if name == "convert":
        return import_module("octavo.conversion").convert
    raise AttributeError(f"module 'octavo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
