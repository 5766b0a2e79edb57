"""The networks of a tier, loaded once per process."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.engines.pipeline.recognition import Recognizer
from octavo.engines.pipeline.runtime import Network, Runtime
from octavo.models import store
from octavo.settings import Settings

_SHARED = ("doc-orientation", "layout-cdla")
_SIZES = {"standard": "small", "fast": "tiny"}


def model_names(tier: str) -> tuple[str, ...]:
    """The catalogue's names of the networks that `tier` uses."""
    return (*_SHARED, f"pp-ocrv6-{_SIZES[tier]}-det", f"pp-ocrv6-{_SIZES[tier]}-rec")


@dataclass(frozen=True)
class Networks:
    orientation: Network
    layout: Network
    detection: Network
    recognizer: Recognizer


def load(settings: Settings, runtime: Runtime) -> Networks:
    """All networks of the tier in force. Raises ModelMissingError, ModelDamagedError, EngineError."""
    orientation, layout, detection, recognition = (
        runtime.load(store.locate(name, settings)) for name in model_names(settings.tier)
    )
    return Networks(orientation, layout, detection, Recognizer(recognition, _alphabet(recognition, settings)))


def _alphabet(network: Network, settings: Settings) -> tuple[str, ...]:
    """The characters behind the network's answers from index 1 on; the last one is the space, which no file lists."""
    listed = network.characters
    if not listed:
        name = model_names(settings.tier)[-1]
        listed = store.member(name, "ppocrv6_tiny_dict.txt", settings).read_text(encoding="utf-8")
    # Not splitlines(): the alphabet holds characters that it would take for line ends.
    return (*listed.rstrip("\n").split("\n"), " ")
