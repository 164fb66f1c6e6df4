"""What a connection of the HTTP layer does with its peer: the table of docs/decisions/0019, on a real port."""

import asyncio
import contextlib
import gc
import logging
import re
from collections.abc import AsyncIterator

import pytest
from aiohttp.streams import StreamReader

from gateway.http.adapter import LINGER_S
from gateway.http.answers import Answer, Stream, streamed
from gateway.http.bounds import Timeouts
from gateway.http.request import Handling, Request
from gateway.http.server import Listener, Listening
from gateway.observe.correlation import Correlation, current
from memory.limits import BODY_BYTES_MAX
from tests.http_peer import HOST, TellingApplication, answers, connected, exchange, listening, read, run

HOSTED = b"Host: x\r\nAuthorization: Bearer A\r\n"
HALF = b"POST /half HTTP/1.1\r\n" + HOSTED + b"Content-Length: 4\r\n\r\n{}"
WHOLE = b"POST /whole HTTP/1.1\r\n" + HOSTED + b"Content-Length: 2\r\n\r\n{}"
CHUNKS = b"POST /chunks HTTP/1.1\r\n" + HOSTED + b"Transfer-Encoding: chunked\r\n\r\n"
TRACE = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TOLD = ["POST", "/whole", "A", "{}"]
SLACK_S = 2.0


@pytest.mark.parametrize("sent", [b"", b"P", HALF[:40], WHOLE, WHOLE + b"GET"], ids=range(5))
def test_peer_that_says_nothing_more_is_left_at_its_deadline(sent: bytes) -> None:
    async def wait() -> list[object]:
        async with listening(seconds=0.2) as port:
            return answers(await read(port, sent, 0.2 + SLACK_S))

    assert run(wait) == ([TOLD] if sent.startswith(WHOLE) else [])


@pytest.mark.parametrize("sent", [HALF, CHUNKS, CHUNKS + b"1\r\n{\r\n"], ids=["length", "no chunk", "a chunk"])
def test_body_that_does_not_come_is_answered_408(sent: bytes) -> None:
    application = TellingApplication()

    async def wait() -> list[object]:
        async with listening(application, seconds=0.2) as port:
            return answers(await read(port, sent, 0.2 + SLACK_S))

    assert run(wait) == [408]
    assert len(application.abandoned) == 1


def test_connection_above_the_limit_is_closed_and_room_is_given_back() -> None:
    async def connect() -> None:
        async with listening(connections_max=2) as port, connected(port) as (reader, writer):
            async with connected(port):
                assert await read(port, WHOLE) == b""
                writer.write(WHOLE)
                assert b"200 OK" in await reader.readline()
            while not (found := await exchange(port, WHOLE)):
                await asyncio.sleep(0)
            assert found == [TOLD]

    run(connect)


def test_refused_head_is_answered_before_its_body_and_the_connection_goes_on_when_it_came() -> None:
    async def send() -> None:
        async with listening() as port, connected(port) as (reader, writer):
            writer.write(b"POST /nowhere HTTP/1.1\r\n" + HOSTED + b"Content-Length: 2\r\n\r\n")
            assert b"404" in await asyncio.wait_for(reader.readline(), SLACK_S)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"{}" + WHOLE)
            writer.write_eof()
            rest = await asyncio.wait_for(reader.read(), SLACK_S)
            assert b"/whole" in rest

    run(send)


def test_refused_head_whose_body_does_not_come_is_left_soon() -> None:
    async def send() -> bytes:
        async with listening() as port:
            return await read(port, b"POST /nowhere HTTP/1.1\r\n" + HOSTED + b"Content-Length: 2\r\n\r\n", 1 + SLACK_S)

    assert answers(run(send)) == [404]


def test_refused_head_that_expected_to_go_on_ends_its_connection() -> None:
    """Its peer may send the body or not: what comes could be either."""
    head = b"POST /nowhere HTTP/1.1\r\nExpect: 100-continue\r\n" + HOSTED + b"Content-Length: 84\r\n\r\n"

    async def send() -> bytes:
        async with listening() as port:
            return await read(port, head, SLACK_S)

    found = run(send)
    assert answers(found) == [404]
    assert b"Connection: close\r\n" in found


