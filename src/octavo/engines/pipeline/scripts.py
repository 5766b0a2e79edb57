"""Which script a page's lines are written in, and with which of Tesseract's data they can be read.

The network's own readings are the first evidence and cost nothing: what it knows it reads with 0.95 and more, of a
script that it doesn't know it makes a few characters. Only then Tesseract looks at some lines, put together on a sheet:
its `osd` data names the script and tells upside down from upright, where the network for that is easily wrong. A trial
on four lines must confirm it. `osd` knows seventeen scripts; the others are found by a reading with their data at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from octavo.engines import identification, languages, writing
from octavo.engines import tesseract_program as program
from octavo.engines.pipeline import sheet
from octavo.engines.pipeline.page_lines import PageLines, trust
from octavo.engines.writing import BY_NAME, LATIN, Script

if TYPE_CHECKING:
    from octavo.document import Pixels
    from octavo.engines.tesseract_program import Look

_KNOWN = 0.9  # median trust in a page's sample: pages the network knows have .95 and more, others less than .88
_POOR = 0.75  # the same of bad print, or of handwriting, in a script that the network knows
_SAMPLE, _TRIAL, _BLIND = 8, 4, 2  # lines: that are looked at, read on trial, read with the data of many scripts
_BLIND_LENGTH = 12  # line heights; each of many data takes its time
_ENOUGH = 20  # line heights of a sample from which something can be concluded; of a part of a page thrice as many
_TURN_SURE = 1.0  # of `osd`
_CONVINCING, _BARE = 0.75, 0.5  # confidence of a trial that settles it; that does if nothing reads the lines better
_OWN_LETTERS = 0.5  # share of the letters of a trial that must belong to the script
_FEWEST = 8  # letters of a trial

_OSD_NAMES = {"Korean": "Hangul", "Hiragana": "Japanese", "Katakana": "Japanese"}
_UNSEEN = (  # scripts that `osd` doesn't know
    "Georgian", "Armenian", "Ethiopic", "Gujarati", "Gurmukhi", "Sinhala", "Myanmar", "Khmer", "Lao", "Tibetan",
    "Oriya", "Cherokee", "Thaana", "Canadian Aboriginal", "Syriac",
)  # fmt: skip
# Where the data of a language reads it better than the data of its script does: of 100 characters 1 or 2. That for
# Hangul reads Latin words in between too, but sees spaces inside of words.
_OWN_DATA = frozenset({"Bengali", "Devanagari", "Han", "Hangul", "Japanese"})


@dataclass(frozen=True)
class Survey:
    """What was found out about some lines.

    `names` is Tesseract's data for them, empty where the network reads them; `script` and `language` (a code) are told
    where Tesseract reads. `turn` is by how many degrees (0 or 180) the page must be turned first. `missing` is the
    script that nothing installed reads: its name, or "unknown".
    """

    names: str = ""
    script: str = ""
    language: str = ""
    turn: int = 0
    missing: str = ""


NETWORK = Survey()


def survey(lines: PageLines, tier: str, among: Sequence[int] | None = None) -> Survey:
    """Who reads these lines (all, or `among` them those that the network is not sure of).

    Raises EngineError, OutOfMemoryError.
    """
    sample = lines.sample(_SAMPLE, among)
    trusted = median(lines.trust(index) for index in sample) if sample else 1.0
    if trusted >= _KNOWN:
        return NETWORK
    enough = len(sample) >= _BLIND and sum(map(lines.length, sample)) >= _ENOUGH * (1 if among is None else 3)
    senseless = enough and not _makes_sense(lines, sample, trusted)
    unknown = Survey(missing="unknown") if senseless and trusted < _POOR else NETWORK
    if not program.found() or "osd" not in program.installed():
        return unknown
    pictures = [lines.picture(index) for index in sample]
    seen = sheet.look(pictures)
    ways = (0, 180) if seen is None or seen.turn_sure < _TURN_SURE else (180,) if seen.turn == 180 else (0,)
    if seen and seen.turn == 180 and _trusted_turned(lines, sample, pictures) >= _KNOWN:
        return Survey(turn=180)
    best = None
    for script in _suspects(lines, sample, seen, tier):
        trial = _trial(script, pictures[:_TRIAL], ways, vertical=lines.is_vertical(sample[0]))
        if trial is None:
            unknown = Survey(missing=script.name) if enough and trusted < _POOR else unknown
        elif best is None or trial.confidence > best.confidence:
            best = trial
        if trial and trial.confidence >= _CONVINCING:
            return trial.survey
    if senseless:
        blind = _blind(pictures)
        if blind and (best is None or blind.confidence > best.confidence):
            return blind.survey
    return best.survey if best and best.confidence >= _BARE else unknown


def _trusted_turned(lines: PageLines, sample: Sequence[int], pictures: Sequence[Pixels]) -> float:
    """Median trust in what the network reads in the sample's pictures upside down."""
    readings = [lines.recognizer.read(_turned(picture)) for picture in pictures]
    return median(trust(reading, lines.length(index)) for index, reading in zip(sample, readings, strict=True))


def _turned(picture: Pixels) -> Pixels:
    return np.ascontiguousarray(np.rot90(picture, 2))


