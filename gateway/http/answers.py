"""Finished answers: head and body leave in one write.

aiohttp's own Response composes its headers anew for every answer, through four coroutines; an answer of an
operation always has the same ones (docs/decisions/0004).
"""

import time
from email.utils import formatdate
from typing import Final

from aiohttp import web

from gateway.wire import PROBLEM_TYPE, problem
from memory.errors import MemoryGatewayError, RequestTimeout, TooLarge

JSON_TYPE: Final = "application/json"
_DRAIN_ABOVE_BYTES: Final = 65_536
_HTTP_1_1: Final = (1, 1)
_REASONS: Final = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
                   405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
                   415: "Unsupported Media Type", 500: "Internal Server Error", 503: "Service Unavailable"}  # fmt: skip


class _Head:
    """The head of a 200 up to its length, made anew once a second for its date."""

    def __init__(self) -> None:
        self._second = 0
        self._bytes = b""

    def ok(self) -> bytes:
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._bytes = compose_head(200, JSON_TYPE, {}, second)
        return self._bytes


def compose_head(status: int, media: str, headers: dict[str, str], second: int) -> bytes:
    """Status line and headers, up to the value of Content-Length. Values are ours, never a caller's."""
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}", f"Content-Type: {media}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Date: {formatdate(second, usegmt=True)}", "Content-Length: "]
    return "\r\n".join(lines).encode("ascii")


_HEAD: Final = _Head()


class Answer(web.StreamResponse):
    """A whole answer. Its only state is its bytes, so StreamResponse is not initialised."""

    def __init__(  # pylint: disable=super-init-not-called
        self, body: bytes, head: bytes | None = None, status: int = 200, *, close: bool = False
    ) -> None:
        self._status = status
        self._whole_head = head
        self._whole_body = body
        self._keep_alive = False if close else None

    async def prepare(self, request: web.BaseRequest) -> None:
        """Write the answer. A slow reader is waited for; one that is gone ends the connection."""
        connection = b"\r\n\r\n"
        if self._keep_alive is None:
            self._keep_alive = request.keep_alive
            if self._keep_alive and request.version < _HTTP_1_1:
                connection = b"\r\nConnection: keep-alive\r\n\r\n"
        if not self._keep_alive:
            connection = b"\r\nConnection: close\r\n\r\n"
        body = self._whole_body
        head = self._whole_head or _HEAD.ok()
        transport = request.transport
        if transport is None or transport.is_closing():
            raise ConnectionResetError("the client is gone")
        sent = b"" if request.method == "HEAD" else body
        transport.write(b"%b%d%b%b" % (head, len(body), connection, sent))
        if len(body) > _DRAIN_ABOVE_BYTES:
            await request.writer.drain()

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing is left to write."""


def refusal(error: MemoryGatewayError, headers: dict[str, str] | None = None, *, close: bool = False) -> Answer:
    """A problem document, with Retry-After where a retry is worth it."""
    named = dict(headers or {})
    if error.retry_after_s is not None:
        named["Retry-After"] = str(error.retry_after_s)
    head = compose_head(error.status, PROBLEM_TYPE, named, int(time.time()))
    unread = isinstance(error, TooLarge | RequestTimeout)  # the rest of the body stays unread
    return Answer(problem(error), head, error.status, close=close or unread)
