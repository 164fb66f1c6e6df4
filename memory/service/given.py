"""What bots are given, noted behind the answers, so that what an agent says next tells what it was said with."""

from typing import Final

from memory.model.session import Given
from memory.ports import Background, Clock, LivingSessions
from memory.scope import ConversationScope
from memory.service.behind import Behind
from memory.session.context import MemoryContext
from memory.session.given import fact_ids
from memory.session.journal import header

_NOBODYS: Final = b"[]"


class GivenNotes:
    """Notes contexts in which something is remembered. What else stands in one follows from the journal."""

    def __init__(self, sessions: LivingSessions, background: Background, clock: Clock) -> None:
        self._clock = clock
        self._behind: Behind[ConversationScope, Given] = Behind(sessions.note_given, background, "given")

    def note(self, scope: ConversationScope, agent: str, context: MemoryContext) -> None:
        """Note one; lost where the process ends, or the store fails, in the same moment."""
        profile = context.profile
        if not (context.memory_ids or profile.safety_tokens or profile.relatives_json != _NOBODYS):
            return
        entries, head = context.window.entries, context.head
        given = Given(
            at_ms=self._clock.now_ms(),
            user=context.user_id,
            agent=agent,
            mode=context.window.mode,
            last_seq=int(head.last_seq) if head else context.seq,
            from_seq=header(entries[0])[0] if entries else 0,
            tokens=context.tokens,
            memory_ids=context.memory_ids,
            fact_ids=fact_ids(profile.safety_json, profile.relatives_json),
        )
        self._behind.put(scope, given)
