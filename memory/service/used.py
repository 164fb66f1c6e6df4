"""MarkUsed, and `used_memory_ids` of a write: a caller says which memories an answer rested on."""

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Final

from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import strengthened
from memory.errors import FieldError, InvalidInput
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.curation_calls import Marked, MarkUsedRequest, MarkUsedResponse, Outcome
from memory.model.history import Doing
from memory.model.memory import Kind, Memory
from memory.model.requests import SaidRequest, WriteMessagesRequest, WriteTurnRequest
from memory.model.responses import WriteResponse
from memory.ports import Background, Clock, LivingSessions
from memory.retrieval.decay import BoostSettings
from memory.scope import ConversationScope, UserScope
from memory.service.memories import Remembered
from memory.session.times import moment_ms

_NO_USE: Final = (Kind.PROFILE, Kind.LINK)
"""Made of others, or what joins them: no answer rests on these themselves."""


class Marking:
    """Strengthens what callers name. What is not stored yet is not known here."""

    def __init__(
        self, remembered: Remembered, rememberer: Rememberer, clock: Clock, boost: BoostSettings | None
    ) -> None:
        self._remembered = remembered
        self._memories = remembered.memories
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
            outcomes = await self._boosted(scope, known, Doing(Op.USED, caller.by, at_ms), self._boost)
        results = [
            Marked(memory_id=memory_id, outcome=outcomes.get(memory_id, "unknown")) for memory_id in request.memory_ids
        ]
        return MarkUsedResponse(results=results)

    async def _boosted(
        self, scope: UserScope, memory_ids: list[str], using: Doing, boost: BoostSettings
    ) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}
        promoted: dict[str, Memory] = {}
        at_ms = using.at_ms

        def change(memory: Memory) -> Memory:
            after, last = strengthened(memory, using, boost), memory.boosted_ms
            cools = last is not None and at_ms - last < boost.cooldown_ms
            if after.category is not memory.category:
                promoted[memory.memory_id] = after
            outcomes[memory.memory_id] = "boosted" if after is not memory else "cooling" if cools else "capped"
            return after

        if memory_ids:
            await self._memories.change(scope, memory_ids, change)
            await self._remembered.changed(scope, promoted.values())
        return outcomes

    async def told(self, scope: UserScope, memory_ids: Sequence[str], at_ms: int, by: str) -> None:
        """The same, told with a write: each once, by when it was said. Raises what the store raises."""
        if self._boost is not None:
            standing = await self._rememberer.standing(scope)
            there = await self._memories.get(standing, list(dict.fromkeys(memory_ids)))
            known = [each.memory_id for each in there if each.kind not in _NO_USE]
            using = Doing(Op.USED, by, min(at_ms, self._clock.now_ms()))
            await self._boosted(standing, known, using, self._boost)

    def _at_ms(self, request: MarkUsedRequest) -> int:
        now_ms = self._clock.now_ms()
        if request.occurred_at is None:
            return now_ms
        at_ms = moment_ms(request.occurred_at)
        if at_ms > now_ms:
            message = "must not be in the future"
            raise InvalidInput(f"occurred_at {message}", fields=(FieldError("occurred_at", message),))
        return at_ms


class ToldWithWrites:
    """What writes say of memories, done after their answer. Of a conversation of nobody there is nothing to do.

    A process that ends in the same moment strengthens nothing: the rule that reads answers does, when the conversation
    becomes memory.
    """

    def __init__(self, marking: Marking, sessions: LivingSessions, background: Background, clock: Clock) -> None:
        self.marking = marking
        self._sessions = sessions
        self._background = background
        self._clock = clock

    async def after(self, caller: Caller, request: SaidRequest, written: Awaitable[WriteResponse]) -> WriteResponse:
        """The answer to the write; what it says of memories goes on behind it."""
        answer = await written
        if request.used_memory_ids and not answer.replayed:
            self._background.start(partial(self._mark, caller, request), "used")
        return answer

    async def _mark(self, caller: Caller, request: SaidRequest) -> None:
        user = request.user_id
        if not user:
            scope = ConversationScope.of(caller.tenant, request.conversation_id)
            head = (await self._sessions.read(scope, None, profile_stamp=b"")).head
            user = head.user_id if head else ""
        if user and request.used_memory_ids:
            at_ms = max(map(moment_ms, _times(request)), default=self._clock.now_ms())
            await self.marking.told(UserScope(caller.tenant, user), request.used_memory_ids, at_ms, caller.by)


def _times(request: SaidRequest) -> list[str]:
    """When what was written was said, as far as it says so."""
    if isinstance(request, WriteMessagesRequest):
        return [each.occurred_at for each in request.messages if each.occurred_at]
    return [request.occurred_at] if isinstance(request, WriteTurnRequest) and request.occurred_at else []
