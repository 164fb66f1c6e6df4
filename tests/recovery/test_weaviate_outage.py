"""B12: Weaviate is away under load. Sessions go on and say what is missing; nothing is lost or doubled."""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from oracle import Told, content, in_weaviate, undisturbed
from processes import Answer, Gateway, RedisServer, ask, client_session, finalizations

from tests.waiting import eventually
from tests.weaviate_server import WeaviateServer

pytestmark = pytest.mark.integration

HALF_S = 30.0
TALKERS = 6
PAUSE_S = 0.4
"""Between two requests of a talker: what a person takes to write, much shortened."""
TURNS = 2


class Load:
    """Talkers, each a user, who have one conversation after another; the log of what they were told."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._numbers = itertools.count()
        self.told: list[Told] = []
        self.answers: list[tuple[str, str, Answer]] = []
        """In which phase, to which operation."""
        self.ended: dict[str, set[str]] = {}
        """Conversations by the phase in which their end was asked for."""
        self.phase = "before"
        self.stopped = False

    async def run(self) -> None:
        async with client_session() as session:
            await asyncio.gather(*(self._talk(session, f"talker-{number}") for number in range(TALKERS)))

    async def _talk(self, session: aiohttp.ClientSession, user: str) -> None:
        await self._conversation(session, user, f"{user}-first", wait_ms=10_000)
        for number in itertools.count():
            if self.stopped:
                return
            await self._conversation(session, user, f"{user}-{number}")
            await self._come_back(session, user)

    async def _conversation(self, session: aiohttp.ClientSession, user: str, name: str, wait_ms: int = 0) -> None:
        about = {"conversation_id": name}
        await self._ask(session, "CreateShortMemory", about | {"user_id": user})
        for _ in range(TURNS):
            await self._ask(session, "QueryMemoryContext", about | {"user_id": user, "query": "我对什么过敏？"})
            await self._write(session, user, name)
        await self._ask(session, "GetSession", about)
        await self._ask(session, "UpdateGlobalState", about | {"entities": {"disease": "flu"}})
        await self._ask(session, "CheckpointShortMemory", about)
        self.ended.setdefault(self.phase, set()).add(name)
        await self._ask(session, "FinalizeSessionMemory", about | {"wait_ms": wait_ms})
        await self._ask(session, "GetFinalization", about)

    async def _come_back(self, session: aiohttp.ClientSession, user: str) -> None:
        """To the first conversation, which is in memory; its next session ends with the load."""
        name = f"{user}-first"
        await self._ask(session, "QueryMemoryContext", {"conversation_id": name, "query": "上次说了什么？"})
        await self._write(session, user, name, again=True)

    async def _write(self, session: aiohttp.ClientSession, user: str, name: str, *, again: bool = False) -> None:
        one = Told(next(self._numbers), name, user, session=int(again))
        self.told.append(one)
        await self._ask(session, "WriteTurn", one.body())

    async def _ask(self, session: aiohttp.ClientSession, operation: str, body: dict[str, Any]) -> None:
        phase = self.phase
        answer = await ask(session, self._url, operation, body)
        if phase == self.phase:  # asked and answered in it
            self.answers.append((phase, operation, answer))
        else:
            self.answers.append(("between", operation, answer))
        await asyncio.sleep(PAUSE_S)


async def states(server: RedisServer, conversations: set[str]) -> Counter[str]:
    """Of the ends that were asked for, read from Redis itself."""
    with server.client() as client:
        found = finalizations(client)
    return Counter(fields["state"] for key, fields in found.items() if key.split("/")[1].split("}")[0] in conversations)


async def outage(load: Load, gateway: Gateway, redis: RedisServer, begin: Callable[[], None], name: str) -> None:
    """Half of the minute: what is true while it lasts."""
    begin()
    load.phase = name
    await asyncio.sleep(HALF_S)  # the outage itself
    waiting = await states(redis, load.ended[name])
    status, health = gateway.get("/health")
    assert (status, json.loads(health)["status"]) == (200, "degraded"), health
    load.phase = "between"
    assert set(waiting) == {"ENDING"}, f"{name}: {dict(waiting)}"
    assert waiting["ENDING"] >= TALKERS


async def drained(redis: RedisServer, conversations: set[str], what: str) -> float:
    """How long it took until they have all ended."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def all_ended() -> bool:
        found = await states(redis, conversations)
        assert "FAILED" not in found
        return set(found) == {"ENDED"} and found.total() >= len(conversations)

    await eventually(all_ended, what)
    return loop.time() - began


