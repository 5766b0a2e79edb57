"""The writers' output, byte for byte. `pytest --update-golden` rewrites the files; review the difference."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import over_breaks
import pytest
from documents import CASES as SINGLE

from octavo.assembly.schema import GENERATOR
from octavo.assembly.writers import FORMATS, create

HERE = Path(__file__).parent
CASES = {**SINGLE, **over_breaks.CASES}

OUTPUTS = [(name, format, False) for name in CASES for format in FORMATS]
OUTPUTS += [(name, format, True) for name in ("kinds", "breaks") for format in FORMATS if format != "json"]


@pytest.mark.parametrize(("name", "format", "keep_furniture"), OUTPUTS)
def test_output_is_the_golden_file(name: str, format: str, keep_furniture: bool, update_golden: bool) -> None:
    case = CASES[name]()
    out = BytesIO()
    writer = create(format, out, keep_furniture=keep_furniture)
    writer.begin(case.source)
    for page in case.pages:
        writer.page(page)
    writer.end(case.summary)
    text = out.getvalue().decode().replace(GENERATOR, "octavo 0.0.0")
    path = HERE / f"{name}{'.furniture' if keep_furniture else ''}{FORMATS[format].suffix}"
    if update_golden:
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_bytes().decode(), f"{path.name} differs; if it should, run pytest --update-golden"
