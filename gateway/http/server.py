"""The HTTP listener: aiohttp with deadlines for slow heads, a cap on connections, and a clean end."""

import asyncio
import contextlib
import contextvars
import logging
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from gateway.http.answers import refusal
from gateway.http.dispatch import Dispatcher
from memory.errors import InvalidInput, MemoryGatewayError, SetupError

_LOG: Final = logging.getLogger("anamnesis.http")
_REAP_INTERVAL_S: Final = 0.5
_LINGER_S: Final = 1.0
_BACKLOG: Final = 2048


@dataclass(frozen=True, slots=True)
class Listening:
    """Where and how to listen. Times are in seconds."""

    host: str
    port: int
    header_timeout_s: float
    keepalive_timeout_s: float
    shutdown_timeout_s: float
    connections_max: int


class _GuardedHandler(RequestHandler):
    """One connection. Notes since when a request's head has been awaited; aiohttp itself waits for ever."""

    __slots__ = ("_listener", "head_since")

    def __init__(self, listener: "Listener", server: web.Server, **options: Any) -> None:
        super().__init__(server, **options)
        self._listener = listener
        self.head_since = self._loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self._listener.connections() > self._listener.settings.connections_max:
            self.force_close()

    def data_received(self, data: bytes) -> None:
        before = self._request_count
        super().data_received(data)
        if self._request_count != before:
            self.head_since = 0.0
        elif not self.head_since and self._current_request is None:
            self.head_since = self._loop.time()

    def late(self, limit: float) -> bool:
        """Whether the head of the next request should have been here by `limit`."""
        return 0.0 < self.head_since < limit and self._current_request is None

    def handle_error(
        self,
        request: web.BaseRequest,  # noqa: ARG002 - aiohttp's signature
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's signature
    ) -> web.StreamResponse:
        """A request that is not HTTP, as a problem document; the text of the parser stays inside."""
        error: MemoryGatewayError = InvalidInput("the request is not well-formed HTTP")
        if status >= 500 and not isinstance(exc, ConnectionError):  # noqa: PLR2004 - the class of status codes
            _LOG.error("unhandled error", exc_info=exc)
            error = MemoryGatewayError()
        return refusal(error, close=True)


_HANDLING: Final = RequestHandler._handle_request.__code__  # noqa: SLF001 - recognised, not called


def without_a_task_a_request(
    loop: asyncio.AbstractEventLoop, coroutine: Any, context: contextvars.Context | None = None
) -> Any:
    """A task factory that lets a connection's task handle its requests itself.

    Before Python 3.12 aiohttp wraps each request in a task of its own and awaits it at once, for the sake of context
    variables, which nothing here sets: a tenth of a request's time. Everything else becomes a task as usual.
    """
    if getattr(coroutine, "cr_code", None) is _HANDLING:
        return coroutine
    return asyncio.Task(coroutine, loop=loop, context=context)


class Listener:
    """A running HTTP server."""

    def __init__(self, dispatcher: Dispatcher, settings: Listening) -> None:
        self.settings = settings
        self._server = web.Server(dispatcher)
        self._sockets: asyncio.Server | None = None
        self._reaper: asyncio.Task[None] | None = None

    def connections(self) -> int:
        """How many connections are open."""
        return len(self._server.connections)

    async def start(self) -> int:
        """Listen; returns the port. Raises SetupError when the address cannot be had."""
        loop = asyncio.get_running_loop()
        loop.set_task_factory(without_a_task_a_request)
        try:
            self._sockets = await loop.create_server(
                self._protocol, self.settings.host, self.settings.port, backlog=_BACKLOG
            )
        except OSError as error:
            raise SetupError(
                f"cannot listen on {self.settings.host}:{self.settings.port}: {error.strerror or error}"
            ) from error
        self._reaper = asyncio.create_task(self._reap(), name="http-reaper")
        return int(self._sockets.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening, let requests in flight end within the shutdown timeout, close the rest."""
        if self._sockets is not None:
            self._sockets.close()
        if self._reaper is not None:
            self._reaper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reaper
        self._server.pre_shutdown()
        await self._server.shutdown(self.settings.shutdown_timeout_s)

    def _protocol(self) -> _GuardedHandler:
        return _GuardedHandler(
            self,
            self._server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=self.settings.keepalive_timeout_s,
            access_log=None,
            auto_decompress=False,
            lingering_time=_LINGER_S,
        )

    async def _reap(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_REAP_INTERVAL_S)
            limit = loop.time() - self.settings.header_timeout_s
            for handler in list(self._server.connections):
                if isinstance(handler, _GuardedHandler) and handler.late(limit):
                    handler.force_close()
