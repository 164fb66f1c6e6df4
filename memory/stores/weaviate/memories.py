"""Memories on Weaviate: a tenant for each user, BM25 and exact cosines by the server, what is due from outside it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from memory.errors import MemoryGatewayError, SetupError
from memory.model.memory import Memory
from memory.model.search import DueMemory, Filter, IndexEntry, MemoryPage, Pool, Probe
from memory.ports import Fades
from memory.scope import UserScope
from memory.stores.weaviate import objects, pooling, proof, records
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import CollectionAsync, GroupByAggregate, Sort, WeaviateAsyncClient
from memory.stores.weaviate.driver import Filter as Where
from memory.stores.weaviate.due import DueIndex
from memory.stores.weaviate.faults import NoTenant, Refused
from memory.stores.weaviate.locks import UserLock, UserLocks
from memory.stores.weaviate.schema import COLLECTION, DOCUMENT, SCORED, Preparation, prepare, users_part
from memory.stores.weaviate.tenants import OpenTenants

T = TypeVar("T")

_VERIFY_S: Final = 10.0
_BY_ID: Final = 500
_SPEAKERS_MAX: Final = 200
_FACTS_MAX: Final = 1_000
_DUE_ROUNDS_MAX: Final = 100
"""So often `due` asks again after entries that were all too early; they are mended on the way, so this is enough."""
_HEAL_WITHIN_S: Final = 900.0
"""Records written so long before an outage are proven after it. The server writes its indexes out every minute."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found: records looked at, those that an index did not know, those of them written anew."""

    records: int
    unfound: int
    mended: int


