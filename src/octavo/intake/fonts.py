"""Which font on the machine draws a character."""

from __future__ import annotations

import bisect
import logging
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from fontTools.ttLib import TTCollection, TTFont, TTLibError
from PIL import ImageFont

Style = Literal["regular", "bold", "mono"]

# Families that look alike and stay legible at small sizes come first; any other that has the character follows.
_PREFERRED: dict[Style, tuple[str, ...]] = {
    "regular": ("DejaVu Sans", "Noto Sans", "Liberation Sans", "FreeSans", "Arial"),
    "bold": ("DejaVu Sans", "Noto Sans", "Liberation Sans", "FreeSans", "Arial"),
    "mono": ("DejaVu Sans Mono", "Noto Sans Mono", "Noto Mono", "Liberation Mono", "FreeMono"),
}
_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")  # outlines with a Unicode map; Type 1 and bitmap fonts have none
_UNSUITED = ("emoji", "last resort", "lastresort", "adobe blank", "symbol")
_PLAIN_STYLES = ("Regular", "Book", "Roman", "Normal", "Medium", "")
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts", "/Library/Fonts")

# Debian packages by block, for the advice in the warning; everything else is in fonts-noto.
_PACKAGES = (
    (0x0000, 0x052F, "fonts-dejavu"),
    (0x1100, 0x11FF, "fonts-noto-cjk"),
    (0x2E80, 0x9FFF, "fonts-noto-cjk"),
    (0xA960, 0xA97F, "fonts-noto-cjk"),
    (0xAC00, 0xD7FF, "fonts-noto-cjk"),
    (0xF900, 0xFAFF, "fonts-noto-cjk"),
    (0xFE30, 0xFE4F, "fonts-noto-cjk"),
    (0xFF00, 0xFFEF, "fonts-noto-cjk"),
    (0x1F300, 0x1FAFF, "fonts-symbola"),
    (0x20000, 0x3FFFF, "fonts-noto-cjk-extra"),
)


@dataclass(frozen=True)
class Typeface:
    """A font file and the characters it has, as sorted first and last codes of ranges."""

    file: str
    index: int
    family: str
    style: str
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    def has(self, char: str) -> bool:
        place = bisect.bisect_right(self.firsts, ord(char)) - 1
        return place >= 0 and ord(char) <= self.lasts[place]


@lru_cache(maxsize=65_536)
def typeface(char: str, style: Style) -> Typeface | None:
    """The machine's best font for a character; None where it has none."""
    return next((face for face in _ranked(style) if face.has(char)), None)


