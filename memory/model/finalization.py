"""Values of a session's end."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.model.lifecycle import SessionState
from memory.scope import ConversationScope


@dataclass(frozen=True, slots=True)
class FinalizationKey:
    """Names one ended session: its conversation and the session's number in it."""

    scope: ConversationScope
    number: int

    @property
    def finalization_id(self) -> str:
        """Stable text form, e.g. `conv_1#1763764800123`."""
        return f"{self.scope.conversation}#{self.number}"

    def __str__(self) -> str:
        return f"{self.scope}#{self.number}"

    @classmethod
    def parse(cls, text: str) -> "FinalizationKey":
        """Inverse of `str()`."""
        scope, _, number = text.rpartition("#")
        return cls(ConversationScope.parse(scope), int(number))


@dataclass(frozen=True, slots=True)
class Finalization:
    """Where an ended session stands on its way into long-term memory."""

    key: FinalizationKey
    state: SessionState
    fence: int
    attempts: int
    cause: str
    user_id: str
    sealed_ms: int
    summary: str = ""
    recent_turns: int = 0
    reason: str = ""
    steps: Sequence[str] = ()
    memory_ids: Sequence[str] = ()
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class SealedJournal:
    """The journal of one ended session: all it needs to become memory. Not sealed yet: no finalization.

    `length`: how many messages it has, of which not all need be here.
    """

    finalization: Finalization | None
    user_id: str
    messages: Sequence[bytes]
    records: Sequence[bytes]
    length: int = 0


@dataclass(frozen=True, slots=True)
class Previous:
    """What the session tier still knows of the session before: its number (0: none), its user, its last seq.

    `finalization` and `journal` are there as long as they are not closed. `forgotten`: how often the conversation was
    forgotten of late.
    """

    number: int
    user_id: str = ""
    last_seq: int = 0
    forgotten: int = 0
    finalization: Finalization | None = None
    journal: SealedJournal | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What erasing a user's part of a conversation took: how many sessions, and which of them had ended."""

    sessions: int
    ended: Sequence[FinalizationKey] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """An entry of the deadline set that was taken, with the score it holds now (Redis milliseconds)."""

    scope: ConversationScope
    score: float


@dataclass(frozen=True, slots=True)
class SealOutcome:
    """What a look at a due conversation found.

    `sealed`: number of the session that was sealed by this call; `pending`: numbers that wait for their
    finalisation (that one included); `active_ms`: how long the living session may still go on, if any.
    """

    sealed: int | None
    pending: Sequence[int]
    active_ms: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is of a conversation.

    `number` is its latest session's (0: none); `expired`: its TTL has run out and its journal still lies unsealed;
    `waiting`: its sessions that ended and are not in memory, the oldest first.
    """

    number: int
    alive: bool
    expired: bool
    last_ended: Finalization | None
    waiting: Sequence[FinalizationKey] = ()
