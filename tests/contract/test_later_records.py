"""What a later program has written is read: a field that this one doesn't know is passed over."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

import pytest

from memory.model.change import Change, Op, change_fields, change_of
from memory.model.memory import Memory, from_fields, to_fields
from memory.model.memunit import MemUnit
from memory.model.profile import Profile
from memory.scope import ConversationScope
from memory.stores.sqlite import memories as in_a_file
from memory.stores.weaviate import placement, records
from tests.contract.memory_stores import U1, IndexEntry, memory

LATER: Final = {"mood": "calm", "weights": [1, {"of": None}], "nested": {"deep": {"er": True}}}


def told() -> Memory:
    """A memory with everything that is taken apart."""
    changes = (
        Change(1, 7, Op.UPDATED, "nurse", "a slip", {"text": "b"}, {"text": "text 1"}),
        Change(2, 8, Op.USED, "a"),
    )
    return memory(changes=changes, kept_ms=9, kept_scale=2.0, reviewed_ms=10)


def later(made: Memory) -> dict[str, Any]:
    """The fields that a later program writes: more in the record, in its source and in its changes."""
    written = json.loads(json.dumps(to_fields(made)))
    more = {"source": written["source"] | LATER, "changes": [each | LATER for each in written.get("changes", [])]}
    return {**LATER, **written, **more}


def test_record_of_a_later_program_is_read_without_what_is_not_known() -> None:
    assert from_fields(later(told())) == told()
    assert from_fields(later(memory())) == memory()


@pytest.mark.parametrize("missing", ["changes", "kept_ms", "kept_scale", "reviewed_ms"])
def test_record_of_an_earlier_program_is_read_without_what_it_did_not_keep(missing: str) -> None:
    written = {name: value for name, value in to_fields(told()).items() if name != missing}
    (unset,) = (each.default for each in fields(Memory) if each.name == missing)
    assert from_fields(written) == replace(told(), **{missing: unset})


def test_change_of_a_later_program_is_read_without_what_is_not_known() -> None:
    for change in told().changes:
        assert change_of(LATER | change_fields(change)) == change


def test_memory_that_a_later_program_has_stored_is_read(
    opened: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = told()

    async def work() -> None:
        store, close = await opened()
        with monkeypatch.context() as later_program:
            for module in (in_a_file, records):
                later_program.setattr(module, "to_fields", later)
            await store.put(U1, [IndexEntry(made, (), None)])
        assert await store.get(U1, [made.memory_id]) == [made]
        await close()
        store, close = await opened()
        assert await store.get(U1, [made.memory_id]) == [made]
        assert [each.memory async for each in store.entries(U1)] == [made]
        await close()

    asyncio.run(work())


def unit() -> MemUnit:
    scope = ConversationScope("t1", "c1")
    numbers = {"session_number": 1, "seq_from": 1, "seq_to": 2, "turn_from": 1, "turn_to": 1, "recent_turns": 8}
    words = {"subject": "a", "summary": "b", "narrative": "c", "participants": ("u1",), "messages": b"[]"}
    unit_id = "00000000-0000-5000-8000-000000000001"
    return MemUnit(unit_id, scope, "u1", started_ms=5, ended_ms=6, **numbers, **words)  # type: ignore[arg-type]


def with_more(properties: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object whose document says more."""
    return {**properties, name: json.dumps(LATER | json.loads(properties[name]))}


def test_unit_that_a_later_program_has_stored_is_read() -> None:
    stored = placement.unit_object(unit()).properties
    assert placement.to_unit(with_more(stored, placement.DOCUMENT)) == unit()


def test_profile_that_a_later_program_has_stored_is_read() -> None:
    profile = Profile("u1", 3, "Ann", ("latex",), (), (), {"tea": "green"})
    stored = placement.profile_object(U1, profile, 3).properties
    assert placement.owned_profile(with_more(stored, placement.PROFILE)) == (U1, profile)
