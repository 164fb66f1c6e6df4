"""The HTTP listener: a cap on connections, deadlines for their peers, and a clean end."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.http.connection import HttpConnection, Patience
from gateway.http.request import Application
from memory.errors import SetupError

_HURRY_INTERVAL_S: Final = 0.5
_BACKLOG: Final = 2048


@dataclass(frozen=True, slots=True)
class Listening:
    """Where and how to listen. Times are in seconds."""

    host: str
    port: int
    patience: Patience
    shutdown_timeout_s: float
    connections_max: int
    shared: bool
    """Whether other processes listen on this port too."""


class Listener:
    """A running HTTP server. `count` is told the number of its connections, and returns that of all processes."""

    def __init__(self, application: Application, settings: Listening, count: Callable[[int], float]) -> None:
        self._application = application
        self._settings = settings
        self._count = count
        self._connections: set[HttpConnection] = set()
        self._ending = False
        self._left = asyncio.Event()
        self._sockets: asyncio.Server | None = None
        self._hurrying: asyncio.Task[None] | None = None

    def join(self, connection: HttpConnection) -> bool:
        """Count an open connection; False when it is one too many."""
        self._connections.add(connection)
        return self._count(len(self._connections)) <= self._settings.connections_max

    def leave(self, connection: HttpConnection) -> None:
        """Count it no longer."""
        self._connections.discard(connection)
        if self._ending and not self._connections:
            self._left.set()
        self._count(len(self._connections))

    async def start(self) -> int:
        """Listen; returns the port. Raises SetupError when the address cannot be had."""
        settings = self._settings
        loop = asyncio.get_running_loop()
        try:
            self._sockets = await loop.create_server(
                lambda: HttpConnection(self._application, settings.patience, self),
                settings.host,
                settings.port,
                backlog=_BACKLOG,
                reuse_port=settings.shared,
            )
        except OSError as error:
            raise SetupError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}") from error
        self._hurrying = asyncio.create_task(self._hurry(), name="http-deadlines")
        return int(self._sockets.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening, let requests in flight end within the shutdown timeout, drop the rest."""
        if self._sockets is not None:
            self._sockets.close()
        self._ending = True
        for connection in list(self._connections):
            connection.end()
        if self._connections:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.shutdown_timeout_s):
                    await self._left.wait()
        for connection in list(self._connections):
            connection.abort()
        if self._hurrying is not None:
            self._hurrying.cancel()
            await asyncio.gather(self._hurrying, return_exceptions=True)

    async def _hurry(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_HURRY_INTERVAL_S)
            now = loop.time()
            for connection in list(self._connections):
                connection.hurry(now)
