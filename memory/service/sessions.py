"""CreateShortMemory and GetSession: the working state with the original's JSON names."""

import json
from collections.abc import Mapping

from memory.errors import TemporaryError
from memory.model.caller import Caller
from memory.model.lifecycle import SessionState
from memory.model.requests import CreateShortMemoryRequest, GetSessionRequest
from memory.model.responses import (
    ChatMessage,
    CreateShortMemoryResponse,
    FlowContext,
    GetSessionResponse,
    GlobalState,
    MessageContext,
    MetaInfo,
    SessionValue,
    UserSnapshot,
)
from memory.model.session import Mode, ProfileCopy, Role, SessionDetails
from memory.ports import Clock, LivingSessions
from memory.scope import ConversationScope, UserScope
from memory.service.opening import Opener
from memory.service.profiles import ProfileKeeper
from memory.service.safety import SafetyReader
from memory.service.settings import SessionSettings
from memory.service.write import Writer
from memory.session.context import RESUMED
from memory.session.journal import decode
from memory.session.times import rfc3339


class SessionInspector:
    """Shows sessions as they are."""

    def __init__(
        self, sessions: LivingSessions, opener: Opener, keeper: ProfileKeeper, safety: SafetyReader, clock: Clock
    ) -> None:
        self._sessions = sessions
        self._opener = opener
        self._keeper = keeper
        self._safety = safety
        self._clock = clock

    async def get(self, caller: Caller, request: GetSessionRequest) -> GetSessionResponse:
        """The living session, or the state of the one before with an empty `session`."""
        scope = ConversationScope(caller.tenant, request.conversation_id)
        details = await self._sessions.details(scope, request.agent_code or "")
        if details is None:
            before = await self._opener.look_back(scope)
            return GetSessionResponse(
                conversation_id=scope.conversation,
                state=before.state,
                rev=0,
                seq=before.seed.base_seq,
                tokens=0,
                expires_at=None,
                session=None,
                degraded=list(before.degraded),
            )
        value, degraded = await self._value(scope, details)
        return GetSessionResponse(
            conversation_id=scope.conversation,
            state=SessionState.ACTIVE,
            rev=details.head.rev,
            seq=details.head.seq,
            tokens=details.head.window_tokens + details.head.summary_tokens,
            expires_at=rfc3339(self._clock.now_ms() + details.expires_in_ms),
            session=value,
            degraded=list(degraded),
        )

    async def session_value(self, scope: ConversationScope, agent: str, profile: ProfileCopy) -> SessionValue | None:
        """The five parts, with the profile as the caller has it; None when no session is alive."""
        details = await self._sessions.details(scope, agent)
        if details is None:
            return None
        return session_value(scope.conversation, details, json.loads(profile.snapshot_json) or {})

    async def _value(self, scope: ConversationScope, details: SessionDetails) -> tuple[SessionValue, tuple[str, ...]]:
        """With the profile as it is, or while its store is down as it was last known; and what could not be read."""
        user = details.head.user_id
        if not user:
            return session_value(scope.conversation, details, {}), ()
        owner = UserScope(scope.tenant, user)
        said, _, degraded = await self._safety.elsewhere(owner, None)
        try:
            copy = await self._keeper.load(owner)
        except TemporaryError:
            copy = await self._keeper.kept(owner)
            degraded = ("profile", *degraded)
        copy = await self._safety.with_said(copy, said, scope.tenant, user, self._keeper.counting)
        return session_value(scope.conversation, details, json.loads(copy.snapshot_json) or {}), degraded


def session_value(conversation: str, details: SessionDetails, user: Mapping[str, object]) -> SessionValue:
    """Compose the original's SessionValue; empty optional parts are None."""
    head = details.head
    messages = [decode(entry).message for entry in details.live]
    answers = [message.content for message in messages if message.role is Role.ASSISTANT]
    entities = dict(details.entities) or None
    return SessionValue(
        meta=MetaInfo(conversation_id=conversation, user_id=head.user_id, updated_at=head.updated_ms // 1000),
        flow_context=FlowContext(
            current_agent_key=head.agent,
            last_bot_message=answers[-1] if answers else "",
            turn_count=head.turns,
        ),
        message_context=MessageContext(
            summary=json.loads(head.summary_json),
            window_messages=[ChatMessage(role=m.role.value, content=m.content) for m in messages] or None,
            mode=Mode.SUMMARY_N if head.checkpoint_id else Mode.FULL_HISTORY,
            checkpoint_message_id=None if head.checkpoint_id in {"", RESUMED} else head.checkpoint_id,
        ),
        global_state=GlobalState(
            shared=entities,
            entities=entities,
            agent_slots=dict(details.slots) or None,
            current_intent=details.current_intent or None,
            pending_action=dict(details.pending_action) if details.pending_action else None,
        ),
        user_snapshot=UserSnapshot.model_validate({**user, "user_id": head.user_id}),
    )


class SessionStarter:
    """CreateShortMemory."""

    def __init__(
        self, sessions: LivingSessions, opener: Opener, writer: Writer, clock: Clock, settings: SessionSettings
    ) -> None:
        self._sessions = sessions
        self._opener = opener
        self._writer = writer
        self._clock = clock
        self._settings = settings

    async def create(self, caller: Caller, request: CreateShortMemoryRequest) -> CreateShortMemoryResponse:
        """Start a session, or say that it is there. Raises UserConflict when it is another user's."""
        scope = ConversationScope(caller.tenant, request.conversation_id)
        reading = await self._sessions.read(scope, None, profile_stamp=self._settings.stamp)
        created = reading.head is None
        if created:
            agent, timezone = request.agent_code or "", request.timezone or ""
            await self._opener.open(scope, request.user_id, agent, timezone=timezone)
            reading = await self._sessions.read(scope, None, profile_stamp=self._settings.stamp)
        head = self._writer.require_owner(reading.head, request.user_id)
        expires_in_ms = await self._sessions.expires_in_ms(scope)
        return CreateShortMemoryResponse(
            conversation_id=scope.conversation,
            created=created,
            resumed=head.resumed,
            mode=Mode.SUMMARY_N if head.checkpoint_id else Mode.FULL_HISTORY,
            rev=head.rev,
            expires_at=rfc3339(self._clock.now_ms() + expires_in_ms),
        )
