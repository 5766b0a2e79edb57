from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny_onnx import INT64, bright_or_dark

from octavo.engines.pipeline import formula_model
from octavo.errors import EngineError, ModelDamagedError
from octavo.settings import Settings

TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "\\frac", "{", "}", "Ġa", "Ġ2", "b", "=")
FRACTION = (2, 4, 5, 7, 6, 5, 8, 9, 6, 2, 9, 9)  # \frac{ a}{ 2b}, then what comes after the end
SHORT = (2, 9, 10, 8, 2, 1, 1, 1, 1, 1, 1, 1)  # b= 2


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(models_dir=str(tmp_path / "models"))


def put(settings: Settings, network: bytes | None = None, tokens: str | None = None) -> None:
    folder = settings.folder("models") / "formula-latex"
    folder.mkdir(parents=True, exist_ok=True)
    if network is not None:
        (folder / "formula.onnx").write_bytes(network)
    if tokens is not None:
        (folder / "tokens.txt").write_text(tokens, encoding="utf-8")


def stand_in(channels: int = 1) -> bytes:
    return bright_or_dark((1, channels, 32, 96), 0.0, FRACTION, SHORT)


def stroke(paper: int, ink: int, height: int = 40, width: int = 120) -> np.ndarray:
    pixels = np.full((height, width, 3), paper, np.uint8)
    pixels[height // 2, 4 : width - 4] = ink
    pixels[4 : height - 4, width // 2] = ink
    return pixels


@pytest.mark.parametrize("channels", [1, 3])
def test_the_network_runs_and_its_ids_become_latex(settings: Settings, channels: int) -> None:
    put(settings, stand_in(channels), "\n".join(TOKENS) + "\n")
    model = formula_model.load(settings)
    assert model is not None
    assert model.latex(stroke(255, 0)) == r"\frac{ a}{ 2b}"  # paper fills the picture: bright
    assert model.latex(stroke(255, 0, height=400, width=12)) == "b= 2"  # a narrow stroke in the middle of black


def test_without_files_there_is_no_model(settings: Settings) -> None:
    assert formula_model.load(settings) is None


@pytest.mark.parametrize(
    ("network", "tokens", "says"),
    [
        (stand_in(), None, "lacks tokens.txt"),
        (None, "<s>\n</s>", "lacks formula.onnx"),
        (b"no network", "</s>", "is no network that ONNX Runtime can load"),
        (stand_in(), "a\nb", "lists no </s>"),
        (bright_or_dark((1, 2, 8, 8), 0.0, (1,), (2,)), "</s>", "docs/formulas.md says what it must take and give"),
        (bright_or_dark((1, 1, 8), 0.0, (1,), (2,)), "</s>", "docs/formulas.md says what it must take and give"),
        (bright_or_dark((1, 1, 8, 8), 0.0, (1,), (2,), INT64), "</s>", "."),
    ],
)
def test_what_is_not_as_the_guide_says_is_refused(
    settings: Settings, network: bytes | None, tokens: str | None, says: str
) -> None:
    put(settings, network, tokens)
    with pytest.raises(ModelDamagedError, match=says):
        formula_model.load(settings)


def test_a_network_that_fails_names_itself() -> None:
    def fails(x: np.ndarray) -> np.ndarray:
        raise RuntimeError("out of something")

    model = formula_model.FormulaModel(fails, (96, 32), 1, TOKENS)
    with pytest.raises(EngineError, match="formula-latex failed on a formula: out of something"):
        model.latex(stroke(255, 0))


def test_pictures_are_prepared_as_in_training() -> None:
    pixels = np.full((100, 300, 3), 240, np.uint8)
    pixels[40:60, 50:90] = 20  # ink of 40 x 20: enlarged four times, to 160 x 80
    out = formula_model.prepared(pixels, (200, 80))
    assert out is not None
    assert out.shape == (80, 200)
    black, ink = (0 - 0.7931) / 0.1738, (20 / 255 - 0.7931) / 0.1738
    assert np.allclose(out[:, :20], black)
    assert np.allclose(out[:, 180:], black)
    assert np.allclose(out[:, 20:180], ink, atol=1e-4)


def test_an_empty_picture_has_no_formula() -> None:
    assert formula_model.prepared(np.zeros((0, 5, 3), np.uint8), (96, 32)) is None


@pytest.mark.parametrize(
    ("ids", "latex"),
    [
        ([0, 4, 5, 9, 6], r"\frac{b}"),
        ([2, 9, 2, 9], "b"),  # the first end is how the network begins
        ([4, 5, 9], ""),  # a brace is left open
        ([6, 5], ""),
        ([99, -1, 9], "b"),
        ([], ""),
    ],
)
def test_ids_become_latex_up_to_the_end(ids: list[int], latex: str) -> None:
    assert formula_model.written(np.array(ids, np.int64), TOKENS) == latex


def test_braces_that_are_signs_need_no_mate() -> None:
    assert formula_model.written(np.array([0]), (r"\{ x \\ {y}",)) == r"\{ x \\ {y}"
