"""Index generations over SQLite and a real Weaviate: built beside one another, written and erased in all at once."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway.work.background import SystemClock
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.triples import CALLER, Told
from memory.consolidation.upkeep.reindex import Reindexer
from memory.consolidation.withhold import cover_unit
from memory.errors import SetupError, StoreUnavailable
from memory.language.terms import terms
from memory.model.caller import Caller
from memory.model.generation import Generation
from memory.model.graph_view_calls import GetGraphRequest
from memory.model.memory import Kind
from memory.model.search import Filter, Probe
from memory.ports import MemoryArchive
from memory.privacy.policy import KINDS, Policy
from memory.privacy.replacer import Replacer
from memory.scope import UserScope
from memory.service.graph_view import GraphReader
from memory.stores.sqlite.long_term import SqliteLongTermStore
from tests.stores import (
    AT,
    TOLD,
    HashEmbedder,
    OpenStore,
    Rules,
    all_entries,
    comparable,
    empty,
    opener_in_sqlite,
    opener_in_weaviate,
    remember,
    unit,
)
from tests.weaviate_server import WeaviateServer

OLD, NEW = HashEmbedder("old/16"), HashEmbedder("new/16", like="old/16")
U1, U2, U3 = UserScope("t1", "u1"), UserScope("t1", "u2"), UserScope("t2", "u1")
USERS = (U1, U2, U3)
GROUP = [
    ("user:Mia", "My number is 138 1234 5678. I am allergic to peanuts and I have a cat."),
    ("user:Tom", "谢谢"),
    ("user:Tom", "I have asthma. I work as a nurse. Can you mail tom@mail.example.com tomorrow?"),
]


@pytest.fixture(scope="module")
def weaviate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WeaviateServer]:
    server = WeaviateServer(tmp_path_factory.mktemp("weaviate"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def units(tmp_path: Path) -> AsyncIterator[SqliteLongTermStore]:
    store = SqliteLongTermStore(tmp_path / "units.sqlite3")
    await store.start()
    yield store
    await store.close()


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    async with AsyncExitStack() as stack:
        if request.param == "sqlite":
            yield await stack.enter_async_context(opener_in_sqlite(tmp_path))
        else:
            server = request.getfixturevalue("weaviate")
            await empty(server)
            yield await stack.enter_async_context(opener_in_weaviate(server))


async def filled(open_store: OpenStore, units: SqliteLongTermStore, users: Any = USERS) -> MemoryArchive:
    store = await open_store(OLD.space)
    for scope in users:
        await remember(store, units, OLD, unit(scope, "c1"))
    return store


async def reindexed(open_store: OpenStore, units: SqliteLongTermStore, embedder: HashEmbedder = NEW) -> MemoryArchive:
    store = await open_store(embedder.space, build=True)
    await Reindexer(store, units, embedder).run()
    return store


async def found(store: MemoryArchive, scope: UserScope, words: str, embedder: HashEmbedder) -> dict[str, Any]:
    pool = await store.pool(scope, Probe(terms(words), embedder.vector(words), Filter()))
    return {
        each.memory_id: (float(lexical), float(cosine))
        for each, lexical, cosine in zip(pool.candidates, pool.lexical, pool.cosine, strict=True)
    }


async def test_reindex_makes_the_very_terms_flags_and_vectors_again(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units)
    before = {scope: comparable(await all_entries(old, scope)) for scope in USERS}
    assert any(asks for _, _, asks, _, _ in before[U1])
    assert any(timed for _, _, _, timed, _ in before[U1])
    made = NEW.made
    new = await reindexed(open_store, units)
    assert NEW.made - made == sum(map(len, before.values()))
    assert {scope: comparable(await all_entries(new, scope)) for scope in USERS} == before
    assert await Reindexer(new, units, NEW).run() == 0


async def test_the_graph_is_the_same_after_a_reindex(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await open_store(OLD.space)
    because = ("user", "因为我有高血压，所以一直在吃硝苯地平。我妈妈叫王秀兰。")
    await remember(old, units, OLD, unit(U1, "c1", [because, ("assistant", "好的。")]))
    before = await drawn(old)
    assert before["edges"]
    assert before["links"]
    assert await drawn(await reindexed(open_store, units)) == before


async def drawn(store: MemoryArchive) -> dict[str, Any]:
    """The whole graph of a user, as it is answered."""
    request = GetGraphRequest(user_id=U1.user, include=["conflicts", "past"], format="graphml")
    reader = GraphReader(store, "zh", SystemClock())
    return (await reader.get(Caller(U1.tenant, frozenset(), "test"), request)).model_dump()


async def test_reindex_makes_the_index_texts_of_every_kind_of_memory_again(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    """Passages of several units, with covered identifiers; told facts; profiles of a user and a group."""
    old = await open_store(OLD.space)
    covering = Replacer(Policy.of(dict.fromkeys(set(KINDS) - {"name"}, "redact")))
    for first, told in ((1, TOLD), (21, GROUP)):
        spoken = unit(U1, "c1", told, first)
        covered = cover_unit(covering, spoken)
        assert covered.messages != spoken.messages, "something was covered"
        await remember(old, units, OLD, covered)
    facts = [
        Told("user", "like", "桂花茶", "", "", AT, None),
        Told("Mia", "pet", "a parrot", "Her parrot is called Rio", "c1", AT, None),
    ]
    await Rememberer(old, Minds(Rules(), Rules(), OLD, "zh")).tell(U1, facts)
    before = await all_entries(old, U1)
    kinds = Counter(each.memory.kind for each in before)
    assert kinds[Kind.PROFILE] == 2
    assert {each.memory.mind for each in before} == {CALLER, "rules"}
    assert len({each.memory.source.unit_id for each in before if each.memory.speaker}) == 2
    assert comparable(await all_entries(await reindexed(open_store, units), U1)) == comparable(before)


async def test_profile_made_anew_while_it_is_indexed_is_found_by_its_new_words(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units, [U1])
    new = await open_store(NEW.space, build=True)

    class Changing(HashEmbedder):
        """The user tells more while vectors are made."""

        async def passages(self, texts: Any) -> Any:
            if not self.made:
                await remember(old, units, OLD, unit(U1, "late", [("user", "我对花生过敏。")]))
            return await super().passages(texts)

    await Reindexer(new, units, Changing(NEW.space, like="old/16")).run()
    assert comparable(await all_entries(new, U1)) == comparable(await all_entries(old, U1))


async def test_archived_and_superseded_records_are_indexed_too(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units, [U1])
    ids = [each.memory.memory_id for each in await all_entries(old, U1)]
    await old.change(U1, ids[:1], lambda memory: replace(memory, archived_ms=1))
    await old.change(U1, ids[1:2], lambda memory: replace(memory, superseded_by=ids[0]))
    before = comparable(await all_entries(old, U1))
    assert comparable(await all_entries(await reindexed(open_store, units), U1)) == before


async def test_new_terms_of_the_same_space_keep_the_vectors(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await filled(open_store, units)
    before = {scope: comparable(await all_entries(old, scope)) for scope in USERS}
    new = await open_store(OLD.space, build=True, terms_version=2)
    made = OLD.made
    await Reindexer(new, units, OLD).run()
    assert OLD.made == made
    assert {scope: comparable(await all_entries(new, scope)) for scope in USERS} == before


async def test_store_without_memories_takes_any_space(open_store: OpenStore) -> None:
    for space in ("", OLD.space, NEW.space):
        await open_store(space)


async def test_generation_that_is_not_complete_is_refused(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    await filled(open_store, units)
    await open_store(NEW.space, build=True)
    with pytest.raises(SetupError, match=r"not complete.*anamnesis reindex"):
        await open_store(NEW.space)
    await reindexed(open_store, units)
    await open_store(NEW.space)
    await open_store(OLD.space)


async def test_reindex_from_no_vectors_and_back(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    bare = await open_store("")
    for scope in USERS:
        await remember(bare, units, None, unit(scope, "c1"))
    words = comparable(await all_entries(bare, U1))
    new = await reindexed(open_store, units)
    assert all(not math.isnan(cosine) for _, cosine in (await found(new, U1, "Shanghai", NEW)).values())
    assert comparable([each._replace(vector=None) for each in await all_entries(new, U1)]) == words
    await new.drop_others()
    back = await open_store("", build=True)
    await Reindexer(back, units, None).run()
    assert comparable(await all_entries(back, U1)) == words


async def test_written_by_an_old_gateway_after_the_reindex_is_found_by_words_and_completed(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units)
    new = await reindexed(open_store, units)
    told = [("user", "Mina keeps two parrots in Hangzhou.")]
    (late, *_) = await remember(old, units, OLD, unit(U1, "late", told))
    lexical, cosine = (await found(new, U1, "parrots", NEW))[late.memory_id]
    assert lexical > 0
    assert math.isnan(cosine)
    assert await new.get(U1, [late.memory_id]) == [late]
    reindexer = Reindexer(new, units, NEW)
    assert await reindexer.count_open() == len(await late_ids(old))
    await reindexer.mend()
    assert await reindexer.count_open() == 0
    assert not math.isnan((await found(new, U1, "parrots", NEW))[late.memory_id][1])
    assert comparable(await all_entries(new, U1)) == comparable(await all_entries(old, U1))


async def late_ids(store: MemoryArchive) -> list[str]:
    return [e.memory.memory_id for e in await all_entries(store, U1) if e.memory.source.conversation == "late"]


async def test_written_by_a_new_gateway_is_seen_by_the_old_one(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units)
    new = await reindexed(open_store, units)
    (late, *_) = await remember(new, units, NEW, unit(U1, "late", [("user", "I moved to Chengdu in May.")]))
    assert await old.get(U1, [late.memory_id]) == [late]
    assert (await found(old, U1, "Chengdu", OLD))[late.memory_id][0] > 0


async def test_other_terms_of_an_old_gateway_are_not_searched_by_a_new_one(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units, [U1])
    new = await open_store(OLD.space, build=True, terms_version=2)
    await Reindexer(new, units, OLD).run()
    (late, *_) = await remember(old, units, OLD, unit(U1, "late", [("user", "I moved to Chengdu in May.")]))
    assert (await found(new, U1, "Chengdu", OLD))[late.memory_id][0] == 0
    await Reindexer(new, units, OLD).mend()
    assert (await found(new, U1, "Chengdu", OLD))[late.memory_id][0] > 0


async def test_changes_reach_every_generation(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await filled(open_store, units, [U1])
    new = await reindexed(open_store, units)
    ids = [each.memory.memory_id for each in await all_entries(old, U1)]
    await old.change(U1, ids[:1], lambda memory: replace(memory, accesses=7))
    await new.change(U1, ids[1:2], lambda memory: replace(memory, archived_ms=9))
    for store in (old, new):
        assert [each.accesses for each in await store.get(U1, ids[:1])] == [7]
        assert ids[1] not in await found(store, U1, "x", NEW)
    assert comparable(await all_entries(old, U1)) == comparable(await all_entries(new, U1))


@pytest.mark.parametrize("eraser", ["old", "new"])
async def test_erasing_reaches_every_generation_at_once(
    open_store: OpenStore, units: SqliteLongTermStore, eraser: str
) -> None:
    old = await filled(open_store, units)
    for scope in USERS:
        await remember(old, units, OLD, unit(scope, "c2"))
    new = await reindexed(open_store, units)
    first = (await all_entries(old, U1))[0].memory.memory_id
    by = {"old": old, "new": new}[eraser]
    assert await by.erase(U1, [first]) == 1
    rest = {e.memory.memory_id for e in await all_entries(old, U2) if e.memory.source.conversation == "c2"}
    assert await by.erase_conversation(U2, "c2") == len(rest)
    assert await by.erase_user(U3) > 0
    for store in (old, new):
        assert await store.get(U1, [first]) == []
        assert {e.memory.source.conversation for e in await all_entries(store, U2)} == {"c1", ""}
        assert await all_entries(store, U3) == []
        assert await store.count(U3) == 0
    assert await Reindexer(new, units, NEW).run() == 0
    assert await all_entries(new, U3) == []


async def test_erased_between_reading_and_writing_stays_erased(
    open_store: OpenStore, units: SqliteLongTermStore
) -> None:
    old = await filled(open_store, units)
    new = await open_store(NEW.space, build=True)

    class Erasing(HashEmbedder):
        """Every user's first record, and a whole user, are forgotten while vectors are made of them."""

        async def passages(self, texts: Any) -> Any:
            for scope in (U1, U2):
                first = [each.memory.memory_id for each in (await all_entries(old, scope))[:1]]
                gone.extend(first)
                await old.erase(scope, first)
            await old.erase_user(U3)
            return await super().passages(texts)

    gone: list[str] = []
    await Reindexer(new, units, Erasing(NEW.space, like="old/16")).run()
    assert gone
    for scope in USERS:
        after = comparable(await all_entries(new, scope))
        assert after == comparable(await all_entries(old, scope))
        assert not {memory.memory_id for memory, *_ in after} & set(gone)
    assert await all_entries(new, U3) == []


