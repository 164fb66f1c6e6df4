"""The memory store's contract, over SQLite and a real Weaviate: links between memories, and entries left open."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from memory.consolidation.derive import indexed
from memory.consolidation.upkeep.reindex import Reindexer
from memory.graph.created import Creation, created
from memory.graph.links import Joining, link
from memory.language.terms import terms
from memory.limits import LINKS_PER_MEMORY_MAX
from memory.model.memory import STAGED, TOLD_KINDS, Kind, Memory, Type
from memory.model.search import Filter, IndexEntry, Probe, Vector
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.stores.sqlite.long_term import SqliteLongTermStore
from tests.contract.memory_stores import DIMENSION, NOW_MS, SPACE, U1, direction, entry, ids, key, memory

U2 = UserScope("t1", "u2")


class Directions:
    """The Embedder port: a vector of the stores' dimension for each text."""

    space, dimension = SPACE, DIMENSION

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [direction(len(text)) for text in texts]

    queries = passages


def joined(ground: int, follows: int, relation: str = "causes", **changes: Any) -> Memory:
    ends = memory(ground), memory(follows)
    made = link(U1, Joining(ends[0], relation, ends[1], 0.6, "so", NOW_MS))
    return replace(made, **changes)


def linked(ground: int, follows: int, relation: str = "causes", **changes: Any) -> IndexEntry:
    made = joined(ground, follows, relation, **changes)
    return IndexEntry(made, indexed(made).terms, None)


def made(topic: str, stage: str = STAGED) -> IndexEntry:
    memory = created(U1, Creation("我", Type.FACT, topic, NOW_MS), stage=stage)
    return IndexEntry(memory, indexed(memory).terms, None, is_open=stage == STAGED)


async def test_links_are_found_by_either_end_and_by_nothing_else(store: MemoryStore) -> None:
    first, second, third = linked(1, 2), linked(2, 3, "based_on"), linked(4, 5)
    await store.put(U1, [entry(1), entry(2), entry(3), first, second, third])
    assert await store.links(U1, [key(1)]) == [first.memory]
    both = sorted([first.memory, second.memory], key=lambda each: each.memory_id)
    assert await store.links(U1, [key(2), key(2)]) == both
    assert await store.links(U1, [key(3), key(1), "no-uuid"]) == both
    assert await store.links(U1, [key(9)]) == await store.links(U1, []) == []
    assert await store.links(U2, [key(1)]) == []


async def test_links_that_are_archived_are_not_followed(store: MemoryStore) -> None:
    one = linked(1, 2)
    await store.put(U1, [one])
    await store.change(U1, [one.memory.memory_id], lambda each: replace(each, archived_ms=NOW_MS))
    assert await store.links(U1, [key(1)]) == []


async def test_links_are_erased_like_any_record(store: MemoryStore) -> None:
    one = linked(1, 2)
    await store.put(U1, [one, entry(1)])
    assert await store.erase(U1, [one.memory.memory_id]) == 1
    assert await store.links(U1, [key(1), key(2)]) == []
    await store.put(U1, [one])
    assert await store.erase_user(U1) == 2
    assert await store.links(U1, [key(1), key(2)]) == []


async def test_links_are_no_answers_of_a_filter_of_told_kinds(store: MemoryStore) -> None:
    one = linked(1, 2)
    await store.put(U1, [one, entry(1), made("失眠")])
    assert await ids(store, Filter(kinds=TOLD_KINDS)) == {key(1), made("失眠").memory.memory_id}
    assert await ids(store, Filter(kinds=(Kind.LINK,))) == {one.memory.memory_id}
    assert [await store.count(U1, kind) for kind in (None, Kind.LINK, Kind.CREATED)] == [3, 1, 1]
    assert await store.count(U2, Kind.LINK) == 0


async def test_link_of_many_is_found_among_a_hundred(store: MemoryStore) -> None:
    every = [linked(1, number) for number in range(2, 52)] + [linked(number, 60) for number in range(2, 52)]
    await store.put(U1, every)
    found = await store.links(U1, [key(1)])
    assert {each.object for each in found} == {key(number) for number in range(2, 52)}
    assert len(await store.links(U1, [key(7)])) == 2


async def test_of_very_many_links_so_many_are_given_as_are_wanted(store: MemoryStore) -> None:
    hub = [linked(1, number) for number in range(2, 152)]
    await store.put(U1, [*hub, linked(200, 201), linked(201, 202)])
    some = await store.links(U1, [key(1), key(201)], 100)
    assert {key(200), key(201), key(202)} <= {end for each in some for end in (each.subject, each.object)}
    assert LINKS_PER_MEMORY_MAX <= sum(each.subject == key(1) for each in some) <= 100
    assert len(await store.links(U1, [key(1)])) == 150


async def test_staged_memory_is_found_by_words_at_once_and_completed_later(store: MemoryStore, units: Any) -> None:
    one, other = made("失眠"), entry(2, "头痛")
    await store.put(U1, [one, other])
    pool = await store.pool(U1, Probe(terms("失眠"), None, Filter()))
    scores = dict(zip([each.memory_id for each in pool.candidates], pool.lexical, strict=True))
    assert scores[one.memory.memory_id] > 0 == scores[key(2)]
    (found,) = [each async for each in store.unindexed(U1)]  # type: ignore[attr-defined]
    assert [each.memory for each in found] == [one.memory]

    reindexer = Reindexer(store, units, Directions())  # type: ignore[arg-type]
    assert await reindexer.settle(U2) == 0
    assert await reindexer.settle(U1) == 1
    assert [each.stage for each in await store.get(U1, [one.memory.memory_id])] == [""]
    assert [each async for each in store.unindexed(U1)] == []  # type: ignore[attr-defined]
    by_id = {each.memory.memory_id: each async for each in store.entries(U1)}
    assert by_id[one.memory.memory_id].vector is not None
    assert not by_id[one.memory.memory_id].is_open
    assert await reindexer.settle_all() == 0


async def test_settling_that_was_cut_short_is_done_again(store: MemoryStore, units: Any) -> None:
    """The stage was taken off and the process died: the entry is open still, so the next round completes it."""
    one = made("失眠")
    await store.put(U1, [one])
    await store.change(U1, [one.memory.memory_id], lambda each: replace(each, stage=""))
    reindexer = Reindexer(store, units, Directions())  # type: ignore[arg-type]
    assert await reindexer.settle_all() == 1
    assert {each.memory.memory_id: each.is_open async for each in store.entries(U1)} == {one.memory.memory_id: False}


async def test_open_entries_stay_open_when_the_store_is_opened_again(opened: Callable[..., Any]) -> None:
    first, close = await opened()
    await first.put(U1, [made("失眠")])
    await close()
    second, close = await opened()
    assert [each.is_open async for each in second.entries(U1)] == [True]
    await close()


@pytest.fixture
async def units(tmp_path: Any) -> Any:
    long_term = SqliteLongTermStore(tmp_path / "units.sqlite3")
    await long_term.start()
    yield long_term
    await long_term.close()