class WeaviateMemoryStore:
    """The MemoryStore port over a Weaviate server.

    `put` is not one transaction: after an error some of its records may be stored, and repeating it stores the rest.
    `due` holds the times of all users; `lock` must hold between processes when several write.
    """

    kind = "weaviate"
    erasure = (
        "Forgetting a user removes the user's tenant with its files. What is forgotten singly can't be found any more, "
        "but its bytes stay in the server's files until it compacts them."
    )

    def __init__(
        self,
        connection: WeaviateConnection,
        space: str,
        dimension: int,
        fades: Fades,
        due: DueIndex,
        lock: UserLock | None = None,
    ) -> None:
        self._connection = connection
        self._dimension = dimension
        self._fades = fades
        self._due = due
        self._locks = UserLocks(lock)
        self._believed = proof.Believed(connection)
        self._open = OpenTenants(connection, COLLECTION, connection.settings.open_users_max)
        self._preparation = Preparation(connection, lambda client: prepare(client, space))
        self._healed_epoch = connection.epoch
        self._healing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the collection or check it.

        Raises SetupError when it is of another schema or vector space, or when the API key is not accepted;
        StoreUnavailable when the server does not answer (then the first call that it does answer checks).
        """
        try:
            await self._preparation.now()
        except Refused as error:
            raise SetupError(f"{error.detail}: check weaviate.api_key") from error

    async def close(self) -> None:
        """Close the connection."""
        if self._healing is not None:
            self._healing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._healing
        await self._open.settle()
        await self._connection.close()

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """Store memories under their ids. What is there stays as it is, once it is proven that it is found."""
        unique = {entry.memory.memory_id: entry for entry in reversed(entries)}
        for entry in unique.values():
            records.require_storable(entry, self._dimension)
        tenant = records.tenant_name(scope)
        async with self._locks.hold(tenant):
            await self._ready(tenant)
            there = await objects.stored(self._connection, tenant, list(unique))
            new = [entry for memory_id, entry in unique.items() if memory_id not in there]
            doubted = [there[memory_id] for memory_id in self._believed.doubted(tenant, list(there))]
            memories = [entry.memory for entry in new] + [records.to_memory(each.properties) for each in doubted]
            for memory in memories:
                await self._due.put(scope, memory.memory_id, self._fades(memory))
            await objects.insert(self._connection, tenant, [records.to_object(entry) for entry in new])
            await proof.mend(self._connection, tenant, doubted)
            self._believed.stored(tenant, [memory.memory_id for memory in memories])

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for."""
        wanted = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        found: dict[str, Memory] = {}
        for ids in objects.cut(wanted, _BY_ID):
            for memory in await self._documents(scope, Where.by_id().contains_any(list(ids)), len(ids)):
                found[memory.memory_id] = memory
        return [found[memory_id] for memory_id in memory_ids if memory_id in found]

    async def page(self, scope: UserScope, wanted: Filter, cursor: str, limit: int) -> MemoryPage:
        """Memories in the order of their ids, after `cursor`. Raises InvalidInput for a cursor that is no id."""
        # One more than asked for says whether there are more; another one for the record at the cursor itself.
        listed = await self._documents(scope, records.after(wanted, cursor), limit + 2, by="id_order")
        found = sorted((each for each in listed if each.memory_id > cursor), key=lambda each: each.memory_id)
        more = len(found) > limit
        return MemoryPage(found[:limit], found[limit - 1].memory_id if more else "")

    async def pool(self, scope: UserScope, probe: Probe) -> Pool:
        """The user's records in order, with BM25 and cosines; of more than `pooling.POOL_MAX`, the first by rank."""
        return await self._read(scope, lambda part: pooling.pool(part, probe), pooling.EMPTY)

    async def facts(self, scope: UserScope, subject: str, predicate: str) -> list[Memory]:
        """The facts with this subject and predicate that nothing supersedes, as they were recorded."""
        found = await self._documents(scope, records.of_fact(subject, predicate), _FACTS_MAX)
        return sorted(found, key=lambda each: (each.recorded_ms, each.occurred_ms, each.position, each.memory_id))

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory]
    ) -> list[Memory]:
        """Change records under the user's lock. After an error some of them may be changed."""
        tenant = records.tenant_name(scope)
        ids = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        async with self._locks.hold(tenant):
            await self._ready(tenant)
            there = await objects.stored(self._connection, tenant, ids)
            found = [there[memory_id].properties for memory_id in ids if memory_id in there]
            before = [records.to_memory(properties) for properties in found]
            changed = [change(memory) for memory in before]
            for memory in changed:
                records.require_storable(IndexEntry(memory, (), None), self._dimension)
            updates = [
                (memory.memory_id, records.changed_columns(memory, properties[SCORED]))
                for memory, properties in zip(changed, found, strict=True)
            ]
            await self._tell_due(scope, before, changed, earlier=True)
            self._believed.changed(tenant, list(there))
            await objects.update(self._connection, tenant, updates)
            await self._tell_due(scope, before, changed, earlier=False)
            return changed

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come. Each is looked at: the index outside may be too early."""
        for _ in range(_DUE_ROUNDS_MAX):
            listed = await self._due.due(now_ms, limit)
            found = [each for each in listed if await self._is_due(each, now_ms)]
            if found or not listed:
                return found
        return []

    async def erase(self, scope: UserScope, memory_ids: Sequence[str], *, at_once: bool = True) -> int:  # noqa: ARG002 - the server cleans when it will
        """Remove records. Their bytes leave the disk when the server compacts, or with the user (docs/weaviate.md)."""
        ids = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        tenant = records.tenant_name(scope)
        async with self._locks.hold(tenant):
            await self._ready(tenant)
            return await self._erase(scope, ids)

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation, as `erase`. Looks at each of the user's records."""
        tenant = records.tenant_name(scope)
        async with self._locks.hold(tenant):
            await self._ready(tenant)
            pages = objects.walk(self._connection, tenant, ["conversation"])
            ids = [
                each.memory_id
                async for page in pages
                for each in page
                if each.properties["conversation"] == conversation
            ]
            return await self._erase(scope, ids)

    async def erase_user(self, scope: UserScope) -> int:
        """Remove the user's tenant with all that is in it; its files are gone from the disk when this returns."""
        tenant = records.tenant_name(scope)
        async with self._locks.hold(tenant):
            await self._ready(tenant)
            pages = objects.walk(self._connection, tenant, ["kind"])
            ids = [each.memory_id async for page in pages for each in page]
            await self._open.remove(tenant)
            await self._due.drop(scope, ids)
            return len(ids)

    async def count(self, scope: UserScope) -> int:
        """How many memories a user has."""

        async def total(part: CollectionAsync) -> int:
            return (await part.aggregate.over_all(total_count=True)).total_count or 0

        return await self._read(scope, total, 0)

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered."""

        async def grouped(part: CollectionAsync) -> list[str]:
            by = GroupByAggregate(prop="speaker", limit=_SPEAKERS_MAX)
            groups = (await part.aggregate.over_all(group_by=by, total_count=True)).groups
            return [str(group.grouped_by.value) for group in groups if group.grouped_by.value]

        return await self._read(scope, grouped, [])

    async def verify(self, *, repair: bool) -> Verdict:
        """Prove of every record of every user that it is found by its own vector, words and columns.

        With `repair` those that are not are written anew. To be run after the server died with records unwritten.
        """
        await self._preparation.once()
        tenants = await self._connection.run(_tenants, _VERIFY_S)
        looked = unfound = mended = 0
        for tenant in tenants:
            async with self._locks.hold(tenant):
                await self._ready(tenant)
                async for page in objects.walk(self._connection, tenant, None, vectors=True):
                    missing = await proof.unfound(self._connection, tenant, page)
                    looked += len(page)
                    unfound += len(missing)
                    mended += await proof.mend(self._connection, tenant, missing) if repair else 0
        return Verdict(looked, unfound, mended)

    @property
    def outages(self) -> int:
        """How often the server did not answer, or its connection was lost, since this store was made."""
        return self._connection.epoch

    async def healed(self) -> bool:
        """Wait for what is proven after an outage; True when nothing remains to be proven."""
        if self._healing is not None:
            await asyncio.wait([self._healing])
        return self._healed_epoch == self._connection.epoch

    async def _ready(self, tenant: str) -> None:
        """Before each call: the collection is checked once for each connection, and outages have their after-care."""
        await self._preparation.once()
        idle = self._healing is None or self._healing.done()
        if idle and self._healed_epoch != self._connection.epoch and not self._connection.is_open:
            self._healing = asyncio.create_task(self._heal())
        self._open.use(tenant)

    async def _heal(self) -> None:
        """Prove what was written shortly before the server did not answer: it may have died."""
        epoch = self._connection.epoch
        with contextlib.suppress(MemoryGatewayError, NoTenant):  # not yet: the next call starts it again
            for tenant, ids in self._believed.recent(_HEAL_WITHIN_S).items():
                async with self._locks.hold(tenant):
                    there = await objects.stored(self._connection, tenant, ids)
                    await proof.mend(self._connection, tenant, list(there.values()))
            self._healed_epoch = epoch

    async def _read(self, scope: UserScope, work: Callable[[CollectionAsync], Awaitable[T]], empty: T) -> T:
        tenant = records.tenant_name(scope)
        await self._ready(tenant)
        try:
            return await self._connection.read(lambda client: work(users_part(client, tenant)))
        except NoTenant:
            return empty

    async def _documents(self, scope: UserScope, where: Any, limit: int, by: str = "") -> list[Memory]:
        async def fetch(part: CollectionAsync) -> list[Memory]:
            sort = Sort.by_property(by) if by else None
            found = await part.query.fetch_objects(filters=where, sort=sort, limit=limit, return_properties=[DOCUMENT])
            return [records.to_memory(each.properties) for each in found.objects]

        return await self._read(scope, fetch, [])

    async def _is_due(self, listed: DueMemory, now_ms: int) -> bool:
        scope = UserScope(listed.tenant, listed.user)
        tenant = records.tenant_name(scope)
        await self._ready(tenant)
        found = (await objects.stored(self._connection, tenant, [listed.memory_id])).get(listed.memory_id)
        if found is None:
            await self._due.drop(scope, [listed.memory_id])
            return False
        forget_ms = self._fades(records.to_memory(found.properties))
        if forget_ms is None or forget_ms > now_ms:
            await self._due.put(scope, listed.memory_id, forget_ms)
            return False
        return True

    async def _tell_due(
        self, scope: UserScope, before: Sequence[Memory], changed: Sequence[Memory], *, earlier: bool
    ) -> None:
        """Earlier times go to the index before a change, later ones after it: it may be too early, never too late."""
        for old, new in zip(map(self._fades, before), changed, strict=True):
            forget_ms = self._fades(new)
            sooner = forget_ms is not None and (old is None or forget_ms < old)
            if forget_ms != old and sooner is earlier:
                await self._due.put(scope, new.memory_id, forget_ms)

    async def _erase(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        tenant = records.tenant_name(scope)
        there = await objects.stored(self._connection, tenant, memory_ids)
        await objects.delete(self._connection, tenant, list(there))
        await self._due.drop(scope, memory_ids)
        return len(there)


async def _tenants(client: WeaviateAsyncClient) -> list[str]:
    return sorted(await client.collections.use(COLLECTION).tenants.get())
