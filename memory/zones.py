"""The clocks that people read: time zones by their IANA names."""

from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo | None:
    """The time zone of a name, e.g. `Asia/Shanghai`; None for one that is not known, or the empty one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def ahead_minutes(at_ms: int, zone: tzinfo) -> int:
    """How far ahead of UTC the clocks of a zone stood at a moment."""
    return (datetime.fromtimestamp(at_ms / 1000, zone).utcoffset() or timedelta()) // timedelta(minutes=1)


def day_of(at_ms: int, zone: tzinfo) -> date:
    """The day of a moment by the clocks of a zone."""
    return datetime.fromtimestamp(at_ms / 1000, zone).date()
