"""The system's Tesseract as a reader of lines: one process per page, one thread each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from octavo.document import Box
from octavo.engines.languages import TESSERACT
from octavo.errors import EngineError, EngineMissingError, LanguageMissingError

if TYPE_CHECKING:
    from octavo.document import Pixels


@dataclass(frozen=True)
class TesseractLine:
    """A line and its words in pixels, with Tesseract's block and paragraph numbers; words are text, box, confidence."""

    block: int
    paragraph: int
    words: tuple[tuple[str, Box, float], ...]


@cache
def program_version() -> str:
    """Tesseract's version. Raises EngineMissingError where it is not installed."""
    if not shutil.which("tesseract"):
        raise EngineMissingError("Tesseract is not installed; on Debian or Ubuntu: apt-get install tesseract-ocr")
    told = subprocess.run(["tesseract", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"tesseract v?(\S+)", told.stdout + told.stderr)
    return found[1] if found else "unknown"


@cache
def installed() -> frozenset[str]:
    """Names of the language data that Tesseract finds."""
    program_version()
    told = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=False)
    return frozenset(told.stdout.split("\n")[1:]) - {""}


def data_names(codes: tuple[str, ...]) -> str:
    """What `-l` takes for these language codes; English for `auto`. Raises LanguageMissingError naming the package."""
    names = [TESSERACT["en" if code == "auto" else code] for code in codes]
    missing = [name for name in names if name not in installed()]
    if missing:
        packages = " ".join("tesseract-ocr-" + name.replace("_", "-") for name in missing)
        raise LanguageMissingError(
            f"Tesseract has no data for {', '.join(missing)}; on Debian or Ubuntu: apt-get install {packages}"
        )
    return "+".join(dict.fromkeys(names))


def read(pixels: Pixels, names: str, dpi: float, mode: int = 3) -> list[TesseractLine]:
    """All lines of an upright page (HxWx3) in Tesseract's reading order. `mode` is its page segmentation mode.

    Raises EngineError with Tesseract's own words where it fails.
    """
    height, width = pixels.shape[:2]
    if min(height, width) < 3:
        return []
    command = ["tesseract", "stdin", "stdout", "-l", names, "--psm", str(mode), "--dpi", str(round(min(max(dpi, 70), 2400)))]
    told = subprocess.run(
        [*command, "tsv"],
        input=b"P6 %d %d 255\n" % (width, height) + pixels.tobytes(),
        capture_output=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        check=False,
    )
    if told.returncode:
        words = told.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {told.returncode}"]
        raise EngineError(f"Tesseract failed: {words[0]}")
    return _parsed(told.stdout.decode("utf-8", errors="replace"))


def _parsed(table: str) -> list[TesseractLine]:
    lines: dict[tuple[int, int, int], list[tuple[str, Box, float]]] = {}
    for row in table.split("\n")[1:]:
        fields = row.split("\t")
        if len(fields) < 12 or fields[0] != "5" or not fields[11].strip():
            continue
        block, paragraph, line, _, x, y, w, h = (int(field) for field in fields[2:10])
        box = (float(x), float(y), float(x + w), float(y + h))
        lines.setdefault((block, paragraph, line), []).append((fields[11].strip(), box, float(fields[10]) / 100))
    return [TesseractLine(key[0], key[1], tuple(words)) for key, words in lines.items()]
