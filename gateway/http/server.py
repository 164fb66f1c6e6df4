"""The HTTP listener: a limit of connections, deadlines for their peers, and a clean end."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from gateway.http.adapter import Incoming, respond
from gateway.http.bounds import ConnectionLimit, HeldBytes, Timeouts
from gateway.http.exchange import HttpConnection
from gateway.http.request import Application
from gateway.http.terms import Terms
from memory.errors import SetupError

_SWEEP_INTERVAL_S: Final = 0.5
_BACKLOG: Final = 2048


@dataclass(frozen=True, slots=True)
class Listening:
    """Where and how to listen. Times are in seconds."""

    host: str
    port: int
    timeouts: Timeouts
    shutdown_timeout_s: float
    connections_max: int
    connections_of_peer: int | None
    """How many of this process's one address may have; None: no matter."""
    held_bytes_max: int
    """How many bytes this process keeps for peers that are slow to send or to take them."""
    shared: bool
    """Whether other processes listen on this port too."""


class _Server(web.Server):
    """aiohttp's, but for the connections that it makes."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(respond, request_factory=Incoming)
        self._terms = terms

    def __call__(self) -> HttpConnection:
        return HttpConnection(self, self._terms)


class Listener:
    """A running HTTP server. `count` is told the number of its connections, and returns that of all processes."""

    def __init__(self, application: Application, settings: Listening, count: Callable[[int], float]) -> None:
        self._settings = settings
        limit = ConnectionLimit(settings.connections_max, settings.connections_of_peer, count)
        self._terms = Terms(application, settings.timeouts, limit, HeldBytes(settings.held_bytes_max))
        self._sockets: asyncio.Server | None = None
        self._sweeping: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Listen; returns the port. Raises SetupError when the address cannot be had."""
        settings = self._settings
        try:
            self._sockets = await asyncio.get_running_loop().create_server(
                _Server(self._terms), settings.host, settings.port, backlog=_BACKLOG, reuse_port=settings.shared
            )
        except OSError as error:
            raise SetupError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}") from error
        self._sweeping = asyncio.create_task(self._sweep(), name="http-deadlines")
        return int(self._sockets.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening, let requests in flight end within the shutdown timeout, drop the rest."""
        if self._sockets is not None:
            self._sockets.close()
        self._terms.stopping.set()
        for connection in list(self._terms.open):
            connection.end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.shutdown_timeout_s):
                await self._terms.limit.emptied()
        for connection in list(self._terms.open):
            connection.abort()
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_SWEEP_INTERVAL_S)
            now = loop.time()
            for connection in list(self._terms.open):
                connection.expire(now)
