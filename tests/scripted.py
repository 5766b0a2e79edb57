"""Documents that tell the fake engine what to do, and the command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas


def write_pdf(path: Path, pages: Sequence[str]) -> Path:
    """A PDF with one page per text; each begins with its number, so that no two pages are the same."""
    canvas = Canvas(os.fspath(path), pagesize=(300, 200))
    for number, text in enumerate(pages, 1):
        for line, words in enumerate([f"this is page {number}", *text.splitlines()]):
            canvas.drawString(20, 160 - 20 * line, words)
        canvas.showPage()
    canvas.save()
    return path


def command(*arguments: str | Path) -> list[str]:
    """What starts the command; for `subprocess`."""
    return [sys.executable, "-m", "octavo", *map(str, arguments)]


def convert(*arguments: str | Path, environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`octavo convert` with the fake engine, to its end."""
    return subprocess.run(
        command("convert", "--engine", "fake", *arguments),
        capture_output=True,
        text=True,
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


def wait_for(what: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until `what` is true; fails when that takes too long."""
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


def lines(path: Path) -> list[str]:
    """The lines of a file that may not be there yet."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
