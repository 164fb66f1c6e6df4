"""The memory store's contract, over SQLite and a real Weaviate: what is put, read, listed and changed."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from memory.errors import InvariantBroken, SetupError
from memory.language.terms import terms
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.search import Filter, IndexEntry, Probe, Vector
from memory.ports import MemoryStore
from memory.scope import UserScope
from tests.contract.memory_stores import DIMENSION, NOW_MS, U1, direction, entry, ids, key, memory, scores

FULL = memory(
    kind=Kind.FACT,
    category=Category.CORE,
    type=Type.RELATION,
    text='她说"青霉素过敏"\n\x00 \\ 🌊',
    source=Source("c-9", "unit-9", (3, 4, 8), "青霉素 'quoted'"),
    importance=0.125,
    strength=1.75,
    subject="user",
    predicate="allergic_to",
    object="青霉素",
    polarity="-",
    speaker="小明",
    mind="model:x",
    valid_from_ms=0,
    valid_to_ms=2**53 - 1,
    superseded_by=key(77),
    archived_ms=5,
    accesses=3,
    accessed_ms=NOW_MS,
    boost_day=19_000,
    boosted=0.3,
)


async def test_memory_reads_back_with_every_field(store: MemoryStore) -> None:
    await store.put(U1, [IndexEntry(FULL, terms(FULL.text), direction(1), asks=True, timed=True), entry(2)])
    assert await store.get(U1, [key(2), key(1)]) == [memory(2), FULL]


async def test_get_unknown_ids_are_left_out(store: MemoryStore) -> None:
    await store.put(U1, [entry(1)])
    assert await store.get(U1, ["no-uuid", key(9), key(1), "", key(1).upper()]) == [memory(1)]


async def test_put_again_changes_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "kidney stones"), entry(1, "other words", text="other")])
    await store.change(U1, [key(1)], lambda found: replace(found, accesses=4))
    await store.put(U1, [entry(1, "other words", text="other"), entry(2, "kidney")])
    assert await store.get(U1, [key(1)]) == [memory(1, accesses=4)]
    assert await store.count(U1) == 2
    found = scores(await store.pool(U1, Probe(terms("other"), direction(1), Filter())))
    assert found[key(1)][0] == 0.0
    assert found[key(1)][1] == pytest.approx(1.0, abs=1e-4)


async def test_store_opened_again_has_what_was_put(opened: Callable[..., Any]) -> None:
    first, close = await opened()
    await first.put(U1, [entry(1, "kidney stones")])
    await close()
    second, close = await opened()
    await second.put(U1, [entry(1, "kidney stones")])
    found = scores(await second.pool(U1, Probe(terms("kidney"), direction(1), Filter())))
    await close()
    assert found[key(1)] == pytest.approx((found[key(1)][0], 1.0), abs=1e-4)
    assert found[key(1)][0] > 0


async def test_another_vector_space_is_refused_and_told_to_reindex(opened: Callable[..., Any]) -> None:
    store, close = await opened()
    await store.put(U1, [entry(1)])
    await close()
    for space in ("other/8", ""):
        with pytest.raises(SetupError, match=r"test/8, terms version 1.*anamnesis reindex"):
            await opened(space)
    _, close = await opened()
    await close()


async def test_pages_follow_the_ids_to_the_end(store: MemoryStore) -> None:
    await store.put(U1, [entry(number) for number in range(25)])
    found: list[str] = []
    cursor = ""
    for size in (10, 10, 5):
        page = await store.page(U1, Filter(), cursor, 10)
        assert len(page.memories) == size
        found += [each.memory_id for each in page.memories]
        cursor = page.cursor
    assert cursor == ""
    assert found == sorted(key(number) for number in range(25))


async def test_page_of_exactly_the_rest_has_no_cursor(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])
    assert (await store.page(U1, Filter(), "", 2)).cursor == ""
    first = await store.page(U1, Filter(), "", 1)
    assert first.cursor == first.memories[0].memory_id
    assert (await store.page(U1, Filter(), first.cursor, 1)).cursor == ""


async def test_changes_in_parallel_lose_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])

    def count(found: Memory) -> Memory:
        return replace(found, accesses=found.accesses + 1)

    answers = await asyncio.gather(*(store.change(U1, [key(2), key(1)], count) for _ in range(20)))
    assert [each.accesses for each in await store.get(U1, [key(1), key(2)])] == [20, 20]
    assert sorted(answer[0].accesses for answer in answers) == list(range(1, 21))
    assert all([each.memory_id for each in answer] == [key(2), key(1)] for answer in answers)


async def test_change_that_fails_changes_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])

    def fail(found: Memory) -> Memory:
        if found.memory_id == key(2):
            raise InvariantBroken("a rule does not hold")
        return replace(found, accesses=9)

    with pytest.raises(InvariantBroken, match="a rule"):
        await store.change(U1, [key(1), key(2)], fail)
    assert await store.get(U1, [key(1)]) == [memory(1)]
    assert await store.change(U1, [key(9), "no-uuid"], fail) == []


@pytest.mark.parametrize(
    "spoilt",
    [
        np.full(DIMENSION, np.nan, np.float32),
        np.full(DIMENSION, np.inf, np.float32),
        np.zeros(DIMENSION, np.float32),
        2 * direction(1),
        np.ones(1, np.float32),
        np.zeros(0, np.float32),
    ],
)
async def test_spoilt_vector_is_refused_and_nothing_stored(store: MemoryStore, spoilt: Vector) -> None:
    await store.put(U1, [entry(1)])
    with pytest.raises(InvariantBroken):
        await store.put(U1, [entry(2), IndexEntry(memory(3), (), spoilt)])
    assert await ids(store, Filter()) == {key(1)}
    pool = await store.pool(U1, Probe((), direction(1), Filter()))
    assert np.isfinite(pool.cosine).all()


async def test_unknown_user_has_nothing(store: MemoryStore) -> None:
    nobody = UserScope("t9", "nobody")
    await store.put(nobody, [])
    assert await store.get(nobody, [key(1)]) == []
    assert await store.page(nobody, Filter(), "", 10) == ([], "")
    pool = await store.pool(nobody, Probe(("word",), direction(1), Filter()))
    assert (len(pool.candidates), len(pool.lexical), len(pool.cosine)) == (0, 0, 0)
    assert await store.facts(nobody, "user", "likes") == []
    assert await store.change(nobody, [key(1)], lambda found: found) == []
    erased: Sequence[int] = (
        await store.erase(nobody, [key(1)]),
        await store.erase_conversation(nobody, "c1"),
        await store.erase_user(nobody),
        await store.count(nobody),
    )
    assert list(erased) == [0, 0, 0, 0]
    assert await store.due(NOW_MS, 10) == []


async def test_memories_are_found_by_their_very_text(store: MemoryStore) -> None:
    text = "I can't sleep, 昨晚又没睡"
    same = [entry(number, text, text=text) for number in (1, 2)]
    longer = entry(3, f"{text} again", text=f"{text} again")
    await store.put(U1, [*same, longer, entry(4, "plum", text="")])
    assert {each.memory_id for each in await store.saying(U1, text)} == {key(1), key(2)}
    assert [each.memory_id for each in await store.saying(U1, longer.memory.text)] == [key(3)]
    assert await store.saying(U1, text.upper()) == await store.saying(U1, "nothing of it") == []
    assert await store.saying(UserScope("t1", "u2"), text) == await store.saying(U1, "…") == []
    await store.erase(U1, [key(1)])
    assert [each.memory_id for each in await store.saying(U1, text)] == [key(2)]
