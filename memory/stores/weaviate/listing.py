"""What is asked of the server past its indexes, or by more than one: named records, all of them, everybody."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Final

from memory.errors import SetupError
from memory.model.memory import Memory
from memory.model.search import Filter, IndexEntry, MemoryPage, Unindexed, Vector
from memory.scope import UserScope
from memory.stores.weaviate import objects, raw_search, records
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import CollectionAsync, Sort, WeaviateAsyncClient
from memory.stores.weaviate.faults import NoTenant
from memory.stores.weaviate.schema import DOCUMENT, OWNER, PENDING, Place, users_part

_PAGE: Final = 128
_BY_ID: Final = 500
_LIST_S: Final = 10.0


async def documents(part: CollectionAsync, where: Any, limit: int, by: str) -> list[Memory]:
    """The records of a user that pass a filter, in the order of a property (empty: of none)."""
    sort = Sort.by_property(by) if by else None
    found = await part.query.fetch_objects(filters=where, sort=sort, limit=limit, return_properties=[DOCUMENT])
    return [records.to_memory(each.properties) for each in found.objects]


async def named(connection: WeaviateConnection, place: Place, memory_ids: Sequence[str]) -> dict[str, Memory]:
    """Those of a user's records with these ids that are there, by id.

    What the index of ids does not know is looked for past it: it loses a record for the milliseconds in which that is
    written anew, and for longer after a crash.
    """

    async def some(client: WeaviateAsyncClient, ids: Sequence[str]) -> list[raw_search.Hit]:
        return await raw_search.listed(users_part(client, place), records.among(ids), len(ids), DOCUMENT)

    found: dict[str, Memory] = {}
    try:
        for ids in objects.cut(memory_ids, _BY_ID):
            hits = await connection.read(partial(some, ids=ids))
            found |= {each.memory_id: records.of_document(each.text) for each in hits}
    except NoTenant:
        return {}
    unknown = [memory_id for memory_id in memory_ids if memory_id not in found]
    there = await objects.stored(connection, place, unknown, vectors=False)
    return found | {memory_id: records.to_memory(each.properties) for memory_id, each in there.items()}


async def everything(
    connection: WeaviateConnection, place: Place, wanted: Filter, cursor: str, limit: int
) -> MemoryPage:
    """A user's records that pass a filter, in the order of their ids, after `cursor`; no index is asked."""
    records.require_cursor(cursor)
    memories: list[Memory] = []
    while len(memories) <= limit:
        found = await objects.page(connection, place, objects.Slice(cursor or None, limit + 1, [DOCUMENT]))
        memories += filter(wanted.lets_in, (records.to_memory(each.properties) for each in found))
        if len(found) <= limit:
            break
        cursor = found[-1].memory_id
    return MemoryPage(memories[:limit], memories[limit - 1].memory_id if len(memories) > limit else "")


async def tenants(connection: WeaviateConnection, collections: Sequence[str]) -> dict[str, list[Place]]:
    """Where each tenant is, by its name, in the order of the names."""

    async def listed(client: WeaviateAsyncClient, name: str) -> list[str]:
        return list(await client.collections.use(name).tenants.get())

    found: dict[str, list[Place]] = {}
    for name in collections:
        for tenant in await connection.run(partial(listed, name=name), _LIST_S):
            found.setdefault(tenant, []).append(Place(name, tenant))
    return dict(sorted(found.items()))


async def owner(connection: WeaviateConnection, places: Sequence[Place]) -> UserScope | None:
    """Whose tenant it is; None when nothing is in it.

    A record says so, but those of the first schema say only the user: then one of the tenants that the settings know
    must fit the tenant's name. Raises SetupError when none does.
    """

    async def first(client: WeaviateAsyncClient, place: Place) -> records.Properties | None:
        query = users_part(client, place).query
        found = await query.fetch_objects(limit=1, return_properties=[OWNER, DOCUMENT])
        return next((dict(each.properties) for each in found.objects), None)

    for place in places:
        try:
            properties = await connection.read(partial(first, place=place))
        except NoTenant:
            continue
        if properties is not None:
            return _named(place, properties, connection.settings.tenants_known)
    return None


