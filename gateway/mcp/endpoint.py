"""MCP over streamable HTTP, stateless: who is let in, how a message is read, and in what form it is answered."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from gateway.http.answers import JSON_TYPE, Answer, Stream, refusal, streamed, typed
from gateway.http.endpoints import Endpoint, Face, bordered, require_json
from gateway.http.events import MEDIA, event
from gateway.http.origin import require_here, require_origin
from gateway.http.request import Request
from gateway.mcp.messages import NotAMessageError, as_line, read_message
from memory.errors import MemoryGatewayError
from memory.model.caller import Caller

PATHS: Final = (b"/mcp", b"/mcp/")
_HEADERS: Final = ("mcp-protocol-version", "mcp-method", "mcp-name")


class McpEndpoint:
    """The MCP face of a gateway. The SDK is loaded by the first request: it takes longer than the gateway's start."""

    def __init__(self, endpoints: Mapping[str, Endpoint], face: Face, result_chars_max: int) -> None:
        self._endpoints = endpoints
        self._face = face
        self._result_chars_max = result_chars_max
        self._kernel: Any = None
        self._loading = asyncio.Lock()

    def admit(self, request: Request) -> "McpCall | Answer":
        """Check all that the head tells: load, where the request comes from, key, media type, length."""
        try:
            self._face.require_room()
            if self._face.visitors.authenticator.open:
                require_here(request)
            require_origin(request)
            caller = self._face.visitors.authenticator.identify(request.header(b"authorization"))
            require_json(request)
        except MemoryGatewayError as error:
            return refusal(error)
        return McpCall(self, request, caller)

    async def kernel(self) -> Any:
        """What answers requests, loaded once."""
        async with self._loading:
            if self._kernel is None:
                self._kernel = await asyncio.to_thread(self._load)
        return self._kernel

    def _load(self) -> Any:
        return importlib.import_module("gateway.mcp.server").Kernel(self._endpoints, self._result_chars_max)


class McpCall:
    """One admitted message."""

    __slots__ = ("_caller", "_endpoint", "_headers", "_streams")

    def __init__(self, endpoint: McpEndpoint, request: Request, caller: Caller) -> None:
        self._endpoint = endpoint
        self._caller = caller
        found = {name: request.header(name.encode()) for name in _HEADERS}
        self._headers = {name: value for name, value in found.items() if value is not None}
        self._streams = MEDIA in (request.header(b"accept") or "").lower()

    async def answer(self, body: bytes) -> Answer | Stream:
        """Answer with JSON; with events when there is something to tell before the end and the client takes them."""
        try:
            message = read_message(body)
        except NotAMessageError as refused:
            return typed(as_line(refused.document), JSON_TYPE, status=refused.status)
        if "method" not in message or "id" not in message:  # a notification, or an answer to what was never asked
            return typed(b"", JSON_TYPE, status=202)
        return await bordered(self._exchange(message), "MCP")

    async def _exchange(self, message: dict[str, Any]) -> Answer | Stream:
        kernel = await self._endpoint.kernel()
        told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        tell = told.put_nowait if self._streams else _nobody
        replying = asyncio.create_task(kernel.exchange(message, self._headers, self._caller, tell))
        replying.add_done_callback(lambda _: told.put_nowait(None))
        first = await told.get()
        if first is not None:
            return streamed(_events(first, told, replying), MEDIA)
        reply = replying.result()
        return typed(as_line(reply.document), JSON_TYPE, status=reply.status)

    def abandon(self) -> None:
        """The body never came: nothing was taken for it."""


def _nobody(_notification: dict[str, Any] | None) -> None:
    """The client takes no events."""


async def _events(
    first: dict[str, Any], told: "asyncio.Queue[dict[str, Any] | None]", replying: "asyncio.Task[Any]"
) -> AsyncIterator[bytes]:
    notification: dict[str, Any] | None = first
    while notification is not None:
        yield _event(notification)
        notification = await told.get()
    yield _event(replying.result().document)


def _event(document: dict[str, Any]) -> bytes:
    return event("message", as_line(document))
