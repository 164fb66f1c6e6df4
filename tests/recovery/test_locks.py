"""The lock round a user's memories: held as long as its holder lives, and not much longer."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest
from kit import open_connection
from processes import RedisServer

from memory.errors import StoreUnavailable
from memory.stores.redis import memories
from memory.stores.redis.keys import lock_key
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

        holding = asyncio.Event()

        async def hold_until_told() -> None:
            async with RedisLocks(dying)("user"):
                holding.set()
                await asyncio.Event().wait()

        held = asyncio.create_task(hold_until_told())
        await holding.wait()
        await dying.close()  # what its process would have said is not heard any more
        began = loop.time()
        assert await wait_for_it() - began < 10 * LEASE_MS / 1000
        with any_server.client() as client:
            assert not client.keys("*lock*")
        with pytest.raises(StoreUnavailable):
            await held


async def test_holder_whose_lock_has_lapsed_is_told_before_another_ends(
    any_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_LEASE_MS", LEASE_MS)
    async with AsyncExitStack() as stack:
        locks = RedisLocks(await open_connection(stack, any_server.url))
        inside, cut_short = asyncio.Event(), asyncio.Event()

        async def first() -> None:
            try:
                async with locks("user"):
                    inside.set()
                    await asyncio.Event().wait()
            finally:
                cut_short.set()

        holder = asyncio.create_task(first())
        await inside.wait()
        with any_server.client() as client:
            client.delete(lock_key("user"))  # Redis failed over, or the holder was paused for longer than its lease
        async with locks("user"):
            async with asyncio.timeout(LEASE_MS / 1000):
                await cut_short.wait()
        with pytest.raises(StoreUnavailable, match="lapsed"):
            await holder


async def test_work_that_blocked_the_loop_for_longer_than_its_lease_is_told(
    any_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_LEASE_MS", LEASE_MS)
    async with AsyncExitStack() as stack:
        locks = RedisLocks(await open_connection(stack, any_server.url))
        with pytest.raises(StoreUnavailable, match="lapsed"):
            async with locks("user"):
                time.sleep(1.5 * LEASE_MS / 1000)


async def test_timeout_of_the_work_under_a_lock_stays_its_own(any_server: RedisServer) -> None:
    async with AsyncExitStack() as stack:
        locks = RedisLocks(await open_connection(stack, any_server.url))
        with pytest.raises(TimeoutError):
            async with locks("user"):
                raise TimeoutError
