"""Where it stands what memories of all users ask: both stores, and Redis beside Weaviate."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.model.memory import Memory
from memory.model.review import Cause, OpenReview, Question, ReviewPlace
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.stores.redis.memories import RedisDueIndex
from tests.contract.memory_stores import EVERYONE, NOW_MS, U1, entry, in_sqlite, in_weaviate, key
from tests.stores import empty

LATER_MS = NOW_MS + 10_000_000


def asks(memory: Memory) -> Question | None:
    """For these tests: what the subject says, since the memory was recorded."""
    return Question(Cause(memory.subject), memory.recorded_ms) if memory.subject else None


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MemoryStore]:
    if request.param == "sqlite":
        made, close = await in_sqlite(tmp_path, asks=asks)
    else:
        server = request.getfixturevalue("weaviate")
        await empty(server)
        made, close = await in_weaviate(server, asks=asks)
    yield made
    await close()


async def listed(
    store: Any, cause: Cause = Cause.UNCERTAIN, tenant: str = "t1", now_ms: int = LATER_MS
) -> list[OpenReview]:
    """All that is open, read in pages of three."""
    found, after = list[OpenReview](), ReviewPlace()
    while page := await store.reviews(tenant, cause, now_ms, after, 3):
        found += page
        after = ReviewPlace(page[-1].opened_ms, page[-1].memory_id)
    assert await store.count_reviews(tenant, cause, now_ms) == len(found)
    return found


async def test_what_is_asked_is_listed_over_all_users_of_a_tenant_in_order(store: MemoryStore) -> None:
    for place, scope in enumerate(EVERYONE):  # an id is of one user alone
        asked = [entry(10 * number + place, vector=False, subject="uncertain") for number in (3, 1, 2)]
        others = [entry(40 + place, vector=False), entry(50 + place, vector=False, subject="fading")]
        await store.put(scope, [*asked, *others])
    found = await listed(store)
    assert [each.opened_ms for each in found] == [NOW_MS + number for number in (10, 11, 20, 21, 30, 31)]
    assert {each.user for each in found} == {"u1", "u2"}
    assert [each.memory_id for each in await listed(store, Cause.FADING)] == [key(50), key(51)]
    assert [each.memory_id for each in await listed(store, now_ms=NOW_MS + 10)] == [key(10)], "not before its time"
    assert await listed(store, tenant="elsewhere") == []


async def test_what_is_asked_changes_and_goes_with_its_record(store: MemoryStore) -> None:
    await store.put(U1, [entry(number, vector=False, subject="uncertain") for number in range(1, 6)])
    await store.change(U1, [key(1)], lambda memory: replace(memory, subject=""))
    await store.change(U1, [key(2)], lambda memory: replace(memory, subject="promote"))
    await store.change(U1, [key(3)], lambda memory: replace(memory, importance=0.9))
    await store.erase(U1, [key(4)])
    assert [each.memory_id for each in await listed(store)] == [key(3), key(5)]
    assert [each.memory_id for each in await listed(store, Cause.PROMOTE)] == [key(2)]
    await store.forget(U1, [key(5)])
    await store.erase_user(U1)
    for cause in Cause:
        assert await listed(store, cause) == []


async def test_many_of_one_moment_are_paged_by_their_ids(store: MemoryStore) -> None:
    same = [entry(number, vector=False, subject="promote", recorded_ms=NOW_MS) for number in range(20)]
    await store.put(U1, same)
    assert [each.memory_id for each in await listed(store, Cause.PROMOTE)] == sorted(key(each) for each in range(20))


async def test_redis_keeps_the_same_index(commands: Any) -> None:
    index = RedisDueIndex(commands)
    scopes = [UserScope("t1", user) for user in ("u1", "u2")]
    for number in range(8):
        question = Question(Cause.UNCERTAIN, NOW_MS + number // 4)
        await index.ask(scopes[number % 2], key(number), question)
    found = await listed(index)
    assert found == sorted(found)
    assert len(found) == 8
    assert {each.user for each in found} == {"u1", "u2"}
    await index.ask(scopes[0], key(0), Question(Cause.FADING, NOW_MS))
    await index.ask(scopes[1], key(1), None)
    assert len(await listed(index)) == 6
    assert await listed(index, Cause.FADING) == [OpenReview(NOW_MS, key(0), "u1")]
    assert await listed(index, tenant="t2") == []
    for number in range(8):
        await index.drop(scopes[number % 2], [key(number)])
    assert await listed(index) == await listed(index, Cause.FADING) == []


async def test_a_thousand_over_fifty_users_are_listed_in_the_order_in_which_they_came(store: MemoryStore) -> None:
    users = [UserScope("t1", f"u{number}") for number in range(50)]
    for place, scope in enumerate(users):
        asked = [entry(20 * place + number, vector=False, subject="fading", recorded_ms=NOW_MS + 50 * number + place)
                 for number in range(20)]  # fmt: skip
        await store.put(scope, asked)
    found = list[OpenReview]()
    after = ReviewPlace()
    while page := await store.reviews("t1", Cause.FADING, LATER_MS, after, 200):
        found += page
        after = ReviewPlace(page[-1].opened_ms, page[-1].memory_id)
    assert [each.opened_ms for each in found] == [NOW_MS + number for number in range(1_000)]
    assert [each.user for each in found[:50]] == [f"u{number}" for number in range(50)]
    assert await store.count_reviews("t1", Cause.FADING, LATER_MS) == 1_000
