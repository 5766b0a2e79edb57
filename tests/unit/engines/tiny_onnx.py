"""A network in ONNX form, written byte by byte: a stand-in for weights that tests cannot have.

ONNX is protobuf; of it only what these few messages need is written here (field numbers as in onnx.proto3).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

FLOAT, INT64 = 1, 7


def bright_or_dark(
    shape: Sequence[int], limit: float, bright: Sequence[int], dark: Sequence[int], element: int = FLOAT
) -> bytes:
    """A network that takes one tensor of `shape` and gives one of two lists of token ids, 1 x N, of one length:
    `bright` where the mean of its input is above `limit`, else `dark`."""
    assert len(bright) == len(dark)
    nodes = [
        _node("ReduceMean", ["picture"], ["mean"], _field(5, _field(1, b"keepdims") + _field(3, 0) + _field(20, 2))),
        _node("Greater", ["mean", "limit"], ["is_bright"]),
        _node("Where", ["is_bright", "bright", "dark"], ["ids"]),
    ]
    constants = [
        _tensor("limit", (), FLOAT, struct.pack("<f", limit)),
        _tensor("bright", (1, len(bright)), INT64, struct.pack(f"<{len(bright)}q", *bright)),
        _tensor("dark", (1, len(dark)), INT64, struct.pack(f"<{len(dark)}q", *dark)),
    ]
    graph = b"".join(
        [
            *(_field(1, node) for node in nodes),
            _field(2, b"stand-in"),
            *(_field(5, constant) for constant in constants),
            _field(11, _value("picture", shape, element)),
            _field(12, _value("ids", (1, len(bright)), INT64)),
        ]
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))


def _node(kind: str, inputs: Sequence[str], outputs: Sequence[str], attributes: bytes = b"") -> bytes:
    names = [_field(1, name.encode()) for name in inputs] + [_field(2, name.encode()) for name in outputs]
    return b"".join(names) + _field(4, kind.encode()) + attributes


def _tensor(name: str, shape: Sequence[int], element: int, raw: bytes) -> bytes:
    return b"".join(_field(1, side) for side in shape) + _field(2, element) + _field(8, name.encode()) + _field(9, raw)


def _value(name: str, shape: Sequence[int], element: int) -> bytes:
    sides = b"".join(_field(1, _field(1, side)) for side in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, element) + _field(2, sides)))


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
