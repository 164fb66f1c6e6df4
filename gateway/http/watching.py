"""The sending of a watch, and its end from outside: whoever hears that nobody is there any more ends it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Final

from gateway.http.answers import Watch

LASTS_S: Final = 900.0
"""Then it ends by itself, and who comes again has to be let in again: a cookie may have ended meanwhile.

A peer that vanished without a word is not kept for longer either.
"""


class Watching:
    """What a connection sends of a watch, if it sends one."""

    __slots__ = ("_scope",)

    def __init__(self) -> None:
        self._scope: asyncio.Timeout | None = None

    @property
    def is_on(self) -> bool:
        """Whether a watch is being sent."""
        return self._scope is not None

    async def send(self, watch: Watch, deliver: Callable[[bytes], Awaitable[None]], *, over: bool) -> None:
        """Deliver what comes until the end, then close what it comes from: nothing of it is left when this returns.

        `over`: the end has come already, and nothing is delivered.
        """
        try:
            if not over:
                async with aclosing(watch.pieces) as pieces, asyncio.timeout(LASTS_S) as self._scope:
                    async for piece in pieces:
                        await deliver(piece)
        except TimeoutError:
            return
        finally:
            self._scope = None
            watch.on_end()

    def end(self) -> None:
        """Nobody is there any more: end what is being sent, if anything is."""
        if self._scope is not None and not self._scope.expired():
            self._scope.reschedule(asyncio.get_running_loop().time())
