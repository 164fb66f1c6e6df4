"""QueryMemoryContext: one round trip while the session lives."""

import json
from collections import OrderedDict
from collections.abc import Sequence
from datetime import tzinfo
from itertools import chain
from typing import Final

from memory.errors import InvariantBroken, NotFound, TemporaryError, UserConflict
from memory.language.choice import spoken
from memory.model.caller import Caller
from memory.model.lifecycle import SessionState
from memory.model.profile import timezone_in
from memory.model.requests import QueryMemoryContextRequest
from memory.model.session import CheckpointRecord, Mode, ProfileCopy, Reading, Seed, SessionHead
from memory.ports import LivingSessions, TokenCounter
from memory.scope import ConversationScope, UserScope
from memory.service.about_user import AboutUser
from memory.service.full_history import FullHistory, refused_cursor
from memory.service.opening import Opener
from memory.service.profiles import NOBODY
from memory.service.recall import NOTHING, Reader, Recalled
from memory.service.safety import Elsewhere
from memory.service.sessions import SessionInspector
from memory.service.settings import SessionSettings
from memory.session.context import RESUMED, MemoryContext, summary_line_text, text_json
from memory.session.journal import decode, decode_checkpoints, history_line, with_tokens
from memory.session.said import Said
from memory.session.times import rfc3339
from memory.session.window import Budget, Window, choose, count, last_turns
from memory.zones import zone_of

_KNOWN_USERS_MAX: Final = 50_000
_NONE_SAID: Final = b"0"


