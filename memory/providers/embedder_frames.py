"""How texts and vectors travel between the process that has the model and those that ask it, over a unix socket.

A frame is its length, the number of the request that it belongs to, what it is, and what it carries: a text, a vector
of 32-bit floats, or the words of an error. Both ends are of one program and one machine: numbers are as that has them.
"""

import asyncio
import struct
from enum import IntEnum
from typing import Final, NamedTuple

_HEAD: Final = struct.Struct("=IQB")
TEXT_CHARS_MAX: Final = 65_536
"""Of a longer text the two ends travel; no local model reads so much."""
_PAYLOAD_BYTES_MAX: Final = 4 * TEXT_CHARS_MAX


class What(IntEnum):
    """What a frame is: the first three are asked, the others are answers."""

    QUERY = 1
    PASSAGE = 2
    FORGET = 3
    """Nobody waits for this request any more."""
    VECTOR = 4
    OVERLOADED = 5
    UNAVAILABLE = 6
    BROKEN = 7
    """The text cannot be embedded, by whomever."""
    HELLO = 8
    """The first that a process says to who connects: what runs its model."""


class Frame(NamedTuple):
    """One message."""

    number: int
    what: What
    payload: bytes = b""

    def encode(self) -> bytes:
        """The bytes of it."""
        return _HEAD.pack(len(self.payload), self.number, self.what) + self.payload


async def read_frame(reader: asyncio.StreamReader) -> Frame:
    """The next frame. Raises EOFError at the end of the stream, ConnectionError for what is no frame."""
    size, number, what = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    if size > _PAYLOAD_BYTES_MAX:
        raise ConnectionError("a frame is longer than any may be")
    return Frame(number, What(what), await reader.readexactly(size))
