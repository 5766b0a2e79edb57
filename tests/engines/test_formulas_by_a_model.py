"""A user's own network for formulas, from the models folder to the page's result."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from octavo.document import Kind, Page
from octavo.engines import engine as engines
from octavo.engines.engine import Task
from octavo.settings import Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit/engines"))

from tiny_onnx import bright_or_dark  # the path comes first

TOKENS = ("<s>", "<pad>", "</s>", "E", "=", "m", "c^2")
WRITTEN = (0, 3, 4, 5, 6, 2, 1, 1)


@pytest.fixture
def folder(tmp_path: Path, models_dir: Path) -> Path:
    """The real weights, by links, in a folder of our own."""
    for entry in models_dir.iterdir():
        (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


def formula_page() -> Page:
    picture = Image.new("RGB", (700, 160), "white")
    font = ImageFont.load_default(size=60)
    ImageDraw.Draw(picture).text((120, 40), "E = mc + 1", "black", font=font)
    pixels = np.asarray(picture)
    return Page(1, 700, 160, "px", lambda dpi: pixels)


def test_the_model_writes_the_latex_and_is_part_of_the_stamp(folder: Path) -> None:
    settings = Settings(models_dir=str(folder), tier="fast")
    plain = engines.stamp(settings)
    own = folder / "formula-latex"
    own.mkdir()
    (own / "formula.onnx").write_bytes(bright_or_dark((1, 1, 32, 96), 0.0, WRITTEN, WRITTEN))
    (own / "tokens.txt").write_text("\n".join(TOKENS) + "\n", encoding="utf-8")
    assert engines.stamp(settings) != plain
    (result,) = engines.create(settings).recognize(iter((formula_page(),)), Task())
    (formula,) = [block for block in result.blocks if block.kind is Kind.FORMULA]
    assert formula.latex == "E=mc^2"
    assert formula.picture.startswith(b"\x89PNG")
    assert "E" in formula.text