def test_head_is_answered_without_a_body_and_1_0_told_that_it_is_kept() -> None:
    async def send() -> None:
        async with listening(seconds=0.5) as port, connected(port) as (reader, writer):
            writer.write(b"HEAD /a HTTP/1.1\r\n" + HOSTED + b"\r\n" + WHOLE)
            assert b"Content-Length: 23\r\n" in await reader.readuntil(b"\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            kept = await read(port, b"GET /a HTTP/1.0\r\nConnection: keep-alive\r\n" + HOSTED + b"\r\n", 8)
            assert b"Connection: keep-alive\r\n" in kept

    run(send)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /" + b"a" * 70_000, 400),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, 400),
        (b"GET / HTTP/1.1\r\n" + b"a" * 70_000, 400),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 12_000, 400),
        (b"\r\n" * 35_000, 400),
        (CHUNKS + b"1;" + b"a" * 70_000, 413),
        (CHUNKS + b"0" * 70_000, 413),
        (CHUNKS + b"1\r\n{\r\n" * 40_000, 413),
        (CHUNKS + b"0\r\nX: " + b"a" * 70_000, 400),
        (CHUNKS + b"0\r\n" + b"a: b\r\n" * 12_000, 400),
        (CHUNKS + b"%x\r\n" % (2 * BODY_BYTES_MAX) + b"a" * (2 * BODY_BYTES_MAX), 413),
        (HALF.replace(b": 4", b": %d" % (2 * BODY_BYTES_MAX)) + b"a" * (2 * BODY_BYTES_MAX), 413),
    ],
    ids=["target", "value", "name", "headers", "empty lines", "extension", "zeros", "tiny chunks", "trailer",
         "trailers", "chunk", "body"],
)  # fmt: skip
def test_what_has_no_end_is_refused_while_it_comes(sent: bytes, status: int) -> None:
    async def send() -> list[object]:
        async with listening(seconds=30) as port:
            return answers(await read(port, sent, 20))

    assert run(send) == [status]


def test_pipelining_is_held_back_while_the_first_is_not_answered() -> None:
    """What waits for its turn is bounded: the peer cannot send on."""
    gate = Gate()

    async def send() -> int:
        long = WHOLE.replace(b"\r\n\r\n", b"\r\nX: " + b"a" * 8000 + b"\r\n\r\n")
        async with listening(gate, seconds=60) as port, connected(port) as (reader, writer):
            many = long * 1500
            writer.write(many)
            await gate.reached.wait()
            sending = asyncio.create_task(writer.drain())
            done, _ = await asyncio.wait([sending], timeout=0.5)
            assert not done, "12 MB were taken though the first request is not answered"
            gate.opened.set()
            count = 0
            while count < 1500:
                count += (await reader.readuntil(b"\r\n\r\n")).count(b"HTTP/1.1 200 OK")
                await reader.readexactly(2)
            writer.close()
            return count

    assert run(send) == 1500


