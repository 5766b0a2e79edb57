from __future__ import annotations

from pathlib import Path

import pytest
from loaded import SORTS, loaded, needs_tesseract

from octavo.engines.engine import Engine


@pytest.fixture(params=SORTS)
def engine(request: pytest.FixtureRequest, models_dir: Path) -> Engine:
    """Each engine in turn."""
    if request.param == "tesseract":
        needs_tesseract("eng")
    return loaded(request.param, models_dir)


@pytest.fixture(params=["standard", "fast"])
def pipeline(request: pytest.FixtureRequest, models_dir: Path) -> Engine:
    """The built-in engine in both its tiers."""
    return loaded(request.param, models_dir)


@pytest.fixture
def tesseract(models_dir: Path) -> Engine:
    needs_tesseract("eng")
    return loaded("tesseract", models_dir)
