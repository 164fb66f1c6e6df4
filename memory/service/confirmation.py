"""ConfirmFacts: a person's word on what was read of a user's safety. It ends doubt, and what was read wrongly."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from memory import fences as fence_names
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one
from memory.consolidation.knowledge.profiles import safety_detail
from memory.consolidation.remember import Rememberer
from memory.consolidation.triples import verdict_on
from memory.errors import FieldError, NotFound
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.history import Doing, noted
from memory.model.memory import Kind, Memory
from memory.model.profile import ProfileChange
from memory.model.requests import ConfirmFactsRequest
from memory.model.responses import ProfileResponse
from memory.ports import Clock, LongTermStore, MemoryStore
from memory.scope import UserScope
from memory.service.profiles import ProfileKeeper, profile_response
from memory.service.safety import SafetyReader
from memory.session.safety import LIST_OF, Detail, Status

_WRONG: Final = "wrong"


class FactConfirmation:
    """Takes verdicts. What was only said is decided too: the verdict is stored, and what was said before it yields."""

    def __init__(
        self,
        keeper: ProfileKeeper,
        safety: SafetyReader,
        store: LongTermStore,
        memories: MemoryStore,
        rememberer: Rememberer,
        clock: Clock,
    ) -> None:
        self._keeper = keeper
        self._safety = safety
        self._store = store
        self._memories = memories
        self._rememberer = rememberer
        self._clock = clock

    async def confirm(self, caller: Caller, request: ConfirmFactsRequest) -> ProfileResponse:
        """Decide on all of these facts; the profile after it. Raises NotFound when one of them is not this user's."""
        scope = UserScope(caller.tenant, request.user_id)
        standing = scope.under(await self._store.fences([fence_names.of_user(scope)]))
        remembering = await self._rememberer.standing(scope)
        details = await self._named(scope, request.fact_ids)
        wrong, now_ms = request.verdict == _WRONG, self._clock.now_ms()
        told = [
            verdict_on(detail, holds=detail.denied == wrong, now_ms=now_ms, why=request.why or "")
            for detail in details
            if wrong or not _is_a_callers(detail)
        ]
        memories = await self._rememberer.tell(remembering, told)
        why = self._rememberer.as_stored(scope, request.why or "")
        said_so = partial(_confirmed, doing=Doing(Op.CONFIRMED, caller.by, now_ms, why))
        for memory in memories:
            await self._memories.change(remembering, (memory.memory_id,), said_so)
        gone: dict[str, list[str]] = {}
        for detail in (each for each in details if wrong and not each.denied and each.subject == USER):
            gone.setdefault(LIST_OF[detail.kind], []).append(detail.text)
        profile = await self._keeper.change(standing, ProfileChange(remove=gone))
        await self._keeper.settle_doubts(remembering, profile)
        return await profile_response(
            self._keeper, self._safety, scope, profile, [memory.memory_id for memory in memories]
        )

    async def claims_of(self, scope: UserScope, denial: Memory) -> list[str]:
        """The ids of what is held of the same thing, whoever told it and wherever it stands."""
        details = await self._keeper.details(scope, whole=True)
        alike = (each for each in details if (each.kind, each.subject) == (denial.predicate, denial.subject))
        claims = [each for each in alike if not each.denied and each.status is not Status.POSSIBLE]
        equal = [each for each in claims if each.text.casefold() == denial.object.casefold()]
        return [each.fact_id for each in equal or claims if equal or is_of_one(each.text, denial.object)]

    async def _named(self, scope: UserScope, fact_ids: Sequence[str]) -> list[Detail]:
        """The facts with these ids: of callers, remembered, only said, and those that hold no longer."""
        there = {detail.fact_id: detail for detail in reversed(await self._keeper.details(scope, whole=True))}
        others = [fact_id for fact_id in fact_ids if fact_id not in there]
        for memory in await self._memories.get(scope, others) if others else ():
            detail = safety_detail(memory) if memory.kind is Kind.FACT else None
            if detail is not None:
                there[memory.memory_id] = detail
        missing = [place for place, fact_id in enumerate(fact_ids) if fact_id not in there]
        if missing:
            refused = tuple(FieldError(f"fact_ids.{place}", "names no safety fact of this user") for place in missing)
            raise NotFound("one of these is no safety fact of this user; nothing was changed", fields=refused)
        return [there[fact_id] for fact_id in dict.fromkeys(fact_ids)]


def _confirmed(memory: Memory, *, doing: Doing) -> Memory:
    """The same, with who said so and why; as it is where they said just that last."""
    last = memory.changes[-1] if memory.changes else None
    if last is not None and (last.op, last.by, last.why) == (doing.op, doing.by, doing.why):
        return memory
    return noted(memory, memory, doing)


def _is_a_callers(detail: Detail) -> bool:
    """Whether a caller's word stands behind it already, in a profile: one that is a memory may have ended."""
    return detail.status is Status.CONFIRMED and not detail.is_memory
