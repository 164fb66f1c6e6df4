"""Word of ended sessions over publish and subscribe: who waits for a finalisation asks nothing meanwhile.

A message may be missed while the connection is broken. So every waiter looks again when it is back, and once a second
while it is not.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

from memory.errors import TemporaryError
from memory.scope import ConversationScope
from memory.stores.redis.address import Address
from memory.stores.redis.connection import Connection, ConnectionSettings, Subscription
from memory.stores.redis.keys import ENDED_CHANNEL
from memory.stores.redis.wire import Command

_PING_S: Final = 5.0
_UNHEARD_S: Final = 1.0


def announcement(scope: ConversationScope) -> Command:
    """The command that tells all gateways that an ended session of this conversation has another state."""
    return ("PUBLISH", ENDED_CHANNEL, str(scope))


class Waiters:
    """Who waits for which conversation, in this process."""

    def __init__(self) -> None:
        self._events: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    @contextmanager
    def about(self, scope: ConversationScope) -> Iterator[asyncio.Event]:
        """As the port says."""
        name, event = str(scope), asyncio.Event()
        self._events[name].add(event)
        try:
            yield event
        finally:
            self._events[name].discard(event)
            if not self._events[name]:
                del self._events[name]

    def heard(self, name: bytes) -> None:
        """Something became of this conversation."""
        for event in self._events.get(name.decode(), ()):
            event.set()

    def wake_all(self) -> None:
        """Something may have become of any."""
        for events in self._events.values():
            for event in events:
                event.set()


class RedisAnnouncements(Waiters):
    """The Announcements port: one subscribed connection for all who wait in this process.

    On a cluster it is to any node: they tell each other what is announced.
    """

    def __init__(self, settings: ConnectionSettings, address: Address | None = None) -> None:
        super().__init__()
        subscription = Subscription(ENDED_CHANNEL, self.heard, self.wake_all)
        self._connection = Connection(replace(settings, in_flight_max=1), address, subscription)
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Subscribe; when that does not work, go on trying until `close`."""
        await self._connection.start()
        self._keeping = asyncio.create_task(self._keep(), name="announcements")

    async def close(self) -> None:
        """Listen no longer."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        await self._connection.close()

    async def _keep(self) -> None:
        """A silent connection may be a dead one: a PING that is not answered ends it, and it comes back by itself."""
        while True:
            if self._connection.connected:
                with suppress(TemporaryError):
                    await self._connection.run(("PING",))
                await asyncio.sleep(_PING_S)
            else:
                self.wake_all()
                await asyncio.sleep(_UNHEARD_S)
