"""Who there is of a tenant: two sorted sets and a hash in one slot, by activity, by name and by digest.

For each user there is a set of numbers. They stand for the user's conversations, eight bytes each: a count that may be
told the same thing twice. That set is named by a digest, as it outlives sessions.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Final

from memory.model.audit import digest_of
from memory.model.brain import is_brain
from memory.model.user_list import ListedUser, UserPlace, UsersFound, UsersWanted
from memory.scope import ConversationScope, UserScope
from memory.stores.redis import scripts
from memory.stores.redis.connection import require
from memory.stores.redis.heads import head_of
from memory.stores.redis.keys import (
    DEADLINES,
    USERS_MADE,
    begun_key,
    conversation_key,
    conversation_number,
    session_key,
    user_digests_key,
    users_keys,
)
from memory.stores.redis.wire import Command, Commands, with_scores

_TOGETHER: Final = 500
"""Members of one command."""
_LOOKED_AT_MAX: Final = 1_000
"""Users that one script looks at: up to three milliseconds, for which all others wait."""
_SCRIPTS_MAX: Final = 8
"""Of one page. Where few of very many users match, it may have fewer than asked for."""
_BEHIND_ALL: Final = b"\xff"
"""Sorted behind everything that an id may go on with."""


class RedisUsers:
    """The UserList port."""

    def __init__(self, connection: Commands) -> None:
        self._redis = connection

    async def enlist(self, scope: UserScope, conversations: Sequence[str] = (), at_ms: int | None = None) -> int | None:
        """One script, and with conversations one command more in the user's own slot."""
        args = (scope.user, "" if at_ms is None else at_ms, digest_of(scope.user))
        listed = await scripts.LIST_USER.run(self._redis, _keys(scope.tenant), args)
        numbers = [conversation_number(each) for each in conversations if not is_brain(each)]
        for start in range(0, len(numbers), _TOGETHER):
            (reply,) = await self._redis.run(("SADD", begun_key(scope), *numbers[start : start + _TOGETHER]))
            require(reply)
        return int(listed) if listed else None

    async def note_active(self, at_ms: Mapping[UserScope, int]) -> None:
        """ZADD of those that are there, in one write."""
        by_tenant: dict[str, list[str | int]] = {}
        for scope, moment in at_ms.items():
            by_tenant.setdefault(scope.tenant, []).extend((moment, scope.user))
        commands: list[Command] = [
            ("ZADD", users_keys(tenant)[0], "XX", "GT", *pairs[start : start + 2 * _TOGETHER])
            for tenant, pairs in by_tenant.items()
            for start in range(0, len(pairs), 2 * _TOGETHER)
        ]
        for reply in await self._redis.run(*commands):
            require(reply)

    async def remove(self, scope: UserScope) -> None:
        """The count first: cut off in between, the user is still listed and can be forgotten again."""
        (reply,) = await self._redis.run(("DEL", begun_key(scope)))
        require(reply)
        await self._unlist(scope, "")

    async def take_back(self, scope: UserScope, listed_ms: int) -> None:
        """One script."""
        await self._unlist(scope, listed_ms)

    async def _unlist(self, scope: UserScope, listed_ms: int | str) -> None:
        args = (scope.user, digest_of(scope.user), listed_ms)
        await scripts.UNLIST_USER.run(self._redis, _keys(scope.tenant), args)

    async def page(self, tenant: str, wanted: UsersWanted) -> UsersFound:
        """One or two round trips by name; by activity one, and more where a prefix is rare. Then one for the counts."""
        look = self._by_name if wanted.order == "name" else self._by_activity
        here, after = await look(tenant, wanted)
        counted = ((("SCARD", begun_key(UserScope(tenant, place.user)))) for place in here)
        total, *begun = map(require, await self._redis.run(_count(tenant, wanted.prefix), *counted))
        users = [ListedUser(place.user, place.active_ms, int(count)) for place, count in zip(here, begun, strict=True)]
        return UsersFound(users, after, int(total))

    async def _by_name(self, tenant: str, wanted: UsersWanted) -> tuple[list[UserPlace], UserPlace | None]:
        """So many but for those who leave meanwhile, and where to go on."""
        active, names = users_keys(tenant)
        first, last = _range(wanted.prefix)
        if wanted.after is not None and wanted.after.user >= wanted.prefix:
            first = f"({wanted.after.user}"
        command = ("ZRANGEBYLEX", names, first, last, "LIMIT", 0, wanted.limit + 1)
        members = [member.decode() for member in require((await self._redis.run(command))[0])]
        here = members[: wanted.limit]
        if not here:
            return [], None
        scores = require((await self._redis.run(("ZMSCORE", active, *here)))[0])
        there = zip(here, scores, strict=True)
        found = [UserPlace(int(float(score)), member) for member, score in there if score is not None]
        return found, UserPlace(0, here[-1]) if len(members) > len(here) else None

    async def _by_activity(self, tenant: str, wanted: UsersWanted) -> tuple[list[UserPlace], UserPlace | None]:
        """So many, and where to go on if there may be more."""
        found: list[UserPlace] = []
        after, more = wanted.after, wanted.limit + 1
        for _ in range(_SCRIPTS_MAX):
            at, name = ("", "") if after is None else (after.active_ms, after.user)
            args = (at, name, wanted.prefix, more - len(found), _LOOKED_AT_MAX)
            to_the_end, last_ms, last, *read = await scripts.ACTIVE_USERS.run(self._redis, users_keys(tenant), args)
            found += [UserPlace(int(read[i + 1]), read[i].decode()) for i in range(0, len(read), 2)]
            if len(found) == more:
                return found[: wanted.limit], found[wanted.limit - 1]
            if to_the_end:
                return found, None
            after = UserPlace(int(last_ms), last.decode())
        return found, after

    async def names(self, tenant: str, digests: Iterable[str]) -> Mapping[str, str]:
        """HMGET."""
        asked = tuple(digests)
        found = require((await self._redis.run(("HMGET", user_digests_key(tenant), *asked)))[0])
        return {digest: name.decode() for digest, name in zip(asked, found, strict=True) if name is not None}

    async def unfinished(self) -> AsyncIterator[tuple[UserScope, str, int]]:
        """Walks the deadlines: each conversation that is alive or not yet in memory has one."""
        cursor: Any = 0
        while True:
            (reply,) = await self._redis.run(("ZSCAN", DEADLINES, cursor, "COUNT", _TOGETHER))
            cursor, members = require(reply)
            for each in await self._owners(
                [ConversationScope.parse(name.decode()) for name, _ in with_scores(members)]
            ):
                yield each
            if int(cursor) == 0:
                return

    async def _owners(self, places: Sequence[ConversationScope]) -> list[tuple[UserScope, str, int]]:
        known: list[Command] = [("HMGET", conversation_key(place), "user", "no") for place in places]
        living: list[Command] = [("HMGET", session_key(place), "head", "summary", "zone") for place in places]
        replies = [require(reply) for reply in await self._redis.run(*known, *living)] if places else []
        found = []
        for place, (user, number), fields in zip(places, replies, replies[len(places) :], strict=False):
            head = head_of(fields)
            owner = head.user_id if head is not None else (user or b"").decode()
            if owner:
                active_ms = head.updated_ms if head is not None else int(number or 0)
                found.append((UserScope(place.tenant, owner), place.conversation, active_ms))
        return found

    async def is_made(self, store: str) -> bool:
        """GET: flushed with the list, it is made anew."""
        found: bytes | None = require((await self._redis.run(("GET", USERS_MADE)))[0])
        return found is not None and found.decode() == store

    async def made(self, store: str) -> None:
        """SET."""
        require((await self._redis.run(("SET", USERS_MADE, store)))[0])


def _keys(tenant: str) -> tuple[str, str, str]:
    """All that a list is."""
    return (*users_keys(tenant), user_digests_key(tenant))


def _range(prefix: str) -> tuple[str | bytes, str | bytes]:
    """The ends of those names in the order of names."""
    return (f"[{prefix}", b"(" + prefix.encode() + _BEHIND_ALL) if prefix else ("-", "+")


def _count(tenant: str, prefix: str) -> Command:
    names = users_keys(tenant)[1]
    return ("ZLEXCOUNT", names, *_range(prefix)) if prefix else ("ZCARD", names)
