"""The system's Tesseract as a reader of lines: one process per picture, one thread each."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from octavo.document import Box
from octavo.engines.languages import TESSERACT, known
from octavo.errors import EngineError, EngineMissingError, LanguageMissingError, OutOfMemoryError

if TYPE_CHECKING:
    from octavo.document import Pixels

TesseractWord = tuple[str, Box, float]  # text, box, confidence

_LONGEST = 32_000  # px; Tesseract refuses sides over 32,767
_SHORTEST = 3  # px; it reads nothing in less and says so with an error
_SMALLEST_DPI, _LARGEST_DPI = 70, 2400  # Tesseract's own limits
_MARKS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x7f")


@dataclass(frozen=True)
class TesseractLine:
    """A line and its words in pixels, with Tesseract's block and paragraph numbers. There is at least one word."""

    block: int
    paragraph: int
    words: tuple[TesseractWord, ...]

    @property
    def text(self) -> str:
        return " ".join(text for text, _, _ in self.words)

    @property
    def box(self) -> Box:
        x0, y0, x1, y1 = zip(*(box for _, box, _ in self.words), strict=True)
        return (min(x0), min(y0), max(x1), max(y1))

    @property
    def confidence(self) -> float:
        """Mean of the words', by their length."""
        letters = sum(len(text) for text, _, _ in self.words)
        return sum(score * len(text) for text, _, score in self.words) / letters


@dataclass(frozen=True)
class Look:
    """What Tesseract takes a page for at a glance.

    `script` is the name it gives the script, `turn` the clockwise degrees (0, 90, 180, 270) that make the page upright,
    `turn_sure` how sure it is of them: 1 and more is seldom wrong.
    """

    script: str
    turn: int
    turn_sure: float


@cache
def program_version() -> str:
    """Tesseract's version. Raises EngineMissingError where it is not installed."""
    told = subprocess.run([*_program(), "--version"], capture_output=True, text=True, errors="replace", check=False)
    found = re.search(r"tesseract v?(\S+)", told.stdout + told.stderr)
    return found[1] if found else "unknown"


def found() -> bool:
    """Whether Tesseract is installed."""
    return shutil.which("tesseract") is not None


@cache
def installed() -> frozenset[str]:
    """Names of the language data that Tesseract finds."""
    return frozenset(_listed()[1:])


def data_names(codes: tuple[str, ...]) -> str:
    """What `-l` takes for these language codes; English for `auto`.

    Raises UsageError for an unknown code, LanguageMissingError that names the Debian package of what is not installed.
    """
    names = list(dict.fromkeys(TESSERACT["en" if code == "auto" else code] for code in known(codes)))
    missing = [name for name in names if name not in installed()]
    if missing:
        packages = " ".join("tesseract-ocr-" + name.replace("_", "-") for name in missing)
        prefix = os.environ.get("TESSDATA_PREFIX")
        place = f" in TESSDATA_PREFIX={prefix}" if prefix else ""
        raise LanguageMissingError(
            f"Tesseract has no data for {', '.join(missing)}{place}; on Debian or Ubuntu: apt-get install {packages}"
        )
    return "+".join(names)


def data_digest(names: str) -> str:
    """A digest over names and sizes of the data files that `names` (as from `data_names`) stands for."""
    folder = re.search(r'"(.+)"', _listed()[0]) if _listed() else None
    digest = hashlib.sha256()
    for name in names.split("+"):
        path = Path(folder[1]) / f"{name}.traineddata" if folder else Path()
        digest.update(f"{name} {path.stat().st_size if path.is_file() else 'unknown'}\n".encode())
    return "sha256:" + digest.hexdigest()


def read(pixels: Pixels, names: str, dpi: float, mode: int = 3) -> list[TesseractLine]:
    """All lines of an upright page (HxWx3) in Tesseract's reading order. `mode` is its page segmentation mode.

    `dpi` is the page's resolution; 0 where it is not known, then Tesseract goes by the height of the letters.
    Pictures with a side over Tesseract's limit are read in pieces, cut where there is least ink.
    Raises EngineError with Tesseract's own words where it fails, OutOfMemoryError where memory did not suffice.
    """
    # Words and boxes come as TSV, the spaces as text: in TSV each sign of Thai or Chinese is a word of its own.
    made = ["-c", "tessedit_create_tsv=1", "-c", "tessedit_create_txt=1"]
    arguments = ["-l", names, "--psm", str(mode), *made]
    if dpi:
        arguments += ["--dpi", str(round(min(max(dpi, _SMALLEST_DPI), _LARGEST_DPI)))]
    lines: list[TesseractLine] = []
    for left, top, piece in _pieces(pixels):
        before = lines[-1].block if lines else 0
        lines += _parsed(_run(piece, arguments), left, top, before)
    return lines


def turns(pixels: Pixels) -> int:
    """Clockwise degrees (0, 90, 180, 270) that make the page upright, by Tesseract's `osd` data.

    0 where it cannot tell. Raises OutOfMemoryError.
    """
    seen = look(pixels)
    return seen.turn if seen else 0


def look(pixels: Pixels, fewest: int = 50) -> Look | None:
    """The script and the turn of a page (HxWx3) by Tesseract's `osd` data; None where it cannot tell.

    `fewest` is the number of letters it must see for an answer. Raises OutOfMemoryError.
    """
    if max(pixels.shape[:2]) > _LONGEST or min(pixels.shape[:2]) < _SHORTEST:
        return None
    try:
        told = _run(pixels, ["--psm", "0", "-c", f"min_characters_to_try={fewest}"])
    except OutOfMemoryError:
        raise
    except EngineError:  # so it ends where there are too few letters
        return None
    found = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in told.split("\n"))}
    if found.get("Rotate") not in ("0", "90", "180", "270"):
        return None
    return Look(found.get("Script", ""), int(found["Rotate"]), float(found.get("Orientation confidence") or 0))


