"""The pool of a search on SQLite: the user's own records, their words and vectors compared in one product each."""

import json
import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np

from memory.model.search import Candidate, Filter, Pool, Probe, Vector
from memory.scope import UserScope
from memory.stores.sqlite.database import Session
from memory.stores.sqlite.indexes import sql
from memory.stores.sqlite.words import scores


def where(scope: UserScope, wanted: Filter) -> tuple[str, dict[str, object]]:
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


def pool(session: Session, number: int, scope: UserScope, probe: Probe) -> Pool:
    """What a probe finds in generation `number`: the user's records in order, with BM25 and cosines."""
    condition, values = where(scope, probe.filter)
    vector = "vector" if probe.vector is not None else "NULL"
    counts = "counts" if probe.terms else "NULL"
    rows = session.connection.execute(
        "SELECT memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, rid, "  # noqa: S608 - our own words, values are bound
        f"{vector} AS vector, {counts} AS counts FROM memories JOIN entries_{number} USING (rid) "
        f"LEFT JOIN words_{number} USING (rid) WHERE {condition} ORDER BY unit_id, position",
        values,
    ).fetchall()
    candidates = [_candidate(row) for row in rows]
    lexical = scores([row["counts"] or b"" for row in rows], probe.terms) if probe.terms else np.zeros(len(rows))
    matched = [row for row, score in zip(rows, lexical, strict=True) if score > 0] if probe.with_words else []
    return Pool(candidates, lexical, _cosines(rows, probe.vector), _texts(session, number, matched))


def _texts(session: Session, number: int, rows: Sequence[sqlite3.Row]) -> dict[str, str]:
    """The words of records, by id."""
    rids = json.dumps([row["rid"] for row in rows])
    kept = session.connection.execute(sql("words_of", number), {"rids": rids}).fetchall() if rows else []
    texts = {each["rid"]: each["words"] for each in kept}
    return {row["memory_id"]: texts[row["rid"]] for row in rows}


def _candidate(row: sqlite3.Row) -> Candidate:
    memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, *_ = row
    return Candidate(memory_id, kind, unit_id, position, speaker, occurred_ms, bool(asks), bool(timed))


def _cosines(rows: Sequence[sqlite3.Row], vector: Vector | None) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    cosines = np.full(len(rows), np.nan)
    if vector is None:
        return cosines
    having = [index for index, row in enumerate(rows) if row["vector"] is not None]
    if having:
        stored = np.frombuffer(b"".join(rows[index]["vector"] for index in having), np.float32)
        cosines[having] = stored.reshape(len(having), -1) @ vector
    return cosines
