"""Callers that would have a gateway for themselves, as programs: `python -m tests.http.attackers NAME PORT`.

Each goes on until it is killed, and says "attacking" when it begins.
"""

import asyncio
import contextlib
import itertools
import json
import resource
import socket
import struct
import sys
from collections.abc import Awaitable, Callable

from tests.gateways import LOOPBACK, request_bytes

BIG = {"conversation_id": "attack-big", "include": ["full_history", "turns", "session"]}


def request(operation: str, body: object) -> bytes:
    return request_bytes(f"/v1/{operation}", json.dumps(body).encode())


def write(user: str, text: str = "q") -> bytes:
    body = {"conversation_id": f"attack-{user}", "user_id": user, "user_query": text, "agent_response": "a"}
    return request("WriteTurn", body)


async def hold(port: int, connections: int, sent: bytes) -> None:
    """Connections that send so much, and nothing more; those that are closed come again."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(LOOPBACK, port)
                writer.write(sent)
                await reader.read()
                writer.close()

    await _all(one, connections)


async def slow_bodies(port: int) -> None:
    await hold(port, 2100, request("WriteTurn", {"conversation_id": "x"})[:-5])


async def slow_heads(port: int) -> None:
    await hold(port, 3000, b"POST /v1/WriteTurn HT")


async def endless_heads(port: int) -> None:
    await hold(port, 20, b"POST /v1/WriteTurn HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 5_000_000)


async def never_reads(port: int) -> None:
    """Connections that ask for large answers, 200 at a time, and take none."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError), socket.socket() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.settimeout(0)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(connection, (LOOPBACK, port))
                await loop.sock_sendall(connection, request("QueryMemoryContext", BIG) * 200)
                await asyncio.sleep(20)

    await _all(one, 60)


async def large_slow_bodies(port: int) -> None:
    """Nearly a megabyte each at once, and the rest a byte at a time."""
    sent = request("WriteTurn", {"conversation_id": "x", "user_query": "q" * 950_000})

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(LOOPBACK, port)
                writer.write(sent[:-200])
                for place in range(len(sent) - 200, len(sent) - 1):
                    await asyncio.sleep(0.2)
                    writer.write(sent[place : place + 1])
                    await writer.drain()

    await _all(one, 400)


async def tiny_chunks(port: int) -> None:
    """Bodies in chunks of one byte."""
    head = request_bytes("/v1/WriteTurn", headers={"Content-Length": "", "Transfer-Encoding": "chunked"})
    await hold(port, 20, head + b"1\r\n \r\n" * 500_000)


async def resets(port: int) -> None:
    """A part of a request, or all of it, and then a reset: whoever reads or answers finds nobody."""
    sent = write("resets", "q" * 5000)
    lengths = itertools.cycle((10, 60, 1000, len(sent) - 1, len(sent)))

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError), socket.socket() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.settimeout(0)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(connection, (LOOPBACK, port))
                await loop.sock_sendall(connection, sent[: next(lengths)])
            await asyncio.sleep(0.05)  # it waits for nobody, so a slow machine would have nothing left

    await _all(one, 20)


async def large_reads(port: int) -> None:
    await _ask(port, 64, request("QueryMemoryContext", BIG))


async def hot_writers(port: int) -> None:
    await _ask(port, 1500, write("hot"))


async def _ask(port: int, connections: int, sent: bytes) -> None:
    """Connections that ask again as soon as they are answered."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(LOOPBACK, port)
                while True:
                    writer.write(sent)
                    head = await reader.readuntil(b"\r\n\r\n")
                    size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                    await reader.readexactly(size)

    await _all(one, connections)


async def _all(one: Callable[[], Awaitable[None]], number: int) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(number):
            group.create_task(one())  # type: ignore[arg-type]


ATTACKS = {
    attack.__name__: attack
    for attack in (
        slow_bodies,
        slow_heads,
        endless_heads,
        large_slow_bodies,
        tiny_chunks,
        resets,
        never_reads,
        large_reads,
        hot_writers,
    )
}


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("attacking", flush=True)
    asyncio.run(ATTACKS[sys.argv[1]](int(sys.argv[2])))
