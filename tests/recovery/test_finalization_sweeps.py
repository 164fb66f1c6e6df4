"""What a sweeper does at the worst moment of an end, a replay or a beginning."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from kit import CALLER, Kit, NoQueue, attempted, end, say, state_of
from processes import (
    RedisServer,
)

from memory.errors import InvariantBroken
from memory.model.lifecycle import SessionState
from memory.model.requests import CreateShortMemoryRequest
from memory.stores.redis.keys import DEADLINES, UNFINISHED
from memory.stores.redis.scripts import SCHEDULE, SEAL


async def test_finalization_replayed_while_a_sweeper_looks_is_not_forgotten(
    kit: Kit, redis_server: RedisServer
) -> None:
    """The gateway dies right after the replay, before it queues a job, and a sweeper has just been there."""
    jobs = NoQueue()
    service = kit.service(jobs)
    kit.store.fault = lambda _: InvariantBroken("no")
    await say(service, "replayed", "1")
    await end(service, "replayed")
    (key,) = set(jobs.keys)
    await attempted(kit.finaliser(1), key)
    assert await state_of(service, "replayed") is SessionState.FAILED
    kit.store.fault = lambda _: None
    with redis_server.client() as client:
        client.zadd(DEADLINES, {"default/replayed": 1})
        with sweep_after_scheduling(kit, kit.sweeper(jobs)):
            assert await kit.sessions.replay(key)
        jobs.keys.clear()
        assert client.zscore(DEADLINES, "default/replayed"), "no sweeper will ever look at it again"
        client.zadd(DEADLINES, {"default/replayed": 1})
        await kit.sweeper(jobs).sweep()
    assert jobs.keys == [key]
    assert await kit.finaliser(1).run(key) is True


@contextlib.contextmanager
def sweep_after_scheduling(kit: Kit, sweeper: Any) -> Iterator[None]:
    """Another process sweeps at the worst moment: when the deadline is set, and what it is set for is not there yet."""
    run = kit.connection.run

    async def with_sweep(*commands: Any) -> Any:
        answer = await run(*commands)
        if SCHEDULE.sha in commands[0]:
            kit.connection.run = run
            await sweeper.sweep()
            kit.connection.run = with_sweep
        return answer

    kit.connection.run = with_sweep
    yield
    kit.connection.run = run


@pytest.mark.parametrize("before", ["ended", "empty"])
async def test_finalization_finds_a_session_that_was_opened_while_a_sweeper_looked(
    kit: Kit, redis_server: RedisServer, before: str
) -> None:
    """The conversation's old entry is due just when its next session opens: the new one must not lose its deadline."""
    jobs = NoQueue()
    service = kit.service(jobs)
    if before == "ended":
        await say(service, "opened", "1")
        await end(service, "opened")
        await kit.finaliser().run(jobs.keys.pop())
    else:
        create = CreateShortMemoryRequest(conversation_id="opened", user_id="user_1")
        await service.create_short_memory(CALLER, create)
    with redis_server.client() as client:
        client.delete("short_term_memory:session:{default/opened}")
        client.zadd(DEADLINES, {"default/opened": 1})
        with sweep_after_scheduling(kit, kit.sweeper(jobs)):
            assert (await say(service, "opened", "2")).turn_count == 1
        assert client.zscore(DEADLINES, "default/opened"), "no sweeper will ever look at it again"


async def test_finalization_that_ends_while_a_sweeper_lists_it_is_not_listed_for_ever(
    kit: Kit, redis_server: RedisServer
) -> None:
    """A sweeper has read that it waits; it ends; only then the sweeper writes it down as unfinished."""
    jobs = NoQueue()
    service = kit.service(jobs)
    await say(service, "listed", "1")
    await end(service, "listed")
    (key,) = jobs.keys
    run = kit.connection.run

    async def end_after_seal(*commands: Any) -> Any:
        answer = await run(*commands)
        if SEAL.sha in commands[0]:
            kit.connection.run = run
            assert await kit.finaliser().run(key)
        return answer

    with redis_server.client() as client:
        client.zadd(DEADLINES, {"default/listed": 1})
        kit.connection.run = end_after_seal
        await kit.sweeper(jobs).sweep()
        kit.connection.run = run
        client.zadd(DEADLINES, {"default/listed": 1})
        await kit.sweeper(jobs).sweep()
        assert not client.zcard(DEADLINES)
        assert client.zrange(UNFINISHED, 0, -1) == []
