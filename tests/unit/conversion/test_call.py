from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

import octavo
from octavo.document import PageStatus
from octavo.errors import DiskFullError, StorageError, TooManyPagesError, UnreadableError, UsageError
from octavo.settings import Settings
from scripted import write_pdf


@pytest.fixture
def fake(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path / "data"), engine="fake", workers=2)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "book.pdf", ["one", "two", "fake: blank", "fake: raise"])


def test_pages_come_in_order_with_source_and_summary(book: Path, fake: Settings) -> None:
    with octavo.convert(book, settings=fake) as conversion:
        assert (conversion.source.name, conversion.source.pages) == ("book.pdf", 4)
        assert list(conversion.pages) == [1, 2, 3, 4]
        assert conversion.summary is None
        pages = list(conversion)
    assert [page.page for page in pages] == [1, 2, 3, 4]
    assert [page.status.value for page in pages] == ["ok", "ok", "blank", "failed"]
    assert pages[0].blocks[0].text == "this is page 1\none"
    assert pages[0].stamp is not None
    assert pages[0].stamp.engine == "fake"
    assert conversion.summary is not None
    assert dataclasses.astuple(Totals.of(conversion.summary)) == (4, 2, 1, 1)
    assert list(conversion) == []


@dataclasses.dataclass
class Totals:
    pages: int
    ok: int
    blank: int
    failed: int

    @classmethod
    def of(cls, summary: octavo.document.Summary) -> Totals:
        return cls(summary.pages, summary.ok, summary.blank, summary.failed)


def test_a_range_and_other_settings(book: Path, fake: Settings) -> None:
    pages = list(octavo.convert(str(book), pages="2-3", settings=fake, tier="fast", text_layer="never"))
    assert [page.page for page in pages] == [2, 3]
    assert pages[0].stamp is not None
    assert pages[0].stamp.settings["tier"] == "fast"
    assert pages[0].blocks[0].text.startswith("picture 833x556")  # 300 x 200 pt at 200 dpi


def test_a_changed_page_costs_one_page(tmp_path: Path, fake: Settings) -> None:
    texts = [f"text {number}" for number in range(6)]
    list(octavo.convert(write_pdf(tmp_path / "first.pdf", texts), settings=fake))
    texts[3] = "changed"
    second = list(octavo.convert(write_pdf(tmp_path / "second.pdf", [*texts, "new"]), settings=fake))
    assert [page.page for page in second if not page.usage.cached] == [4, 7]
    assert "changed" in second[3].blocks[0].text


def test_the_cache_can_be_turned_off(tmp_path: Path, book: Path, fake: Settings) -> None:
    fake = dataclasses.replace(fake, cache_mb=0)
    for _ in range(2):
        assert not any(page.usage.cached for page in octavo.convert(book, settings=fake))
    assert not (tmp_path / "data").exists()


def test_other_settings_do_not_share_results(book: Path, fake: Settings) -> None:
    list(octavo.convert(book, pages="1", settings=fake))
    assert [page.usage.cached for page in octavo.convert(book, pages="1", settings=fake)] == [True]
    for change in ({"tier": "fast"}, {"dpi": 150}, {"lang": "rus"}, {"text_layer": "never"}):
        pages = octavo.convert(book, pages="1", settings=fake, **change)  # type: ignore[arg-type]
        assert [page.usage.cached for page in pages] == [False]


def test_errors_come_at_the_call(tmp_path: Path, book: Path, fake: Settings) -> None:
    with pytest.raises(UnreadableError, match=r"nowhere\.pdf"):
        octavo.convert(tmp_path / "nowhere.pdf", settings=fake)
    with pytest.raises(UsageError, match="page 9"):
        octavo.convert(book, pages="9", settings=fake)
    with pytest.raises(UsageError, match="tier"):
        octavo.convert(book, settings=fake, tier="huge")
    with pytest.raises(TooManyPagesError, match="limit is 3"):
        octavo.convert(book, settings=dataclasses.replace(fake, max_pages=3))


def test_files_are_written(tmp_path: Path, book: Path, fake: Settings) -> None:
    summary = octavo.convert(book, pages="1-2", settings=fake).write(tmp_path / "book.md", tmp_path / "book.json")
    assert (summary.pages, summary.ok) == (2, 2)
    assert "this is page 2" in (tmp_path / "book.md").read_text(encoding="utf-8")
    assert '"this is page 1' in (tmp_path / "book.json").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="format"):
        octavo.convert(book, settings=fake).write(tmp_path / "book.doc")
    with pytest.raises(StorageError):
        octavo.convert(book, settings=fake).write(book / "book.md")


def test_a_full_disk_ends_the_conversion(book: Path, fake: Settings) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(DiskFullError):
        octavo.convert(book, settings=fake).write(full, format="txt")


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path: Path, fake: Settings) -> None:
    book = write_pdf(tmp_path / "book.pdf", [""] * 40)
    fake = dataclasses.replace(fake, workers=1, worker_pages=5)  # a fresh worker opens the file again
    conversion = octavo.convert(book, settings=fake)
    write_pdf(book, ["other"] * 40)
    pages = list(conversion)
    assert len(pages) == 40
    assert pages[-1].status is PageStatus.FAILED
    assert pages[-1].error is not None
    assert "changed while it was read" in pages[-1].error.message


def test_the_parent_stays_light(book: Path, fake: Settings) -> None:
    script = (
        "import sys, octavo\n"
        f"pages = list(octavo.convert({str(book)!r}, engine='fake', pages='1-2'))\n"
        "heavy = {'numpy', 'PIL', 'cv2', 'pypdfium2', 'onnxruntime', 'openvino'}\n"
        "print(len(pages), sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("2 []\n", "")


def test_writing_never_loses_the_document_or_pages(book: Path, fake: Settings, tmp_path: Path) -> None:
    before = book.read_bytes()
    with pytest.raises(UsageError, match="the document itself"):
        octavo.convert(book, settings=fake).write(book, format="md")
    assert book.read_bytes() == before
    with pytest.raises(UsageError, match="name each once"):
        octavo.convert(book, settings=fake).write(tmp_path / "a.md", tmp_path / "a.md")
    conversion = octavo.convert(book, settings=fake)
    next(conversion)
    with pytest.raises(UsageError, match="given out"):
        conversion.write(tmp_path / "late.md")
    conversion.close()
    with pytest.raises(UsageError, match="closed"):
        conversion.write(tmp_path / "closed.md")
    assert not list(tmp_path.glob("*.md"))
