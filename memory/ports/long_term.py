"""The ports of what outlives sessions: MemUnits and profiles, and memories with their index."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Literal, Protocol

from memory.model.generation import Generation
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.profile import Profile
from memory.model.review import Cause, OpenReview, Question, ReviewPlace
from memory.model.search import DueMemory, Filter, IndexEntry, MemoryPage, Pool, Probe, Unindexed
from memory.ports.erasures import ErasedFiles
from memory.scope import ConversationScope, Fence, UserScope

Counted = Literal[Kind.CREATED, Kind.LINK]
"""What a user may have so many of; stores count it without looking at the others."""
Fades = Callable[[Memory], int | None]
"""When a memory is to be forgotten, in ms; None: never."""
Asks = Callable[[Memory], Question | None]
"""Which question a memory asks, and from when on; None: none. It goes with the record: as it changes, so does this."""


class MemUnits(Protocol):
    """MemUnits: what was said in ended sessions, word for word. A write that returned is durable."""

    async def put_memunit(self, unit: MemUnit, fences: Sequence[Fence] = ()) -> None:
        """Store a MemUnit under its id."""
        ...

    async def get_memunit(self, scope: ConversationScope, unit_id: str) -> MemUnit | None:
        """Read a MemUnit back; None when it is not there (or not this conversation's)."""
        ...

    async def own_memunit(self, scope: UserScope, unit_id: str) -> MemUnit | None:
        """Read a user's MemUnit, of any conversation; None when the user has no such one."""
        ...

    async def own_memunits(self, scope: UserScope, conversation: str, after: str, limit: int) -> list[MemUnit]:
        """A user's MemUnits in the order of their ids, after this one; of one conversation when it is named."""
        ...

    async def latest_memunit(self, scope: ConversationScope) -> MemUnit | None:
        """The conversation's last MemUnit by seq."""
        ...

    async def memunit_from(self, scope: ConversationScope, seq: int) -> MemUnit | None:
        """The first MemUnit of a conversation that ends with message `seq`, or later."""
        ...

    async def conversations(self, scope: UserScope) -> list[str]:
        """The conversations of which a user has MemUnits."""
        ...

    async def last_ended(self, scope: UserScope) -> dict[str, int]:
        """The conversations of which a user has MemUnits, each with when the last of these ended, in ms."""
        ...

    async def count(self, scope: UserScope, conversation: str = "") -> int:
        """How many MemUnits a user has, of one conversation when it is named."""
        ...

    async def erase_conversation(self, scope: ConversationScope, users: Sequence[str]) -> int:
        """Remove the MemUnits that these users (empty: nobody) have in a conversation for good; returns how many.

        Raises their fences, in the same moment.
        """
        ...

    def all_memunits(self) -> AsyncIterator[MemUnit]:
        """Every MemUnit of every tenant, in any order. One written meanwhile may be left out."""
        ...


class Profiles(Protocol):
    """What is kept of users beside their memories. A write that returned is durable."""

    async def get_profile(self, scope: UserScope) -> Profile:
        """A user's profile; an empty one (version 0) when nothing is known."""
        ...

    async def update_profile(self, scope: UserScope, change: Callable[[Profile], Profile]) -> Profile:
        """Change a profile atomically, under the scope's fences, and return what is stored now."""
        ...

    async def erase_profile(self, scope: UserScope) -> bool:
        """Remove a user's profile for good, and raise the user's fence; whether there was one."""
        ...

    def all_profiles(self) -> AsyncIterator[tuple[UserScope, Profile]]:
        """Every user's profile, in any order. One written meanwhile may be left out."""
        ...


class LongTermStore(MemUnits, Profiles, Protocol):
    """What outlives sessions. A write that returned is durable; writing the same again changes nothing.

    All methods raise StoreUnavailable or DeadlineExceeded when the store does not answer, and writes raise StoreFull.
    A write under a fence raises Overtaken, and changes nothing, once that fence has been raised.
    """

    kind: str
    """Which store it is."""

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """The fences of these names as they stand: to be asked for before anything is read that a write rests on."""
        ...

    async def check(self) -> None:
        """Raise when the store does not answer."""
        ...


class MemoryStore(Protocol):
    """Memories and their index. A scope is one user of one tenant: nothing of another one is ever seen.

    A write that returned is durable; writing the same again changes nothing. All methods raise StoreUnavailable or
    DeadlineExceeded when the store does not answer, and writes raise StoreFull. A write whose scope carries fences
    raises Overtaken, and changes nothing, once one of them has been raised.
    """

    kind: str
    """Which store it is."""
    erasure: str
    """What it guarantees of what was erased: one sentence for a receipt."""
    files: ErasedFiles | None
    """Where what was erased may stand for a while (MemUnits and profiles too); None: it is not ours to rewrite."""

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As LongTermStore.fences."""
        ...

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """Store memories under their ids. Refuses (InvariantBroken) vectors of another space than the store's."""
        ...

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for; those that are not there are left out."""
        ...

    async def owner(self, tenant: str, memory_id: str) -> UserScope | None:
        """The user of a tenant who has this memory; its id is of `memory.model.memory.id_of`."""
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

    async def saying(self, scope: UserScope, text: str) -> list[Memory]:
        """The memories whose text is this to the letter, in no order; a few of many."""
        ...

    async def links(self, scope: UserScope, memory_ids: Sequence[str], most: int | None = None) -> list[Memory]:
        """The links with an end among these, that are not archived, in the order of their ids.

        `most`: so many at most are wanted, of any end about as many as a memory may have (LINKS_PER_MEMORY_MAX).
        """
        ...

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory], *, reopen: bool = False
    ) -> list[Memory]:
        """Change records atomically, one after the other; returns them as they are now.

        Index texts stay as they are; with `reopen` the entries are open from now on, to be completed.
        """
        ...

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come, the earliest first. Costs what is due, not what is stored."""
        ...

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """Memories of a tenant's users that ask this question now, in order, behind a place.

        Costs what is listed. One that asks it no longer, or not yet, may be among them: look at the record.
        """
        ...

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """How many `reviews` would list."""
        ...

    async def erase(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """Remove records for good; returns how many there were. Costs what is erased, not what is stored."""
        ...

    async def forget(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """As `erase`, and raise the user's fence in the same moment: nobody brings back what he has read before."""
        ...

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation; raises the fence as `forget`; returns how many there were."""
        ...

    async def erase_user(self, scope: UserScope) -> int:
        """Remove all that is known of a user; raises the fence as `forget`; returns how many there were."""
        ...

    async def count(self, scope: UserScope, kind: Counted | None = None) -> int:
        """How many memories a user has; of one kind that tools make, when it is named."""
        ...

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered: names, agents and roles."""
        ...

    def entries(self, scope: UserScope) -> AsyncIterator[IndexEntry]:
        """All records, archived and superseded ones too, with their entries of this generation, ordered by id."""
        ...


class LeavingTimes(Protocol):
    """With which settings the times were made at which memories leave, where those stand."""

    async def made_with(self) -> str:
        """The name of the settings; empty: nobody has said."""
        ...

    async def are_made_with(self, settings: str) -> None:
        """All are made with these now."""
        ...


class MemoryArchive(MemoryStore, Protocol):
    """What operators' commands ask of a memory store: all of its users and records, and its index generations.

    A record is in every generation from when it is written; a generation whose entry its writer cannot make, or leaves
    for later, has it open until `complete`. Erasing and changing reach every generation.
    """

    def users(self) -> AsyncIterator[UserScope]:
        """Everybody with memories. One whose first memory is written meanwhile may be left out."""
        ...

    async def count_users(self) -> int:
        """How many users `users` would give, about."""
        ...

    async def retime(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Make anew when these leave, and what they ask, by the settings of this store; they stay as they are."""
        ...

    def unindexed(self, scope: UserScope) -> AsyncIterator[Sequence[Unindexed]]:
        """Records whose entry of this generation is not complete, some at a time."""
        ...

    async def complete(self, scope: UserScope, entries: Sequence[IndexEntry]) -> int:
        """Store the entries of records that are open; returns of how many. What was erased meanwhile stays erased.

        The record itself stays as it is stored, whatever the entry says. One whose text is another by now (a profile
        that was made anew) stays open.
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
