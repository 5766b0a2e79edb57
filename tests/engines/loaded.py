"""Engines with their real weights, each loaded once for all tests."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from octavo.engines import engine as engines
from octavo.engines import tesseract_program
from octavo.engines.engine import Engine
from octavo.settings import Settings

SORTS = {
    "standard": {"tier": "standard"},
    "fast": {"tier": "fast"},
    "tesseract": {"engine": "tesseract"},
}


def settings_of(sort: str, models_dir: Path, **values: str) -> Settings:
    return Settings(models_dir=str(models_dir), **{**SORTS[sort], **values})  # type: ignore[arg-type]


@cache
def loaded(sort: str, models_dir: Path) -> Engine:
    return engines.create(settings_of(sort, models_dir))


def needs_tesseract(*names: str) -> None:
    """Skips the test where Tesseract or its data of these names is not installed."""
    if not shutil.which("tesseract"):
        pytest.skip("Tesseract is not installed (Debian: tesseract-ocr)")
    if missing := set(names) - tesseract_program.installed():
        pytest.skip("Tesseract lacks data; Debian: " + " ".join(f"tesseract-ocr-{name}" for name in sorted(missing)))
