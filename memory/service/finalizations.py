"""FinalizeSessionMemory, GetFinalization, and what an operator needs when one failed."""

import asyncio
import contextlib
import logging
from typing import Final

from memory.errors import NotFound, TemporaryError
from memory.model.caller import Caller
from memory.model.finalization import Finalization, FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.requests import (
    FinalizeSessionMemoryRequest,
    ListFinalizationsRequest,
    ReplayFinalizationRequest,
)
from memory.model.responses import (
    FinalizationList,
    FinalizationResponse,
    ReplayFinalizationResponse,
    UnfinishedSession,
)
from memory.ports import Announcements, Endings, JobQueue, MemUnits
from memory.scope import ConversationScope
from memory.service.settings import SessionSettings
from memory.session.times import rfc3339

_LOG: Final = logging.getLogger("anamnesis.sessions")


class Finalizations:
    """Ends sessions by hand and says where ended ones stand."""

    def __init__(
        self,
        sessions: Endings,
        store: MemUnits,
        jobs: JobQueue,
        announcements: Announcements,
        settings: SessionSettings,
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._jobs = jobs
        self._announcements = announcements
        self._settings = settings

    async def finalize(self, caller: Caller, request: FinalizeSessionMemoryRequest) -> FinalizationResponse:
        """End the session now. The answer comes at once (ENDING), or with `wait_ms` when it is done.

        Of an ended conversation it says the state again, and waits as well; raises NotFound when nobody has written
        to it.
        """
        scope = ConversationScope(caller.tenant, request.conversation_id)
        standing = await self._sessions.standing(scope)
        if standing.alive or standing.expired:
            await self.seal(scope, cause="asked", summary=request.summary or "", recent_turns=request.recent_turns or 0)
        return await self._settled(scope, request.wait_ms / 1000) if request.wait_ms else await self._where(scope)

    async def _settled(self, scope: ConversationScope, patience_s: float) -> FinalizationResponse:
        """Where it stands once it is ENDING no longer, or when patience is at its end. Asks only when there is news."""
        deadline = asyncio.get_running_loop().time() + patience_s
        with self._announcements.about(scope) as news:
            while True:
                news.clear()
                answer = await self._where(scope)
                if answer.state is not SessionState.ENDING:
                    return answer
                try:
                    async with asyncio.timeout_at(deadline):
                        await news.wait()
                except TimeoutError:
                    return await self._where(scope)

    async def seal(
        self, scope: ConversationScope, *, cause: str, summary: str = "", recent_turns: int = 0, turns_min: int = 0
    ) -> bool:
        """End the living session (with `turns_min`: if it has that many turns) and see that it becomes memory.

        Whether it was this call that ended it. A crash after it loses nothing: the conversation has a deadline.
        """
        await self._sessions.reschedule(scope, self._settings.lease_ms)
        outcome = await self._sessions.seal(
            scope, force=True, cause=cause, summary=summary, recent_turns=recent_turns, turns_min=turns_min
        )
        for number in outcome.pending:
            await self._add(FinalizationKey(scope, number))
        return outcome.sealed is not None

    async def queue(self, scope: ConversationScope) -> None:
        """See that what has ended of a conversation becomes memory."""
        outcome = await self._sessions.seal(scope, force=False, cause="idle")
        for number in outcome.pending:
            await self._add(FinalizationKey(scope, number))

    async def get(self, caller: Caller, conversation_id: str) -> FinalizationResponse:
        """Where the last ended session stands. Raises NotFound when none has ended."""
        return await self._where(ConversationScope(caller.tenant, conversation_id))

    async def list_unfinished(self, caller: Caller, request: ListFinalizationsRequest) -> FinalizationList:
        """The tenant's sessions that are ENDING or FAILED."""
        after = _key_of(caller.tenant, request.cursor) if request.cursor else None
        state = SessionState(request.state) if request.state else None
        found = await self._sessions.unfinished(caller.tenant, request.limit + 1, after, state)
        page = found[: request.limit]
        cursor = _cursor_of(page[-1].key) if len(found) > len(page) else ""
        return FinalizationList(finalizations=list(map(_unfinished, page)), cursor=cursor)

    async def replay(self, caller: Caller, request: ReplayFinalizationRequest) -> ReplayFinalizationResponse:
        """Try failed sessions of a conversation again. Raises NotFound when there is none."""
        scope = ConversationScope(caller.tenant, request.conversation_id)
        failed = await self._sessions.failed(scope)
        wanted = [key for key in failed if request.finalization_id in {None, key.finalization_id}]
        replayed = [key for key in wanted if await self._sessions.replay(key)]
        if not replayed:
            raise NotFound("this conversation has no failed finalization")
        for key in replayed:
            await self._add(key)
        return ReplayFinalizationResponse(
            conversation_id=scope.conversation, replayed=[key.finalization_id for key in replayed]
        )

    async def _add(self, key: FinalizationKey) -> None:
        try:
            await self._jobs.add_finalization(key)
        except TemporaryError as error:  # the session is sealed and has a deadline: the next sweep brings it back
            _LOG.warning("finalisation not queued yet", extra={"code": error.code})
            with contextlib.suppress(TemporaryError):
                await self._sessions.reschedule(key.scope, 0)

    async def _where(self, scope: ConversationScope) -> FinalizationResponse:
        standing = await self._sessions.standing(scope)
        if standing.expired:  # and the sweeper has not come by yet
            return _nothing(scope, SessionState.ENDING, None)
        if standing.last_ended is not None:
            return _response(standing.last_ended)
        unit = await self._store.latest_memunit(scope)
        if unit is not None:
            key = FinalizationKey(scope, unit.session_number)
            return _nothing(scope, SessionState.ENDED, None).model_copy(
                update={"finalization_id": key.finalization_id, "memory_ids": [unit.unit_id]}
            )
        if standing.number and not standing.alive:
            return _nothing(scope, SessionState.ENDED, "empty")
        raise NotFound("no session of this conversation has ended")


def _cursor_of(key: FinalizationKey) -> str:
    return f"{key.number}.{key.scope.conversation}"


def _key_of(tenant: str, cursor: str) -> FinalizationKey:
    number, _, conversation = cursor.partition(".")
    return FinalizationKey(ConversationScope(tenant, conversation), int(number))


def _nothing(scope: ConversationScope, state: SessionState, skipped: str | None) -> FinalizationResponse:
    return FinalizationResponse(
        conversation_id=scope.conversation,
        finalization_id=None,
        state=state,
        steps=[],
        attempts=0,
        memory_ids=[],
        skipped=skipped,
    )


def _response(finalization: Finalization) -> FinalizationResponse:
    return FinalizationResponse(
        conversation_id=finalization.key.scope.conversation,
        finalization_id=finalization.key.finalization_id,
        state=finalization.state,
        steps=[step for step in finalization.steps if ":" not in step],  # those of single units stay inside
        attempts=finalization.attempts,
        reason=finalization.reason or None,
        memory_ids=list(finalization.memory_ids),
        skipped=finalization.skipped or None,
    )


def _unfinished(finalization: Finalization) -> UnfinishedSession:
    return UnfinishedSession(
        **dict(_response(finalization)),
        user_id=finalization.user_id or None,
        sealed_at=rfc3339(finalization.sealed_ms),
        cause=finalization.cause,
    )