async def owner_of(
    connection: WeaviateConnection, places: Sequence[Place], tenant: str, memory_id: str
) -> UserScope | None:
    """Whose record it is; None when it is at none of these places, another tenant's, or does not say."""
    for place in places:
        there = (await objects.stored(connection, place, [memory_id])).get(memory_id)
        if there is None:
            continue
        with contextlib.suppress(SetupError):
            found = _named(place, there.properties, connection.settings.tenants_known)
            if found.tenant == tenant:
                return found
    return None


def _named(place: Place, properties: records.Properties, known: Sequence[str]) -> UserScope:
    if properties.get(OWNER):
        tenant, _, user = properties[OWNER].partition("/")
        return UserScope(tenant, user)
    user = records.to_memory(properties).user_id
    for tenant in known:
        if records.tenant_name(UserScope(tenant, user)) == place.tenant:
            return UserScope(tenant, user)
    raise SetupError(f"the memories of user {user!r} do not say their tenant: name it in auth.keys of the settings")


async def entries(connection: WeaviateConnection, place: Place) -> AsyncIterator[IndexEntry]:
    """All of a user's records in one generation, ordered by id."""
    async for page in objects.walk(connection, place, None, vectors=True):
        for each in page:
            yield records.to_entry(each.properties, each.vector)


async def unindexed(
    connection: WeaviateConnection, own: Place, others: Sequence[Place], alike: Sequence[Place]
) -> AsyncIterator[list[Unindexed]]:
    """Records that are open at `own`, or are only at one of `others`; with the vectors that those `alike` have."""
    lacking = await _lacking(connection, own, others)
    for ids in objects.cut(sorted(lacking), _PAGE):
        found: dict[str, objects.Stored] = {}
        for place in (own, *others):
            here = [memory_id for memory_id in ids if lacking[memory_id] == place]
            found |= await objects.stored(connection, place, here) if here else {}
        vectors: dict[str, Vector | None] = {}
        for place in alike:
            there = await objects.stored(connection, place, list(found))
            vectors |= {key: each.vector for key, each in there.items() if not each.properties.get(PENDING)}
        memories = [records.to_memory(each.properties) for each in found.values()]
        yield [Unindexed(memory, vectors.get(memory.memory_id)) for memory in memories]


async def _lacking(connection: WeaviateConnection, own: Place, others: Sequence[Place]) -> dict[str, Place]:
    """Ids of records that are not complete at `own`, and where to read each."""
    there: set[str] = set()
    lacking: dict[str, Place] = {}
    async for page in objects.walk(connection, own, [PENDING]):
        there |= {each.memory_id for each in page}
        lacking |= {each.memory_id: own for each in page if each.properties.get(PENDING)}
    for place in others:
        async for page in objects.walk(connection, place, ["kind"]):
            lacking |= {each.memory_id: place for each in page if each.memory_id not in there}
    return lacking


async def completed(
    connection: WeaviateConnection, own: Place, others: Sequence[Place], entries: Sequence[IndexEntry]
) -> list[IndexEntry]:
    """Those of the entries that are open at `own`, or not there but at one of `others`; each with the stored record.

    An entry of another text than the record's now is left out: a profile was made anew meanwhile.
    """
    unique = {entry.memory.memory_id: entry for entry in entries}
    there = await objects.stored(connection, own, list(unique))
    found = dict(there)
    for place in others:
        lacking = [memory_id for memory_id in unique if memory_id not in found]
        found |= await objects.stored(connection, place, lacking) if lacking else {}
    still_open = {key: each for key, each in found.items() if key not in there or each.properties.get(PENDING)}
    made = [unique[key]._replace(memory=records.to_memory(each.properties)) for key, each in still_open.items()]
    return [each for each in made if each.memory.text == unique[each.memory.memory_id].memory.text]
