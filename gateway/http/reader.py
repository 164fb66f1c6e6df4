"""Reads the requests of a connection out of its bytes: httptools parses, limits are ours. No I/O here."""

from collections import deque
from enum import Enum
from typing import Final, NamedTuple

import httptools

from gateway.http.request import HEADERS_READ, LISTS, Request
from memory.errors import InvalidInput, MemoryGatewayError, TooLarge
from memory.limits import BODY_BYTES_MAX

HEAD_BYTES_MAX: Final = 16_384
HEADERS_MAX: Final = 128
_FRAMING: Final = (b"content-length", b"transfer-encoding")


class Awaited(Enum):
    """What the peer has yet to send."""

    REQUEST = "the next request"
    HEAD = "the rest of a head"
    BODY = "the rest of a body"


class Received(NamedTuple):
    """A whole request, and the Connection header of its answer (empty: none)."""

    request: Request
    body: bytes
    connection: bytes


class RequestReader:
    """Feed it what arrives; take `whole` requests from its left.

    `arriving` is the request whose head is whole and whose body is not. `fault` says why reading has ended;
    what was whole before that stays. The methods that begin with `on_` are the parser's.
    """

    def __init__(self) -> None:
        self.whole: deque[Received] = deque()
        self.arriving: Request | None = None
        self.awaited = Awaited.REQUEST
        self.fault: MemoryGatewayError | None = None
        self.stage = 0
        """Grows with each head and each body that begins: deadlines are counted from there."""
        self._parser = httptools.HttpRequestParser(self)
        self._target = b""
        self._headers: dict[bytes, bytes] = {}
        self._head_bytes = 0
        self._header_count = 0
        self._body: list[bytes] = []
        self._body_bytes = 0
        self._framing = b""
        self._framed_anew = False

    def feed(self, data: bytes) -> None:
        """Parse. Raises nothing; see `fault`."""
        while data and self.fault is None:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = data[upgrade.args[0] :]
                self._stay()
            except httptools.HttpParserError as error:
                cause = error.__context__
                if cause is not None and not isinstance(cause, MemoryGatewayError):
                    raise
                self.arriving = None
                self.fault = cause or InvalidInput("the request is not well-formed HTTP")
            else:
                return

    def _stay(self) -> None:
        """Go on in HTTP/1.1 when the peer offered another protocol (RFC 9110, 7.8).

        The parser takes what follows for the other protocol, a body too: it is told the body's length again.
        """
        if self._framing:
            self._framed_anew = True
            self._parser.feed_data(b"POST / HTTP/1.1\r\n" + self._framing + b"\r\n\r\n")
            self._framed_anew = False
            self._framing = b""

    def on_message_begin(self) -> None:
        """Begin a head."""
        if not self._framed_anew:
            self.awaited = Awaited.HEAD
            self.stage += 1
            self._target, self._headers, self._head_bytes, self._header_count = b"", {}, 0, 0
            self._body, self._body_bytes = [], 0

    def on_url(self, url: bytes) -> None:
        """Take a piece of the target."""
        if not self._framed_anew:
            self._target += url
            self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep what means something."""
        if self._framed_anew:
            return
        self._count(len(name) + len(value))
        self._header_count += 1
        if self._header_count > HEADERS_MAX:
            raise InvalidInput(f"the head has more than {HEADERS_MAX} headers")
        name = name.lower()
        if name in HEADERS_READ:
            if name in self._headers and name in LISTS:
                value = self._headers[name] + b", " + value
            elif name in self._headers:
                raise InvalidInput(f"the header {name.decode('ascii')} came twice")
            self._headers[name] = value

    def on_headers_complete(self) -> None:
        """Begin a body."""
        if self._framed_anew:
            return
        if b"host" not in self._headers and self._parser.get_http_version() == "1.1":
            raise InvalidInput("the head has no Host")
        self.awaited = Awaited.BODY
        self.stage += 1
        self.arriving = Request(self._parser.get_method(), self._target, self._headers)
        if self._parser.should_upgrade():
            self._framing = b"".join(
                name + b": " + self._headers[name] for name in _FRAMING if self._headers.get(name, b"0") != b"0"
            )

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body, up to its limit."""
        self._body_bytes += len(body)
        if self._body_bytes > BODY_BYTES_MAX:
            raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Put the request in line."""
        if self._framing or self.arriving is None:
            return
        parser = self._parser
        keep = parser.should_keep_alive()
        connection = b"close" if not keep else b"keep-alive" if parser.get_http_version() == "1.0" else b""
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        self.whole.append(Received(self.arriving, body, connection))
        self.arriving = None
        self.awaited = Awaited.REQUEST

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > HEAD_BYTES_MAX:
            raise InvalidInput(f"the head is larger than {HEAD_BYTES_MAX} bytes")
