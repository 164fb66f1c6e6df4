"""A deep search beside a fast one, a picture, a way."""

import contextlib
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.graph.made import USER, WORDS, Clock, fill, various
from benchmarks.weaviate import weaviate
from memory.model.caller import Caller
from memory.model.graph_view_calls import FindPathRequest, GetGraphRequest
from memory.ports import MemoryStore
from memory.service.graph_view import GraphReader
from memory.service.linked import DeepSearch, Way
from memory.service.search import MemorySearch, SearchSettings, Wanted
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection, WeaviateSettings
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.weaviate_server import DueTimes

_DEADLINE_S: Final = 30.0
_CALLER: Final = Caller("default", frozenset({"read"}))
_STEPS: Final = {"fast": 0, "deep, 1 step": 1, "deep, 2 steps": 2}
_FIRST: Final = 2
"""Rounds that read the index."""


class Cost(NamedTuple):
    """What one call costs in ms: the median."""

    name: str
    ms: float


async def timed(call: Callable[[], Awaitable[object]], clock: Callable[[], float]) -> float:
    """What a call costs in ms by this clock."""
    began = clock()
    await call()
    return (clock() - began) * 1000


async def costs(
    store: MemoryStore, things: int, rounds: int, clock: Callable[[], float], start: str, target: str
) -> list[Cost]:
    """Of searches for a word and one of so many things, of a page round a label and of a way from it, in turn."""
    search = DeepSearch(store, MemorySearch(store, None, Clock(), SearchSettings()))
    reader, dice = GraphReader(store, "zh", Clock()), random.Random(7)
    page = GetGraphRequest(user_id=USER.user, about=start, depth=1)
    way = FindPathRequest.model_validate({"user_id": USER.user, "source": start, "target": target})
    found: dict[str, list[float]] = {name: [] for name in (*_STEPS, "a page", "a way")}
    for number in range(rounds + _FIRST):
        wanted = Wanted(f"{dice.choice(WORDS)} 物{dice.randrange(things)}", limit=10, speakers=())
        calls: tuple[Callable[[], Awaitable[object]], ...] = (
            *(partial(search.find, USER, wanted, Way(steps)) for steps in _STEPS.values()),
            partial(reader.get, _CALLER, page),
            partial(reader.path, _CALLER, way),
        )
        for name, call in zip(found, calls, strict=True):
            took = await timed(call, clock)
            if number >= _FIRST:
                found[name].append(took)
    return [Cost(name, median(each)) for name, each in found.items()]


async def _of_various(store: MemoryStore, size: int, rounds: int, clock: Callable[[], float]) -> list[Cost]:
    dice = random.Random(size)
    memories = various(size, dice)
    await fill(store, memories, ((dice.choice(memories), dice.choice(memories)) for _ in range(size // 10)))
    return await costs(store, size // 3, rounds, clock, "我", "人1")


@contextlib.asynccontextmanager
async def sqlite_store() -> AsyncIterator[MemoryStore]:
    """An empty one, without vectors, that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder:
        database = Database(Path(folder) / "store.sqlite3")
        await database.start()
        store = SqliteMemoryStore(database, "", 0, lambda _: None)
        await store.start()
        yield store
        await database.close()


async def on_sqlite(size: int, rounds: int) -> list[Cost]:
    """CPU of this process."""
    async with sqlite_store() as store:
        return await _of_various(store, size, rounds, time.process_time)


async def on_weaviate(size: int, rounds: int) -> list[Cost]:
    """The time that passes: most of it is the server's."""
    with weaviate(os.environ) as server:
        settings = WeaviateSettings(server.url, server.grpc_port, server.api_key, _DEADLINE_S, _DEADLINE_S)
        store = WeaviateMemoryStore(WeaviateConnection(settings), "", 0, Outside(DueTimes(), lambda _: None))
        try:
            await store.start()
            return await _of_various(store, size, rounds, time.perf_counter)
        finally:
            await store.erase_user(USER)
            await store.close()
