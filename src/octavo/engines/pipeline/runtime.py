"""One network on one thread, run by OpenVINO or ONNX Runtime.

Pages are spread over processes, so each network gets a single thread: two processes of one thread do 1.26 times the
work of one process of two.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from octavo.errors import EngineError, EngineMissingError

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Network:
    """`run` takes the one input and gives all outputs in the graph's order, valid until the next call."""

    run: Callable[[Array], list[Array]]
    characters: str = ""  # the alphabet, where the file carries one: a character a line


@dataclass(frozen=True)
class Runtime:
    """A way to run networks; `precision` is what the arithmetic is done in."""

    name: str
    precision: str

    @property
    def description(self) -> str:
        return f"{self.name} {version(self.name)} {self.precision}"

    def load(self, path: Path) -> Network:
        """The network in the ONNX file `path`. Raises EngineError where the runtime refuses it."""
        try:
            return _load_openvino(path, self.precision) if self.name == "openvino" else _load_onnxruntime(path)
        except Exception as fault:
            raise EngineError(f"{self.name} cannot load {path.name}: {fault}; try another `runtime` setting") from fault


def choose(wanted: str) -> Runtime:
    """The runtime for the setting `wanted` (`auto`, `openvino`, `onnxruntime`) on this machine.

    OpenVINO takes 0.57 of ONNX Runtime's CPU time, and half of that again in bf16 where the CPU has it.
    Raises EngineMissingError where the wanted one is not installed.
    """
    names = ("openvino", "onnxruntime") if wanted == "auto" else (wanted,)
    for name in names:
        if _installed(name):
            return Runtime(name, _openvino_precision() if name == "openvino" else "fp32")
    raise EngineMissingError(f"no runtime for the networks: install {' or '.join(names)} with pip")


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _openvino_precision() -> str:
    # Read from the kernel: asking OpenVINO loads it, 0.2 s that a run answered from the cache need not pay.
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "bf16" if "BF16" in _openvino_core().get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "fp32"
    return "bf16" if "avx512_bf16" in flags or "amx_bf16" in flags else "fp32"


@cache
def _openvino_core() -> Any:
    os.environ.setdefault("OPENVINO_TELEMETRY_OPT_OUT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import openvino

    return openvino.Core()


def _load_openvino(path: Path, precision: str) -> Network:
    core = _openvino_core()
    model = core.read_model(path)
    model.reshape({0: [1, *list(model.input(0).get_partial_shape())[1:]]})  # one picture at a time: 1 % faster told so
    compiled = core.compile_model(
        model,
        "CPU",
        {
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,
            "INFERENCE_PRECISION_HINT": {"bf16": "bf16", "fp32": "f32"}[precision],
        },
    )
    request = compiled.create_infer_request()
    count = len(compiled.outputs)

    def run(x: Array) -> list[Array]:
        request.infer([x], share_inputs=True)
        return [request.get_output_tensor(i).data for i in range(count)]

    named = ["framework", "character"]
    return Network(run, model.get_rt_info(named).astype(str) if model.has_rt_info(named) else "")


def _load_onnxruntime(path: Path) -> Network:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena keeps the largest activation of every width ever seen; pages of all sizes would make it grow.
    options.enable_cpu_mem_arena = False
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def run(x: Array) -> list[Array]:
        outputs: list[Array] = session.run(None, {name: x})
        return outputs

    return Network(run, session.get_modelmeta().custom_metadata_map.get("character", ""))
