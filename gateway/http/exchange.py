"""One HTTP connection: aiohttp's, with what it has not itself (docs/decisions/0019).

aiohttp parses, and runs a task for each connection. Here are: a refusal by the head before the body, one request at a
time, deadlines for head and body, the limit of connections, and a clean end.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from aiohttp import web
from aiohttp.http import HttpRequestParser, HttpVersion10, RawRequestMessage
from aiohttp.streams import StreamReader

from gateway.http.adapter import HEAD_BYTES_MAX, KEPT, LAST, LINGER_S, OPTIONS, PARSING, READ_BYTES
from gateway.http.answers import CONTINUE, LARGE_BYTES, Answer, Stream, Watch, refusal
from gateway.http.bounds import Hold
from gateway.http.framing import Framing
from gateway.http.request import Request, head_of, length_of
from gateway.http.terms import Terms
from gateway.http.watching import Watching
from gateway.observe.correlation import correlation_of, enter
from memory.errors import InvalidInput, MemoryGatewayError, Overloaded, RequestTimeout, TooLarge
from memory.limits import BODY_BYTES_MAX

_AHEAD_BYTES_MAX: Final = 65_536
_ROOM_S: Final = 3.0
_NEVER: Final = float("inf")


class HttpConnection(web.RequestHandler):
    """A peer: aiohttp's connection, given one request at a time."""

    __slots__ = ("_ahead", "_answered", "_application", "_deadline", "_deaf", "_ending", "_framing", "_head_bytes",
                 "_hold", "_payload", "_peer", "_peer_name", "_request_id", "_terms", "_timeouts",
                 "_watching")  # fmt: skip

    def __init__(self, server: web.Server, terms: Terms) -> None:
        timeouts = terms.timeouts
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=max(timeouts.keepalive_s, timeouts.header_s),
            **OPTIONS,
        )
        self._application = terms.application
        self._timeouts = timeouts
        self._terms = terms
        self._peer: asyncio.Transport | None = None
        self._peer_name = ""
        self._request_id = b""
        self._hold = Hold(terms.held)
        self._framing = Framing()
        self._payload: StreamReader | None = None
        """The body of the request that is being received or worked on; None: there is none."""
        self._answered = False
        self._ahead = b""
        """What came after that request."""
        self._head_bytes = 0
        self._deadline = _NEVER
        self._deaf = False
        self._ending = False
        self._watching = Watching()

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a first head, or hang up at once when there are too many connections or the listener stops."""
        self._peer = cast("asyncio.Transport", transport)
        self._peer.set_write_buffer_limits(0)  # what waits at all is counted
        self._peer_name = str((transport.get_extra_info("peername") or ("",))[0])
        self._wait(self._timeouts.header_s)
        self._terms.open.add(self)
        if self._terms.limit.join(self._peer_name) and not self._terms.stopping.is_set():
            super().connection_made(transport)
        else:
            self._deaf = True
            self._peer.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget what was not begun. What is being worked on is finished, for nobody; what is watched ends."""
        self._peer = None
        self._watching.end()
        self._deaf = True
        self._ahead = b""
        self._terms.open.discard(self)
        self._terms.limit.leave(self._peer_name)
        self._hold.count(0)
        super().connection_lost(exc)
        self._payload = None  # it knows its connection: it would be kept until garbage is collected

    def data_received(self, data: bytes) -> None:
        """Read on, as far as the next request's turn has come. Nothing (b""): the parser goes on where it paused."""
        if self._deaf:
            return
        if not data:
            self._parse(data)
        self._ahead = self._read(self._ahead + data if self._ahead else data)
        if len(self._ahead) > _AHEAD_BYTES_MAX:
            self._pause_transport_reading()
            self._watching.end()

    def eof_received(self) -> bool:  # type: ignore[override]  # aiohttp's always ends: it has no more to say
        """The peer sends no more; whether it still waits for an answer. Who watches has left: both look the same."""
        self._ending = True
        if self._payload is None or self._answered or self._watching.is_on:
            return False
        if not self._payload.is_eof():
            self._break(ConnectionResetError("the peer sent only a part of the body"))
        return True

    def pause_writing(self) -> None:
        """The peer reads more slowly than we write: begin nothing new for it."""
        super().pause_writing()
        self._wait(self._timeouts.send_s)

    def resume_writing(self) -> None:
        """It has caught up."""
        super().resume_writing()
        self._expect()

    # What the listener calls.

    def end(self) -> None:
        """The gateway stops: no request after those that are here."""
        self._ending = True
        self._watching.end()
        if self._payload is None and not self._head_bytes:
            self._hang_up()

    def abort(self) -> None:
        """Drop the connection, with what is on its way."""
        if self._peer is not None:
            self._peer.abort()

    def expire(self, now: float) -> None:
        """Close the connection when its peer has had its time: with a 408 when a body is late."""
        if self._peer is None or not (now >= self._deadline or self._stands_still(now)):
            return
        if self.writing_paused or self._peer.is_closing():
            self._peer.abort()
        elif self._deaf or self._payload is None:
            self._hang_up()
        else:
            self._break(RequestTimeout(f"the body did not arrive within {self._timeouts.body_s:g} s"))

    # What aiohttp calls.

    async def respond(self, message: RawRequestMessage, payload: StreamReader) -> web.StreamResponse:
        """Decide on the head; when it is let in, read the body and answer. Raises nothing."""
        try:
            request = head_of(message, self._peer_name)
            self._name(request)
        except MemoryGatewayError as error:
            return self._refuse(error)
        expects = (request.header(b"expect") or "").lower() == "100-continue" and message.version != HttpVersion10
        admitted = self._application.admit(request)
        if isinstance(admitted, Answer):
            return await self._send(admitted, message, close=expects and not payload.is_eof())
        try:
            body = await self._body(payload, expects=expects)
        except (MemoryGatewayError, ConnectionError) as error:
            admitted.abandon()
            error.__traceback__ = None  # its frames hold the body, which holds the error
            return self._refuse(error) if isinstance(error, MemoryGatewayError) else LAST
        answer = await admitted.answer(body)
        return await (self._flow(answer, message) if isinstance(answer, Stream) else self._send(answer, message))

    def _name(self, request: Request | None) -> None:
        """Name the request for its answer, and for what this task logs."""
        names = (None, None) if request is None else (request.header(b"x-request-id"), request.header(b"traceparent"))
        named = correlation_of(*names)
        enter(named)
        self._request_id = named.request_id.encode("ascii")

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Turn to what came after the request that is answered."""
        finished = await super().finish_response(request, resp, start_time)
        self._answered = True
        self._request_id = b""
        self._hold.count(0)
        if self._payload is not None and self._payload.is_eof():
            self._payload = None
        if resp is LAST or self._deaf:
            self._wait(LINGER_S if self._deaf else self._timeouts.send_s)
        elif self._payload is None:
            self._expect()
            self._ahead = self._read(self._ahead)
            self._resume_transport_reading()
            if self._ending and self._payload is None:
                self._hang_up()
        return finished

    def handle_error(
        self,
        request: web.BaseRequest,  # noqa: ARG002 - aiohttp's signature
        status: int = 500,  # noqa: ARG002
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002
    ) -> web.StreamResponse:
        """A bug of ours: nothing that a peer sends leads here."""
        self.log_exception("unhandled error in a connection", exc_info=exc)
        return self._refuse(MemoryGatewayError())

    def _make_error_handler(self, _error: Any) -> Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]:
        async def refuse(_request: web.BaseRequest) -> web.StreamResponse:
            return self._refuse(InvalidInput("the request is not well-formed HTTP"))

        return refuse

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002 - aiohttp's signature
        """Go on, if reading is paused: aiohttp asks after each piece of a body that is taken."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def _resume_transport_reading(self) -> None:
        if len(self._ahead) <= _AHEAD_BYTES_MAX:
            super()._resume_transport_reading()

    # Reading.

    def _read(self, data: bytes) -> bytes:
        """Give the parser what is of this request, or of the next when there is none; returns what is left."""
        while data and not (self._deaf or self._reading_paused):
            if (payload := self._payload) is not None and payload.is_eof():
                break
            size = self._framing.size(data)
            (self._read_head if payload is None else self._parse)(data[:size])
            data = data[size:]
        return data

    def _read_head(self, piece: bytes) -> None:
        if not self._head_bytes:
            self._wait(self._timeouts.header_s)
        self._head_bytes += len(piece)
        if self._head_bytes > HEAD_BYTES_MAX:
            self._refuse(InvalidInput(f"the head is larger than {HEAD_BYTES_MAX} bytes"))
            return
        super().data_received(piece)
        if self._messages:
            message, self._payload = cast("tuple[RawRequestMessage, StreamReader]", self._messages[-1])
            self._head_bytes = 0
            self._answered = False
            if not self._payload.is_eof():
                self._framing.begin_body(None if message.chunked else length_of(message.headers["Content-Length"]))
            self._expect()

    def _parse(self, piece: bytes) -> None:
        """Give the parser a piece of a body."""
        payload, queued = self._payload, len(self._messages)
        super().data_received(piece)
        if payload is None:
            return
        if len(self._messages) > queued:
            self._messages[-1][0].exc.__traceback__ = None  # type: ignore[union-attr]  # its frames hold the body
            self._break(InvalidInput("the body is not well-formed"))
        elif not self._hold.has_room(payload.total_bytes):
            self._break(Overloaded("too many bytes of requests are waiting"))
        elif payload.is_eof():
            self._end_body()
        elif self._framing.wastes(payload.total_bytes):
            self._break(TooLarge("the body comes in chunks that are too small for what they hold"))

    def _end_body(self) -> None:
        if self._framing.chunked:  # aiohttp 3.14 takes the last trailer for a header of the next request: forget it
            self._framing.end_body()
            self._parser = HttpRequestParser(self, self._loop, READ_BYTES, **PARSING)
        if self._answered:
            self._payload = None
        self._expect()

    def _break(self, error: Exception) -> None:
        """The body will not become whole: whoever reads it is told, and nothing after it is read."""
        self._deaf = True
        if self._answered or self._payload is None:
            self._hang_up()
        else:
            self._deadline = _NEVER
            self._payload.set_exception(error)
            self._payload.feed_eof()

    async def _body(self, payload: StreamReader, *, expects: bool) -> bytes:
        """The body, up to its limit. Raises what `_break` was told, TooLarge, or ConnectionError."""
        if expects and not payload.is_eof():
            self._write(CONTINUE)
        parts, size = [], 0
        while not payload.at_eof() or payload.exception() is not None:
            if self._peer is None:
                raise ConnectionResetError
            part = await payload.readany()
            parts.append(part)
            size += len(part)
            if size > BODY_BYTES_MAX:
                raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
        return parts[0] if len(parts) == 1 else b"".join(parts)

    # Writing.

    async def _send(self, answer: Answer, message: RawRequestMessage, *, close: bool = False) -> web.StreamResponse:
        if len(answer.body) > LARGE_BYTES and not await self._has_room(len(answer.body)):
            answer.taken()
            answer = refusal(Overloaded("too many bytes of answers are waiting to be taken"))
        close = close or answer.close or message.should_close or self._deaf or (self._ending and not self._ahead)
        connection = b"close" if close else b"keep-alive" if message.version == HttpVersion10 else b""
        self._write(answer.encode(connection, self._request_id, with_body=message.method != "HEAD"))
        if close and (self._deaf or self._payload is None or not self._payload.is_eof()):
            self._linger()
        await self._drained()
        answer.taken()
        return LAST if close and not self._deaf else KEPT

    async def _flow(self, stream: Stream, message: RawRequestMessage) -> web.StreamResponse:
        """Send what comes while it comes, then end. A peer that has gone is no reason not to finish the work."""
        self._write(stream.encode_head(self._request_id))
        if isinstance(stream, Watch):
            left = self._peer is None or self._ending or len(self._ahead) > _AHEAD_BYTES_MAX
            await self._watching.send(stream, self._deliver, over=left or message.method == "HEAD")
        else:
            async for piece in stream.pieces:
                await self._deliver(piece)
        return LAST

    async def _deliver(self, piece: bytes) -> None:
        self._write(piece)
        await self._drained()

    def _refuse(self, error: MemoryGatewayError) -> web.StreamResponse:
        """The last answer of a connection whose bytes mean nothing any more."""
        if not self._deaf or self._payload is not None:
            if not self._request_id:
                self._name(None)
            self._write(refusal(error).encode(b"close", self._request_id, with_body=True))
            self._linger()
        return KEPT

    def _linger(self) -> None:
        """Stop listening, but let the peer finish: a reset would take the answer out of its hands."""
        self._deaf = True
        self._ahead = b""
        self._wait(LINGER_S)
        self._resume_transport_reading()
        if self._peer is not None and not self._peer.is_closing() and self._peer.can_write_eof():
            self._peer.write_eof()

    def _write(self, data: bytes) -> None:
        if self._peer is not None and not self._peer.is_closing():
            self._peer.write(data)

    async def _drained(self) -> None:
        """Return when the peer has taken what was written, or is gone; what waits until then is counted."""
        if self.writing_paused and self._peer is not None:
            self._hold.count(self._peer.get_write_buffer_size())
            with contextlib.suppress(ConnectionError):
                await self._drain_helper()
            self._hold.count(0)

    async def _has_room(self, size: int) -> bool:
        """Whether an answer of this size may wait for this peer; it waits for room a while."""
        self._hold.count(0)
        held = self._terms.held
        return held.has_room(size) or await held.await_room(size, _ROOM_S)

    def _stands_still(self, now: float) -> bool:
        """Whether memory is kept for a peer that has stopped, and needed. One that goes on taking is waited for."""
        if self._peer is None or not self._hold.bytes:
            return False
        if self.writing_paused:
            moved, short = self._hold.moves(self._peer.get_write_buffer_size(), now)
            if moved:
                self._wait(self._timeouts.send_s)
            return short
        if self._payload is None or self._payload.is_eof():
            return False
        return self._hold.moves(BODY_BYTES_MAX - self._payload.total_bytes, now)[1]

    def _hang_up(self) -> None:
        """Let the peer take what was written, then end."""
        self._wait(self._timeouts.send_s)
        if self._peer is not None:
            self._peer.close()

    # Deadlines.

    def _expect(self) -> None:
        """Set the deadline for what is awaited of the peer."""
        if self._payload is None:
            self._wait(self._timeouts.header_s if self._head_bytes else self._timeouts.keepalive_s)
        elif not self._payload.is_eof():
            self._wait(self._timeouts.body_s)
        else:
            self._deadline = _NEVER

    def _wait(self, seconds: float) -> None:
        self._deadline = self._loop.time() + seconds
