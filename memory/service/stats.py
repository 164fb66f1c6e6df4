"""GetStats: how much there is of a user, or of all."""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from memory.consolidation.upkeep.count import MemoryCounter
from memory.errors import Forbidden, TemporaryError
from memory.model.caller import Caller
from memory.model.review import Cause
from memory.model.stats import MemoryCounts, TenantCounts
from memory.model.stats_calls import (
    DayNumbers,
    GetStatsRequest,
    GetStatsResponse,
    MemoryNumbers,
    SessionNumbers,
    SpentToday,
    WatchStatsRequest,
)
from memory.model.user_list import UsersWanted
from memory.scope import UserScope
from memory.service.conversations import Conversations
from memory.service.settings import Ports
from memory.session.times import rfc3339
from memory.zones import day_of

_ADMIN: Final = "admin"
_NOTHING_YET: Final = "0"
_FRESH_MS: Final = 60_000
_TIMES_AS_LONG: Final = 20
"""Counting takes a twentieth of the time at most, however much there is to count."""


class _Latest(NamedTuple):
    """What was counted last of a tenant, and whether it is going to be counted anew."""

    counts: TenantCounts | None
    counting: bool


class Stats:
    """Of a user it is counted; of all users it is told what was counted."""

    def __init__(self, ports: Ports, counter: MemoryCounter, conversations: Conversations) -> None:
        self._counts, self._users, self._memories = ports.counts, ports.users, ports.memories
        self._clock, self._spending = ports.clock, ports.spending
        self._zone = ports.minds.zone
        self._counter = counter
        self._conversations = conversations

    async def get(self, caller: Caller, request: GetStatsRequest) -> GetStatsResponse:
        """How much there is. Raises Forbidden where all users are meant and the key is no admin's."""
        if request.user_id is not None:
            return await self._of_user(UserScope(caller.tenant, request.user_id), request.days)
        if _ADMIN not in caller.scopes:
            raise Forbidden("how much there is of all users needs the scope 'admin': name a user_id, or use such a key")
        return await self._of_tenant(caller.tenant, await self._latest(caller.tenant), request.days)

    async def changed(self, caller: Caller, request: WatchStatsRequest) -> GetStatsResponse | None:
        """How much there is of all; None: as of the revision `since`."""
        now = await self._of_tenant(caller.tenant, await self._latest(caller.tenant), request.days)
        return None if now.revision == request.since else now

    async def _latest(self, tenant: str) -> "_Latest":
        """What was counted last; has it counted anew when that is not fresh."""
        counts = await self._counts.latest(tenant)
        now_ms = self._clock.now_ms()
        if counts is not None and abs(now_ms - counts.at_ms) < max(_FRESH_MS, _TIMES_AS_LONG * counts.took_ms):
            return _Latest(counts, counting=False)
        try:
            await self._counts.ask(tenant)
        except TemporaryError:  # full: what was counted is told still
            return _Latest(counts, counting=False)
        return _Latest(counts, counting=True)

    async def _of_user(self, scope: UserScope, days: int) -> GetStatsResponse:
        tally, now_ms = self._counter.tally(), self._clock.now_ms()
        _, names = await asyncio.gather(self._counter.add(scope, tally), self._conversations.names(scope))
        counts = tally.counts()
        at = rfc3339(now_ms)
        return GetStatsResponse(
            user_id=scope.user,
            revision=at,
            computed_at=at,
            counting=False,
            memories=_memories(counts),
            by_day=_by_day(counts, day_of(now_ms, self._zone), days),
            conversations=len(names),
        )

    async def _of_tenant(self, tenant: str, latest: "_Latest", days: int) -> GetStatsResponse:
        counts, counting = latest
        now_ms = self._clock.now_ms()
        listed, counted, spent = await asyncio.gather(
            self._users.page(tenant, UsersWanted("name", limit=1)),
            asyncio.gather(*(self._memories.count_reviews(tenant, cause, now_ms) for cause in Cause)),
            self._spent(tenant),
        )
        now = GetStatsResponse(
            revision=_revision(counts, listed.total, counted),
            counting=counting,
            by_day=[],
            users=listed.total,
            reviews=dict(zip(Cause, counted, strict=True)),
            models=spent,
        )
        if counts is None:
            return now
        says = {
            "computed_at": rfc3339(counts.at_ms),
            "memories": _memories(counts.memories),
            "by_day": _by_day(counts.memories, day_of(counts.at_ms, self._zone), days),
            "sessions": SessionNumbers.model_validate(counts.sessions._asdict()),
        }
        return now.model_copy(update=says)

    async def _spent(self, tenant: str) -> SpentToday | None:
        if self._spending is None:
            return None
        tokens, tokens_max, money, money_max = await self._spending.spent(tenant)
        return SpentToday(tokens=tokens, tokens_max=tokens_max or None, money=money, money_max=money_max or None)


def _revision(counts: TenantCounts | None, users: int, questions: Sequence[int]) -> str:
    """What a watch tells of: another count, users, open questions. What models cost changes with each request."""
    at = _NOTHING_YET if counts is None else rfc3339(counts.at_ms)
    return f"{at}.{users}.{'-'.join(map(str, questions))}"


def _memories(counts: MemoryCounts) -> MemoryNumbers:
    return MemoryNumbers(
        total=counts.total,
        states=dict(counts.states),
        kinds=dict(counts.kinds),
        categories=dict(counts.categories),
        minds=dict(counts.minds),
        shown=counts.shown,
        used=counts.used,
        links=counts.links,
    )


def _by_day(counts: MemoryCounts, last: date, days: int) -> list[DayNumbers]:
    dates = (str(last - timedelta(days=before)) for before in reversed(range(days)))
    return [DayNumbers(date=each, recorded=counts.days.get(each, 0)) for each in dates]
