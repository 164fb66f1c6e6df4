"""A primary under sentinels is killed, and writes go on with the next one."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import Gateway, ask, client_session, scaled, turn

from memory.errors import StoreUnavailable
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.redis.wire import Command
from tests.servers import redis_binary, valkey_binary
from tests.topologies import Watched, started, until
from tests.waiting import eventually

REPLICATION_LAG_S = 1.0


@pytest.fixture(params=[pytest.param("redis", marks=pytest.mark.long), "valkey"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    binary = redis_binary() if request.param == "redis" else valkey_binary()
    with started(Watched(tmp_path / "watched", binary)) as found:
        yield found


@pytest.mark.long
async def test_writes_go_on_after_the_primary_was_killed_and_its_return_changes_nothing(watched: Watched) -> None:
    connection = Connection(ConnectionSettings(watched.url, 2, 1000))
    await connection.start()
    assert connection.connected, connection.last_error
    first = watched.primary()

    async def write(*commands: Command) -> bool:
        try:
            return not any(isinstance(reply, Exception) for reply in await connection.run(*commands))
        except StoreUnavailable:
            return False

    assert await write(("RPUSH", "said", "before"), ("WAIT", 1, 1000))
    first.kill()
    began = time.monotonic()
    await eventually(lambda: write(("RPUSH", "said", "after")), "writes go on")
    print(f"sentinel: writes again {time.monotonic() - began:.1f} s after the primary was killed")
    first.start()
    until(lambda: first.client.info("replication")["role"] == "slave", "the sentinels make it a replica")
    assert await connection.run(("LRANGE", "said", 0, -1)) == [[b"before", b"after"]]
    await connection.close()


async def test_sentinels_that_do_not_know_the_service_are_named(watched: Watched) -> None:
    connection = Connection(ConnectionSettings(watched.url.replace("/anamnesis", "/other"), 2, 1000))
    await connection.start()
    await connection.close()
    assert not connection.connected
    assert "no service other" in connection.last_error


@pytest.mark.long
async def test_a_gateway_loses_no_replicated_turn_when_the_primary_is_killed(
    watched: Watched, make_gateway: Callable[..., Gateway]
) -> None:
    """Replication is asynchronous: what was acknowledged in the last moment may be lost with the primary, no more."""
    gateway = make_gateway(SERVER__PROCESSES="1")
    gateway.environment["REDIS_URL"] = watched.url
    gateway.start()
    acknowledged: dict[str, list[tuple[float, str]]] = {f"c{number}": [] for number in range(8)}
    stopped = False

    async def writer(conversation: str) -> None:
        index = 0
        while not stopped:
            text, index = f"{conversation}-{index}", index + 1
            answer = await ask(session, gateway.url, "WriteTurn", turn(conversation, text, idempotency_key=text))
            if answer.status == 200:
                acknowledged[conversation].append((time.monotonic(), text))
            else:
                assert answer.status in {0, 503}, answer
                await asyncio.sleep(0.02)

    async def more(number: int) -> None:
        wanted = sum(map(len, acknowledged.values())) + number

        async def enough() -> bool:
            return sum(map(len, acknowledged.values())) >= wanted

        await eventually(enough, "turns are written")

    async with client_session() as session:
        writing = asyncio.gather(*map(writer, acknowledged))
        await more(scaled(200))
        killed = time.monotonic()
        watched.primary().kill()
        await more(scaled(200))
        stopped = True
        await writing
        body = {"conversation_id": "c0", "wait_ms": 20_000}
        ended = await ask(session, gateway.url, "FinalizeSessionMemory", body, timeout_s=30)
        assert ended.body["state"] == "ENDED", ended
        kept = {name: await said(session, gateway, name) for name in list(acknowledged)[1:]}
    lost = [at for name, texts in kept.items() for at, text in acknowledged[name] if text not in texts]
    total = sum(map(len, acknowledged.values()))
    print(f"sentinel: {total} acknowledged, lost {len(lost)}")
    assert all(killed - REPLICATION_LAG_S < at < killed + REPLICATION_LAG_S for at in lost)


async def said(session: object, gateway: Gateway, conversation: str) -> set[str]:
    body = {"conversation_id": conversation, "include": ["full_history", "no_memories"]}
    answer = await ask(session, gateway.url, "QueryMemoryContext", body)  # type: ignore[arg-type]
    assert answer.status == 200, answer
    return {part for part in answer.body["full_history"].replace("q:", " ").split() if part.startswith(conversation)}
