"""Moving a whole store: from SQLite to SQLite, to a real Weaviate, and back."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from memory.consolidation.derive import indexed
from memory.consolidation.knowledge.profiles import user_profile_id
from memory.consolidation.upkeep.move import Mover, Stock
from memory.errors import SetupError
from memory.graph.created import Creation, created
from memory.graph.identity import SAME, Telling, verdict
from memory.graph.links import Joining, link
from memory.model.caller import Caller
from memory.model.graph_view_calls import GetGraphRequest
from memory.model.memory import STAGED, Type
from memory.model.profile import ProfileChange, apply_change
from memory.model.search import IndexEntry
from memory.ports import LongTermStore, MemoryStore
from memory.scope import UserScope
from memory.service.graph_view import GraphReader
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.long_term import WeaviateLongTermStore
from tests.stores import (
    AT,
    HashEmbedder,
    all_entries,
    comparable,
    empty,
    opener_in_sqlite,
    opener_in_weaviate,
    remember,
    unit,
)
from tests.weaviate_server import WeaviateServer

EMBEDDER = HashEmbedder()
U1, U2, U3 = UserScope("t1", "u1"), UserScope("t1", "u2"), UserScope("t2", "u1")
USERS = (U1, U2, U3)


@pytest.fixture(scope="module")
def weaviate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WeaviateServer]:
    server = WeaviateServer(tmp_path_factory.mktemp("weaviate"))
    server.start()
    yield server
    server.stop()


def graph_of(scope: UserScope) -> list[IndexEntry]:
    """What tools told, one of it still to be settled; a link, and that two labels are one."""
    told = [
        created(scope, Creation("我", Type.FACT, topic, AT + number, object=what), stage=stage)
        for number, (topic, what, stage) in enumerate(
            (("失眠", "", ""), ("心情", "不好", ""), ("情绪", "低落", STAGED))
        )
    ]
    joined = link(scope, Joining(told[0], "causes", told[1], importance=0.6, quote="因为没睡好", told_ms=AT))
    same = verdict(scope, SAME, "不好", "低落", Telling(AT, "用户说的"))
    every = (*told, joined, same)
    return [IndexEntry(each, indexed(each).terms, None, is_open=each.stage == STAGED) for each in every]


async def graph_told(store: MemoryStore, scope: UserScope) -> bytes:
    reader, caller = GraphReader(store, "zh", FixedClock()), Caller(scope.tenant, frozenset({"read"}))
    request = GetGraphRequest(user_id=scope.user, include=["merged", "suggestions", "conflicts"])
    return (await reader.get(caller, request)).model_dump_json().encode()


class FixedClock:
    def now_ms(self) -> int:
        return AT


async def units_at(folder: Path, stack: AsyncExitStack) -> LongTermStore:
    store = SqliteLongTermStore(folder / "units.sqlite3")
    await store.start()
    stack.push_async_callback(store.close)
    return store


async def units_in(server: WeaviateServer, stack: AsyncExitStack) -> LongTermStore:
    store = WeaviateLongTermStore(WeaviateConnection(server.settings()))
    stack.push_async_callback(store.close)
    await store.start()
    return store


@pytest.fixture(params=["sqlite-sqlite", pytest.param("sqlite-weaviate", marks=pytest.mark.integration),
                        pytest.param("weaviate-sqlite", marks=pytest.mark.integration)])  # fmt: skip
async def stocks(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Stock, Stock]]:
    """A source with the memories, MemUnits and profiles of three users, and an empty target."""
    async with AsyncExitStack() as stack:
        made = []
        for place, kind in zip(("source", "target"), request.param.split("-"), strict=True):
            if kind == "sqlite":
                open_store = await stack.enter_async_context(opener_in_sqlite(tmp_path / place))
                units = await units_at(tmp_path / place, stack)
            else:
                server = request.getfixturevalue("weaviate")
                await empty(server)
                open_store = await stack.enter_async_context(opener_in_weaviate(server))
                units = await units_in(server, stack)
            made.append(Stock(await open_store(EMBEDDER.space), units))
        source, target = made
        for scope in USERS:
            for conversation in (f"a-{scope.user}", f"b-{scope.user}"):
                await remember(source.memories, source.units, EMBEDDER, unit(scope, conversation))
            await source.units.update_profile(scope, lambda old: apply_change(old, ProfileChange(name="李雷")))
            await source.memories.put(scope, graph_of(scope))
        ids = [each.memory.memory_id for each in await all_entries(source.memories, U1)]
        await source.memories.change(U1, ids[:1], lambda memory: replace(memory, archived_ms=1, accesses=3))
        yield source, target


async def test_moved_store_holds_the_same_to_the_last_bit(stocks: tuple[Stock, Stock]) -> None:
    source, target = stocks
    mover = Mover(source, target)
    total = sum([await source.memories.count(scope) for scope in USERS])
    assert await mover.copy() == total
    verdict = await mover.compare()
    for sort in (verdict.memories, verdict.memunits, verdict.profiles):
        assert set(sort) == {str(scope) for scope in USERS}
        assert all(found.is_same and found.source.count > 0 for found in sort.values())
    for scope in USERS:
        moved = comparable(await all_entries(target.memories, scope))
        assert moved == comparable(await all_entries(source.memories, scope))
        drawn = await graph_told(target.memories, scope)
        assert drawn == await graph_told(source.memories, scope)
        assert json.loads(drawn)["links"], "there is a graph"
        assert json.loads(drawn)["merged"]
        assert await target.units.get_profile(scope) == await source.units.get_profile(scope)
        one = unit(scope, f"a-{scope.user}")
        assert await target.units.get_memunit(one.scope, one.unit_id) == one
    assert await mover.copy() == 0


async def test_moving_again_brings_what_was_written_and_changed_since(stocks: tuple[Stock, Stock]) -> None:
    source, target = stocks
    mover = Mover(source, target)
    await mover.copy()
    late = await remember(source.memories, source.units, EMBEDDER, unit(U2, "late", [("user", "I keep parrots.")]))
    ids = [each.memory.memory_id for each in await all_entries(source.memories, U3)]
    await source.memories.change(U3, ids[:2], lambda memory: replace(memory, accesses=9, superseded_by=ids[0]))
    await source.units.update_profile(U1, lambda old: apply_change(old, ProfileChange(name="韩梅梅")))
    verdict = await mover.compare()
    assert not verdict.memories[str(U2)].is_same
    assert sorted(verdict.memories[str(U2)].missing) == sorted(each.memory_id for each in late)
    assert verdict.memories[str(U2)].differing == [user_profile_id(U2)]
    assert verdict.memories[str(U3)].differing == sorted(ids[:2])
    assert verdict.profiles[str(U1)].differing == ["profile"]
    assert await mover.copy() == len(late) + 3
    after = await mover.compare()
    assert all(each.is_same for sort in (after.memories, after.memunits, after.profiles) for each in sort.values())


async def test_what_only_the_target_has_is_named_and_pruned_on_demand(stocks: tuple[Stock, Stock]) -> None:
    source, target = stocks
    mover = Mover(source, target)
    await mover.copy()
    first = (await all_entries(source.memories, U1))[0].memory.memory_id
    await source.memories.erase(U1, [first])
    gone = await source.memories.erase_user(U2)
    await source.units.erase_profile(U2)
    await source.units.erase_conversation(unit(U2, "a-u2").scope, (U2.user,))
    await mover.copy()
    verdict = await mover.compare()
    assert verdict.memories[str(U1)].extra == [first]
    assert len(verdict.memories[str(U2)].extra) == gone
    assert verdict.profiles[str(U2)].extra == ["profile"]
    assert await mover.prune(verdict) == 1 + gone
    after = await mover.compare()
    assert all(each.is_same for sort in (after.memories, after.memunits, after.profiles) for each in sort.values())


async def test_target_of_another_space_is_refused(tmp_path: Path) -> None:
    async with opener_in_sqlite(tmp_path) as open_store, AsyncExitStack() as stack:
        store = await open_store("other/16")
        await remember(store, await units_at(tmp_path, stack), HashEmbedder("other/16"), unit(U1, "c1"))
        with pytest.raises(SetupError, match="other/16"):
            await open_store(EMBEDDER.space)