async def test_writes_and_searches_go_on_during_a_reindex(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await filled(open_store, units)
    new = await open_store(NEW.space, build=True)
    done = asyncio.Event()

    async def gateway() -> None:
        number = 0
        while not done.is_set() or number < 4:
            scope = USERS[number % 3]
            await remember(old, units, OLD, unit(scope, f"meanwhile-{number}", [("user", f"I own {number} parrots.")]))
            assert await found(old, scope, "Shanghai", OLD)
            if number % 4 == 3:
                await old.erase_conversation(scope, f"meanwhile-{number}")
            number += 1

    working = asyncio.create_task(gateway())
    await Reindexer(new, units, NEW).run()
    done.set()
    await working
    await Reindexer(new, units, NEW).mend()
    for scope in USERS:
        assert comparable(await all_entries(new, scope)) == comparable(await all_entries(old, scope))


async def test_passage_whose_unit_is_gone_is_indexed_alone(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await filled(open_store, units, [U1])
    await units.erase_conversation(unit(U1, "c1").scope, (U1.user,))
    new = await reindexed(open_store, units)
    assert [each.memory for each in await all_entries(new, U1)] == [each.memory for each in await all_entries(old, U1)]
    assert any(lexical > 0 for lexical, _ in (await found(new, U1, "kidney", NEW)).values())


async def test_drop_others_leaves_only_the_own_generation(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    old = await filled(open_store, units)
    new = await reindexed(open_store, units)
    before = comparable(await all_entries(new, U1))
    assert await new.generations() == [Generation(NEW.space, 1), Generation(OLD.space, 1)]
    assert await new.drop_others() == [Generation(OLD.space, 1)]
    assert await new.generations() == [Generation(NEW.space, 1)]
    assert comparable(await all_entries(new, U1)) == before
    assert await new.drop_others() == []
    with pytest.raises(SetupError, match="anamnesis reindex"):
        await open_store(OLD.space)
    with pytest.raises(StoreUnavailable, match="dropped"):
        await remember(old, units, OLD, unit(U1, "late"))
    assert len(await all_entries(new, U1)) == len(before)


async def test_users_are_everybody_with_memories(open_store: OpenStore, units: SqliteLongTermStore) -> None:
    store = await filled(open_store, units)
    assert {scope async for scope in store.users()} == set(USERS)
    assert await store.count_users() == 3
    await store.erase_user(U2)
    assert {scope async for scope in store.users()} == {U1, U3}
