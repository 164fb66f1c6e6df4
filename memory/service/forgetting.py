"""ForgetMemory: erasure for good, with a receipt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.consolidation.knowledge.profiles import (
    group_profile_id,
    is_told_name,
    places_of,
    user_profile_id,
)
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.users import UserLister
from memory.errors import Conflict, FieldError, InvalidInput, NotFound
from memory.model.caller import Caller
from memory.model.erasure_calls import ErasureResponse, ForgetMemoryRequest, ForgetMemoryResponse
from memory.model.memory import Memory
from memory.model.predicates import NAME
from memory.model.profile import Profile, ProfileChange, apply_change
from memory.model.search import Filter
from memory.ports import Batches, JobQueue, SessionStore
from memory.scope import ConversationScope, UserScope
from memory.service.erasures import Erasures
from memory.service.memories import Remembered

_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Gone:
    """How much is gone, or would be."""

    memories: int = 0
    memunits: int = 0
    sessions: int = 0
    profile: bool = False


@dataclass(frozen=True, slots=True)
class What:
    """What is to be forgotten of a user: a memory, a conversation, or (neither) all."""

    scope: UserScope
    memory_id: str = ""
    conversation: str = ""


class Elsewhere(NamedTuple):
    """Where else it stands what is to be done with sessions and memories, and whose they are."""

    jobs: JobQueue
    lister: UserLister
    batches: Batches


class Forgetting:
    """Erases from every store. Sessions go first: what is on its way into memory finds itself without a journal.

    Whoever has read something before, and sleeps meanwhile, writes nothing of it any more (memory/fences.py).
    """

    def __init__(
        self,
        sessions: SessionStore,
        remembered: Remembered,
        rememberer: Rememberer,
        elsewhere: Elsewhere,
        erasures: Erasures,
    ) -> None:
        self._sessions = sessions
        self._remembered = remembered
        self._units = remembered.units
        self._memories = remembered.memories
        self._tail = remembered.tail
        self._rememberer = rememberer
        self._jobs, self._lister, self._batches = elsewhere
        self._erasures = erasures

    async def forget(self, caller: Caller, request: ForgetMemoryRequest) -> ForgetMemoryResponse:
        """Erase one memory, one conversation of the user, or all of the user; or count what that would take.

        Raises NotFound, InvalidInput, and Conflict for a memory that is not stored yet.
        """
        what = await self._what(caller, request)
        if request.dry_run:
            return self._receipt(what.scope, await self._count(what), self._erasures.counted(), dry_run=True)
        erasure_id = await self._erasures.begin()
        gone = await self._erase(what)
        files = await self._erasures.end(erasure_id, caller.tenant, request.wait_ms)
        return self._receipt(what.scope, gone, files, dry_run=False)

    async def _what(self, caller: Caller, request: ForgetMemoryRequest) -> What:
        if request.memory_id is not None and request.conversation_id is not None:
            message = "give a memory_id or a conversation_id, not both"
            raise InvalidInput(message, fields=(FieldError("conversation_id", message),))
        if request.memory_id is not None:
            scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
            return What(scope, memory_id=request.memory_id)
        if request.user_id is None:
            message = "give a user_id, alone or with a conversation_id, or a memory_id"
            raise InvalidInput(message, fields=(FieldError("user_id", message),))
        return What(UserScope(caller.tenant, request.user_id), conversation=request.conversation_id or "")

    async def _erase(self, what: What) -> Gone:
        if what.memory_id:
            await self.forget_memories(what.scope, [await self._one(what.scope, what.memory_id)])
            return Gone(memories=1)
        if what.conversation:
            return await self._conversation(what.scope, what.conversation)
        return await self._user(what.scope)

    async def forget_memories(self, scope: UserScope, memories: Sequence[Memory]) -> None:
        """Erase these memories of the user, for good; the erasure is the caller's to begin and to end."""
        places = places_of(scope, memories)
        profiles = {user_profile_id(scope), *(group_profile_id(place, scope.user) for place in places)}
        gone = profiles.union(memory.memory_id for memory in memories)
        await self._rememberer.forget(scope, lambda memory: memory.memory_id in gone)
        await self._forget_name(scope, memories)
        await self._settle(scope, *places)

    async def _forget_name(self, scope: UserScope, memories: Sequence[Memory]) -> None:
        """What a caller told of a user's name stands in the profile too."""

        def nameless(profile: Profile) -> Profile:
            told = any(is_told_name(memory, profile.name) for memory in memories)
            return apply_change(profile, ProfileChange(name="")) if told else profile

        if any(memory.predicate == NAME for memory in memories):
            await self._units.update_profile(scope, nameless)

    async def _one(self, scope: UserScope, memory_id: str) -> Memory:
        """A memory. Raises NotFound; Conflict when a session would be made into the same memory again."""
        if await self._tail.holds(scope, memory_id):
            reason = "this memory is not stored yet, or made of a session that is still to be finalised"
            raise Conflict(f"{reason}: forget its conversation, or end that and try again")
        found = await self._memories.get(scope, (memory_id,))
        if not found:
            raise NotFound("this user has no such memory")
        return found[0]

    async def _conversation(self, scope: UserScope, conversation: str) -> Gone:
        own = conversation in await self._conversations(scope)
        sessions, units = await self._erase_dialogue(scope, conversation, nobodys=own)
        profile = await self._memories.forget(scope, (user_profile_id(scope),))
        memories = await self._rememberer.erase_conversation(scope, conversation)
        await self._settle(scope)
        if not (own or sessions or units or memories):
            raise NotFound("this user has no such conversation")
        return Gone(memories=profile + memories, memunits=units, sessions=sessions)

    async def _user(self, scope: UserScope) -> Gone:
        sessions, units = 0, 0
        await self._batches.drop(scope)
        for conversation in sorted({*await self._conversations(scope), *await self._sessions.listed(scope)}):
            gone = await self._erase_dialogue(scope, conversation, nobodys=True)
            sessions, units = sessions + gone[0], units + gone[1]
        memories = await self._memories.erase_user(scope)
        profile = await self._units.erase_profile(scope)
        await self._sessions.erase_profile(scope)
        await self._lister.let_go(scope)
        return Gone(memories, units, sessions, profile)

    async def _settle(self, scope: UserScope, *places: ConversationScope) -> None:
        """Let go of the copy, and make profiles anew from what is left: those that knew more are gone by now.

        Where nothing is left the user is listed no more.
        """
        await self._sessions.erase_profile(scope)  # first: an error on the way must not leave what was forgotten
        await self._rememberer.settle_doubts(scope, await self._units.get_profile(scope))
        await self._rememberer.refresh_profiles(scope, *places)
        await self._sessions.erase_profile(scope)
        await self._lister.let_go(scope)

    async def _conversations(self, scope: UserScope) -> set[str]:
        return {*await self._units.conversations(scope), *await self._sessions.living(scope)}

    async def _erase_dialogue(self, scope: UserScope, conversation: str, *, nobodys: bool) -> tuple[int, int]:
        """Return the user's (sessions, MemUnits) that are gone, and with `nobodys` those without a user.

        The session store first, so that nothing is written anew; and once more when the MemUnits are gone, for who
        has opened a session with them in between. What others have in the conversation stays.
        """
        place = ConversationScope(scope.tenant, conversation)
        forgotten = await self._sessions.erase(scope, conversation)
        for key in forgotten.ended:
            await self._jobs.drop_finalization(key)
        users = (scope.user, "") if nobodys else (scope.user,)
        units = await self._units.erase_conversation(place, users)
        await self._sessions.erase(scope, conversation)
        return forgotten.sessions, units

    async def _count(self, what: What) -> Gone:
        """What `_erase` would take. Profiles that are made anew afterwards are not counted."""
        scope = what.scope
        if what.memory_id:
            await self._one(scope, what.memory_id)
            return Gone(memories=1)
        every = {*await self._conversations(scope), *await self._sessions.listed(scope)}
        own = [what.conversation] if what.conversation else sorted(every)
        sessions = sum([await self._sessions.erasable(scope, conversation) for conversation in own])
        units = await self._units.count(scope, what.conversation)
        if not what.conversation:
            known = (await self._units.get_profile(scope)).version > 0
            return Gone(await self._memories.count(scope), units, sessions, known)
        memories = await self._memories_of(scope, what.conversation)
        if not (what.conversation in every or sessions or units or memories):
            raise NotFound("this user has no such conversation")
        return Gone(memories, units, sessions)

    async def _memories_of(self, scope: UserScope, conversation: str) -> int:
        count, cursor = 0, ""
        while True:
            page = await self._memories.page(scope, Filter(conversation=conversation), cursor, _PAGE)
            count, cursor = count + len(page.memories), page.cursor
            if not cursor:
                return count

    def _receipt(self, scope: UserScope, gone: Gone, files: ErasureResponse, *, dry_run: bool) -> ForgetMemoryResponse:
        return ForgetMemoryResponse(
            user_id=scope.user,
            memories=gone.memories,
            memunits=gone.memunits,
            sessions=gone.sessions,
            profile=gone.profile,
            store=self._memories.kind,
            guarantee=self._memories.erasure,
            dry_run=dry_run,
            **dict(files),
        )