class ContextReader:
    """Builds the context of a conversation for one request."""

    def __init__(
        self,
        sessions: LivingSessions,
        tokens: TokenCounter,
        opener: Opener,
        user: AboutUser,
        inspector: SessionInspector,
        settings: SessionSettings,
    ) -> None:
        self._sessions = sessions
        self._tokens = tokens
        self._opener = opener
        self._user = user
        self._inspector = inspector
        self._full_history = FullHistory(sessions)
        self._settings = settings
        self._users: OrderedDict[ConversationScope, str] = OrderedDict()

    async def query(self, caller: Caller, request: QueryMemoryContextRequest) -> MemoryContext:
        """Choose mode and window for this request; take the lease on a summary when one is due."""
        scope = ConversationScope.of(caller.tenant, request.conversation_id)
        context = await self._context(scope, request)
        if not request.preview:
            self._user.given.note(scope, request.agent_code or "", context)
        return context

    async def _context(self, scope: ConversationScope, request: QueryMemoryContextRequest) -> MemoryContext:
        if request.full_history_cursor and "full_history" not in request.include:
            raise refused_cursor('goes with include: ["full_history"]')
        user = request.user_id or self._users.get(scope)
        whole = bool(request.recent_turns or request.from_checkpoint)
        recalls = "no_memories" not in request.include and self._user.recaller.wants(request.query)
        reading = await self._sessions.read(scope, user, whole=whole, profile_stamp=self._settings.copies)
        if reading.head is None:
            return await self._absent(scope, request, reading, reading.others if user == request.user_id else None)
        owner = self._owner(scope, reading.head, request)
        others = reading.others if owner == user else None
        said, profile, degraded = await self._said(scope, owner, reading, others)
        if profile is None or owner != user:
            profile, missed = await self._profile(scope, owner, keeps=not request.preview)
            degraded += missed
        locale = self._locale(reading.head, request)
        profile = await self._user.keeper.in_locale(profile, locale)
        profile = await self._user.safety.with_said(profile, said, scope.tenant, owner, locale)
        zone = _zone(profile, reading.head.timezone) if recalls or "time" in request.include else None
        recalled = NOTHING._replace(standing=await self._user.standing(request, profile, locale, zone))
        if recalls and owner:
            reader = Reader(locale, zone, looks=request.preview, standing=recalled.standing)
            recalled = await self._recalled(UserScope(scope.tenant, owner), request, profile, others, reader)
            degraded += recalled.degraded
        context = await self._present(request, reading, profile, recalled, locale)
        due = context.window.due and not self._settings.auto_checkpoint
        if not (due or degraded or request.include):
            return context
        return context._replace(
            should_checkpoint=due and not request.preview and await self._leased(scope),
            degraded=degraded,
            extras=await self._extras(scope, request, reading, context) if request.include else (),
        )

    async def _said(
        self, scope: ConversationScope, owner: str, reading: Reading, others: Sequence[str] | None
    ) -> Elsewhere:
        """What was said for safety and is not in memory yet, here and in the user's other sessions; the profile."""
        number = reading.head.number if reading.head else 0
        here = [Said(scope.conversation, reading.said, number)] if reading.said else []
        if not owner:
            return Elsewhere(here, reading.profile)
        user = UserScope(scope.tenant, owner)
        there = await self._user.safety.elsewhere(user, others, reading.profile, scope.conversation)
        return there._replace(said=[*here, *there.said])

    async def _recalled(
        self,
        user: UserScope,
        request: QueryMemoryContextRequest,
        profile: ProfileCopy,
        others: Sequence[str] | None,
        reader: Reader,
    ) -> Recalled:
        if "no_memories" in request.include or not (profile.remembers or others or others is None):
            return NOTHING._replace(standing=reader.standing)
        return await self._user.recaller.recall(
            user,
            request.query,
            without_conversation=request.conversation_id,
            profile=profile,
            others=others,
            reader=reader,
        )

    def _locale(self, head: SessionHead, request: QueryMemoryContextRequest) -> str:
        """The session's; before anything is said in it, that of the query."""
        return self._settings.locale_in(head.stamp, (request.query,) if head.last_seq == _NONE_SAID else ())

    async def _leased(self, scope: ConversationScope) -> bool:
        """Whether this caller is the one to summarise; nobody is while the store takes no writes."""
        try:
            return await self._sessions.lease_checkpoint(scope)
        except TemporaryError:
            return False

    def _owner(self, scope: ConversationScope, head: SessionHead, request: QueryMemoryContextRequest) -> str:
        """Whose conversation it is. Remembered, so that a request without a user costs one round trip too."""
        if request.user_id and head.user_id and request.user_id != head.user_id:
            raise UserConflict("this conversation belongs to another user")
        if head.user_id and not request.user_id and self._users.get(scope) != head.user_id:
            self._users[scope] = head.user_id  # another one too: a conversation may change hands between sessions
            if len(self._users) > _KNOWN_USERS_MAX:
                self._users.popitem(last=False)
        return head.user_id or request.user_id or ""

    async def _profile(
        self, scope: ConversationScope, user: str, *, keeps: bool
    ) -> tuple[ProfileCopy, tuple[str, ...]]:
        if not user:
            return NOBODY, ()
        try:
            return await self._user.keeper.load(UserScope(scope.tenant, user), keeps=keeps), ()
        except TemporaryError:
            return await self._user.keeper.kept(UserScope(scope.tenant, user)), ("profile",)

    async def _present(
        self,
        request: QueryMemoryContextRequest,
        reading: Reading,
        profile: ProfileCopy,
        recalled: Recalled,
        locale: str,
    ) -> MemoryContext:
        head = reading.head
        if head is None:
            raise InvariantBroken("only a living session is presented")
        if request.from_checkpoint or request.recent_turns or not self._settings.counted_alike(head.stamp):
            reading, head = await self._reshaped(request, reading, head)
        fixed_tokens = head.summary_tokens + profile.safety_tokens + head.tools_tokens + recalled.tokens_of_all
        budget = await self._budget(request, fixed_tokens)
        mode = Mode.SUMMARY_N if head.checkpoint_id else Mode.FULL_HISTORY
        window = choose(reading.live, mode, head.window_tokens, head.fresh_tokens, head.covers_seq, budget)
        return MemoryContext(
            conversation_id=request.conversation_id,
            state=SessionState.ACTIVE,
            head=head,
            window=window,
            budget=budget,
            summary_json=head.summary_json,
            checkpoint_id=head.checkpoint_id,
            profile=profile,
            locale=locale,
            seq=head.seq,
            resumed=head.resumed,
            should_checkpoint=False,
            memories_json=recalled.memories_json,
            recalled_json=recalled.block_json,
            summary_tokens=head.summary_tokens,
            recalled_tokens=recalled.tokens,
            time_json=recalled.standing.time_json,
            time_tokens=recalled.standing.time_tokens,
            core_json=recalled.standing.core.block_json,
            core_tokens=recalled.standing.core.tokens,
            memory_ids=(*recalled.standing.core.memory_ids, *recalled.memory_ids),
            user_id=head.user_id or request.user_id or "",
        )

    async def _budget(self, request: QueryMemoryContextRequest, fixed_tokens: int) -> Budget:
        settings = self._settings
        query_tokens = self._tokens.count_short(request.query)
        if query_tokens is None:
            query_tokens = await self._tokens.count(request.query)
        return Budget(
            request.model_context_window or settings.model_context_window,
            request.token_threshold_ratio or settings.token_threshold_ratio,
            fixed_tokens + query_tokens,
        )

    async def _reshaped(
        self, request: QueryMemoryContextRequest, reading: Reading, head: SessionHead
    ) -> tuple[Reading, SessionHead]:
        """The window as this request wants it: another width, an earlier checkpoint, or counted anew."""
        entries = [*reading.archive, *reading.live]
        if request.from_checkpoint:
            head = await self._at_checkpoint(head, reading, request.from_checkpoint)
        recent = request.recent_turns or head.recent_turns
        if head.checkpoint_id and (request.recent_turns or request.from_checkpoint):
            entries = list(last_turns(entries, head.covers_seq, recent))
        elif not head.checkpoint_id:
            entries = [*reading.archive, *reading.live]
        if not self._settings.counted_alike(head.stamp):
            entries = [await self._recounted(entry) for entry in entries]
        tokens, fresh = count(entries, head.covers_seq)
        return reading._replace(live=entries), head._replace(window_tokens=tokens, fresh_tokens=fresh)

    async def _at_checkpoint(self, head: SessionHead, reading: Reading, checkpoint_id: str) -> SessionHead:
        found = [c for c in decode_checkpoints(reading.records) if c.checkpoint_id == checkpoint_id]
        if not found:
            raise NotFound("this session has no such checkpoint")
        checkpoint: CheckpointRecord = found[0]
        return head._replace(
            covers_seq=checkpoint.covers_seq,
            checkpoint_id=checkpoint.checkpoint_id,
            recent_turns=checkpoint.recent_turns,
            summary_json=text_json(checkpoint.summary),
            summary_tokens=checkpoint.summary_tokens,
        )

    async def _recounted(self, entry: bytes) -> bytes:
        """The entry with its tokens by the encoding and locale of today."""
        message = decode(entry).message
        tokens = await self._tokens.count(history_line(message, self._settings.counting))
        return with_tokens(entry, tokens)

    async def _absent(
        self,
        scope: ConversationScope,
        request: QueryMemoryContextRequest,
        reading: Reading,
        others: Sequence[str] | None,
    ) -> MemoryContext:
        """No living session: what the next one would start from. Creates nothing."""
        number, state, seed, _, missed = await self._opener.look_back(scope)
        if request.user_id and seed.user_id and request.user_id != seed.user_id:
            state, seed = SessionState.NONE, Seed()
        if state is SessionState.FAILED:
            state = SessionState.ENDED
        owner = request.user_id or seed.user_id
        told, _, unread = await self._said(scope, owner, reading, others)
        profile, degraded = await self._profile(scope, owner, keeps=not request.preview)
        degraded += unread
        said = (decode(entry).message.content for entry in seed.entries)
        locale = spoken(self._settings.locale, chain(said, (request.query,)))
        profile = await self._user.keeper.in_locale(profile, locale)
        profile = await self._user.safety.with_said(profile, told, scope.tenant, owner, locale)
        zone = _zone(profile)
        recalled = NOTHING._replace(standing=await self._user.standing(request, profile, locale, zone))
        if owner:
            reader = Reader(locale, zone, looks=request.preview, standing=recalled.standing)
            recalled = await self._recalled(UserScope(scope.tenant, owner), request, profile, others, reader)
        budget = await self._budget(request, seed.summary_tokens + profile.safety_tokens + recalled.tokens_of_all)
        mode = Mode.SUMMARY_N if seed.summary else Mode.FULL_HISTORY
        entries = last_turns(seed.entries, seed.base_seq, request.recent_turns or seed.recent_turns)
        tokens, _ = count(entries, seed.base_seq)
        window: Window = choose(entries, mode, tokens, 0, seed.base_seq, budget)
        context = MemoryContext(
            conversation_id=request.conversation_id,
            state=state,
            head=None,
            window=window,
            budget=budget,
            summary_json=text_json(seed.summary),
            checkpoint_id=RESUMED if seed.summary else "",
            profile=profile,
            locale=locale,
            seq=seed.base_seq,
            resumed=seed.resumed,
            should_checkpoint=False,
            memories_json=recalled.memories_json,
            recalled_json=recalled.block_json,
            summary_tokens=seed.summary_tokens,
            recalled_tokens=recalled.tokens,
            time_json=recalled.standing.time_json,
            time_tokens=recalled.standing.time_tokens,
            core_json=recalled.standing.core.block_json,
            core_tokens=recalled.standing.core.tokens,
            memory_ids=(*recalled.standing.core.memory_ids, *recalled.memory_ids),
            user_id=owner,
            degraded=missed + degraded + recalled.degraded,
        )
        return context._replace(extras=await self._absent_extras(scope, request, number, context))

    async def _absent_extras(
        self, scope: ConversationScope, request: QueryMemoryContextRequest, number: int, context: MemoryContext
    ) -> tuple[tuple[str, bytes], ...]:
        extras: list[tuple[str, bytes]] = []
        if "full_history" in request.include and (number or request.full_history_cursor):
            extras += await self._full_history.page(scope, request.full_history_cursor, context.locale)
        if "blocks" in request.include:
            extras.append(("blocks", context.blocks()))
        return tuple(extras)

    async def _extras(
        self, scope: ConversationScope, request: QueryMemoryContextRequest, reading: Reading, context: MemoryContext
    ) -> tuple[tuple[str, bytes], ...]:
        extras: list[tuple[str, bytes]] = []
        if "full_history" in request.include:
            extras += await self._full_history.page(scope, request.full_history_cursor, context.locale)
        if "turns" in request.include:
            extras.append(("turns", _turns(context.window.entries)))
        if "session" in request.include:
            inspected = await self._inspector.session_value(scope, request.agent_code or "", context.profile)
            value = inspected.model_dump_json() if inspected else "null"
            extras.append(("session", value.encode()))
        if "explain" in request.include and reading.head:
            extras.append(("explain", self._explained(request, reading, reading.head, context.locale)))
        if "blocks" in request.include:
            extras.append(("blocks", context.blocks()))
        return tuple(extras)

    def _explained(self, request: QueryMemoryContextRequest, reading: Reading, head: SessionHead, locale: str) -> bytes:
        """Why this mode and window: the figures that the choice was made from."""
        window = request.model_context_window or self._settings.model_context_window
        ratio = request.token_threshold_ratio or self._settings.token_threshold_ratio
        return json.dumps(
            {
                "encoding": self._tokens.name,
                "locale": locale,
                "model_context_window": window,
                "threshold_tokens": int(window * ratio),
                "window_tokens": head.window_tokens,
                "fresh_tokens": head.fresh_tokens,
                "summary_tokens": head.summary_tokens,
                "safety_tokens": reading.profile.safety_tokens if reading.profile else 0,
                "covers_seq": head.covers_seq,
                "summary_line": summary_line_text(json.loads(head.summary_json), locale),
            },
            ensure_ascii=False,
        ).encode()


def _zone(profile: ProfileCopy, session: str = "") -> tzinfo | None:
    """By whose clock days are read: as the session says, else as the user prefers; None: as nobody says."""
    if not session and b'"timezone"' in profile.snapshot_json:
        session = timezone_in((json.loads(profile.snapshot_json) or {}).get("preferences") or {})
    return zone_of(session)


def _turns(entries: Sequence[bytes]) -> bytes:
    turns = []
    for entry in entries:
        stored = decode(entry)
        message = stored.message
        fields = {
            "role": message.role,
            "content": message.content,
            "seq": stored.seq,
            "turn": stored.turn,
            "at": rfc3339(stored.at_ms),
            "tokens": stored.tokens,
            "name": message.name or None,
            "agent_code": message.agent or None,
            "occurred_at": message.occurred_at or None,
        }
        turns.append(fields)
    return json.dumps(turns, ensure_ascii=False).encode()
