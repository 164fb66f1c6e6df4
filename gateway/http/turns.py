"""Fair shares: how many requests of one caller are worked on at once. The others of that caller wait for their turn."""

import asyncio
from collections import deque
from collections.abc import Hashable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from gateway.http.answers import LARGE_BYTES
from memory.errors import TooManyRequests

_PLACES_AT_FIRST: Final = 2
_USERS_KNOWN_MAX: Final = 10_000
Claim = tuple[Hashable, int]
"""Whose place, and how many places it has."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How many requests of one key, one peer address and one user a process works on at once; None: no matter.

    `user_bytes` is how many bytes of answers of one user may be in the making or on their way.
    """

    of_key: int | None
    of_peer: int | None
    of_user: int
    user_bytes: int


class Callers:
    """The places that a request needs.

    A user has few at first, twice as many after each answer that was small, and as many as fit when answers are large:
    how large an answer will be is known only when it is there.
    """

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._places: dict[Hashable, int] = {}

    def claims(self, key: Hashable, peer: str, user: Hashable) -> list[Claim]:
        """Those that most have to wait for first. No user, no peer: empty."""
        shares = self._shares
        claims: list[Claim] = []
        if user:
            claims.append((user, self._places.get(user) or min(_PLACES_AT_FIRST, shares.of_user)))
        if shares.of_key is not None:
            claims.append((key, shares.of_key))
        if shares.of_peer is not None and peer:
            claims.append((peer, shares.of_peer))
        return claims

    def learn(self, user: Hashable, size: int) -> None:
        """An answer to the user had this size."""
        places, most = self._places, self._shares.of_user
        now = places.get(user, min(_PLACES_AT_FIRST, most))
        fit = most if size <= LARGE_BYTES else max(1, self._shares.user_bytes // size)
        then = min(2 * now, fit, most)
        if user and then != now:
            if len(places) >= _USERS_KNOWN_MAX and user not in places:
                del places[next(iter(places))]
            places[user] = then


class Turns:
    """Places, by whom they belong to. Who waits for one gets it in the order of waiting."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._taken: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def take(self, claims: Sequence[Claim]) -> None:
        """Take a place of each, one by one. Raises TooManyRequests when one is not free in time, and keeps none."""
        for number, (who, most) in enumerate(claims):
            taken = self._taken.get(who, 0)
            if taken < most:
                self._taken[who] = taken + 1
                continue
            with ExitStack() as undo:
                undo.callback(self.give, claims[:number])
                await self._wait(who)
                undo.pop_all()

    def give(self, claims: Sequence[Claim]) -> None:
        """Give the places back, each to who has waited longest for it."""
        for who, _ in claims:
            if self._hand_on(who):
                continue
            left = self._taken[who] - 1
            if left:
                self._taken[who] = left
            else:
                del self._taken[who]

    def _hand_on(self, who: Hashable) -> bool:
        waiting = self._waiting.get(who)
        while waiting:
            first = waiting.popleft()
            if not first.done():
                first.set_result(None)
                return True
        self._waiting.pop(who, None)
        return False

    async def _wait(self, who: Hashable) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_s):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self.give(((who, 0),))
            if isinstance(error, TimeoutError):
                raise TooManyRequests("too many requests of this caller are being worked on") from None
            raise
