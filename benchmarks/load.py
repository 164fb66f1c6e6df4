"""The HTTP load: 64 keep-alive connections, one request in flight on each, and as little parsing as honest.

A load process must cost less than the server that it measures: requests are byte strings of which only the
texts change, and of an answer only the status and the Content-Length are read.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Iterator
from functools import partial
from typing import cast

from benchmarks.jobs import CONNECTIONS, DRAIN_TIMEOUT_S, WARM_UP_S, Job, Outcome, Tally, Window, serve
from benchmarks.texts import BYTES_PER_CHARACTER, Texts

QUERY_CHARACTERS = 20
FILL_TIMEOUT_S = 120.0
HEAD_END = b"\r\n\r\n"
GET_HELLO = b"GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def post(operation: str, fields: dict[str, str], texts: dict[str, int]) -> list[bytes]:
    """The fixed parts of a request, around the places of its texts (name and length in characters)."""
    known = json.dumps(fields, ensure_ascii=False)[:-1]
    parts = [f'{known}, "{next(iter(texts))}": "', *(f'", "{name}": "' for name in list(texts)[1:]), '"}']
    length = sum(map(len, parts)) + sum(texts.values()) * BYTES_PER_CHARACTER
    head = (
        f"POST /v1/{operation} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n\r\n"
    )
    return [(head + parts[0]).encode(), *(part.encode() for part in parts[1:])]


def queries(conversation: str, texts: Texts) -> Iterator[bytes]:
    fields = {"conversation_id": conversation, "user_id": f"user-{conversation}", "agent_code": "consult"}
    before, after = post("QueryMemoryContext", fields, {"query": QUERY_CHARACTERS})
    while True:
        yield b"".join((before, texts.take(QUERY_CHARACTERS), after))


def events(conversation: str, texts: Texts) -> Iterator[bytes]:
    """What the user of a connection says to the plug-in brain."""
    before, after = post("ProcessMemory", {"user_id": f"user-{conversation}"}, {"input": QUERY_CHARACTERS})
    while True:
        yield b"".join((before, texts.take(QUERY_CHARACTERS), after))


def turns(conversation: str, texts: Texts, job: Job) -> Iterator[bytes]:
    fields = {"conversation_id": conversation, "user_id": f"user-{conversation}", "agent_code": "consult"}
    user, answer = job.user_characters, job.answer_characters
    before, between, after = post("WriteTurn", fields, {"user_query": user, "agent_response": answer})
    while True:
        yield b"".join((before, texts.take(user), between, texts.take(answer), after))


def creations(user: str, texts: Texts) -> Iterator[bytes]:
    """What a model's tool calls tell of the user of a connection."""
    fields = {"user_id": f"user-{user}", "subject": "user", "memory_type": "fact"}
    before, after = post("CreateMemory", fields, {"topic": QUERY_CHARACTERS})
    while True:
        yield b"".join((before, texts.take(QUERY_CHARACTERS), after))


def fill(index: int, texts: Texts, job: Job) -> Iterator[bytes]:
    """This connection's share of `job.conversations`, each with `job.turns` turns; then it ends."""
    for number in range(index, job.conversations, CONNECTIONS):
        yield from itertools.islice(turns(f"{job.name}-{number}", texts, job), job.turns)


def requests_of(job: Job, index: int) -> Iterator[bytes]:
    """What connection number `index` sends."""
    if job.kind == "hello":
        return itertools.repeat(GET_HELLO)
    texts = Texts(job.seed, f"{job.kind}:{job.name}:{job.round}:{index}")
    if job.kind == "fill":
        return fill(index, texts, job)
    if job.kind == "query":
        return queries(f"{job.name}-{index}", texts)
    if job.kind == "create":
        return creations(f"{job.name}-{index}", texts)
    if job.kind == "brain":
        return events(f"{job.name}-{index}", texts)
    return turns(job.name if job.kind == "hot" else f"{job.name}-{index}", texts, job)


class Connection(asyncio.Protocol):
    """Sends one request after the other until they end, the tally says stop, or the server hangs up."""

    def __init__(self, requests: Iterator[bytes], tally: Tally) -> None:
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests = requests
        self._tally = tally
        self._answer = b""
        self._missing = 0
        self._ok = False
        self._sent_at = 0.0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport; the first request waits for `send`."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """A server that hangs up before the end fails the request in flight."""
        if not self.finished.done():
            self._tally.failed(f"connection closed before the answer: {exc or 'end of stream'}")
            self.finished.set_result(None)

    def send(self) -> None:
        """Sends the next request, or ends this connection's share of the job."""
        request = None if self._tally.stopping else next(self._requests, None)
        if request is None or self._transport is None:
            self.finished.set_result(None)
            return
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Reads on until the answer is whole, then sends the next request."""
        if self._missing:
            self._missing -= len(data)
        else:
            self._begin_answer(data)
        if self._missing <= 0 and not self._answer:
            self._end_answer()

    def _begin_answer(self, data: bytes) -> None:
        self._answer += data
        end = self._answer.find(HEAD_END)
        if end < 0:
            return
        head, body = self._answer[:end].lower(), self._answer[end + len(HEAD_END) :]
        at = head.find(b"\r\ncontent-length:")
        if at < 0:
            self._give_up(f"answer without Content-Length: {head!r}")
            return
        self._missing = int(head[at + 17 :].split(b"\r\n", 1)[0]) - len(body)
        self._ok = head[9:12] == b"200"
        if not self._ok:
            self._tally.failed(f"{self._answer[:600]!r}")
        self._answer = b""

    def _end_answer(self) -> None:
        self._missing = 0
        if self._ok:
            self._tally.answered(time.perf_counter() - self._sent_at)
        self.send()

    def _give_up(self, reason: str) -> None:
        self._tally.failed(reason)
        self.finished.set_result(None)
        self.close()

    def close(self) -> None:
        """Hangs up."""
        if self._transport is not None:
            self._transport.close()


def _itself(made: Connection) -> Connection:
    return made


async def connect(job: Job, tally: Tally) -> list[Connection]:
    loop = asyncio.get_running_loop()
    connections = []
    for index in range(CONNECTIONS):
        made = Connection(requests_of(job, index), tally)
        await loop.create_connection(partial(_itself, made), "127.0.0.1", job.port)
        connections.append(made)
    return connections


async def run(job: Job) -> Outcome:
    tally = Tally()
    connections = await connect(job, tally)
    for connection in connections:
        connection.send()
    finished = asyncio.gather(*(connection.finished for connection in connections))
    window = await measure(job, tally, finished)
    unanswered = sum(not connection.finished.done() for connection in connections)
    if unanswered:
        tally.failed(f"{unanswered} connections still waited for an answer at the end")
    for connection in connections:
        if not connection.finished.done():
            connection.finished.set_result(None)
        connection.close()
    return window.outcome()


async def measure(job: Job, tally: Tally, finished: asyncio.Future[list[None]]) -> Window:
    """Opens the window, closes it after `job.seconds` (or when all is sent), waits for the last answers."""
    if not job.seconds:
        window = Window(tally, job.pids)
        await asyncio.wait({finished}, timeout=FILL_TIMEOUT_S)
        window.close()
        return window
    await asyncio.sleep(WARM_UP_S)
    window = Window(tally, job.pids)
    await asyncio.wait({finished}, timeout=job.seconds)
    window.close()
    tally.stopping = True
    await asyncio.wait({finished}, timeout=DRAIN_TIMEOUT_S)
    return window


if __name__ == "__main__":
    serve(run)
