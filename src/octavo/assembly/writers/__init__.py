"""The forms in which a document can be written, and the table of them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module
from typing import BinaryIO, Protocol

from octavo.document import PageResult, Source, Summary
from octavo.errors import UsageError


class Writer(Protocol):
    """Writes one document as its pages arrive: `begin`, `page` for each page in page order, `end`, each once.

    What a writer holds does not grow with the number of pages. It never closes its stream, and passes on the OSError
    that the stream raises.
    """

    def begin(self, source: Source) -> None: ...

    def page(self, result: PageResult) -> None: ...

    def end(self, summary: Summary) -> None: ...


class Factory(Protocol):
    def __call__(self, out: BinaryIO, *, keep_furniture: bool = False) -> Writer: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A form of output. `target` is "module:class"; it is imported when a writer is made."""

    suffix: str  # of files, with the dot
    media_type: str
    target: str

    @property
    def factory(self) -> Factory:
        module, name = self.target.split(":")
        factory: Factory = getattr(import_module(module), name)
        return factory


FORMATS = {
    "md": Format(".md", "text/markdown; charset=utf-8", "octavo.assembly.writers.markdown:MarkdownWriter"),
    "json": Format(".json", "application/json", "octavo.assembly.writers.json:JsonWriter"),
    "html": Format(".html", "text/html; charset=utf-8", "octavo.assembly.writers.html:HtmlWriter"),
    "txt": Format(".txt", "text/plain; charset=utf-8", "octavo.assembly.writers.text:TextWriter"),
}


def create(format: str, out: BinaryIO, *, keep_furniture: bool = False) -> Writer:
    """A writer of this format to `out`.

    `keep_furniture` keeps running headers, footers and page numbers, which are otherwise left out; JSON always holds
    them. Raises UsageError where the format is not one of FORMATS.
    """
    if format not in FORMATS:
        near = difflib.get_close_matches(format, FORMATS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"there is no output format {format!r}; known formats: {', '.join(FORMATS)}{hint}")
    return FORMATS[format].factory(out, keep_furniture=keep_furniture)
