"""Turning a MemUnit into memories: extract, embed, store, read back, supersede. Each step may be run again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import Final, NamedTuple

from memory import fences as fence_names
from memory.clinical.corrections.held import KINDS
from memory.clinical.findings import CORRECTS
from memory.clinical.people import USER
from memory.consolidation.arrivals import arriving
from memory.consolidation.derive import Derivation, Derived, Gist, derive, dialogue_of, flags, gist, indexed, passages
from memory.consolidation.knowledge.profiles import (
    group_profile,
    group_profile_id,
    held,
    user_profile,
    user_profile_id,
)
from memory.consolidation.minds import Minds
from memory.consolidation.pages import all_of
from memory.consolidation.supersession import (
    contradicting,
    contradicts,
    heirs_of,
    held_again,
    in_order,
    is_same,
    moot_denials,
    replaced,
    replaces,
    rivals,
    taken_anew,
    unasked,
    without,
)
from memory.consolidation.triples import Told, told_fact
from memory.consolidation.with_changes import with_changes, with_doubts, with_reasons
from memory.consolidation.withhold import AS_SAID, Covering, cover_unit
from memory.errors import InvariantBroken, Overtaken
from memory.extraction.endings.known import Known
from memory.extraction.endings.reading import may_end
from memory.extraction.facts.clinical import with_health
from memory.graph.identity import without_labels
from memory.graph.links import without_ends
from memory.model.brain import is_brain
from memory.model.history import Doing, noted
from memory.model.memory import Category, Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.predicates import cues_of
from memory.model.profile import Profile
from memory.model.search import Filter, IndexEntry, Vector
from memory.ports import MemoryStore
from memory.privacy.placeholders import is_nobody
from memory.scope import ConversationScope, Fence, UserScope
from memory.session.safety import LIST_OF

_LOG: Final = logging.getLogger("anamnesis.remember")
_READ_MAX: Final = 5_000
_PAGE: Final = 1_000
_CORE_FACTS_MAX: Final = 1_000
_SAFETY_READ_MAX: Final = 20_000
_OF_SAFETY: Final = Filter(kinds=(Kind.FACT,), categories=(Category.CORE,))
_REFRESHES_MAX: Final = 8


Erase = Callable[[UserScope, Sequence[str]], Awaitable[int]]


class Remembered(NamedTuple):
    """A memory that is stored. `reported`: receipts name it; passages are too many."""

    memory_id: str
    reported: bool

    @classmethod
    def of(cls, memory: Memory) -> "Remembered":
        """What is to be known of one."""
        return cls(memory.memory_id, not memory.position)


class Around(NamedTuple):
    """What is known of a unit beside its words: what an agent said right before it, and the clock of its user.

    The clock is that of what was said in a session of no time zone; None: as the settings say. `told`: what callers put
    into the profile's lists of safety.
    """

    asked: str = ""
    zone: tzinfo | None = None
    told: Sequence[Known] = ()


ALONE: Final = Around()


def told_of(profile: Profile) -> list[Known]:
    """What the lists of a profile hold."""
    lists = profile.safety()
    return [Known(kind, text) for kind in KINDS for text in lists[LIST_OF[kind]]]


class Rememberer:
    """Makes and stores the memories of a unit."""

    def __init__(self, memories: MemoryStore, minds: Minds) -> None:
        self._memories = memories
        self._minds = minds

    def covering(self, tenant: str) -> Covering:
        """For a session's entries as the store may have them, to make units of, and for `remember`."""
        return Covering.by(self._minds.replacer, tenant)

    def noted(self, covering: Covering) -> None:
        """Count what was replaced in a session's units, once."""
        if covering.texts is not None:
            self._minds.replacer.noted(covering.texts)

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As MemoryStore.fences, for `remember`."""
        return await self._memories.fences(names)

    async def standing(self, scope: UserScope) -> UserScope:
        """The scope under what has been forgotten so far, unless it stands under fences already."""
        return scope if scope.fences else scope.under(await self._memories.fences([fence_names.of_user(scope)]))

    async def remember(
        self,
        unit: MemUnit,
        covering: Covering = AS_SAID,
        before: Collection[str] = (),
        fences: tuple[Fence, ...] = (),
        around: Around = ALONE,
    ) -> list[Memory]:
        """Store what a unit gives, and return it. A unit of nobody gives nothing. Profiles are not made anew.

        `covering` is that of the unit's journal: minds read what was said, the store gets what is covered. `before`:
        ids of what an attempt before this one made of it. What is not made again is erased: a model answers anew each
        time. Raises what the stores and the mind raise; run again, it writes the same records under the same ids. What
        it writes stands under `fences`.
        """
        if not unit.user_id:
            return []
        scope = UserScope(unit.scope.tenant, unit.user_id, fences)
        derivation = await self._derive(scope, unit, covering, around)
        entries = await self._indexed(derivation.memories)
        links = [IndexEntry(each, indexed(each).terms, None) for each in derivation.links]
        await self._memories.put(scope, [*entries, *links])
        ids = [entry.memory.memory_id for entry in entries]
        stored = await self._memories.get(scope, ids)
        if len(stored) != len(ids):
            raise InvariantBroken(f"{len(ids) - len(stored)} of {len(ids)} memories do not read back")
        stale = set(before).difference(ids)
        if stale:
            await self._take_away(scope, lambda memory: memory.memory_id in stale, self._memories.erase)
        for memory in stored:
            if memory.kind is Kind.FACT and not is_nobody(memory.subject):
                await self._supersede(scope, memory)
        for reason, count in derivation.dropped.items():
            _LOG.warning("dropped at extraction", extra={"reason": reason, "count": count})
        return stored

    async def remembered(self, scope: UserScope, conversation: str) -> dict[str, list[Remembered]]:
        """What is stored of a conversation, by unit. Reads all of it: once an attempt, not once a unit."""
        found: dict[str, list[Remembered]] = {}
        wanted, cursor = Filter(conversation=conversation), ""
        while True:
            page = await self._memories.page(scope, wanted, cursor, _PAGE)
            for memory in page.memories:
                found.setdefault(memory.source.unit_id, []).append(Remembered.of(memory))
            cursor = page.cursor
            if not cursor:
                return found

    async def _derive(self, scope: UserScope, unit: MemUnit, covering: Covering, around: Around) -> Derivation:
        zone = around.zone or self._minds.zone
        said = dialogue_of(covering.as_said(unit), self._minds.locale, zone)
        found = await self._minds.mind.extract(said)
        if said.alone and not found.statements:
            found = replace(found, statements=(await self._minds.rules.extract(said)).statements)
        mind = found.mind or self._minds.mind.name
        found = await asyncio.to_thread(
            with_health, found, replace(said, before=around.asked), by_rules=mind == self._minds.rules.name
        )
        found = with_reasons(found, said)
        ending = may_end(said, found.facts)
        if ending:
            stored = [*await self._held(scope, ending), *around.told]
            found = await asyncio.to_thread(with_changes, found, said, stored)
        found = with_doubts(found, around.told)
        extraction = await asyncio.to_thread(covering.extraction, found, said)
        dialogue = dialogue_of(unit, self._minds.locale, zone)
        if covering.said and mind == self._minds.rules.name:  # it cuts sentences short, and identifiers with them
            extraction = replace(extraction, episodes=(await self._minds.rules.extract(dialogue)).episodes)
        return derive(unit, dialogue, extraction, mind)

    async def _held(self, scope: UserScope, predicates: Collection[str]) -> list[Known]:
        facts = await asyncio.gather(*(self._memories.facts(scope, USER, name) for name in sorted(predicates)))
        return [Known(fact.predicate, fact.object) for each in facts for fact in held(each) if fact.polarity == "+"]

    async def tell(self, scope: UserScope, told: Sequence[Told]) -> list[Memory]:
        """Store triples as facts and return them. One that is held already stays as it is; one that was, is again.

        So is one that is about what was said after it. What they replace is ended in any case: who tells again may
        have been cut off before.
        """
        if not told:
            return []
        scope = await self.standing(scope)
        facts = [told_fact(scope, self._covered(scope, each)) for each in told]
        ids = [fact.memory.memory_id for fact in facts]
        stored = {memory.memory_id: memory for memory in await self._memories.get(scope, ids)}
        known = {memory.memory_id: memory.occurred_ms for memory in held(stored.values())}
        new = [
            fact for fact, each in zip(facts, told, strict=True) if known.get(fact.memory.memory_id, -1) < each.about_ms
        ]
        if new:
            await self._memories.put(scope, await self._indexed(new))
        told_now = {fact.memory.memory_id: fact.memory for fact in new}
        for memory_id in told_now.keys() & stored.keys():
            await self._memories.change(scope, (memory_id,), partial(held_again, told=told_now[memory_id]))
        for memory_id in dict.fromkeys(ids):
            await self._supersede(scope, told_now.get(memory_id) or stored[memory_id])
        await self.refresh_profiles(scope)
        return await self._memories.get(scope, ids)

    async def add(self, scope: UserScope, facts: Sequence[Derived]) -> None:
        """Store facts, and settle what they replace. What is stored already stays as it is; profiles do too."""
        await self._memories.put(scope, await self._indexed(facts))
        for fact in facts:
            await self._supersede(scope, fact.memory)

    def as_stored(self, scope: UserScope, said: str, predicate: str = "") -> str:
        """What somebody says, as the store may have it. `predicate`: of which it is the object."""
        return self._minds.replacer.text(scope.tenant, said, cues_of(predicate))

    def _covered(self, scope: UserScope, told: Told) -> Told:
        """A triple as the store may have it."""
        text = partial(self.as_stored, scope)
        attributes = {name: text(said) for name, said in told.attributes.items()}
        return replace(
            told, subject=text(told.subject), object=text(told.object, told.predicate), quote=text(told.quote),
            attributes=attributes,
        )  # fmt: skip

    async def end(self, scope: UserScope, fact_ids: Sequence[str], ending: Doing, until_ms: int) -> None:
        """These facts hold no longer than until then, as somebody says now."""
        if not fact_ids:
            return
        scope = await self.standing(scope)

        def ended(memory: Memory) -> Memory:
            return noted(memory, replace(memory, valid_to_ms=until_ms, updated_ms=ending.at_ms), ending)

        await self._memories.change(scope, fact_ids, ended)
        await self.refresh_profiles(scope)

    async def settle_again(self, scope: UserScope, facts: Sequence[Memory], *at: ConversationScope) -> None:
        """After facts came in, or were taken away or back: what they replace or are replaced by, and the profiles."""
        for fact in await arriving(self._memories, scope, facts):
            await self._supersede(scope, fact)
        if facts or at:
            await self.refresh_profiles(scope, *at)

    async def refresh_profiles(self, scope: UserScope, *conversations: ConversationScope) -> None:
        """Make the user's profile anew from what is held true now, and those of the group in conversations.

        What was written is looked at once more: of two who do this at once, the one that read less writes again. What
        is forgotten meanwhile is read anew too, unless the scope stands under fences: then it raises Overtaken.
        """
        for _ in range(_REFRESHES_MAX):
            try:
                if not await self._refreshed(await self.standing(scope), conversations):
                    return
            except Overtaken:
                if scope.fences:
                    raise

    async def _refreshed(self, scope: UserScope, conversations: Sequence[ConversationScope]) -> bool:
        """Whether anything was to be changed."""
        facts, locale = await self._facts(scope), self._minds.locale
        made = {user_profile_id(scope): user_profile(scope, facts, locale)}
        for conversation in conversations:
            page = await self._memories.page(scope, Filter(conversation=conversation.conversation), "", _READ_MAX)
            made[group_profile_id(conversation, scope.user)] = group_profile(
                conversation, scope.user, page.memories, locale
            )
        there = {memory.memory_id: memory for memory in await self._memories.get(scope, list(made))}
        changed = {key: new for key, new in made.items() if _says(there.get(key)) != _says(new)}
        if not changed:
            return False
        entries = await self._indexed([indexed(new) for new in changed.values() if new is not None])
        gone = [key for key in changed if key in there]  # an id's record keeps its text
        await self._memories.erase(scope, gone)
        await self._memories.put(scope, entries)
        return True

    async def core_facts(self, scope: UserScope) -> Sequence[Memory]:
        """The facts that safety rests on, and names."""
        return (await self._memories.page(scope, _OF_SAFETY, "", _CORE_FACTS_MAX)).memories

    async def _facts(self, scope: UserScope) -> Sequence[Memory]:
        return (await self._memories.page(scope, Filter(kinds=(Kind.FACT,)), "", _READ_MAX)).memories

    def passages(self, unit: MemUnit, read: Callable[[str], Gist] = gist) -> list[Derived]:
        """The passages of what is not finalised yet: those that `derive` will make of it, under the same ids."""
        if is_brain(unit.scope.conversation):  # statements need the whole session
            return []
        unit = cover_unit(self._minds.replacer, unit)
        return list(passages(unit, dialogue_of(unit, self._minds.locale, self._minds.zone), read))

    async def forget(self, scope: UserScope, goes: Callable[[Memory], bool]) -> int:
        """Erase the user's memories that `goes` says, for good; returns how many. Looks at all of the user's.

        Links of what goes go with it. A fact that one of them has replaced is held again, unless another that stays
        replaces it too.
        """
        return await self._take_away(scope, goes, self._memories.forget)

    async def take_back(self, scope: UserScope, memory_id: str) -> None:
        """Erase what was told just now, for nothing; what it replaced is held again. It stops nobody who writes."""
        await self._take_away(scope, lambda memory: memory.memory_id == memory_id, self._memories.erase)
        await self.refresh_profiles(scope)

    async def _take_away(self, scope: UserScope, goes: Callable[[Memory], bool], erase: Erase) -> int:
        every = [entry.memory async for entry in self._memories.entries(scope)]
        gone = {memory.memory_id: memory for memory in every if goes(memory)}
        corrections = (each.memory_id for each in every if each.attributes.get(CORRECTS) in gone)
        lost = {*without_ends(every, gone), *without_labels(every, gone), *corrections}
        gone |= {memory.memory_id: memory for memory in every if memory.memory_id in lost}
        again = [memory for memory in every if memory.superseded_by in gone and memory.memory_id not in gone]
        for memory in again:  # first: whatever happens then, nothing is replaced by what is not there
            await self._memories.change(scope, (memory.memory_id,), partial(without, by=gone[memory.superseded_by]))
        there = {memory.memory_id: memory for memory in every if memory.memory_id not in gone}
        for memory in heirs_of(there.values(), gone):
            for changed in await self._memories.change(scope, (memory.memory_id,), partial(taken_anew, there=there)):
                there[changed.memory_id] = changed
        erased = await erase(scope, list(gone)) if gone else 0
        for memory in await self._memories.get(scope, [memory.memory_id for memory in again]):
            await self._supersede(scope, memory)
        return erased

    async def settle_doubts(self, scope: UserScope, profile: Profile) -> bool:
        """Of denials whose claim is held no longer, in memory or in the profile's lists, nothing is asked any more.

        Whether there were any: a copy of the profile that was made before is none of it.
        """
        facts, _ = await all_of(self._memories, scope, _OF_SAFETY, _SAFETY_READ_MAX)
        moot = moot_denials(facts, told_of(profile))
        if moot:
            await self._memories.change(scope, [each.memory_id for each in moot], unasked)
        return bool(moot)

    async def skipped(self, unit: MemUnit) -> Mapping[int, str]:
        """Of messages that gave nothing, why."""
        return (await self._minds.rules.extract(dialogue_of(unit, self._minds.locale, self._minds.zone))).skipped

    async def _indexed(self, derived: Sequence[Derived]) -> list[IndexEntry]:
        vectors: Sequence[Vector | None] = [None] * len(derived)
        if self._minds.embedder is not None:
            vectors = await self._minds.embedder.passages([one.embed for one in derived])
        return [
            IndexEntry(one.memory, one.terms, vector, *flags(one.memory))
            for one, vector in zip(derived, vectors, strict=True)
        ]

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """As `forget`: what came from a conversation, also what comes meanwhile."""
        erased = await self.forget(scope, lambda memory: memory.source.conversation == conversation)
        return erased + await self._memories.erase_conversation(scope, conversation)

    async def _supersede(self, scope: UserScope, new: Memory) -> None:
        """End what the new fact replaces: the same told again, another value of what has one value only, its opposite.

        What was said later replaces what was said before; of opposites only where the predicate ends so.
        """
        for predicate in rivals(new.predicate):
            for other in await self._memories.facts(scope, new.subject, predicate):
                old, later = in_order(other, new)
                if other.memory_id == new.memory_id:
                    continue
                if not replaces(old, later):
                    if contradicts(old, later):
                        marked = partial(contradicting, claim=old)
                        await self._memories.change(scope, (later.memory_id,), marked)
                    continue
                same = is_same(other, new)
                both = (old.memory_id, later.memory_id) if same else (old.memory_id,)
                await self._memories.change(scope, both, partial(replaced, old=old, by=later, same=same))


def _says(profile: Memory | None) -> tuple[str, int] | None:
    """What it says, and of when."""
    return (profile.text, profile.occurred_ms) if profile else None
