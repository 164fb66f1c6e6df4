"""Names of keys. One conversation's keys share the hash tag `{tenant/conversation}`: one slot of a cluster.

Ids have neither `/` nor braces (memory/scope.py), so two conversations never share a key. What stays for a while when
the rest of a conversation or a user is forgotten names them by a digest; its hash tag is another one of the same slot.
"""

import binascii
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from memory.model.batch import BatchKey
from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope, UserScope

PREFIX: Final = "short_term_memory"
"""The original's prefix; its session key was `short_term_memory:session:<conversation>`, without a tenant."""

ENDED_CHANNEL: Final = f"{PREFIX}:ended"
"""Not a key: the channel on which an ended session's new state is announced. Nothing of it is stored."""

DEADLINES: Final = f"{PREFIX}:deadlines"
UNFINISHED: Final = f"{PREFIX}:unfinished"

DUE_MEMORIES: Final = f"{PREFIX}:due_memories"
REVIEWS: Final = f"{PREFIX}:reviews:"
DUE_MADE_WITH: Final = f"{PREFIX}:due_memories_made_with"

USERS: Final = f"{PREFIX}:users:"
USERS_MADE: Final = f"{PREFIX}:users_made"
BEGUN: Final = "begun"

FENCE: Final = f"{PREFIX}:fence"

ERASURES: Final = f"{PREFIX}:{{erasures}}"
OPEN_ERASURES: Final = f"{ERASURES}:open"
ERASURE_COUNTS: Final = f"{ERASURES}:counts"
OPEN_BATCHES: Final = f"{PREFIX}:open_batches"
TO_COUNT: Final = f"{PREFIX}:to_count"
WORKERS: Final = f"{PREFIX}:workers"
"""When each worker was last heard of. Expires an hour after the last of them."""

PERMANENT: Final = {
    DEADLINES: "one entry for each conversation that is alive or not yet in memory",
    DUE_MEMORIES: "one entry for each memory that will fade, when its store cannot ask over all users",
    f"{REVIEWS}*": "a tenant's open questions, when the store of memories cannot ask over all its users",
    f"{USERS}*": "a tenant's users: an entry leaves when all of its user is forgotten",
    USERS_MADE: "the long-term store whose users are listed who were there before the list",
    f"{PREFIX}:{BEGUN}:*": "eight bytes for each conversation of a user, until it or the user is forgotten",
    DUE_MADE_WITH: "the name of the settings with which those times were made",
    ERASURE_COUNTS: "two numbers: erasures asked for, and up to which of them the files were written anew",
    OPEN_BATCHES: "one entry for each batch that is under way, or was to begin a moment ago",
    OPEN_ERASURES: "one entry for each erasure that is under way, or whose process has died a moment ago",
    FENCE: "one number: how often a lock was had",
    TO_COUNT: "one entry for each tenant whose memories are to be counted",
    UNFINISHED: "one entry for each session that is not yet in memory, or failed on its way",
}
"""Keys that never expire, and why. Failed sessions (`…:sealed:…`, `…:finalization:…`, `…:conversation:…`)
are kept without a TTL too, until they are replayed."""


_SLOT_BITS: Final = 14
_LETTERS: Final = 4
_FIRST_LETTER: Final = 0x40
"""Letters are `@` to `O`: four bits each, so that a tag of four of them can be had for every slot of a cluster."""
_DIGEST_CHARS: Final = 32
_NUMBER_CHARS: Final = 12
"""Hexadecimal: 48 bits. Redis keeps a set of up to 512 such numbers in eight bytes each."""


def _letters(bits: int) -> str:
    return "".join(chr(_FIRST_LETTER | bits >> 4 * place & 0xF) for place in range(_LETTERS))


def _slot(tag: str) -> int:
    """Redis' CRC16 of a hash tag."""
    return binascii.crc_hqx(tag.encode(), 0) & (1 << _SLOT_BITS) - 1


