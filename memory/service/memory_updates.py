"""UpdateMemory: what a memory says, what is said about it, how much it matters, until when it held."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Final, NamedTuple

from memory.consolidation.derive import is_guarded
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.errors import FieldError, Guarded, InvalidInput, NotFound, TemporaryError
from memory.graph.created import is_reworded, retold
from memory.graph.times import is_time, understood, written
from memory.language.fenced import is_shown
from memory.limits import ATTRIBUTES_MAX
from memory.model.caller import Caller
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
from memory.service.putting_right import Correction, FactsPutRight, changed_ms, require_fitting, require_unchanged
from memory.session.context import without_safety_line
from memory.session.times import moment_ms
from memory.zones import zone_of

_LOG: Final = logging.getLogger("anamnesis.graph")
_SAYS: Final = ("object", "polarity", "text")
"""What is put right of what a memory says."""


class _Said(NamedTuple):
    """What is changed where it is: attributes as they are stored, since when those that are times, words; by whom."""

    attributes: Mapping[str, str | None]
    since_ms: Mapping[str, int]
    text: str
    doing: Doing


class MemoryUpdates:
    """Changes records where they are; a fact that says something else is another. Of safety nothing is changed so."""

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
        self._facts = FactsPutRight(remembered, rememberer, clock)

    async def update(self, caller: Caller, request: UpdateMemoryRequest) -> UpdateMemoryResponse:
        """Change a memory, or what it says. Raises NotFound, Guarded, InvalidInput, RevisionConflict."""
        _require_something(request)
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        require_nothing_recalled({"object": request.object, "text": request.text}, request.attributes)
        there = await self._changeable(scope, request)
        said, since_ms = await self._said(scope, request.attributes or {})
        why, text = (self._rememberer.as_stored(scope, each or "") for each in (request.why, request.text))
        right, polarity = self._right(scope, there, request)
        if (right, polarity) != (there.object, there.polarity):
            importance = there.importance if request.importance is None else request.importance
            unchanged = partial(require_unchanged, since=request.if_updated_at)
            correction = Correction(right, polarity, _with({}, said), importance, caller.by, why, unchanged)
            return self._answer(await self._facts.put_right(scope, there, correction), superseded=there.memory_id)
        told = _Said(said, since_ms, text, Doing(Op.UPDATED, caller.by, self._clock.now_ms(), why))
        return self._answer(await self._changed(scope, there, request, told))

    async def _changed(self, scope: UserScope, there: Memory, request: UpdateMemoryRequest, told: "_Said") -> Memory:
        """The memory, changed where it is."""
        valid_to_ms = self._ended_ms(request)

        def change(memory: Memory) -> Memory:
            require_unchanged(memory, request.if_updated_at)
            changed = replace(
                memory,
                importance=memory.importance if request.importance is None else request.importance,
                attributes=_with(memory.attributes, told.attributes),
                valid_to_ms=memory.valid_to_ms if valid_to_ms is None else valid_to_ms,
            )
            changed = _in_words(memory, _at_its_time(changed, told.since_ms), told.text)
            if not _is_about(request) and changed == memory:
                return memory
            changed = replace(changed, updated_ms=max(told.doing.at_ms, changed_ms(memory) + 1))  # two have two times
            return noted(memory, changed, told.doing)

        if change(there) == there:  # what is refused is refused before anything is written
            if there.stage == STAGED:  # who changed it first may have died before asking
                await ask_to_settle(self._jobs, scope)
            return there
        anew = there.kind is Kind.CREATED and bool(told.attributes or told.text)  # its sentence says its attributes
        await self._remembered.changed(scope, [there])  # also before: cut off behind it, no copy shows it as it was
        changed = await self._memories.change(scope, (request.memory_id,), change, reopen=anew)
        if not changed:
            raise NotFound("this user has no such memory")
        await self._remembered.changed(scope, changed)
        if anew:
            await ask_to_settle(self._jobs, scope)
        if valid_to_ms is not None and there.kind is Kind.FACT:
            await self._rememberer.refresh_profiles(scope)
        return changed[0]

    async def _changeable(self, scope: UserScope, request: UpdateMemoryRequest) -> Memory:
        found = await self._memories.get(scope, (request.memory_id,))
        if not found:
            raise NotFound("this user has no such memory")
        require_fitting(found[0], {name: getattr(request, name) for name in _SAYS})
        if found[0].kind is Kind.PROFILE:
            raise NotFound("this user has no such memory")
        if is_guarded(found[0]):
            raise Guarded("what safety rests on is changed by UpsertFacts and ConfirmFacts")
        return found[0]

    def _right(self, scope: UserScope, there: Memory, request: UpdateMemoryRequest) -> tuple[str, str]:
        """Object and polarity as they are to be. Raises InvalidInput for a fact that is put right and ended at once."""
        object_ = self._rememberer.as_stored(scope, request.object or there.object, there.predicate)
        right = object_, request.polarity or there.polarity
        if request.valid_to is not None and right != (there.object, there.polarity):
            message = "not together with object or polarity: end the right one, once it is there"
            raise InvalidInput(f"valid_to: {message}", fields=(FieldError("valid_to", message),))
        return right

    def _answer(self, memory: Memory, superseded: str | None = None) -> UpdateMemoryResponse:
        answer = MemoryAnswer.model_validate(memory_fields(memory, self._decay))
        return UpdateMemoryResponse(memory=answer, superseded=superseded)

    async def _said(
        self, scope: UserScope, told: Mapping[str, str | None]
    ) -> tuple[dict[str, str | None], dict[str, int]]:
        """Attributes as they are stored, times in one form, identifiers covered, None for one taken off; and times."""
        if not told:
            return {}, {}
        zone = await zone_of_user(self._units, scope, self._minds.zone)
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, zone)
        times = understood({key: value for key, value in told.items() if value}, now)
        plain = {**told, **{each.key: written(each) for each in times}}
        covered, _ = self._minds.replacer.fields(scope.tenant, [(key, value or "") for key, value in plain.items()])
        since_ms = {each.key: int(each.span.begin.timestamp() * 1000) for each in times if each.span is not None}
        shown = {key for key, (_, said) in zip(plain, covered, strict=True) if plain[key] == said}  # a birth is no time
        return (
            {key: value and said for value, (key, said) in zip(plain.values(), covered, strict=True)},
            {key: at_ms for key, at_ms in since_ms.items() if key in shown},
        )

    def _ended_ms(self, request: UpdateMemoryRequest) -> int | None:
        if request.valid_to is None:
            return None
        ended_ms = moment_ms(request.valid_to)
        if ended_ms > self._clock.now_ms():
            message = "must not be in the future"
            raise InvalidInput(f"valid_to {message}", fields=(FieldError("valid_to", message),))
        return ended_ms


def require_nothing_recalled(
    texts: Mapping[str, str | None], attributes: Mapping[str, str | None] | None = None
) -> None:
    """Raise InvalidInput for a field that holds what a context has shown: that is not told again."""
    every = [*texts.items(), *(("attributes", text) for pair in (attributes or {}).items() for text in pair)]
    for name, text in every:
        if text is not None and (is_shown(text) or without_safety_line(text) != text):
            message = "holds what a context recalled: that is remembered already"
            raise InvalidInput(f"{name} {message}", fields=(FieldError(name, message),))


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


def _require_something(request: UpdateMemoryRequest) -> None:
    """Raise InvalidInput where nothing is said that could change a memory."""
    if not _is_about(request) and all(getattr(request, name) is None for name in _SAYS):
        message = "give importance, attributes, valid_to, object, polarity or text: nothing would change"
        raise InvalidInput(message, fields=(FieldError("importance", message),))


def _is_about(request: UpdateMemoryRequest) -> bool:
    """Whether something about a memory is to change, not only what it says."""
    return request.importance is not None or bool(request.attributes) or request.valid_to is not None


def _in_words(before: Memory, changed: Memory, text: str) -> Memory:
    """A created memory with the words that are right, or with the sentence that says its attributes as they are now.

    Words that were put right stay. What was quoted for the others says them no longer.
    """
    if changed.kind is not Kind.CREATED:
        return changed
    if text and text != before.text:
        changed = replace(changed, text=text, source=replace(changed.source, quote=""))
    elif not text and changed.attributes != before.attributes and not is_reworded(before):
        changed = retold(changed)
    return changed if changed.text == before.text else replace(changed, stage=STAGED)


def _at_its_time(changed: Memory, since_ms: Mapping[str, int]) -> Memory:
    """A created memory whose time was put right is of that time: of the first of its attributes that is one."""
    if changed.kind is not Kind.CREATED:
        return changed
    first = next((key for key in changed.attributes if is_time(key)), "")
    since = since_ms.get(first)
    return changed if since is None else replace(changed, occurred_ms=since, valid_from_ms=since)


def _with(attributes: Mapping[str, str], said: Mapping[str, str | None]) -> dict[str, str]:
    """The attributes with those that were said. Raises InvalidInput when they are too many."""
    made = {key: value for key, value in {**attributes, **said}.items() if value is not None}
    if len(made) > ATTRIBUTES_MAX:
        message = f"the memory would have more than {ATTRIBUTES_MAX}"
        raise InvalidInput(f"attributes: {message}", fields=(FieldError("attributes", message),))
    return made
