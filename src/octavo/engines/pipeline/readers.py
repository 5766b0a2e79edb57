"""Each line of a page by the reader that can read it: the recognition network or Tesseract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from octavo.document import PageWarning
from octavo.engines import identification, languages, writing
from octavo.engines import tesseract_program as program
from octavo.engines.pipeline import scripts
from octavo.engines.pipeline.lines import TextLine
from octavo.engines.pipeline.page_lines import PageLines
from octavo.engines.pipeline.scripts import Survey
from octavo.engines.writing import BY_NAME, LATIN

_SURE, _SURE_SHORT = 0.5, 0.75  # lines (of one or two letters) that the network read with less are mostly noise
_SURE_TESSERACT = 0.3  # Tesseract is less sure of bad print that it reads well enough
_CERTAIN, _GAIN = 0.9, 0.05  # with less, Tesseract reads a line again with English too, which must be surer by so much
_CERTAIN_LEFTWARD, _GAIN_LEFTWARD = 0.6, 0.2  # in Arabic and Hebrew letters English finds words that are not there
_LEFTWARD = frozenset({"Arabic", "Hebrew", "Syriac", "Thaana"})
_POOR = 0.7  # a line that Tesseract read with less may be one for the network; one that this did is garbage
_TRUSTED = 0.9  # a line of the network's that is text for certain
_DOUBTFUL, _DOUBTFUL_TESSERACT = 0.85, 0.5  # belief under which a line may be in another script
_MAYBE = 0.95  # belief in the network's line under which it is tried as well once such a script is found
_DOUBTFUL_LENGTH, _ENOUGH = 3.0, 8.0  # line heights of one such line, and of all
_ADOPTED = 0.6  # confidence with which Tesseract may replace the network on a single line
_ADOPTED_LATIN = 0.75  # the same where the network lacks letters of the language and does not notice


@dataclass(frozen=True)
class Read:
    """The lines that have been read, their languages by use, and what to tell the user."""

    lines: list[TextLine]
    languages: tuple[str, ...]
    warnings: tuple[PageWarning, ...] = ()


def read(lines: PageLines, found: Survey, told: tuple[str, ...], tier: str) -> Read:
    """All lines that hold text, in the order found, by whom `found` names.

    `told` are the codes of the languages the user named, empty for none: then lines that the reader is not sure of
    are looked into. Raises EngineError, OutOfMemoryError.
    """
    warnings: tuple[PageWarning, ...] = ()
    read = _by_tesseract(lines, found) if found.names else lines.by_network(range(len(lines.found)))
    if found.missing:
        read = {index: line for index, line in read.items() if lines.trust(index) >= _TRUSTED}
        warnings = (_missing(found.missing),)
    elif not told:
        others, warnings = _others(lines, read, tier)
        read |= others
    codes = _languages(read, told)
    if not told and not found.names:
        again, more = _beyond(lines, read, codes, tier)
        read, warnings = read | again, warnings + more
    text = {index: line for index, line in read.items() if line.text}
    kept = [index for index in sorted(text) if _is_sure(text[index])]
    letters: Counter[str] = Counter()
    for index in kept:
        letters[codes[index]] += identification.letters(text[index].text)
    out = [replace(text[index], lang=codes[index]) for index in kept]
    return Read(out, identification.ranked(letters), warnings + _dropped(len(text) - len(kept)))


def _by_tesseract(lines: PageLines, found: Survey) -> dict[int, TextLine]:
    """All lines with one script's data; those that it is not sure of with English too, or by the network."""
    read = lines.by_tesseract(range(len(lines.found)), found.names)
    leftward = found.script in _LEFTWARD
    certain, gain = (_CERTAIN_LEFTWARD, _GAIN_LEFTWARD) if leftward else (_CERTAIN, _GAIN)
    weak = [index for index, line in read.items() if line.confidence < certain]
    if weak and "eng" in program.installed() and "eng" not in found.names.split("+"):
        for index, line in lines.by_tesseract(weak, f"{found.names}+eng").items():
            if line.confidence > read[index].confidence + gain:
                read[index] = line
    for index in [index for index in weak if read[index].confidence < _POOR]:
        if lines.trust(index) >= _TRUSTED:
            read |= lines.by_network([index])
    return read