def _flips() -> tuple[int, ...]:
    """For each bit of a slot, the bits of four letters that flip this one alone: a CRC is linear, so there are some."""
    rows = [(_slot(_letters(1 << bit)) ^ _slot(_letters(0)), 1 << bit) for bit in range(4 * _LETTERS)]
    solved: list[tuple[int, int]] = []
    for bit in range(_SLOT_BITS):
        pivot = rows.pop(next(index for index, (slot, _) in enumerate(rows) if slot >> bit & 1))
        rows, solved = _cleared(rows, pivot, bit), [*_cleared(solved, pivot, bit), pivot]
    return tuple(bits for _, bits in solved)


def _cleared(rows: list[tuple[int, int]], pivot: tuple[int, int], bit: int) -> list[tuple[int, int]]:
    return [(slot ^ pivot[0], bits ^ pivot[1]) if slot >> bit & 1 else (slot, bits) for slot, bits in rows]


_FLIPS: Final = _flips()


@lru_cache(maxsize=16_384)
def nameless_tag(tag: str) -> str:
    """A hash tag of the same cluster slot that says nothing of whose it is."""
    difference, bits = _slot(tag) ^ _slot(_letters(0)), 0
    for bit, flip in enumerate(_FLIPS):
        if difference >> bit & 1:
            bits ^= flip
    return f"{{{_letters(bits)}}}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_DIGEST_CHARS]


def _nameless(kind: str, scope: ConversationScope | UserScope, *parts: str) -> str:
    return f"{PREFIX}:{kind}:{nameless_tag(str(scope))}:{_digest(str(scope), *parts)}"


@lru_cache(maxsize=16_384)
def given_key(scope: ConversationScope) -> str:
    """Where what was given last stands until it is answered: named by a digest, as it may come before the session."""
    return _nameless("given", scope)


def session_key(scope: ConversationScope) -> str:
    """Where the head and the state of a living session are."""
    return f"{PREFIX}:session:{{{scope.tenant}/{scope.conversation}}}"


def journal_key(scope: ConversationScope) -> str:
    """Where the window of a living session is."""
    return f"{PREFIX}:journal:{{{scope.tenant}/{scope.conversation}}}"


def conversation_key(scope: ConversationScope) -> str:
    """Where it stands what sessions a conversation has, and what those not yet in memory say for safety."""
    return f"{PREFIX}:conversation:{{{scope.tenant}/{scope.conversation}}}"


class ConversationKeys(NamedTuple):
    """All keys of one conversation."""

    session: str
    live: str
    archive: str
    records: str
    conversation: str
    lease: str
    tag: str
    scope: ConversationScope

    @classmethod
    def of(cls, scope: ConversationScope) -> "ConversationKeys":
        """Compose the names."""
        tag = f"{{{scope.tenant}/{scope.conversation}}}"
        return cls(
            session=session_key(scope),
            live=journal_key(scope),
            archive=f"{PREFIX}:archive:{tag}",
            records=f"{PREFIX}:records:{tag}",
            conversation=conversation_key(scope),
            lease=f"{PREFIX}:lease:{tag}",
            tag=tag,
            scope=scope,
        )

    @property
    def forgotten(self) -> str:
        """How often something of the conversation was forgotten: named by a digest, as it lives on."""
        return _nameless("forgotten", self.scope)

    def of_write(self, key: str) -> tuple[str, str, str, str, str, str]:
        """Session, journal, outcome of a write with this idempotency key, conversation, its older place, what is given.

        Gateways up to 0.1 kept it under the conversation's name, which it may outlive. Without a key both places are
        the lease's, which such a write does not look at.
        """
        kept = _nameless("idempotency", self.scope, key) if key else self.lease
        old = f"{PREFIX}:idempotency:{self.tag}:{_digest(key)}" if key else self.lease
        return self.session, self.live, kept, self.conversation, old, given_key(self.scope)


