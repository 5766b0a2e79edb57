"""What README.md and docs/quickstart.md tell people to type works, and what they say comes out does."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/quickstart.md")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# These change the machine or need a network. What they do is what `make setup` does, which has run before the tests.
NOT_RUN = ("python3 -m venv ", ".venv/bin/pip install ", ".venv/bin/octavo models pull", "git clone ", "sudo apt-get ")


class Fenced(NamedTuple):
    page: str
    language: str
    text: str


def _fenced() -> Iterator[Fenced]:
    for page in PAGES:
        for language, text in FENCE.findall((ROOT / page).read_text(encoding="utf-8")):
            yield Fenced(page, language, text)


BLOCKS = list(_fenced())
LINES = [line for block in BLOCKS if block.language == "sh" for line in block.text.splitlines()]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.fixture(scope="module")
def desk(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader has it: the examples, and a document called book.pdf."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copy(ROOT / "examples" / "report-digital.pdf", folder / "book.pdf")
    return folder


def run(command: list[str], desk: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=desk, capture_output=True, text=True, timeout=240, check=False)


def test_every_shell_command_works(desk: Path) -> None:
    """In the order of the pages, for later ones may use what earlier ones wrote."""
    ran = 0
    for line in LINES:
        program, *arguments = shlex.split(line, comments=True) or [""]
        if program == "make":
            assert set(arguments) <= TARGETS, line
        elif program == ".venv/bin/octavo" and not line.startswith(NOT_RUN):
            done = run([sys.executable, "-m", "octavo", *arguments], desk)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            ran += 1
        else:
            assert not program or line.startswith(NOT_RUN), f"neither run by this test nor known to be left out: {line}"
    assert ran > 5


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "python"], ids=lambda block: block.page)
def test_the_python_examples_work(block: Fenced, desk: Path) -> None:
    done = run([sys.executable, "-W", "error", "-c", block.text], desk)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_the_sample_is_what_comes_out(desk: Path) -> None:
    command = [sys.executable, "-m", "octavo", "convert", "examples/report-scan.pdf", "-o", "-"]
    written = run(command, desk).stdout.splitlines()
    samples = [block.text for block in BLOCKS if block.language == "markdown"]
    assert samples
    for line in (line for text in samples for line in text.splitlines()):
        assert line == "…" or line in written


@pytest.mark.parametrize(
    "page", ["README.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(page: str) -> None:
    for target in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        if "://" not in target:
            assert (ROOT / page).parent.joinpath(target).exists(), target


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
