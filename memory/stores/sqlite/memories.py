"""Memories on SQLite: records, and beside them their entries in each index generation."""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Final

import numpy as np

from memory import fences as fence_names
from memory.language.terms import TERMS_VERSION
from memory.limits import INDEXES_KEPT_BYTES_MAX, LARGE_INDEXES_KEPT_BYTES_MAX, LINKS_PER_MEMORY_MAX
from memory.model.generation import Generation
from memory.model.memory import Kind, Memory, from_fields, to_fields
from memory.model.review import Cause, OpenReview, ReviewPlace, no_question
from memory.model.search import (
    DueMemory,
    Filter,
    IndexEntry,
    MemoryPage,
    Pool,
    Probe,
    Unindexed,
    Vector,
    require_vector,
)
from memory.ports import Asks, Counted, ErasedFiles, Fades
from memory.scope import Fence, UserScope
from memory.stores.sqlite import erasures, indexes
from memory.stores.sqlite.database import Database, Session
from memory.stores.sqlite.kept import QUERIES, Change, KeptIndexes, version
from memory.stores.sqlite.pooling import Reading, TooManyRecords, pool, where
from memory.stores.sqlite.words import counts

_PAGE: Final = 200
_READ_AT_ONCE_MAX: Final = 4_000
"""Records of a user: they are decoded in less than 0.1 s, for which others can wait."""
_COUNTS: Final = {None: "count_memories", Kind.CREATED: "count_created", Kind.LINK: "count_links"}
_INDEXED: Final = ("kind", "category", "type", "speaker", "position", "subject", "predicate", "occurred_ms",
                   "valid_from_ms", "valid_to_ms", "superseded_by", "archived_ms")  # fmt: skip


