"""Facts that a caller tells as triples: memories like those that are found, made at once."""

import hashlib
from dataclasses import dataclass

from memory.clinical.people import USER
from memory.consolidation.derive import Derived, fact_category, fact_type, indexed
from memory.consolidation.profiles import CALLER
from memory.model.memory import Kind, Memory, Source, id_of
from memory.scope import UserScope


@dataclass(frozen=True, slots=True)
class Told:
    """A triple. Times are ms; `conversation` may be empty, `quote` too: the triple then speaks for itself."""

    subject: str
    predicate: str
    object: str
    quote: str
    conversation: str
    told_ms: int
    valid_from_ms: int | None


def told_fact(scope: UserScope, told: Told) -> Derived:
    """The memory of a triple. Told again it is the same one."""
    digest = hashlib.sha256(f"{told.subject}\n{told.predicate}\n{told.object}".encode()).hexdigest()
    text = told.quote or f"{told.subject} {told.predicate} {told.object}"
    memory = Memory(
        memory_id=id_of(f"{scope}/{CALLER}/{Kind.FACT}/{digest}", scope.tenant, scope.user),
        user_id=scope.user,
        kind=Kind.FACT,
        category=fact_category(told.predicate, "+", own=told.subject == USER),
        type=fact_type(told.predicate),
        text=text,
        source=Source(told.conversation, "", (), told.quote),
        occurred_ms=told.told_ms,
        recorded_ms=told.told_ms,
        importance=1.0,
        subject=told.subject,
        predicate=told.predicate,
        object=told.object,
        mind=CALLER,
        valid_from_ms=told.told_ms if told.valid_from_ms is None else told.valid_from_ms,
    )
    return indexed(memory)
