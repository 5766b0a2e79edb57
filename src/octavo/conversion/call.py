"""The Python call: `octavo.convert`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from octavo.conversion.documents import (
    DocumentFinished,
    DocumentRefused,
    DocumentStarted,
    PageFinished,
    Request,
    read_documents,
)
from octavo.conversion.outputs import Output, Outputs, format_of
from octavo.conversion.pool import Pool
from octavo.document import PageResult, Source, Summary
from octavo.errors import UsageError
from octavo.settings import Settings, load


def convert(
    path: str | os.PathLike[str],
    *,
    pages: str | None = None,
    password: str | None = None,
    settings: Settings | None = None,
    engine: str | None = None,
    tier: str | None = None,
    lang: str | None = None,
    text_layer: str | None = None,
    layout: str | None = None,
    dpi: int | None = None,
    workers: int | None = None,
) -> Conversion:
    """Open a document and read it, page by page.

    `pages` is a range like `1-3,5,10-`; all pages without it. `settings` are those of the config file and the
    environment unless given; the other arguments are settings of the same name and win.

    The document is open when this returns, and its pages are read, by worker processes, while you iterate:

        with octavo.convert("book.pdf", pages="1-20") as conversion:
            for page in conversion:
                print(page.page, page.status, page.confidence)
        print(conversion.summary)

    or in one go: `octavo.convert("book.pdf").write("book.md", "book.json")`.

    A page that cannot be read comes out with status `failed`. Raises an InputError where the document cannot be
    opened, UsageError for a wrong setting or page range. While iterating, an EngineError is raised where the engine
    cannot read any page, for example because its weights are missing.
    """
    flags = {
        "engine": engine,
        "tier": tier,
        "lang": lang,
        "text_layer": text_layer,
        "layout": layout,
        "dpi": dpi,
        "workers": workers,
    }
    if settings is None:
        settings = load(flags)
    else:
        given = {name: value for name, value in flags.items() if value is not None}
        settings = load({**dataclasses.asdict(settings), **given}, environ={"OCTAVO_CONFIG": os.devnull})
    return Conversion(Request(Path(path), pages, password), settings)


class Conversion(Iterator[PageResult]):
    """One document being read: an iterator over its pages, in page order, each as soon as the pages around it tell all.

    `source` is the document, `pages` the numbers of the pages selected, `summary` the account, None before the end.
    Closing it (or leaving its `with`) before the end stops the workers; the pages read so far stay in the page cache.
    """

    source: Source
    pages: Sequence[int]
    summary: Summary | None

    def __init__(self, request: Request, settings: Settings) -> None:
        """Starts a worker and opens the document; raises the error with which it is refused."""
        self.summary = None
        self._path = request.path
        self._given = self._closed = False
        self._pool = Pool(settings)
        self._events = read_documents([request], self._pool, settings)
        try:
            first = next(self._events)
            if isinstance(first, DocumentRefused):
                raise first.error
        except BaseException:
            self.close()
            raise
        assert isinstance(first, DocumentStarted)
        self.source, self.pages = first.source, first.pages

    def __next__(self) -> PageResult:
        try:
            for event in self._events:
                if isinstance(event, PageFinished):
                    self._given = True
                    return event.result
                if isinstance(event, DocumentFinished):
                    self.summary = event.summary
        except BaseException:
            self.close()
            raise
        self.close()
        raise StopIteration

    def write(self, *paths: str | os.PathLike[str], format: str | None = None, keep_furniture: bool = False) -> Summary:
        """Read all pages and write them to files, which appear whole or, on any error, not at all.

        The format follows from each name's suffix (.md, .json, .html, .txt) unless `format` names it. Headers, footers
        and page numbers are left out of all but JSON unless `keep_furniture`. Raises UsageError for an unknown format,
        a file that is the document itself, and after pages were given out; StorageError where a file cannot be written.
        """
        if self._given or self._closed:
            raise UsageError("pages of this conversion were given out or it was closed; convert again to write files")
        targets = [Output(Path(path), format or format_of(Path(path))) for path in paths]
        places = [os.path.realpath(path) for path in paths]
        if os.path.realpath(self._path) in places:
            raise UsageError(f"{self._path} is the document itself and would be overwritten; write to another name")
        if len(set(places)) < len(places):
            raise UsageError("two of the files to write are the same; name each once")
        with self, Outputs(targets, keep_furniture=keep_furniture) as outputs:
            outputs.begin(self.source)
            for result in self:
                outputs.page(result)
            summary = self.summary
            assert summary is not None  # the iteration has ended
            outputs.finish(summary)
        return summary

    def close(self) -> None:
        """Stop the workers. May be called again."""
        self._closed = True
        self._events.close()
        self._pool.close()

    def __enter__(self) -> Conversion:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