@lru_cache(maxsize=512)
def font(face: Typeface | None, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A loaded font of `size` px an em. None means the one that comes with Pillow, which has Latin letters only."""
    if face is None:
        return ImageFont.load_default(size)
    return ImageFont.truetype(face.file, size, index=face.index)


def runs(text: str, style: Style) -> list[tuple[Typeface | None, str]]:
    """The text cut where the font changes. A run goes on as long as its font has the next character."""
    chosen: list[Typeface | None] = []
    current: Typeface | None = None
    for char in text:
        if not (current and (current.has(char) or is_ignorable(char))):
            current = typeface(char, style)
        chosen.append(current)
    pairs = groupby(zip(chosen, text, strict=True), key=lambda pair: pair[0])
    return [(face, "".join(char for _, char in pair)) for face, pair in pairs]


def missing(text: str) -> list[str]:
    """The characters of `text` that no font here can draw, in order of their codes."""
    return sorted(char for char in set(text) if not drawable(char))


def drawable(char: str) -> bool:
    """Whether a character needs no glyph, or some font here has one."""
    if is_ignorable(char) or char.isspace():
        return True
    return typeface(char, "regular") is not None or (not _installed() and ord(char) < 0x17F)


def is_ignorable(char: str) -> bool:
    """Joiners, direction marks, variation selectors, tags and controls: they have no picture of their own."""
    code = ord(char)
    return (
        code < 0x20
        or 0x7F <= code < 0xA0
        or code in (0xAD, 0x34F, 0x61C, 0xFEFF)
        or 0x200B <= code <= 0x200F
        or 0x2028 <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0000 <= code <= 0xE0FFF
    )


def package_for(char: str) -> str:
    """The Debian package that is likely to have a font for a character."""
    return next((name for first, last, name in _PACKAGES if first <= ord(char) <= last), "fonts-noto")


@lru_cache(maxsize=3)
def _ranked(style: Style) -> tuple[Typeface, ...]:
    def rank(face: Typeface) -> tuple[int, int, int, str]:
        names = _PREFERRED[style]
        family = names.index(face.family) if face.family in names else len(names)
        wanted = face.style == "Bold" if style == "bold" else face.style in _PLAIN_STYLES
        # Outside the preferred families the most complete font is least likely to change within a word.
        size = -sum(last - first for first, last in zip(face.firsts, face.lasts, strict=True))
        return (0 if wanted else 1, family, size if family == len(names) else 0, face.file)

    return tuple(sorted(_installed(), key=rank))


@lru_cache(maxsize=1)
def _installed() -> tuple[Typeface, ...]:
    found = _from_fontconfig() if shutil.which("fc-list") else _from_folders()
    return tuple(face for face in found if not any(word in face.family.lower() for word in _UNSUITED))


def _from_fontconfig() -> list[Typeface]:
    """All fonts that fontconfig knows; it keeps their characters in its cache, so this takes milliseconds."""
    form = "%{file}\t%{index}\t%{family[0]}\t%{style[0]}\t%{charset}\n"
    try:
        answer = subprocess.run(["fc-list", "--format", form], capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return _from_folders()
    found = []
    for line in answer.stdout.decode("utf-8", "replace").splitlines():
        file, index, family, style, charset = [*line.split("\t"), "", "", "", ""][:5]
        if not file.lower().endswith(_SUFFIXES) or not charset:
            continue
        ranges = [tuple(int(code, 16) for code in part.split("-")) for part in charset.split()]
        # Above 0xFFFF the index names an instance of a variable font; Pillow draws its default one.
        number = int(index or 0) & 0xFFFF
        firsts, lasts = tuple(part[0] for part in ranges), tuple(part[-1] for part in ranges)
        found.append(Typeface(file, number, family, style, firsts, lasts))
    return found


def _from_folders() -> list[Typeface]:
    """The same from the font files themselves, for machines without fontconfig."""
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it reports every oddity of every font
    found: list[Typeface] = []
    for folder in _FOLDERS:
        for place, _, names in os.walk(Path(folder).expanduser()):
            files = [Path(place, name) for name in sorted(names) if name.lower().endswith(_SUFFIXES)]
            found.extend(face for file in files for face in _faces_in(file))
    return found


def _faces_in(file: Path) -> list[Typeface]:
    try:
        if file.suffix.lower() in (".ttc", ".otc"):
            with TTCollection(file, lazy=True) as collection:
                return [_described(file, index, one) for index, one in enumerate(collection.fonts)]
        with TTFont(file, lazy=True) as one:
            return [_described(file, 0, one)]
    except (TTLibError, OSError, KeyError, ValueError, AssertionError, IndexError):
        return []  # a broken font is as good as none


def _described(file: Path, index: int, one: TTFont) -> Typeface:
    names = one["name"]
    codes = sorted(one.getBestCmap() or {})
    breaks = [place for place in range(1, len(codes)) if codes[place] != codes[place - 1] + 1]
    firsts = tuple(codes[place] for place in [0, *breaks]) if codes else ()
    lasts = tuple(codes[place - 1] for place in [*breaks, len(codes)]) if codes else ()
    return Typeface(str(file), index, names.getDebugName(1) or "", names.getDebugName(2) or "", firsts, lasts)
