from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image, ImageDraw, ImageFont

from octavo.engines import tesseract_program as program
from octavo.errors import EngineError, EngineMissingError, LanguageMissingError, OutOfMemoryError, UsageError

SRC = Path(__file__).resolve().parents[3] / "src"
WHITE = np.full((100, 300, 3), 255, np.uint8)
HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """What was found out about the program is found out anew, before and after each test."""
    forget()
    yield
    forget()


def forget() -> None:
    for cached in (program.program_version, program.installed, program._program, program._listed):
        cached.cache_clear()


@pytest.fixture
def real() -> None:
    try:
        names = program.installed()
    except EngineMissingError:
        pytest.skip("Tesseract is not installed (Debian: tesseract-ocr)")
    if "eng" not in names:
        pytest.skip("Tesseract has no English data (Debian: tesseract-ocr-eng)")


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a program called tesseract first that runs a shell script when asked to read."""

    def write(reading: str, listing: str = 'List of available languages in "/data/" (2):\neng\nrus\n') -> None:
        script = tmp_path / "bin" / "tesseract"
        script.parent.mkdir(exist_ok=True)
        (tmp_path / "listing").write_text(listing)
        script.write_text(
            "#!/bin/sh\n"
            'case "$1" in\n'
            "--version) echo 'tesseract v9.8.7-dev' >&2; exit 0;;\n"
            f"--list-langs) cat {tmp_path}/listing; exit 0;;\n"
            f"esac\ncat >{tmp_path}/picture\n{reading}\n"
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")

    return write


def answer(*rows: str, text: str = "") -> str:
    """A script that gives these rows of the table and this text."""
    table = "\n".join([HEAD, *rows])
    return f"cat <<'EOT'\n{table}\nEOT\ncat <<'EOT'\n{text}\nEOT"


def word(text: str, place: tuple[int, int, int, int], line: int = 1, conf: str = "96.5") -> str:
    x, y, w, h = place
    return f"5\t1\t1\t1\t{line}\t1\t{x}\t{y}\t{w}\t{h}\t{conf}\t{text}"


def picture(text: str, size: tuple[int, int] = (700, 120), at: tuple[int, int] = (20, 30)) -> np.ndarray:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text(at, text, font=ImageFont.load_default(36), fill="black")
    return np.asarray(image)


# ---- what is installed


def test_without_the_program_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for ask in (program.program_version, program.installed, lambda: program.data_names(("en",))):
        with pytest.raises(EngineMissingError, match="apt-get install tesseract-ocr"):
            ask()


def test_version_and_data_are_told_on_either_channel(scripted: Callable[..., None]) -> None:
    scripted("")
    assert program.program_version() == "9.8.7-dev"
    assert program.installed() == {"eng", "rus"}


def test_names_for_codes(scripted: Callable[..., None]) -> None:
    scripted("")
    assert program.data_names(("auto",)) == "eng"
    assert program.data_names(("ru", "en-GB", "rus")) == "rus+eng"
    with pytest.raises(UsageError, match="klingon"):
        program.data_names(("klingon",))


def test_missing_data_are_told_with_their_packages(
    scripted: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted("")
    with pytest.raises(LanguageMissingError, match=r"apt-get install tesseract-ocr-chi-sim tesseract-ocr-deu$"):
        program.data_names(("zh", "ru", "de"))
    monkeypatch.setenv("TESSDATA_PREFIX", "/nowhere")
    with pytest.raises(LanguageMissingError, match="TESSDATA_PREFIX=/nowhere"):
        program.data_names(("de",))


def test_the_digest_is_over_the_data_of_the_languages(scripted: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "eng.traineddata").write_bytes(b"12345")
    (tmp_path / "rus.traineddata").write_bytes(b"123")
    scripted("", f'List of available languages in "{tmp_path}/" (2):\neng\nrus\n')
    first = program.data_digest("eng")
    assert first.startswith("sha256:")
    assert len({first, program.data_digest("eng+rus"), program.data_digest("rus")}) == 3
    (tmp_path / "rus.traineddata").write_bytes(b"1234")
    assert program.data_digest("eng") == first
    (tmp_path / "eng.traineddata").write_bytes(b"1234")
    assert program.data_digest("eng") != first


def test_old_versions_do_not_tell_where_their_data_lie(scripted: Callable[..., None]) -> None:
    scripted("", "List of available languages (2):\neng\nrus\n")
    assert program.installed() == {"eng", "rus"}
    assert program.data_digest("eng") != program.data_digest("rus")


# ---- what it answers


def test_lines_and_words(scripted: Callable[..., None], tmp_path: Path) -> None:
    rows = [
        "4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t",
        word("Hello", (10, 20, 50, 10)),
        word("world", (70, 18, 40, 14), conf="40"),
        word(" ", (0, 0, 5, 5), line=2, conf="95"),
        word("again", (10, 40, 50, 10), line=3, conf="-1"),
    ]
    scripted("echo 'Estimating resolution as 300' >&2\n" + answer(*rows, text="Hello world\n\nagain"))
    first, second = program.read(WHITE, "eng", 0)
    assert (first.text, first.box) == ("Hello world", (10, 18, 110, 32))
    assert first.words[1] == ("world", (70, 18, 110, 32), 0.4)
    assert first.confidence == pytest.approx((0.965 + 0.4) / 2)
    assert (second.text, second.confidence) == ("again", 0)
    assert (tmp_path / "picture").read_bytes() == b"P6 300 100 255\n" + WHITE.tobytes()


def test_odd_characters(scripted: Callable[..., None]) -> None:
    rows = [
        word('"quo\tted"', (0, 0, 9, 9)),
        word("\u200fשלום\u200e", (10, 0, 9, 9)),
        word("می\u200cخواهم", (20, 0, 9, 9)),
        word("\x01", (30, 0, 9, 9)),
        word("a\u2028b", (40, 0, 9, 9)),
    ]
    scripted(answer(*rows))
    (line,) = program.read(WHITE, "eng", 0)
    assert [text for text, _, _ in line.words] == ['"quo ted"', "שלום", "می\u200cخواهم", "a\u2028b"]


def test_bytes_that_are_no_text(scripted: Callable[..., None]) -> None:
    scripted(f"printf '{HEAD}\\n5\\t1\\t1\\t1\\t1\\t1\\t1\\t2\\t3\\t4\\t50\\tca\\377fe\\n'")
    (line,) = program.read(WHITE, "eng", 0)
    assert line.text == "ca\ufffdfe"


def test_words_are_parted_as_the_text_is(scripted: Callable[..., None]) -> None:
    """In the table, each sign of Thai or Chinese is a word of its own."""
    rows = [
        *(word(sign, (10 + 20 * i, 0, 15, 20)) for i, sign in enumerate("人人生而自由")),
        *(word(sign, (10 + 20 * i, 40, 15, 20), line=2) for i, sign in enumerate("กขคง")),
        *(word(sign, (10 + 20 * i, 80, 15, 20), line=3) for i, sign in enumerate("xyz")),
    ]
    scripted(answer(*rows, text="人人生而自由\n\nกข  คง\nanother text"))
    first, second, third = program.read(WHITE, "eng", 0)
    assert first.words == (("人人生而自由", (10, 0, 125, 20), pytest.approx(0.965)),)
    assert [(text, box) for text, box, _ in second.words] == [("กข", (10, 40, 45, 60)), ("คง", (50, 40, 85, 60))]
    assert third.text == "x y z", "left as it is where the text does not fit"


def test_nothing_on_the_page(scripted: Callable[..., None]) -> None:
    scripted(answer())
    assert program.read(WHITE, "eng", 0) == []


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        ("echo noise >&2; echo 'Error during processing.' >&2; exit 1", EngineError, "noise; Error during processing."),
        ("exit 7", EngineError, "exit code 7"),
        ("echo \"terminate called: 'std::bad_alloc'\" >&2; exit 134", OutOfMemoryError, "memory"),
        ("kill -SEGV $$", EngineError, "ended by signal 11"),
        ("kill -KILL $$", OutOfMemoryError, "memory"),
    ],
)
def test_faults(scripted: Callable[..., None], script: str, error: type[EngineError], words: str) -> None:
    scripted(script)
    with pytest.raises(EngineError) as fault:
        program.read(WHITE, "eng", 0)
    assert type(fault.value) is error
    assert words in fault.value.message


def test_a_program_that_reads_no_picture_is_no_trouble(scripted: Callable[..., None], tmp_path: Path) -> None:
    scripted("")
    script = tmp_path / "bin" / "tesseract"
    script.write_text(script.read_text().replace(f"cat >{tmp_path}/picture", "exit 3"))
    with pytest.raises(EngineError, match="exit code 3"):
        program.read(np.zeros((2000, 2000, 3), np.uint8), "eng", 0)


def test_the_turn_is_taken_from_its_answer(scripted: Callable[..., None]) -> None:
    scripted("printf 'Page number: 0\\nOrientation in degrees: 90\\nRotate: 270\\nOrientation confidence: 2\\n'")
    assert program.turns(WHITE) == 270
    scripted("echo 'Too few characters. Skipping this page' >&2; exit 1")
    assert program.turns(WHITE) == 0


# ---- pictures of all sizes


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 2), (3, 3), (3, 900)])
@pytest.mark.usefixtures("real")
def test_the_smallest_pictures(shape: tuple[int, int]) -> None:
    assert program.read(np.full((*shape, 3), 255, np.uint8), "eng", 0) == []
    assert program.turns(np.full((*shape, 3), 255, np.uint8)) == 0


@pytest.mark.usefixtures("real")
def test_a_picture_longer_than_it_takes_is_read_in_pieces() -> None:
    tall = np.full((33_500, 400, 3), 255, np.uint8)
    places = [100, 16_000, 31_900, 33_300]
    for place in places:
        tall[place : place + 100, :400] = picture("Milestone", (400, 100), (20, 20))
    lines = program.read(tall, "eng", 0)
    assert [line.text for line in lines] == ["Milestone"] * 4
    assert [line.box[1] for line in lines] == pytest.approx([place + 35 for place in places], abs=15)
    assert len({line.block for line in lines}) == 4


def test_pieces_are_cut_where_no_line_is(monkeypatch: pytest.MonkeyPatch, scripted: Callable[..., None]) -> None:
    monkeypatch.setattr(program, "_LONGEST", 640)
    random = np.random.default_rng(1)
    pixels = np.full((1500, 1400, 3), 255, np.uint8)
    inked = [(y, x) for y in range(15, 1440, 60) for x in range(5, 1340, 70)]
    for y, x in inked:
        pixels[y : y + 40, x : x + 50] = random.integers(0, 256, (40, 50, 1))
    pieces = list(program._pieces(pixels))
    assert sum(piece.shape[0] * piece.shape[1] for _, _, piece in pieces) == 1500 * 1400
    assert all(max(piece.shape[:2]) <= 640 for _, _, piece in pieces)
    assert all(np.array_equal(piece, pixels[y : y + len(piece), x : x + piece.shape[1]]) for x, y, piece in pieces)
    for y, x in inked:
        whole = [p for left, top, p in pieces if top <= y and y + 40 <= top + len(p)]
        assert whole, f"the line at {y} is cut"
        assert [p for left, top, p in pieces if left <= x and x + 50 <= left + p.shape[1]], f"the word at {x} is cut"


# ---- the real program


@pytest.mark.usefixtures("real")
def test_a_line_is_read_where_it_stands() -> None:
    (line,) = program.read(picture("Hello 2026 world"), "eng", 200)
    assert line.text == "Hello 2026 world"
    assert 15 <= line.box[0] <= 30
    assert line.confidence > 0.8
    assert [text for text, _, _ in line.words] == ["Hello", "2026", "world"]


@pytest.mark.usefixtures("real")
def test_the_folder_of_data_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    assert program.read(picture("Hello"), program.data_names(("en",)), 0)[0].text == "Hello"
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    forget()
    with pytest.raises(LanguageMissingError, match=f"TESSDATA_PREFIX={tmp_path}"):
        program.data_names(("en",))


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("end", [os.killpg, os.kill])
def test_no_process_outlives_the_worker(
    scripted: Callable[..., None], tmp_path: Path, end: Callable[[int, int], None]
) -> None:
    """However the worker ends: killed with its group for taking too long, or alone, when its parent has died."""
    scripted(f"echo $$ >{tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; sleep 60 & wait")
    if end is os.kill and program._program() == ("tesseract",):
        pytest.skip("setpriv of util-linux is not here")
    code = (
        "import numpy as np; from octavo.engines import tesseract_program as p;"
        "p.read(np.full((99, 99, 3), 255, np.uint8), 'eng', 0)"
    )
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    worker = subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "pid").exists():
            assert worker.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        child = int((tmp_path / "pid").read_text())
        assert os.getpgid(child) == worker.pid, "it belongs to the worker's group"
        end(worker.pid, signal.SIGKILL)
        worker.wait(30)
        while alive(child):
            assert time.monotonic() < until, "Tesseract reads on"
            time.sleep(0.02)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(30)
