"""Memories on Weaviate: a tenant for each user, BM25 and exact cosines by the server, what is due from outside it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from memory import fences as fence_names
from memory.errors import MemoryGatewayError, SetupError
from memory.language.terms import TERMS_VERSION
from memory.model.generation import Generation
from memory.model.memory import Kind, Memory
from memory.model.review import Cause, OpenReview, ReviewPlace
from memory.model.search import DueMemory, Filter, IndexEntry, MemoryPage, Pool, Probe, Unindexed
from memory.ports import Counted, ErasedFiles
from memory.scope import Fence, UserScope
from memory.stores.weaviate import listing, mending, objects, pooling, raw_search, records
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import CollectionAsync
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.faults import NoTenant, Refused
from memory.stores.weaviate.generations import Generations
from memory.stores.weaviate.locks import UserLock, UserLocks
from memory.stores.weaviate.schema import SCORED, Place, users_part
from memory.stores.weaviate.tenants import OpenTenants

T = TypeVar("T")

_IN_ANY_STATE: Final = Filter(with_past=True, with_archived=True)
_FACTS_MAX: Final = 1_000
_NO_HITS: Final[list[raw_search.Hit]] = []
_DUE_ROUNDS_MAX: Final = 100
"""So often `due` asks again after entries that were all too early; they are mended on the way, so this is enough."""
_HEAL_WITHIN_S: Final = 900.0
"""Records written so long before an outage are proven after it. The server writes its indexes out every minute."""


class WeaviateMemoryStore:
    """The MemoryStore port over a Weaviate server.

    `put` is not one transaction: after an error some of its records may be stored, and repeating it stores the rest.
    `outside` holds the times of all users; `lock` must hold between processes when several write.
    """

    kind = "weaviate"
    erasure = (
        "Forgetting a user removes the user's tenant with its files. What is forgotten singly can't be found any more, "
        "but its bytes stay in the server's files until it compacts them."
    )
    files: ErasedFiles | None = None

    def __init__(
        self,
        connection: WeaviateConnection,
        space: str,
        dimension: int,
        outside: Outside,
        lock: UserLock | None = None,
        *,
        terms_version: int = TERMS_VERSION,
    ) -> None:
        self._connection = connection
        self._dimension = dimension
        self._outside = outside
        self._locks = UserLocks(lock)
        self._believed = mending.Believed(connection)
        self._open = OpenTenants(connection, connection.settings.open_users_max)
        self._generations = Generations(connection, Generation(space, terms_version), self._open)
        self._pools = pooling.Pools()
        self._healed_epoch = connection.epoch
        self._healing: asyncio.Task[None] | None = None

    async def start(self, *, build: bool = False) -> None:
        """Find the collection of the settings' index generation; make it when there are no memories, or with `build`.

        Raises SetupError when it is not there or not complete, or when the API key is not accepted;
        StoreUnavailable when the server does not answer (then the first call that it does answer checks).
        """
        try:
            await self._generations.prepare(build=build)
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

    async def fences(self, names: Sequence[str]) -> tuple[Fence, ...]:
        """As they stand in the session store."""
        return await self._locks.standing(names)

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        """Store memories under their ids. What is there stays as it is, once it is proven that it is found.

        Fences are looked at before and after the write: when one was raised meanwhile, what is new is removed again.
        """
        unique = {entry.memory.memory_id: entry for entry in reversed(entries)}
        for entry in unique.values():
            records.require_storable(entry, self._dimension)
        async with self._locks.hold(records.tenant_name(scope), scope.fences):
            own, others = await self._ready(scope), await self._generations.others(scope)
            there = await objects.stored(self._connection, own, list(unique))
            elsewhere = {each.place: await self._stored(each.place, list(unique)) for each in others}
            known = {key: each for found in (*elsewhere.values(), there) for key, each in found.items()}
            wanted = [
                entry._replace(memory=records.to_memory(known[key].properties)) if key in known else entry
                for key, entry in unique.items()
            ]
            new = [entry for entry in wanted if entry.memory.memory_id not in there]
            doubted = [there[memory_id] for memory_id in self._believed.doubted(own, list(there))]
            memories = [entry.memory for entry in new] + [records.to_memory(each.properties) for each in doubted]
            await self._outside.put(scope, memories)
            for each in others:
                lacking = [entry for entry in wanted if entry.memory.memory_id not in elsewhere[each.place]]
                alike = each.generation.terms == self._generations.wanted.terms
                await objects.insert(self._connection, each.place, records.open_objects(scope, lacking, words=alike))
            made = [entry.memory.memory_id for entry in new]
            undo = partial(self._erase, scope, made, [own, *(each.place for each in others)])
            async with self._locks.undone_by(undo, scope.fences):
                await objects.insert(self._connection, own, [records.to_object(scope, entry) for entry in new])
            await mending.mend(self._connection, own, doubted, self._dimension)
            self._believed.stored(own, [memory.memory_id for memory in memories])
            self._pools.written(own.tenant)

    async def get(self, scope: UserScope, memory_ids: Sequence[str]) -> list[Memory]:
        """Read memories, in the order asked for: also while one of them is written anew."""
        wanted = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        found = await listing.named(self._connection, await self._ready(scope), wanted)
        return [found[memory_id] for memory_id in memory_ids if memory_id in found]

    async def owner(self, tenant: str, memory_id: str) -> UserScope | None:
        """Nothing spans Weaviate's tenants: of the names of all that is asked which the id's mark fits."""
        places = await self._generations.marked(memory_id) if records.is_id(memory_id) else []
        return await listing.owner_of(self._connection, places, tenant, memory_id)

    async def page(self, scope: UserScope, wanted: Filter, cursor: str, limit: int) -> MemoryPage:
        """Memories in the order of their ids, after `cursor`. Raises InvalidInput for a cursor that is no id.

        What is wanted of most kinds in any state is read past the indexes: an export leaves nothing out.
        """
        if replace(wanted, kinds=()) == _IN_ANY_STATE and len(wanted.kinds or Kind) >= len(Kind) - 1:
            return await listing.everything(self._connection, await self._ready(scope), wanted, cursor, limit)
        # One more says whether there are more; another is for the record at the cursor itself.
        listed = await self._documents(scope, records.after(wanted, cursor), limit + 2, by="id_order")
        found = sorted((each for each in listed if each.memory_id > cursor), key=lambda each: each.memory_id)
        more = len(found) > limit
        return MemoryPage(found[:limit], found[limit - 1].memory_id if more else "")

    async def pool(self, scope: UserScope, probe: Probe) -> Pool:
        """The user's records in order, with BM25 and cosines; of more than `pooling.POOL_MAX`, the first by rank."""
        tenant = records.tenant_name(scope)
        return await self._read(scope, lambda part: self._pools.pool(tenant, part, probe), pooling.EMPTY)

    async def facts(self, scope: UserScope, subject: str, predicate: str) -> list[Memory]:
        """The facts with this subject and predicate that nothing supersedes, as they were recorded."""
        read = self._documents(scope, records.of_fact(subject, predicate), _FACTS_MAX)
        found = await self._generations.explained(read)
        return sorted(found, key=lambda each: (each.recorded_ms, each.occurred_ms, each.position, each.memory_id))

    async def saying(self, scope: UserScope, text: str) -> list[Memory]:
        """By its index words: those that have all of them come first."""
        found = await self._read(scope, partial(raw_search.saying, text=text), _NO_HITS)
        return [each for each in (records.of_document(hit.text) for hit in found) if each.text == text]

    async def links(self, scope: UserScope, memory_ids: Sequence[str], most: int | None = None) -> list[Memory]:
        """By the words of links: the ids of their ends (index_texts.py). Of too many, first those of ends with few."""
        linking = partial(raw_search.linking, words=" ".join(memory_ids), most=most or raw_search.LINKS_MAX)
        found = sorted(await self._read(scope, linking, _NO_HITS)) if memory_ids else ()
        links = [records.of_document(each.text) for each in found]
        return [each for each in links if {each.subject, each.object} & set(memory_ids)]

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: Callable[[Memory], Memory], *, reopen: bool = False
    ) -> list[Memory]:
        """Change records under the user's lock; none that was removed comes back. An error may leave some changed."""
        ids = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        async with self._locks.hold(records.tenant_name(scope), scope.fences):
            own, others = await self._ready(scope), await self._generations.others(scope)
            there = await objects.stored(self._connection, own, ids)
            found = [there[memory_id].properties for memory_id in ids if memory_id in there]
            before = [records.to_memory(properties) for properties in found]
            changed = [change(memory) for memory in before]
            for memory in changed:
                records.require_storable(IndexEntry(memory, (), None), self._dimension)
            moved = self._outside.moved(before, changed)
            await self._outside.note(scope, moved.sooner)  # before the change: it may be too early, never too late
            await self._change(own, there, changed, reopen=reopen)
            for each in others:
                await self._change(each.place, await self._stored(each.place, ids), changed)
            await self._outside.note(scope, moved.later)
            return changed

    async def retime(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Of the index outside alone: who reads beside an update may miss a record."""
        async with self._locks.hold(records.tenant_name(scope), scope.fences):
            await self._outside.anew(scope, await self.get(scope, memory_ids))

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Memories whose time to be forgotten has come. Each is looked at: the index outside may be too early."""
        for _ in range(_DUE_ROUNDS_MAX):
            listed = await self._outside.index.due(now_ms, limit)
            found = [each for each in listed if await self._is_due(each, now_ms)]
            if found or not listed:
                return found
        return []

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """As the index outside says."""
        return await self._outside.index.reviews(tenant, cause, now_ms, after, limit)

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """As the index outside says."""
        return await self._outside.index.count_reviews(tenant, cause, now_ms)

    async def erase(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """Remove records of every generation. Their bytes leave the disk as docs/weaviate.md says."""
        ids = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        async with self._locks.hold(records.tenant_name(scope), scope.fences):
            return await self._erase(scope, ids, await self._all_places(scope))

    async def forget(self, scope: UserScope, memory_ids: Sequence[str]) -> int:
        """As `erase`; the user's fence rises under the same lock."""
        ids = list({memory_id: None for memory_id in memory_ids if records.is_id(memory_id)})
        async with self._forgetting(scope):
            return await self._erase(scope, ids, await self._all_places(scope))

    async def erase_conversation(self, scope: UserScope, conversation: str) -> int:
        """Remove what came from a conversation, as `forget`. Looks at each of the user's records."""
        async with self._forgetting(scope):
            places = await self._all_places(scope)
            ids = {
                each.memory_id
                for place in places
                async for page in objects.walk(self._connection, place, ["conversation"])
                for each in page
                if each.properties["conversation"] == conversation
            }
            return await self._erase(scope, sorted(ids), places)

    async def erase_user(self, scope: UserScope) -> int:
        """Remove the user's tenants with all that is in them; their files are gone from the disk when this returns."""
        async with self._forgetting(scope):
            ids: set[str] = set()
            for place in await self._all_places(scope):
                async for page in objects.walk(self._connection, place, ["kind"]):
                    ids |= {each.memory_id for each in page}
                await self._open.remove(place)
            await self._outside.index.drop(scope, sorted(ids))
            return len(ids)

    async def count(self, scope: UserScope, kind: Counted | None = None) -> int:
        """How many memories a user has."""
        return await self._read(scope, partial(raw_search.count, kind=kind), 0)

    async def speakers(self, scope: UserScope) -> list[str]:
        """Who has said what is remembered."""
        nobody: list[str] = []
        return await self._read(scope, raw_search.speakers, nobody)

    async def users(self) -> AsyncIterator[UserScope]:
        """Everybody with memories of any generation, by tenant. Raises SetupError where that is unknown."""
        for places in (await self._generations.tenants()).values():
            found = await listing.owner(self._connection, places)
            if found is not None:
                yield found

    async def count_users(self) -> int:
        """How many users have had memories."""
        return len(await self._generations.tenants())

    async def entries(self, scope: UserScope) -> AsyncIterator[IndexEntry]:
        """All records with their entries of this generation, ordered by id."""
        async for entry in listing.entries(self._connection, await self._ready(scope)):
            yield entry

    async def unindexed(self, scope: UserScope) -> AsyncIterator[Sequence[Unindexed]]:
        """Records whose entry of this generation is not complete, some at a time."""
        own, others = await self._ready(scope), await self._generations.others(scope)
        alike = [each.place for each in others if each.generation.space == self._generations.wanted.space != ""]
        async for found in listing.unindexed(self._connection, own, [each.place for each in others], alike):
            yield found

    async def complete(self, scope: UserScope, entries: Sequence[IndexEntry]) -> int:
        """Write the entries of records that are open. After an error some of them may be written."""
        for entry in entries:
            records.require_storable(entry, self._dimension)
        async with self._locks.hold(records.tenant_name(scope)):
            own, others = await self._ready(scope), await self._generations.others(scope)
            made = await listing.completed(self._connection, own, [each.place for each in others], entries)
            await objects.insert(self._connection, own, [records.to_object(scope, entry) for entry in made])
            self._believed.stored(own, [entry.memory.memory_id for entry in made])
            return len(made)

    async def generations(self) -> list[Generation]:
        """What the server has; this store's own is the first."""
        return [each.generation for each in await self._generations.kept()]

    async def make_ready(self) -> None:
        """From now on gateways may start with this generation."""
        await self._generations.make_ready()

    async def drop_others(self) -> list[Generation]:
        """Remove the collections of all generations but this one; their files are gone when this returns."""
        return await self._generations.drop_others()

    async def verify(self, *, repair: bool) -> mending.Verdict:
        """Prove of every record of every user that it is found by its own vector, words and columns.

        With `repair` those that are not are written anew. To be run after the server died with records unwritten.
        """
        await self._generations.prepare_once()
        found = mending.NOTHING
        for tenant, (place,) in (await listing.tenants(self._connection, [self._generations.collection])).items():
            async with self._locks.hold(tenant):
                self._open.use(place)
                found += await mending.verified(self._connection, place, self._dimension, repair=repair)
        return found

    @property
    def outages(self) -> int:
        """How often the server did not answer, or its connection was lost, since this store was made."""
        return self._connection.epoch

    async def healed(self) -> bool:
        """Wait for what is proven after an outage; True when nothing remains to be proven."""
        if self._healing is not None:
            await asyncio.wait([self._healing])
        return self._healed_epoch == self._connection.epoch

    def _forgetting(self, scope: UserScope) -> contextlib.AbstractAsyncContextManager[None]:
        return self._locks.forgetting(records.tenant_name(scope), [fence_names.of_user(scope)])

    async def _ready(self, scope: UserScope) -> Place:
        """Before each call: where the user's records are; outages have their after-care."""
        place = await self._generations.own(scope)
        idle = self._healing is None or self._healing.done()
        if idle and self._healed_epoch != self._connection.epoch and not self._connection.is_open:
            self._healing = asyncio.create_task(self._heal())
        return place

    async def _all_places(self, scope: UserScope) -> list[Place]:
        return [await self._ready(scope), *(each.place for each in await self._generations.others(scope))]

    async def _stored(self, place: Place, memory_ids: Sequence[str]) -> dict[str, objects.Stored]:
        return await objects.stored(self._connection, place, memory_ids)

    async def _change(
        self, place: Place, there: Mapping[str, objects.Stored], changed: Sequence[Memory], *, reopen: bool = False
    ) -> None:
        updates = [
            (each.memory_id, records.changed_columns(each, there[each.memory_id].properties[SCORED], reopen=reopen))
            for each in changed
            if each.memory_id in there
        ]
        self._believed.changed(place, list(there))
        await objects.update(self._connection, place, updates)

    async def _heal(self) -> None:
        """Prove what was written shortly before the server did not answer: it may have died."""
        epoch = self._connection.epoch
        with contextlib.suppress(MemoryGatewayError, NoTenant):  # not yet: the next call starts it again
            for place, ids in self._believed.recent(_HEAL_WITHIN_S).items():
                async with self._locks.hold(place.tenant):
                    there = await objects.stored(self._connection, place, ids)
                    await mending.mend(self._connection, place, list(there.values()), self._dimension)
            self._healed_epoch = epoch

    async def _read(self, scope: UserScope, work: Callable[[CollectionAsync], Awaitable[T]], empty: T) -> T:
        place = await self._ready(scope)
        try:
            return await self._connection.read(lambda client: work(users_part(client, place)))
        except NoTenant:
            return empty

    async def _documents(self, scope: UserScope, where: Any, limit: int, by: str = "") -> list[Memory]:
        return await self._read(scope, partial(listing.documents, where=where, limit=limit, by=by), [])

    async def _is_due(self, listed: DueMemory, now_ms: int) -> bool:
        scope = UserScope(listed.tenant, listed.user)
        place = await self._ready(scope)
        found = (await objects.stored(self._connection, place, [listed.memory_id])).get(listed.memory_id)
        memory = records.to_memory(found.properties) if found else None
        return await self._outside.is_due(scope, listed.memory_id, memory, now_ms)

    async def _erase(self, scope: UserScope, memory_ids: Sequence[str], places: Sequence[Place]) -> int:
        gone: set[str] = set()
        for place in places:
            there = await objects.stored(self._connection, place, memory_ids)
            await objects.delete(self._connection, place, list(there))
            gone |= set(there)
        await self._outside.index.drop(scope, memory_ids)
        return len(gone)
