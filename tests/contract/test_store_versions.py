"""Stores of earlier schemas are brought to the present one when they are opened; nothing of them is lost."""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.upkeep.reindex import Reindexer
from memory.errors import SetupError
from memory.language.terms import TERMS_VERSION
from memory.model.memory import to_fields
from memory.model.search import Filter, IndexEntry, Probe
from memory.scope import UserScope
from memory.stores.sqlite.database import SQL
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.weaviate import records, schema
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import (
    Configure,
    DataObject,
    StopwordsPreset,
    VectorDistances,
    WeaviateAsyncClient,
)
from tests.stores import (
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

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
OLD, NEW = HashEmbedder("old/16"), HashEmbedder("new/16", like="old/16")
U1, U2 = UserScope("t1", "u1"), UserScope("t2", "u2")
COLUMNS = ("kind", "category", "type", "speaker", "position", "subject", "predicate", "occurred_ms", "valid_from_ms",
           "valid_to_ms", "superseded_by", "archived_ms")  # fmt: skip


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


@pytest.fixture
async def derived(tmp_path: Path, units: SqliteLongTermStore) -> dict[UserScope, list[IndexEntry]]:
    """What two users' memories are, made in a store of its own."""
    async with opener_in_sqlite(tmp_path / "elsewhere") as open_store:
        store = await open_store(OLD.space)
        for scope in (U1, U2):
            await remember(store, units, OLD, unit(scope, "c1"))
        return {scope: await all_entries(store, scope) for scope in (U1, U2)}


def owner(scope: UserScope) -> str:
    """One word for a user, as the first two versions had them in their one index of words."""
    return "u" + hashlib.sha256(str(scope).encode()).hexdigest()[:32]


def write_sqlite(
    path: Path, version: int, derived: dict[UserScope, list[IndexEntry]], settings: dict[str, str]
) -> sqlite3.Connection:
    """Records and words as that version of the program wrote them."""
    file = sqlite3.connect(path, isolation_level=None)
    file.executescript((FIXTURES / f"sqlite_schema_{version}.sql").read_text(encoding="utf-8"))
    for setting in {"schema_version": str(version), "store_id": "x", **settings}.items():
        file.execute("INSERT INTO store VALUES (?, ?)", setting)
    for scope, entries in derived.items():
        for entry in entries:
            memory = entry.memory
            values = {name: getattr(memory, name) for name in COLUMNS} | {
                "tenant": scope.tenant,
                "user_id": scope.user,
                "memory_id": memory.memory_id,
                "document": json.dumps(to_fields(memory), ensure_ascii=False),
                "conversation": memory.source.conversation,
                "unit_id": memory.source.unit_id,
            }
            index = {
                "asks": int(entry.asks),
                "timed": int(entry.timed),
                "vector": None if entry.vector is None else entry.vector.tobytes(),
            }
            rid = insert(file, "memories", values | (index if version == 1 else {}))
            words = {"rowid": rid, "owner": owner(scope), "words": " ".join(entry.terms)}
            if version == 1:
                insert(file, "memory_words", words)
                continue
            insert(file, "entries_1", index | {"rid": rid, "pending": 0})
            insert(file, "entries_2", index | {"rid": rid, "vector": None, "pending": 1})
            insert(file, "words_1", words)
            insert(file, "words_2", words)
    return file


def insert(file: sqlite3.Connection, table: str, values: dict[str, Any]) -> int | None:
    names = ", ".join(values)
    return file.execute(f"INSERT INTO {table} ({names}) VALUES (:{', :'.join(values)})", values).lastrowid  # noqa: S608 - ours


def write_sqlite_1(path: Path, derived: dict[UserScope, list[IndexEntry]], space: str) -> None:
    """The file as the first version of the program wrote it."""
    write_sqlite(path, 1, derived, {"vector_space": space} if space else {}).close()


def write_sqlite_2(path: Path, derived: dict[UserScope, list[IndexEntry]]) -> None:
    """The file as the second version wrote it, in the middle of a reindex; it has erased some, word by word later."""
    file = write_sqlite(path, 2, derived, {})
    for number, space, ready in ((1, OLD.space, 1), (2, NEW.space, 0)):
        row = {"number": number, "space": space, "terms": TERMS_VERSION, "ready": ready}
        insert(file, "generations", row)
    for number in (1, 2):
        insert(file, f"words_{number}", {"rowid": 99_999, "owner": "u1", "words": "canaryquartz"})
        file.execute(f"DELETE FROM words_{number} WHERE rowid = 99999")  # noqa: S608 - ours
    file.close()


async def test_sqlite_of_schema_2_keeps_every_generation_and_finds_by_words(
    tmp_path: Path, units: SqliteLongTermStore, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    write_sqlite_2(path, derived)
    assert b"canaryquartz" in path.read_bytes()
    async with opener_in_sqlite(tmp_path) as open_store:
        for _ in range(2):
            store = await open_store(OLD.space)
            for scope, entries in derived.items():
                assert comparable(await all_entries(store, scope)) == comparable(entries)
                pool = await store.pool(scope, Probe(("kidney",), None, Filter()))
                found = {c.memory_id for c, score in zip(pool.candidates, pool.lexical, strict=True) if score > 0}
                assert found == {e.memory.memory_id for e in entries if "kidney" in e.terms} != set()
        assert await Reindexer(store, units, OLD).count_open() == 0
        with pytest.raises(SetupError, match="anamnesis reindex"):
            await open_store(NEW.space)
        new = await open_store(NEW.space, build=True)
        assert await Reindexer(new, units, NEW).run() == sum(map(len, derived.values()))
        assert comparable(await all_entries(new, U1)) == comparable(derived[U1])
        assert await new.erase_user(U1) == len(derived[U1])
    there = b"".join(each.read_bytes() for each in tmp_path.glob("anamnesis.sqlite3*"))
    assert b"canaryquartz" not in there
    assert owner(U1).encode() not in there
    tables = sqlite3.connect(path).execute("SELECT name FROM sqlite_master WHERE name LIKE '%words%'").fetchall()
    assert {name for (name,) in tables} == {"words_1", "words_2"}


async def test_sqlite_of_schema_2_is_brought_on_once_by_many_at_once(
    tmp_path: Path, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    write_sqlite_2(tmp_path / "anamnesis.sqlite3", derived)
    async with opener_in_sqlite(tmp_path) as open_store:
        stores = await asyncio.gather(*(open_store(OLD.space) for _ in range(4)))
        for store in stores:
            assert comparable(await all_entries(store, U1)) == comparable(derived[U1])


async def test_sqlite_of_schema_1_keeps_every_entry_and_can_be_reindexed(
    tmp_path: Path, units: SqliteLongTermStore, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    write_sqlite_1(tmp_path / "anamnesis.sqlite3", derived, OLD.space)
    async with opener_in_sqlite(tmp_path) as open_store:
        for _ in range(2):
            store = await open_store(OLD.space)
            for scope, entries in derived.items():
                assert comparable(await all_entries(store, scope)) == comparable(entries)
        assert await Reindexer(store, units, OLD).count_open() == 0
        with pytest.raises(SetupError, match="anamnesis reindex"):
            await open_store(NEW.space)
        new = await open_store(NEW.space, build=True)
        await Reindexer(new, units, NEW).run()
        assert comparable(await all_entries(new, U1)) == comparable(derived[U1])
    columns = sqlite3.connect(tmp_path / "anamnesis.sqlite3").execute("SELECT * FROM memories").description
    assert not {"vector", "asks", "timed"} & {name for name, *_ in columns}


async def test_sqlite_of_schema_1_with_records_without_vectors_has_them_completed(
    tmp_path: Path, units: SqliteLongTermStore, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    bare = {U1: [each._replace(vector=None) for each in derived[U1]], U2: derived[U2]}
    write_sqlite_1(tmp_path / "anamnesis.sqlite3", bare, OLD.space)
    async with opener_in_sqlite(tmp_path) as open_store:
        store = await open_store(OLD.space)
        reindexer = Reindexer(store, units, OLD)
        assert await reindexer.count_open() == len(derived[U1])
        assert await reindexer.run() == len(derived[U1])
        assert comparable(await all_entries(store, U1)) == comparable(derived[U1])


async def test_owner_of_a_memory_is_found_by_an_index(tmp_path: Path) -> None:
    async with opener_in_sqlite(tmp_path) as open_store:
        await open_store("")
    file = sqlite3.connect(tmp_path / "anamnesis.sqlite3")
    plan = file.execute(f"EXPLAIN QUERY PLAN {SQL['owner_of_memory']}", {"tenant": "t", "memory_id": "m"}).fetchall()
    assert "(tenant=? AND memory_id=?)" in plan[0][-1]


async def test_sqlite_of_a_later_schema_is_refused(tmp_path: Path) -> None:
    async with opener_in_sqlite(tmp_path) as open_store:
        await open_store("")
        file = sqlite3.connect(tmp_path / "anamnesis.sqlite3")
        file.execute("UPDATE store SET value = '99' WHERE key = 'schema_version'")
        file.commit()
        file.close()
        with pytest.raises(SetupError, match="upgrade the program"):
            await open_store("")


async def write_weaviate_1(
    server: WeaviateServer, derived: dict[UserScope, list[IndexEntry]], version: int = 1
) -> None:
    """The collection as the first version of the program made it."""

    async def write(client: WeaviateAsyncClient) -> None:
        await client.collections.create(
            schema.COLLECTION,
            description=json.dumps({"about": "Memories of Anamnesis", "schema": version, "space": OLD.space}),
            multi_tenancy_config=Configure.multi_tenancy(auto_tenant_creation=True, auto_tenant_activation=True),
            inverted_index_config=Configure.inverted_index(stopwords_preset=StopwordsPreset.NONE),
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
            ),
            properties=[each for each in schema._properties() if each.name not in {schema.OWNER, schema.PENDING}],
        )
        for scope, entries in derived.items():
            part = schema.users_part(client, schema.Place(schema.COLLECTION, records.tenant_name(scope)))
            answer = await part.data.insert_many([object_1(scope, each) for each in entries])
            assert not answer.errors

    connection = WeaviateConnection(server.settings())
    await connection.run(write, 20)
    await connection.close()


def object_1(scope: UserScope, entry: IndexEntry) -> "DataObject[records.Properties, None]":
    made = records.to_object(scope, entry)
    assert made.properties is not None
    properties = {name: value for name, value in made.properties.items() if name not in {schema.OWNER, schema.PENDING}}
    return DataObject(properties=properties, uuid=made.uuid, vector=made.vector)


@pytest.mark.integration
async def test_weaviate_of_schema_1_keeps_every_entry_and_can_be_reindexed(
    weaviate: WeaviateServer, units: SqliteLongTermStore, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    await empty(weaviate)
    await write_weaviate_1(weaviate, derived)
    async with opener_in_weaviate(weaviate) as open_store:
        for _ in range(2):
            store = await open_store(OLD.space)
            for scope, entries in derived.items():
                assert comparable(await all_entries(store, scope)) == comparable(entries)
        assert {scope async for scope in store.users()} == {U1, U2}
        extra = await remember(store, units, OLD, unit(U1, "c2", [("user", "The rain stopped early.")]))
        assert await store.erase(U1, [each.memory_id for each in extra]) == len(extra)
        with pytest.raises(SetupError, match="anamnesis reindex"):
            await open_store(NEW.space)
        new = await open_store(NEW.space, build=True)
        await Reindexer(new, units, NEW).run()
        for scope, entries in derived.items():
            assert comparable(await all_entries(new, scope)) == comparable(entries)
        await new.drop_others()
        assert {scope async for scope in new.users()} == {U1, U2}


@pytest.mark.integration
async def test_weaviate_of_schema_1_with_a_tenant_that_no_setting_names_says_so(
    weaviate: WeaviateServer, derived: dict[UserScope, Sequence[IndexEntry]]
) -> None:
    await empty(weaviate)
    await write_weaviate_1(weaviate, {UserScope("elsewhere", "u1"): list(derived[U1])})
    async with opener_in_weaviate(weaviate) as open_store:
        store = await open_store(OLD.space)
        with pytest.raises(SetupError, match=r"auth\.keys"):
            assert [scope async for scope in store.users()]


@pytest.mark.integration
async def test_weaviate_of_a_later_schema_is_refused(
    weaviate: WeaviateServer, derived: dict[UserScope, list[IndexEntry]]
) -> None:
    await empty(weaviate)
    await write_weaviate_1(weaviate, derived, version=99)
    async with opener_in_weaviate(weaviate) as open_store:
        with pytest.raises(SetupError, match="upgrade the program"):
            await open_store(OLD.space)
    connection = WeaviateConnection(weaviate.settings())

    async def remove(client: WeaviateAsyncClient) -> None:
        await client.collections.delete(schema.COLLECTION)

    await connection.write(remove)
    await connection.close()
