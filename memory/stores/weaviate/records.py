"""A memory as an object of Weaviate, and a filter of ours in its terms."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from memory.errors import InvalidInput, InvariantBroken
from memory.model.memory import Memory, from_fields, to_fields, user_key
from memory.model.search import Candidate, IndexEntry, Vector, require_vector
from memory.model.search import Filter as Wanted
from memory.scope import UserScope
from memory.stores.weaviate.driver import DataObject, Filter
from memory.stores.weaviate.schema import DOCUMENT, FILTERED, OWNER, PENDING, SCORED, WORDS

Properties = dict[str, Any]

_INTEGER_MAX: Final = 2**53 - 1
"""Weaviate keeps integers as doubles: a larger one would be stored as another number, without an error."""
_TIMES: Final = ("occurred_ms", "recorded_ms", "valid_from_ms", "valid_to_ms", "archived_ms", "position")
_ORDER_DIGITS: Final = 13


def tenant_name(scope: UserScope) -> str:
    """A user's tenant: Weaviate's names know neither `/` nor more than 64 characters."""
    return user_key(scope.tenant, scope.user)


def is_id(memory_id: str) -> bool:
    """Whether it can be the id of a record: a UUID as it is written. The nil UUID has none before it."""
    try:
        return str(uuid.UUID(memory_id)) == memory_id and memory_id.strip("0-") != ""
    except ValueError:
        return False


def before(memory_id: str) -> str:
    """The id just before: reading on after it starts with this one."""
    return str(uuid.UUID(int=uuid.UUID(memory_id).int - 1))


def id_order(memory_id: str) -> int:
    """The first 52 bits of an id: the order of the ids, as far as an integer of Weaviate's holds it."""
    return int(memory_id.replace("-", "")[:_ORDER_DIGITS], 16)


def require_storable(entry: IndexEntry, dimension: int) -> None:
    """Raise InvariantBroken for what Weaviate would store as something else, or that would spoil a search."""
    memory = entry.memory
    if not is_id(memory.memory_id):
        raise InvariantBroken("a memory's id is not a UUID")
    for name in _TIMES:
        value = getattr(memory, name)
        if value is not None and abs(value) > _INTEGER_MAX:
            raise InvariantBroken(f"{name} is beyond what the store keeps exactly")
    if entry.vector is not None:
        require_vector(entry.vector, dimension)


def columns(memory: Memory) -> Properties:
    """What changes with the record. A time that is not set is None: absent in Weaviate, never a far date."""
    return {
        DOCUMENT: json.dumps(to_fields(memory), ensure_ascii=False),
        "kind": str(memory.kind),
        "category": str(memory.category),
        "type": str(memory.type),
        "speaker": memory.speaker,
        "subject": memory.subject,
        "predicate": memory.predicate,
        "occurred_ms": memory.occurred_ms,
        "held_from_ms": memory.held_from_ms,
        "valid_to_ms": memory.valid_to_ms,
        "archived": memory.archived_ms is not None,
        "superseded": memory.superseded_by != "",
    }


def to_object(scope: UserScope, entry: IndexEntry) -> DataObject[Properties, None]:
    """The object that is stored for an entry."""
    memory = entry.memory
    properties = columns(memory) | {
        WORDS: " ".join(entry.terms),
        "conversation": memory.source.conversation,
        SCORED: _scored(memory, asks=bool(entry.asks), timed=bool(entry.timed)),
        "id_order": id_order(memory.memory_id),
        OWNER: str(scope),
        PENDING: entry.is_open,
    }
    present = {name: value for name, value in properties.items() if value is not None}
    return made_object(memory.memory_id, present, entry.vector)


def changed_columns(memory: Memory, scored: str, *, reopen: bool = False) -> Properties:
    """What is written when a record has changed; what its entry said of its text stays, open with `reopen`."""
    *_, asks, timed = json.loads(scored)
    opened = {PENDING: True} if reopen else {}
    return columns(memory) | {SCORED: _scored(memory, asks=asks, timed=timed)} | opened


def made_object(memory_id: str, properties: Properties, vector: Vector | None) -> DataObject[Properties, None]:
    """An object as the client takes it."""
    if vector is None:
        return DataObject(properties=properties, uuid=memory_id)
    return DataObject(properties=properties, uuid=memory_id, vector=np.asarray(vector, np.float32).tolist())


def to_memory(properties: Mapping[str, Any]) -> Memory:
    """The record that an object is of."""
    return of_document(properties[DOCUMENT])


