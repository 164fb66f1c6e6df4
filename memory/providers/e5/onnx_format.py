"""As much of ONNX's file format (protocol buffers) as a model of tensors and nodes needs; numbers are its fields."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from numpy.typing import NDArray

FLOAT, INT8, INT64 = 1, 3, 7
"""Types of elements."""
_DTYPES: Final = {FLOAT: "<f4", INT8: "i1", INT64: "<i8"}
_IR_VERSION: Final = 9
_OPSETS: Final = {"": 20, "com.microsoft": 1}
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT = 1, 2
Shape = Sequence[int | str]


class Graph:
    """Nodes and constants as they are added, in an order in which they can be worked out."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, name: str, values: NDArray[Any], elements: int) -> str:
        """Add numbers under a name; returns the name."""
        dims = b"".join(_number(1, size) for size in values.shape)
        raw = values.astype(_DTYPES[elements], copy=False).tobytes()
        self._constants.append(_bytes(5, dims + _number(2, elements) + _text(8, name) + _bytes(9, raw)))
        return name

    def node(self, operator: str, inputs: Sequence[str], *outputs: str, domain: str = "", **attributes: float) -> str:
        """Add a node; returns the name of its first output."""
        names = b"".join([*(_text(1, name) for name in inputs), *(_text(2, name) for name in outputs)])
        given = b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(_bytes(1, names + _text(4, operator) + given + _text(7, domain)))
        return outputs[0]

    def model(self, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape]) -> bytes:
        """The model as bytes. A size that is a name may be any."""
        graph = b"".join(
            [
                *self._nodes,
                _text(2, "e5"),
                *self._constants,
                *(_bytes(11, _value(name, shape)) for name, shape in inputs.items()),
                *(_bytes(12, _value(name, shape)) for name, shape in outputs.items()),
            ]
        )
        opsets = b"".join(_bytes(8, _text(1, domain) + _number(2, version)) for domain, version in _OPSETS.items())
        return _number(1, _IR_VERSION) + _bytes(7, graph) + opsets


def _value(name: str, shape: Shape) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in shape)
    tensor = _number(1, FLOAT) + _bytes(2, b"".join(_bytes(1, size) for size in sizes))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _ATTRIBUTE_INT)
    return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, _ATTRIBUTE_FLOAT)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    value &= 2**64 - 1
    found = bytearray()
    while value > 127:  # noqa: PLR2004 - seven bits a byte
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
