from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.observe.logs import MASK, JsonLines, TextLines, configure, log
from octavo.settings import Settings

logger = logging.getLogger("octavo.test_logs")


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root, own = logging.getLogger(), logging.getLogger("octavo")
    outputs, levels = list(root.handlers), (root.level, own.level)
    yield
    root.handlers[:] = outputs
    root.setLevel(levels[0])
    own.setLevel(levels[1])
    logging.captureWarnings(False)


def record(event: str, fields: dict[str, Any]) -> logging.LogRecord:
    made = logger.makeRecord(logger.name, logging.WARNING, "file.py", 1, event, (), None, extra={"fields": fields})
    made.created = 0.5
    return made


def test_json_line() -> None:
    line = JsonLines().format(record("page failed", {"page": 7, "path": Path("/a b.pdf"), "seconds": 1.5}))
    assert line == (
        '{"ts": "1970-01-01T00:00:00.500Z", "level": "warning", "event": "page failed", "logger": "octavo.test_logs", '
        '"page": 7, "path": "/a b.pdf", "seconds": 1.5}'
    )


def test_text_line() -> None:
    line = TextLines().format(record("page failed", {"page": 7, "path": "/a b.pdf", "code": "page-timeout"}))
    assert line == '1970-01-01T00:00:00.500Z warning page failed page=7 path="/a b.pdf" code=page-timeout'


@pytest.mark.parametrize("lines", [JsonLines(), TextLines()])
def test_secrets_are_masked_at_any_depth(lines: logging.Formatter) -> None:
    fields = {
        "password": "hunter2",
        "api_key": "hunter2",
        "Access-Token": "hunter2",
        "nested": {"list": [{"passwd": "hunter2"}], "keyboard": "qwerty"},
        "output_tokens": 12345,
    }
    line = lines.format(record("x", fields))
    assert "hunter2" not in line
    assert line.count(MASK) == 4
    assert "qwerty" in line
    assert "12345" in line


@given(st.text(), st.dictionaries(st.text(), st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text()))))
def test_an_event_is_one_line_whatever_is_in_it(event: str, fields: dict[str, Any]) -> None:
    line = JsonLines().format(record(event, fields))
    assert "\n" not in line
    assert json.loads(line)["event"] == event
    assert len(TextLines().format(record(event, fields)).splitlines()) == 1


def test_fields_do_not_overwrite_what_every_line_has() -> None:
    line = json.loads(JsonLines().format(record("real", {"event": "fake", "level": "fake", "ts": 0})))
    assert (line["event"], line["level"]) == ("real", "warning")


def test_configure_sends_to_standard_error_from_the_level_on(capsys: pytest.CaptureFixture[str]) -> None:
    configure(Settings(log_format="json", log_level="info"))
    log(logger, logging.INFO, "heard", page=1)
    log(logger, logging.DEBUG, "not heard")
    logging.getLogger("library").info("not heard")
    logging.getLogger("library").warning("library %s", "warns")
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = [json.loads(line) for line in printed.err.splitlines()]
    assert [(line["event"], line["logger"]) for line in lines] == [
        ("heard", "octavo.test_logs"),
        ("library warns", "library"),
    ]
    assert lines[0]["page"] == 1
    assert datetime.fromisoformat(lines[0]["ts"]).tzinfo is not None


def test_configure_again_replaces_what_was(capsys: pytest.CaptureFixture[str]) -> None:
    configure(Settings(log_format="json", log_level="debug"))
    configure(Settings(log_format="text", log_level="error"))
    logger.warning("not heard")
    logger.error("heard")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("error   heard")


def test_auto_is_json_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    configure(Settings())
    logger.warning("x")
    assert json.loads(capsys.readouterr().err)["event"] == "x"


def test_tracebacks_and_warnings_are_logged(capsys: pytest.CaptureFixture[str]) -> None:
    configure(Settings(log_format="json"))
    try:
        raise ValueError("broken\nin two")
    except ValueError:
        logger.exception("internal error")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    first, second = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert first["traceback"].endswith("ValueError: broken\nin two")
    assert "DeprecationWarning: old" in second["event"]