def _makes_sense(lines: PageLines, sample: Sequence[int], trusted: float) -> bool:
    """Whether what the network read in the sample is in some language.

    Chinese is no sign of that where it is unsure: single characters of it are what it makes of other scripts.
    """
    codes = filter(None, identification.of_lines([lines.reading(index).text for index in sample]))
    return any(trusted >= _POOR or identification.script_name(code) == LATIN.name for code in codes)


def _suspects(lines: PageLines, sample: Sequence[int], seen: Look | None, tier: str) -> list[Script]:
    """The scripts that the lines may be in, of those that the network cannot read.

    It has Greek letters, and writes them where it sees them, though it gets most of them wrong.
    """
    written = writing.main_script(" ".join(lines.reading(index).text for index in sample))
    named = _OSD_NAMES.get(seen.script, seen.script) if seen else ""
    return [BY_NAME[n] for n in dict.fromkeys((written, named)) if n in BY_NAME and n not in languages.scripts_of(tier)]


def turn_of(lines: PageLines) -> int:
    """By how many degrees (0 or 180) a page must be turned whose script the network doesn't know.

    Raises OutOfMemoryError.
    """
    sample = lines.sample(_SAMPLE)
    if not sample or "osd" not in program.installed():
        return 0
    seen = sheet.look([lines.picture(index) for index in sample])
    return 180 if seen and seen.turn == 180 and seen.turn_sure >= _TURN_SURE else 0


@dataclass(frozen=True)
class _Trial:
    """What a reading of a few lines showed, and how sure it was."""

    survey: Survey
    confidence: float


def _trial(script: Script, pictures: Sequence[Pixels], ways: Sequence[int], *, vertical: bool) -> _Trial | None:
    """The script's lines read with data that is installed, turned in `ways`; None where no data is."""
    names = data_for(script, vertical=vertical)
    if not names:
        return None
    way, text, confidence = _best_way(pictures, ways, names, (script.name,))
    language = _main_language(text.split("\n"), script)
    names = data_for(script, language, vertical=vertical)
    return _Trial(Survey(names, script.name, language, way), confidence)


def _best_way(
    pictures: Sequence[Pixels], ways: Sequence[int], names: str, scripts: Sequence[str]
) -> tuple[int, str, float]:
    """Degrees by which the pictures must be turned, what Tesseract then reads, and how sure it is of that.

    The sureness is 0 where less than half of the letters are of one of the scripts, however sure Tesseract is.
    """
    shown = [_turned(picture) if way else picture for way in ways for picture in pictures]
    read = sheet.read(shown, names)
    found = []
    for place, way in enumerate(ways):
        part = read[place * len(pictures) : (place + 1) * len(pictures)]
        text = "\n".join(line.text for line in part)
        counted = writing.letters_by_script(text)
        own = max(counted[script] for script in scripts)
        if own < _OWN_LETTERS * max(_FEWEST, sum(counted.values())):
            found.append((0.0, way, text))
            continue
        found.append((sum(line.confidence * len(line.text) for line in part) / max(1, len(text)), way, text))
    confidence, way, text = max(found, key=lambda one: one[0])
    return way, text, confidence


def _blind(pictures: Sequence[Pixels]) -> _Trial | None:
    """The scripts that `osd` does not know, all at once and either way up; None where none of them shows."""
    installed = "+".join(filter(None, (data_for(BY_NAME[name]) for name in _UNSEEN)))
    if not installed:
        return None
    parts = [picture[:, : _BLIND_LENGTH * picture.shape[0]] for picture in pictures[:_BLIND]]
    way, text, confidence = _best_way(parts, (0, 180), installed, _UNSEEN)
    if not confidence:
        return None
    trial = _trial(BY_NAME[writing.main_script(text)], pictures[:_TRIAL], (way,), vertical=False)
    return trial if trial and trial.confidence >= _BARE else None


def data_of(told: tuple[str, ...], *, vertical: bool = False) -> str:
    """The data of Tesseract for languages that were told.

    Raises LanguageMissingError that names the Debian package of what is not installed.
    """
    script = BY_NAME[identification.script_name(told[0])]
    if len(told) == 1 and script is not LATIN and (names := _data_of_all(script, told[0], vertical=vertical)):
        return names
    return program.data_names(told)


def data_for(script: Script, language: str = "", *, vertical: bool = False) -> str:
    """The installed data of Tesseract that reads a script best, for a language where that is known.

    Empty where none is installed.
    """
    if names := _data_of_all(script, language, vertical=vertical):
        return names
    # Data of the script's other languages, at most two: more of them confuse each other.
    some = [languages.TESSERACT[code] for code in script.languages]
    return "+".join([name for name in some if name in program.installed()][:2])


def _data_of_all(script: Script, language: str, *, vertical: bool) -> str:
    """The data of the script or of the language, whichever reads it better; empty where neither is installed."""
    own, whole = languages.TESSERACT.get(language, ""), "HanT" if language == "zh-hant" else script.pack
    names = [own, whole] if script.name in _OWN_DATA else [whole, own]
    if vertical:
        names = [f"{name}_vert" for name in names] + names
    return next((name for name in names if name in program.installed()), "")


def _main_language(lines: Sequence[str], script: Script) -> str:
    letters: Counter[str] = Counter()
    for line, code in zip(lines, identification.of_lines(lines), strict=True):
        letters[code] += len(line)
    spoken = [code for code, _ in letters.most_common() if code in script.languages]
    return spoken[0] if spoken else script.languages[0]
