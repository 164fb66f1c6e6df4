"""A record that is written anew is there all the while: read by its id, found when all is listed, never lost."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from memory.errors import StoreUnavailable
from memory.model.memory import Kind
from memory.model.search import Filter, IndexEntry, Probe
from memory.ports import MemoryArchive
from memory.stores.weaviate import mending, objects
from tests.contract.memory_stores import DIMENSION, SPACE, U1, entry, in_weaviate
from tests.stores import all_entries, comparable, empty
from tests.weaviate_server import WeaviateServer

RECORDS = 60
BARE = [entry(number, f"word{number}", vector=False) for number in range(20)]
EXPORTED = Filter(kinds=tuple(set(Kind) - {Kind.PROFILE}), with_past=True, with_archived=True)
"""As an export asks."""


@asynccontextmanager
async def looked_at(store: MemoryArchive, entries: Sequence[IndexEntry]) -> AsyncIterator[None]:
    """While the block runs, each look at the records by their ids, and at all there are, finds all of them."""
    ids = [each.memory.memory_id for each in entries]
    over, looks = asyncio.Event(), list[tuple[set[str], set[str]]]()

    async def look() -> None:
        while not over.is_set():
            named = {each.memory_id for each in await store.get(U1, ids)}
            listed = {each.memory_id for each in (await store.page(U1, EXPORTED, "", len(ids))).memories}
            looks.append((named, listed))

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        over.set()
        await looking
    assert len(looks) > 1
    assert all(each == (set(ids), set(ids)) for each in looks)


async def test_a_record_that_gets_its_vector_is_there_at_every_moment(store: MemoryArchive) -> None:
    whole = [entry(number, f"word{number}") for number in range(RECORDS)]
    await store.put(U1, [each._replace(vector=None, is_open=True) for each in whole])
    async with looked_at(store, whole):
        for each in whole:
            assert await store.complete(U1, [each]) == 1


@pytest.fixture
def unfound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, every record that is to be proven is not found."""
    real, asked = mending.unfound, list[int]()

    async def none_at_first(connection: Any, place: Any, records: Sequence[objects.Stored]) -> list[objects.Stored]:
        asked.extend([1] if records else [])
        return list(records) if len(asked) == 1 else await real(connection, place, records)

    monkeypatch.setattr(mending, "unfound", none_at_first)


@pytest.fixture(params=[(SPACE, DIMENSION), ("", 0)], ids=["beside vectors", "where there are none"])
async def bare(request: pytest.FixtureRequest, weaviate: WeaviateServer) -> AsyncIterator[MemoryArchive]:
    """A store of records without vectors that it has not seen stored."""
    space, dimension = request.param
    await empty(weaviate)
    first, close = await in_weaviate(weaviate, space, dimension=dimension)
    await first.put(U1, BARE)
    await close()
    store, close = await in_weaviate(weaviate, space, dimension=dimension)
    yield store
    await close()


@pytest.mark.integration
@pytest.mark.usefixtures("unfound")
async def test_a_record_without_a_vector_is_there_while_it_is_mended(bare: MemoryArchive) -> None:
    before = await all_entries(bare, U1)
    async with looked_at(bare, BARE):
        await bare.put(U1, BARE)
    assert comparable(await all_entries(bare, U1)) == comparable(before)
    assert (await bare.verify(repair=False)).unfound == 0
    detour = np.eye(1, DIMENSION, dtype=np.float32)[0]
    pool = await bare.pool(U1, Probe((), detour, Filter()))
    assert not np.any(pool.cosine > 0)


@pytest.mark.integration
@pytest.mark.usefixtures("unfound")
async def test_a_record_whose_mending_died_halfway_is_open_and_completed(
    bare: MemoryArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await all_entries(bare, U1)
    real, written = mending.insert, list[int]()

    async def once(*given: Any) -> None:
        if written:
            raise StoreUnavailable("it died")
        written.append(1)
        await real(*given)

    monkeypatch.setattr(mending, "insert", once)
    with pytest.raises(StoreUnavailable):
        await bare.put(U1, BARE)
    left = [each async for found in bare.unindexed(U1) for each in found]
    assert [each.memory for each in left] == [each.memory for each in before]
    assert await bare.complete(U1, before) == len(BARE)
    assert comparable(await all_entries(bare, U1)) == comparable(before)
