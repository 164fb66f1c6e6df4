"""What the request that is being worked on is called, by its caller or here: for answers and logs."""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Correlation:
    """The names of a request."""

    request_id: str
    """1 to 128 characters of [A-Za-z0-9_.:@-], as the caller sent it or as made here."""
    traceparent: str | None
    """The W3C trace context that came with it, when it was well-formed."""


_CURRENT: ContextVar[Correlation | None] = ContextVar("correlation", default=None)


def current() -> Correlation | None:
    """The names of the request that this task, or one that it came from, works on; None: of no request."""
    return _CURRENT.get()


def enter(correlation: Correlation) -> None:
    """Name the request of this task, until the task ends."""
    _CURRENT.set(correlation)
