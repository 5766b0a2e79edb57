"""The tiny catalogue in place of the real one, for every test in this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import MODELS, ONE, TWO, write_wheel

from octavo.models import catalogue
from octavo.settings import Settings


@pytest.fixture(autouse=True)
def _tiny_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", MODELS)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with both wheels."""
    folder = tmp_path / "wheels"
    write_wheel(ONE, folder)
    write_wheel(TWO, folder)
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Settings:
    """Settings with an empty models folder."""
    return Settings(models_dir=str(tmp_path / "models"))
