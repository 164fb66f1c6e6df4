"""The ports of what lives: sessions, how they end, what of them waits, and copies of profiles.

All methods raise StoreUnavailable or DeadlineExceeded when the store does not answer, and writes raise StoreFull when
it has no room.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from memory.model.finalization import (
    Due,
    Finalization,
    FinalizationKey,
    Forgotten,
    Previous,
    SealedJournal,
    SealOutcome,
    Standing,
)
from memory.model.lifecycle import SessionState
from memory.model.session import (
    Append,
    Appended,
    Checkpointed,
    CheckpointWrite,
    Given,
    HistoryPage,
    Opening,
    ProfileCopy,
    Reading,
    SessionDetails,
    Tail,
)
from memory.scope import ConversationScope, UserScope


class LivingSessions(Protocol):
    """Sessions that go on: what is said in them, and what a bot is sent.

    Every write is atomic, every read is one round trip.
    """

    async def read(
        self,
        scope: ConversationScope,
        user: str | None,
        *,
        whole: bool = False,
        profile_stamp: bytes,
    ) -> Reading:
        """Read head, live window, safety facts said, and the user's profile copy; with `whole` archive and records too.

        With a user also the names of the other unfinished conversations, as `unconsolidated` gives them.
        """
        ...

    async def latest(self, scope: ConversationScope, count: int) -> list[bytes]:
        """The last messages of the living window, encoded, the oldest first. One round trip."""
        ...

    async def page(self, scope: ConversationScope, place: int, bytes_max: int) -> HistoryPage | None:
        """A living session's messages from the place on (0: the first), of one moment; None when none is alive.

        As many as fit into `bytes_max` of their encoding, but one at least. Places stay what they are while it lives.
        """
        ...

    async def details(self, scope: ConversationScope, agent: str) -> SessionDetails | None:
        """Read the working state, of the agent slots only that of `agent`; None when no session is alive."""
        ...

    async def open(self, scope: ConversationScope, opening: Opening) -> bool:
        """Start a session and its deadline. Seals the leftover of an expired one on the way, or the full one.

        Returns False when a session is alive by now (the full one: when it has changed), another one was opened and
        closed meanwhile, or the conversation was forgotten since it was looked back at.
        """
        ...

    async def append(self, scope: ConversationScope, append: Append) -> Appended | None:
        """Append to a living session, or replay an idempotency key; None when no session is alive.

        Raises RevisionConflict, IdempotencyConflict, UserConflict, SessionIsFull; nothing is changed then.
        """
        ...

    async def checkpoint(self, scope: ConversationScope, write: CheckpointWrite) -> Checkpointed | None:
        """Write a checkpoint and move what it covers out of the window.

        None when another checkpoint or session came between, or no session is alive. Raises InvalidInput when
        `covers_seq` is not within what is still uncovered.
        """
        ...

    async def lease_checkpoint(self, scope: ConversationScope) -> bool:
        """True for one caller at a time: who gets it writes the summary. It lapses by itself."""
        ...

    async def record(self, scope: ConversationScope, user: str, kind: str, fields_json: bytes) -> None:
        """Add a record that is no message to the journal of a user's living session; no such session, no record."""
        ...

    async def note_given(self, given: Mapping[ConversationScope, Given]) -> None:
        """Keep what was given last in conversations, alive or not: the next answer written there says so.

        Not one that is written after another message, nor after the time that a session lives. No session is renewed.
        """
        ...

    async def expires_in_ms(self, scope: ConversationScope) -> int:
        """How long the session lives without another write; 0 when none is alive."""
        ...


class Endings(Protocol):
    """Sessions that end: which are due, what is sealed, and what became of it."""

    async def seal(
        self,
        scope: ConversationScope,
        *,
        force: bool,
        cause: str,
        summary: str = "",
        recent_turns: int = 0,
        turns_min: int = 0,
    ) -> SealOutcome:
        """End the session when it is due (or `force`), and say what of this conversation waits.

        With `turns_min` it is forced only if it has that many turns: of two who find it full, one ends it.
        """
        ...

    async def previous(self, scope: ConversationScope) -> Previous:
        """The session before, as far as it is still here."""
        ...

    async def standing(self, scope: ConversationScope) -> Standing:
        """What there is of a conversation: a living session, an expired one, the last ended one."""
        ...

    async def revision(self, scope: ConversationScope) -> str:
        """Name how a conversation stands: another name after each write, checkpoint and step of its sessions' ends.

        One round trip. Whose it is, is not asked; nothing is renewed or noted.
        """
        ...

    async def reschedule(self, scope: ConversationScope, delay_ms: int) -> None:
        """Let a conversation come due `delay_ms` from now, or earlier if it was to."""
        ...

    async def take_due(self, limit: int, lease_ms: int) -> tuple[list[Due], float]:
        """Take entries that are due; each comes due again after `lease_ms`. Also: the lag in ms of the oldest."""
        ...

    async def settle(self, due: Due, delay_ms: int | None) -> None:
        """Put a taken entry back for later, or (None) drop it; nothing when it was changed meanwhile."""
        ...

    async def failed(self, scope: ConversationScope) -> list[FinalizationKey]:
        """The conversation's sessions that are FAILED, oldest first. Costs what they are, not what waits elsewhere."""
        ...

    async def replay(self, key: FinalizationKey) -> bool:
        """FAILED to ENDING again; False when it is not FAILED."""
        ...

    async def unfinished(
        self, tenant: str, limit: int, after: FinalizationKey | None = None, state: SessionState | None = None
    ) -> list[Finalization]:
        """The tenant's sessions that are ENDING or FAILED (with `state`: that are so), oldest first.

        `after`: those behind this one, which need not be there any more.
        """
        ...


