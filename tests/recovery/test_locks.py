"""The lock round a user's memories: held as long as its holder lives, and not much longer."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from kit import open_connection
from processes import RedisServer

from memory.stores.redis import memories
from memory.stores.redis.memories import RedisLocks

LEASE_MS = 300


async def test_lock_outlives_its_lease_with_its_holder_and_lapses_without(
    any_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_LEASE_MS", LEASE_MS)
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        ours = RedisLocks(await open_connection(stack, any_server.url))
        dying = await open_connection(stack, any_server.url)
        events: list[str] = []

        async def wait_for_it() -> float:
            async with ours("user"):
                events.append("theirs")
            return loop.time()

        async with RedisLocks(dying)("user"):
            waiting = asyncio.create_task(wait_for_it())
            await asyncio.sleep(3 * LEASE_MS / 1000)  # three leases long
            events.append("ours")
        await waiting
        assert events == ["ours", "theirs"], "a lock lapsed under the hands of its holder"

        held = RedisLocks(dying)("user")
        await held.__aenter__()
        await dying.close()  # what its process would have said is not heard any more
        began = loop.time()
        assert await wait_for_it() - began < 10 * LEASE_MS / 1000
        with any_server.client() as client:
            assert not client.keys("*lock*")
