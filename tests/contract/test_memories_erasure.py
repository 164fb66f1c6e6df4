"""The memory store's contract: scopes, what is due, and what is gone."""

from dataclasses import replace
from pathlib import Path

import pytest

from memory.language.terms import terms
from memory.model.memory import Kind, Source, id_of
from memory.model.search import DueMemory, Filter, Probe
from memory.ports import MemoryStore
from memory.stores.sqlite.words import counts
from tests.contract.memory_stores import (
    EVERYONE,
    HOUR_MS,
    NOW_MS,
    U1,
    direction,
    entry,
    ids,
    in_sqlite,
    key,
    memory,
    scores,
)


async def test_scopes_never_see_one_another(store: MemoryStore) -> None:
    for scope in EVERYONE:
        mine = entry(
            1, f"kidney {scope.tenant}{scope.user}", text=str(scope), subject="s", predicate="p", kind=Kind.FACT
        )
        await store.put(scope, [mine, entry(2)])
    for scope in EVERYONE:
        assert [each.text for each in await store.get(scope, [key(1)])] == [str(scope)]
        assert [each.text for each in await store.facts(scope, "s", "p")] == [str(scope)]
        assert {each.text for each in (await store.page(scope, Filter(), "", 9)).memories} == {str(scope), "text 2"}
        theirs = [word for other in EVERYONE if other != scope for word in terms(f"{other.tenant}{other.user}")]
        pool = await store.pool(scope, Probe(theirs, direction(1), Filter()))
        assert len(pool.candidates) == 2
        assert not pool.lexical.any()


async def test_owner_is_found_within_the_tenant_alone(store: MemoryStore) -> None:
    own = {scope: [id_of(f"{number}", scope.tenant, scope.user) for number in range(2)] for scope in EVERYONE}
    assert len({memory_id for made in own.values() for memory_id in made}) == 8
    for scope, made in own.items():
        await store.put(scope, [entry(memory_id=memory_id, user_id=scope.user) for memory_id in made])
    for scope, (first, second) in own.items():
        assert await store.owner(scope.tenant, first) == scope
        assert await store.owner("t2" if scope.tenant == "t1" else "t1", first) is None
        assert await store.owner(scope.tenant, id_of("none", scope.tenant, scope.user)) is None
        await store.erase(scope, [first])
        assert await store.owner(scope.tenant, first) is None
        assert await store.owner(scope.tenant, second) == scope
    assert await store.owner("t1", key(99)) is None
    assert await store.owner("t1", "no-uuid") is None
    assert await store.owner("t9", own[U1][1]) is None


async def test_changes_and_erasure_stay_within_the_scope(store: MemoryStore) -> None:
    for scope in EVERYONE:
        await store.put(scope, [entry(1), entry(2), entry(3, source=Source("c2", "unit-2", (3,), ""))])
    await store.change(U1, [key(1)], lambda found: replace(found, accesses=1, accessed_ms=NOW_MS))
    assert await store.due(NOW_MS + HOUR_MS, 9) == [DueMemory("t1", "u1", key(1))]
    assert await store.erase(U1, [key(1)]) == 1
    assert await store.erase_conversation(U1, "c2") == 1
    assert await store.erase_user(U1) == 1
    assert await store.count(U1) == 0
    for scope in EVERYONE[1:]:
        assert await store.count(scope) == 3
        assert await store.get(scope, [key(1)]) == [memory(1)]


