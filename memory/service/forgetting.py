"""ForgetMemory: erasure for good, with a receipt."""

from memory.errors import FieldError, InvalidInput, NotFound
from memory.model.requests import ForgetMemoryRequest
from memory.model.responses import ForgetMemoryResponse
from memory.ports import LongTermStore, MemoryStore, SessionStore
from memory.scope import ConversationScope, UserScope
from memory.service.settings import Caller


class Forgetting:
    """Erases from every store. Sessions go first: what is on its way into memory finds itself without a journal."""

    def __init__(self, sessions: SessionStore, units: LongTermStore, memories: MemoryStore) -> None:
        self._sessions = sessions
        self._units = units
        self._memories = memories

    async def forget(self, caller: Caller, request: ForgetMemoryRequest) -> ForgetMemoryResponse:
        """Erase one memory, one conversation of the user, or all of the user. Raises NotFound, InvalidInput."""
        if request.memory_id is not None and request.conversation_id is not None:
            message = "give a memory_id or a conversation_id, not both"
            raise InvalidInput(message, fields=(FieldError("conversation_id", message),))
        scope = UserScope(caller.tenant, request.user_id)
        if request.memory_id is not None:
            return await self._memory(scope, request.memory_id)
        if request.conversation_id is not None:
            return await self._conversation(scope, request.conversation_id)
        return await self._user(scope)

    async def _memory(self, scope: UserScope, memory_id: str) -> ForgetMemoryResponse:
        if not await self._memories.erase(scope, (memory_id,)):
            raise NotFound("this user has no such memory")
        return self._receipt(scope, memories=1)

    async def _conversation(self, scope: UserScope, conversation: str) -> ForgetMemoryResponse:
        if conversation not in await self._conversations(scope):
            raise NotFound("this user has no such conversation")
        sessions, units = await self._erase_dialogue(scope, conversation)
        memories = await self._memories.erase_conversation(scope, conversation)
        return self._receipt(scope, memories=memories, memunits=units, sessions=sessions)

    async def _user(self, scope: UserScope) -> ForgetMemoryResponse:
        sessions, units = 0, 0
        for conversation in sorted(await self._conversations(scope)):
            gone = await self._erase_dialogue(scope, conversation)
            sessions, units = sessions + gone[0], units + gone[1]
        memories = await self._memories.erase_user(scope)
        profile = await self._units.erase_profile(scope)
        await self._sessions.erase_profile(scope)
        return self._receipt(scope, memories=memories, memunits=units, sessions=sessions, profile=profile)

    async def _conversations(self, scope: UserScope) -> set[str]:
        return {*await self._units.conversations(scope), *await self._sessions.living(scope)}

    async def _erase_dialogue(self, scope: UserScope, conversation: str) -> tuple[int, int]:
        """Return (sessions, MemUnits) that are gone. The session store first, so that nothing is written anew."""
        place = ConversationScope(scope.tenant, conversation)
        sessions = int(await self._sessions.erase(place))
        return sessions, await self._units.erase_conversation(place)

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
