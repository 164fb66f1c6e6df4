"""Names of keys. One conversation's keys share the hash tag `{tenant/conversation}`: one slot of a cluster.

Ids have neither `/` nor braces (memory/scope.py), so two conversations never share a key.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, NamedTuple

from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope, UserScope

PREFIX: Final = "short_term_memory"
"""The original's prefix; its session key was `short_term_memory:session:<conversation>`, without a tenant."""

ENDED_CHANNEL: Final = f"{PREFIX}:ended"
"""Not a key: the channel on which an ended session's new state is announced. Nothing of it is stored."""

DEADLINES: Final = f"{PREFIX}:deadlines"
UNFINISHED: Final = f"{PREFIX}:unfinished"

DUE_MEMORIES: Final = f"{PREFIX}:due_memories"

FENCE: Final = f"{PREFIX}:fence"

WORKERS: Final = f"{PREFIX}:workers"
"""When each worker was last heard of. Expires an hour after the last of them."""

PERMANENT: Final = {
    DEADLINES: "one entry for each conversation that is alive or not yet in memory",
    DUE_MEMORIES: "one entry for each memory that will fade, when its store cannot ask over all users",
    FENCE: "one number: how often a lock was had",
    UNFINISHED: "one entry for each session that is not yet in memory, or failed on its way",
}
"""Keys that never expire, and why. Failed sessions (`…:sealed:…`, `…:finalization:…`, `…:conversation:…`)
are kept without a TTL too, until they are replayed."""


def session_key(scope: ConversationScope) -> str:
    """Where the head and the state of a living session are."""
    return f"{PREFIX}:session:{{{scope.tenant}/{scope.conversation}}}"


def journal_key(scope: ConversationScope) -> str:
    """Where the window of a living session is."""
    return f"{PREFIX}:journal:{{{scope.tenant}/{scope.conversation}}}"


class ConversationKeys(NamedTuple):
    """All keys of one conversation."""

    session: str
    live: str
    archive: str
    records: str
    conversation: str
    lease: str
    tag: str

    @classmethod
    def of(cls, scope: ConversationScope) -> "ConversationKeys":
        """Compose the names."""
        tag = f"{{{scope.tenant}/{scope.conversation}}}"
        return cls(
            session=session_key(scope),
            live=journal_key(scope),
            archive=f"{PREFIX}:archive:{tag}",
            records=f"{PREFIX}:records:{tag}",
            conversation=f"{PREFIX}:conversation:{tag}",
            lease=f"{PREFIX}:lease:{tag}",
            tag=tag,
        )

    def idempotency(self, key: str) -> str:
        """Where the outcome of a write with this idempotency key is kept."""
        digest = hashlib.sha256(key.encode()).hexdigest()[:32]
        return f"{PREFIX}:idempotency:{self.tag}:{digest}"


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


def ledger_key(tenant: str, day: str) -> str:
    """What a tenant has used of its model budget in a day."""
    return f"{PREFIX}:ledger:{tenant}:{day}"


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
    """Where a copy is kept for when the long-term store does not answer."""
    return f"{PREFIX}:kept_profile:{{{scope.tenant}/{scope.user}}}"
