"""Reads whose replies may be long, on a connection of their own: nobody else's answer waits behind them."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

from memory.errors import Overloaded
from memory.stores.redis.wire import Command, Commands

_AT_ONCE: Final = 4
"""Replies under way: what they hold in memory is bounded by that and by the size of a session."""


class Connected(Commands, Protocol):
    """A connection that knows whether it is there."""

    @property
    def connected(self) -> bool:
        """Whether commands can be sent now."""
        ...


class LargeReads:
    """The Commands of a connection, a few groups at a time; who waits longer than `wait_s` gets Overloaded.

    While that connection is not there (each comes back by itself after an outage), they go over the `usual` one.
    """

    def __init__(self, commands: Connected, usual: Commands, wait_s: float) -> None:
        self._own = commands
        self._usual = usual
        self._wait_s = wait_s
        self._places = asyncio.Semaphore(_AT_ONCE)

    @property
    def server(self) -> Mapping[str, str]:
        """The server's INFO as of the connection's start."""
        return self._own.server

    @property
    def _commands(self) -> Commands:
        return self._own if self._own.connected else self._usual

    async def run(self, *commands: Command) -> list[Any]:
        """As Commands says."""
        await self._enter()
        try:
            return await self._commands.run(*commands)
        finally:
            self._places.release()

    async def run_packed(self, data: bytes, replies: int) -> list[Any]:
        """As Commands says."""
        await self._enter()
        try:
            return await self._commands.run_packed(data, replies)
        finally:
            self._places.release()

    async def _enter(self) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await self._places.acquire()
        except TimeoutError:
            raise Overloaded("too many long histories are being read") from None