def assert_sessions_went_on(load: Load, name: str) -> None:
    """Every request of the phase was answered 200, and those that recall say what is missing."""
    of_phase = [(operation, answer) for phase, operation, answer in load.answers if phase == name]
    failed = [(operation, answer) for operation, answer in of_phase if answer.status != 200]
    silent = [
        answer.body
        for operation, answer in of_phase
        if operation == "QueryMemoryContext"
        and not {"memories", "profile"}.intersection(answer.body.get("degraded", ()))
    ]
    slowest = max(answer.seconds for _, answer in of_phase)
    print(f"B12 {name}: {len(of_phase)} requests, failed {len(failed)}, not degraded {len(silent)}, {slowest:.2f} s")
    assert not failed, failed[:3]
    assert not silent, silent[:1]
    assert len(of_phase) >= 10 * TALKERS, "the load did not go on"


async def test_b12_weaviate_away_for_a_minute_costs_no_request_and_no_memory(
    redis_server: RedisServer, weaviate: WeaviateServer, make_gateway: Callable[..., Gateway]
) -> None:
    """Half a minute killed, half a minute frozen."""
    settings = {"EMBEDDINGS__PROVIDER": "none"}
    gateway = make_gateway(redis_server, **settings, **weaviate.gateway_settings()).start()
    load = Load(gateway.url)
    running = asyncio.create_task(load.run())
    first = {f"talker-{number}-first" for number in range(TALKERS)}
    await eventually(lambda: asked(load, first), "each talker has a first conversation")
    await drained(redis_server, first, "each talker has memories")

    await outage(load, gateway, redis_server, weaviate.kill, "killed")
    await asyncio.to_thread(weaviate.start)
    killed_s = await drained(redis_server, load.ended["killed"], "what waited while it was dead is in memory")

    await outage(load, gateway, redis_server, weaviate.freeze, "frozen")
    weaviate.thaw()
    frozen_s = await drained(redis_server, load.ended["frozen"], "what waited while it was frozen is in memory")

    load.phase, load.stopped = "after", True
    await running
    for name in first:
        gateway.post("FinalizeSessionMemory", {"conversation_id": name})
    conversations = {one.conversation for one in load.told}
    await drained(redis_server, conversations, "all conversations are in memory")
    for name in ("killed", "frozen"):
        assert_sessions_went_on(load, name)
    assert {answer.status for _, _, answer in load.answers} == {200}

    found = content(in_weaviate(weaviate))
    expected = undisturbed(make_gateway(data="undisturbed", **settings), load.told)
    lost, extra = expected - found, found - expected
    print(
        f"B12: {len(load.told)} turns in {len(conversations)} conversations, {found.total()} memories: lost "
        f"{lost.total()}, extra {extra.total()}; drained {killed_s:.1f} and {frozen_s:.1f} s after"
    )
    assert (lost, extra) == (Counter(), Counter())
    asked_later = {"conversation_id": "later", "user_id": "talker-0", "query": "青霉素"}

    async def whole() -> bool:
        """On a machine that others use too the deadline of one search may pass."""
        return not gateway.post("QueryMemoryContext", asked_later)[1]["degraded"]

    await eventually(whole, "contexts are whole again")


async def asked(load: Load, conversations: set[str]) -> bool:
    return conversations <= load.ended.get("before", set())