class Attempts(Protocol):
    """Attempts at turning a sealed session into memory: each has a fence, and the last one alone decides."""

    async def finalization(self, key: FinalizationKey) -> Finalization | None:
        """Where one ended session stands."""
        ...

    async def sealed(self, key: FinalizationKey) -> SealedJournal | None:
        """The journal of one ended session; None when it is closed (or was never there)."""
        ...

    async def sealed_head(self, key: FinalizationKey) -> SealedJournal | None:
        """As `sealed`, without the messages, and of the records the first and those from the last checkpoint on."""
        ...

    async def sealed_messages(self, key: FinalizationKey, first: int, count: int) -> Sequence[bytes]:
        """Some messages of an ended session's journal, from the one at `first` (0: the oldest) on."""
        ...

    async def start_attempt(self, key: FinalizationKey) -> Finalization | None:
        """Take the next fence and count the attempt; None when the session is not ENDING."""
        ...

    async def refund_attempt(self, key: FinalizationKey, fence: int) -> None:
        """Take back, once, the count of an attempt that failed by no fault of its own, also when a later one runs."""
        ...

    async def note_step(self, key: FinalizationKey, fence: int, step: str) -> None:
        """Remember that a step was taken, as long as the fence holds."""
        ...

    async def decisions(self, key: FinalizationKey, unit_id: str) -> str | None:
        """What was decided of a unit, as it was kept; None: nothing yet, or the session is closed."""
        ...

    async def keep_decisions(self, key: FinalizationKey, fence: int, unit_id: str, text: str) -> str | None:
        """Keep what was decided of a unit until the session is closed; returns what is kept: of two, the first.

        None, and nothing is kept, when the fence is an older one.
        """
        ...

    async def close(self, key: FinalizationKey, fence: int, memory_ids: Sequence[str], skipped: str) -> bool:
        """ENDED: the journal leaves the session store. False when the fence is an older one."""
        ...

    async def give_up(self, key: FinalizationKey, fence: int, reason: str) -> bool:
        """FAILED: the journal is kept without a limit of time, until it is replayed."""
        ...


class Tails(Protocol):
    """What of a user is said and not in memory yet, and which conversations hold something of them."""

    async def unconsolidated(self, scope: UserScope) -> list[str]:
        """The user's conversations that may be alive or not yet in memory, the last begun first.

        At most SAID_CONVERSATIONS_MAX + 2: the one that asks, and one that says that there are more. Costs what is
        listed, not what lives.
        """
        ...

    async def tails(self, scope: UserScope, conversations: Sequence[str]) -> list[Tail]:
        """What this user has said in these conversations and is not in memory yet: alive, expired, ENDING or FAILED.

        Each conversation as of one moment; sessions of other users are left out. One round trip.
        """
        ...

    async def said(
        self, scope: UserScope, conversations: Sequence[str], profile_stamp: bytes
    ) -> tuple[list[bytes], ProfileCopy | None]:
        """What was found of safety facts in these conversations and is not in memory yet: of each as `Reading.said`.

        Of whoever said it: each line names its user. With it the copy of the user's profile as it is after that was
        read: what has become memory between this and an earlier read stands in it. One round trip.
        """
        ...

    async def living(self, scope: UserScope) -> list[str]:
        """Those of `listed` that are this user's by now. Costs what is listed, not what lives."""
        ...

    async def listed(self, scope: UserScope) -> list[str]:
        """All conversations of which something of this user's may be here, if only that they were."""
        ...

    async def erasable(self, scope: UserScope, conversation: str) -> int:
        """How many sessions `erase` would take; nothing is changed."""
        ...

    async def erase(self, scope: UserScope, conversation: str) -> Forgotten:
        """Remove a user's sessions in a conversation for good, living and ended, and with them those of nobody.

        What others have in it stays. Who looked back before opens no session with what he has read (`open`: False).
        """
        ...


class ProfileCopies(Protocol):
    """Copies of users' profiles beside the sessions, so that no query asks the long-term store."""

    async def forgotten(self, scope: UserScope) -> int:
        """How often something of a user was forgotten of late: asked for before the truth of a copy is read."""
        ...

    async def put_profile(
        self, scope: UserScope, copy: ProfileCopy, stamp: bytes, forgotten: int, dropped: str = ""
    ) -> None:
        """Store a copy of a profile unless a newer one is there. `dropped`: what `drop_profile` gave who changed it.

        After a drop (for PROFILE_DROPPED_S) a copy is stored only by who dropped it last. A copy of what was read
        before something was forgotten is not stored.
        """
        ...

    async def kept_profile(self, scope: UserScope) -> ProfileCopy | None:
        """The last copy of a profile in which something was known, be it old: for when its store does not answer."""
        ...

    async def drop_profile(self, scope: UserScope) -> str:
        """Believe the copy of a profile no longer: the next read asks the long-term store."""
        ...

    async def erase_profile(self, scope: UserScope) -> None:
        """Remove every copy of a profile, also what a slow reader still brings."""
        ...


class SessionStore(LivingSessions, Endings, Attempts, Tails, ProfileCopies, Protocol):
    """All of them, by one store. Who needs one role asks for that role."""