def _run(pixels: Pixels, arguments: list[str]) -> str:
    height, width = pixels.shape[:2]
    told = subprocess.run(
        [*_program(), "stdin", "stdout", *arguments],
        input=b"P6 %d %d 255\n" % (width, height) + pixels.tobytes(),
        capture_output=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        check=False,
    )
    if told.returncode:
        raise _fault(told.returncode, told.stderr.decode(errors="replace"))
    return told.stdout.decode("utf-8", errors="replace")


def _fault(code: int, words: str) -> EngineError:
    if code == -signal.SIGKILL or "bad_alloc" in words:
        return OutOfMemoryError("Tesseract ran out of memory; give the machine more, or convert with a lower --dpi")
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    ended = f"it was ended by signal {-code}" if code < 0 else f"exit code {code}"
    return EngineError(f"Tesseract failed: {'; '.join(lines[-2:]) or ended}")


@cache
def _program() -> tuple[str, ...]:
    """What starts Tesseract so that it dies with this process.

    A worker that the kernel ends when its parent is gone has no time to end Tesseract, which would read on for minutes.
    Raises EngineMissingError.
    """
    if not shutil.which("tesseract"):
        raise EngineMissingError("Tesseract is not installed; on Debian or Ubuntu: apt-get install tesseract-ocr")
    tied = ("setpriv", "--pdeathsig", "KILL", "tesseract")  # util-linux; BusyBox's setpriv lacks the option
    if shutil.which("setpriv"):
        told = subprocess.run([*tied, "--version"], capture_output=True, check=False)
        if told.returncode == 0:
            return tied
    return ("tesseract",)


@cache
def _listed() -> tuple[str, ...]:
    """The lines of `--list-langs`: a heading that names the folder, then a name each."""
    command = [*_program(), "--list-langs"]
    told = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return tuple(line for line in told.stdout.split("\n") if line)


def _pieces(pixels: Pixels) -> Iterator[tuple[int, int, Pixels]]:
    """The picture in parts that Tesseract takes, from the top left, each with its left and top."""
    rows = _cuts(pixels[:, :, 1])
    for top, bottom in pairwise(rows):
        columns = _cuts(pixels[top:bottom, :, 1].T)
        for left, right in pairwise(columns):
            if min(bottom - top, right - left) >= _SHORTEST:
                yield left, top, pixels[top:bottom, left:right]


def _cuts(plane: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[int]:
    """0, the rows at which to cut so that no part has more than `_LONGEST` of them, and the number of rows.

    In the last eighth of each part the cut goes where rows are the most alike all along, in the middle of a gap.
    """
    cuts = [0]
    while len(plane) - cuts[-1] > _LONGEST:
        end = cuts[-1] + _LONGEST
        window = plane[end - _LONGEST // 8 : end].std(axis=1)
        smooth = np.convolve(window, np.ones(min(31, len(window))), mode="same")
        # Where the kernel reaches over the window's ends, sums lack terms and would look empty.
        inner = slice(15, -15) if len(window) > 60 else slice(None)
        cuts.append(end - len(window) + int(np.argmin(smooth[inner])) + (inner.start or 0))
    return [*cuts, len(plane)]


def _parsed(output: str, left: int, top: int, before: int) -> list[TesseractLine]:
    """The lines of Tesseract's TSV, moved by `left` and `top`, their blocks numbered on from `before`."""
    lines: dict[tuple[int, int, int], list[TesseractWord]] = {}
    texts: list[str] = []
    for row in output.split("\n"):
        fields = row.split("\t", 11)
        if len(fields) < 12:
            texts.append(_clean(row))
        elif fields[0] == "5" and (text := _clean(fields[11])):
            block, paragraph, line, _, x, y, w, h = (int(field) for field in fields[2:10])
            box = (float(x + left), float(y + top), float(x + w + left), float(y + h + top))
            score = min(1.0, max(0.0, float(fields[10]) / 100))
            lines.setdefault((before + block, paragraph, line), []).append((text, box, score))
    spaced = iter([text for text in texts if text])
    return [TesseractLine(key[0], key[1], _spaced(words, next(spaced, ""))) for key, words in lines.items()]


def _clean(text: str) -> str:
    """Without control characters and the marks of direction that Tesseract adds; joiners are part of words.

    Save a non-joiner at a word's end, which Tesseract writes after the virama of Tamil and its like.
    """
    kept = "".join(" " if c == "\t" else c for c in text if c not in _MARKS and (c == "\t" or c >= " ")).strip()
    return kept.replace("\u200c ", " ").rstrip("\u200c")


def _spaced(words: list[TesseractWord], line: str) -> tuple[TesseractWord, ...]:
    """The words as the spaces of `line` part them; as they are where `line` is not made of them."""
    if "".join(text for text, _, _ in words) != "".join(line.split()):
        return tuple(words)
    joined: list[TesseractWord] = []
    rest = iter(words)
    for wanted in line.split():
        parts = [next(rest)]
        while sum(len(text) for text, _, _ in parts) < len(wanted):
            parts.append(next(rest))
        whole = TesseractLine(0, 0, tuple(parts))
        joined.append(("".join(text for text, _, _ in parts), whole.box, whole.confidence))
    return tuple(joined)
