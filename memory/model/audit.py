"""Who asked for what: one entry for a request, without a word of what was asked or answered."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

_DIGEST_CHARS: Final = 32


@lru_cache(maxsize=16_384)
def digest_of(name: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of an id: what stays where the id itself has to be forgotten."""
    return hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_CHARS]


class AuditEntry(NamedTuple):
    """One request, as it was answered. `user` and `conversation` are digests, empty where it named none."""

    at_ms: int
    key: str
    """The name of the API key; empty: it has none, or the gateway has no keys."""
    operation: str
    status: int
    """Of HTTP: 200, or how it was refused."""
    user: str = ""
    conversation: str = ""
    memory: str = ""
    """The id of the memory that it named."""


class AuditWanted(NamedTuple):
    """Which entries of a tenant, the newest first; what is empty or None asks for all."""

    limit: int
    about: frozenset[str] = frozenset()
    """Digests: of a user and of all conversations of theirs."""
    conversation: str = ""
    operation: str = ""
    key: str = ""
    refused: bool = False
    """Only those that were not answered with 200."""
    since_ms: int | None = None
    until_ms: int | None = None
    after: str = ""
    """A place, as a page before said it."""

    @property
    def chooses(self) -> bool:
        """Whether not every entry is one of these."""
        return bool(self.about or self.conversation or self.operation or self.key or self.refused)

    def has(self, entry: AuditEntry) -> bool:
        """Whether an entry is one of these, but for its time and place."""
        return (
            (not self.about or entry.user in self.about or entry.conversation in self.about)
            and self.conversation in {"", entry.conversation}
            and self.operation in {"", entry.operation}
            and self.key in {"", entry.key}
            and not (self.refused and entry.status == _ANSWERED)
        )


_ANSWERED: Final = 200


class AuditFound(NamedTuple):
    """Some of them. `after`: where to go on; empty at the end."""

    entries: Sequence[AuditEntry]
    after: str
