"""What the request that is being worked on is called, by its caller or here: for answers and logs."""

import random
import re
from contextvars import ContextVar
from typing import Final, NamedTuple

_ID: Final = re.compile(r"[A-Za-z0-9_.:@-]{1,128}")
_TRACE: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_MADE_BITS: Final = 96


class Correlation(NamedTuple):
    """The names of a request."""

    request_id: str
    """1 to 128 characters of [A-Za-z0-9_.:@-], as the caller sent it or as made here."""
    traceparent: str | None
    """The W3C trace context that came with it, when it was well-formed."""


_CURRENT: ContextVar[Correlation | None] = ContextVar("correlation", default=None)


def correlation_of(request_id: str | None, traceparent: str | None) -> Correlation:
    """The names that came with a request, as far as they are well-formed. An id that did not come so is made."""
    if request_id is None or not _ID.fullmatch(request_id):
        request_id = f"{random.getrandbits(_MADE_BITS):024x}"
    if traceparent is not None and not _TRACE.fullmatch(traceparent):
        traceparent = None
    return Correlation(request_id, traceparent)


def current() -> Correlation | None:
    """The names of the request that this task, or one that it came from, works on; None: of no request."""
    return _CURRENT.get()


def enter(correlation: Correlation) -> None:
    """Name the request of this task, until the task ends."""
    _CURRENT.set(correlation)
