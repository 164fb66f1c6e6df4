"""MarkUsed: a caller says which memories an answer rested on."""

from typing import Final

from memory.consolidation.remember import Rememberer
from memory.errors import FieldError, InvalidInput
from memory.model.curation_calls import Marked, MarkUsedRequest, MarkUsedResponse, Outcome
from memory.model.memory import Kind, Memory
from memory.ports import Clock, MemoryStore
from memory.retrieval.decay import BoostSettings, used
from memory.scope import UserScope
from memory.service.settings import Caller
from memory.session.times import moment_ms

_NO_USE: Final = (Kind.PROFILE, Kind.LINK)
"""Made of others, or what joins them: no answer rests on these themselves."""


class Marking:
    """Strengthens what callers name. What is not stored yet is not known here."""

    def __init__(
        self, memories: MemoryStore, rememberer: Rememberer, clock: Clock, boost: BoostSettings | None
    ) -> None:
        self._memories = memories
        self._rememberer = rememberer
        self._clock = clock
        self._boost = boost

    async def mark(self, caller: Caller, request: MarkUsedRequest) -> MarkUsedResponse:
        """Each once. Raises InvalidInput for a time to come, and what the store raises."""
        at_ms = self._at_ms(request)
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        there = await self._memories.get(scope, list(dict.fromkeys(request.memory_ids)))
        known = [each.memory_id for each in there if each.kind not in _NO_USE]
        outcomes: dict[str, Outcome]
        if not request.used:
            outcomes = dict.fromkeys(known, "unused")
        elif self._boost is None:
            outcomes = dict.fromkeys(known, "off")
        else:
            outcomes = await self._boosted(scope, known, at_ms, self._boost)
        results = [
            Marked(memory_id=memory_id, outcome=outcomes.get(memory_id, "unknown")) for memory_id in request.memory_ids
        ]
        return MarkUsedResponse(results=results)

    async def _boosted(
        self, scope: UserScope, memory_ids: list[str], at_ms: int, boost: BoostSettings
    ) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}

        def change(memory: Memory) -> Memory:
            after, last = used(memory, at_ms, boost), memory.boosted_ms
            cools = last is not None and at_ms - last < boost.cooldown_ms
            outcomes[memory.memory_id] = "boosted" if after is not memory else "cooling" if cools else "capped"
            return after

        if memory_ids:
            await self._memories.change(scope, memory_ids, change)
        return outcomes

    def _at_ms(self, request: MarkUsedRequest) -> int:
        now_ms = self._clock.now_ms()
        if request.occurred_at is None:
            return now_ms
        at_ms = moment_ms(request.occurred_at)
        if at_ms > now_ms:
            message = "must not be in the future"
            raise InvalidInput(f"occurred_at {message}", fields=(FieldError("occurred_at", message),))
        return at_ms