class SqliteMemoryStore:
    """The MemoryStore port over a database that others may share."""

    kind = "sqlite"
    erasure = "The bytes are overwritten in the database file and in its log; copies of the file are not ours."

    def __init__(
        self,
        database: Database,
        space: str,
        dimension: int,
        fades: Fades,
        *,
        asks: Asks = no_question,
        terms_version: int = TERMS_VERSION,
    ) -> None:
        self._database = database
        self._wanted = Generation(space, terms_version)
        self._dimension = dimension
        self._fades = fades
        self._asks = asks
        self._number = 0
        self.files: ErasedFiles | None = erasures.ErasedFile(database)
        self._kept = KeptIndexes(INDEXES_KEPT_BYTES_MAX)
        self._kept_large = KeptIndexes(LARGE_INDEXES_KEPT_BYTES_MAX, share_max=1)
        """Of users with more than `_READ_AT_ONCE_MAX` records, for the thread of long reads."""

    async def start(self, *, build: bool = False) -> None:
        """Take the index generation of the settings; make it in a store without memories, or with `build`.

        Raises SetupError when it is not there or not complete: then it is to be built.
        """
        where = str(self._database.path)

        def take(session: Session) -> int:
            session.connection.executescript(QUERIES["make"])
            return indexes.take(session, self._wanted, where, build=build)

        self._number = await self._database.write(take)

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As they stand in the file."""
        return await self._database.look(lambda session: erasures.standing(session, names))

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """All of them, or none; in one transaction with what others put at the same time."""
        self._require_vectors(entries)
        await self._database.write_together(lambda session: self._put(session, scope, entries))

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for."""
        return await self._database.look(
            lambda session: self._kept.documents(session, scope, memory_ids, partial(_document, session, scope))
        )

    async def owner(self, tenant: str, memory_id: str) -> UserScope | None:
        """One row, by an index of its own."""
        names = {"tenant": tenant, "memory_id": memory_id}
        row = await self._database.read(lambda session: session.row("owner_of_memory", **names))
        return UserScope(tenant, row["user_id"]) if row else None

    async def page(self, scope: UserScope, wanted: Filter, cursor: str, limit: int) -> MemoryPage:
        """Memories in the order of their ids, after `cursor`."""
        condition, values = where(scope, wanted)
        query = (
            f"SELECT document FROM memories WHERE {condition} AND memory_id > :cursor ORDER BY memory_id LIMIT :limit"  # noqa: S608 - our own words, values are bound
        )

        def read(session: Session) -> list[sqlite3.Row]:
            return session.connection.execute(query, {**values, "cursor": cursor, "limit": limit + 1}).fetchall()

        found = [_memory(row) for row in await self._database.read(read)]
        more = len(found) > limit
        return MemoryPage(found[:limit], found[limit - 1].memory_id if more else "")

    async def pool(self, scope: UserScope, probe: Probe) -> Pool:
        """The user's records in order; BM25 and cosines by one product each.

        Who has very many is searched where only others like that wait for it.
        """

        def work(kept: KeptIndexes, records_max: int | None, session: Session) -> Pool:
            reading = Reading(session, self._number, partial(_document, session, scope), records_max)
            return pool(reading, scope, probe, kept)

        try:
            found = await self._database.read(partial(work, self._kept, _READ_AT_ONCE_MAX))
        except TooManyRecords:
            return await self._database.read_long(partial(work, self._kept_large, None))
        if self._kept_large.holds(scope):  # it had more once
            await self._database.read_long(lambda _: self._kept_large.drop(scope))
        return found

    async def facts(self, scope: UserScope, subject: str, predicate: str) -> list[Memory]:
        """The facts with this subject and predicate that nothing supersedes."""
        return await self._told("live_facts", scope, subject=subject, predicate=predicate)

    async def saying(self, scope: UserScope, text: str) -> list[Memory]:
        """By an index of texts."""
        return await self._told("saying", scope, text=text)

    async def links(self, scope: UserScope, memory_ids: Sequence[str], most: int | None = None) -> list[Memory]:
        """Two looks for each into indexes of links alone: by their sources, by their targets."""
        names = {**_of(scope), "ids": json.dumps(list(memory_ids))}
        bounds = {"most": most, "most_of_each": LINKS_PER_MEMORY_MAX} if most else {"most": -1, "most_of_each": -1}
        rows = await self._database.read(lambda session: session.rows("links", **names, **bounds))
        return [_memory(row) for _, row in sorted({row["memory_id"]: row for row in rows}.items())]

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory], *, reopen: bool = False
    ) -> list[Memory]:
        """One transaction that holds the write lock from its start."""

        def work(session: Session) -> list[Memory]:
            with session.transaction():
                erasures.require(session, scope.fences)
                before = version(session, scope)
                changed = [change(memory) for memory in _get(session, scope, memory_ids)]
                for memory in changed:
                    session.write("change_memory", self._columns(scope, memory))
                    self._note_question(session, scope, memory)
                for rid in _rids(scope, [memory.memory_id for memory in changed], session) if reopen else ():
                    indexes.run(session, "reopen_entry", self._number, {"rid": rid})
                after = version(session, scope)
            for kept in (self._kept, self._kept_large):
                kept.changed(Change(scope, before, after, changed))
            return changed

        return await self._database.write(work)

    async def retime(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """As a change that changes nothing: both stand beside the record."""
        await self.change(scope, memory_ids, lambda memory: memory)

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come, by the index on it."""
        rows = await self._database.read(lambda session: session.rows("due_memories", now_ms=now_ms, limit=limit))
        return [DueMemory(*row) for row in rows]

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """Rows beside the records that ask, by the index on their order."""
        names = {"tenant": tenant, "cause": str(cause), "now_ms": now_ms, "limit": limit}
        place = {"after_ms": after.opened_ms, "after_id": after.memory_id}
        rows = await self._database.read(lambda session: session.rows("open_reviews", **names, **place))
        return [OpenReview(*row) for row in rows]

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """By the same index."""
        names = {"tenant": tenant, "cause": str(cause), "now_ms": now_ms}
        row = await self._database.read(lambda session: session.row("count_reviews", **names))
        return int(row["number"]) if row else 0

    async def erase(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """Remove records from every generation; their bytes are overwritten (secure_delete) and leave the log."""
        return await self._erase(scope, partial(_rids, scope, memory_ids)) if memory_ids else 0

    async def forget(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """As `erase`; the user's fence rises in the same transaction."""
        return await self._erase(scope, partial(_rids, scope, memory_ids), forget=True)

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation, as `erase`."""
        names = {**_of(scope), "conversation": conversation}
        return await self._erase(scope, partial(_named_rids, "rids_by_conversation", names), forget=True)

    async def erase_user(self, scope: UserScope) -> int:
        """Remove all that is known of a user, as `erase`."""
        return await self._erase(scope, partial(_named_rids, "rids_by_user", _of(scope)), forget=True)

    async def count(self, scope: UserScope, kind: Counted | None = None) -> int:
        """How many memories a user has; of those that tools made by an index of them alone."""
        row = await self._database.look(lambda session: session.row(_COUNTS[kind], **_of(scope)))
        return int(row["number"]) if row else 0

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered."""
        rows = await self._database.read(lambda session: session.rows("speakers", **_of(scope)))
        return [str(row["speaker"]) for row in rows]

    async def users(self) -> AsyncIterator[UserScope]:
        """Everybody with memories, by tenant and user."""
        last = {"tenant": "", "user_id": ""}
        while rows := await self._database.read(methodcaller("rows", "memory_users", **last, limit=_PAGE)):
            for row in rows:
                yield UserScope(row["tenant"], row["user_id"])
            last = {"tenant": rows[-1]["tenant"], "user_id": rows[-1]["user_id"]}

    async def count_users(self) -> int:
        """How many users have memories."""
        rows = await self._database.read(lambda session: session.rows("count_memory_users"))
        return int(rows[0]["number"])

    async def entries(self, scope: UserScope) -> AsyncIterator[IndexEntry]:
        """All records with their entries of this generation, ordered by id."""
        async for rows in self._pages("entries", scope):
            for row in rows:
                words = (row["words"] or "").split()
                flags = {"asks": bool(row["asks"]), "timed": bool(row["timed"]), "is_open": bool(row["pending"])}
                yield IndexEntry(_memory(row), words, _vector(row["vector"]), **flags)

    async def unindexed(self, scope: UserScope) -> AsyncIterator[Sequence[Unindexed]]:
        """Records whose entry of this generation is not complete, some at a time."""
        async for rows in self._pages("open_entries", scope):
            rids = [row["rid"] for row in rows]
            read = partial(indexes.vectors_elsewhere, rids=rids, own=self._number, space=self._wanted.space)
            vectors = map(_vector, await self._database.read(read))
            yield [Unindexed(_memory(row), vector) for row, vector in zip(rows, vectors, strict=True)]

    async def complete(self, scope: UserScope, entries: Sequence[IndexEntry]) -> int:
        """One transaction: all of them, or none."""
        self._require_vectors(entries)
        return await self._database.write(lambda session: self._complete(session, scope, entries))

    async def generations(self) -> list[Generation]:
        """What the file has; this store's own is the first."""
        there = await self._database.read(lambda session: indexes.all_with(session, self._number))
        return [each.generation for each in sorted(there, key=lambda each: each.number != self._number)]

    async def make_ready(self) -> None:
        """From now on gateways may start with this generation."""
        await self._database.write(lambda session: session.write("ready_generation", {"number": self._number}))

    async def drop_others(self) -> list[Generation]:
        """Remove all generations but this one, with their bytes."""
        return await self._database.write(lambda session: indexes.drop_others(session, self._number))

    async def _pages(self, query: str, scope: UserScope) -> AsyncIterator[Sequence[sqlite3.Row]]:
        statement, last = indexes.sql(query, self._number), ""
        names = {**_of(scope), "limit": _PAGE}
        while rows := await self._database.read(partial(_fetch, statement, {**names, "after": last})):
            yield rows
            last = rows[-1]["memory_id"]

    def _require_vectors(self, entries: Sequence[IndexEntry]) -> None:
        for entry in entries:
            if entry.vector is not None:
                require_vector(entry.vector, self._dimension)

    def _put(self, session: Session, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        erasures.require(session, scope.fences)
        there = indexes.all_with(session, self._number)
        for entry in entries:
            for row in session.rows("put_memory", **self._columns(scope, entry.memory)):  # none when it is there
                if self._asks(entry.memory) is not None:
                    self._note_question(session, scope, entry.memory)
                for each in there:
                    self._put_entry(session, each, row["rid"], entry)

    def _note_question(self, session: Session, scope: UserScope, memory: Memory) -> None:
        names = {**_of(scope), "memory_id": memory.memory_id}
        question = self._asks(memory)
        if question is None:
            session.write("drop_review", names)
        else:
            session.write("put_review", {**names, "cause": str(question.cause), "opened_ms": question.opened_ms})

    def _put_entry(self, session: Session, kept: indexes.Kept, rid: int, entry: IndexEntry) -> None:
        """The whole entry in our own generation; in another one the words, if they are cut alike: the rest is open."""
        own = kept.number == self._number
        values = {
            "rid": rid,
            "asks": int(entry.asks),
            "timed": int(entry.timed),
            "vector": entry.vector.astype(np.float32).tobytes() if own and entry.vector is not None else None,
            "pending": int(entry.is_open or not own),
        }
        indexes.run(session, "put_entry", kept.number, values)
        if kept.generation.terms == self._wanted.terms:
            words = {"rid": rid, "counts": counts(entry.terms), "words": " ".join(entry.terms)}
            indexes.run(session, "put_words", kept.number, words)

    def _complete(self, session: Session, scope: UserScope, entries: Sequence[IndexEntry]) -> int:
        done = 0
        with session.transaction():
            own = next(each for each in indexes.all_with(session, self._number) if each.number == self._number)
            for entry in entries:
                names = {**_of(scope), "memory_id": entry.memory.memory_id}
                for row in _fetch(indexes.sql("open_entry", self._number), names, session):
                    if _memory(row).text == entry.memory.text:
                        self._put_entry(session, own, row["rid"], entry)
                        done += 1
            session.connection.execute(QUERIES["entries_changed"], _of(scope))
        return done

    def _columns(self, scope: UserScope, memory: Memory) -> dict[str, object]:
        return {
            **_of(scope),
            "memory_id": memory.memory_id,
            "document": json.dumps(to_fields(memory), ensure_ascii=False),
            "conversation": memory.source.conversation,
            "unit_id": memory.source.unit_id,
            "forget_ms": self._fades(memory),
            **{name: getattr(memory, name) for name in _INDEXED},
        }

    async def _told(self, query: str, scope: UserScope, **names: str) -> list[Memory]:
        rows = await self._database.look(lambda session: session.rows(query, **_of(scope), **names))
        return [_memory(row) for row in rows]

    async def _erase(self, scope: UserScope, find: Callable[[Session], list[int]], *, forget: bool = False) -> int:
        def work(session: Session) -> int:
            with erasures.erasing(session):
                erasures.require(session, scope.fences)
                if forget:
                    erasures.raise_fences(session, [fence_names.of_user(scope)])
                rids = find(session)
                rows = [{"rid": rid} for rid in rids]
                session.write_many("erase_memory", rows)
                for number, _ in indexes.kept(session) if rids else ():
                    indexes.erase(session, number, rids)
            return len(rids)

        return await self._database.write(work)


def _of(scope: UserScope) -> dict[str, str]:
    return {"tenant": scope.tenant, "user_id": scope.user}


def _memory(row: sqlite3.Row) -> Memory:
    return from_fields(json.loads(row["document"]))


def _get(session: Session, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
    documents = (_document(session, scope, memory_id) for memory_id in memory_ids)
    return [from_fields(json.loads(document)) for document in documents if document is not None]


def _document(session: Session, scope: UserScope, memory_id: str) -> str | None:
    row = session.row("get_memory", **_of(scope), memory_id=memory_id)
    return None if row is None else str(row["document"])


def _rids(scope: UserScope, memory_ids: Sequence[str], session: Session) -> list[int]:
    found = (session.row("rids_by_id", **_of(scope), memory_id=memory_id) for memory_id in memory_ids)
    return [row["rid"] for row in found if row is not None]


def _named_rids(query: str, names: Mapping[str, object], session: Session) -> list[int]:
    return [row["rid"] for row in session.rows(query, **names)]


def _vector(blob: bytes | None) -> Vector | None:
    return None if blob is None else np.frombuffer(blob, np.float32)


def _fetch(statement: str, values: Mapping[str, object], session: Session) -> list[sqlite3.Row]:
    return session.connection.execute(statement, values).fetchall()
