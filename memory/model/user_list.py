"""Who there is of a tenant: what a list of users is asked for, and what it holds."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Order = Literal["active", "name"]


class UserPlace(NamedTuple):
    """A place in a list of users; by name only the name counts."""

    active_ms: int
    user: str


class ListedUser(NamedTuple):
    """One user. `active_ms`: 0 where it is not known when."""

    user: str
    active_ms: int
    conversations: int


class UsersWanted(NamedTuple):
    """Which users: whose ids begin like this, in this order, behind a place (None: from the beginning)."""

    order: Order
    prefix: str = ""
    after: UserPlace | None = None
    limit: int = 50


class UsersFound(NamedTuple):
    """Some of them. `after`: where to go on, None at the end; `total`: of how many, wherever the page is."""

    users: Sequence[ListedUser]
    after: UserPlace | None
    total: int
