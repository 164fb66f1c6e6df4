"""CheckpointShortMemory, by the bot's summary or by the gateway's own."""

import json
import logging
from typing import Final

from memory.consolidation.memunit import cumulated, lines_of, summary_chars
from memory.errors import MemoryGatewayError, NotFound, Overloaded
from memory.extraction.summary.brief import summarise_briefly
from memory.model.caller import Caller
from memory.model.requests import CheckpointShortMemoryRequest
from memory.model.responses import CheckpointShortMemoryResponse
from memory.model.session import Append, Appended, CheckpointWrite, Mode, Reading, SessionHead
from memory.ports import Background, LivingSessions, TokenCounter
from memory.scope import ConversationScope
from memory.service.settings import SessionSettings
from memory.session.context import RESUMED, summary_line_text
from memory.session.journal import decode, header

_LOG: Final = logging.getLogger("anamnesis.checkpoints")
_TRIES_MAX: Final = 5


class Checkpointer:
    """Writes checkpoints. A summary is cumulative: what the last one said stays said."""

    def __init__(
        self,
        sessions: LivingSessions,
        tokens: TokenCounter,
        settings: SessionSettings,
        background: Background,
    ) -> None:
        self._sessions = sessions
        self._tokens = tokens
        self._settings = settings
        self._background = background

    async def checkpoint(self, caller: Caller, request: CheckpointShortMemoryRequest) -> CheckpointShortMemoryResponse:
        """Cover the journal. Raises NotFound when no session is alive, InvalidInput for a bad covers_seq."""
        scope = ConversationScope(caller.tenant, request.conversation_id)
        return await self._checkpoint(scope, request.summary or "", request.recent_turns or 0, request.covers_seq)

    def after_write(self, scope: ConversationScope, _append: Append, appended: Appended) -> None:
        """With `session.auto_checkpoint`: summarise in the background as soon as the threshold is reached."""
        if not self._settings.auto_checkpoint or appended.window_tokens is None:
            return
        threshold = self._settings.threshold_tokens
        over = appended.window_tokens + appended.summary_tokens >= threshold
        if over and (appended.fresh_tokens or 0) >= threshold / 4:
            self._background.start(lambda: self._by_itself(scope), f"checkpoint {scope}")

    async def _by_itself(self, scope: ConversationScope) -> None:
        if not await self._sessions.lease_checkpoint(scope):
            return
        try:
            await self._checkpoint(scope, "", 0, None)
        except MemoryGatewayError as error:  # the next write tries again
            _LOG.warning("automatic checkpoint not written: %s", error.code)

    async def _checkpoint(
        self, scope: ConversationScope, given: str, recent: int, covers_seq: int | None
    ) -> CheckpointShortMemoryResponse:
        for _ in range(_TRIES_MAX):
            reading = await self._sessions.read(scope, None, profile_stamp=self._settings.stamp)
            if reading.head is None:
                raise NotFound("no session of this conversation is alive")
            locale = self._settings.locale_in(reading.head.stamp)
            summary = self._summary(reading, reading.head, given, covers_seq)
            tokens = await self._tokens.count(summary_line_text(summary, locale))
            write = CheckpointWrite(
                summary=summary,
                summary_tokens=tokens,
                recent_turns=recent or self._settings.recent_turns,
                covers_seq=reading.head.seq if covers_seq is None and not given else covers_seq,
                expected_checkpoint=reading.head.checkpoint_id,
                expected_no=reading.head.number,
            )
            done = await self._sessions.checkpoint(scope, write)
            if done is not None:
                return CheckpointShortMemoryResponse(
                    conversation_id=scope.conversation,
                    checkpoint_message_id=done.checkpoint_id,
                    covers_seq=done.covers_seq,
                    mode=Mode.SUMMARY_N,
                    token_ratio=(done.window_tokens + tokens) / self._settings.model_context_window,
                    rev=done.rev,
                    summary=summary,
                )
        raise Overloaded("other checkpoints came between again and again")

    def _summary(self, reading: Reading, head: SessionHead, given: str, covers_seq: int | None) -> str:
        threshold, locale = self._settings.threshold_tokens, self._settings.locale_in(head.stamp)
        if not given:
            last = head.seq if covers_seq is None else covers_seq
            covered = 0 if head.checkpoint_id == RESUMED else head.covers_seq  # it leaves out what these turns say
            fresh = [decode(entry) for entry in reading.live if covered < header(entry)[0] <= last]
            limit = summary_chars(threshold, locale)
            given = summarise_briefly(lines_of(fresh), limit_chars=limit, locale=locale)
        return cumulated(json.loads(head.summary_json), given, threshold, locale)