class Gate:
    """An application whose requests are answered when it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self.finished = 0

    def admit(self, _request: Request) -> Handling | Answer:
        return self

    async def answer(self, _body: bytes) -> Answer:
        self.reached.set()
        await self.opened.wait()
        self.finished += 1
        return Answer(b"{}")

    def abandon(self) -> None:
        """Nothing was taken."""


def test_request_whose_peer_has_gone_is_finished() -> None:
    gate = Gate()

    async def send() -> None:
        async with listening(gate) as port, connected(port) as (_, writer):
            writer.write(WHOLE)
            await gate.reached.wait()
            writer.transport.abort()
            gate.opened.set()
            async with asyncio.timeout(SLACK_S):
                while not gate.finished:
                    await asyncio.sleep(0)

    run(send)


class Telling:
    """An application that answers with events, one when it is told to."""

    def __init__(self) -> None:
        self.more = asyncio.Event()
        self.told = 0

    def admit(self, _request: Request) -> Handling | Answer:
        return self

    async def answer(self, _body: bytes) -> Stream:
        return streamed(self._events(), "text/event-stream")

    async def _events(self) -> AsyncIterator[bytes]:
        for number in range(3):
            self.told = number + 1
            yield b"%d\n" % number
            await self.more.wait()

    def abandon(self) -> None:
        """Nothing was taken."""


@pytest.mark.parametrize("stays", [True, False])
def test_stream_is_sent_as_it_comes_and_goes_on_without_its_peer(*, stays: bool) -> None:
    telling = Telling()

    async def send() -> None:
        async with listening(telling) as port, connected(port) as (reader, writer):
            writer.write(WHOLE)
            assert (await reader.readuntil(b"\n\r\n")).startswith(b"HTTP/1.1 200 OK\r\n")
            head = await reader.readuntil(b"0\n")
            assert head.endswith(b"0\n")
            if not stays:
                writer.transport.abort()
            telling.more.set()
            if stays:
                assert await asyncio.wait_for(reader.read(), SLACK_S) == b"1\n2\n"
            async with asyncio.timeout(SLACK_S):
                while telling.told < 3:
                    await asyncio.sleep(0)

    run(send)


def test_peer_that_does_not_take_its_answer_is_left_and_nothing_more_is_done_for_it() -> None:
    large = Large(20_000_000)

    async def send() -> None:
        async with listening(large, seconds=0.5) as port, connected(port) as (reader, writer):
            writer.transport.pause_reading()
            writer.write(WHOLE * 50)
            async with asyncio.timeout(0.5 + 2 * SLACK_S):
                while not large.taken:
                    await asyncio.sleep(0)
            writer.transport.resume_reading()
            with contextlib.suppress(ConnectionError):
                assert len(await reader.read()) < 20_000_000

    run(send)
    assert large.given == 1


def test_large_answers_wait_for_room_and_small_ones_do_not() -> None:
    large = Large(20_000_000)

    async def send() -> None:
        async with listening(large, seconds=30, held_bytes_max=30_000_000) as port, connected(port) as (reader, writer):
            writer.transport.pause_reading()
            writer.write(WHOLE)
            while not large.given:
                await asyncio.sleep(0)
            second = asyncio.create_task(read(port, WHOLE.replace(b"Host", b"Connection: close\r\nHost"), 20))
            await asyncio.sleep(0.2)
            assert not second.done()
            assert b"400" in await read(port, b"GARBAGE\r\n\r\n")
            writer.transport.resume_reading()
            assert len(await reader.readexactly(20_000_000)) == 20_000_000
            assert len(await second) > 20_000_000

    run(send)


def test_large_bodies_that_stop_are_refused_when_memory_is_short_and_small_ones_are_not() -> None:
    half = WHOLE.replace(b"h: 2", b"h: 1000000")[:-2] + b"a" * 900_000

    async def send() -> None:
        async with listening(seconds=30, held_bytes_max=3_000_000) as port:
            found = await asyncio.gather(*(read(port, half, 20) for _ in range(10)))
            assert {answers(each)[0] for each in found} == {408, 503}
            assert (await exchange(port, WHOLE)) == [TOLD]

    run(send)


LATE = WHOLE.replace(b"h: 2", b"h: 1000000")[:-2] + b"a" * 900_000


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (LATE, 408),
        (CHUNKS + b"%x\r\n%b\r\nno size\r\n" % (900_000, b"a" * 900_000), 400),
        (LATE.replace(b"/whole", b"/nowhere"), 404),
        (LATE, None),
    ],
    ids=["late", "broken", "refused", "left"],
)
def test_body_that_does_not_become_whole_is_let_go_with_its_connection(sent: bytes, status: int | None) -> None:
    """And not when garbage is collected: that is seldom, and a body is large."""

    async def send() -> list[object]:
        async with listening(seconds=0.5) as port:
            if status is not None:
                assert answers(await read(port, sent, 20)) == [status]
            else:
                async with connected(port) as (_, writer):
                    writer.write(sent)
                    await asyncio.sleep(0.1)
                    writer.transport.abort()
            await asyncio.sleep(LINGER_S + 0.5)
            return [one for one in gc.get_objects() if type(one) is StreamReader]

    gc.collect()
    gc.disable()
    try:
        assert run(send) == []
    finally:
        gc.enable()


class Large:
    """An application whose answers are large."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.given = 0
        self.taken = 0

    def admit(self, _request: Request) -> Handling | Answer:
        return self

    async def answer(self, _body: bytes) -> Answer:
        self.given += 1
        return Answer(b"a" * self.size, on_taken=self._on_taken)

    def _on_taken(self) -> None:
        self.taken += 1

    def abandon(self) -> None:
        """Nothing was taken."""


