"""B13: Weaviate answers 429 and 5xx, and refuses objects of a batch. What failed is tried again, and nothing else."""

import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from oracle import Told, content, in_weaviate, undisturbed
from processes import Gateway, RedisServer, ask, client_session, finalizations, scaled
from weaviate_proxy import FaultyWeaviate

from tests.waiting import eventually
from tests.weaviate_server import WeaviateServer

SHARE = 0.3
CONVERSATIONS = scaled(12)
TURNS = 4

pytestmark = pytest.mark.integration


@pytest.fixture
async def proxy(weaviate: WeaviateServer, seed: int) -> AsyncIterator[FaultyWeaviate]:
    started = await FaultyWeaviate(weaviate, random.Random(seed)).start()
    yield started
    await started.stop()


def conversations(name: str, first: int) -> list[Told]:
    """Turns of several users, each with a conversation of his own."""
    return [
        Told(first + number * TURNS + turn, f"{name}-{number}", f"user-{number}")
        for number in range(CONVERSATIONS)
        for turn in range(TURNS)
    ]


async def tell(session: Any, gateway: Gateway, told: list[Told]) -> None:
    """Write the turns, ask for the context in between, and end the conversations: all of it is answered 200."""
    for one in told:
        about = {"conversation_id": one.conversation}
        for operation, body in (
            ("WriteTurn", one.body()),
            ("QueryMemoryContext", about | {"user_id": one.user, "query": "过敏"}),
        ):
            answer = await ask(session, gateway.url, operation, body)
            assert answer.status == 200, (operation, answer)
    for conversation in dict.fromkeys(one.conversation for one in told):
        answer = await ask(session, gateway.url, "FinalizeSessionMemory", {"conversation_id": conversation})
        assert answer.status == 200, answer


async def test_b13_weaviate_in_trouble_has_only_what_failed_tried_again(
    redis_server: RedisServer, weaviate: WeaviateServer, proxy: FaultyWeaviate, make_gateway: Callable[..., Gateway]
) -> None:
    settings = {"EMBEDDINGS__PROVIDER": "none"}
    gateway = make_gateway(redis_server, **settings, **proxy.gateway_settings()).start()

    async def all_ended() -> bool:
        with redis_server.client() as client:
            states = {fields["state"] for fields in finalizations(client).values()}
        assert "FAILED" not in states
        return states == {"ENDED"}

    async with client_session() as session:
        in_writes = conversations("writes", 0)
        proxy.trouble(writes=SHARE, objects=SHARE)
        await tell(session, gateway, in_writes)
        await eventually(all_ended, "all is in memory while every third write fails")

        in_all = conversations("all", len(in_writes))
        proxy.trouble(writes=SHARE, reads=SHARE, objects=SHARE)
        await tell(session, gateway, in_all)
        proxy.trouble()
        await eventually(all_ended, "all is in memory after the trouble")

    found = content(in_weaviate(weaviate))
    expected = undisturbed(make_gateway(data="undisturbed", **settings), in_writes + in_all)
    lost, extra = expected - found, found - expected
    print(
        f"B13: {proxy.failed.total()} calls failed {dict(proxy.failed)}, {proxy.passed} passed; "
        f"{proxy.refused.total()} objects refused in batches, {len(proxy.acknowledged)} acknowledged, "
        f"{len(proxy.again)} of them sent again; {found.total()} memories: lost {lost.total()}, extra {extra.total()}"
    )
    assert (lost.total(), extra.total()) == (0, 0), (sorted(lost)[:2], sorted(extra)[:2])
    assert not proxy.again, "an object that the server had acknowledged was sent again"
    assert proxy.refused.total() > found.total() // 10
    assert proxy.failed.total() > CONVERSATIONS
