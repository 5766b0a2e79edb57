"""What every test stands on: settings that owe nothing to the machine, and the real model weights."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.models import CATALOGUE, store
from octavo.settings import Settings, load

# Where `make setup` put the weights, as the developer's own settings say; read before they are hidden from the tests.
MODELS_DIR = load().folder("models")


def pytest_configure() -> None:
    """Shells start background jobs with Ctrl-C ignored, and programs that tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files of tests/golden")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected files are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session", autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hides the developer's settings from the tests and from the processes they start; only the weights are shared."""
    folder = tmp_path_factory.mktemp("octavo")
    (folder / "octavo.toml").touch()
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.startswith("OCTAVO_")]:
            patch.delenv(variable)
        patch.setenv("OCTAVO_CONFIG", str(folder / "octavo.toml"))
        patch.setenv("OCTAVO_DATA_DIR", str(folder / "data"))
        patch.setenv("OCTAVO_MODELS_DIR", str(MODELS_DIR))
        yield


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder of real weights. A test that asks for it fails where they are missing: `make setup` brings them."""
    settings = Settings(models_dir=str(MODELS_DIR))
    faults = [one.fault for model in CATALOGUE for one in store.inspect(model, settings, digest=False) if one.fault]
    if faults:
        pytest.fail("\n".join(["the real weights are not in place; run `make setup`", *faults]))
    return MODELS_DIR


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a data folder of the test's own and the shared weights."""
    return Settings(data_dir=str(tmp_path / "data"), models_dir=str(MODELS_DIR))
