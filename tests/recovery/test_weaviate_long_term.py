"""MemUnits and profiles when Weaviate dies, freezes or answers late, and when several gateways write at once."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from typing import Any

import pytest
from kit import open_connection
from processes import RedisServer, scaled
from weaviate_kit import failed_after, holding, patiently

from memory.errors import DeadlineExceeded, SetupError, StoreUnavailable, TemporaryError
from memory.model.memunit import MemUnit, memunit_id
from memory.model.profile import Profile, ProfileChange, apply_change
from memory.scope import ConversationScope, UserScope
from memory.stores.redis.memories import RedisLocks
from memory.stores.weaviate import objects, placement
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.locks import OwnLocks, UserLock
from memory.stores.weaviate.long_term import WeaviateLongTermStore
from memory.stores.weaviate.schema import LONG_TERM, Place
from tests.deadlines import LATE_S
from tests.weaviate_server import WeaviateServer, empty

WRITERS = 4
ROUNDS = scaled(20)
DEADLINES = {"read_deadline_s": 3.0, "write_deadline_s": 5.0, "open_s": 0.5}
U1 = UserScope("t", "u1")

pytestmark = pytest.mark.integration

Make = Callable[..., Awaitable[WeaviateLongTermStore]]


@pytest.fixture
async def open_store(weaviate: WeaviateServer) -> AsyncIterator[Make]:
    """A gateway's store; another one stands for another gateway."""
    async with AsyncExitStack() as stack:

        async def make(lock: UserLock | None = None) -> WeaviateLongTermStore:
            store = WeaviateLongTermStore(WeaviateConnection(weaviate.settings(**DEADLINES)), lock)
            stack.push_async_callback(store.close)
            return store

        yield make


def unit(number: int, user: str = "u1", conversation: str = "c1") -> MemUnit:
    scope = ConversationScope("t", conversation)
    text = f"canary-{user}-{conversation}-{number} " * 50
    messages = f'[{{"seq":{number},"content":"{text}"}}]'.encode()
    return MemUnit(
        unit_id=memunit_id(scope, number, number, messages),
        scope=scope,
        user_id=user,
        session_number=number,
        seq_from=number,
        seq_to=number,
        turn_from=1,
        turn_to=1,
        started_ms=1,
        ended_ms=2,
        subject=text,
        summary=text,
        narrative=text,
        participants=("user",),
        recent_turns=8,
        messages=messages,
    )


def with_allergy(name: str) -> Callable[[Profile], Profile]:
    return lambda profile: apply_change(profile, ProfileChange(add={"allergies": (name,)}))


async def write_until_killed(
    store: WeaviateLongTermStore, weaviate: WeaviateServer, acknowledged_before: int
) -> tuple[list[MemUnit], dict[str, list[str]]]:
    """Writers put a MemUnit and add an allergy in turn; after so many writes the server is killed.

    Returns what was acknowledged: MemUnits, and allergies by user.
    """
    put: list[MemUnit] = []
    told: dict[str, list[str]] = {}

    def one_more() -> None:
        if len(put) + sum(map(len, told.values())) == acknowledged_before:
            weaviate.signal(signal.SIGKILL)

    async def write(user: str) -> None:
        for number in range(1, ROUNDS + 1):
            try:
                made = unit(number, user, f"c-{user}-{number % 3}")
                await store.put_memunit(made)
                put.append(made)
                one_more()
                await store.update_profile(UserScope("t", user), with_allergy(f"a{number}"))
                told.setdefault(user, []).append(f"a{number}")
                one_more()
            except TemporaryError:
                return

    await asyncio.gather(*(write(f"u{number}") for number in range(WRITERS)))
    assert len(put) < WRITERS * ROUNDS, "the server died too late for this test"
    weaviate.kill()
    return put, told


@pytest.mark.parametrize("gateway", ["lives on", "is started anew"])
async def test_weaviate_killed_during_writes_has_each_memunit_and_fact_it_acknowledged(
    weaviate: WeaviateServer, open_store: Make, gateway: str, seed: int
) -> None:
    store = await open_store()
    put, told = await write_until_killed(store, weaviate, random.Random(seed).randrange(5, WRITERS * ROUNDS))
    weaviate.start()
    if gateway == "is started anew":
        store = await open_store()
    for made in put:
        assert await patiently(lambda made=made: store.get_memunit(made.scope, made.unit_id)) == made
    for scope in {made.scope for made in put}:
        last = max(made.session_number for made in put if made.scope == scope)
        latest = await store.latest_memunit(scope)
        assert latest is not None
        assert latest.session_number >= last
    for user, names in told.items():
        scope = UserScope("t", user)
        found = await store.get_profile(scope)
        assert set(names) <= set(found.allergies)
        assert len(found.allergies) <= len(names) + 1, "at most the one whose outcome was unknown is there beside"
        assert set(await store.conversations(scope)) >= {m.scope.conversation for m in put if m.user_id == user}


async def test_weaviate_that_comes_back_never_shows_a_known_profile_as_empty(
    weaviate: WeaviateServer, open_store: Make
) -> None:
    store = await open_store()
    known = await store.update_profile(U1, with_allergy("penicillin"))
    await store.put_memunit(unit(1))
    weaviate.kill()
    starting = asyncio.create_task(asyncio.to_thread(weaviate.start))
    answers = 0
    while not starting.done() or answers < 20:
        try:
            assert await store.get_profile(U1) == known
            assert await store.latest_memunit(unit(1).scope) == unit(1)
            answers += 1
        except TemporaryError:
            await asyncio.sleep(0.01)
    await starting


