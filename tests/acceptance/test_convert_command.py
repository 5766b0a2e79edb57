"""`octavo convert` as people type it: a process of its own, files in, files and an exit code out."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import termios
from pathlib import Path
from typing import Any

import pytest

from scripted import command, convert, lines, write_pdf

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "book.pdf", ["first", "second", "third"])


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def account(output: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(output)
    return found


def test_one_document_to_one_file(tmp_path: Path, book: Path) -> None:
    done = convert(book, "-o", tmp_path / "new" / "out.txt")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = (tmp_path / "new" / "out.txt").read_text(encoding="utf-8")
    assert [page.split()[-1] for page in text.split("\f")] == ["first", "second", "third"]  # fmt: skip
    assert names(tmp_path / "new") == ["out.txt"]


def test_a_named_format_wins_over_the_suffix(tmp_path: Path, book: Path) -> None:
    assert convert(book, "-o", tmp_path / "out.txt", "--format", "json").returncode == 0
    document = json.loads((tmp_path / "out.txt").read_text(encoding="utf-8"))
    assert len(document["pages"]) == 3


def test_several_formats_go_to_a_folder(tmp_path: Path, book: Path) -> None:
    assert convert(book, "-o", tmp_path / "out", "--format", "md,json,html,txt").returncode == 0
    assert names(tmp_path / "out") == ["book.html", "book.json", "book.md", "book.txt"]
    for name in names(tmp_path / "out"):
        assert "this is page 2" in (tmp_path / "out" / name).read_text(encoding="utf-8")


def test_standard_output(book: Path) -> None:
    done = convert(book, "-o", "-", "--pages", "2-", "--format", "txt")
    assert done.returncode == 0
    assert "first" not in done.stdout
    assert done.stdout.index("second") < done.stdout.index("third")


def test_folders_keep_their_shape_and_names_do_not_collide(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    for place in ("a/x.pdf", "b/x.pdf", "b/ü目.pdf"):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write_pdf(folder / place, [place.partition("/")[0]])
    (folder / "b" / "x.txt").write_text("plain words", encoding="utf-8")
    assert convert(folder, "-o", tmp_path / "out").returncode == 0
    assert names(tmp_path / "out") == ["a/x.md", "b/x.pdf.md", "b/x.txt.md", "b/ü目.md"]
    assert "plain words" in (tmp_path / "out" / "b" / "x.txt.md").read_text(encoding="utf-8")

    assert convert(folder / "a" / "x.pdf", folder / "b" / "x.pdf", "-o", tmp_path / "flat").returncode == 0
    written = [tmp_path / "flat" / name for name in names(tmp_path / "flat")]
    assert sorted(path.read_text(encoding="utf-8").split()[-1] for path in written) == ["a", "b"]


def test_a_long_name_in_any_script(tmp_path: Path) -> None:
    name = "書" * 83 + "xy.pdf"
    assert len(os.fsencode(name)) == 255
    write_pdf(tmp_path / name, ["long"])
    assert convert(tmp_path / name, "-o", f"{tmp_path / 'out'}/", "--format", "json").returncode == 0
    (written,) = names(tmp_path / "out")
    assert json.loads((tmp_path / "out" / written).read_text(encoding="utf-8"))["source"]["name"] == name


def test_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9.pdf")
    try:
        write_pdf(odd, ["odd"])
    except OSError:
        pytest.skip("this file system wants Unicode names")
    done = convert(odd, "-o", tmp_path / "out.json", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert account(done.stdout)["inputs"][0]["pages"] == 1


def test_the_account(tmp_path: Path) -> None:
    mixed = write_pdf(tmp_path / "mixed.pdf", ["", "fake: raise", "fake: blank"])
    (tmp_path / "broken.pdf").write_bytes(b"not a document\0\1\2" * 40)
    out = tmp_path / "out"
    done = convert(mixed, tmp_path / "broken.pdf", "-o", out, "--json", "--format", "md,txt")
    assert done.returncode == 1
    report = account(done.stdout)
    first, second = report["inputs"]
    assert (first["pages"], first["ok"], first["blank"], first["failed"]) == (3, 1, 1, 1)
    assert first["source"]["name"] == "mixed.pdf"
    assert first["outputs"] == [str(out / "mixed.md"), str(out / "mixed.txt")]
    assert [(page["page"], page["code"]) for page in first["failed_pages"]] == [(2, "internal")]
    assert "mixed.pdf, page 2" in first["failed_pages"][0]["message"]
    assert first["cached_pages"] == 0
    assert first["error"] is None
    assert second["error"]["code"] == "unreadable"
    assert second["outputs"] == []
    assert (report["pages"], report["failed"], report["refused"]) == (3, 1, 1)
    assert "mixed.pdf: 1 of 3 pages failed: 2 (internal)" in done.stderr
    assert "broken.pdf" in done.stderr
    assert names(out) == ["mixed.md", "mixed.txt"]

    again = account(convert(mixed, "-o", out, "--json", "--format", "md,txt").stdout)
    assert again["inputs"][0]["cached_pages"] == 2


def test_pages_read_with_little_confidence_are_named(tmp_path: Path) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["", "fake: unsure", ""])
    done = convert(book, "-o", tmp_path / "out.json", "--json")
    assert done.returncode == 0
    assert account(done.stdout)["inputs"][0]["review_pages"] == [2]
    assert "1 of 3 pages were read with low confidence: 2" in done.stderr
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["summary"]["review_pages"] == [2]


def test_pages_are_drawn_with_what_was_found(tmp_path: Path, book: Path) -> None:
    done = convert(book, "-o", tmp_path / "out.txt", "--pages", "2-3", "--debug-overlay", tmp_path / "drawn")
    assert (done.returncode, done.stderr) == (0, "")
    assert names(tmp_path / "drawn") == ["book-p0002.png", "book-p0003.png"]
    picture = (tmp_path / "drawn" / "book-p0002.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    (tmp_path / "drawn" / "book-p0002.png").unlink()
    again = convert(book, "-o", tmp_path / "out.txt", "--pages", "2", "--debug-overlay", tmp_path / "drawn", "--json")
    assert account(again.stdout)["inputs"][0]["cached_pages"] == 1
    assert (tmp_path / "drawn" / "book-p0002.png").read_bytes() == picture  # from the cache as well


def test_tables_become_files_of_their_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = convert(EXAMPLES / "report.md", "-o", out / "report.md", "--engine", "pipeline", "--tables", out / "tables")
    assert (done.returncode, done.stderr) == (0, "")
    files = names(out / "tables")
    assert files[-1] == "report-tables.xlsx"
    assert len(files) > 2
    first = (out / "tables" / files[0]).read_text(encoding="utf-8")
    assert first.startswith("Year,Place,Event,Fibre\n105,Luoyang,")


def test_a_folder_for_drawings_that_cannot_be_made(tmp_path: Path, book: Path) -> None:
    done = convert(book, "-o", tmp_path / "out.txt", "--debug-overlay", book / "drawn")
    assert done.returncode == 2
    assert "cannot be made a folder" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["{tmp}/gone.pdf", "-o", "{tmp}/out.md"], 3, "gone.pdf does not exist"),
        (["{tmp}/empty.pdf", "-o", "{tmp}/out.md"], 3, "empty"),
        (["{tmp}/gone.pdf", "{tmp}/empty.pdf", "-o", "{tmp}/out"], 3, "empty.pdf"),
        (["{tmp}/empty", "-o", "{tmp}/out"], 3, "holds no document"),
        (["{book}", "-o", "{tmp}/out.md", "--pages", "7"], 2, "page 7"),
        (["{book}", "-o", "{tmp}/out.md", "--pages", "x"], 2, "not a page range"),
        (["{book}", "-o", "{tmp}/out.md", "--format", "docx"], 2, "docx"),
        (["{book}", "-o", "{tmp}/out.md", "--format", "md,txt"], 2, "give -o a folder"),
        (["{book}", "-o", "-", "--format", "md,txt"], 2, "standard output"),
        (["{book}", "-o", "-", "--json"], 2, "standard output"),
        (["{book}", "-o", "{book}", "--format", "md"], 2, "overwritten"),
        (["{book}", "-o", "{book}", "--format", "md,txt"], 2, "is a file"),
        (["{book}", "-o", "{book}/out.md"], 5, "cannot be written"),
        (["{book}", "-o", "{tmp}/out.md", "--engine", "nonesuch"], 2, "no engine 'nonesuch'"),
        (["{book}", "-o", "{tmp}/out.md", "--tier", "huge"], 2, "huge"),
        (["{book}", "-o", "{tmp}/out.md", "--workers", "many"], 2, "workers"),
        (["{book}", "-o", "{tmp}/out.md", "--password-file", "{tmp}/gone"], 2, "password file"),
        (["{book}"], 2, "--out"),
    ],
)
def test_what_cannot_be_done_is_told(tmp_path: Path, book: Path, arguments: list[str], code: int, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.pdf").touch()
    before = book.read_bytes()
    done = convert(*(word.format(tmp=tmp_path, book=book) for word in arguments))
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert book.read_bytes() == before
    assert not (tmp_path / "out.md").exists()


def test_missing_weights_end_the_command_with_their_own_code(tmp_path: Path, book: Path) -> None:
    done = convert(book, "-o", tmp_path / "out.md", environ={"FAKE_ENGINE_START": "missing"})
    assert done.returncode == 4
    assert "octavo models pull" in done.stderr
    assert names(tmp_path) == ["book.pdf"]


def test_a_full_disk_ends_the_command_with_its_own_code(book: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = convert(book, "-o", "/dev/full", "--format", "txt")
    assert done.returncode == 5
    assert "free space" in done.stderr


def test_a_document_does_not_overwrite_its_own_source(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# precious", encoding="utf-8")
    assert convert(notes, "-o", tmp_path).returncode == 2
    assert notes.read_text(encoding="utf-8") == "# precious"


def test_the_password_comes_from_a_file_or_from_standard_input(tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    locked = tmp_path / "locked.pdf"
    canvas = Canvas(str(locked), encrypt=StandardEncryption("sésame", "owner", strength=128))
    canvas.drawString(20, 100, "a secret")
    canvas.save()
    (tmp_path / "password").write_text("sésame\nand more\n", encoding="utf-8")

    refused = convert(locked, "-o", tmp_path / "out.txt")
    assert refused.returncode == 3
    assert "password" in refused.stderr
    assert convert(locked, "-o", tmp_path / "a.txt", "--password-file", tmp_path / "password").returncode == 0
    assert "a secret" in (tmp_path / "a.txt").read_text(encoding="utf-8")
    (tmp_path / "password").write_text("wrong", encoding="utf-8")
    assert convert(locked, "-o", tmp_path / "b.txt", "--password-file", tmp_path / "password").returncode == 3
    told = subprocess.run(
        command("convert", "--engine", "fake", locked, "-o", tmp_path / "c.txt", "--password-file", "-"),
        input="sésame\n".encode(),
        timeout=60,
    )
    assert told.returncode == 0
    assert "a secret" in (tmp_path / "c.txt").read_text(encoding="utf-8")


def test_a_closed_pipe_ends_the_command_quietly(tmp_path: Path) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["word " * 60] * 60)
    process = subprocess.Popen(
        command("convert", "--engine", "fake", book, "-o", "-", "--format", "json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(60) == 141


def test_the_second_run_reads_nothing_again(tmp_path: Path, book: Path) -> None:
    environ = {"FAKE_ENGINE_LOG": str(tmp_path / "read.log"), "OCTAVO_CACHE_DIR": str(tmp_path / "cache")}
    for name in ("a.md", "b.md"):
        assert convert(book, "-o", tmp_path / name, environ=environ).returncode == 0
    assert len(lines(tmp_path / "read.log")) == 3
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()


def test_a_real_scan_with_real_weights(tmp_path: Path, models_dir: Path) -> None:
    scan = EXAMPLES / "report-scan.pdf"
    if not scan.exists():
        pytest.skip("the example scan is not there yet")
    out = tmp_path / "out"
    done = subprocess.run(
        command("convert", scan, "-o", out, "--format", "md,json", "--tier", "fast", "--pages", "1-2", "--json"),
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    (entry,) = account(done.stdout)["inputs"]
    assert (entry["pages"], entry["ok"], entry["failed"]) == (2, 2, 0)
    document = json.loads((out / "report-scan.json").read_text(encoding="utf-8"))
    assert [page["page"] for page in document["pages"]] == [1, 2]
    assert all(page["stamp"]["engine"] == "pipeline" and page["blocks"] for page in document["pages"])
    assert len((out / "report-scan.md").read_text(encoding="utf-8").split()) > 100


def test_a_terminal_gets_a_progress_bar(tmp_path: Path) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["", "fake: raise", ""])
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 120))
    process = subprocess.Popen(command("convert", "--engine", "fake", book, "-o", tmp_path / "a.md"), stderr=theirs)
    os.close(theirs)
    shown = bytearray()
    with contextlib.suppress(OSError):  # how Linux tells that the other side has been closed
        while piece := os.read(ours, 4096):
            shown += piece
    os.close(ours)
    assert process.wait(60) == 1
    text = shown.decode()
    assert "3/3" in text
    assert "1 failed" in text
    assert "1 of 3 pages failed: 2 (internal)" in text
    quiet = convert(book, "-o", tmp_path / "b.md", "--quiet")
    assert "3/3" not in quiet.stderr
    assert "1 of 3 pages failed" in quiet.stderr


def test_results_among_the_documents_are_refused(tmp_path: Path) -> None:
    write_pdf(tmp_path / "a.pdf", ["one"])
    done = convert(tmp_path, "-o", tmp_path)
    assert done.returncode == 2
    assert "holds the documents" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]


def test_warnings_are_told(tmp_path: Path) -> None:
    text = tmp_path / "old.txt"
    text.write_bytes("Straße und Übung".encode("cp1252"))
    done = convert(text, "-o", tmp_path / "old.md")
    assert done.returncode == 0
    assert "octavo: warning: old.txt, page 1:" in done.stderr
