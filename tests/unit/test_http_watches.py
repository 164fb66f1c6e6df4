"""A watch over a connection: it ends with whoever reads it, and nothing of it is left (docs/decisions/0053)."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from gateway.http import watching
from gateway.http.answers import Answer, Watch, watched
from gateway.http.bounds import Timeouts
from gateway.http.request import Handling, Request
from gateway.http.server import Listener, Listening
from tests.http_peer import HOST, connected, listening, read, run

ASKED = b"GET /watch HTTP/1.1\r\nHost: x\r\n\r\n"
SLACK_S = 2.0
LONG_S = 60.0


class Watched:
    """An application that answers with a watch: a first piece, and one whenever it is told to."""

    def __init__(self, piece: bytes = b"piece\n") -> None:
        self.piece = piece
        self.asked = asyncio.Event()
        self.admitted = asyncio.Event()
        self.admitted.set()
        self.more = asyncio.Event()
        self.begun = 0
        self.closed = 0
        self.ended = 0

    def admit(self, _request: Request) -> Handling | Answer:
        return self

    async def answer(self, _body: bytes) -> Watch:
        self.asked.set()
        await self.admitted.wait()
        return watched(self._pieces(), "text/event-stream", self._on_end)

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        self.begun += 1
        try:
            while True:
                yield self.piece
                await self.more.wait()
        finally:
            await asyncio.sleep(0)
            self.closed += 1

    def _on_end(self) -> None:
        self.ended += 1

    def abandon(self) -> None:
        """Nothing was taken."""

    async def over(self, *, begun: int = 1) -> None:
        """Return when it has ended, once, and nothing of it is left."""
        async with asyncio.timeout(SLACK_S):
            while not self.ended:
                await asyncio.sleep(0.01)
        assert (self.begun, self.closed, self.ended) == (begun, begun, 1)


@contextlib.asynccontextmanager
async def watching_it(
    application: Watched, asked: bytes = ASKED, seconds: float = LONG_S
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A peer that has the head and the first piece."""
    async with listening(application, seconds=seconds) as port, connected(port) as (reader, writer):
        writer.write(asked)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
        assert (b"Connection: close\r\n" in head, b"Content-Length" in head) == (True, False)
        assert await reader.readexactly(6) == b"piece\n"
        yield reader, writer


@pytest.mark.parametrize("leaving", ["abort", "close", "write_eof"])
def test_watch_ends_with_its_peer_and_leaves_no_task(leaving: str) -> None:
    application = Watched()

    async def leave() -> None:
        async with watching_it(application) as (_, writer):
            getattr(writer.transport if leaving == "abort" else writer, leaving)()
            await application.over()
            async with asyncio.timeout(SLACK_S):
                while len(asyncio.all_tasks()) > 2:  # this one, and the listener's
                    await asyncio.sleep(0.01)

    run(leave)


def test_watch_ends_with_its_listener_long_before_work_would_have_to() -> None:
    application = Watched()

    async def stop() -> bytes:
        settings = Listening(HOST, 0, Timeouts(*[LONG_S] * 4), LONG_S, 100, None, 1 << 26, shared=False)
        listener = Listener(application, settings, float)
        async with connected(await listener.start()) as (reader, writer):
            writer.write(ASKED)
            await reader.readuntil(b"piece\n")
            async with asyncio.timeout(SLACK_S):
                await listener.stop()
                await application.over()
                return await reader.read()

    assert run(stop) == b"", "and says no more"


@pytest.mark.parametrize("leaving", ["abort", "write_eof"])
def test_watch_of_a_peer_that_has_left_while_it_was_looked_at_is_not_begun(leaving: str) -> None:
    application = Watched()
    application.admitted.clear()

    async def leave() -> None:
        async with listening(application, seconds=LONG_S) as port, connected(port) as (_, writer):
            writer.write(ASKED)
            await application.asked.wait()
            getattr(writer.transport if leaving == "abort" else writer, leaving)()
            await asyncio.sleep(0.1)
            application.admitted.set()
            await application.over(begun=0)

    run(leave)


def test_head_of_a_watch_is_that_of_the_stream_without_one() -> None:
    application = Watched()

    async def ask() -> bytes:
        async with listening(application, seconds=LONG_S) as port:
            return await read(port, ASKED.replace(b"GET", b"HEAD"), SLACK_S)

    head = run(ask)
    assert head.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
    assert head.endswith(b"\r\n\r\n")
    assert b"Content-Length" not in head
    run(lambda: application.over(begun=0))


def test_watch_by_http_1_0_is_the_same_stream() -> None:
    application = Watched()

    async def ask() -> None:
        async with watching_it(application, ASKED.replace(b"1.1", b"1.0")) as (reader, writer):
            application.more.set()
            assert await reader.readexactly(6) == b"piece\n"
            writer.close()
            await application.over()

    run(ask)


def test_what_is_sent_behind_the_request_of_a_watch_is_not_answered_and_too_much_of_it_ends_the_watch() -> None:
    application = Watched()

    async def send() -> None:
        async with watching_it(application) as (reader, writer):
            writer.write(ASKED)
            await asyncio.sleep(0.1)
            assert (application.begun, application.closed) == (1, 0)
            writer.write(b"x" * 200_000)
            await application.over()
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), SLACK_S) == b""

    run(send)


def test_watch_is_not_begun_for_a_peer_that_has_sent_too_much_behind_its_request() -> None:
    application = Watched()
    application.admitted.clear()

    async def send() -> None:
        async with listening(application, seconds=LONG_S) as port, connected(port) as (_, writer):
            writer.write(ASKED + b"x" * 200_000)
            await application.asked.wait()
            await asyncio.sleep(0.1)
            application.admitted.set()
            await application.over(begun=0)

    run(send)


def test_peer_that_does_not_take_what_it_watches_is_dropped() -> None:
    application = Watched(b"x" * 1_000_000)
    application.more.set()

    async def stall() -> None:
        async with listening(application, seconds=0.5) as port, connected(port) as (_, writer):
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(ASKED)
            async with asyncio.timeout(0.5 + SLACK_S):
                while not application.ended:
                    await asyncio.sleep(0.01)
            assert application.closed == 1

    run(stall)


def test_watch_that_says_nothing_outlasts_every_deadline_of_a_request() -> None:
    application = Watched()

    async def wait() -> None:
        async with watching_it(application, seconds=0.2) as (reader, _):
            await asyncio.sleep(1.5)
            application.more.set()
            assert await reader.readexactly(6) == b"piece\n"

    run(wait)


def test_watch_ends_by_itself_so_that_its_peer_has_to_be_let_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LASTS_S", 0.2)
    application = Watched()

    async def wait() -> None:
        async with watching_it(application) as (reader, _):
            assert await asyncio.wait_for(reader.read(), SLACK_S) == b""
            await application.over()

    run(wait)
