"""Reading and writing objects past the indexes: what is in the object store is there, whatever an index says.

After a crash the server may keep an object that its id, word or vector index does not know. So what decides about
existence and erasure here never asks an index.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from memory.model.search import Vector
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import (
    CollectionAsync,
    DataObject,
    WeaviateAsyncClient,
    WeaviateInsertManyAllFailedError,
)
from memory.stores.weaviate.faults import NoTenant, is_busy, of_refused_objects
from memory.stores.weaviate.records import Properties, before
from memory.stores.weaviate.schema import Place, users_part

T = TypeVar("T")
Objects = Sequence[DataObject[Properties, None]]

_BATCH: Final = 100
_TOGETHER: Final = 16
_PAGE: Final = 500
_TRIES: Final = 4
_PAUSE_S: Final = 0.1


class Stored(NamedTuple):
    """An object as the server keeps it."""

    memory_id: str
    properties: Properties
    vector: Vector | None


class Slice(NamedTuple):
    """So many objects after an id (None: from the first), with these properties (None: all)."""

    after: str | None
    limit: int
    names: list[str] | None = None
    vectors: bool = False


async def stored(
    connection: WeaviateConnection, place: Place, memory_ids: Sequence[str], *, vectors: bool = True
) -> dict[str, Stored]:
    """Read objects, with their vectors or without; those that are not there are left out. One round trip for each."""

    async def one(part: CollectionAsync, memory_id: str) -> Stored | None:
        found = await part.query.fetch_objects(after=before(memory_id), limit=1, include_vector=vectors)
        return next((_stored(each) for each in found.objects if str(each.uuid) == memory_id), None)

    async def some(client: WeaviateAsyncClient, ids: Sequence[str]) -> list[Stored | None]:
        part = users_part(client, place)
        return await asyncio.gather(*(one(part, memory_id) for memory_id in ids))

    result: dict[str, Stored] = {}
    try:
        for ids in cut(memory_ids, _TOGETHER):
            found = await connection.read(partial(some, ids=ids))
            result |= {each.memory_id: each for each in found if each is not None}
    except NoTenant:
        return {}
    return result


async def page(connection: WeaviateConnection, place: Place, wanted: Slice) -> list[Stored]:
    """A user's objects in the order of their ids; none when the user has nothing."""

    async def fetch(client: WeaviateAsyncClient) -> list[Stored]:
        found = await users_part(client, place).query.fetch_objects(
            after=wanted.after,
            limit=wanted.limit,
            return_properties=wanted.names,
            include_vector=wanted.vectors,
        )
        return [_stored(each) for each in found.objects]

    try:
        return await connection.read(fetch)
    except NoTenant:
        return []


async def walk(
    connection: WeaviateConnection, place: Place, names: list[str] | None, *, vectors: bool = False
) -> AsyncIterator[list[Stored]]:
    """All of a user's objects in the order of their ids, a page at a time, with these properties (None: all)."""
    last: str | None = None
    while True:
        found = await page(connection, place, Slice(last, _PAGE, names, vectors))
        if found:
            yield found
        if len(found) < _PAGE:
            return
        last = found[-1].memory_id


async def insert(connection: WeaviateConnection, place: Place, objects: Objects) -> None:
    """Write objects; those with an id that is there are overwritten. What the server is too busy for is tried again.

    After StoreUnavailable and DeadlineExceeded any of them may be there, or come to be.
    """
    for batch in cut(objects, _BATCH):
        waiting = batch
        for attempt in range(_TRIES):
            last = attempt == _TRIES - 1
            refused = await connection.write(partial(_insert, place=place, batch=waiting, last=last))
            if not refused:
                break
            waiting = [waiting[index] for index in refused]
            await asyncio.sleep(_PAUSE_S * 2**attempt)


async def delete(connection: WeaviateConnection, place: Place, memory_ids: Sequence[str]) -> None:
    """Remove objects by id; those that are not there are passed over."""

    async def some(client: WeaviateAsyncClient, ids: Sequence[str]) -> None:
        part = users_part(client, place)
        await asyncio.gather(*(part.data.delete_by_id(memory_id) for memory_id in ids))

    for ids in cut(memory_ids, _TOGETHER):
        await connection.write(partial(some, ids=ids))


async def update(connection: WeaviateConnection, place: Place, changes: Sequence[tuple[str, Properties]]) -> None:
    """Set properties (None: clear) of objects that are there. The vectors and the other properties stay."""

    async def some(client: WeaviateAsyncClient, each: Sequence[tuple[str, Properties]]) -> None:
        part = users_part(client, place)
        await asyncio.gather(*(part.data.update(memory_id, properties) for memory_id, properties in each))

    for each in cut(changes, _TOGETHER):
        await connection.write(partial(some, each=each))


def cut(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Cut into parts of `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]


async def _insert(client: WeaviateAsyncClient, *, place: Place, batch: Objects, last: bool) -> list[int]:
    """Which of the batch the server was too busy for; raises when it refused one for another reason."""
    try:
        errors = {
            index: each.message
            for index, each in (await users_part(client, place).data.insert_many(batch)).errors.items()
        }
    except WeaviateInsertManyAllFailedError as error:
        errors = dict.fromkeys(range(len(batch)), str(error.message))
    if errors and (last or not all(is_busy(text) for text in errors.values())):
        raise of_refused_objects(" ".join(errors.values()))
    return list(errors)


def _stored(found: Any) -> Stored:
    vector = found.vector.get("default") if found.vector else None
    return Stored(str(found.uuid), dict(found.properties), np.array(vector, np.float32) if vector else None)
