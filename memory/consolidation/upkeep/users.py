"""Who there is: a list of users beside what is stored of them; made once of those who were there before it."""

from collections.abc import AsyncIterator, Sequence

from memory.model.user_list import UserPlace, UsersWanted
from memory.ports import LongTermStore, MemoryArchive, Tails, UserList
from memory.scope import UserScope


class UserLister:
    """Lists those who were there before there was a list, and lets go of whom nothing is left."""

    def __init__(self, users: UserList, sessions: Tails, units: LongTermStore, memories: MemoryArchive) -> None:
        self._users = users
        self._sessions = sessions
        self._units = units
        self._memories = memories

    async def let_go(self, scope: UserScope) -> None:
        """Take a user off the list when nothing is left of them; whoever begins anew meanwhile is on it afterwards.

        Can be repeated, and is to be, when it was cut off. Raises what the stores raise.
        """
        if await self._is_there(scope):
            return
        await self._users.remove(scope)
        if await self._is_there(scope):
            await self._users.enlist(scope, await self._sessions.living(scope))

    async def take_back(self, scope: UserScope, listed_ms: int) -> None:
        """Take a user off who was put on the list then for what did not come to be; not if anybody else listed them."""
        if not await self._is_there(scope):
            await self._users.take_back(scope, listed_ms)

    async def is_made(self) -> bool:
        """Whether those are listed who were there before there was a list."""
        return await self._users.is_made(self._units.kind)

    async def everybody(self, tenant: str, after: str = "") -> AsyncIterator[str]:
        """A tenant's users in the order of their ids, behind this one. Raises what the list raises."""
        place = UserPlace(0, after) if after else None
        while True:
            listed = await self._users.page(tenant, UsersWanted("name", after=place))
            for each in listed.users:
                yield each.user
            place = listed.after
            if place is None:
                return

    async def make(self) -> int | None:
        """List everybody of whom there is anything, once for a store; returns how many, or None when that is done.

        Of whom only facts were told it is not known when they were active. Cut off, it begins again. Raises what the
        stores raise. Whoever is forgotten meanwhile is not left on the list.
        """
        if await self.is_made():
            return None
        listed = {scope async for scope in self._memories.users()}
        listed |= {scope async for scope, _ in self._units.all_profiles()}
        for scope in listed:
            ended = await self._units.last_ended(scope)
            await self._list(scope, tuple(ended), max(ended.values(), default=0))
        unfinished: dict[UserScope, dict[str, int]] = {}
        async for scope, conversation, active_ms in self._users.unfinished():
            unfinished.setdefault(scope, {})[conversation] = active_ms
        for scope, begun in unfinished.items():
            await self._list(scope, tuple(begun), max(begun.values()))
        await self._users.made(self._units.kind)
        return len(listed | unfinished.keys())

    async def _list(self, scope: UserScope, conversations: Sequence[str], active_ms: int) -> None:
        await self._users.enlist(scope, conversations, active_ms)
        await self.let_go(scope)  # if they were forgotten since it was read

    async def _is_there(self, scope: UserScope) -> bool:
        return bool(
            await self._sessions.living(scope)
            or await self._memories.count(scope)
            or await self._units.count(scope)
            or (await self._units.get_profile(scope)).version
        )