def _others(
    lines: PageLines, read: dict[int, TextLine], tier: str
) -> tuple[dict[int, TextLine], tuple[PageWarning, ...]]:
    """Lines in another script than the page's, as Tesseract reads them."""
    beliefs = {index: _belief(lines, line, index, tier) for index, line in read.items()}
    doubtful = [
        index
        for index, belief in beliefs.items()
        if lines.length(index) >= _DOUBTFUL_LENGTH
        and belief < (_DOUBTFUL_TESSERACT if read[index].reader == "tesseract" else _DOUBTFUL)
    ]
    if sum(map(lines.length, doubtful)) < _ENOUGH:
        return {}, ()
    found = scripts.survey(lines, tier, doubtful)
    if found.missing in BY_NAME:
        garbage = [index for index in doubtful if beliefs[index] < _POOR]
        return {index: replace(read[index], text="") for index in garbage}, (_missing(found.missing),)
    if not found.names:
        return {}, ()
    maybe = [index for index, belief in beliefs.items() if belief < _MAYBE and read[index].reader == "network"]
    return {
        index: line
        for index, line in lines.by_tesseract(sorted({*doubtful, *maybe}), found.names).items()
        if line.confidence >= max(_ADOPTED, beliefs[index]) and writing.main_script(line.text) == found.script
    }, ()


def _belief(lines: PageLines, line: TextLine, index: int, tier: str) -> float:
    """How far a line can be believed; not at all where the network wrote letters that it mostly gets wrong."""
    if line.reader == "tesseract":
        return line.confidence
    script = writing.main_script(line.text)
    return lines.trust(index) if not script or script in languages.scripts_of(tier) else 0.0


def _beyond(
    lines: PageLines, read: dict[int, TextLine], codes: dict[int, str], tier: str
) -> tuple[dict[int, TextLine], tuple[PageWarning, ...]]:
    """Lines in languages of Latin script that have letters the network lacks, as Tesseract reads them."""
    places: dict[str, list[int]] = {}
    for index, code in codes.items():
        if code and identification.script_name(code) == LATIN.name and languages.beyond_pp_ocr((code,), tier):
            places.setdefault(code, []).append(index)
    again: dict[int, TextLine] = {}
    warnings = []
    for code, indices in places.items():
        data = languages.TESSERACT[code]
        if not program.found() or data not in program.installed():
            warnings.append(_letters_missing(code))
            continue
        again |= {
            index: line
            for index, line in lines.by_tesseract(indices, data).items()
            if line.confidence >= _ADOPTED_LATIN
        }
    return again, tuple(warnings)


def _languages(read: dict[int, TextLine], told: Collection[str]) -> dict[int, str]:
    indices = sorted(read)
    codes = identification.of_lines([read[index].text for index in indices], tuple(told))
    return dict(zip(indices, codes, strict=True))


def _is_sure(line: TextLine) -> bool:
    if len(line.text) <= 2:
        return line.confidence >= _SURE_SHORT
    return line.confidence >= (_SURE_TESSERACT if line.reader == "tesseract" else _SURE)


def _missing(script: str) -> PageWarning:
    if script in BY_NAME:
        packages = BY_NAME[script].package if program.found() else f"tesseract-ocr {BY_NAME[script].package}"
        what = f"text in {script} script was found that nothing installed can read"
        return PageWarning("language-missing", f"{what}; on Debian or Ubuntu: apt-get install {packages}")
    what = "the text seems to be in a script that nothing installed can read"
    cure = "install Tesseract's data for it (on Debian or Ubuntu tesseract-ocr-rus for Russian, for example)"
    return PageWarning("language-missing", f"{what}; {cure}, or name the language with --lang")


def _letters_missing(code: str) -> PageWarning:
    package = "tesseract-ocr-" + languages.TESSERACT[code].replace("_", "-")
    what = f"text in the language {code} was found, some letters of which the built-in network cannot read"
    return PageWarning("language-missing", f"{what}; on Debian or Ubuntu: apt-get install {package}")


def _dropped(count: int) -> tuple[PageWarning, ...]:
    if not count:
        return ()
    what = "1 line was" if count == 1 else f"{count} lines were"
    return (PageWarning("unsure-lines", f"{what} read with too little confidence and left out"),)
