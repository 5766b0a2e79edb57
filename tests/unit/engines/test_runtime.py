from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from octavo.engines.pipeline import runtime as module
from octavo.engines.pipeline.runtime import Runtime, choose
from octavo.errors import EngineError, EngineMissingError
from octavo.models import store
from octavo.settings import Settings

RUNTIMES = [name for name in ("openvino", "onnxruntime") if find_spec(name)]


def only(monkeypatch: pytest.MonkeyPatch, *installed: str) -> None:
    def told(name: str) -> str:
        if name not in installed:
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(module, "version", told)


@pytest.mark.parametrize("name", RUNTIMES)
def test_the_wanted_one_is_chosen_and_names_itself_and_its_arithmetic(name: str) -> None:
    runtime = choose(name)
    assert runtime.name == name
    assert runtime.description == f"{name} {version(name)} {runtime.precision}"
    assert runtime.precision in ("fp32", "bf16")


def test_auto_prefers_openvino_and_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    if len(RUNTIMES) == 2:
        assert choose("auto").name == "openvino"
    only(monkeypatch, "onnxruntime")
    assert choose("auto") == Runtime("onnxruntime", "fp32")


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch)
    with pytest.raises(EngineMissingError, match="install openvino or onnxruntime"):
        choose("auto")
    with pytest.raises(EngineMissingError, match="install openvino with pip"):
        choose("openvino")


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_file_that_is_no_network_is_a_typed_error(name: str, tmp_path: Path) -> None:
    broken = tmp_path / "net.onnx"
    broken.write_bytes(b"no network at all")
    with pytest.raises(EngineError, match=r"cannot load net\.onnx"):
        choose(name).load(broken)


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_network_answers_shapes_of_all_sizes(name: str, models_dir: Path) -> None:
    path = store.locate("pp-ocrv6-tiny-det", Settings(models_dir=str(models_dir)))
    network = choose(name).load(path)
    for height, width in ((64, 64), (128, 64), (64, 192)):
        (out,) = network.run(np.zeros((1, 3, height, width), np.float32))
        assert out.shape == (1, 1, height, width)
        assert 0 <= out.min() <= out.max() <= 1
