"""Which language a text is in: from its script where that has one language, else by the letters that follow each other.

The second is done by py3langid (naive Bayes over byte n-grams, 139 languages): 0.1 ms a line after 0.7 s of loading,
and sure of Vietnamese even where the network that read it left out half of the marks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from octavo.document import Block
from octavo.engines.languages import TESSERACT
from octavo.engines.writing import BY_NAME, HAN, JAPANESE, LATIN, letters_by_script, main_script

_SURE = 0.9  # probability of a line's language that counts as support for it
_LIKELY = 0.5  # the same of all lines together, where each is too short
_SUPPORT, _SHARE = 30, 0.04  # letters of such lines, and share of the script's, that make a language one of the page
_RARE = 4  # times the support that seldom used languages need: names and commands look like them
_AROUND, _INSIDE = ".,;:!?()[]\"“”„«»'", "'-"  # what words stand in, and what stands in words
_WORD = re.compile(r"[^\W\d_]{3}")
_MOST = 6  # pieces of a script that are looked at where no line is asked for
_PIECE = 200  # characters that are looked at together where no line is asked for

_NOT_LATIN = {code for script in BY_NAME.values() for code in script.languages}
_IN_LATIN = tuple(code for code in TESSERACT if code not in _NOT_LATIN and code != "zh")
_COMMON = frozenset({
    "af", "am", "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr",
    "hu", "id", "is", "it", "lt", "lv", "mr", "ms", "ne", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr",
    "sv", "sw", "tl", "tr", "uk", "ur", "vi",
})  # fmt: skip
_SAME = {"nn": "no", "wuu": "zh", "yue": "zh", "arz": "ar", "ary": "ar", "hbo": "he"}
_BESIDE = {"sr": ("sr-latn", "sr"), "az": ("az", "az-cyrl"), "uz": ("uz", "uz-cyrl")}  # in Latin, in Cyrillic letters


def languages_of(text: str, among: Sequence[str] = ()) -> tuple[str, ...]:
    """Codes of the languages that a page's text is in, the most used first; none where there are no words.

    `among` are the languages that were told, as for `of_lines`.
    """
    pieces = _sample(_pieces(text))
    weight: Counter[str] = Counter()
    for piece, code in zip(pieces, of_lines(pieces, among), strict=True):
        weight[code] += letters(piece)
    return ranked(weight)


def _sample(pieces: list[str]) -> list[str]:
    """At most _MOST pieces of each script, from all over the page: more of the same language tell nothing new."""
    by_script: defaultdict[str, list[int]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        by_script[main_script(piece)].append(place)
    kept = {place for places in by_script.values() for place in places[:: -(-len(places) // _MOST)]}
    return [piece for place, piece in enumerate(pieces) if place in kept]


def ranked(letters: Counter[str]) -> tuple[str, ...]:
    """The codes by their number of letters; those with less than a twenty-fifth of all are left out."""
    del letters[""]
    total = sum(letters.values())
    return tuple(code for code, count in letters.most_common() if count >= _SHARE * total)


def of_lines(lines: Sequence[str], among: Sequence[str] = ()) -> list[str]:
    """The code of each line's language, "" for a line without letters.

    `among` are the languages that were told: a script that is written in one of them is taken for nothing else.
    """
    total = letters_by_script("\n".join(lines))
    scripts = [main_script(line) for line in lines]
    # Greek letters without a word of them are mathematics.
    words = map(_WORD.search, lines)
    scripts = [script if word or script != "Greek" else "" for script, word in zip(scripts, words, strict=True)]
    if total[JAPANESE.name]:
        scripts = [JAPANESE.name if script == HAN.name else script for script in scripts]
    codes = [""] * len(lines)
    for script in dict.fromkeys(filter(None, scripts)):
        places = [place for place, found in enumerate(scripts) if found == script]
        found = _of_script(script, [lines[place] for place in places], among)
        for place, code in zip(places, found, strict=True):
            codes[place] = code
    return codes


def assigned(lines: Sequence[str], languages: Sequence[str]) -> list[str]:
    """For each line the first of `languages` that is written in its script, "" where none is: quicker than looking."""
    first: dict[str, str] = {}
    for code in languages:
        first.setdefault(script_name(code), code)
    if JAPANESE.name in first:
        first.setdefault(HAN.name, first[JAPANESE.name])
    return [first.get(main_script(line), "") for line in lines]


def tagged(blocks: Sequence[Block], told: Sequence[str] = ()) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """A page's blocks with a language for each of their lines, and the codes of all, the most used first."""
    lines = [line.text for block in blocks for line in block.lines]
    found = languages_of("\n".join(lines or [block.text for block in blocks]), told)
    codes = iter(assigned(lines, found))
    return (
        tuple(replace(block, lines=tuple(replace(line, lang=next(codes)) for line in block.lines)) for block in blocks),
        found,
    )


