"""What a fact says, put right: a caller's word takes its place, and it stays as what was held before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memory.consolidation.knowledge.profiles import held, places_of
from memory.consolidation.remember import Rememberer
from memory.consolidation.triples import Told, told_fact
from memory.errors import FieldError, Guarded, InvalidInput, NotFound, RevisionConflict
from memory.model.change import Op
from memory.model.history import Doing, noted
from memory.model.memory import Category, Kind, Memory
from memory.ports import Clock
from memory.scope import UserScope
from memory.service.memories import Remembered
from memory.session.safety import GUARDED
from memory.session.times import moment_ms, rfc3339

_OF_ITS_KIND: Final = {
    Kind.FACT: "a fact is put right by object and polarity",
    Kind.CREATED: "a created memory is put right by text",
    Kind.PROFILE: "a profile follows from facts: put those right",
    Kind.LINK: "a link is taken off by UnlinkMemories, and made anew by LinkMemories",
    Kind.EPISODE: "what was said stays as it was said: put the facts right that were read of it, or archive it",
    Kind.EVENT: "what was said stays as it was said: archive it, and tell what happened by CreateMemory",
}


@dataclass(frozen=True, slots=True)
class Correction:
    """What holds instead of what a fact says, by whom, and why. `unchanged` raises where somebody changed the fact."""

    object: str
    polarity: str
    attributes: Mapping[str, str]
    importance: float
    by: str
    why: str
    unchanged: Callable[[Memory], None]


class FactsPutRight:
    """Tells the fact that is right, and lets it take the place of the other, whatever its predicate is."""

    def __init__(self, remembered: Remembered, rememberer: Rememberer, clock: Clock) -> None:
        self._remembered = remembered
        self._memories = remembered.memories
        self._rememberer = rememberer
        self._clock = clock

    async def put_right(self, scope: UserScope, fact: Memory, correction: Correction) -> Memory:
        """The fact that holds instead; the same again is the same. Raises InvalidInput, RevisionConflict, NotFound."""
        told = _told(fact, correction, self._clock.now_ms())
        new_id = told_fact(scope, told).memory.memory_id
        there = await self._memories.get(scope, (new_id,))
        if fact.superseded_by == new_id and held(there):
            return there[0]
        correction.unchanged(fact)
        _require_held(fact)
        await self._remembered.changed(scope, (fact,))
        (new,) = await self._rememberer.tell(scope, [told])
        try:
            await self._take_its_place(scope, fact, new, correction)
        except (RevisionConflict, NotFound):
            if not there:  # told for nothing
                await self._rememberer.take_back(scope, new_id)
            raise
        await self._rememberer.refresh_profiles(scope, *places_of(scope, (fact,)))
        await self._remembered.changed(scope, (fact, new))
        return new

    async def _take_its_place(self, scope: UserScope, fact: Memory, new: Memory, correction: Correction) -> None:
        now_ms = self._clock.now_ms()

        def change(memory: Memory) -> Memory:
            correction.unchanged(memory)
            if memory.superseded_by != new.memory_id and not memory.holds:
                raise RevisionConflict(
                    "something else took its place meanwhile: read it again",
                    more={"updated_at": rfc3339(changed_ms(memory))},
                )
            ended = _superseded(memory, new, Doing(Op.SUPERSEDED, correction.by, now_ms, correction.why))
            return replace(ended, updated_ms=max(now_ms, changed_ms(memory) + 1))

        if not await self._memories.change(scope, (fact.memory_id,), change):
            raise NotFound("this user has no such memory")


def require_fitting(memory: Memory, given: Mapping[str, str | None]) -> None:
    """Raise InvalidInput for what a memory of this kind does not have, Guarded where safety or a name rests on it."""
    fitting = {Kind.FACT: {"object", "polarity"}, Kind.CREATED: {"text"}}.get(memory.kind, set())
    said = [name for name, value in given.items() if value is not None]
    wrong = tuple(FieldError(name, _OF_ITS_KIND[memory.kind]) for name in said if name not in fitting)
    if wrong:
        raise InvalidInput(f"{wrong[0].field}: {wrong[0].message}", fields=wrong)
    if said and memory.kind is Kind.FACT and memory.predicate in GUARDED:
        raise Guarded("safety and names are put right by UpsertFacts, UpsertPreferences, ConfirmFacts and DecideReview")


def changed_ms(memory: Memory) -> int:
    """When a caller last changed it, else when it was recorded."""
    return memory.recorded_ms if memory.updated_ms is None else memory.updated_ms


def require_unchanged(memory: Memory, since: str | None) -> None:
    """Raise RevisionConflict when a memory was changed since somebody read it."""
    if since is not None and moment_ms(since) != changed_ms(memory):
        changed = rfc3339(changed_ms(memory))
        raise RevisionConflict(f"the memory was changed at {changed}: read it again", more={"updated_at": changed})


def _require_held(fact: Memory) -> None:
    if fact.state != "held":
        message = (
            "is archived: restore it first"
            if fact.state == "archived"
            else "holds no longer: put right what took its place"
        )
        raise InvalidInput(f"the memory {message}", fields=(FieldError("memory_id", message),))


def _told(fact: Memory, correction: Correction, now_ms: int) -> Told:
    """What holds instead, since when the other was held to be so. It speaks for itself: nobody said it in a session."""
    return Told(
        subject=fact.subject,
        predicate=fact.predicate,
        object=correction.object,
        quote="",
        conversation="",
        told_ms=max(now_ms, fact.occurred_ms),
        valid_from_ms=fact.valid_from_ms,
        polarity=correction.polarity,
        attributes=correction.attributes,
        importance=correction.importance,
        lasts=fact.category is Category.CORE,
    )


def _superseded(memory: Memory, by: Memory, doing: Doing) -> Memory:
    """The fact with another in its place, as who does it; what that fact did by itself already is theirs too."""
    if memory.superseded_by != by.memory_id:
        return noted(memory, replace(memory, superseded_by=by.memory_id, valid_to_ms=by.valid_from_ms), doing)
    changes = list(memory.changes)
    for place, each in reversed(list(enumerate(changes))):
        if each.after.get("superseded_by") == by.memory_id:
            changes[place] = replace(each, by=doing.by, why=doing.why)
            break
    return replace(memory, changes=tuple(changes))
