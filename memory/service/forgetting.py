"""ForgetMemory: erasure for good, with a receipt."""

from memory.consolidation.profiles import group_profile_id, user_profile_id
from memory.consolidation.remember import Rememberer
from memory.errors import Conflict, FieldError, InvalidInput, NotFound
from memory.model.requests import ForgetMemoryRequest
from memory.model.responses import ForgetMemoryResponse
from memory.ports import SessionStore
from memory.scope import ConversationScope, UserScope
from memory.service.memories import Remembered
from memory.service.settings import Caller


class Forgetting:
    """Erases from every store. Sessions go first: what is on its way into memory finds itself without a journal."""

    def __init__(self, sessions: SessionStore, remembered: Remembered, rememberer: Rememberer) -> None:
        self._sessions = sessions
        self._remembered = remembered
        self._units = remembered.units
        self._memories = remembered.memories
        self._tail = remembered.tail
        self._rememberer = rememberer

    async def forget(self, caller: Caller, request: ForgetMemoryRequest) -> ForgetMemoryResponse:
        """Erase one memory, one conversation of the user, or all of the user.

        Raises NotFound, InvalidInput, and Conflict for a memory that is not stored yet.
        """
        if request.memory_id is not None and request.conversation_id is not None:
            message = "give a memory_id or a conversation_id, not both"
            raise InvalidInput(message, fields=(FieldError("conversation_id", message),))
        if request.memory_id is not None:
            scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
            return await self._memory(scope, request.memory_id)
        if request.user_id is None:
            message = "give a user_id, alone or with a conversation_id, or a memory_id"
            raise InvalidInput(message, fields=(FieldError("user_id", message),))
        scope = UserScope(caller.tenant, request.user_id)
        if request.conversation_id is not None:
            return await self._conversation(scope, request.conversation_id)
        return await self._user(scope)

    async def _memory(self, scope: UserScope, memory_id: str) -> ForgetMemoryResponse:
        """What a session still holds would be made into the same memory again."""
        if await self._tail.holds(scope, memory_id):
            reason = "this memory is not stored yet, or made of a session that is still to be finalised"
            raise Conflict(f"{reason}: forget its conversation, or end that and try again")
        found = await self._memories.get(scope, (memory_id,))
        if not found:
            raise NotFound("this user has no such memory")
        place = _place(scope, found[0].source.conversation)
        profiles = {user_profile_id(scope), *([group_profile_id(place, scope.user)] if place else [])}
        await self._rememberer.erase(scope, lambda memory: memory.memory_id in {memory_id, *profiles})
        await self._settle(scope, place)
        return self._receipt(scope, memories=1)

    async def _conversation(self, scope: UserScope, conversation: str) -> ForgetMemoryResponse:
        own = conversation in await self._conversations(scope)
        sessions, units = await self._erase_dialogue(scope, conversation, nobodys=own)
        profile = await self._memories.erase(scope, (user_profile_id(scope),))
        memories = await self._rememberer.erase_conversation(scope, conversation)
        await self._settle(scope)
        if not (own or sessions or units or memories):
            raise NotFound("this user has no such conversation")
        return self._receipt(scope, memories=profile + memories, memunits=units, sessions=sessions)

    async def _user(self, scope: UserScope) -> ForgetMemoryResponse:
        sessions, units = 0, 0
        for conversation in sorted({*await self._conversations(scope), *await self._sessions.listed(scope)}):
            gone = await self._erase_dialogue(scope, conversation, nobodys=True)
            sessions, units = sessions + gone[0], units + gone[1]
        memories = await self._memories.erase_user(scope)
        profile = await self._units.erase_profile(scope)
        await self._sessions.erase_profile(scope)
        return self._receipt(scope, memories=memories, memunits=units, sessions=sessions, profile=profile)

    async def _settle(self, scope: UserScope, place: ConversationScope | None = None) -> None:
        """Let go of the copy, and make profiles anew from what is left: those that knew more are gone by now."""
        await self._sessions.erase_profile(scope)  # first: an error on the way must not leave what was forgotten
        await self._rememberer.refresh_profiles(scope, place)
        await self._sessions.erase_profile(scope)

    async def _conversations(self, scope: UserScope) -> set[str]:
        return {*await self._units.conversations(scope), *await self._sessions.living(scope)}

    async def _erase_dialogue(self, scope: UserScope, conversation: str, *, nobodys: bool) -> tuple[int, int]:
        """Return the user's (sessions, MemUnits) that are gone, and with `nobodys` those without a user.

        The session store first, so that nothing is written anew. What others have in the conversation stays.
        """
        place = ConversationScope(scope.tenant, conversation)
        sessions = await self._sessions.erase(scope, conversation)
        users = (scope.user, "") if nobodys else (scope.user,)
        return sessions, await self._units.erase_conversation(place, users)

    def _receipt(
        self, scope: UserScope, *, memories: int = 0, memunits: int = 0, sessions: int = 0, profile: bool = False
    ) -> ForgetMemoryResponse:
        return ForgetMemoryResponse(
            user_id=scope.user,
            memories=memories,
            memunits=memunits,
            sessions=sessions,
            profile=profile,
            store=self._memories.kind,
            guarantee=self._memories.erasure,
        )


def _place(scope: UserScope, conversation: str) -> ConversationScope | None:
    return ConversationScope(scope.tenant, conversation) if conversation else None
