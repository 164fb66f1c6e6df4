"""The life of a session. This file holds everything there is to know about its states.

A session that expired by its TTL is ENDING as well, from that moment on: the sweeper only finds out later.
"""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from memory.errors import InvariantBroken


class SessionState(StrEnum):
    """NONE: nobody has written. ENDING: sealed, on its way into memory. FAILED: kept, may be replayed."""

    NONE = "NONE"
    ACTIVE = "ACTIVE"
    ENDING = "ENDING"
    ENDED = "ENDED"
    FAILED = "FAILED"


class Event(StrEnum):
    """What can happen to a session."""

    OPENED = "opened"
    WRITTEN = "written"
    SEALED = "sealed"
    EMPTY = "empty"
    CLOSED = "closed"
    GAVE_UP = "gave_up"
    REPLAYED = "replayed"


TRANSITIONS: Final = MappingProxyType(
    {
        (SessionState.NONE, Event.OPENED): SessionState.ACTIVE,
        (SessionState.ACTIVE, Event.WRITTEN): SessionState.ACTIVE,
        (SessionState.ACTIVE, Event.SEALED): SessionState.ENDING,
        (SessionState.ACTIVE, Event.EMPTY): SessionState.ENDED,
        (SessionState.ENDING, Event.CLOSED): SessionState.ENDED,
        (SessionState.ENDING, Event.GAVE_UP): SessionState.FAILED,
        (SessionState.FAILED, Event.REPLAYED): SessionState.ENDING,
    }
)
"""Everything not in this table cannot happen. A write to an ENDING, ENDED or FAILED conversation opens the
next session (NONE, opened): it never touches the one before."""


def after(state: SessionState, event: Event) -> SessionState:
    """Return the state that follows; raise InvariantBroken when the table has no such line."""
    try:
        return TRANSITIONS[(state, event)]
    except KeyError:
        raise InvariantBroken(f"a session in state {state} cannot be {event}") from None
