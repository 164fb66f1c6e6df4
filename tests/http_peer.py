"""The HTTP layer alone on a port of its own, in the test's process, with an application that tells what reached it."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import uvloop

from gateway.http.answers import Answer, refusal
from gateway.http.bounds import Timeouts
from gateway.http.request import Application, Handling, Request
from gateway.http.server import Listener, Listening
from memory.errors import NotFound, Unauthorized

HOST = "127.0.0.1"
KEYS = ("A", "B")
_LENGTH = re.compile(rb"content-length: (\d+)\r\n", re.IGNORECASE)


class Telling:
    """An admitted request: its answer is what it was."""

    def __init__(self, request: Request, abandoned: list[bytes]) -> None:
        self._request = request
        self._abandoned = abandoned

    async def answer(self, body: bytes) -> Answer:
        key = (self._request.header(b"authorization") or "").removeprefix("Bearer ")
        told = [self._request.method.decode(), self._request.target.decode("latin-1"), key, body.decode("latin-1")]
        return Answer(json.dumps(told).encode())

    def abandon(self) -> None:
        self._abandoned.append(self._request.target)


class TellingApplication:
    """Lets in every request with a key, but to /nowhere."""

    def __init__(self) -> None:
        self.abandoned: list[bytes] = []

    def admit(self, request: Request) -> Handling | Answer:
        if request.target == b"/nowhere":
            return refusal(NotFound("there is no such path"))
        if (request.header(b"authorization") or "").removeprefix("Bearer ") not in KEYS:
            return refusal(Unauthorized("send a key"))
        return Telling(request, self.abandoned)


@contextlib.asynccontextmanager
async def listening(
    application: Application | None = None,
    *,
    seconds: float = 5.0,
    connections_max: int = 100,
    connections_of_peer: int | None = None,
    held_bytes_max: int = 1 << 26,
) -> AsyncIterator[int]:
    """The port of a listener whose peers have so many seconds for everything."""
    settings = Listening(
        host=HOST,
        port=0,
        timeouts=Timeouts(header_s=seconds, body_s=seconds, keepalive_s=seconds, send_s=seconds),
        shutdown_timeout_s=seconds,
        connections_max=connections_max,
        connections_of_peer=connections_of_peer,
        held_bytes_max=held_bytes_max,
        shared=False,
    )
    listener = Listener(application or TellingApplication(), settings, float)
    try:
        yield await listener.start()
    finally:
        await listener.stop()


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run it on the loop that the gateway runs on."""
    return uvloop.run(work())


@contextlib.asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection, closed in the end."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def read(port: int, sent: bytes, within_s: float = 5.0) -> bytes:
    """What comes until the listener closes the connection, which must be within this time."""
    async with connected(port) as (reader, writer), asyncio.timeout(within_s):
        with contextlib.suppress(ConnectionError):
            writer.write(sent)
            return await reader.read()
    return b""


async def exchange(port: int, *packets: bytes) -> list[Any]:
    """Send the packets one by one, say that there are no more, and read until the end: what each answer told."""
    received = b""
    async with connected(port) as (reader, writer), asyncio.timeout(10):
        with contextlib.suppress(ConnectionError):
            for packet in packets:
                writer.write(packet)
                await _taken()
            writer.write_eof()
            received = await reader.read()
    return answers(received)


async def _taken() -> None:
    """The listener is on this loop: after a few rounds it has read what was sent, and sees it apart from the next."""
    for _ in range(4):
        await asyncio.sleep(0)


def answers(received: bytes) -> list[Any]:
    """What was told by each answer: the request of a 200, the status of any other."""
    told: list[Any] = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = _LENGTH.search(head + b"\r\n")
        size = int(length[1]) if length else 0
        body, received = received[:size], received[size:]
        assert len(body) == size, "an answer ends before its length"
        if status != 100:
            told.append(json.loads(body) if status == 200 else status)
    return told
