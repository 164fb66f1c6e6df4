"""Server-Sent Events: how they are framed, and a stream of them that looks again and again for what has changed."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, Protocol

from memory.errors import MemoryGatewayError, TemporaryError

MEDIA: Final = "text/event-stream"
TROUBLE: Final = "trouble"
"""The event that says by its code that it is not known how things stand, until another one tells."""
LOOK_S: Final = 0.5
_TROUBLED_S: Final = 2.0
_COMMENT_S: Final = 15.0
_RETRY: Final = b"retry: 2000\r\n\r\n"
_COMMENT: Final = b": \r\n\r\n"
"""Keeps what is between here and the peer from taking the connection for dead."""


class Revised(Protocol):
    """How something stands, and the name of that."""

    @property
    def revision(self) -> str:
        """Another one after each change."""
        ...

    def model_dump_json(self) -> str:
        """The whole of it."""
        ...


Look = Callable[[str], Awaitable[Revised | None]]
"""How something stands; None: as of this revision. Raises nothing but MemoryGatewayError."""


def event(name: str, data: bytes, revision: str = "") -> bytes:
    """One event, whose data is a line; the client sends back the last `revision` that it was told."""
    named = f"id: {revision}\r\nevent: {name}" if revision else f"event: {name}"
    return b"%b\r\ndata: %b\r\n\r\n" % (named.encode(), data)


async def changes(name: str, look: Look, first: bytes, revision: str) -> AsyncGenerator[bytes, None]:
    """Events of this name: `first`, of this revision, unless it is empty; then one after each change that a look finds.

    Trouble that passes is told once, and when it has passed, how things stand by then. Any other error ends it: whoever
    asks again is told which.
    """
    yield _RETRY + (event(name, first, revision) if first else b"")
    clock = asyncio.get_running_loop().time
    known, told_at = revision, clock()
    while True:
        await asyncio.sleep(LOOK_S if known else _TROUBLED_S)
        piece = b""
        try:
            found = await look(known)
        except TemporaryError as error:
            piece = event(TROUBLE, json.dumps({"code": error.code}).encode()) if known else b""
            known = ""
        except MemoryGatewayError:
            return
        else:
            if found is not None:
                known = found.revision
                piece = event(name, found.model_dump_json().encode(), known)
        if not piece and clock() - told_at >= _COMMENT_S:
            piece = _COMMENT
        if piece:
            told_at = clock()
            yield piece
