"""The real command with the real engine on the examples: what comes out is what examples/report.md says."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pypdfium2
import pytest
from rapidfuzz.distance import Indel

from scripted import command, write_pdf

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FORMATS = ("md", "json", "html", "txt")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
RULE = re.compile(r"^\| ---.*\n", re.MULTILINE)
# The words in the chart are not in report.md; a header that is repeated in a table's second part is.
CHART = re.compile(r"(?<=had fallen by half\.).*?(?=Figure 1\.)", re.DOTALL)


@dataclass(frozen=True)
class Reading:
    account: dict[str, Any]
    markdown: str
    document: dict[str, Any]
    html: str
    text: str


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Other tests must not have filled it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCTAVO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def octavo(source: Path, out: Path) -> dict[str, Any]:
    """Convert to all formats in the folder `out`; the run's account."""
    arguments = ("convert", source, "-o", f"{out}/", "--format", ",".join(FORMATS), "--json", "--quiet")
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    account: dict[str, Any] = json.loads(done.stdout)
    return account


@pytest.fixture(scope="module")
def read(_own_cache: None, models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Reading]:
    """Reads an example, each once; they share a page cache."""
    folder = tmp_path_factory.mktemp("examples")
    readings: dict[str, Reading] = {}

    def reading(name: str) -> Reading:
        if name not in readings:
            account = octavo(EXAMPLES / name, folder)
            made = [(folder / name).with_suffix(f".{form}").read_text(encoding="utf-8") for form in FORMATS]
            readings[name] = Reading(account, made[0], json.loads(made[1]), *made[2:])
        return readings[name]

    return reading


@pytest.fixture(params=["report-scan.pdf", "report-digital.pdf"])
def report(request: pytest.FixtureRequest, read: Callable[[str], Reading]) -> Reading:
    return read(request.param)


def words(markdown: str) -> list[str]:
    """Words, numbers and Chinese characters in order, without marks of Markdown."""
    return re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", RULE.sub("", COMMENT.sub("", markdown)).casefold())


def wanted() -> str:
    return (EXAMPLES / "report.md").read_text(encoding="utf-8")


def chinese(found: list[str]) -> list[str]:
    return [word for word in found if "\u3400" <= word[0] <= "\u9fff"]


def test_every_word_is_there_and_in_order(report: Reading) -> None:
    found, expected = words(CHART.sub("\n", report.markdown)), words(wanted())
    assert len(expected) > 2000
    # Both are read at .999 and all of the Chinese; the rest is the table's header row, which comes twice.
    assert Indel.normalized_similarity(found, expected) >= 0.985
    assert Indel.normalized_similarity(chinese(found), chinese(expected)) >= 0.985


def test_columns_are_read_one_after_the_other(report: Reading) -> None:
    """The second page: the end of the left column, the beginning of the right one, and a heading in each."""
    passages = [
        "1.1 Luoyang",
        "1.2 Samarkand and Baghdad",
        "hammers",
        "Baghdad built",
        "1.3 Fabriano",
        "Philadelphia in 1690",
    ]
    places = [report.markdown.index(passage) for passage in passages]
    assert places == sorted(places)


def test_every_row_of_every_table_is_there(report: Reading) -> None:
    expected = [line for line in wanted().splitlines() if line.startswith("| ")]
    rows = [line for line in report.markdown.splitlines() if line.startswith("| ")]
    assert len(expected) == 30
    assert [row for row in expected if row not in rows] == []


def test_running_headers_and_page_numbers_are_left_out_but_known(report: Reading) -> None:
    assert report.markdown.count("From Rags to Reams") == 1  # the title
    assert len(re.findall("a short history of paper", report.markdown, re.IGNORECASE)) == 1  # the subtitle
    assert not re.search(r"^\d+$", CHART.sub("", report.markdown), re.MULTILINE)
    for page in report.document["pages"][1:]:
        kinds = {"header": "", "page_number": ""}
        for block in page["blocks"]:
            if block["kind"] in kinds:
                kinds[block["kind"]] += block["text"] + " "
        assert kinds == {"header": "From Rags to Reams A short history of paper ", "page_number": f"{page['page']} "}


