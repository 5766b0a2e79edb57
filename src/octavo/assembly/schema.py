"""The JSON form of a document: its type, and the JSON Schema made from it."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo import __version__
from octavo.document import SCHEMA_VERSION, FlowItem, PageResult, Record, Source, Summary

GENERATOR = f"octavo {__version__}"


class Document(Record, frozen=True):
    """A document as written to JSON. Members that are left out have their default value."""

    schema_version: str  # "major.minor"; readers should refuse a major number they do not know
    generator: str  # the program and its version
    source: Source
    pages: tuple[PageResult, ...]  # one for each page that was asked for, in page order
    flow: tuple[FlowItem, ...]  # the reading order over all pages, without running headers, footers, page numbers
    summary: Summary


def document_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document."""
    (root,), types = msgspec.json.schema_components([Document], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:octavo:document:{SCHEMA_VERSION}",
        **root,
        "$defs": dict(sorted(types.items())),
    }


def schema_text() -> str:
    """The schema as it is published in docs/schema."""
    return msgspec.json.format(msgspec.json.encode(document_schema()), indent=2).decode() + "\n"
