"""JSON: everything that is known of a document, one page a line."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterable
from typing import BinaryIO

import msgspec

from octavo.assembly.flow import Event, Flow
from octavo.assembly.schema import GENERATOR
from octavo.document import SCHEMA_VERSION, PageResult, Source, Summary

_SPOOL_BYTES = 1 << 20  # the flow of about 500 pages; more goes to an unlinked file


class JsonWriter:
    """Writes the members in this order: schema_version, generator, source, pages, flow, summary.

    The flow is spooled while the pages are written. Furniture is a part of the pages, and none of the flow, with
    `keep_furniture` and without.
    """

    def __init__(self, out: BinaryIO, *, keep_furniture: bool = False) -> None:
        self._out = out
        self._encoder = msgspec.json.Encoder()
        self._flow = Flow()
        self._spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - closed at the end
        weakref.finalize(self, self._spool.close)
        self._first = True

    def begin(self, source: Source) -> None:
        self._flow = Flow(source)
        head = {"schema_version": SCHEMA_VERSION, "generator": GENERATOR, "source": source}
        self._out.write(self._encoder.encode(head)[:-1] + b',"pages":[')

    def page(self, result: PageResult) -> None:
        self._out.write((b"\n" if self._first else b",\n") + self._encoder.encode(result))
        self._first = False
        self._keep(self._flow.page(result))

    def end(self, summary: Summary) -> None:
        self._keep(self._flow.end())
        self._out.write(b'\n],"flow":[')
        self._spool.seek(0)
        shutil.copyfileobj(self._spool, self._out)
        self._spool.close()
        self._out.write(b'\n],"summary":' + self._encoder.encode(summary) + b"}\n")

    def _keep(self, events: Iterable[Event]) -> None:
        for event in events:
            if not isinstance(event, PageResult):
                self._spool.write((b",\n" if self._spool.tell() else b"\n") + self._encoder.encode(event.item))
