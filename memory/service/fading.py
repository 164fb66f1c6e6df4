"""ArchiveMemory, RestoreMemory, GetDecay: how a memory fades, and who takes it out of the way, or back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from memory.consolidation.derive import is_guarded
from memory.consolidation.knowledge.profiles import places_of
from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import ReviewSettings
from memory.errors import Guarded, NotFound
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.curation_calls import (
    ArchiveMemoryRequest,
    DecayPoint,
    GetDecayRequest,
    GetDecayResponse,
    RestoreMemoryRequest,
)
from memory.model.history import Doing, noted
from memory.model.memory import Kind, Memory
from memory.model.memory_calls import MemoryAnswer
from memory.ports import Clock
from memory.privacy.replacer import Replacer
from memory.retrieval.decay import DAY_MS, BoostSettings, DecaySettings, fades_below, kept, used, vitality
from memory.scope import UserScope
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.session.times import moment_ms, rfc3339

_POINTS_MAX: Final = 200
Moves = Literal[Op.ARCHIVED, Op.RESTORED]
"""Out of the way, or back."""


class Fading:
    """What is archived is found by no search and stands in no profile, until it is restored or erased."""

    def __init__(
        self,
        remembered: Remembered,
        rememberer: Rememberer,
        clock: Clock,
        decay: DecaySettings,
        reviews: ReviewSettings,
        replacer: Replacer,
    ) -> None:
        self._remembered = remembered
        self._rememberer = rememberer
        self._clock = clock
        self._decay = decay
        self._level = reviews.keep_level
        self._replacer = replacer

    async def archive(self, caller: Caller, request: ArchiveMemoryRequest) -> MemoryAnswer:
        """Take it out of the way. Raises NotFound, and Guarded for what safety rests on."""
        return await self._one(caller, request, Op.ARCHIVED)

    async def restore(self, caller: Caller, request: RestoreMemoryRequest) -> MemoryAnswer:
        """Take it back: it begins to fade anew. Raises NotFound, Guarded."""
        return await self._one(caller, request, Op.RESTORED)

    async def _one(
        self, caller: Caller, request: ArchiveMemoryRequest | RestoreMemoryRequest, op: Moves
    ) -> MemoryAnswer:
        owner = await self._remembered.owner(caller, request.user_id, request.memory_id)
        scope = await self._rememberer.standing(owner)
        there = await self._remembered.memories.get(scope, (request.memory_id,))
        if not there or there[0].kind in {Kind.PROFILE, Kind.LINK}:
            raise NotFound("no such memory is stored")
        if is_guarded(there[0]):
            raise Guarded("what safety rests on is changed by UpsertFacts, ConfirmFacts and DecideReview")
        why = self._replacer.text(scope.tenant, request.why or "")
        changed = await self.move(scope, (request.memory_id,), Doing(op, caller.by, self._clock.now_ms(), why))
        if not changed:
            raise NotFound("no such memory is stored")
        (now,) = await self._remembered.memories.get(scope, (request.memory_id,)) or changed
        return MemoryAnswer.model_validate(memory_fields(now, self._decay))

    async def move(self, scope: UserScope, memory_ids: Sequence[str], doing: Doing) -> Sequence[Memory]:
        """Archive or restore memories of a user; those that there are, as they are then. One that is so stays so."""
        change = self._restored if doing.op is Op.RESTORED else _archived

        def told(memory: Memory) -> Memory:
            return noted(memory, change(memory, doing.at_ms), doing)

        await self._remembered.copies.drop_profile(scope)  # first: cut off behind the change it must not show it still
        changed = await self._remembered.memories.change(scope, memory_ids, told)
        facts = [memory for memory in changed if memory.kind is Kind.FACT]
        await self._rememberer.settle_again(scope, facts, *places_of(scope, facts))
        await self._remembered.copies.drop_profile(scope)  # what took the place of another counts too
        return changed

    def _restored(self, memory: Memory, now_ms: int) -> Memory:
        if memory.archived_ms is None:
            return memory
        anew = kept(memory, now_ms, self._level, self._decay)
        return replace(anew, archived_ms=None, updated_ms=now_ms)

    async def decay(self, caller: Caller, request: GetDecayRequest) -> GetDecayResponse:
        """The curve that a memory goes down, seen from today. Raises NotFound."""
        scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
        found = await self._remembered.memories.get(scope, (request.memory_id,))
        if not found:
            raise NotFound("no such memory is stored")
        memory, now_ms = found[0], self._clock.now_ms()
        if request.used_at is not None:
            memory = used(memory, moment_ms(request.used_at), BoostSettings(cooldown_ms=0))
        begins_ms, ends_ms = memory.kept_ms or memory.recorded_ms, now_ms + request.days * DAY_MS
        step_ms = max(DAY_MS, -(-(ends_ms - begins_ms) // (_POINTS_MAX - 1)))
        leaves_ms = fades_below(memory, self._decay.forget_below, self._decay)
        moments = [*range(begins_ms, ends_ms, step_ms), ends_ms]
        return GetDecayResponse(
            law=self._decay.law(memory.category).value,
            vitality=self._alive(memory, now_ms),
            points=[DecayPoint(at=rfc3339(at), vitality=self._alive(memory, at)) for at in moments],
            review_at=_time(fades_below(memory, self._decay.review_below, self._decay)),
            forget_at=_time(leaves_ms) if self._decay.forgets else None,
        )

    def _alive(self, memory: Memory, at_ms: int) -> float:
        return round(vitality(memory, at_ms, self._decay), 6)


def _archived(memory: Memory, now_ms: int) -> Memory:
    return memory if memory.archived_ms is not None else replace(memory, archived_ms=now_ms, updated_ms=now_ms)


def _time(moment: int | None) -> str | None:
    return None if moment is None else rfc3339(moment)
