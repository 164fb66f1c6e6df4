"""What the connections of a listener share."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from gateway.http.bounds import ConnectionLimit, HeldBytes, Timeouts
from gateway.http.request import Application


class Connection(Protocol):
    """A connection, as its listener sees it."""

    def end(self) -> None:
        """The gateway stops: no request after those that are here."""
        ...

    def abort(self) -> None:
        """Drop the connection, with what is on its way."""
        ...

    def expire(self, now: float) -> None:
        """Close the connection when its peer has had its time."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """Whom they ask, what they may take, and which there are."""

    application: Application
    timeouts: Timeouts
    limit: ConnectionLimit
    held: HeldBytes
    open: set[Connection] = field(default_factory=set)
    """Those that are open."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the listener stops: a connection that was accepted just before is made after it."""
