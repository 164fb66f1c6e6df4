"""Memories on SQLite: FTS5 for words, a dot product over the user's own vectors for meaning."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from memory.errors import SetupError
from memory.model.memory import Memory, from_fields, to_fields
from memory.model.search import (
    Candidate,
    DueMemory,
    Filter,
    IndexEntry,
    MemoryPage,
    Pool,
    Probe,
    Vector,
    require_vector,
)
from memory.ports import Fades
from memory.scope import UserScope
from memory.stores.sqlite.database import SQL, Database, Session, setting

_INDEXED: Final = ("kind", "category", "type", "speaker", "position", "subject", "predicate", "occurred_ms",
                   "valid_from_ms", "valid_to_ms", "superseded_by", "archived_ms")  # fmt: skip

_STEP_PAGES: Final = 64
"""SQLite's own unit of such work; a step is about 4 ms."""
_ERASED_FOR_EACH_STEP: Final = 8
_CHANGES_OF_A_STEP: Final = 2
"""Fewer than these: it had nothing to do (the SQLite documentation of `merge`)."""


class SqliteMemoryStore:
    """The MemoryStore port over a database that others may share."""

    kind = "sqlite"
    erasure = "The bytes are overwritten in the database file and in its log; copies of the file are not ours."

    def __init__(self, database: Database, space: str, dimension: int, fades: Fades) -> None:
        self._database = database
        self._space = space
        self._dimension = dimension
        self._fades = fades

    async def start(self) -> None:
        """Take the vector space of the store, or give it ours. Raises SetupError when it has another one."""
        if self._space:
            await self._database.write(self._claim_space)

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """One transaction: all of them, or none."""
        for entry in entries:
            if entry.vector is not None:
                require_vector(entry.vector, self._dimension)
        await self._database.write(lambda session: self._put(session, scope, entries))

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for."""
        return await self._database.read(lambda session: _get(session, scope, memory_ids))

    async def page(self, scope: UserScope, wanted: Filter, cursor: str, limit: int) -> MemoryPage:
        """Memories in the order of their ids, after `cursor`."""
        where, values = _where(scope, wanted)
        query = f"SELECT document FROM memories WHERE {where} AND memory_id > :cursor ORDER BY memory_id LIMIT :limit"  # noqa: S608 - our own words, values are bound

        def read(session: Session) -> list[sqlite3.Row]:
            return session.connection.execute(query, {**values, "cursor": cursor, "limit": limit + 1}).fetchall()

        found = [_memory(row) for row in await self._database.read(read)]
        more = len(found) > limit
        return MemoryPage(found[:limit], found[limit - 1].memory_id if more else "")

    async def pool(self, scope: UserScope, probe: Probe) -> Pool:
        """The user's records in order, with BM25 by FTS5 and cosines by one product."""
        return await self._database.read(lambda session: _pool(session, scope, probe))

    async def facts(self, scope: UserScope, subject: str, predicate: str) -> list[Memory]:
        """The facts with this subject and predicate that nothing supersedes."""
        names = {"tenant": scope.tenant, "user_id": scope.user, "subject": subject, "predicate": predicate}
        rows = await self._database.read(lambda session: session.rows("live_facts", **names))
        return [_memory(row) for row in rows]

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory]
    ) -> list[Memory]:
        """One transaction that holds the write lock from its start."""

        def work(session: Session) -> list[Memory]:
            with session.transaction():
                changed = [change(memory) for memory in _get(session, scope, memory_ids)]
                for memory in changed:
                    session.write("change_memory", self._columns(scope, memory))
            return changed

        return await self._database.write(work)

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come, by the index on it."""
        rows = await self._database.read(lambda session: session.rows("due_memories", now_ms=now_ms, limit=limit))
        return [DueMemory(*row) for row in rows]

    async def erase(self, scope: UserScope, memory_ids: Sequence[str], *, at_once: bool = True) -> int:
        """Remove records; their bytes are overwritten (secure_delete) and leave the log of writes.

        Not `at_once`: their words leave the index of words as more is erased, about a hundredth of what is stored.
        """
        return await self._erase(
            lambda session: [
                row["rid"]
                for memory_id in memory_ids
                for row in session.rows("rids_by_id", tenant=scope.tenant, user_id=scope.user, memory_id=memory_id)
            ],
            at_once=at_once,
        )

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation, as `erase`."""
        names = {"tenant": scope.tenant, "user_id": scope.user, "conversation": conversation}
        return await self._erase(lambda session: [row["rid"] for row in session.rows("rids_by_conversation", **names)])

    async def erase_user(self, scope: UserScope) -> int:
        """Remove all that is known of a user, as `erase`."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        return await self._erase(lambda session: [row["rid"] for row in session.rows("rids_by_user", **names)])

    async def count(self, scope: UserScope) -> int:
        """How many memories a user has."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        row = await self._database.read(lambda session: session.row("count_memories", **names))
        return int(row["number"]) if row else 0

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered."""
        names = {"tenant": scope.tenant, "user_id": scope.user}
        rows = await self._database.read(lambda session: session.rows("speakers", **names))
        return [str(row["speaker"]) for row in rows]

    def _claim_space(self, session: Session) -> None:
        session.write("put_setting", {"key": "vector_space", "value": self._space})
        stored = setting(session, "vector_space")
        if stored != self._space:
            raise SetupError(
                f"the memories in {self._database.path} have vectors of {stored}, the settings say {self._space}: "
                "vectors of two models can't be compared. Set embeddings back, or begin anew with another data.dir"
            )

    def _put(self, session: Session, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        owner = _owner(scope)
        with session.transaction():
            for entry in entries:
                values = self._columns(scope, entry.memory) | {
                    "asks": int(entry.asks),
                    "timed": int(entry.timed),
                    "vector": None if entry.vector is None else entry.vector.astype(np.float32).tobytes(),
                }
                for row in session.rows("put_memory", **values):  # none when it is there already
                    session.write("put_words", {"rid": row["rid"], "owner": owner, "words": " ".join(entry.terms)})

    def _columns(self, scope: UserScope, memory: Memory) -> dict[str, object]:
        return {
            "tenant": scope.tenant,
            "user_id": scope.user,
            "memory_id": memory.memory_id,
            "document": json.dumps(to_fields(memory), ensure_ascii=False),
            "conversation": memory.source.conversation,
            "unit_id": memory.source.unit_id,
            "forget_ms": self._fades(memory),
            **{name: getattr(memory, name) for name in _INDEXED},
        }

    async def _erase(self, find: Callable[[Session], list[int]], *, at_once: bool = True) -> int:
        def work(session: Session) -> int:
            with session.transaction():
                rids = find(session)
                rows = [{"rid": rid} for rid in rids]
                session.write_many("erase_memory", rows)
                session.write_many("erase_words", rows)
                if rids and at_once:
                    session.connection.execute("INSERT INTO memory_words (memory_words) VALUES ('optimize')")
                elif any(rid % _ERASED_FOR_EACH_STEP == 0 for rid in rids):
                    _clean_words(session.connection)
            if rids:
                session.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(rids)

        return await self._database.write(work)


def _clean_words(connection: sqlite3.Connection) -> None:
    """One step of cleaning the index of words; step by step it is written anew without what was erased."""
    before = connection.total_changes
    step = "INSERT INTO memory_words (memory_words, rank) VALUES ('merge', ?)"
    connection.execute(step, (_STEP_PAGES,))
    if connection.total_changes - before < _CHANGES_OF_A_STEP:  # nothing was under way: begin anew, with all of it
        connection.execute(step, (-_STEP_PAGES,))


def _owner(scope: UserScope) -> str:
    """One word for a user: hexadecimal, so that no id can be anything but a word."""
    return "u" + hashlib.sha256(str(scope).encode()).hexdigest()[:32]


def _memory(row: sqlite3.Row) -> Memory:
    return from_fields(json.loads(row["document"]))


def _get(session: Session, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
    found = (
        session.row("get_memory", tenant=scope.tenant, user_id=scope.user, memory_id=memory_id)
        for memory_id in memory_ids
    )
    return [_memory(row) for row in found if row is not None]


def _where(scope: UserScope, wanted: Filter) -> tuple[str, dict[str, object]]:
    """The filter in SQL: which records, and the values that are bound."""
    parts = ["tenant = :tenant", "user_id = :user_id", "archived_ms IS NULL"]
    values: dict[str, object] = {"tenant": scope.tenant, "user_id": scope.user}
    for column, chosen in (("kind", wanted.kinds), ("category", wanted.categories), ("type", wanted.types)):
        if chosen:
            parts.append(f"{column} IN ({', '.join(f':{column}{i}' for i in range(len(chosen)))})")
            values |= {f"{column}{i}": str(value) for i, value in enumerate(chosen)}
    limits: Mapping[str, tuple[str, object]] = {
        "conversation": ("conversation = :conversation", wanted.conversation or None),
        "from_ms": ("occurred_ms >= :from_ms", wanted.from_ms),
        "to_ms": ("occurred_ms < :to_ms", wanted.to_ms),
        "as_of_ms": (
            "coalesce(valid_from_ms, occurred_ms) <= :as_of_ms AND coalesce(valid_to_ms, :as_of_ms + 1) > :as_of_ms",
            wanted.as_of_ms,
        ),
    }
    for name, (condition, value) in limits.items():
        if value is not None:
            parts.append(condition)
            values[name] = value
    if wanted.as_of_ms is None:
        parts.append("superseded_by = ''")
    return " AND ".join(parts), values


def _pool(session: Session, scope: UserScope, probe: Probe) -> Pool:
    where, values = _where(scope, probe.filter)
    vector = "vector" if probe.vector is not None else "NULL AS vector"
    rows = session.connection.execute(
        "SELECT rid, memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, "  # noqa: S608 - as above
        f"{vector} FROM memories WHERE {where} ORDER BY unit_id, position",
        values,
    ).fetchall()
    candidates = [_candidate(row) for row in rows]
    lexical, words = np.zeros(len(rows)), {}
    if probe.terms and rows:
        query = SQL["match_words_with_text" if probe.with_words else "match_words"]
        found = session.connection.execute(query, {"match": match_expression(scope, probe.terms)}).fetchall()
        scores = {row["rid"]: row["score"] for row in found}
        lexical = np.array([scores.get(row["rid"], 0.0) for row in rows])
        if probe.with_words:
            ids = {row["rid"]: row["memory_id"] for row in rows}
            words = {ids[row["rid"]]: row["words"] for row in found if row["rid"] in ids}
    return Pool(candidates, lexical, _cosines(rows, probe.vector), words)


def _candidate(row: sqlite3.Row) -> Candidate:
    _, memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, _ = row
    return Candidate(memory_id, kind, unit_id, position, speaker, occurred_ms, bool(asks), bool(timed))


def match_expression(scope: UserScope, terms: Sequence[str]) -> str:
    """The FTS5 expression. Terms are letters and digits only (memory/language/terms.py), and quoted."""
    words = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
    return f"owner : {_owner(scope)} AND words : ({words})"


def _cosines(rows: Sequence[sqlite3.Row], vector: Vector | None) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    cosines = np.full(len(rows), np.nan)
    if vector is None:
        return cosines
    having = [index for index, row in enumerate(rows) if row["vector"] is not None]
    if having:
        stored = np.frombuffer(b"".join(rows[index]["vector"] for index in having), np.float32)
        cosines[having] = stored.reshape(len(having), -1) @ vector
    return cosines
