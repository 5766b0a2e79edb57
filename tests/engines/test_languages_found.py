"""Pages in many languages, drawn by the tests, whose languages the built-in engine is not told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn import PROSE, alike, dejavu, draw, text_of
from loaded import loaded, needs_tesseract, settings_of
from PIL import Image, ImageDraw, ImageFont, features

from octavo.document import Page, PageResult
from octavo.engines import engine as engines
from octavo.engines import tesseract_program as program
from octavo.engines.engine import Task

RUSSIAN = (
    "Все люди рождаются свободными и равными в своём",
    "достоинстве и правах. Они наделены разумом и совестью",
    "и должны поступать в отношении друг друга в духе",
    "братства. Каждый человек должен обладать всеми правами",
)
UKRAINIAN = (
    "Всі люди народжуються вільними і рівними у своїй",
    "гідності та правах. Вони наділені розумом і совістю",
    "і повинні діяти у відношенні один до одного в дусі",
    "братерства. Кожна людина повинна мати всі права",
)
GREEK = (
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην",
    "αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με",
    "λογική και συνείδηση, και οφείλουν να συμπεριφέρονται",
    "μεταξύ τους με πνεύμα αδελφοσύνης.",
)
HEBREW = (
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם",
    "כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג",
    "איש ברעהו ברוח של אחווה",
)
GEORGIAN = (
    "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი",
    "ღირსებითა და უფლებებით. მათ მინიჭებული აქვთ გონება",
    "და სინდისი და ერთმანეთის მიმართ უნდა იქცეოდნენ ძმობის",
)
VIETNAMESE = (
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng",
    "về nhân phẩm và quyền lợi. Mọi con người đều được tạo",
    "hóa ban cho lý trí và lương tâm và cần phải đối xử với",
    "nhau trong tình bằng hữu.",
)
KOREAN = (
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에",
    "있어 동등하다. 인간은 천부적으로 이성과 양심을 부여",
    "받았으며 서로 형제애의 정신으로 행동하여야 한다.",
)
JAPANESE = (
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳",
    "と権利とについて平等である。人間は、理性と良心とを授けら",
    "れており、互いに同胞の精神をもって行動しなければならない",
)


def cjk() -> Path:
    """A font with Korean, Japanese and Chinese characters; skips the test where it is not installed."""
    for place in ("opentype/noto/NotoSansCJK-Regular.ttc", "noto-cjk/NotoSansCJK-Regular.ttc"):
        path = Path("/usr/share/fonts") / place
        if path.is_file():
            return path
    pytest.skip("the font Noto Sans CJK is not installed (Debian: fonts-noto-cjk)")


def page_of(lines: tuple[str, ...], font: Path, *, turned: bool = False) -> Page:
    """The lines on a page of 1100 pixels' width; those in Hebrew begin at the right."""
    face = ImageFont.truetype(font, 32)
    image = Image.new("RGB", (1100, 120 + 58 * len(lines)), "white")
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        leftward = "\u05d0" <= line[0] <= "\u05ea"
        if leftward and not features.check("raqm"):
            pytest.skip("Pillow cannot draw Hebrew here: it lacks Raqm")
        at = (1040 if leftward else 60, 60 + 58 * number)
        pen.text(at, line, font=face, fill="black", anchor="ra" if leftward else "la")
    return shown(image.rotate(180) if turned else image)


def shown(image: Image.Image) -> Page:
    pixels = np.asarray(image)
    return Page(1, float(image.width), float(image.height), "px", lambda _: pixels, None)


def read(models_dir: Path, page: Page, tier: str = "standard") -> PageResult:
    (result,) = loaded(tier, models_dir).recognize([page], Task())
    return result


def lines_of(result: PageResult) -> list[tuple[str, str]]:
    """Text and language of all lines from the top."""
    lines = [line for block in result.blocks for line in block.lines]
    return [(line.text, line.lang) for line in sorted(lines, key=lambda line: line.box[1])]


@pytest.mark.parametrize("tier", ["standard", "fast"])
@pytest.mark.parametrize(
    ("code", "lines", "data"),
    [("ru", RUSSIAN, "rus"), ("uk", UKRAINIAN, "ukr"), ("el", GREEK, "ell"), ("vi", VIETNAMESE, "vie")],
)
def test_a_page_is_read_in_its_language(
    models_dir: Path, tier: str, code: str, lines: tuple[str, ...], data: str
) -> None:
    needs_tesseract("osd", data)
    result = read(models_dir, page_of(lines, dejavu()), tier)
    assert alike(text_of(result), " ".join(lines)) > 0.97
    assert result.languages == (code,)
    assert {lang for _, lang in lines_of(result)} == {code}
    assert not result.warnings


def test_a_script_that_tesseract_cannot_name_is_found(models_dir: Path) -> None:
    needs_tesseract("osd", "kat")
    result = read(models_dir, page_of(GEORGIAN, dejavu()))
    assert alike(text_of(result), " ".join(GEORGIAN)) > 0.95
    assert result.languages == ("ka",)


def test_korean_keeps_its_spaces(models_dir: Path) -> None:
    needs_tesseract("osd", "kor")
    result = read(models_dir, page_of(KOREAN, cjk()))
    assert result.languages == ("ko",)
    assert len(text_of(result).split()) == pytest.approx(len(" ".join(KOREAN).split()), abs=2)
    assert alike(text_of(result), " ".join(KOREAN)) > 0.95


