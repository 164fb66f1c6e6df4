"""Times as the wire shows them."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache


def rfc3339(at_ms: int) -> str:
    """Milliseconds since the epoch as RFC 3339 UTC, e.g. `2026-01-31T08:30:00.123Z`."""
    seconds, millis = divmod(at_ms, 1000)
    return f"{_second(seconds)}.{millis:03d}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]


def moment_ms(text: str) -> int:
    """Inverse of `rfc3339`, for any offset. Raises ValueError on what is no such time."""
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def offset_minutes(text: str) -> int:
    """How far ahead of UTC the clock stood that wrote a time: 480 for +08:00, 0 for Z. Raises as `moment_ms`."""
    return (datetime.fromisoformat(text).utcoffset() or timedelta()) // timedelta(minutes=1)
