"""An attempt that dies is taken up again within 15 s; one that lives is not, however slow it is."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kit import Kit, end, say
from processes import PREFIX, Gateway, RedisServer, finalizations

from memory.model.memunit import MemUnit
from tests.gateways import children
from tests.openai_server import ScriptedServer, silent
from tests.waiting import eventually, wait_until

if TYPE_CHECKING:
    import redis

TAKEN_UP_WITHIN_S = 15.0
DEFAULTS = {"FINALIZATION__LEASE_S": "6", "FINALIZATION__HOLD_S": "60", "SESSION__SWEEP_INTERVAL_S": "5"}


def with_model(server: ScriptedServer) -> dict[str, str]:
    return {
        "MIND__PROVIDER": "openai",
        "MIND__MODEL": "scripted",
        "MIND__REQUEST_DEADLINE_MS": "120000",
        "MIND__DEADLINE_MS": "120000",
        "OPENAI__BASE_URL": server.url,
        "EMBEDDINGS__PROVIDER": "none",
        "SERVER__PROCESSES": "1",
        **DEFAULTS,
    }


def worker_of(gateway: Gateway) -> int:
    """The last one that was forked: a worker begins after those that answer requests."""
    assert gateway.process is not None
    return max(pid for pid in children(gateway.process.pid) if "valkey" not in name_of(pid))


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text(encoding="ascii")


async def begun(server: ScriptedServer, number: int) -> float:
    """When the model was asked for the `number`-th time."""

    async def asked() -> bool:
        return len(server.requests) >= number

    await eventually(asked, f"the model is asked {number} times")
    return time.monotonic()


async def end_by_model(gateway: Gateway) -> None:
    body = {"conversation_id": "c", "user_id": "u", "user_query": "我对青霉素过敏", "agent_response": "好的"}
    assert (await asyncio.to_thread(gateway.post, "WriteTurn", body))[0] == 200
    assert (await asyncio.to_thread(gateway.post, "FinalizeSessionMemory", {"conversation_id": "c"}))[0] == 200


async def test_attempt_whose_process_is_killed_is_taken_up_again_in_time(
    make_gateway: Callable[..., Gateway],
) -> None:
    async with ScriptedServer() as server:
        server.script = [silent(), silent()]
        gateway = make_gateway(**with_model(server))
        await asyncio.to_thread(gateway.start)
        await end_by_model(gateway)
        await begun(server, 1)
        os.kill(worker_of(gateway), signal.SIGKILL)
        killed = time.monotonic()
        took_s = await begun(server, 2) - killed
        print(f"a killed worker's attempt began again after {took_s:.1f} s")
        assert took_s <= TAKEN_UP_WITHIN_S


async def test_attempt_is_taken_up_again_in_time_after_everything_was_killed(
    make_gateway: Callable[..., Gateway],
) -> None:
    async with ScriptedServer() as server:
        server.script = [silent(), silent()]
        gateway = make_gateway(**with_model(server))
        await asyncio.to_thread(gateway.start)
        await end_by_model(gateway)
        await begun(server, 1)
        assert gateway.process is not None
        everyone = [gateway.process.pid, *children(gateway.process.pid)]
        for pid in everyone:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed = time.monotonic()
        gateway.kill()
        await asyncio.to_thread(gateway.start)
        print(f"the gateway was ready after {time.monotonic() - killed:.1f} s")
        took_s = await begun(server, 2) - killed
        print(f"after a restart of everything the attempt began again after {took_s:.1f} s")
        assert took_s <= TAKEN_UP_WITHIN_S


async def test_attempt_that_is_slower_than_its_lease_is_not_doubled(kit: Kit, redis_server: RedisServer) -> None:
    """While it lives its lease is renewed, and the sweeper that comes by adds no second job."""
    kit.hold_ms = 400
    jobs = await kit.docket()
    service = kit.service(jobs)
    await kit.sweeping(jobs)
    gate, puts = asyncio.Event(), 0
    put = kit.store.put_memunit

    async def slow(unit: MemUnit, *fences: Any) -> None:
        nonlocal puts
        puts += 1
        await gate.wait()
        await put(unit, *fences)

    kit.store.put_memunit = slow  # type: ignore[method-assign]
    await say(service, "slow", "1")
    await end(service, "slow")

    async def began() -> bool:
        return puts > 0

    await eventually(began, "the attempt has begun")
    await asyncio.sleep(10 * kit.hold_ms / 1000)  # the time that it is slow, not a wait for something
    with redis_server.client() as client:
        (found,) = finalizations(client).values()
        assert (found["fence"], found["attempts"]) == ("1", "1")
        gate.set()
        await eventually(lambda: ended(client), "it has ended")
    assert puts == 1


async def ended(client: "redis.Redis") -> bool:
    return {found["state"] for found in finalizations(client).values()} == {"ENDED"}


@pytest.mark.long
async def test_session_that_was_sealed_but_never_queued_is_found_in_time(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    """Whoever sealed it died before it queued a job: the sweeper of the next one finds it."""
    gateway = make_gateway(redis_server, EMBEDDINGS__PROVIDER="none", SERVER__PROCESSES="1", **DEFAULTS).start()
    body = {"conversation_id": "c", "user_id": "u", "user_query": "q", "agent_response": "a"}
    assert gateway.post("WriteTurn", body)[0] == 200
    wait_until(lambda: '"working"' in gateway.get("/health")[1], "the worker works")
    with redis_server.client() as client:
        paused = worker_of(gateway)
        os.kill(paused, signal.SIGSTOP)
        assert gateway.post("FinalizeSessionMemory", {"conversation_id": "c"})[0] == 200
        client.delete(*client.keys(f"{PREFIX}:jobs*"))  # the queue has never heard of it
        os.kill(paused, signal.SIGKILL)
        killed = time.monotonic()
        wait_until(lambda: {f["state"] for f in finalizations(client).values()} == {"ENDED"}, "it has ended")
        took_s = time.monotonic() - killed
    print(f"what was never queued had ended after {took_s:.1f} s")
    assert took_s <= TAKEN_UP_WITHIN_S