async def test_collection_that_vanished_is_an_outage_and_no_empty_profile(
    weaviate: WeaviateServer, open_store: Make
) -> None:
    store = await open_store()
    await store.update_profile(U1, with_allergy("penicillin"))
    await empty(weaviate, LONG_TERM)
    for call in (
        lambda: store.get_profile(U1),
        lambda: store.latest_memunit(unit(1).scope),
        lambda: store.put_memunit(unit(1)),
        lambda: store.update_profile(U1, with_allergy("latex")),
    ):
        with pytest.raises(StoreUnavailable, match="lost its data"):
            await call()


async def test_collection_of_another_schema_is_an_outage_for_a_gateway_that_runs(
    weaviate: WeaviateServer, open_store: Make
) -> None:
    connection = WeaviateConnection(weaviate.settings())
    await connection.write(lambda client: client.collections.create(LONG_TERM, description='{"schema": 99}'))
    await connection.close()
    store = await open_store()
    with pytest.raises(StoreUnavailable, match="schema 99"):
        await store.get_profile(U1)
    with pytest.raises(SetupError, match="schema 99"):
        await store.start()


async def test_frozen_weaviate_fails_calls_in_time_then_at_once_and_recovers(
    weaviate: WeaviateServer, open_store: Make
) -> None:
    store = await open_store()
    await store.update_profile(U1, with_allergy("a1"))
    weaviate.freeze()
    for call in (
        lambda: store.get_profile(U1),
        lambda: store.latest_memunit(unit(1).scope),
        lambda: store.update_profile(U1, with_allergy("a2")),
    ):
        assert await failed_after(call, DeadlineExceeded) < DEADLINES["write_deadline_s"] + LATE_S
    assert await failed_after(lambda: store.put_memunit(unit(1)), StoreUnavailable) < LATE_S
    weaviate.thaw()
    found = await patiently(lambda: store.update_profile(U1, with_allergy("a3")))
    assert {"a1", "a3"} <= set(found.allergies)
    await patiently(lambda: store.put_memunit(unit(1)))
    assert await store.latest_memunit(unit(1).scope) == unit(1)


async def test_profile_write_that_comes_late_changes_nothing(weaviate: WeaviateServer, open_store: Make) -> None:
    class Numbered(OwnLocks):
        numbers = iter((10, 12))

        def __call__(self, _: str) -> Any:
            return nullcontext(next(self.numbers))

    store = await open_store(Numbered())
    first = await store.update_profile(U1, with_allergy("a1"))
    acknowledged = await store.update_profile(U1, with_allergy("a2"))
    late = placement.profile_object(U1, replace(first, name="late", version=2), 11)
    connection = WeaviateConnection(weaviate.settings())
    await objects.insert(connection, Place(LONG_TERM, placement.shelf_of("t", "u1")), [late])
    await connection.close()
    assert await store.get_profile(U1) == acknowledged


async def test_profile_changes_after_redis_lost_its_numbers_still_count(open_store: Make) -> None:
    first, second = await open_store(), await open_store()
    for _ in range(5):
        await first.update_profile(U1, lambda profile: replace(profile, version=profile.version + 1))
    await second.update_profile(U1, with_allergy("a1"))  # its own numbers begin at 1
    assert (await first.get_profile(U1)).allergies == ("a1",)


async def test_profile_changes_of_several_gateways_lose_nothing(open_store: Make, redis_server: RedisServer) -> None:
    async with AsyncExitStack() as stack:
        stores = [await open_store(RedisLocks(await open_connection(stack, redis_server.url))) for _ in range(3)]
        await asyncio.gather(
            *(
                store.update_profile(U1, with_allergy(f"g{gateway}-{number}"))
                for gateway, store in enumerate(stores)
                for number in range(8)
            )
        )
        found = await stores[0].get_profile(U1)
    assert len(found.allergies) == found.version == 24


async def test_erased_user_leaves_no_byte_on_the_disk(weaviate: WeaviateServer, open_store: Make) -> None:
    store = await open_store()
    scope = UserScope("t", "forgotten-one")
    for number, conversation in enumerate(("c8", "c9"), start=1):
        await store.put_memunit(unit(number, scope.user, conversation))
        await store.put_memunit(unit(number, "u2", f"{conversation}-of-u2"))
    await store.update_profile(scope, with_allergy("canary-allergy"))
    assert holding(weaviate, "canary-forgotten-one")
    assert holding(weaviate, "canary-allergy")
    assert await store.erase_conversation(ConversationScope("t", "c8"), (scope.user,)) == 1
    assert await store.erase_conversation(ConversationScope("t", "c9"), (scope.user,)) == 1
    assert (await store.get_profile(scope)).allergies == ("canary-allergy",)
    assert await store.erase_profile(scope)
    for text in ("forgotten-one", "canary-allergy", '"c8"', '"c9"'):
        assert holding(weaviate, text) == []
    assert await store.conversations(UserScope("t", "u2")) == ["c8-of-u2", "c9-of-u2"]