def test_the_json_is_as_published(report: Reading) -> None:
    schema = json.loads((ROOT / "docs" / "schema" / "document-1.1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(report.document)
    assert [page["page"] for page in report.document["pages"]] == [1, 2, 3, 4, 5, 6]
    assert report.document["summary"] == {"pages": 6, "ok": 6}


def test_all_formats_say_the_same(report: Reading) -> None:
    assert [len(piece) > 500 for piece in report.text.split("\f")] == [True] * 6
    assert re.findall(r'<section class="page" id="page-(\d)"', report.html) == list("123456")
    for passage in ("two hundred years before", "The Hollander beater replaces the stampers", "洁白细密"):
        forms = [" ".join(form.split()) for form in (report.markdown, report.text, report.html)]
        assert [passage in form for form in forms] == [passage in " ".join(wanted().split())] * 3


def test_each_page_tells_how_it_was_read(read: Callable[[str], Reading]) -> None:
    scan = read("report-scan.pdf").document["pages"]
    assert [page["text_source"] for page in scan] == ["ocr"] * 6
    assert [page.get("rotation", 0) for page in scan] == [0, 0, 0, 270, 0, 0]
    assert (scan[3]["width"] > scan[3]["height"], scan[2]["width"] > scan[2]["height"]) == (True, False)
    assert {page["stamp"]["settings"]["tier"] for page in scan} == {"standard"}
    digital = read("report-digital.pdf").document["pages"]
    assert [page["text_source"] for page in digital] == ["text-layer"] * 6
    assert [page.get("rotation", 0) for page in digital] == [0] * 6


def test_boxes_lie_where_the_lines_are(read: Callable[[str], Reading]) -> None:
    """The scan's pages are the digital ones, moved by the scanner by a few points, page 4 apart."""

    def lines(name: str) -> dict[tuple[int, str], list[float]]:
        pages = [page for page in read(name).document["pages"] if page["page"] != 4]
        return {
            (page["page"], line["text"]): line["box"]
            for page in pages
            for block in page["blocks"]
            for line in block.get("lines", ())
            if len(line["text"]) > 10
        }

    scanned, printed = lines("report-scan.pdf"), lines("report-digital.pdf")
    shared = scanned.keys() & printed.keys()
    assert len(shared) > 0.8 * len(printed)
    assert [key for key in shared for a, b in zip(scanned[key], printed[key], strict=True) if abs(a - b) > 12] == []


def test_a_second_run_is_answered_from_the_cache(read: Callable[[str], Reading], tmp_path: Path) -> None:
    first = read("report-scan.pdf")
    assert first.account["inputs"][0]["cached_pages"] == 0
    assert octavo(EXAMPLES / "report-scan.pdf", tmp_path)["inputs"][0]["cached_pages"] == 6
    pages = json.loads((tmp_path / "report-scan.json").read_text(encoding="utf-8"))["pages"]
    assert [page["usage"]["cached"] for page in pages] == [True] * 6
    assert (tmp_path / "report-scan.md").read_text(encoding="utf-8") == first.markdown


def test_one_more_page_costs_one_page(read: Callable[[str], Reading], tmp_path: Path) -> None:
    read("report-scan.pdf")
    longer = tmp_path / "longer.pdf"
    added = write_pdf(tmp_path / "added.pdf", ["and it is new"])
    with pypdfium2.PdfDocument(EXAMPLES / "report-scan.pdf") as scan, pypdfium2.PdfDocument(added) as new:
        scan.import_pages(new)
        scan.save(longer)
    account = octavo(longer, tmp_path / "out")["inputs"][0]
    assert (account["pages"], account["ok"], account["cached_pages"]) == (7, 7, 6)
