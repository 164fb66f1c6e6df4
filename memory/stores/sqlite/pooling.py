"""The pool of a search on SQLite: the user's own records, their words and vectors compared at once."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from memory.model.search import Candidate, Filter, Pool, Probe, columns_of
from memory.scope import UserScope
from memory.stores.sqlite.database import Session
from memory.stores.sqlite.indexes import sql
from memory.stores.sqlite.kept import KeptIndexes, UserIndex
from memory.stores.sqlite.words import Words


class TooManyRecords(Exception):  # noqa: N818 - no fault: it is read elsewhere
    """There are more than may be read here."""


class Reading(NamedTuple):
    """How a pool is read: of which generation, a record by its id (as JSON), and how many there may be; None: any."""

    session: Session
    number: int
    document: Callable[[str], str | None]
    records_max: int | None


def where(scope: UserScope, wanted: Filter) -> tuple[str, dict[str, object]]:
    """The filter in SQL: which records, and the values that are bound."""
    parts = ["tenant = :tenant", "user_id = :user_id"]
    if not wanted.with_archived:
        parts.append("archived_ms IS NULL")
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
    if wanted.as_of_ms is None and not wanted.with_past:
        parts.append("superseded_by = ''")
    return " AND ".join(parts), values


def pool(reading: Reading, scope: UserScope, probe: Probe, kept: KeptIndexes) -> Pool:
    """What a probe finds: the user's records in order, with BM25 and cosines. Raises TooManyRecords."""
    session, number = reading.session, reading.number
    index = kept.index(session, scope, probe, lambda: _read(reading, scope, probe))
    lexical = index.lexical(probe.terms)
    texts: Mapping[str, str] = {}
    if probe.with_words:
        places = np.flatnonzero(lexical > 0).tolist()
        texts = _texts(session, number, {index.rids[place]: index.candidates[place].memory_id for place in places})
    found = Pool(index.candidates, lexical, index.cosines(probe.vector), texts, known=index.columns)
    if probe.compared is not None and found.candidates:
        found = replace(found, compared=index.compared(probe.compared(found)))
    if probe.nearest is None or not found.candidates:
        return found
    near = kept.documents_beside(scope, probe.nearest(found), reading.document)
    return replace(found, read={memory.memory_id: memory for memory in near})


def _read(reading: Reading, scope: UserScope, probe: Probe) -> UserIndex:
    session, number, _, most = reading
    condition, values = where(scope, probe.filter)
    vector = "vector" if probe.needs_vectors else "NULL AS vector"
    if most is not None:
        counted = f"SELECT count(*) FROM (SELECT 1 FROM memories WHERE {condition} LIMIT {most + 1})"  # noqa: S608 - as below
        if session.connection.execute(counted, values).fetchone()[0] > most:
            raise TooManyRecords
    rows = session.connection.execute(
        f"SELECT memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, rid, {vector}, counts "  # noqa: S608 - our own words, values are bound
        f"FROM memories JOIN entries_{number} USING (rid) LEFT JOIN words_{number} USING (rid) "
        f"WHERE {condition} ORDER BY unit_id, position",
        values,
    ).fetchall()
    candidates = [_candidate(row) for row in rows]
    having = [place for place, row in enumerate(rows) if row["vector"] is not None]
    vectors = np.frombuffer(b"".join(rows[place]["vector"] for place in having), np.float32)
    return UserIndex(
        rids=[row["rid"] for row in rows],
        candidates=candidates,
        columns=columns_of(candidates),
        words=Words([row["counts"] or b"" for row in rows]),
        having=np.array(having, np.intp),
        vectors=vectors.reshape(len(having), -1) if having else np.zeros((0, 0), np.float32),
        by_meaning=probe.needs_vectors,
    )


def _texts(session: Session, number: int, names: Mapping[int, str]) -> dict[str, str]:
    """The words of records, by id."""
    rids = json.dumps(list(names))
    kept = session.connection.execute(sql("words_of", number), {"rids": rids}).fetchall() if names else []
    return {names[each["rid"]]: each["words"] for each in kept}


def _candidate(row: sqlite3.Row) -> Candidate:
    memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, *_ = row
    return Candidate(memory_id, kind, unit_id, position, speaker, occurred_ms, bool(asks), bool(timed))