@pytest.mark.parametrize("sent", [b"", WHOLE[:20], HALF, WHOLE * 3], ids=["idle", "half a head", "half a body", "work"])
def test_end_waits_for_what_was_asked_and_no_longer_than_it_may(sent: bytes) -> None:
    gate = Gate()

    async def stop() -> int:
        settings = Listening(HOST, 0, Timeouts(30, 30, 30, 30), 0.5, 100, None, 1 << 26, shared=False)
        listener = Listener(gate, settings, float)
        async with connected(await listener.start()) as (reader, writer), asyncio.timeout(5):
            writer.write(sent)
            if sent == WHOLE * 3:
                await gate.reached.wait()
            else:
                await asyncio.sleep(0.1)
            stopping = asyncio.create_task(listener.stop())
            asyncio.get_running_loop().call_later(0.1, gate.opened.set)
            await stopping
            with contextlib.suppress(ConnectionError):
                return (await reader.read()).count(b"HTTP/1.1 200 OK")
        return 0

    assert run(stop) == (3 if sent == WHOLE * 3 else 0)


@pytest.mark.parametrize("sent", [WHOLE, HALF, b"POST /nowhere HTTP/1.1\r\n" + HOSTED + b"\r\n", b"GARBAGE\r\n\r\n"])
def test_every_answer_names_its_request(sent: bytes) -> None:
    async def send() -> list[bytes]:
        async with listening(seconds=0.3) as port:
            return [line for line in (await read(port, sent)).split(b"\r\n") if line.startswith(b"X-Request-Id: ")]

    (line,) = run(send)
    assert re.fullmatch(rb"X-Request-Id: [0-9a-f]{24}", line)


@pytest.mark.parametrize(
    ("sent", "named", "trace"),
    [
        (b"X-Request-Id: a.b:c@d-1_2\r\ntraceparent: " + TRACE, "a.b:c@d-1_2", TRACE.decode()),
        (b"X-REQUEST-ID: " + b"x" * 128 + b"\r\ntraceparent: " + TRACE.replace(b"00-", b"ff-"), "x" * 128, None),
        (b"X-Request-Id: " + b"x" * 129 + b"\r\ntraceparent: " + TRACE.upper(), None, None),
        (b"X-Request-Id: a b\r\ntraceparent: 00-" + b"0" * 32 + TRACE[35:], None, None),
        (b"X-Request-Id: a\r\nX-Request-Id: b\r\ntraceparent: " + TRACE + b"\r\ntraceparent: " + TRACE, None, None),
    ],
)
def test_request_is_named_as_it_came_when_its_name_is_one(sent: bytes, named: str | None, trace: str | None) -> None:
    naming = Naming()

    async def send() -> bytes:
        async with listening(naming, seconds=0.3) as port:
            return await read(port, WHOLE.replace(b"Host", sent + b"\r\nHost"))

    received = run(send)
    (found,) = naming.found
    assert found is not None
    assert (found.request_id == named, found.traceparent) == (named is not None, trace)
    assert b"X-Request-Id: %b\r\n" % found.request_id.encode() in received


class Naming:
    """An application that remembers how the requests that it works on are named."""

    def __init__(self) -> None:
        self.found: list[Correlation | None] = []

    def admit(self, _request: Request) -> Handling | Answer:
        return self

    async def answer(self, _body: bytes) -> Answer:
        self.found.append(await asyncio.create_task(self._deep()))
        return Answer(b"{}")

    async def _deep(self) -> Correlation | None:
        return current()

    def abandon(self) -> None:
        """Nothing was taken."""


def test_broken_requests_leave_no_traceback_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    broken = (
        b"\x16\x03\x01",
        b"GARBAGE\r\n\r\n",
        CHUNKS + b"zz\r\n",
        HALF,
        b"GET / HTTP/9.9\r\n\r\n",
        CHUNKS + b"1\r\n",
    )

    async def send() -> None:
        async with listening(seconds=0.3) as port:
            await asyncio.gather(*(read(port, sent) for sent in broken))
            for sent in broken:
                async with connected(port) as (_, writer):
                    writer.write(sent)
                    await asyncio.sleep(0)
                    writer.transport.abort()

    with caplog.at_level(logging.DEBUG):
        run(send)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
