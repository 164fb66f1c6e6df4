"""Searches that answer with thousands of hits, read off the wire.

The client makes four objects of each hit: 30 ms of the event loop for 1,000 of them, four times what reading the reply
itself takes. So the requests are built and sent by the client, and only its last step is left out. These are its
inner parts: its version is pinned, and the contract suite runs over them.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from memory.language.terms import distinct, terms
from memory.model.memory import Kind
from memory.model.search import Vector
from memory.stores.weaviate.driver import CollectionAsync, Filter, GroupByAggregate, MetadataQuery
from memory.stores.weaviate.schema import DOCUMENT, WORDS

LINKS_MAX: Final = 5_000
"""Links of the memories that are asked about."""
_SPEAKERS_MAX: Final = 200
_SAYING_MAX: Final = 20


class Hit(NamedTuple):
    """One hit: its id, the score or distance and the properties that were asked for (empty: none)."""

    memory_id: str
    score: float
    distance: float
    text: str = ""
    more: str = ""


async def listed(part: CollectionAsync, filters: Any, limit: int, name: str) -> list[Hit]:
    """Objects that pass the filter, with one text property."""
    query = _Sender(part)
    request = query.build.get(
        limit=limit, filters=filters, return_metadata=query.metadata(None), return_properties=[name]
    )
    return await query.send(request, [name])


async def compared(part: CollectionAsync, filters: Any, limit: int) -> dict[str, tuple[str, Vector | None]]:
    """The index words and the vector of objects that pass the filter, by id."""
    query = _Sender(part)
    request = query.build.get(
        limit=limit,
        filters=filters,
        return_metadata=query.metadata(None, with_vector=True),
        return_properties=[WORDS],
    )
    return {
        each.metadata.id: (each.properties.non_ref_props.fields[WORDS].text_value, _vector(each.metadata))
        for each in await query.results(request)
    }


async def by_words(part: CollectionAsync, words: str, filters: Any, limit: int, names: Sequence[str] = ()) -> list[Hit]:
    """Objects by BM25 of their index words, the best first, with up to two text properties."""
    query = _Sender(part)
    request = query.build.bm25(
        query=words,
        properties=[WORDS],
        limit=limit,
        filters=filters,
        return_metadata=query.metadata(MetadataQuery(score=True)),
        return_properties=list(names),
    )
    return await query.send(request, names)


async def by_vector(part: CollectionAsync, vector: Vector, filters: Any, limit: int, names: Sequence[str]) -> list[Hit]:
    """Objects that have a vector, the nearest first, with one text property or two."""
    query = _Sender(part)
    request = query.build.near_vector(
        near_vector=vector.tolist(),
        limit=limit,
        filters=filters,
        return_metadata=query.metadata(MetadataQuery(distance=True)),
        return_properties=list(names),
    )
    return await query.send(request, names)


class _Sender:
    """What the client's queries are made of."""

    def __init__(self, part: CollectionAsync) -> None:
        self._query: Any = part.query
        self.build: Any = self._query._query  # noqa: SLF001 - see the top of this file

    def metadata(self, wanted: MetadataQuery | None, *, with_vector: bool = False) -> Any:
        """What is asked for beside properties; the id always is."""
        return self._query._parse_return_metadata(wanted, with_vector)  # noqa: SLF001 - as above

    async def send(self, request: Any, names: Sequence[str]) -> list[Hit]:
        return _read(await self.results(request), names)

    async def results(self, request: Any) -> Sequence[Any]:
        return (await self._query._connection.grpc_search(request)).results  # type: ignore[no-any-return]  # noqa: SLF001 - as above


def _vector(about: Any) -> Vector | None:
    """The vector of an object: the server sends it by itself or under a name."""
    sent = about.vector_bytes or next((each.vector_bytes for each in about.vectors), b"")
    return np.frombuffer(sent, np.float32) if sent else None


def _read(results: Sequence[Any], names: Sequence[str]) -> list[Hit]:
    found = []
    for each in results:
        about, fields = each.metadata, each.properties.non_ref_props.fields
        found.append(Hit(about.id, about.score, about.distance, *[fields[name].text_value for name in names]))
    return found


async def linking(part: CollectionAsync, words: str, most: int) -> list[Hit]:
    """The links, not archived, that have one of these words, with their documents; at most so many."""
    wanted = Filter.by_property("kind").equal(str(Kind.LINK)) & Filter.by_property("archived").equal(val=False)
    return await by_words(part, words, wanted, most, [DOCUMENT])


async def saying(part: CollectionAsync, text: str) -> list[Hit]:
    """The records whose index words fit those of a text best, with their documents."""
    words = " ".join(distinct(terms(text)))
    return await by_words(part, words, None, _SAYING_MAX, [DOCUMENT]) if words else []


async def count(part: CollectionAsync, kind: Kind | None = None) -> int:
    """How many records a user has."""
    wanted = Filter.by_property("kind").equal(str(kind)) if kind is not None else None
    return (await part.aggregate.over_all(total_count=True, filters=wanted)).total_count or 0


async def speakers(part: CollectionAsync) -> list[str]:
    """Who speaks in a user's records."""
    by = GroupByAggregate(prop="speaker", limit=_SPEAKERS_MAX)
    groups = (await part.aggregate.over_all(group_by=by, total_count=True)).groups
    return [str(group.grouped_by.value) for group in groups if group.grouped_by.value]
