"""Stores from before the memory graph, SQLite of schema 3 and Weaviate of schema 2: opened, searched, drawn, told more.

No program of those schemas knew created memories or links: what such a store holds are messages, facts and events. The
fixture is the file that the last such program left; the collection is made of it, as that program's objects were.
"""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from memory.consolidation.upkeep.reindex import Reindexer
from memory.errors import SetupError
from memory.model.memory import Kind
from memory.model.search import Filter, Probe
from memory.scope import UserScope
from memory.stores.sqlite import database
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.weaviate import records, schema
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import (
    Configure,
    DataObject,
    DataType,
    Property,
    StopwordsPreset,
    Tokenization,
    VectorDistances,
    WeaviateAsyncClient,
)
from tests.contract.graph_calls import create, search
from tests.contract.lives import IN_WEAVIATE
from tests.contract.memory_stores import in_weaviate
from tests.inprocess import World
from tests.stores import (
    HashEmbedder,
    OpenStore,
    all_entries,
    empty,
    opener_in_sqlite,
    opener_in_weaviate,
)
from tests.weaviate_server import WeaviateServer

LEFT: Final = Path(__file__).resolve().parents[1] / "fixtures" / "sqlite_store_3.sql"
COLLECTION: Final = "AnamnesisMemory_3f294bcadec5"
USERS: Final = [UserScope("default", name) for name in ("u1", "u2")]
EACH: Final = 13
"""Memories of each user."""
NEW: Final = HashEmbedder("new/16")
ON_ONE_OF_EACH: Final = pytest.mark.parametrize(
    "commands", ["fakeredis", pytest.param(IN_WEAVIATE, marks=pytest.mark.integration)], indirect=True
)
OPENED: Final = pytest.mark.parametrize("kind", ["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])


def write_sqlite_3(path: Path) -> Path:
    """The file as that program left it."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(LEFT.read_text(encoding="utf-8"))
    return path


def text(name: str, *, filtered: bool = False) -> Property:
    """Of schema 2: a text that is kept, and maybe filtered by."""
    cut = Tokenization.FIELD if filtered else None
    return Property(
        name=name, data_type=DataType.TEXT, tokenization=cut, index_filterable=filtered, index_searchable=False
    )


async def write_weaviate_2(server: WeaviateServer, path: Path) -> None:
    """The collection as that program made it, with what the file holds."""
    note = {"about": "Memories of Anamnesis", "schema": 2, "space": "", "terms": 1, "ready": True}
    selected = ("kind", "category", "type", "conversation", "speaker", "subject", "predicate")
    words = Property(
        name="words",
        data_type=DataType.TEXT,
        tokenization=Tokenization.WHITESPACE,
        index_searchable=True,
        index_filterable=False,
    )
    ordered = ("occurred_ms", "held_from_ms", "valid_to_ms", "id_order")
    flags = ("archived", "superseded", "pending")
    properties = [
        words,
        *(text(name, filtered=True) for name in selected),
        *(Property(name=name, data_type=DataType.INT, index_filterable=True) for name in ordered),
        *(Property(name=name, data_type=DataType.BOOL, index_filterable=True) for name in flags),
        *map(text, ("document", "scored", "owner")),
    ]

    async def write(client: WeaviateAsyncClient) -> None:
        await client.collections.create(
            COLLECTION,
            description=json.dumps(note),
            multi_tenancy_config=Configure.multi_tenancy(auto_tenant_creation=True, auto_tenant_activation=True),
            inverted_index_config=Configure.inverted_index(stopwords_preset=StopwordsPreset.NONE),
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
            ),
            properties=properties,
        )
        for scope in USERS:
            part = schema.users_part(client, schema.Place(COLLECTION, records.tenant_name(scope)))
            answer = await part.data.insert_many(objects_2(path, scope))
            assert not answer.errors

    connection = WeaviateConnection(server.settings())
    await connection.run(write, 20)
    await connection.close()


def objects_2(path: Path, scope: UserScope) -> "list[DataObject[dict[str, Any], None]]":
    """A user's objects as that program wrote them."""
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        query = "SELECT * FROM memories JOIN entries_1 USING (rid) JOIN words_1 USING (rid) WHERE user_id = ?"
        rows = file.execute(query, (scope.user,)).fetchall()
    return [DataObject(properties=properties_2(row), uuid=row["memory_id"]) for row in rows]


def properties_2(row: sqlite3.Row) -> dict[str, Any]:
    """What it wrote of a record."""
    named = ("kind", "category", "type", "conversation", "speaker", "subject", "predicate", "occurred_ms", "document")
    scored = [row[name] for name in ("kind", "unit_id", "position", "speaker", "occurred_ms")]
    properties = {name: row[name] for name in (*named, "words")} | {
        "scored": json.dumps([*scored, bool(row["asks"]), bool(row["timed"])], ensure_ascii=False),
        "held_from_ms": row["occurred_ms"] if row["valid_from_ms"] is None else row["valid_from_ms"],
        "id_order": int(row["memory_id"].replace("-", "")[:13], 16),
        "owner": f"{row['tenant']}/{row['user_id']}",
        "archived": row["archived_ms"] is not None,
        "superseded": row["superseded_by"] != "",
        "pending": False,
    }
    return properties | ({} if row["valid_to_ms"] is None else {"valid_to_ms": row["valid_to_ms"]})


@pytest.fixture
async def old(
    request: pytest.FixtureRequest, commands: Any, make_world: Callable[..., Any], tmp_path: Path
) -> AsyncIterator[World]:
    """A service over such a store; `commands` is what the fixtures of it need first."""
    path = write_sqlite_3(tmp_path / "long_term.sqlite3")
    if request.node.callspec.params["commands"] != IN_WEAVIATE:
        yield await make_world()
        return
    server = request.getfixturevalue("weaviate")
    await empty(server)
    await write_weaviate_2(server, path)
    store, close = await in_weaviate(server, "")
    yield await make_world(memories=store)
    await close()


@pytest.fixture
async def open_store(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """Opens such a store, again and again."""
    path = write_sqlite_3(tmp_path / "anamnesis.sqlite3")
    if kind == "sqlite":
        async with opener_in_sqlite(tmp_path) as opened:
            yield opened
        return
    server = request.getfixturevalue("weaviate")
    await empty(server)
    await write_weaviate_2(server, path)
    async with opener_in_weaviate(server) as opened:
        yield opened


def texts(answer: dict[str, Any]) -> list[str]:
    return [each["text"] for each in answer["memories"]]


@ON_ONE_OF_EACH
async def test_a_store_from_before_the_graph_is_searched_drawn_and_told_more(old: World) -> None:
    for scope in USERS:
        assert len(await old.pages("ListMemories", user_id=scope.user)) == EACH
        graph = await old.call("GetGraph", user_id=scope.user)
        assert {"青霉素", "Shanghai", "头疼", "kidney stones"} <= {each["label"] for each in graph["nodes"]}
    assert texts(await search(old, "kidney"))[0] == "My kidney stones came back last summer"
    before = await search(old, "为什么头疼", search_mode="auto")
    assert (before["searched"]["went_deep"], before["degraded"]) == (True, [])
    assert before["memories"][0]["text"] == "所以头疼"
    made = await create(old, "跑步", "太多")
    link = await old.call(
        "LinkMemories",
        user_id="u1",
        source_memory_id=made["memory_id"],
        target_memory_description="我头疼",
        relation_type="导致",
    )
    assert link["target_memory_id"] == before["memories"][0]["memory_id"]
    after = await search(old, "为什么头疼", search_mode="auto")
    assert {each["text"]: each["distance"] for each in after["memories"]}["用户跑步：太多"] == 1
    assert [each["link_id"] for each in (await old.call("GetGraph", user_id="u1"))["links"]] == [link["link_id"]]
    await old.call("ForgetMemory", memory_id=link["target_memory_id"])
    assert (await old.call("GetGraph", user_id="u1"))["links"] == []


@OPENED
async def test_reindex_fills_what_a_store_from_before_the_graph_lacks(open_store: OpenStore, tmp_path: Path) -> None:
    units = SqliteLongTermStore(tmp_path / "anamnesis.sqlite3")
    await units.start()
    found = await open_store("")
    assert [len(await all_entries(found, scope)) for scope in USERS] == [EACH, EACH]
    assert await Reindexer(found, units, None).count_open() == 0
    with pytest.raises(SetupError, match="anamnesis reindex"):
        await open_store(NEW.space)
    new = await open_store(NEW.space, build=True)
    assert await Reindexer(new, units, NEW).count_open() == 2 * EACH
    assert await Reindexer(new, units, NEW).run() == 2 * EACH
    for scope in USERS:
        was, entries = [await all_entries(store, scope) for store in (found, new)]
        assert [each.memory for each in entries] == [each.memory for each in was]
        assert [sorted(each.terms) for each in entries] == [sorted(each.terms) for each in was]
        assert all(each.vector is not None for each in entries)
        (vector,) = await NEW.queries(["kidney"])
        pool = await new.pool(scope, Probe(("kidney",), vector, Filter(kinds=(Kind.FACT,))))
        assert max(pool.lexical) > 0
        assert max(map(abs, pool.cosine)) > 0
    await units.close()


async def test_a_file_from_before_the_graph_has_the_tables_and_indexes_of_a_new_one(tmp_path: Path) -> None:
    write_sqlite_3(tmp_path / "anamnesis.sqlite3")
    (tmp_path / "new").mkdir()
    made = []
    for folder in (tmp_path, tmp_path / "new"):
        async with opener_in_sqlite(folder) as opened:
            await opened("")
        with closing(sqlite3.connect(folder / "anamnesis.sqlite3")) as file:
            made.append(sorted(file.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")))
    assert made[0] == made[1]


@OPENED
async def test_a_program_from_before_the_graph_refuses_what_has_been_brought_on(
    open_store: OpenStore, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "anamnesis.sqlite3"
    await open_store("")
    there = path.read_bytes()
    monkeypatch.setattr(database, "SCHEMA_VERSION", "3")
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 2)
    told = {"sqlite": "has schema version 4, this program knows 3", "weaviate": "has schema 3, this program knows 2"}
    with pytest.raises(SetupError, match=f"{told[kind]}: upgrade the program"):
        await open_store("")
    assert path.read_bytes() == there
