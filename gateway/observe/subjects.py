"""Whom work is about, for logs and traces: the tenant and the conversation, told as digests and never by name."""

from contextvars import ContextVar
from typing import Final, NamedTuple

from memory.model.audit import digest_of

_DIGEST_CHARS: Final = 12


class Subject(NamedTuple):
    """The tenant and the conversation (empty: none) that the work of this task is about."""

    tenant: str
    conversation: str

    def fields(self) -> dict[str, str]:
        """What may be written down of it: a digest of each that there is."""
        named = {"tenant": self.tenant, "conversation": self.conversation}
        return {name: digest(value) for name, value in named.items() if value}


_SUBJECT: Final[ContextVar[Subject | None]] = ContextVar("subject", default=None)


def work_on(tenant: str, conversation: str = "") -> None:
    """From here on this task, and what it starts, is about them."""
    _SUBJECT.set(Subject(tenant, conversation))


def subject() -> Subject | None:
    """Whom this task's work is about; None: nobody in particular."""
    return _SUBJECT.get()


def digest(name: str) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of an id: what logs and traces have in its place."""
    return digest_of(name)[:_DIGEST_CHARS]
