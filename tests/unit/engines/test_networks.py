from __future__ import annotations

from pathlib import Path

import pytest

from octavo.engines.pipeline import networks
from octavo.engines.pipeline.runtime import choose
from octavo.errors import ModelMissingError
from octavo.models import CATALOGUE
from octavo.settings import Settings


def test_a_tier_names_models_of_the_catalogue_and_shares_the_small_ones() -> None:
    standard, fast = (set(networks.model_names(tier)) for tier in ("standard", "fast"))
    assert standard | fast <= {model.name for model in CATALOGUE}
    assert standard & fast == {"doc-orientation", "layout-cdla", "table-slanet-plus", "pp-ocrv6-small-rec"}
    assert (len(standard), len(fast)) == (5, 6)  # the fast tier reads the signs of formulas with the larger network


def test_missing_weights_are_told_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="octavo models pull"):
        networks.load(Settings(models_dir=str(tmp_path)), choose("auto"))


@pytest.mark.parametrize(("tier", "size"), [("standard", 18_709), ("fast", 6_905)])
def test_the_alphabet_fits_the_networks_answers(tier: str, size: int, models_dir: Path) -> None:
    """With one character too many or too few, every letter would be taken for its neighbour."""
    import numpy as np

    loaded = networks.load(Settings(models_dir=str(models_dir), tier=tier), choose("onnxruntime"))
    recognizer = loaded.recognizer
    (answer,) = recognizer._network.run(np.zeros((1, 3, 48, 64), np.float32))
    assert answer.shape[2] == len(recognizer._alphabet) == size + 1  # and the blank
    assert recognizer._alphabet[0] == ""
    assert recognizer._alphabet[-1] == " "