async def test_due_comes_in_the_order_of_time_up_to_the_limit(store: MemoryStore) -> None:
    for number, accessed in ((1, 300), (2, 100), (3, 200), (4, 400), (5, None)):
        await store.put(EVERYONE[number % 2], [entry(number, accessed_ms=accessed)])

    def named(*numbers: int) -> list[DueMemory]:
        return [DueMemory("t1", "u2" if number % 2 else "u1", key(number)) for number in numbers]

    assert await store.due(HOUR_MS + 99, 9) == []
    assert await store.due(HOUR_MS + 300, 9) == named(2, 3, 1)
    assert await store.due(HOUR_MS + 300, 2) == named(2, 3)
    await store.change(EVERYONE[1], [key(3)], lambda found: replace(found, accessed_ms=350))
    assert await store.due(HOUR_MS + 400, 9) == named(2, 1, 3, 4)
    await store.change(EVERYONE[0], [key(2)], lambda found: replace(found, accessed_ms=None))
    await store.change(EVERYONE[1], [key(5)], lambda found: replace(found, accessed_ms=1))
    assert await store.due(HOUR_MS + 400, 9) == named(5, 1, 3, 4)
    await store.erase(EVERYONE[1], [key(1)])
    await store.erase_user(EVERYONE[0])
    assert await store.due(HOUR_MS + 400, 9) == named(5, 3)
    await store.erase_conversation(EVERYONE[1], "c1")
    assert await store.due(HOUR_MS + 400, 9) == []


async def test_erase_counts_what_was_there_and_leaves_the_rest(store: MemoryStore) -> None:
    await store.put(U1, [entry(number, "kidney") for number in range(5)])
    assert await store.erase(U1, [key(1), key(3), key(9), "no-uuid"]) == 2
    assert await store.erase(U1, [key(1)]) == 0
    assert await ids(store, Filter()) == {key(0), key(2), key(4)}
    found = await store.pool(U1, Probe(terms("kidney"), direction(1), Filter()))
    assert len(found.candidates) == 3
    assert (found.lexical > 0).all()
    assert await store.get(U1, [key(1)]) == []


async def test_erased_record_can_be_put_again(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "kidney")])
    await store.erase(U1, [key(1)])
    await store.put(U1, [entry(1, "kidney")])
    found = scores(await store.pool(U1, Probe(terms("kidney"), direction(1), Filter())))
    assert found[key(1)][0] > 0
    assert found[key(1)][1] == pytest.approx(1.0, abs=1e-4)


async def test_erase_conversation_takes_what_came_from_it(store: MemoryStore) -> None:
    other = Source("c2", "unit-2", (1,), "")
    hidden = entry(4, source=other, archived_ms=1, superseded_by=key(1))
    await store.put(U1, [entry(1), entry(2, source=other), entry(3), hidden])
    assert await store.erase_conversation(U1, "c2") == 2
    assert await store.erase_conversation(U1, "c2") == 0
    assert await store.get(U1, [key(number) for number in (1, 2, 3, 4)]) == [memory(1), memory(3)]


async def test_erase_user_takes_everything(store: MemoryStore) -> None:
    await store.put(U1, [*(entry(number) for number in range(30)), entry(30, archived_ms=1)])
    assert await store.erase_user(U1) == 31
    assert await store.count(U1) == 0
    assert await store.get(U1, [key(1)]) == []
    assert await store.erase_user(U1) == 0
    await store.put(U1, [entry(1)])
    assert await store.count(U1) == 1


@pytest.mark.parametrize("way", ["erase", "erase_conversation", "erase_user"])
async def test_erased_text_is_not_in_the_bytes_of_sqlite(tmp_path: Path, way: str) -> None:
    store, close = await in_sqlite(tmp_path)
    canary = "canaryquartz"
    await store.put(U1, [entry(1, f"{canary} kidney", text=f"my {canary} word"), entry(2, "kidney")])
    for number in range(3, 40):  # one at a time, as they come
        await store.put(U1, [entry(number, "liver", source=Source("c2", "unit-2", (number,), ""))])
    before = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert canary.encode() in before
    assert counts([canary]) in before
    argument = {"erase": ([key(1)],), "erase_conversation": ("c1",), "erase_user": ()}[way]
    assert await getattr(store, way)(U1, *argument) >= 1
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    await close()
    kept = counts([canary])  # what stands for the word in the index
    assert [name for name, content in left.items() if canary.encode() in content or kept in content] == []
