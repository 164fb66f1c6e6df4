"""The memory stores of the contract, SQLite and a real Weaviate: opened, emptied, and records to put into them."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from memory.errors import SetupError
from memory.language.terms import terms
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.review import no_question
from memory.model.search import Filter, IndexEntry, Pool, Probe, Vector
from memory.ports import Asks, Fades, MemoryStore
from memory.scope import UserScope
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.weaviate_server import DueTimes, WeaviateServer

DIMENSION = 8
SPACE = "test/8"
U1 = UserScope("t1", "u1")
EVERYONE = [U1, UserScope("t1", "u2"), UserScope("t2", "u1"), UserScope("t2", "u2")]
HOUR_MS = 3_600_000
NOW_MS = 1_700_000_000_000


def fades(memory: Memory) -> int | None:
    """For these tests: an hour after the last access; never what was not accessed."""
    return None if memory.accessed_ms is None else memory.accessed_ms + HOUR_MS


async def in_sqlite(
    path: Path, space: str = SPACE, leaves: Fades = fades, asks: Asks = no_question
) -> tuple[MemoryStore, Callable[[], Any]]:
    database = Database(path / "store.sqlite3")
    await database.start()
    store = SqliteMemoryStore(database, space, DIMENSION, leaves, asks=asks)
    try:
        await store.start()
    except SetupError:
        await database.close()
        raise
    return store, database.close


async def in_weaviate(
    server: WeaviateServer,
    space: str = SPACE,
    leaves: Fades = fades,
    times: DueTimes | None = None,
    asks: Asks = no_question,
    dimension: int = DIMENSION,
) -> tuple[MemoryStore, Callable[[], Any]]:
    index = times or DueTimes()
    store = WeaviateMemoryStore(WeaviateConnection(server.settings()), space, dimension, Outside(index, leaves, asks))
    try:
        await store.start()
    except SetupError:
        await store.close()
        raise
    return store, store.close


def key(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"memory {number}"))


def direction(number: int) -> Vector:
    vector = np.random.default_rng(number).normal(size=DIMENSION).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def memory(number: int = 1, **changes: Any) -> Memory:
    made = Memory(
        memory_id=key(number),
        user_id="u1",
        kind=Kind.EPISODE,
        category=Category.EPISODE,
        type=Type.EVENT,
        text=f"text {number}",
        source=Source("c1", "unit-1", (number,), f"quote {number}"),
        occurred_ms=NOW_MS + number,
        recorded_ms=NOW_MS + number,
        position=number,
    )
    return replace(made, **changes)


def entry(number: int = 1, words: str = "", *, vector: bool = True, **changes: Any) -> IndexEntry:
    return IndexEntry(memory(number, **changes), terms(words), direction(number) if vector else None)


async def ids(store: MemoryStore, wanted: Filter, scope: UserScope = U1) -> set[str]:
    """What a filter lets in, by the page and by the pool: they agree."""
    paged = {each.memory_id for each in (await store.page(scope, wanted, "", 100)).memories}
    pooled = {each.memory_id for each in (await store.pool(scope, Probe((), None, wanted))).candidates}
    assert paged == pooled
    return paged


def scores(pool: Pool) -> dict[str, tuple[float, float]]:
    return {
        each.memory_id: (float(lexical), float(cosine))
        for each, lexical, cosine in zip(pool.candidates, pool.lexical, pool.cosine, strict=True)
    }
