from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from octavo.intake import fonts


def test_a_run_keeps_its_font_until_it_lacks_a_character() -> None:
    runs = fonts.runs("abc\u200ddef", "regular")
    assert [part for _, part in runs] == ["abc\u200ddef"]
    assert "".join(part for _, part in fonts.runs("a中b\ue123c", "regular")) == "a中b\ue123c"


def test_both_ways_of_finding_fonts_agree() -> None:
    known = fonts._from_fontconfig()[:10] if shutil.which("fc-list") else []
    if not known:
        pytest.skip("no fontconfig or no fonts on this machine")
    for face in known:
        scanned = next(one for one in fonts._faces_in(Path(face.file)) if one.index == face.index)
        assert [scanned.has(char) for char in "aZ~é中"] == [face.has(char) for char in "aZ~é中"]


def test_without_any_font_latin_is_drawn_by_the_one_of_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_installed", lambda: ())
    for cached in (fonts.typeface, fonts._ranked):
        cached.cache_clear()
    try:
        assert fonts.runs("abc", "regular") == [(None, "abc")]
        assert fonts.font(None, 20).getlength("abc") > 10
        assert fonts.missing("abc 中") == ["中"]
    finally:
        for cached in (fonts.typeface, fonts._ranked):
            cached.cache_clear()


@pytest.mark.parametrize(("char", "package"), [("é", "fonts-dejavu"), ("中", "fonts-noto-cjk"), ("अ", "fonts-noto")])
def test_the_package_to_install(char: str, package: str) -> None:
    assert fonts.package_for(char) == package
