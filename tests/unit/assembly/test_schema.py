"""The published JSON Schema is the types', and what is written obeys it."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import jsonschema
import msgspec
import pytest

from octavo.assembly.schema import Document, document_schema, schema_text
from octavo.assembly.writers import create
from octavo.document import (
    SCHEMA_VERSION,
    Block,
    Cell,
    Kind,
    Line,
    PageError,
    PageResult,
    PageStatus,
    PageWarning,
    Source,
    Stamp,
    Summary,
    Usage,
    Word,
)

PUBLISHED = Path(__file__).parents[3] / "docs" / "schema" / f"document-{SCHEMA_VERSION}.json"
BOX = (0.0, 0.0, 10.0, 10.0)


def _written() -> bytes:
    line = Line("a b", BOX, 0.5, (Word("a", BOX), Word("b", BOX, 0.25)))
    blocks = tuple(Block(kind, BOX, "a b", 0.5, 1, (line,), (Cell(0, 0, "a", BOX, 2, 2, True),), "x") for kind in Kind)
    stamp = Stamp("pipeline", "1", "blake3:00", "openvino bf16", {"tier": "fast"})
    read = PageResult(
        1, PageStatus.OK, 1.0, 2.0, "pt", 90, 0.5, "ocr", 0.5, blocks, stamp, None, (PageWarning("w", "m"),), Usage(1.0)
    )
    failed = PageResult(2, PageStatus.FAILED, error=PageError("engine", "no", True))
    out = BytesIO()
    writer = create("json", out)
    writer.begin(Source("a.pdf", "application/pdf", 1, "blake3:00", 2))
    writer.page(read)
    writer.page(failed)
    writer.end(Summary(2, ok=1, failed=1, failed_pages=(2,)))
    return out.getvalue()


def test_the_published_schema_is_up_to_date(update_golden: bool) -> None:
    if update_golden:
        PUBLISHED.write_text(schema_text(), encoding="utf-8")
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), "run pytest --update-golden"


def test_output_obeys_the_schema() -> None:
    schema = document_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(_written()), schema, jsonschema.Draft202012Validator)


def test_the_sample_in_the_documentation_obeys_the_schema() -> None:
    page = (PUBLISHED.parents[1] / "output.md").read_text(encoding="utf-8")
    (sample,) = re.findall("```json\n(.*?)```", page, re.DOTALL)
    jsonschema.validate(json.loads(sample), document_schema(), jsonschema.Draft202012Validator)
    assert msgspec.json.decode(sample, type=Document).summary.failed_pages == (2,)
    assert all(f"`{name}`" in page for name in (*Kind, *PageStatus))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"status":"ok"', '"status":"fine"'),
        ('"kind":"seal"', '"kind":"stamp"'),
        ('"page":1,', ""),
        ("[0.0,0.0,10.0,10.0]", "[0.0,0.0,10.0]"),
        ('"summary"', '"total"'),
    ],
)
def test_the_schema_refuses_what_is_wrong(old: str, new: str) -> None:
    wrong = _written().decode().replace(old, new, 1)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(wrong), document_schema(), jsonschema.Draft202012Validator)
