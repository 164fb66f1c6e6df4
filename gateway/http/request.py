"""A request's head, and what answers it."""

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from aiohttp.http import HttpVersion10, RawRequestMessage

from gateway.http.answers import Answer, Stream
from memory.errors import InvalidInput

HEADERS_READ: Final = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"authorization",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"cookie",
        b"expect",
        b"host",
        b"if-none-match",
        b"last-event-id",
        b"mcp-method",
        b"mcp-name",
        b"mcp-protocol-version",
        b"origin",
        b"sec-fetch-site",
        b"traceparent",
        b"transfer-encoding",
        b"user-agent",
        b"x-anamnesis-console",
        b"x-request-id",
    }
)
"""Headers that mean something here; the others are not kept. None of them may come twice but what is JOINED."""
_LISTS: Final = (b"accept", b"accept-encoding", b"if-none-match", b"traceparent", b"x-request-id")
JOINED: Final = dict.fromkeys(_LISTS, b", ") | {b"cookie": b"; "}
"""Headers that may come in several lines, which are one list (RFC 9110, 5.3): no name of a request, when it is one.

Those of cookies are joined in their own way (RFC 6265, 5.4): programs behind some proxies send them so.
"""


class Request(NamedTuple):
    """The head: `target` as it was sent, headers by lower-case name (HEADERS_READ only), and the peer's address."""

    method: bytes
    target: bytes
    headers: Mapping[bytes, bytes]
    peer: str = ""

    def header(self, name: bytes) -> str | None:
        """A header's value as text."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


def length_of(digits: str) -> int:
    """The number of a Content-Length that the parser took. int() alone raises for thousands of leading zeros."""
    return int(digits.lstrip("0") or 0)


def head_of(message: RawRequestMessage, peer: str) -> Request:
    """The request of a head as aiohttp parsed it. Raises InvalidInput when it could mean two things."""
    headers: dict[bytes, bytes] = {}
    for raw_name, value in message.raw_headers:
        name = raw_name.lower()
        if name in HEADERS_READ:
            if name not in headers:
                headers[name] = value
            elif name in JOINED:
                headers[name] += JOINED[name] + value
            else:
                raise InvalidInput(f"the header {name.decode('ascii')} came twice")
    coding = headers.get(b"transfer-encoding")
    if coding is not None and (coding.lower() != b"chunked" or message.version == HttpVersion10):
        raise InvalidInput("a body comes with its length, or chunked in HTTP/1.1")
    return Request(message.method.encode("ascii"), message.path.encode("utf-8", "surrogateescape"), headers, peer)


class Handling(Protocol):
    """A request that was let in. Exactly one of its methods is called, once."""

    async def answer(self, body: bytes) -> Answer | Stream:
        """Work on the request; raises nothing."""
        ...

    def abandon(self) -> None:
        """The body never came."""
        ...


class Application(Protocol):
    """Decides on a request's head, before its body is there."""

    def admit(self, request: Request) -> Handling | Answer:
        """Let it in, or answer at once. Raises nothing."""
        ...
