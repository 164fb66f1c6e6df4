"""How many users' tenants are open on the server: each costs open files, and at its limit of them it stops working.

Those used longest ago are closed. The server opens a closed one again with the next call, in some 20 ms.
"""

import asyncio
import contextlib
from collections import OrderedDict
from typing import Final

from memory.errors import MemoryGatewayError
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import WeaviateAsyncClient
from memory.stores.weaviate.faults import NoTenant
from memory.stores.weaviate.schema import Place

_TOGETHER: Final = 10
"""A tenth of them is closed at once: closing is a change of the schema, which the server writes to its log."""


class OpenTenants:
    """The tenants that this process has used, as far as it has not closed them."""

    def __init__(self, connection: WeaviateConnection, most: int) -> None:
        self._connection = connection
        self._most = most
        self._used: OrderedDict[Place, None] = OrderedDict()
        self._closing: asyncio.Task[None] | None = None

    def use(self, place: Place) -> None:
        """The tenant is asked for now. Closes others in the background when there are too many."""
        self._used[place] = None
        self._used.move_to_end(place)
        idle = self._closing is None or self._closing.done()
        if len(self._used) > self._most and idle:
            surplus = len(self._used) - self._most + self._most // _TOGETHER
            oldest = [each for each, _ in zip(self._used, range(min(surplus, len(self._used) - 1)), strict=False)]
            for each in oldest:
                del self._used[each]
            self._closing = asyncio.create_task(self._close(oldest))

    async def remove(self, place: Place) -> None:
        """Remove the tenant with all that is in it: its files are gone from the disk when this returns."""

        async def gone(client: WeaviateAsyncClient) -> None:
            await client.collections.use(place.collection).tenants.remove([place.tenant])

        await self._connection.write(gone)
        self._used.pop(place, None)

    async def settle(self) -> None:
        """Wait for what is being closed."""
        if self._closing is not None:
            await asyncio.wait([self._closing])

    async def _close(self, places: list[Place]) -> None:
        async def deactivate(client: WeaviateAsyncClient) -> None:
            for collection in {place.collection for place in places}:
                names = [place.tenant for place in places if place.collection == collection]
                await client.collections.use(collection).tenants.deactivate(names)

        # A server that does not answer has other cares; one that was removed meanwhile needs no closing.
        with contextlib.suppress(MemoryGatewayError, NoTenant):
            await self._connection.write(deactivate)
