"""Processes that are killed: workers, the command, the script that called us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from scripted import command, lines, wait_for, write_pdf


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "OCTAVO_DATA_DIR": str(tmp_path / "data"),
        "OCTAVO_WORKERS": "1",
        "FAKE_ENGINE_LOG": str(tmp_path / "read.log"),
    }


def start(environ: dict[str, str], *arguments: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command("convert", "--engine", "fake", *arguments), env=environ, stderr=subprocess.DEVNULL)


def workers_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children()


def gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


def test_a_killed_conversion_goes_on_where_it_stopped(tmp_path: Path, environ: dict[str, str]) -> None:
    book = write_pdf(tmp_path / "book.pdf", [*[""] * 6, "fake: hang 1", "", ""])
    out, log = tmp_path / "out" / "book.md", tmp_path / "read.log"
    first = start(environ, book, "-o", out)
    wait_for(lambda: len(lines(log)) == 7)
    workers = workers_of(first)
    first.kill()
    first.wait()
    assert len(workers) == 1
    wait_for(lambda: gone(workers))
    assert not out.exists()

    assert start(environ, book, "-o", out).wait(60) == 0
    assert [path.name for path in out.parent.iterdir()] == ["book.md"]
    read = [line.split(" | ")[0] for line in lines(log)]
    assert sorted(read) == sorted([*(f"this is page {number}" for number in range(1, 10)), "this is page 7"])
    text = out.read_text(encoding="utf-8")
    assert [text.count(f"this is page {number}") for number in range(1, 10)] == [1] * 9


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_the_workers_and_leaves_no_half_file(
    tmp_path: Path, environ: dict[str, str], sign: signal.Signals
) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["", "", "fake: hang", ""])
    out = tmp_path / "out"
    process = start(environ, book, "-o", out, "--format", "md,json")
    wait_for(lambda: len(lines(tmp_path / "read.log")) == 3 and out.is_dir() and len(list(out.iterdir())) == 2)
    workers = workers_of(process)
    process.send_signal(sign)
    assert process.wait(30) == 130
    assert gone(workers)
    assert list(out.iterdir()) == []


def test_a_worker_killed_from_outside_costs_one_attempt(tmp_path: Path, environ: dict[str, str]) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["", "fake: hang 1", ""])
    process = start(environ, book, "-o", tmp_path / "book.md")
    wait_for(lambda: len(lines(tmp_path / "read.log")) == 2)
    workers_of(process)[0].kill()
    assert process.wait(60) == 0
    assert "this is page 2" in (tmp_path / "book.md").read_text(encoding="utf-8")


SCRIPT = """
import sys, threading
import octavo
from octavo.settings import load

def work():
    with octavo.convert(sys.argv[1], engine="fake") as conversion:
        print([page.page for page in conversion], flush=True)

thread = threading.Thread(target=work)
thread.start()
thread.join()
work()
"""


def test_a_plain_script_needs_no_main_guard_and_may_use_a_thread(tmp_path: Path, environ: dict[str, str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "random.py").write_text("raise RuntimeError('a stranger in the folder')", encoding="utf-8")
    book = write_pdf(tmp_path / "book.pdf", ["", ""])
    done = subprocess.run(
        [sys.executable, "-P", str(script), str(book)],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[1, 2]\n[1, 2]\n", "")


def test_workers_end_when_the_calling_script_is_killed(tmp_path: Path, environ: dict[str, str]) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["fake: hang", "fake: hang"])
    script = "import sys, octavo; list(octavo.convert(sys.argv[1], engine='fake', workers=2))"
    process = subprocess.Popen([sys.executable, "-c", script, str(book)], env=environ)
    wait_for(lambda: len(lines(tmp_path / "read.log")) == 2)
    workers = workers_of(process)
    process.kill()
    process.wait()
    assert len(workers) == 2
    wait_for(lambda: gone(workers))


def test_a_conversion_left_early_stops_its_workers(tmp_path: Path, environ: dict[str, str]) -> None:
    book = write_pdf(tmp_path / "book.pdf", ["", "fake: hang", ""])
    script = (
        "import sys, octavo, psutil\n"
        "conversion = octavo.convert(sys.argv[1], engine='fake')\n"
        "print(next(conversion).page, len(psutil.Process().children()))\n"
        "conversion.close()\n"
        "print(len(psutil.Process().children()), list(conversion))\n"
        "left = octavo.convert(sys.argv[1], engine='fake')\n"
        "del left\n"
        "print(len(psutil.Process().children()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(book)], env=environ, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("1 1\n0 []\n0\n", "")
