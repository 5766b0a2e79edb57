"""Scripts: which one a text is written in, who can read it, and what to install for it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Script:
    """A script as Unicode calls it.

    `pack` is Tesseract's data for all languages of the script, `short` the name of its Debian package after
    `tesseract-ocr-script-`, `languages` the codes of those written in it, the most used first, and `ranges` the code
    points from first to last.
    """

    name: str
    pack: str
    short: str
    languages: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]

    @property
    def package(self) -> str:
        """The Debian package to install for it."""
        return f"tesseract-ocr-script-{self.short}"


LATIN = Script("Latin", "Latin", "latn", (), (
    (0x41, 0x5A), (0x61, 0x7A), (0xAA, 0xAA), (0xBA, 0xBA), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2AF),
    (0x1E00, 0x1EFF), (0x2C60, 0x2C7F), (0xA720, 0xA7FF), (0xFB00, 0xFB06), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A),
))  # fmt: skip
HAN = Script("Han", "HanS", "hans", ("zh-hans", "zh-hant"), (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
))  # fmt: skip
JAPANESE = Script(
    "Japanese", "Japanese", "jpan", ("ja",), ((0x3041, 0x309F), (0x30A1, 0x30FA), (0x30FD, 0x30FF), (0xFF66, 0xFF9D))
)
FRAKTUR = Script("Fraktur", "Fraktur", "frak", ("de-fraktur",), ())

SCRIPTS = (
    LATIN,
    HAN,
    JAPANESE,
    Script("Cyrillic", "Cyrillic", "cyrl", (
        "ru", "uk", "bg", "sr", "be", "mk", "kk", "ky", "mn", "tg", "tt", "uz-cyrl", "az-cyrl",
    ), ((0x400, 0x52F), (0x1C80, 0x1C8F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F))),
    Script("Arabic", "Arabic", "arab", ("ar", "fa", "ur", "ps", "ug", "sd"), (
        (0x620, 0x64A), (0x66E, 0x6D3), (0x6D5, 0x6D5), (0x6EE, 0x6EF), (0x6FA, 0x6FF), (0x750, 0x77F),
        (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),
    )),
    Script("Devanagari", "Devanagari", "deva", ("hi", "mr", "ne", "sa"), ((0x900, 0x963), (0x970, 0x97F))),
    Script("Hangul", "Hangul", "hang", ("ko",), (
        (0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xFFA0, 0xFFDC),
    )),
    Script("Greek", "Greek", "grek", ("el", "grc"), ((0x370, 0x3FF), (0x1F00, 0x1FFF))),
    Script("Hebrew", "Hebrew", "hebr", ("he", "yi"), ((0x591, 0x5F4), (0xFB1D, 0xFB4F))),
    Script("Thai", "Thai", "thai", ("th",), ((0xE01, 0xE3A), (0xE40, 0xE4E))),
    Script("Bengali", "Bengali", "beng", ("bn", "as"), ((0x980, 0x9E3), (0x9F0, 0x9FF))),
    Script("Tamil", "Tamil", "taml", ("ta",), ((0xB80, 0xBE5),)),
    Script("Telugu", "Telugu", "telu", ("te",), ((0xC00, 0xC65),)),
    Script("Kannada", "Kannada", "knda", ("kn",), ((0xC80, 0xCE5), (0xCF0, 0xCFF))),
    Script("Malayalam", "Malayalam", "mlym", ("ml",), ((0xD00, 0xD65), (0xD70, 0xD7F))),
    Script("Gujarati", "Gujarati", "gujr", ("gu",), ((0xA80, 0xAE5), (0xAF0, 0xAFF))),
    Script("Gurmukhi", "Gurmukhi", "guru", ("pa",), ((0xA00, 0xA65), (0xA70, 0xA7F))),
    Script("Oriya", "Oriya", "orya", ("or",), ((0xB00, 0xB65), (0xB70, 0xB7F))),
    Script("Sinhala", "Sinhala", "sinh", ("si",), ((0xD80, 0xDFF),)),
    Script("Georgian", "Georgian", "geor", ("ka",), ((0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F))),
    Script("Armenian", "Armenian", "armn", ("hy",), ((0x531, 0x58A), (0xFB13, 0xFB17))),
    Script("Ethiopic", "Ethiopic", "ethi", ("am", "ti"), ((0x1200, 0x139F), (0x2D80, 0x2DDF), (0xAB00, 0xAB2F))),
    Script("Khmer", "Khmer", "khmr", ("km",), ((0x1780, 0x17DD),)),
    Script("Lao", "Lao", "laoo", ("lo",), ((0xE81, 0xECD), (0xEDC, 0xEDF))),
    Script("Myanmar", "Myanmar", "mymr", ("my",), ((0x1000, 0x103F), (0x104A, 0x109F), (0xA9E0, 0xA9FF))),
    Script("Tibetan", "Tibetan", "tibt", ("bo", "dz"), ((0xF00, 0xF1F), (0xF34, 0xFFF))),
    Script("Syriac", "Syriac", "syrc", ("syr",), ((0x700, 0x74F),)),
    Script("Thaana", "Thaana", "thaa", ("dv",), ((0x780, 0x7BF),)),
    Script("Cherokee", "Cherokee", "cher", ("chr",), ((0x13A0, 0x13FF), (0xAB70, 0xABBF))),
    Script("Canadian Aboriginal", "Canadian_Aboriginal", "cans", ("iu",), ((0x1400, 0x167F), (0x18B0, 0x18FF))),
)  # fmt: skip

BY_NAME = {script.name: script for script in (*SCRIPTS, FRAKTUR)}

_RANGES = sorted((first, last, script.name) for script in SCRIPTS for first, last in script.ranges)
_FIRSTS = [first for first, _, _ in _RANGES]
_KANA = 0.05  # share of kana among kana and Han characters that makes a text Japanese: names and headings have few


@cache
def script_of(character: str) -> str:
    """Name of the script that a letter belongs to; empty for digits, for marks of several scripts, and for the rest."""
    code = ord(character)
    place = bisect_right(_FIRSTS, code) - 1
    return _RANGES[place][2] if place >= 0 and code <= _RANGES[place][1] else ""


def letters_by_script(text: str) -> Counter[str]:
    """How many letters of each script the text has. Han characters beside kana are letters of Japanese."""
    counted = Counter({LATIN.name: sum(map(str.isalpha, text))} if text.isascii() else map(script_of, text))
    del counted[""]
    kana = counted[JAPANESE.name]
    if kana and kana >= _KANA * (kana + counted[HAN.name]):
        counted[JAPANESE.name] += counted.pop(HAN.name, 0)
    return +counted


def main_script(text: str) -> str:
    """Name of the script that most letters of the text belong to; empty where it has none."""
    counted = letters_by_script(text)
    return counted.most_common(1)[0][0] if counted else ""
