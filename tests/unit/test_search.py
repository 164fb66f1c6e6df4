"""A search reads few records; the answer is as if it had read them all."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.search import IndexEntry, Vector
from memory.retrieval.decay import DAY_MS
from memory.scope import UserScope
from memory.service.search import MemorySearch, SearchSettings, Wanted
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

NOW_MS = 1_763_764_800_000
ANN = UserScope("t", "ann")
LIMIT = 5


class Given:
    """An embedder and a clock that say what the test says."""

    space, dimension = "test", 4

    def now_ms(self) -> int:
        return NOW_MS

    async def queries(self, texts: Any) -> list[Vector]:
        return [direction(0) for _ in texts]

    async def passages(self, texts: Any) -> list[Vector]:
        return [direction(0) for _ in texts]

    async def close(self) -> None:
        pass


def direction(number: int) -> Vector:
    vector = np.random.default_rng(number).normal(size=4)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def entry(number: int) -> IndexEntry:
    unit = f"unit-{number // 10}"
    memory = Memory(
        memory_id=f"00000000-0000-4000-8000-{number:012}",
        user_id="ann",
        kind=Kind.EPISODE,
        category=Category.EPISODE,
        type=Type.EVENT,
        text=f"text {number}",
        source=Source("c", unit, (number,), "text"),
        occurred_ms=NOW_MS,
        recorded_ms=NOW_MS - number * 7 % 90 * DAY_MS,
        speaker="Bob",
        position=number % 10 + 1,
    )
    return IndexEntry(memory, ["kidney"] * (number % 3 + 1), direction(number))


@pytest.mark.parametrize("time_weight", [0.0, 0.2, 0.9, 1.0])
async def test_first_of_a_search_are_those_of_a_longer_one(tmp_path: Path, time_weight: float) -> None:
    long_term, given = SqliteLongTermStore(tmp_path / "memories.db"), Given()
    await long_term.start()
    store = SqliteMemoryStore(long_term.database, given.space, given.dimension, lambda _memory: None)
    await store.start()
    await store.put(ANN, [entry(number) for number in range(LIMIT * 4)])
    search = MemorySearch(store, given, given, SearchSettings(time_weight=time_weight))
    wanted = Wanted("kidney", limit=LIMIT)
    few = (await search.find(ANN, wanted)).results
    every = (await search.find(ANN, replace(wanted, limit=LIMIT * 4))).results
    await long_term.close()
    assert few == every[:LIMIT]
    by_fit = sorted(every, key=lambda one: -one.parts["relevance"])
    assert (list(every) == by_fit) is (time_weight == 0.0)
