"""Odd, damaged and hostile files of public test suites: a typed error or pages, and nothing else."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import InputError, OctavoError
from octavo.intake import open_source
from octavo.settings import Settings

FOLDER = Path(__file__).resolve().parents[3] / "../shared/broken/dev"
FAMILIES = {
    "error:password": {"password-required", "password-wrong"},
    "error:too-large": {"too-large", "image-too-large", "decompression-bomb"},
    "error:unreadable": {"unreadable"},
    "error:unsupported": {"unsupported"},
}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of broken files, ../shared/broken, is not here")


def outcome(path: str) -> dict[str, Any]:
    """Runs in a child: whatever a file does, it cannot take the tests with it."""
    try:
        opened = open_source(Path(path), Settings())
    except OctavoError as fault:
        return {"error": fault.code, "input": isinstance(fault, InputError), "message": fault.message}
    pages: list[str] = []
    for number in range(1, opened.source.pages + 1):
        try:
            page = opened.page(number)
            pixels = page.render(72)
            assert pixels.ndim == 3
            assert pixels.shape[2] == 3
            assert page.width > 0
            assert page.height > 0
            pages.append(" ".join(line.text for line in page.text_layer.lines) if page.text_layer else "")
        except InputError as fault:
            pages.append(f"error:{fault.code}: {fault.message}")
    opened.close()
    return {"count": opened.source.pages, "pages": pages}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, dict[str, Any]]:
    entries = [json.loads(line) for line in (FOLDER / "manifest.jsonl").read_text("utf-8").splitlines()]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.map(outcome, [str(FOLDER / entry["input"]) for entry in entries])
        return {entry["id"]: {"entry": entry, **one} for entry, one in zip(entries, found, strict=True)}


def test_every_file_ends_as_its_note_asks(outcomes: dict[str, dict[str, Any]]) -> None:
    wrong = {}
    for name, one in outcomes.items():
        expect, code = one["entry"]["expect"], one.get("error")
        if expect in FAMILIES:
            good = code in FAMILIES[expect]
        elif expect in ("result", "empty_result"):
            good = code is None and not any(text.startswith("error:") for text in one["pages"])
        else:
            good = code is None or one["input"]
        if not good:
            wrong[name] = (expect, one)
    assert len(outcomes) >= 70
    assert wrong == {}


def test_pages_out_equal_pages_in(outcomes: dict[str, dict[str, Any]]) -> None:
    for name, one in outcomes.items():
        expected = one["entry"]["pages"]
        if expected is not None and "error" not in one:
            assert (name, one["count"], len(one["pages"])) == (name, expected, expected)


def test_messages_name_the_file(outcomes: dict[str, dict[str, Any]]) -> None:
    for name, one in outcomes.items():
        told = [one["message"]] if "error" in one else [text for text in one["pages"] if text.startswith("error:")]
        assert all(name in message for message in told), told


def test_text_that_pdfium_reads_is_in_the_layer(outcomes: dict[str, dict[str, Any]]) -> None:
    assert outcomes["unstructured_fake-bold-sample.pdf"]["pages"][0].count("BOLD TEXT SAMPLE") == 1
    assert "انواع الخطوط العربية" in outcomes["pdfjs_ArabicCIDTrueType.pdf"]["pages"][0]
    assert outcomes["pdfjs_vertical.pdf"]["pages"][0] == "日本語 あいうえお"
    assert outcomes["pdfjs_zero_descent.pdf"]["pages"][0] == "Capital Goods Recap of Q3 results Underweight"
    for name in ("made_truncated-tail.pdf", "made_junk-before-header.pdf"):
        assert "What are all those directories at the Debian archives" in outcomes[name]["pages"][0]