@dataclass(frozen=True, slots=True)
class SealedKeys:
    """The keys of one ended session."""

    live: str
    archive: str
    records: str
    finalization: str

    @classmethod
    def of(cls, key: FinalizationKey) -> "SealedKeys":
        """Compose the names."""
        tag = f"{{{key.scope.tenant}/{key.scope.conversation}}}"
        return cls(
            live=f"{PREFIX}:sealed:{tag}:{key.number}:journal",
            archive=f"{PREFIX}:sealed:{tag}:{key.number}:archive",
            records=f"{PREFIX}:sealed:{tag}:{key.number}:records",
            finalization=f"{PREFIX}:finalization:{tag}:{key.number}",
        )


def sealed_prefixes(tag: str) -> tuple[str, str]:
    """The beginnings of the names under which a conversation's sessions are sealed, by its hash tag."""
    return f"{PREFIX}:sealed:{tag}:", f"{PREFIX}:finalization:{tag}:"


def erasure_key(erasure_id: str) -> str:
    """What is known of one erasure."""
    return f"{ERASURES}:{erasure_id}"


def ledger_key(tenant: str, day: str) -> str:
    """What a tenant has used of its model budget in a day."""
    return f"{PREFIX}:ledger:{tenant}:{day}"


def reviews_key(tenant: str, cause: str) -> str:
    """Where it stands which memories of a tenant ask one question, by since when."""
    return f"{REVIEWS}{tenant}:{cause}"


def users_keys(tenant: str) -> tuple[str, str]:
    """Where a tenant's users stand by their last activity, and by name: in one slot of a cluster."""
    return f"{USERS}{{{tenant}}}:active", f"{USERS}{{{tenant}}}:names"


def user_digests_key(tenant: str) -> str:
    """Where it stands which user a digest is of, beside `users_keys`."""
    return f"{USERS}{{{tenant}}}:digests"


def audit_key(tenant: str) -> str:
    """The stream of who asked for what. It has a TTL."""
    return f"{PREFIX}:audit:{{{tenant}}}"


class BatchKeys(NamedTuple):
    """The keys of one batch, and of its tenant's: all have a TTL, in one slot of a cluster."""

    batch: str
    memory_ids: str
    failures: str
    every: str

    @classmethod
    def of(cls, key: BatchKey) -> "BatchKeys":
        """Compose the names."""
        batch = f"{PREFIX}:batch:{{{key.tenant}}}:{key.job_id}"
        return cls(batch, f"{batch}:memory_ids", f"{batch}:failures", batches_key(key.tenant))


def batches_key(tenant: str) -> str:
    """Where a tenant's batches stand by when they were previewed."""
    return f"{PREFIX}:batches:{{{tenant}}}"


def counts_key(tenant: str) -> str:
    """What was counted of a tenant last. It has a TTL."""
    return f"{PREFIX}:counts:{tenant}"


def begun_key(scope: UserScope) -> str:
    """Where the numbers of a user's conversations are: in the slot of `conversations_key`."""
    return _nameless(BEGUN, scope)


def conversation_number(conversation: str) -> int:
    """What stands for a conversation among those of its user."""
    return int(_digest(conversation)[:_NUMBER_CHARS], 16)


def fence_key(name: str) -> str:
    """The number under which a write is refused (memory/fences.py)."""
    return f"{PREFIX}:fence:{name}"


def lock_key(name: str) -> str:
    """A lock; it always has a TTL."""
    return f"{PREFIX}:lock:{name}"


def conversations_key(scope: UserScope) -> str:
    """Where a user's conversations are listed by the start of their last session."""
    return f"{PREFIX}:conversations:{{{scope.tenant}/{scope.user}}}"


def profile_key(scope: UserScope) -> str:
    """Where the copy of a user's profile is."""
    return f"{PREFIX}:profile:{{{scope.tenant}/{scope.user}}}"


def kept_profile_key(scope: UserScope) -> str:
    """Where a copy is kept for when the long-term store does not answer: for a month."""
    return _nameless("kept_profile", scope)


def old_kept_profile_key(scope: UserScope) -> str:
    """Where gateways up to 0.1 kept it."""
    return f"{PREFIX}:kept_profile:{{{scope.tenant}/{scope.user}}}"


def forgotten_key(scope: UserScope) -> str:
    """How often something of a user was forgotten of late."""
    return _nameless("forgotten_user", scope)
