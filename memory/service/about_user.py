"""What a context says of its user: safety, what stands there whatever is asked, and what fits the question."""

from datetime import datetime, tzinfo
from typing import Final, NamedTuple

from memory.model.requests import QueryMemoryContextRequest
from memory.model.session import ProfileCopy
from memory.ports import Clock, TokenCounter
from memory.service.core import NO_CORE, NO_STANDING, Standing
from memory.service.given import GivenNotes
from memory.service.profiles import ProfileKeeper
from memory.service.recall import Recaller
from memory.service.safety import SafetyReader
from memory.service.settings import Ports
from memory.session.context import text_json
from memory.zones import clock_at

_DAYS: Final = {
    "zh": ("一", "二", "三", "四", "五", "六", "日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


class AboutUser(NamedTuple):
    """Who knows of a user the profile, the memories that fit a query, what was just said; and notes what is given."""

    keeper: ProfileKeeper
    recaller: Recaller
    safety: SafetyReader
    given: GivenNotes
    clock: Clock
    tokens: TokenCounter
    zone: tzinfo

    @classmethod
    def of(cls, ports: Ports, keeper: ProfileKeeper, recaller: Recaller, safety: SafetyReader) -> "AboutUser":
        """With notes and a clock on these ports."""
        notes = GivenNotes(ports.sessions, ports.background, ports.clock)
        return cls(keeper, recaller, safety, notes, ports.clock, ports.tokens, ports.minds.zone)

    async def standing(
        self, request: QueryMemoryContextRequest, profile: ProfileCopy, locale: str, zone: tzinfo | None
    ) -> Standing:
        """What stands in a context before anything is recalled. `zone`: of the user's clock, where it is known."""
        core = NO_CORE if "no_memories" in request.include else await self.keeper.core(profile, locale)
        if "time" not in request.include:
            return Standing(core) if core.tokens else NO_STANDING
        now = clock_at(self.clock.now_ms(), zone or self.zone)
        line = now_line(now, locale)
        tokens = await self.tokens.count(line + "\n")
        return Standing(core, text_json(line), tokens)


def now_line(now: datetime, locale: str) -> str:
    """A moment as its clock shows it, to a minute, with the name of its zone."""
    day, clock = _DAYS[locale][now.weekday()], f"{now:%H:%M} ({now.tzinfo})"
    if locale == "zh":
        return f"现在是{now.year}年{now.month}月{now.day}日 星期{day} {clock}。"
    return f"It is {day}, {now.day} {_MONTHS[now.month - 1]} {now.year}, {clock}."
