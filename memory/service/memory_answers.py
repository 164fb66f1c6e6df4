"""A memory as callers see it."""

from collections.abc import Mapping
from typing import Any, Final

from memory.graph.identity import is_verdict, label_of
from memory.model.change import Change
from memory.model.memory import CONSOLIDATED, Kind, Memory
from memory.retrieval.decay import DecaySettings, fades_below
from memory.service.search import Scored
from memory.session.times import rfc3339

_NAMES: Final = {
    "occurred_ms": "occurred_at",
    "valid_from_ms": "valid_from",
    "valid_to_ms": "valid_to",
    "archived_ms": "archived_at",
    "kept_ms": "kept_at",
}
"""Of times: what they are called in an answer."""


def memory_fields(
    memory: Memory, decay: DecaySettings, scored: Scored | None = None, *, explain: bool = False, pending: bool = False
) -> dict[str, object]:
    """The fields of the wire, empty ones left out."""
    pending = scored.pending if scored else pending
    path = scored.path if scored else None
    named = label_of if is_verdict(memory) else str
    fields: dict[str, object | None] = {
        "memory_id": memory.memory_id,
        "user_id": memory.user_id,
        "kind": memory.kind,
        "category": memory.category,
        "type": memory.type,
        "text": memory.text,
        "speaker": memory.speaker or None,
        "subject": named(memory.subject) or None,
        "predicate": memory.predicate or None,
        "object": named(memory.object) or None,
        "polarity": memory.polarity if memory.predicate else None,
        "attributes": dict(memory.attributes) or None,
        "importance": memory.importance,
        "strength": memory.strength,
        "shown": memory.shown,
        "accesses": memory.accesses,
        "score": round(scored.score, 6) if scored else None,
        "scores": {name: round(part, 6) for name, part in scored.parts.items()} if scored and explain else None,
        "mind": memory.mind,
        "verified": True if memory.is_verified else None,
        "status": (memory.stage or CONSOLIDATED) if memory.kind is Kind.CREATED else None,
        "distance": len(path) // 2 if path is not None else None,
        "path": list(path) if path else None,
        "pending": True if pending else None,
        "occurred_at": rfc3339(memory.occurred_ms),
        "recorded_at": rfc3339(memory.recorded_ms),
        "updated_at": _time(memory.updated_ms),
        "valid_from": _time(memory.valid_from_ms),
        "valid_to": _time(memory.valid_to_ms),
        "superseded_by": memory.superseded_by or None,
        "archived_at": _time(memory.archived_ms),
        "kept_at": _time(memory.kept_ms),
        "review_at": _time(fades_below(memory, decay.review_below, decay)),
        "forget_at": _time(fades_below(memory, decay.forget_below, decay)) if decay.forgets else None,
        "source": {
            "conversation_id": memory.source.conversation,
            **({"unit_id": memory.source.unit_id} if memory.source.unit_id and not pending else {}),
            "seqs": list(memory.source.seqs),
            "quote": memory.source.quote,
        },
    }
    return {name: value for name, value in fields.items() if value is not None}


def change_answer(change: Change) -> dict[str, object]:
    """A change as callers see it: fields by the names that a memory's have, times in RFC 3339."""
    fields: dict[str, object] = {
        "number": change.number,
        "at": rfc3339(change.at_ms),
        "op": change.op,
        "by": change.by,
        "why": change.why or None,
        "before": _named(change.before),
        "after": _named(change.after),
        "item_id": change.decides or None,
        "verdict": change.verdict or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _named(values: Mapping[str, Any]) -> dict[str, Any]:
    shown = {_NAMES.get(name, name): _time(value) if name in _NAMES else value for name, value in values.items()}
    return {name: value for name, value in shown.items() if value not in (None, "")}


def _time(moment_ms: int | None) -> str | None:
    return None if moment_ms is None else rfc3339(moment_ms)
