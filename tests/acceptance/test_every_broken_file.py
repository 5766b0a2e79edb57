"""Odd, damaged and hostile files through the real command and the real engine: what each file's note asks for."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import all_errors
from scripted import command

FOLDER = Path(__file__).resolve().parents[2] / "../shared/broken/dev"
FAMILIES = {
    "error:password": {"password-required", "password-wrong"},
    "error:too-large": {"too-large", "file-too-large", "image-too-large", "decompression-bomb"},
    "error:unreadable": {"unreadable"},
    "error:unsupported": {"unsupported"},
}
PHRASES = {
    "made_junk-before-header.pdf": "What are all those directories at the Debian archives",
    "made_truncated-half.pdf": "What are all those directories at the Debian archives",
    "made_truncated-tail.pdf": "What are all those directories at the Debian archives",
    "ocrmypdf_3small.pdf": "Milafranga",
    "ocrmypdf_enormous.pdf": "9000x9000 pixels at 300",
    "ocrmypdf_jbig2.pdf": "32 Track MIDI",
    "ocrmypdf_overlay.pdf": "2017-Jan-22",
    "ocrmypdf_truetype_font_nomapping.pdf": "Phone",
    "ocrmypdf_vector.pdf": "Sample Vector PDF",
    "olmocr_ambiguous.pdf": "Apples and Bananas",
    "olmocr_horribleocr.pdf": "The religion of the sword",
    "pdfjs_ArabicCIDTrueType.pdf": "انواع الخطوط العربية",
    "pdfjs_pdfjsbad1586.pdf": "pdf.js test",
    "pdfjs_poppler-67295-0.pdf": "TestString123",
    "pdfjs_vertical.pdf": "あいうえお日本語",
    "pdfjs_xref_command_missing.pdf": "Reduced test-case",
    "pdfjs_zero_descent.pdf": "Capital Goods Recap of Q3 results",
    "pypdf_indirect-rotation.pdf": "International Council of Containership Operators",
    "pypdf_r4-aes-v2-no-key-length.pdf": "pdf encryption test",
    "pypdf_side-by-side-subfig.pdf": "Lorem ipsum dolor sit amet",
    "qpdf_append-xref-loop.pdf": "Potato 29",
    "qpdf_bad-token-startxref.pdf": "Potato",
    "qpdf_bad3.pdf": "Potato",
    "qpdf_bad8.pdf": "Salad",
    "qpdf_no-pages-types.pdf": "Potato",
    "qpdf_pages-loop.pdf": "Potato",
    "qpdf_zero-offset.pdf": "Potato",
    "sample-files_habibi-rotated.pdf": "habibi",
    "unstructured_copy-protected.pdf": "A Unified Toolkit for Deep Learning",
    "unstructured_fake-bold-sample.pdf": "Fake Bold PDF Test Document",
    "unstructured_invalid-pdf-structure-pdfminer-one-page.pdf": "Government Accountability Office June 2023",
    "unstructured_negative-coords.pdf": "Climate Change",
}
# Expected to give a result, and there is nothing to read: two photographs, glyphs that draw nothing, and drawn signs
# that are no letters.
WORDLESS = {
    "pillow_hopper_bad_exif.jpg",
    "pillow_sugarshack_bad_mpo_header.jpg",
    "pdfjs_recursiveCompositGlyf.pdf",
    "pdfjs_Type3WordSpacing.pdf",
}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of broken files, ../shared/broken, is not here")


@dataclass(frozen=True)
class Outcome:
    """What became of one file: its line of the manifest, its entry in the account, its document where there is one."""

    entry: dict[str, Any]
    account: dict[str, Any]
    pages: list[dict[str, Any]]

    @property
    def error(self) -> str | None:
        return self.account["error"] and str(self.account["error"]["code"])

    @property
    def text(self) -> str:
        return " ".join(block.get("text", "") for page in self.pages for block in page.get("blocks", []))


def run(out: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("convert", *arguments, "-o", f"{out}/", "--format", "json", "--tier", "fast", "--json"),
        capture_output=True,
        text=True,
        env={**os.environ, "OCTAVO_PAGE_TIMEOUT": "60", "OCTAVO_CACHE_MB": "0"},
        stdin=subprocess.DEVNULL,
        timeout=280,
    )


def manifest() -> dict[str, dict[str, Any]]:
    entries = map(json.loads, (FOLDER / "manifest.jsonl").read_text("utf-8").splitlines())
    return {Path(entry["input"]).name: entry for entry in entries}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> subprocess.CompletedProcess[str]:
    """One run over all files."""
    return run(tmp_path_factory.mktemp("out"), FOLDER / "files")


@pytest.fixture(scope="module")
def outcomes(done: subprocess.CompletedProcess[str]) -> dict[str, Outcome]:
    found = {}
    entries = manifest()
    for account in json.loads(done.stdout)["inputs"]:
        name = Path(account["path"]).name
        written = [json.loads(Path(path).read_text("utf-8")) for path in account["outputs"]]
        found[name] = Outcome(entries[name], account, written[0]["pages"] if written else [])
    return found


def test_the_command_goes_through_with_all_of_them(
    done: subprocess.CompletedProcess[str], outcomes: dict[str, Outcome]
) -> None:
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert outcomes.keys() == manifest().keys()
    assert len(outcomes) >= 70


def test_every_file_ends_as_its_note_asks(outcomes: dict[str, Outcome]) -> None:
    wrong = {}
    for name, one in outcomes.items():
        failed = [page["error"]["code"] for page in one.pages if page["status"] == "failed"]
        expect = one.entry["expect"]
        if expect in FAMILIES:
            good = one.error in FAMILIES[expect] or (one.error is None and set(failed) & FAMILIES[expect])
        elif expect in ("result", "empty_result"):
            good = one.error is None and not failed
        else:
            good = all(code != "internal" for code in [one.error, *failed])
        if not good:
            wrong[name] = (expect, one.error, failed)
    assert wrong == {}


def test_errors_are_typed_and_name_file_and_page(outcomes: dict[str, Outcome]) -> None:
    codes = {error.code for error in all_errors()} - {"internal"}
    for name, one in outcomes.items():
        errors = [(name, one.account["error"])] if one.error else []
        errors += [(f"page {page['page']}", page["error"]) for page in one.pages if page["status"] == "failed"]
        for place, error in errors:
            assert error["code"] in codes
            assert name in error["message"]
            assert place in error["message"]


def test_pages_out_equal_pages_in(outcomes: dict[str, Outcome]) -> None:
    for name, one in outcomes.items():
        if one.error:
            assert (name, one.account["outputs"]) == (name, [])
            continue
        expected = one.entry["pages"] or one.account["source"]["pages"]
        assert (name, [page["page"] for page in one.pages]) == (name, list(range(1, expected + 1)))
        counts = [one.account[status] for status in ("ok", "fallback", "blank", "failed")]
        assert (name, sum(counts), one.account["pages"]) == (name, expected, expected)


def test_no_text_is_invented(outcomes: dict[str, Outcome]) -> None:
    told = {name: one.text for name, one in outcomes.items() if one.entry["expect"] == "empty_result"}
    assert len(told) >= 10
    assert {name: text for name, text in told.items() if len(text) > 3} == {}
    assert len(outcomes["pillow_hopper_bad_exif.jpg"].text) < 30, "a photograph of a face"


def test_the_text_comes_out(outcomes: dict[str, Outcome]) -> None:
    assert {name: outcomes[name].text[:80] for name, words in PHRASES.items() if words not in outcomes[name].text} == {}
    unchecked = {name for name, one in outcomes.items() if one.entry["expect"] == "result"} - PHRASES.keys() - WORDLESS
    assert unchecked == set()


def test_ocr_is_used_where_it_is_needed(outcomes: dict[str, Outcome]) -> None:
    needed = {name for name, one in outcomes.items() if "OCR needed" in one.entry["note"]}
    assert len(needed) >= 3
    for name in needed:
        assert (name, [page["text_source"] for page in outcomes[name].pages]) == (name, ["ocr"])


def test_bold_made_by_drawing_twice_is_not_doubled(outcomes: dict[str, Outcome]) -> None:
    text = outcomes["unstructured_fake-bold-sample.pdf"].text
    assert text.count("BOLD TEXT SAMPLE") == 1
    assert text.count("BBOOLLDD") == 1, "once, where the page itself speaks of it"


@pytest.mark.parametrize(
    ("password", "names", "words"),
    [
        ("1234", ["docling_2206.01062_pg3.pdf"], "DocLayNet"),
        ("view", ["qpdf_enc-R2-V1-U-view-O-view.pdf", "qpdf_enc-XI-R6-V5-U-view-O-master.pdf"], ""),
        ("wrong", ["pypdf_r6-user-password.pdf"], None),
    ],
)
def test_passwords(tmp_path: Path, models_dir: Path, password: str, names: list[str], words: str | None) -> None:
    (tmp_path / "password").write_text(password)
    files = [FOLDER / "files" / name for name in names]
    made = run(tmp_path / "out", *files, "--password-file", tmp_path / "password")
    accounts = json.loads(made.stdout)["inputs"]
    if words is None:
        assert [account["error"]["code"] for account in accounts] == ["password-wrong"]
        return
    assert made.returncode == 0, made.stderr
    for account in accounts:
        pages = json.loads(Path(account["outputs"][0]).read_text("utf-8"))["pages"]
        text = " ".join(block.get("text", "") for page in pages for block in page.get("blocks", []))
        assert len(text) > 10
        assert words in text
