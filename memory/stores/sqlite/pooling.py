"""The pool of a search on SQLite: FTS5 for words, a dot product over the user's own vectors for meaning."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np

from memory.model.search import Candidate, Filter, Pool, Probe, Vector
from memory.scope import UserScope
from memory.stores.sqlite.database import Session
from memory.stores.sqlite.indexes import sql


def owner(scope: UserScope) -> str:
    """One word for a user: hexadecimal, so that no id can be anything but a word."""
    return "u" + hashlib.sha256(str(scope).encode()).hexdigest()[:32]


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
    vector = "vector" if probe.vector is not None else "NULL AS vector"
    rows = session.connection.execute(
        "SELECT rid, memory_id, kind, unit_id, position, speaker, occurred_ms, asks, timed, "  # noqa: S608 - our own words, values are bound
        f"{vector} FROM memories JOIN entries_{number} USING (rid) WHERE {condition} ORDER BY unit_id, position",
        values,
    ).fetchall()
    candidates = [_candidate(row) for row in rows]
    lexical, words = np.zeros(len(rows)), {}
    if probe.terms and rows:
        query = sql("match_words_with_text" if probe.with_words else "match_words", number)
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
    return f"owner : {owner(scope)} AND words : ({words})"


def _cosines(rows: Sequence[sqlite3.Row], vector: Vector | None) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    cosines = np.full(len(rows), np.nan)
    if vector is None:
        return cosines
    having = [index for index, row in enumerate(rows) if row["vector"] is not None]
    if having:
        stored = np.frombuffer(b"".join(rows[index]["vector"] for index in having), np.float32)
        cosines[having] = stored.reshape(len(having), -1) @ vector
    return cosines
