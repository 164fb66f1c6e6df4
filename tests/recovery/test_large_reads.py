"""A reply that takes long holds up nobody else's; a broken subscription makes nobody wait in vain."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from kit import CALLER, TIMES, Kit, NoQueue, end, open_connection, say, scope
from processes import RedisServer

from memory.errors import Overloaded
from memory.model.lifecycle import SessionState
from memory.model.requests import QueryMemoryContextRequest
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.large_reads import LargeReads

STAMP = b"s"
LONG = "病" * 9_900


@asynccontextmanager
async def stuck_behind(port: int) -> AsyncIterator[tuple[int, asyncio.Event]]:
    """A way to a server on which replies stop coming once the event is set."""
    stopped = asyncio.Event()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, replies: bool) -> None:
        while data := await reader.read(65_536):
            if replies and stopped.is_set():
                continue
            writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back, replies=False), pump(there, writer, replies=True))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], stopped
    finally:
        server.close()


async def test_long_replies_that_do_not_come_hold_up_no_short_ones(kit: Kit, redis_server: RedisServer) -> None:
    service = kit.service(NoQueue())
    await say(service, "short", "1")
    for number in range(3):
        await say(service, "long", f"{number} {LONG}")
    async with stuck_behind(redis_server.port) as (port, stopped):
        large = Connection(ConnectionSettings(f"redis://127.0.0.1:{port}", 30, 100))
        await large.start()
        kit.stack.push_async_callback(large.close)
        usual = await open_connection(kit.stack, kit.url)
        sessions = RedisSessionStore(usual, TIMES, LargeReads(large, usual, 0.2))
        first = await sessions.read(scope("long"), None, profile_stamp=STAMP)  # this one could not know
        assert first.head is not None
        stopped.set()

        stuck = [
            asyncio.create_task(sessions.read(scope("long"), None, profile_stamp=STAMP)),
            asyncio.create_task(sessions.page(scope("long"), 0, 1_000)),
            asyncio.create_task(sessions.details(scope("long"), "")),
            asyncio.create_task(sessions.read(scope("long"), None, whole=True, profile_stamp=STAMP)),
        ]
        await asyncio.sleep(0)
        short = await sessions.read(scope("short"), None, profile_stamp=STAMP)
        assert short.head is not None
        assert len(short.live) == 2
        with pytest.raises(Overloaded):
            await sessions.page(scope("long"), 0, 1_000)
        assert not any(task.done() for task in stuck)
        for task in stuck:
            task.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)


async def test_long_replies_come_over_the_usual_connection_while_their_own_is_gone(kit: Kit) -> None:
    service = kit.service(NoQueue())
    await say(service, "c", "1")
    usual = await open_connection(kit.stack, kit.url)
    gone = Connection(ConnectionSettings(kit.url, 1, 100))  # never started
    sessions = RedisSessionStore(usual, TIMES, LargeReads(gone, usual, 0.2))
    details = await sessions.details(scope("c"), "")
    assert details is not None
    assert len(details.live) == 2


async def test_long_conversation_reads_the_same_on_either_connection(kit: Kit) -> None:
    service = kit.service(NoQueue())
    for number in range(3):
        await say(service, "long", f"{number} {LONG}")
    request = QueryMemoryContextRequest(conversation_id="long", model_context_window=10_000_000)
    answers = [(await service.query_memory_context(CALLER, request)).encode() for _ in range(3)]

    assert answers[0] == answers[1] == answers[2]


async def test_end_that_is_announced_while_nobody_can_hear_is_seen_once_the_line_is_back(
    kit: Kit, redis_server: RedisServer
) -> None:
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "c", "1")
    waiting = asyncio.create_task(end(service, "c", wait_ms=30_000))
    while not jobs.keys:
        await asyncio.sleep(0.01)
    finaliser = kit.finaliser()
    with redis_server.client() as client:
        client.acl_setuser("default", enabled=True, nopass=True, reset_channels=True, keys="*", commands=["+@all"])
        assert not client.pubsub_numsub("short_term_memory:ended")[0][1], "who may not listen any more is cut off"
        assert await finaliser.run(jobs.keys[0])
        client.acl_setuser("default", channels="*")

    assert (await waiting).state is SessionState.ENDED
