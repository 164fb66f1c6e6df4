"""Which collections there are, which is ours, and where a user's records are in each of them."""

from collections.abc import Awaitable
from functools import partial
from typing import Final, NamedTuple, TypeVar

from memory.errors import StoreUnavailable
from memory.model.generation import Generation
from memory.model.memory import is_marked
from memory.scope import UserScope
from memory.stores.weaviate import listing, schema
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import WeaviateAsyncClient
from memory.stores.weaviate.faults import VANISHED
from memory.stores.weaviate.records import tenant_name
from memory.stores.weaviate.schema import Kept, Place
from memory.stores.weaviate.tenants import OpenTenants

T = TypeVar("T")

_READY_S: Final = 10.0


class OtherPlace(NamedTuple):
    """A user's tenant of a generation that is not ours."""

    place: Place
    generation: Generation


class Generations:
    """The index generations of a server, seen from a store that uses the one that is wanted."""

    def __init__(self, connection: WeaviateConnection, wanted: Generation, opened: OpenTenants) -> None:
        self.wanted = wanted
        self.collection = ""
        self._connection = connection
        self._open = opened
        self._building = False
        self._preparation = schema.Preparation(connection, self._find)

    async def prepare(self, *, build: bool) -> None:
        """Find our collection, or make it. Raises SetupError as `schema.prepare`."""
        self._building = build
        await self._preparation.now()

    async def prepare_once(self) -> None:
        """As `prepare`, once for each client. Raises StoreUnavailable instead of SetupError."""
        await self._preparation.once()

    async def kept(self) -> list[Kept]:
        """All generations, ours first. Asked of the server anew: another process may just have made one."""
        await self.prepare_once()
        there = sorted(await self._connection.read(schema.kept), key=lambda each: each.collection != self.collection)
        if not there:
            raise StoreUnavailable(VANISHED)
        if there[0].collection != self.collection:
            raise StoreUnavailable("the index of this gateway's settings was dropped: start it with the new settings")
        return there

    async def explained(self, reading: Awaitable[T]) -> T:
        """What a read gives. Where our collection is gone, StoreUnavailable says whether it was dropped."""
        try:
            return await reading
        except StoreUnavailable:
            await self.kept()
            raise

    async def own(self, scope: UserScope) -> Place:
        """The user's tenant of our generation."""
        await self.prepare_once()
        place = Place(self.collection, tenant_name(scope))
        self._open.use(place)
        return place

    async def others(self, scope: UserScope) -> list[OtherPlace]:
        """The user's tenants of the other generations. Whoever then writes holds the user's lock all the time."""
        found = [OtherPlace(Place(name, tenant_name(scope)), each) for name, each in (await self.kept())[1:]]
        for each in found:
            self._open.use(each.place)
        return found

    async def tenants(self) -> dict[str, list[Place]]:
        """Where each tenant is, by its name."""
        return await listing.tenants(self._connection, [each.collection for each in await self.kept()])

    async def marked(self, memory_id: str) -> list[Place]:
        """The tenants that may have a record with this id, in the generation that each has."""
        found = [places[0] for name, places in (await self.tenants()).items() if is_marked(memory_id, name)]
        for place in found:
            self._open.use(place)
        return found

    async def make_ready(self) -> None:
        """Note that ours has had every record."""
        await self.prepare_once()
        ready = partial(schema.note_down, name=self.collection, generation=self.wanted)
        await self._connection.run(ready, _READY_S)

    async def drop_others(self) -> list[Generation]:
        """Remove the collections of the others."""
        gone = (await self.kept())[1:]
        for each in gone:
            await self._connection.run(partial(_remove, name=each.collection), _READY_S)
        return [each.generation for each in gone]

    async def _find(self, client: WeaviateAsyncClient) -> None:
        self.collection = await schema.prepare(client, self.wanted, build=self._building)


async def _remove(client: WeaviateAsyncClient, name: str) -> None:
    await client.collections.delete(name)
