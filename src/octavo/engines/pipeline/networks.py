"""The networks of a tier, loaded once per process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from octavo.engines.pipeline import formula_model
from octavo.engines.pipeline.formula_model import FormulaModel
from octavo.engines.pipeline.recognition import Recognizer
from octavo.engines.pipeline.runtime import Network, Runtime, choose
from octavo.models import store
from octavo.settings import Settings

_SHARED = ("doc-orientation", "layout-cdla", "table-slanet-plus")
_SIZES = {"standard": "small", "fast": "tiny"}
_SIGNS = "pp-ocrv6-small-rec"  # the tiny network knows few signs of mathematics


def model_names(tier: str) -> tuple[str, ...]:
    """The catalogue's names of the networks that `tier` uses."""
    size = _SIZES[tier]
    return tuple(dict.fromkeys((*_SHARED, f"pp-ocrv6-{size}-det", f"pp-ocrv6-{size}-rec", _SIGNS)))


@dataclass(frozen=True)
class Networks:
    """`tables` gives the network for the structure of tables, `signs` reads those of formulas, and `formulas` gives the
    user's own network for LaTeX, if there is one. They are loaded when they are first asked for: documents without
    tables and formulas have no need of them."""

    orientation: Network
    layout: Network
    detection: Network
    recognizer: Recognizer
    signs: Callable[[], Recognizer]
    tables: Callable[[], Network | None] = lambda: None
    formulas: Callable[[], FormulaModel | None] = lambda: None


def load(settings: Settings, runtime: Runtime) -> Networks:
    """All networks of the tier in force. Raises ModelMissingError, ModelDamagedError, EngineError."""
    paths = [store.locate(name, settings) for name in model_names(settings.tier)]
    orientation, layout, detection, recognition = (runtime.load(paths[i]) for i in (0, 1, 3, 4))
    recognizer = Recognizer(recognition, _alphabet(recognition, settings))
    signs = cache(lambda: recognizer if settings.tier == "standard" else _signs(runtime, settings))
    tables, formulas = cache(lambda: _tables(paths[2])), cache(lambda: formula_model.load(settings))
    return Networks(orientation, layout, detection, recognizer, signs, tables, formulas)


def _signs(runtime: Runtime, settings: Settings) -> Recognizer:
    network = runtime.load(store.locate(_SIGNS, settings))
    return Recognizer(network, _alphabet(network, settings))


def _tables(path: Path) -> Network:
    # OpenVINO cannot convert the loop in which this network writes its tokens.
    return choose("onnxruntime").load(path)


def _alphabet(network: Network, settings: Settings) -> tuple[str, ...]:
    """The characters behind the network's answers from index 1 on; the last one is the space, which no file lists."""
    listed = network.characters
    if not listed:
        listed = store.member("pp-ocrv6-tiny-rec", "ppocrv6_tiny_dict.txt", settings).read_text(encoding="utf-8")
    # Not splitlines(): the alphabet holds characters that it would take for line ends.
    return (*listed.rstrip("\n").split("\n"), " ")
