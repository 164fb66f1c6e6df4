"""What stands between aiohttp's low-level server and the connections here (docs/decisions/0019)."""

import logging
from typing import Any, Final, Protocol, cast

from aiohttp import web
from aiohttp.http import RawRequestMessage
from aiohttp.streams import StreamReader

HEAD_BYTES_MAX: Final = 16_384
HEADERS_MAX: Final = 128
LINGER_S: Final = 1.0
READ_BYTES: Final = 65_536
PARSING: Final[dict[str, Any]] = {
    "max_line_size": HEAD_BYTES_MAX,
    "max_field_size": HEAD_BYTES_MAX,
    "max_headers": HEADERS_MAX,
    "auto_decompress": False,
}
OPTIONS: Final[dict[str, Any]] = PARSING | {
    "access_log": None,
    "lingering_time": LINGER_S,
    "logger": logging.getLogger("anamnesis.http"),
    "read_bufsize": READ_BYTES,
    "tcp_keepalive": False,
}


class Responder(Protocol):
    """A connection that answers its requests."""

    async def respond(self, message: RawRequestMessage, payload: StreamReader) -> web.StreamResponse:
        """Answer, and write the answer."""
        ...


class Incoming(web.BaseRequest):
    """A request as aiohttp hands it on."""

    def __init__(  # aiohttp's signature
        self, message: RawRequestMessage, payload: StreamReader, protocol: Any, _writer: Any, _task: Any
    ) -> None:
        self._message = message
        self._payload = payload
        self._connection = cast("Responder", protocol)

    async def respond(self) -> web.StreamResponse:
        """See HttpConnection."""
        return await self._connection.respond(self._message, self._payload)

    def _cancel(self, exc: BaseException) -> None:
        self._payload.set_exception(exc)

    def _finish(self) -> None:
        """Nothing to give back."""


class Sent(web.StreamResponse):
    """What aiohttp is given for an answer: its handler has written it already. Whether the connection goes on."""

    def __init__(self, *, keep_alive: bool) -> None:
        self._keep_alive = keep_alive

    async def prepare(self, _request: web.BaseRequest) -> None:
        """Written already."""

    async def write_eof(self, _data: bytes = b"") -> None:
        """Written already."""


KEPT: Final = Sent(keep_alive=True)
LAST: Final = Sent(keep_alive=False)


async def respond(request: web.BaseRequest) -> web.StreamResponse:
    """The handler of every request: its connection."""
    return await cast("Incoming", request).respond()
