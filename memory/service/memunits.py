"""GetMemUnit, ListMemUnits: what memories are derived from, as it was said."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from memory.consolidation.derive import said_in
from memory.errors import NotFound
from memory.model.caller import Caller
from memory.model.memory import Memory
from memory.model.memory_calls import MemoryAnswer
from memory.model.memunit import MemUnit
from memory.model.memunit_calls import GetMemUnitRequest, ListMemUnitsRequest, ListMemUnitsResponse, MemUnitAnswer
from memory.model.responses import TurnMessage
from memory.model.search import Filter
from memory.ports import MemoryStore, MemUnits
from memory.retrieval.decay import DecaySettings
from memory.scope import ConversationScope, UserScope
from memory.service.memory_answers import memory_fields
from memory.session.times import rfc3339

_PAGE: Final = 1_000


class MemUnitOperations:
    """Reads of MemUnits. Nothing of another user is found."""

    def __init__(self, units: MemUnits, memories: MemoryStore, decay: DecaySettings) -> None:
        self._units = units
        self._memories = memories
        self._decay = decay

    async def get(self, caller: Caller, request: GetMemUnitRequest) -> MemUnitAnswer:
        """One with its messages and memories. Raises NotFound."""
        scope = UserScope(caller.tenant, request.user_id)
        unit = await self._units.own_memunit(scope, request.unit_id)
        if unit is None:
            raise NotFound("this user has no such MemUnit")
        made = [memory for memory in await self._made_of(scope, [unit]) if memory.source.unit_id == unit.unit_id]
        answer = _answer(unit, made, with_messages=True)
        shown = [MemoryAnswer.model_validate(memory_fields(memory, self._decay)) for memory in made]
        return answer.model_copy(update={"memories": shown})

    async def page(self, caller: Caller, request: ListMemUnitsRequest) -> ListMemUnitsResponse:
        """A page in the order of ids."""
        scope, conversation = UserScope(caller.tenant, request.user_id), request.conversation_id or ""
        found = await self._units.own_memunits(scope, conversation, request.cursor, request.limit + 1)
        units = found[: request.limit]
        made = await self._made_of(scope, units)
        with_messages = "original_data" in request.include
        return ListMemUnitsResponse(
            items=[_answer(unit, made, with_messages=with_messages) for unit in units],
            cursor=units[-1].unit_id if len(found) > len(units) else "",
            total_count=await self._units.count(scope, conversation),
        )

    async def _made_of(self, scope: UserScope, units: Sequence[MemUnit]) -> list[Memory]:
        """The memories from the conversations of these units."""
        made: list[Memory] = []
        for conversation in sorted({unit.scope.conversation for unit in units}):
            cursor, more = "", True
            while more:
                page = await self._memories.page(scope, Filter(conversation=conversation), cursor, _PAGE)
                made += page.memories
                cursor, more = page.cursor, bool(page.cursor)
        return made


def _answer(unit: MemUnit, made: Iterable[Memory], *, with_messages: bool) -> MemUnitAnswer:
    conversation = unit.scope.conversation
    people = {said.speaker for said in said_in(unit) if said.own}
    return MemUnitAnswer(
        unit_id=unit.unit_id,
        user_id=unit.user_id,
        user_id_list=[unit.user_id],
        conversation_id=conversation,
        group_id=conversation if len(people) > 1 else None,
        source_type="CONVERSATION",
        subject=unit.subject,
        summary=unit.summary,
        narrative=unit.narrative,
        participants=list(unit.participants),
        session_number=unit.session_number,
        seq_from=unit.seq_from,
        seq_to=unit.seq_to,
        turn_from=unit.turn_from,
        turn_to=unit.turn_to,
        timestamp=rfc3339(unit.started_ms),
        ended_at=rfc3339(unit.ended_ms),
        memory_ids=[memory.memory_id for memory in made if memory.source.unit_id == unit.unit_id],
        original_data=messages_of(unit) if with_messages else None,
    )


async def memunit_at(units: MemUnits, scope: ConversationScope, seq: int) -> MemUnit | None:
    """The MemUnit of a conversation that holds message `seq`; None when none does."""
    unit = await units.memunit_from(scope, seq)
    return unit if unit is not None and unit.seq_from <= seq else None


def messages_of(unit: MemUnit, seqs: Sequence[int] | None = None) -> list[TurnMessage]:
    """A unit's messages as the wire shows them; only those with these numbers when some are given."""
    return [
        TurnMessage(
            role=entry["role"],
            content=entry["content"],
            seq=entry["seq"],
            turn=entry["turn"],
            at=rfc3339(entry["at"]),
            tokens=entry["tok"],
            name=entry.get("name"),
            agent_code=entry.get("agent"),
            occurred_at=entry.get("occurred_at"),
        )
        for entry in json.loads(unit.messages)
        if seqs is None or entry["seq"] in seqs
    ]