def of_document(document: str) -> Memory:
    """The same, where only its document was read."""
    return from_fields(json.loads(document))


def among(ids: Sequence[str]) -> Any:
    """A filter: one of these objects."""
    return Filter.by_id().contains_any(list(ids))


def to_candidates(scored: Mapping[str, str]) -> dict[str, Candidate]:
    """What scoring needs of records, by id. Read as one array: singly they cost four times that."""
    parts = json.loads(f"[{','.join(scored.values())}]")
    return {memory_id: Candidate(memory_id, *each) for memory_id, each in zip(scored, parts, strict=True)}


def open_objects(scope: UserScope, entries: Sequence[IndexEntry], *, words: bool) -> list[DataObject[Properties, None]]:
    """What another generation gets of entries of ours: with `words` when they are cut alike there; the rest is open."""
    bare = (each._replace(vector=None, terms=each.terms if words else (), is_open=True) for each in entries)
    return [to_object(scope, entry) for entry in bare]


def to_entry(properties: Mapping[str, Any], vector: Vector | None) -> IndexEntry:
    """The entry that an object was made of."""
    *_, asks, timed = json.loads(properties[SCORED])
    words = properties[WORDS].split()
    is_open = bool(properties.get(PENDING))
    return IndexEntry(to_memory(properties), words, vector, asks=asks, timed=timed, is_open=is_open)


def _scored(memory: Memory, *, asks: bool, timed: bool) -> str:
    candidate = Candidate(
        memory.memory_id,
        str(memory.kind),
        memory.source.unit_id,
        memory.position,
        memory.speaker,
        memory.occurred_ms,
        asks,
        timed,
    )
    return json.dumps(candidate[1:], ensure_ascii=False)


def where(wanted: Wanted) -> Any:
    """The filter in Weaviate's terms."""
    parts = [] if wanted.with_archived else [_is("archived", value=False)]
    for name, chosen in (("kind", wanted.kinds), ("category", wanted.categories), ("type", wanted.types)):
        if chosen:
            parts.append(Filter.by_property(name).contains_any([str(value) for value in chosen]))
    if wanted.conversation:
        parts.append(_is("conversation", wanted.conversation))
    if wanted.from_ms is not None:
        parts.append(Filter.by_property("occurred_ms").greater_or_equal(wanted.from_ms))
    if wanted.to_ms is not None:
        parts.append(Filter.by_property("occurred_ms").less_than(wanted.to_ms))
    if wanted.as_of_ms is None and not wanted.with_past:
        parts.append(_is("superseded", value=False))
    if wanted.as_of_ms is not None:
        parts.append(Filter.by_property("held_from_ms").less_or_equal(wanted.as_of_ms))
        # Also true where there is no such property: without an end.
        parts.append(Filter.not_(Filter.by_property("valid_to_ms").less_or_equal(wanted.as_of_ms)))
    return Filter.all_of(parts or [Filter.by_property("occurred_ms").greater_or_equal(-_INTEGER_MAX)])


def after(wanted: Wanted, cursor: str) -> Any:
    """The filter, from a cursor on. The record at the cursor is still in it, as are those alike in 52 bits."""
    require_cursor(cursor)
    if not cursor:
        return where(wanted)
    return Filter.all_of([where(wanted), Filter.by_property("id_order").greater_or_equal(id_order(cursor))])


def require_cursor(cursor: str) -> None:
    """Raise InvalidInput for what is neither empty nor an id."""
    if cursor and not is_id(cursor):
        raise InvalidInput("the cursor is not one that this store gave")


def of_fact(subject: str, predicate: str) -> Any:
    """The live facts of a subject and predicate."""
    named = [_is("subject", subject), _is("predicate", predicate)]
    return Filter.all_of([*named, _is("archived", value=False), _is("superseded", value=False)])


def same_columns(memory_id: str, properties: Mapping[str, Any]) -> Any:
    """A filter that only this object passes, and only when each of its indexes knows it."""
    parts = [Filter.by_id().equal(memory_id)]
    parts += [_is(name, properties[name]) for name in FILTERED if properties.get(name) is not None]
    return Filter.all_of(parts)


def _is(name: str, value: Any) -> Any:
    return Filter.by_property(name).equal(value)


def distinct_words(properties: Mapping[str, Any]) -> Sequence[str]:
    """The words an object is found by, each once."""
    return list(dict.fromkeys(str(properties[WORDS]).split()))
