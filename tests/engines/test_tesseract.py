"""What the Tesseract engine does beyond what every engine owes."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn import alike, draw, text_of
from loaded import needs_tesseract, settings_of

from octavo.document import Kind
from octavo.engines import engine as engines
from octavo.engines import tesseract_program
from octavo.engines.engine import Engine, Task
from octavo.errors import EngineMissingError, LanguageMissingError, UsageError

PARAGRAPHS = draw(
    [
        "A first paragraph of several words",
        "that goes on for another line here",
        "",
        "",
        "The second one stands well below",
        "and it has two lines of its own",
    ]
)


@pytest.mark.parametrize("degrees", [5, -9])
def test_a_page_skewed_so_far_that_the_program_would_lose_lines(tesseract: Engine, degrees: float) -> None:
    drawn = draw().skewed(degrees)
    (result,) = tesseract.recognize([drawn.page()], Task())
    assert alike(text_of(result), drawn.text) > 0.97
    assert result.skew == pytest.approx(degrees, abs=0.3)


def test_blocks_are_its_paragraphs(tesseract: Engine) -> None:
    (result,) = tesseract.recognize([PARAGRAPHS.page()], Task())
    assert [block.kind for block in result.blocks] == [Kind.TEXT, Kind.TEXT]
    assert [len(block.lines) for block in result.blocks] == [2, 2]
    assert "words that goes" in result.blocks[0].text
    assert result.blocks[0].box[3] < result.blocks[1].box[1]


def test_small_pages_are_read_enlarged_and_mapped_back(tesseract: Engine) -> None:
    drawn = draw(["Small words on a small page", "are read as well as large ones"], (400, 120), px=14, at=(20, 20))
    (result,) = tesseract.recognize([drawn.page()], Task())
    assert alike(text_of(result), drawn.text) > 0.97
    x0, y0, x1, y1 = result.blocks[0].box
    assert 10 < x0 < 30 < 190 < x1 < 260
    assert 15 < y0 < 30 < 50 < y1 < 75


@pytest.mark.parametrize("by", ["osd", "none"])
def test_without_the_orientation_network(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract's own data tell which way up a page is; without them it is read as it is displayed."""
    needs_tesseract("eng", "osd")
    if by == "none":
        monkeypatch.setattr(tesseract_program, "installed", lambda: frozenset({"eng"}))
    settings = settings_of("tesseract", tmp_path)
    engine = engines.create(settings)
    assert engine.stamp.settings == {"orientation": by}
    assert engine.stamp.runtime == f"tesseract {tesseract_program.program_version()}"
    drawn = draw()
    (result,) = engine.recognize([drawn.page()], Task())
    assert alike(text_of(result), drawn.text) > 0.97
    (result,) = engine.recognize([drawn.turned(180).page()], Task())
    assert result.rotation == (180 if by == "osd" else 0)
    assert (alike(text_of(result), drawn.text) > 0.97) == (by == "osd")


def test_the_stamp_is_of_program_data_and_orientation(tesseract: Engine, models_dir: Path) -> None:
    stamp = tesseract.stamp
    assert (stamp.engine, stamp.version) == ("tesseract", tesseract_program.program_version())
    assert stamp.weights.startswith("sha256:")
    assert stamp.settings == {"orientation": "network"}
    needs_tesseract("rus")
    assert engines.stamp(settings_of("tesseract", models_dir, lang="ru")).weights != stamp.weights


def test_what_no_page_could_get_past_ends_the_start(
    tesseract: Engine, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="klingon"):
        engines.create(settings_of("tesseract", models_dir, lang="klingon"))
    monkeypatch.setattr(tesseract_program, "installed", lambda: frozenset({"eng"}))
    with pytest.raises(LanguageMissingError, match="tesseract-ocr-rus"):
        engines.stamp(settings_of("tesseract", models_dir, lang="ru"))

    def absent() -> str:
        raise EngineMissingError("Tesseract is not installed")

    monkeypatch.setattr(tesseract_program, "program_version", absent)
    with pytest.raises(EngineMissingError):
        engines.create(settings_of("tesseract", models_dir))
