"""The clocks that people read: time zones by their IANA names."""

from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_FIRST_MS: Final = -62_135_596_800_000 + 2 * 86_400_000
_LAST_MS: Final = 253_402_300_799_999 - 2 * 86_400_000
"""Two days within the years 1 to 9999: no clock of any zone is outside of them then."""


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo | None:
    """The time zone of a name, e.g. `Asia/Shanghai`; None for one that is not known, or the empty one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def ahead_minutes(at_ms: int, zone: tzinfo) -> int:
    """How far ahead of UTC the clocks of a zone stood at a moment, whichever."""
    return (clock_at(at_ms, zone).utcoffset() or timedelta()) // timedelta(minutes=1)


def day_of(at_ms: int, zone: tzinfo) -> date:
    """The day of a moment, whichever, by the clocks of a zone."""
    return clock_at(at_ms, zone).date()


def clock_at(at_ms: int, zone: tzinfo | None) -> datetime:
    """What the clocks of a zone (None: of this machine) show at a moment, or at the nearest that calendars have."""
    return datetime.fromtimestamp(min(max(at_ms, _FIRST_MS), _LAST_MS) / 1000, zone)
