"""One HTTP/1.1 connection: what is answered when, and how long its peer is waited for.

Pipelined requests are worked on one after the other. The request that is first in line is admitted by its head
(key, load, media type) before its body is awaited.
"""

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol, cast

from gateway.http.answers import CONTINUE, Answer, Stream, refusal
from gateway.http.reader import Awaited, Received, RequestReader
from gateway.http.request import Application, Handling
from memory.errors import MemoryGatewayError, RequestTimeout

_LINGER_S: Final = 1.0
_STALL_S: Final = 60.0
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection waits for its peer, in seconds."""

    header_s: float
    body_s: float
    keepalive_s: float


class Crowd(Protocol):
    """All connections of a listener."""

    def join(self, connection: "HttpConnection") -> bool:
        """Count it; False when there are too many."""
        ...

    def leave(self, connection: "HttpConnection") -> None:
        """It is closed."""
        ...


class HttpConnection(asyncio.Protocol):
    """A peer."""

    def __init__(self, application: Application, patience: Patience, crowd: Crowd) -> None:
        self._application = application
        self._patience = patience
        self._crowd = crowd
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._reader = RequestReader()
        self._admitted: Handling | None = None
        self._task: asyncio.Task[None] | None = None
        self._stage = 0
        self._deadline = _NEVER
        self._ending = False
        self._deaf = False
        self._paused = False
        self._blocked = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a first head, or hang up at once when there are too many connections."""
        self._transport = cast("asyncio.Transport", transport)
        self._deadline = self._loop.time() + self._patience.header_s
        if not self._crowd.join(self):
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Forget what was not begun. What is being worked on is finished, for nobody."""
        self._transport = None
        self._crowd.leave(self)
        self._reader.whole.clear()
        self._abandon()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self._deaf:
            return
        reader = self._reader
        reader.feed(data)
        if reader.stage != self._stage:
            self._stage = reader.stage
            self._expect()
        if self._task is None:
            self._advance()
        if reader.whole and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """The peer sends no more; whether it still waits for answers."""
        self._ending = True
        self._abandon()
        return not self._deaf and (self._task is not None or bool(self._reader.whole))

    def pause_writing(self) -> None:
        """The peer reads more slowly than we write: begin nothing new for it."""
        self._blocked = True
        self._deadline = self._loop.time() + _STALL_S

    def resume_writing(self) -> None:
        """It has caught up."""
        self._blocked = False
        self._expect()
        if self._task is None:
            self._advance()

    def end(self) -> None:
        """The gateway stops: no request after those that are here."""
        self._ending = True
        idle = self._task is None and not self._reader.whole and self._reader.awaited is Awaited.REQUEST
        if idle and self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Drop the connection, with what is on its way."""
        if self._transport is not None:
            self._transport.abort()

    def hurry(self, now: float) -> None:
        """Close the connection when its peer has had its time: with a 408 when a body is late."""
        if now < self._deadline or self._transport is None:
            return
        if self._blocked or self._transport.is_closing():
            self._transport.abort()
        elif self._task is None:
            if self._reader.awaited is Awaited.BODY and not self._deaf:
                late = RequestTimeout(f"the body did not arrive within {self._patience.body_s:g} s")
                self._refuse(late)
            else:
                self._transport.close()

    def _expect(self) -> None:
        """Set the deadline for what is awaited of the peer."""
        patience = self._patience
        awaited = self._reader.awaited
        if awaited is Awaited.REQUEST:
            seconds = patience.keepalive_s
        else:
            seconds = patience.header_s if awaited is Awaited.HEAD else patience.body_s
        self._deadline = self._loop.time() + seconds

    def _advance(self) -> None:
        """Begin what is whole; then decide on what is arriving."""
        reader = self._reader
        while self._task is None and not self._blocked and self._open():
            if reader.whole:
                self._begin(reader.whole.popleft())
            elif reader.fault is not None:
                self._refuse(reader.fault)
            else:
                self._admit()
                return

    def _open(self) -> bool:
        return self._transport is not None and not self._deaf and not self._transport.is_closing()

    def _begin(self, received: Received) -> None:
        handling, self._admitted = self._admitted, None
        admitted = handling or self._application.admit(received.request)
        if isinstance(admitted, Answer):
            self._send(admitted, received)
        else:
            self._task = self._loop.create_task(self._work(admitted, received))

    async def _work(self, handling: Handling, received: Received) -> None:
        answer = await handling.answer(received.body)
        if isinstance(answer, Stream):
            await self._flow(answer)
            self._task = None
            return
        self._task = None
        if self._open():
            self._send(answer, received)
            self._advance()

    async def _flow(self, stream: Stream) -> None:
        """Send what comes while it comes, then end. A peer that has gone is no reason not to finish the work."""
        self._put(stream.head)
        try:
            async for piece in stream.pieces:
                self._put(piece)
        finally:
            if self._transport is not None:
                self._finish(self._transport)

    def _put(self, piece: bytes) -> None:
        if self._open() and self._transport is not None:
            self._transport.write(piece)

    def _admit(self) -> None:
        """Nothing is in line before the request that is arriving, if one is."""
        transport, arriving = self._transport, self._reader.arriving
        if transport is None:
            return
        if arriving is not None and self._admitted is None:
            admitted = self._application.admit(arriving)
            if isinstance(admitted, Answer):
                self._write(admitted, b"close", with_body=arriving.method != b"HEAD")
                self._linger()
                return
            self._admitted = admitted
            if (arriving.header(b"expect") or "").lower() == "100-continue":
                transport.write(CONTINUE)
        if self._paused:
            self._paused = False
            transport.resume_reading()

    def _send(self, answer: Answer, received: Received) -> None:
        last = self._ending and not self._reader.whole
        close = answer.close or last or received.connection == b"close"
        self._write(answer, b"close" if close else received.connection, with_body=received.request.method != b"HEAD")
        if close and self._transport is not None:
            self._finish(self._transport)
        elif self._reader.awaited is Awaited.REQUEST and not self._blocked:
            self._expect()

    def _finish(self, transport: asyncio.Transport) -> None:
        """Let the peer take what was written, then end."""
        self._deaf = True
        self._deadline = self._loop.time() + _STALL_S
        transport.close()

    def _refuse(self, error: MemoryGatewayError) -> None:
        self._write(refusal(error), b"close", with_body=True)
        self._linger()

    def _write(self, answer: Answer, connection: bytes, *, with_body: bool) -> None:
        if self._transport is not None:
            self._transport.write(answer.encode(connection, with_body=with_body))

    def _linger(self) -> None:
        """Stop listening, but let the peer finish: a reset would take the answer out of its hands."""
        self._abandon()
        self._deaf = True
        self._deadline = self._loop.time() + _LINGER_S
        if self._paused and self._transport is not None:
            self._transport.resume_reading()
        if self._transport is not None and self._transport.can_write_eof():
            self._transport.write_eof()

    def _abandon(self) -> None:
        handling, self._admitted = self._admitted, None
        if handling is not None:
            handling.abandon()
