"""The port of who there is: a list of each tenant's users, beside what is stored of them."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Protocol

from memory.model.user_list import UsersFound, UsersWanted
from memory.scope import UserScope


class UserList(Protocol):
    """The users of each tenant, with when they were last active and how many conversations they have begun.

    Sessions list their users themselves, before they begin. All methods raise StoreUnavailable or DeadlineExceeded.
    """

    async def enlist(self, scope: UserScope, conversations: Sequence[str] = (), at_ms: int | None = None) -> int | None:
        """List a user: active then (None: now) if not later, with these conversations too.

        Returns when, in ms, if this put them on the list; None if they were on it.
        """
        ...

    async def note_active(self, at_ms: Mapping[UserScope, int]) -> None:
        """These were active then. Who is not listed stays so: nobody comes back who was forgotten."""
        ...

    async def remove(self, scope: UserScope) -> None:
        """Take a user off, with all that the list knows of them."""
        ...

    async def take_back(self, scope: UserScope, listed_ms: int) -> None:
        """Take a user off whom `enlist` put on the list then; not if anybody has listed them again since."""
        ...

    async def page(self, tenant: str, wanted: UsersWanted) -> UsersFound:
        """Some of a tenant's users. Costs what is listed, not who there is; may have fewer than asked for."""
        ...

    async def names(self, tenant: str, digests: Iterable[str]) -> Mapping[str, str]:
        """The ids of those users who are listed, by their digests (`memory.model.audit.digest_of`)."""
        ...

    def unfinished(self) -> AsyncIterator[tuple[UserScope, str, int]]:
        """Of everybody whose conversation is alive or not yet in memory: who, which, and since when, in ms."""
        ...

    async def is_made(self, store: str) -> bool:
        """Whether those were listed of whom there was something in this long-term store before there was a list."""
        ...

    async def made(self, store: str) -> None:
        """They are now."""
        ...
