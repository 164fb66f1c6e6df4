"""A search among all that many users have, beside what the store itself needs for the same question.

The bare query is the leanest that a program could write against what the store offers, in SQLite an FTS5 index of the
same words in a file beside: nothing of ours is around it, its match expression and vector are ready made, and it reads
ten rows that it does not take apart. Ours reads the query, asks the store, scores the user's whole pool and gives
memories. Who speaks in them it knows, as QueryMemoryContext does from the copy of the user's profile.
"""

import hashlib
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.jobs import cpu_seconds
from benchmarks.memories.material import DIMENSION, NOW_MS, Asked, question
from benchmarks.memories.table import Figure, compared
from memory.language.terms import distinct, terms
from memory.model.search import Vector
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.service.search import MemorySearch, SearchSettings, Wanted, named

LIMIT: Final = 10
NEEDED: Final = 1.5
NEEDED_SQLITE: Final = 1.0
"""Of SQLite's own full-text search, which counts words over all users: ours must not cost more."""
BARE_SQLITE: Final = (
    "bare SQLite, same process: a query of its full-text search (FTS5, bm25()) for the user's rows, their vectors "
    "times the query's (one NumPy product), the sum of both sorted, the documents of the best 10 read as bytes"
)
_ROWS: Final = (
    "SELECT rid, vector FROM memories JOIN entries_1 USING (rid) "  # the only index generation of the file
    "WHERE tenant = ? AND user_id = ? AND archived_ms IS NULL AND superseded_by = ''"
)
_MAKE_BARE: Final = (
    "CREATE VIRTUAL TABLE bare.texts USING fts5 (owner, words, tokenize = 'unicode61 remove_diacritics 0')",
    """INSERT INTO bare.texts (rowid, owner, words)
    SELECT rid, owner(tenant, user_id), words_1.words FROM memories JOIN words_1 USING (rid)""",
)
_MATCH: Final = "SELECT rowid, -bm25(texts, 0.0, 1.0) FROM bare.texts WHERE texts MATCH ?"
_DOCUMENT: Final = "SELECT document FROM memories WHERE rid = ?"
Bare = Callable[[Asked], Awaitable[int]]
"""The store's own query; how many rows it gave."""


class GivenVector:
    """The port Embedder for questions whose vector is there: no embedding is measured."""

    space = "benchmark"
    dimension = DIMENSION

    def __init__(self) -> None:
        self.vector: Vector = np.zeros(DIMENSION, np.float32)

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """As the port says."""
        return [self.vector for _ in texts]

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        """As the port says."""
        return [self.vector for _ in texts]

    async def close(self) -> None:
        """As the port says."""


class FixedClock:
    """The port Clock, standing still until it is set."""

    def __init__(self, now_ms: int = NOW_MS) -> None:
        self.set_ms = now_ms

    def now_ms(self) -> int:
        """As the port says."""
        return self.set_ms


class Spent(NamedTuple):
    """Of one side over a round, for each search: CPU of this process and of the server, and wall time, in ms."""

    cpu_ms: float
    wall_ms: float


@dataclass(frozen=True)
class Sides:
    """Both ways of asking. `server_pid`: of a store's server, whose CPU time counts too; 0: there is none to read."""

    store: MemoryStore
    bare: Bare
    server_pid: int = 0


def questions(seed: int, users: int, memories_of_each: int, count: int) -> list[Asked]:
    """Questions to users all over the store."""
    step = max(1, users // count)
    return [question(seed, number * step % users, memories_of_each, number) for number in range(count)]


async def measure(
    sides: Sides, asked: Sequence[Asked], rounds: int, announce: Callable[[str], None]
) -> list[tuple[Spent, Spent]]:
    """For each round what ours and the bare query spent on each search; within a round they take turns."""
    embedder = GivenVector()
    search = MemorySearch(sides.store, embedder, FixedClock(), SearchSettings())
    speakers = {one.scope: named(await sides.store.speakers(one.scope)) for one in asked}

    async def ours(one: Asked) -> int:
        embedder.vector = one.vector
        return len((await search.find(one.scope, Wanted(one.text, limit=LIMIT, speakers=speakers[one.scope]))).results)

    await _spend(sides, ours, asked)  # both once unmeasured: the file is in memory, the dictionary loaded
    await _spend(sides, sides.bare, asked)
    measured = []
    for number in range(rounds):
        announce(f"searches, round {number + 1} of {rounds}")
        if number % 2:
            own, bare = await _spend(sides, ours, asked), await _spend(sides, sides.bare, asked)
        else:
            bare, own = await _spend(sides, sides.bare, asked), await _spend(sides, ours, asked)
        measured.append((own, bare))
    return measured


async def _spend(sides: Sides, ask: Bare, asked: Sequence[Asked]) -> Spent:
    server = cpu_seconds(sides.server_pid) if sides.server_pid else 0.0
    cpu, wall = time.process_time(), time.perf_counter()
    for one in asked:
        if await ask(one) < LIMIT:
            raise RuntimeError(f"{one.text!r} gave fewer than {LIMIT} memories: there is nothing to compare")
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    server = cpu_seconds(sides.server_pid) - server if sides.server_pid else 0.0
    return Spent((cpu + server) / len(asked) * 1000, wall / len(asked) * 1000)


def bare_sqlite(path: Path) -> Bare:
    """The bare query on a connection of its own. The FTS5 index is made now, terms are cut beforehand."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.create_function("owner", 2, _owner, deterministic=True)
    connection.execute("ATTACH ? AS bare", (str(path.with_suffix(".fts5")),))
    for statement in _MAKE_BARE:
        connection.execute(statement)
    known: dict[str, str] = {}

    async def ask(one: Asked) -> int:
        match = known.get(one.text)
        if match is None:
            words = " OR ".join(f'"{term}"' for term in distinct(terms(one.text)))
            match = known[one.text] = f"owner : {_owner(one.scope.tenant, one.scope.user)} AND words : ({words})"
        return len(_best(connection, one.scope, match, one.vector))

    return ask


def _owner(tenant: str, user: str) -> str:
    """One word for a user, so that a match stays among the user's own rows."""
    return "u" + hashlib.sha256(f"{tenant}/{user}".encode()).hexdigest()[:32]


def _best(connection: sqlite3.Connection, scope: UserScope, match: str, vector: Vector) -> list[str]:
    scores = dict(connection.execute(_MATCH, (match,)).fetchall())
    rows = connection.execute(_ROWS, (scope.tenant, scope.user)).fetchall()
    stored = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
    fit = stored @ vector + np.array([scores.get(row[0], 0.0) for row in rows])
    best = np.argsort(-fit)[:LIMIT]
    return [connection.execute(_DOCUMENT, (rows[place][0],)).fetchone()[0] for place in best]


def figure(
    name: str, against: str, measured: Sequence[tuple[Spent, Spent]], *, by_cpu: bool, needed: float = NEEDED
) -> Figure:
    """The row of a store: by CPU time where all of it can be read, else by wall time."""
    own, bare = zip(*measured, strict=True)
    cpu = compared([one.cpu_ms for one in own], [one.cpu_ms for one in bare])
    wall = compared([one.wall_ms for one in own], [one.wall_ms for one in bare])
    chosen, other, label = (cpu, wall, "wall") if by_cpu else (wall, cpu, "CPU of the client")
    return Figure(
        name,
        "CPU ms a search" if by_cpu else "ms a search",
        against,
        **chosen,
        needed=needed,
        note=f"{label} {other['measured'].median:.2f} ms, ratio {other['ratio'].median:.2f}",
    )
