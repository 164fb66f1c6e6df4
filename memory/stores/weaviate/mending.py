"""Proving that a record is found, and mending it when it is not.

After a crash of the server a record that it acknowledged may be missing from the index of vectors, of words or of a
column, and writing the same again repairs nothing: the server skips an object that has not changed. So a record is
proven by itself (its own vector, all its words, all its columns), and what is not found is written anew with its
vector changed in the last bit of one number. The server then gives the object a new place in every index: it is always
stored, but a search that runs in those milliseconds may not find it (docs/weaviate.md). A record without a vector goes
by way of one: for the moment between it is open, so that an upkeep completes it when this process dies there.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from memory.errors import StoreUnavailable
from memory.model.search import Vector
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import BM25Operator, CollectionAsync, DataObject, MetadataQuery, WeaviateAsyncClient
from memory.stores.weaviate.objects import Stored, cut, insert, walk
from memory.stores.weaviate.records import Properties, distinct_words, made_object, same_columns
from memory.stores.weaviate.schema import PENDING, WORDS, Place, users_part

Written = OrderedDict[tuple[Place, str], float]
_DISTANCE_MAX: Final = 1e-3
_TOGETHER: Final = 8
_TRIES: Final = 3
_BELIEVED_MAX: Final = 100_000
_RECENT_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found: records looked at, those that an index did not know, those of them written anew."""

    records: int
    unfound: int
    mended: int

    def __add__(self, other: "Verdict") -> "Verdict":
        """The sum of two."""
        return Verdict(self.records + other.records, self.unfound + other.unfound, self.mended + other.mended)


NOTHING: Final = Verdict(0, 0, 0)


class Believed:
    """Which records this process has seen stored whole, while the server has answered without a gap.

    `recent` are the last ones written: those that a crash of the server may have taken out of an index.
    """

    def __init__(self, connection: WeaviateConnection) -> None:
        self._connection = connection
        self._epoch = connection.epoch
        self._seen: Written = OrderedDict()
        self._recent: Written = OrderedDict()

    def stored(self, place: Place, memory_ids: Sequence[str]) -> None:
        """These were stored, or proven, just now."""
        self._at_epoch()
        self._remember(self._seen, _BELIEVED_MAX, place, memory_ids)
        self._remember(self._recent, _RECENT_MAX, place, memory_ids)

    def changed(self, place: Place, memory_ids: Sequence[str]) -> None:
        """Columns of these were written just now."""
        self._remember(self._recent, _RECENT_MAX, place, memory_ids)

    def doubted(self, place: Place, memory_ids: Sequence[str]) -> list[str]:
        """Those of the ids that this process has not seen stored since the server last failed to answer."""
        self._at_epoch()
        return [memory_id for memory_id in memory_ids if (place, memory_id) not in self._seen]

    def recent(self, within_s: float) -> dict[Place, list[str]]:
        """What was written within so many seconds, by user."""
        since = asyncio.get_running_loop().time() - within_s
        found: dict[Place, list[str]] = {}
        for (place, memory_id), written in self._recent.items():
            if written >= since:
                found.setdefault(place, []).append(memory_id)
        return found

    @staticmethod
    def _remember(kept: Written, most: int, place: Place, memory_ids: Sequence[str]) -> None:
        now = asyncio.get_running_loop().time()
        for memory_id in memory_ids:
            kept[place, memory_id] = now
            kept.move_to_end((place, memory_id))
            if len(kept) > most:
                kept.popitem(last=False)

    def _at_epoch(self) -> None:
        if self._epoch != self._connection.epoch:
            self._epoch = self._connection.epoch
            self._seen.clear()


async def unfound(connection: WeaviateConnection, place: Place, records: Sequence[Stored]) -> list[Stored]:
    """Those of the records that an index does not know."""

    async def some(client: WeaviateAsyncClient, each: Sequence[Stored]) -> list[bool]:
        part = users_part(client, place)
        return await asyncio.gather(*(_is_found(part, record) for record in each))

    missing: list[Stored] = []
    for each in cut(records, _TOGETHER):
        found = await connection.read(partial(some, each=each))
        missing += [record for record, is_found in zip(each, found, strict=True) if not is_found]
    return missing


async def mend(connection: WeaviateConnection, place: Place, records: Sequence[Stored], dimension: int) -> int:
    """Write anew what is not found, until it is; returns how many that were. `dimension`: of the user's vectors, or 0.

    Raises StoreUnavailable when it still is not found after several times. The caller holds the user's lock.
    """
    missing = first = await unfound(connection, place, records)
    for attempt in range(_TRIES):
        if not missing:
            return len(first)
        roundabout = [record for record in missing if record.vector is None or attempt]
        await insert(connection, place, [_elsewhere(record, dimension) for record in roundabout])
        nudged = [made_object(each.memory_id, _present(each), _nudged(each.vector, attempt + 1)) for each in missing]
        await insert(connection, place, nudged)
        missing = await unfound(connection, place, missing)
    if missing:
        raise StoreUnavailable("records that Weaviate has stored are not found by its indexes")
    return len(first)


async def verified(connection: WeaviateConnection, place: Place, dimension: int, *, repair: bool) -> Verdict:
    """Prove each of a user's records; with `repair` write anew those that are not found."""
    found = NOTHING
    async for page in walk(connection, place, None, vectors=True):
        missing = await unfound(connection, place, page)
        mended = await mend(connection, place, missing, dimension) if repair else 0
        found += Verdict(len(page), len(missing), mended)
    return found


async def _is_found(part: CollectionAsync, record: Stored) -> bool:
    itself = same_columns(record.memory_id, record.properties)
    words = distinct_words(record.properties)
    if words:
        by_words = await part.query.bm25(
            " ".join(words),
            query_properties=[WORDS],
            operator=BM25Operator.and_(),
            filters=itself,
            limit=1,
            return_properties=False,
        )
        if not by_words.objects:
            return False
    if record.vector is None:
        return bool((await part.query.fetch_objects(filters=itself, limit=1, return_properties=False)).objects)
    nearest = await part.query.near_vector(
        record.vector.tolist(),
        filters=itself,
        limit=1,
        return_properties=False,
        return_metadata=MetadataQuery(distance=True),
    )
    distances = [each.metadata.distance for each in nearest.objects]
    return bool(distances) and distances[0] is not None and distances[0] <= _DISTANCE_MAX


def _elsewhere(record: Stored, dimension: int) -> DataObject[Properties, None]:
    """The record with a vector far from its own, and open."""
    vector = np.zeros(max(dimension, 1), np.float32)
    vector[0] = 1 if record.vector is None or record.vector[0] < 0 else -1
    return made_object(record.memory_id, _present(record) | {PENDING: True}, vector)


def _present(record: Stored) -> dict[str, object]:
    return {name: value for name, value in record.properties.items() if value is not None}


def _nudged(vector: Vector | None, steps: int) -> Vector | None:
    """The vector with its largest number so many last bits nearer to zero."""
    if vector is None:
        return None
    nudged = vector.copy()
    largest = int(np.argmax(np.abs(nudged)))
    for _ in range(steps):
        nudged[largest] = np.nextafter(nudged[largest], np.float32(0))
    return nudged
