"""Fair shares: how many requests of one caller are worked on at once. The others of that caller wait for their turn."""

import asyncio
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass

from memory.errors import TooManyRequests

Claim = tuple[Hashable, int]
"""Whose place, and how many places it has."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How many requests of one key, one peer address and one user a process works on at once; None: no matter."""

    of_key: int | None
    of_peer: int | None
    of_user: int | None

    def claims(self, key: Hashable, peer: str, user: Hashable) -> tuple[Claim, ...]:
        """The places that a request needs, those that most have to wait for first. No user, no peer: ""."""
        asked = ((user, self.of_user), (key, self.of_key), (peer, self.of_peer))
        return tuple((who, most) for who, most in asked if most is not None and who)


class Turns:
    """Places, by whom they belong to. Who waits for one gets it in the order of waiting."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._taken: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def take(self, claims: tuple[Claim, ...]) -> None:
        """Take a place of each, one by one. Raises TooManyRequests when one is not free in time, and keeps none."""
        for number, (who, most) in enumerate(claims):
            taken = self._taken.get(who, 0)
            if taken < most:
                self._taken[who] = taken + 1
                continue
            try:
                await self._wait(who)
            except BaseException:
                self.give(claims[:number])
                raise

    def give(self, claims: tuple[Claim, ...]) -> None:
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
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self.give(((who, 0),))
            if isinstance(error, TimeoutError):
                raise TooManyRequests("too many requests of this caller are being worked on") from None
            raise
