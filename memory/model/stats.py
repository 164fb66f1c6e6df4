"""How much there is: what is counted of memories and of sessions."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple

from memory.limits import STATS_DAYS_MAX
from memory.model.memory import TOLD_KINDS, Memory
from memory.zones import day_of

_FORM: Final = 1
"""Of what `count_fields` gives: what another program has counted otherwise is counted anew."""

OTHER_MIND: Final = "other"
_MIND: Final = re.compile(r"rules|caller|tool|openai/[\w.:@/-]{1,100}(?: \([\w ]{1,60}\))?")
"""Names that this program gives; what came in by an import may name anything."""
_MINDS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Numbers of memories; links, which join two of them, are counted apart.

    `states`: of all by how they stand; `kinds`, `categories`, `minds`, `shown`, `used`: of those held. `shown`: stood
    in a context; `used`: an answer rested on it. `days`: how many were recorded on a day, YYYY-MM-DD, of the last ones.
    """

    total: int = 0
    links: int = 0
    shown: int = 0
    used: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)
    minds: Mapping[str, int] = field(default_factory=dict)
    days: Mapping[str, int] = field(default_factory=dict)


class SessionCounts(NamedTuple):
    """Numbers of sessions: alive, on their way into memory, failed on it."""

    alive: int = 0
    ending: int = 0
    failed: int = 0


class Spent(NamedTuple):
    """What models have cost a tenant in a day (UTC). 0 of `tokens_max`, `money_max`: there is no limit."""

    tokens: int
    tokens_max: int
    money: float
    money_max: float


@dataclass(frozen=True, slots=True)
class TenantCounts:
    """What there was of a tenant when it was counted, and how long that took."""

    at_ms: int
    took_ms: int
    memories: MemoryCounts
    sessions: SessionCounts


class Tally:
    """Counts memories, one after the other."""

    def __init__(self, now_ms: int, zone: tzinfo) -> None:
        """`zone`: of the clock that says on which day something was recorded."""
        self._zone = zone
        first = day_of(now_ms, zone) - timedelta(days=STATS_DAYS_MAX - 1)
        self._first_ms = datetime.combine(first, time.min, zone).timestamp() * 1000
        self._numbers: Counter[str] = Counter()
        self._states: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._categories: Counter[str] = Counter()
        self._minds: Counter[str] = Counter()
        self._days: Counter[str] = Counter()

    def add(self, memory: Memory) -> None:
        """Count one more."""
        if memory.kind not in TOLD_KINDS:
            self._numbers["links"] += 1
            return
        state = memory.state
        self._states[state] += 1
        if memory.recorded_ms >= self._first_ms:
            self._days[day_of(memory.recorded_ms, self._zone).isoformat()] += 1
        if state == "held":
            self._kinds[memory.kind] += 1
            self._categories[memory.category] += 1
            self._minds[memory.mind if _MIND.fullmatch(memory.mind) else OTHER_MIND] += 1
            self._numbers["shown"] += memory.shown > 0
            self._numbers["used"] += memory.accesses > 0

    def counts(self) -> MemoryCounts:
        """What has been counted so far."""
        return MemoryCounts(
            total=self._states.total(),
            links=self._numbers["links"],
            shown=self._numbers["shown"],
            used=self._numbers["used"],
            states=dict(self._states),
            kinds=dict(self._kinds),
            categories=dict(self._categories),
            minds=dict(self._minds.most_common(_MINDS_MAX)),
            days=dict(self._days),
        )


def count_fields(counts: TenantCounts) -> dict[str, Any]:
    """Plain JSON values; the inverse of `counts_of`."""
    return {"form": _FORM, **asdict(counts), "sessions": counts.sessions._asdict()}


def counts_of(fields: Mapping[str, Any]) -> TenantCounts | None:
    """What `count_fields` took apart; None where another program has counted other things."""
    if fields.get("form") != _FORM:
        return None
    memories, sessions = MemoryCounts(**fields["memories"]), SessionCounts(**fields["sessions"])
    return TenantCounts(fields["at_ms"], fields["took_ms"], memories, sessions)
