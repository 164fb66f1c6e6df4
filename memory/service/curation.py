"""CurateMemories: what a session that has ended says of memories from before it; shown, or applied."""

from collections.abc import Sequence
from typing import Final

from memory.consolidation.corrections import Decision
from memory.consolidation.curate import Curator
from memory.consolidation.judging import Judging
from memory.consolidation.knowledge.profiles import places_of
from memory.consolidation.remember import Rememberer
from memory.errors import ModelUnavailable, NotFound
from memory.model.caller import Caller
from memory.model.curation_calls import CurateMemoriesRequest, CurateMemoriesResponse, CurationDecision
from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.memunit import MemUnit
from memory.ports import SessionStore
from memory.scope import UserScope
from memory.service.memories import Remembered
from memory.session.times import rfc3339

_PAGE: Final = 200


class Curation:
    """Decides as it is done when a session becomes memory."""

    def __init__(
        self, remembered: Remembered, rememberer: Rememberer, sessions: SessionStore, judging: Judging
    ) -> None:
        self._remembered = remembered
        self._sessions = sessions
        self._memories = remembered.memories
        self._rememberer = rememberer
        self._curator, self._corrector = judging

    async def curate(self, caller: Caller, request: CurateMemoriesRequest) -> CurateMemoriesResponse:
        """The decisions about a session. Raises NotFound, and ModelUnavailable when the model has no answer."""
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        units = await self._units(scope, request.conversation_id)
        place, applies = units[0].scope, not request.dry_run
        corrected = [(unit, await self._decided(scope, unit)) for unit in units]  # all, before any is applied
        decisions = [each for _, decided in corrected for each in await self._shown(scope, decided, applied=applies)]
        if self._corrector is not None and applies:
            for unit, decided in corrected:
                await self._corrector.apply(scope, unit, decided)
        if self._curator is not None:
            decisions += await self._used(self._curator, scope, units, applies=applies)
        if applies and decisions:
            changed = await self._memories.get(scope, [each.memory_id for each in decisions])
            await self._rememberer.refresh_profiles(scope, *places_of(scope, changed), place)
            await self._remembered.copies.drop_profile(scope)
        return CurateMemoriesResponse(conversation_id=place.conversation, decisions=decisions, dry_run=request.dry_run)

    async def _units(self, scope: UserScope, conversation: str | None) -> Sequence[MemUnit]:
        """The units of the last session of a conversation that is in memory, in order."""
        units = self._remembered.units
        if conversation is None:
            ended = await units.last_ended(scope)
            conversation = max(ended, key=ended.__getitem__, default="")
        found, after = list[MemUnit](), ""
        while conversation:
            page = await units.own_memunits(scope, conversation, after, _PAGE)
            found += page
            if len(page) < _PAGE:
                break
            after = page[-1].unit_id
        for number in sorted({each.session_number for each in found}, reverse=True):
            if not await self._is_waiting(FinalizationKey(found[0].scope, number)):
                return sorted((each for each in found if each.session_number == number), key=lambda each: each.seq_from)
        raise NotFound("nothing of this user, or of this conversation of theirs, is in memory yet")

    async def _is_waiting(self, key: FinalizationKey) -> bool:
        """Whether a session is not wholly in memory yet: whoever brings it there judges it."""
        known = await self._sessions.finalization(key)
        return known is not None and known.state is not SessionState.ENDED

    async def _decided(self, scope: UserScope, unit: MemUnit) -> list[Decision]:
        if self._corrector is None:
            return []
        decided = await self._corrector.decide(scope, unit)
        if decided is None:
            raise ModelUnavailable("the model that judges gives no answer that can be used: nothing was changed")
        return decided

    async def _shown(self, scope: UserScope, decided: Sequence[Decision], *, applied: bool) -> list[CurationDecision]:
        there = {each.memory_id: each for each in await self._memories.get(scope, [each.memory_id for each in decided])}
        return [
            CurationDecision(
                op="UPDATE" if each.right else "DELETE",
                memory_id=each.memory_id,
                text=there[each.memory_id].text,
                by=each.by,
                at=rfc3339(each.at_ms),
                seq=each.seq,
                quote=each.quote,
                right=each.right or None,
                asks=each.asks,
                applied=applied,
            )
            for each in decided
            if each.memory_id in there
        ]

    async def _used(
        self, curator: Curator, scope: UserScope, units: Sequence[MemUnit], *, applies: bool
    ) -> list[CurationDecision]:
        uses = await curator.uses(scope, units[0].scope, [each.unit_id for each in units])
        there = await self._memories.get(scope, list(uses))
        if applies:
            await curator.strengthen(scope, uses)
        return [
            CurationDecision(
                op="BOOST",
                memory_id=each.memory_id,
                text=each.text,
                by=curator.name,
                at=rfc3339(uses[each.memory_id][-1]),
                applied=applies or not curator.counts(each, uses[each.memory_id]),
            )
            for each in there
        ]