def test_the_fast_tier_has_tesseract_read_kana(models_dir: Path) -> None:
    needs_tesseract("osd", "jpn")
    result = read(models_dir, page_of(JAPANESE, cjk()), "fast")
    assert alike(text_of(result), "".join(JAPANESE)) > 0.93
    assert result.languages == ("ja",)


def test_columns_of_vertical_japanese(models_dir: Path) -> None:
    face = ImageFont.truetype(cjk(), 32)
    image = Image.new("RGB", (500, 1100), "white")
    pen = ImageDraw.Draw(image)
    columns = [line.replace("、", "").replace("。", "") for line in JAPANESE]
    for number, column in enumerate(columns):
        for place, character in enumerate(column):
            pen.text((380 - 70 * number, 60 + 36 * place), character, font=face, fill="black")
    result = read(models_dir, shown(image))
    assert alike(text_of(result), "".join(columns)) > 0.93
    assert result.rotation == 0
    assert result.languages == ("ja",)


@pytest.mark.parametrize("turned", [False, True])
def test_hebrew_either_way_up_comes_out_in_logical_order(models_dir: Path, turned: bool) -> None:
    needs_tesseract("osd", "heb")
    result = read(models_dir, page_of(HEBREW, dejavu(), turned=turned))
    assert result.rotation == (180 if turned else 0)
    assert alike(text_of(result), " ".join(HEBREW)) > 0.95
    assert result.languages == ("he",)
    words = [word for block in result.blocks for line in block.lines for word in line.words]
    assert words[0].text == "כל"
    from_the_right = words[0].box[0] - words[5].box[0]
    assert (from_the_right > 0) != turned, "the first word stands on the right of the upright page"


@pytest.mark.parametrize("tier", ["standard", "fast"])
def test_each_line_of_a_mixed_page_by_the_reader_that_knows_it(models_dir: Path, tier: str) -> None:
    needs_tesseract("osd", "rus")
    mixed = (PROSE[0], PROSE[1], RUSSIAN[0], PROSE[2], RUSSIAN[1], PROSE[3], PROSE[4])
    result = read(models_dir, page_of(mixed, dejavu()), tier)
    assert [lang for _, lang in lines_of(result)] == ["en", "en", "ru", "en", "ru", "en", "en"]
    assert all(alike(text, line) > 0.95 for (text, _), line in zip(lines_of(result), mixed, strict=True))
    assert result.languages == ("en", "ru")


def test_three_scripts_on_one_page(models_dir: Path) -> None:
    needs_tesseract("osd", "eng", "rus", "heb")
    mixed = (RUSSIAN[0], RUSSIAN[1], RUSSIAN[2], PROSE[0], RUSSIAN[3], HEBREW[0], HEBREW[1])
    result = read(models_dir, page_of(mixed, dejavu()))
    assert all(alike(text, line) > 0.95 for (text, _), line in zip(lines_of(result), mixed, strict=True))
    assert set(result.languages) == {"ru", "en", "he"}


def test_what_nothing_installed_reads_is_named(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_tesseract("osd")
    monkeypatch.setattr(program, "installed", lambda: frozenset({"osd", "eng"}))
    result = read(models_dir, page_of((*RUSSIAN, *RUSSIAN), dejavu()))
    assert alike(text_of(result), " ".join(RUSSIAN)) < 0.1
    (warning,) = [warning for warning in result.warnings if warning.code == "language-missing"]
    assert "Cyrillic" in warning.message
    assert "tesseract-ocr-script-cyrl" in warning.message


def test_without_tesseract_a_page_of_another_script_is_no_silent_garbage(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "found", lambda: False)
    result = read(models_dir, page_of((*RUSSIAN, *RUSSIAN), dejavu()))
    assert [warning.code for warning in result.warnings if warning.code == "language-missing"]
    assert len(text_of(result)) < 20
    english = read(models_dir, page_of(PROSE, dejavu()))
    assert alike(text_of(english), " ".join(PROSE)) > 0.97
    assert not english.warnings


def test_the_stamp_tells_of_all_data_where_the_languages_are_found(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def used(**values: str) -> dict[str, str]:
        return engines.stamp(settings_of("standard", models_dir, **values)).settings

    needs_tesseract("osd", "eng")
    every = used()
    assert every["tesseract"].startswith(program.program_version())
    assert used(lang="fr").keys() == every.keys() - {"tesseract"}
    monkeypatch.setattr(program, "installed", lambda: frozenset({"osd", "eng"}))
    assert used()["tesseract"] != every["tesseract"]
    monkeypatch.setattr(program, "found", lambda: False)
    assert used()["tesseract"] == "none"


def test_a_page_with_a_text_of_its_own_gets_its_languages_from_that(models_dir: Path) -> None:
    drawn = draw((*PROSE, *RUSSIAN), size=(1200, 800), font=dejavu())
    (result,) = loaded("standard", models_dir).recognize([drawn.page(dpi=144, layer=drawn.layer(144))], Task())
    assert result.text_source == "text-layer"
    assert result.languages == ("en", "ru")
    assert {lang for _, lang in lines_of(result)} == {"en", "ru"}
