"""ListUsers: who there is of a tenant; and what counts as their activity."""

import contextlib
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from memory.consolidation.upkeep.users import UserLister
from memory.errors import FieldError, InvalidInput, TemporaryError
from memory.model.caller import Caller
from memory.model.session import Append, Appended
from memory.model.user_calls import ListUsersRequest, ListUsersResponse, UserItem
from memory.model.user_list import Order, UserPlace, UsersWanted
from memory.ports import Background, UserList
from memory.scope import ConversationScope, UserScope
from memory.service.behind import Behind
from memory.session.times import rfc3339

_NOTED_MAX: Final = 16_384
_MOMENT: Final = re.compile(r"[0-9]{1,15}")

Answer = TypeVar("Answer")


class Users:
    """The list of users, and what puts them on it beside the sessions: these list their users themselves."""

    def __init__(self, users: UserList, lister: UserLister, background: Background, exact_ms: int) -> None:
        """`exact_ms`: how late it may be noted that somebody went on writing."""
        self._users = users
        self._lister = lister
        self._exact_ms = exact_ms
        self._noted: dict[tuple[str, str], int] = {}
        self._behind: Behind[tuple[str, str], int] = Behind(self._note, background, "users")

    async def page(self, caller: Caller, request: ListUsersRequest) -> ListUsersResponse:
        """A page of the tenant's users. Raises InvalidInput for a cursor that is none."""
        wanted = UsersWanted(request.order, request.prefix or "", _place(request), request.limit)
        found = await self._users.page(caller.tenant, wanted)
        items = [
            UserItem(
                user_id=each.user,
                last_active_at=rfc3339(each.active_ms) if each.active_ms else None,
                conversations=each.conversations,
            )
            for each in found.users
        ]
        return ListUsersResponse(items=items, cursor=_cursor(request.order, found.after), total=found.total)

    async def told(self, caller: Caller, user: str, tell: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer to what is told of a user, who is on the list before it: a crash leaves nobody out.

        Where it is refused, or leaves nothing of them, they are on it only if they were there before.
        """
        scope = UserScope(caller.tenant, user)
        listed_ms = await self._users.enlist(scope)
        if listed_ms is None:
            return await tell()
        try:
            return await tell()
        finally:
            with contextlib.suppress(TemporaryError):
                await self._lister.take_back(scope, listed_ms)

    def after_write(self, scope: ConversationScope, _append: Append, appended: Appended) -> None:
        """A user goes on writing: noted behind the answer, of all who do in one command, of each once in a while.

        A process that ends in the same moment leaves them where they stood; nobody gets on or off the list by this.
        """
        who = (scope.tenant, appended.user_id)
        if not appended.user_id or appended.updated_ms - self._noted.get(who, 0) < self._exact_ms:
            return
        if len(self._noted) >= _NOTED_MAX:
            self._noted.clear()  # they are noted once too often now
        self._noted[who] = appended.updated_ms
        self._behind.put(who, appended.updated_ms)

    async def _note(self, at_ms: dict[tuple[str, str], int]) -> None:
        await self._users.note_active({UserScope(*who): moment for who, moment in at_ms.items()})


def _cursor(order: Order, place: UserPlace | None) -> str:
    if place is None:
        return ""
    return place.user if order == "name" else f"{place.active_ms}.{place.user}"


def _place(request: ListUsersRequest) -> UserPlace | None:
    if not request.cursor:
        return None
    if request.order == "name":
        return UserPlace(0, request.cursor)
    moment, _, user = request.cursor.partition(".")
    if not _MOMENT.fullmatch(moment):
        message = "is not one that ListUsers gave for this order"
        raise InvalidInput(f"cursor {message}", fields=(FieldError("cursor", message),))
    return UserPlace(int(moment), user)
