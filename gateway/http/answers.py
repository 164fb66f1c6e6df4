"""Finished answers: head and body leave in one write (docs/decisions/0004)."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from email.utils import formatdate
from typing import Final

from gateway.wire import PROBLEM_TYPE, problem
from memory.errors import MemoryGatewayError, RequestTimeout, TooLarge

LARGE_BYTES: Final = 16_384
"""What is larger is counted while it waits for a peer."""
JSON_TYPE: Final = "application/json"
UNKEPT: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""Of what is one person's, and asked for by a path: a shared cache would keep it (RFC 9111, 3)."""
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Of pages: they load and ask nothing but what is ours, and no page of another origin holds them."""
_REASONS: Final = {200: "OK", 202: "Accepted", 303: "See Other", 304: "Not Modified",
                   308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
                   404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
                   413: "Content Too Large", 415: "Unsupported Media Type", 429: "Too Many Requests",
                   500: "Internal Server Error", 503: "Service Unavailable"}  # fmt: skip
_NOT_MODIFIED: Final = 304
"""Has the head of the 200 that it stands for, and no body (RFC 9110, 15.4.5)."""
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class _Head:
    """The head of a 200 in JSON up to its length, made anew once a second for its date."""

    def __init__(self) -> None:
        self._second = 0
        self._bytes = b""

    def ok(self) -> bytes:
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._bytes = _compose_head(200, JSON_TYPE, {}, second)
        return self._bytes


def _compose_head(status: int, media: str, headers: dict[str, str], second: int) -> bytes:
    """Status line and headers, up to the value of Content-Length. Values are ours, never a caller's."""
    return "\r\n".join([*_head_lines(status, media, headers, second), "Content-Length: "]).encode("ascii")


def _head_lines(status: int, media: str, headers: dict[str, str], second: int) -> list[str]:
    named = [f"{name}: {value}" for name, value in headers.items()]
    date = f"Date: {formatdate(second, usegmt=True)}"
    return [f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}", f"Content-Type: {media}", *named, date]


_HEAD: Final = _Head()


class Answer:
    """A whole answer. `close`: the connection ends with it."""

    __slots__ = ("_head", "_on_taken", "body", "close", "status")

    def __init__(
        self,
        body: bytes,
        head: bytes | None = None,
        status: int = 200,
        *,
        close: bool = False,
        on_taken: Callable[[], None] | None = None,
    ) -> None:
        self.status = status
        self.close = close
        self.body = body
        self._head = head
        self._on_taken = on_taken

    def encode(self, connection: bytes, request_id: bytes, *, with_body: bool) -> bytes:
        """Return the bytes on the wire; `connection` is the value of that header, empty for none."""
        end = b"\r\nConnection: %b\r\n\r\n" % connection if connection else b"\r\n\r\n"
        body = self.body
        head = self._head or _HEAD.ok()
        sent = body if with_body and self.status != _NOT_MODIFIED else b""
        return b"%b%d\r\nX-Request-Id: %b%b%b" % (head, len(body), request_id, end, sent)

    def replace_head(self, head: bytes) -> None:
        """Send this head, up to the value of Content-Length."""
        self._head = head

    def taken(self) -> None:
        """Say that the peer has it, or will never: whoever sends or drops an answer says so."""
        if self._on_taken is not None:
            on_taken, self._on_taken = self._on_taken, None
            on_taken()


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer that is sent as it comes about: its pieces, then the end of the connection."""

    head: bytes
    pieces: AsyncIterator[bytes]

    def encode_head(self, request_id: bytes) -> bytes:
        """Return the bytes before the pieces."""
        return b"%bX-Request-Id: %b\r\n\r\n" % (self.head, request_id)


@dataclass(frozen=True, slots=True)
class Watch(Stream):
    """A stream that does no work: it is closed as soon as its peer has left or the listener stops.

    Whoever sends or drops it calls `on_end`, once.
    """

    pieces: AsyncGenerator[bytes, None]
    on_end: Callable[[], None]


def streamed(pieces: AsyncIterator[bytes], media: str) -> Stream:
    """A 200 whose length nobody knows yet: the end of the connection is its end (RFC 9112, 6.3)."""
    return Stream(_endless(media, {"Cache-Control": "no-store"}), pieces)


def watched(pieces: AsyncGenerator[bytes, None], media: str, on_end: Callable[[], None]) -> Watch:
    """The same of a watch. Proxies that hold answers back until they are whole are asked to pass it on."""
    return Watch(_endless(media, UNKEPT | {"X-Accel-Buffering": "no"}), pieces, on_end)


def _endless(media: str, headers: dict[str, str]) -> bytes:
    lines = _head_lines(200, media, headers | {"Connection": "close"}, int(time.time()))
    return "\r\n".join([*lines, ""]).encode("ascii")


def typed(body: bytes, media: str, headers: dict[str, str] | None = None, status: int = 200) -> Answer:
    """An answer of any media type."""
    return Answer(body, _compose_head(status, media, headers or {}, int(time.time())), status)


def unkept(answer: Answer) -> Answer:
    """The same 200 in JSON, which nothing on the way may keep, nor take for anything else."""
    answer.replace_head(_compose_head(200, JSON_TYPE, UNKEPT, int(time.time())))
    return answer


def refusal(error: MemoryGatewayError, headers: dict[str, str] | None = None, *, close: bool = False) -> Answer:
    """A problem document, with Retry-After where a retry is worth it."""
    named = dict(headers or {})
    if error.retry_after_s is not None:
        named["Retry-After"] = str(error.retry_after_s)
    head = _compose_head(error.status, PROBLEM_TYPE, named, int(time.time()))
    unread = isinstance(error, TooLarge | RequestTimeout)  # the rest of the body stays unread
    return Answer(problem(error), head, error.status, close=close or unread)