@cache
def script_name(code: str) -> str:
    """Name of the script that a language is written in."""
    if code == "zh":
        return HAN.name
    return next((name for name, script in BY_NAME.items() if code in script.languages), LATIN.name)


def _of_script(script: str, lines: Sequence[str], among: Sequence[str]) -> list[str]:
    """The codes of lines that are all written in one script."""
    known = _IN_LATIN if script == LATIN.name else BY_NAME[script].languages
    told = tuple(code for code in among if script_name(code) == script)
    candidates = told or known
    if len(candidates) == 1 or (script != LATIN.name and candidates[0] not in (*_identifier().labels, "zh-hans")):
        return [candidates[0]] * len(lines)
    if script == HAN.name:
        return [_chinese("".join(lines))] * len(lines)
    return _by_letters(lines, candidates)


def _by_letters(lines: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """Each line's most probable language, among those that some lines are surely in; "" where there is none."""
    lines = [_words(line) for line in lines]
    scores = [_scores(line, candidates) for line in lines]
    counts = [letters(line) for line in lines]
    weight: defaultdict[str, float] = defaultdict(float)
    support: Counter[str] = Counter()
    for score, count in zip(scores, counts, strict=True):
        for code, probability in score.items():
            weight[code] += probability * count
            support[code] += count if probability >= _SURE else 0
    enough = max(_SUPPORT, _SHARE * sum(counts))
    kept = [code for code in candidates if support[code] >= enough * (1 if code in _COMMON else _RARE)]
    if not kept:  # all lines are short: what they are together
        whole = _scores("\n".join(lines), candidates)
        best = max(whole, key=whole.__getitem__)
        likely = best in _COMMON and whole[best] >= _LIKELY
        kept = [best] if likely else [candidates[0]] if candidates[0] not in _IN_LATIN else []
    return [max(kept, key=lambda code: score[code] * weight[code]) if kept else "" for score in scores]


def _words(line: str) -> str:
    """The words of the line in small letters, without commands, addresses and numbers."""
    words = (word.strip(_AROUND) for word in line.split())
    return " ".join(word for word in words if all(c.isalpha() or c in _INSIDE or not c.isascii() for c in word)).lower()


def _scores(line: str, candidates: Sequence[str]) -> dict[str, float]:
    """The probability of each candidate; they sum to 1."""
    cyrillic = "sr" in candidates or "uz-cyrl" in candidates or "az-cyrl" in candidates
    scores = dict.fromkeys(candidates, 1e-9)
    for label, probability in _identifier().rank(line):
        code = _SAME.get(label, label)
        if code in _BESIDE:
            code = _BESIDE[code][cyrillic]
        if code in scores:
            scores[code] += probability
    total = sum(scores.values())
    return {code: score / total for code, score in scores.items()}


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def load() -> None:
    """Reads the table of n-grams, so that the first page need not wait for it."""
    _identifier()


def _chinese(text: str) -> str:
    """Simplified or traditional, by the characters that only one of the two national standards has."""
    simplified = traditional = 0
    for character, count in Counter(text).items():
        in_gb, in_big5 = _encodes(character, "gb2312"), _encodes(character, "big5")
        simplified += count * (in_gb and not in_big5)
        traditional += count * (in_big5 and not in_gb)
    return "zh-hant" if traditional > simplified else "zh-hans"


@cache
def _encodes(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def letters(text: str) -> int:
    """Letters of the text; an East Asian one says as much as two others."""
    return sum(1 + ("\u2e80" <= c <= "\ud7ff") for c in text if c.isalpha())


def _pieces(text: str) -> list[str]:
    """The text in pieces of a few lines that are in one script."""
    pieces: list[str] = []
    last = None
    for line in text.split("\n"):
        script = main_script(line)
        if pieces and script in ("", last) and len(pieces[-1]) + len(line) <= _PIECE:
            pieces[-1] += "\n" + line
        else:
            pieces.append(line)
        last = script or last
    return pieces
