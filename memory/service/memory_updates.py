"""UpdateMemory: what is said about a memory, how much it matters, until when it held."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Final

from memory.consolidation.derive import is_guarded
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.errors import FieldError, Guarded, InvalidInput, NotFound, RevisionConflict, TemporaryError
from memory.graph.created import retold
from memory.graph.times import understood, written
from memory.limits import ATTRIBUTES_MAX
from memory.model.change import Op
from memory.model.graph_calls import UpdateMemoryRequest, UpdateMemoryResponse
from memory.model.history import Doing, noted
from memory.model.memory import STAGED, Kind, Memory
from memory.model.memory_calls import MemoryAnswer
from memory.model.profile import timezone_in
from memory.ports import Clock, JobQueue, LongTermStore
from memory.retrieval.decay import DecaySettings
from memory.scope import UserScope
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.service.settings import Caller
from memory.session.times import moment_ms, rfc3339
from memory.zones import zone_of

_LOG: Final = logging.getLogger("anamnesis.graph")


class MemoryUpdates:
    """Changes records where they are. Of safety nothing is changed so."""

    def __init__(
        self,
        remembered: Remembered,
        rememberer: Rememberer,
        minds: Minds,
        jobs: JobQueue,
        clock: Clock,
        decay: DecaySettings,
    ) -> None:
        self._remembered = remembered
        self._memories, self._units = remembered.memories, remembered.units
        self._rememberer = rememberer
        self._minds = minds
        self._jobs = jobs
        self._clock = clock
        self._decay = decay

    async def update(self, caller: Caller, request: UpdateMemoryRequest) -> UpdateMemoryResponse:
        """Change what is said about a memory. Raises NotFound, Guarded, InvalidInput, RevisionConflict."""
        if request.importance is None and not request.attributes and request.valid_to is None:
            message = "give importance, attributes or valid_to: nothing would change"
            raise InvalidInput(message, fields=(FieldError("importance", message),))
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        there = await self._changeable(scope, request.memory_id)
        said = await self._said(scope, request.attributes or {})
        valid_to_ms = self._ended_ms(request)
        anew = bool(said) and there.kind is Kind.CREATED  # its sentence says its attributes

        def change(memory: Memory) -> Memory:
            _require_unchanged(memory, request.if_updated_at)
            changed = replace(
                memory,
                importance=memory.importance if request.importance is None else request.importance,
                attributes=_with(memory.attributes, said),
                valid_to_ms=memory.valid_to_ms if valid_to_ms is None else valid_to_ms,
                updated_ms=max(self._clock.now_ms(), _changed_ms(memory) + 1),  # two changes have two times
            )
            changed = replace(retold(changed), stage=STAGED) if anew else changed
            return noted(memory, changed, Doing(Op.UPDATED, caller.by, self._clock.now_ms()))

        change(there)  # what is refused is refused before anything is written
        await self._remembered.changed(scope, [there])  # also before: cut off behind it, no copy shows it as it was
        changed = await self._memories.change(scope, (request.memory_id,), change, reopen=anew)
        if not changed:
            raise NotFound("this user has no such memory")
        await self._remembered.changed(scope, changed)
        if anew:
            await ask_to_settle(self._jobs, scope)
        if valid_to_ms is not None and there.kind is Kind.FACT:
            await self._rememberer.refresh_profiles(scope)
        return UpdateMemoryResponse(memory=MemoryAnswer.model_validate(memory_fields(changed[0], self._decay)))

    async def _changeable(self, scope: UserScope, memory_id: str) -> Memory:
        found = await self._memories.get(scope, (memory_id,))
        if not found or found[0].kind is Kind.PROFILE:
            raise NotFound("this user has no such memory")
        if is_guarded(found[0]):
            raise Guarded("what safety rests on is changed by UpsertFacts and ConfirmFacts")
        return found[0]

    async def _said(self, scope: UserScope, told: Mapping[str, str | None]) -> dict[str, str | None]:
        """Attributes as they are stored: times in one form, identifiers covered; None takes one off."""
        if not told:
            return {}
        zone = await zone_of_user(self._units, scope, self._minds.zone)
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, zone)
        times = understood({key: value for key, value in told.items() if value}, now)
        text = partial(self._minds.replacer.text, scope.tenant)
        plain = {**told, **{each.key: written(each) for each in times}}
        return {text(key): value and text(value) for key, value in plain.items()}

    def _ended_ms(self, request: UpdateMemoryRequest) -> int | None:
        if request.valid_to is None:
            return None
        ended_ms = moment_ms(request.valid_to)
        if ended_ms > self._clock.now_ms():
            message = "must not be in the future"
            raise InvalidInput(f"valid_to {message}", fields=(FieldError("valid_to", message),))
        return ended_ms


async def ask_to_settle(jobs: JobQueue, scope: UserScope) -> None:
    """Ask for open entries to be completed soon; without a queue the worker's round comes to them."""
    try:
        await jobs.add_settling(scope)
    except TemporaryError as error:
        _LOG.info("settled later", extra={"reason": error.code})


async def zone_of_user(units: LongTermStore, scope: UserScope, default: tzinfo) -> tzinfo:
    """By whose clock a user's words of time are read."""
    profile = await units.get_profile(scope)
    return zone_of(timezone_in(profile.preferences)) or default


def _changed_ms(memory: Memory) -> int:
    return memory.recorded_ms if memory.updated_ms is None else memory.updated_ms


def _require_unchanged(memory: Memory, since: str | None) -> None:
    """Raise RevisionConflict when a memory was changed since somebody read it."""
    if since is not None and moment_ms(since) != _changed_ms(memory):
        changed = rfc3339(_changed_ms(memory))
        raise RevisionConflict(f"the memory was changed at {changed}: read it again", more={"updated_at": changed})


def _with(attributes: Mapping[str, str], said: Mapping[str, str | None]) -> dict[str, str]:
    """The attributes with those that were said. Raises InvalidInput when they are too many."""
    made = {key: value for key, value in {**attributes, **said}.items() if value is not None}
    if len(made) > ATTRIBUTES_MAX:
        message = f"the memory would have more than {ATTRIBUTES_MAX}"
        raise InvalidInput(f"attributes: {message}", fields=(FieldError("attributes", message),))
    return made
