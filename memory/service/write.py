"""WriteTurn, WriteMessages, UpdateGlobalState: one script each, once per idempotency key."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from memory.errors import FieldError, InvalidInput, Overloaded, RevisionConflict, SessionIsFull, UserConflict
from memory.model.caller import Caller
from memory.model.requests import (
    SaidRequest,
    StateUpdate,
    ToolResultIn,
    UpdateGlobalStateRequest,
    WriteMessagesRequest,
    WriteTurnRequest,
)
from memory.model.responses import NO_USER, UpdateGlobalStateResponse, WriteResponse
from memory.model.session import Append, Appended, EncodedMessage, Message, Role, SessionHead, StateChange
from memory.ports import LivingSessions, TokenCounter
from memory.scope import ConversationScope
from memory.service.opening import Opener
from memory.service.safety import SafetyReader
from memory.service.settings import SessionSettings
from memory.session.answer import extract_agent_answer
from memory.session.journal import encode_message, history_line
from memory.session.times import rfc3339
from memory.session.tool_results import ToolResult
from memory.session.tool_results import block as tools_block

_TRIES_MAX: Final = 64
"""As many writes to one conversation as may come at once: each of them may find the session full in turn."""

_SPOKEN: Final = frozenset({Role.USER, Role.ASSISTANT})

AnyWrite = WriteTurnRequest | WriteMessagesRequest | UpdateGlobalStateRequest


AfterWrite = Callable[[ConversationScope, Append, Appended], None]
"""Told of every write that happened (not of replays), with the counters it left. Must not block or raise."""


Ended = Callable[[ConversationScope], Awaitable[None]]
"""Sees that what has ended of a conversation becomes memory."""


class Hooks(NamedTuple):
    """Who is told of writes, and of sessions that ended because they were full."""

    after_write: Sequence[AfterWrite]
    ended: Ended


class Writer:
    """Appends to conversations, and opens their sessions on the first word."""

    def __init__(
        self,
        sessions: LivingSessions,
        tokens: TokenCounter,
        opener: Opener,
        safety: SafetyReader,
        settings: SessionSettings,
        hooks: Hooks,
    ) -> None:
        self._sessions = sessions
        self._tokens = tokens
        self._opener = opener
        self._safety = safety
        self._settings = settings
        self._after_write = hooks.after_write
        self._ended = hooks.ended

    async def write_turn(self, caller: Caller, request: WriteTurnRequest) -> WriteResponse:
        """A user message and an agent answer, one atomic write with the state that belongs to them."""
        agent = request.agent_code or ""
        occurred_at = request.occurred_at or ""
        answer = extract_agent_answer(request.agent_response)
        raw = request.agent_response if answer != request.agent_response else ""
        messages = (
            Message(Role.USER, request.user_query, "", "", occurred_at),
            Message(Role.ASSISTANT, answer, "", agent, occurred_at, raw),
        )
        state = _state_change(request.state, agent) if request.state else None
        stamp = self._settings.stamped((request.user_query, answer))
        written = await self._write(caller, request, messages, state, stamp, request.timezone)
        return WriteResponse.model_construct(**written)

    async def write_messages(self, caller: Caller, request: WriteMessagesRequest) -> WriteResponse:
        """Messages as they are, all or none; each user message begins a turn."""
        messages = [
            Message(m.role, m.content, m.name or "", m.agent_code or "", m.occurred_at or "") for m in request.messages
        ]
        stamp = self._settings.stamped(message.content for message in request.messages)
        written = await self._write(caller, request, messages, None, stamp, request.timezone)
        return WriteResponse.model_construct(**written)

    async def update_state(self, caller: Caller, request: UpdateGlobalStateRequest) -> UpdateGlobalStateResponse:
        """A write without messages."""
        state = _state_change(request, request.agent_code or "")
        return UpdateGlobalStateResponse.model_construct(
            **await self._write(caller, request, (), state, self._settings.stamp)
        )

    @staticmethod
    def require_owner(head: SessionHead | None, user: str) -> SessionHead:
        """The head, when it is this user's session. Raises UserConflict, or Overloaded when it is gone again."""
        if head is None:
            raise Overloaded("the session ended while it was opened")
        if head.user_id and user != head.user_id:
            raise UserConflict("this conversation belongs to another user")
        return head

    async def encoded(self, message: Message, *, starts_turn: bool) -> EncodedMessage:
        """A message with its tokens, ready for the journal."""
        line = history_line(message, self._settings.counting)
        tokens = self._tokens.count_short(line)
        if tokens is None:
            tokens = await self._tokens.count(line)
        return encode_message(message, tokens, starts_turn=starts_turn)

    async def said_in(self, scope: ConversationScope, user: str, messages: Sequence[Message]) -> bytes:
        """What messages hold of safety facts, for an Append. `user`: empty if the request names nobody."""
        return await self._safety.found_in(scope, user, messages)

    async def _write(
        self,
        caller: Caller,
        request: AnyWrite,
        messages: Sequence[Message],
        state: StateChange | None,
        stamp: bytes,
        timezone: str | None = None,
    ) -> dict[str, Any]:
        scope = ConversationScope.of(caller.tenant, request.conversation_id)
        encoded = [await self.encoded(each, starts_turn=each.role is Role.USER) for each in messages]
        append = Append(
            messages=encoded,
            state=state,
            user_id=request.user_id or "",
            agent=request.agent_code or "",
            stamp=stamp,
            if_rev=request.if_rev,
            idempotency_key=request.idempotency_key or "",
            digest=_digest(request) if request.idempotency_key else "",
            turns_max=self._settings.turns_max,
            bytes_max=self._settings.bytes_max,
            said=await self.said_in(scope, request.user_id or "", messages),
            timezone=timezone or "",
        )
        if isinstance(request, SaidRequest) and request.tool_results:
            append = await self._with_tools(append, request.tool_results, messages)
        appended = await self.append(scope, append)
        if not appended.replayed:
            for told in self._after_write:
                told(scope, append, appended)
        return {
            "conversation_id": scope.conversation,
            "mode": appended.mode,
            "updated_at": rfc3339(appended.updated_ms),
            "rev": appended.rev,
            "seq": appended.seq,
            "turn_count": appended.turns,
            "replayed": appended.replayed,
            "warnings": [NO_USER] if appended.nobodys else None,
        }

    async def _with_tools(self, append: Append, given: Sequence[ToolResultIn], messages: Sequence[Message]) -> Append:
        """The write with what tools gave, in short, in the language of the words beside it."""
        results = [ToolResult(each.name, each.content) for each in given]
        said = [message.content for message in messages if message.role in _SPOKEN]
        text = tools_block(results, " ".join(said), self._settings.locale_in(append.stamp, said))
        return append._replace(tools=text, tools_tokens=await self._tokens.count(text))

    async def append(self, scope: ConversationScope, append: Append, *, resumes: bool = True) -> Appended:
        """Append, and open the session that is needed for it; with `resumes` it starts from the one before.

        One that is full is followed by the next one then; without `resumes` SessionIsFull is raised. Raises what the
        port's `append` raises, and Overloaded.
        """
        for _ in range(_TRIES_MAX):
            try:
                appended = await self._sessions.append(scope, append)
            except SessionIsFull:
                if not resumes:
                    raise
                append = await self._followed(scope, append)
                continue
            if appended is not None:
                return appended
            if append.if_rev:
                raise RevisionConflict("if_rev does not match: no session is alive, the next one starts at revision 0")
            await self._opener.open(scope, append.user_id, append.agent, resumes=resumes)
        raise Overloaded("the session ended again and again while this write was on its way")

    async def _followed(self, scope: ConversationScope, append: Append) -> Append:
        """Start the session after the full one; returns the write as it is to be tried there.

        A full session takes no write any more, so who knew its last revision knows the first of the one that follows.
        """
        if not await self._opener.follow(scope):
            return append
        await self._ended(scope)
        return append if append.if_rev is None else append._replace(if_rev=0)


def _digest(request: AnyWrite) -> str:
    body = request.model_dump(mode="json", exclude={"idempotency_key"})
    for later in ("used_memory_ids", "tool_results"):
        if not body.get(later):  # as it was before there was such a field
            body.pop(later, None)
    text = json.dumps([type(request).__name__, body], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _state_change(update: StateUpdate, agent: str) -> StateChange:
    if update.slot is not None and not agent:
        message = "a slot belongs to an agent: send agent_code too"
        raise InvalidInput(message, fields=(FieldError("agent_code", message),))
    if update.pending_action is not None and update.clear_pending_action:
        message = "a pending action is set or taken off: send one of the two"
        raise InvalidInput(message, fields=(FieldError("clear_pending_action", message),))
    pending: dict[str, object] | None = None
    if update.pending_action is not None:
        pending = update.pending_action.model_dump(mode="json")
    elif update.clear_pending_action:
        pending = {}
    return StateChange(
        entities=update.entities or {},
        slot=update.slot,
        current_intent=update.current_intent,
        pending_action=pending,
    )
