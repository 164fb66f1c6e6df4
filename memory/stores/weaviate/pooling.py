"""The pool of a search: a user's records in order, with the server's BM25 and cosine of each.

Two queries at once, and now and then one that counts. The final score is made of the parts elsewhere, the same for
every store; Weaviate's own hybrid search normalises over what it happens to fetch, so its scores cannot be compared.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from memory.model.memory import Memory
from memory.model.search import Candidate, Compared, Filter, Pool, Probe, Vector
from memory.retrieval.walks import compared_of
from memory.stores.weaviate import raw_search
from memory.stores.weaviate.driver import CollectionAsync
from memory.stores.weaviate.objects import cut
from memory.stores.weaviate.records import among, of_document, to_candidates, where
from memory.stores.weaviate.schema import DOCUMENT, SCORED, WORDS

POOL_MAX: Final = 5_000
"""Records of a pool. Of more, those that the words and the vector rank first."""
EMPTY: Final = Pool([], np.zeros(0), np.zeros(0))
_BY_ID: Final = 1_000
_READ_ALONG_MAX: Final = 200
"""Records of a pool that are read with it: of more, reading the best few afterwards costs less."""
_TENANTS_MAX: Final = 10_000
_where = lru_cache(maxsize=64)(where)


class Pools:
    """Makes pools. Remembers how many records each had when all of them had a vector: a count is a request of its own.

    It is asked for again when more or fewer have a vector, and when words find one that has none. One that another
    process writes without (only a gateway of another index generation does) is found by its words, as it would be
    anyway; until it has its vector, it may not count among those that the others are compared with.
    """

    def __init__(self) -> None:
        self._sizes: OrderedDict[str, dict[Filter, int]] = OrderedDict()

    def written(self, tenant: str) -> None:
        """Records of this tenant were written here."""
        self._sizes.pop(tenant, None)

    async def pool(self, tenant: str, part: CollectionAsync, probe: Probe) -> Pool:
        """The records of a user's tenant that the probe's filter lets in, ordered by unit and position."""
        wanted = _where(probe.filter)
        if probe.best is not None:
            return await _best(part, wanted, probe)
        known = self._sizes.get(tenant, {}).get(probe.filter) if probe.vector is not None else None
        names = (SCORED, DOCUMENT) if known is not None and known <= _READ_ALONG_MAX else (SCORED,)
        counts = probe.vector is not None and known is None
        matched, near, number = await asyncio.gather(
            _lexical(part, wanted, " ".join(probe.terms), with_words=probe.with_words),
            _near(part, wanted, probe.vector, names),
            _number(part, wanted) if counts else _given(known),
        )
        if known is not None and len(near) != known:
            number = await _number(part, wanted)
        listed = to_candidates({each.memory_id: each.text for each in near})
        lexical = {each.memory_id: each.score for each in matched}
        cosine = {each.memory_id: 1.0 - each.distance for each in near}
        whole = len(listed) == number and lexical.keys() <= listed.keys()
        self._note(tenant, probe, number if whole else None)
        if not whole:  # some have no vector, or there are more than a pool holds
            listed |= await _listed(part, wanted, POOL_MAX + 1)
        if len(listed) > POOL_MAX:
            listed = await _first(part, listed, _by_rank(lexical, cosine))
        ordered = sorted(listed.values(), key=lambda each: (each.unit_id, each.position, each.memory_id))
        found = Pool(
            ordered,
            np.array([lexical.get(each.memory_id, 0.0) for each in ordered], dtype=np.float64),
            np.array([cosine.get(each.memory_id, np.nan) for each in ordered], dtype=np.float64),
            {each.memory_id: each.text for each in matched} if probe.with_words else {},
            _Read({each.memory_id: each.more for each in near if each.more}),
        )
        places = probe.compared(found) if probe.compared is not None and ordered else ()
        return replace(found, compared=await _compared(part, found, places)) if places else found

    def _note(self, tenant: str, probe: Probe, size: int | None) -> None:
        chosen = probe.filter
        if probe.vector is None or chosen != Filter(chosen.kinds, chosen.categories, chosen.types):
            return  # one that names a conversation or a time is asked for once
        sizes = self._sizes.pop(tenant, {})
        sizes.pop(chosen, None)
        if size is not None:
            sizes[chosen] = size
        if sizes:
            self._sizes[tenant] = sizes
        if len(self._sizes) > _TENANTS_MAX:
            self._sizes.popitem(last=False)


class _Read(Mapping[str, Memory]):
    """Records as they were read: one is taken apart when it is asked for."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self._documents = documents

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._documents

    def __getitem__(self, memory_id: str) -> Memory:
        return of_document(self._documents[memory_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


async def _best(part: CollectionAsync, wanted: Any, probe: Probe) -> Pool:
    """Those whose words fit best, read with them."""
    words = " ".join(probe.terms)
    found = await raw_search.by_words(part, words, wanted, probe.best or 0, (SCORED, DOCUMENT)) if words.strip() else []
    listed = to_candidates({each.memory_id: each.text for each in found})
    return Pool(
        list(listed.values()),
        np.array([each.score for each in found if each.memory_id in listed], dtype=np.float64),
        np.full(len(listed), np.nan),
        read=_Read({each.memory_id: each.more for each in found}),
    )


async def _compared(part: CollectionAsync, pool: Pool, places: Sequence[int]) -> Compared:
    """The words and vectors of some of a pool's records; one that was erased meanwhile has neither."""
    ids = [pool.candidates[place].memory_id for place in places]
    there = await raw_search.compared(part, among(ids), len(ids))
    return compared_of(places, [there.get(memory_id, ("", None)) for memory_id in ids])


async def _listed(part: CollectionAsync, wanted: Any, limit: int) -> dict[str, Candidate]:
    found = await raw_search.listed(part, wanted, limit, SCORED)
    return to_candidates({each.memory_id: each.text for each in found})


async def _lexical(part: CollectionAsync, wanted: Any, words: str, *, with_words: bool) -> list[raw_search.Hit]:
    if not words.strip():
        return []
    return await raw_search.by_words(part, words, wanted, POOL_MAX, [WORDS] if with_words else ())


async def _number(part: CollectionAsync, wanted: Any) -> int:
    return (await part.aggregate.over_all(filters=wanted, total_count=True)).total_count or 0


async def _given(number: int | None) -> int | None:
    return number


async def _near(
    part: CollectionAsync, wanted: Any, vector: Vector | None, names: Sequence[str]
) -> Sequence[raw_search.Hit]:
    """The records that have a vector, the nearest first."""
    return [] if vector is None else await raw_search.by_vector(part, vector, wanted, POOL_MAX, names)


def _by_rank(lexical: dict[str, float], cosine: dict[str, float]) -> list[str]:
    """The ids of both lists, the first of each, then the second of each, and so on; each id once."""
    ranks: dict[str, int] = {}
    for found in (lexical, cosine):
        for rank, memory_id in enumerate(found):
            ranks[memory_id] = min(rank, ranks.get(memory_id, rank))
    return sorted(ranks, key=lambda memory_id: ranks[memory_id])


async def _first(part: CollectionAsync, listed: dict[str, Candidate], ranked: list[str]) -> dict[str, Candidate]:
    """As many as a pool holds: what ranks first, then what else was listed."""
    chosen = list(dict.fromkeys([*ranked, *listed]))[:POOL_MAX]
    unread = [memory_id for memory_id in chosen if memory_id not in listed]
    known = dict(listed)
    for ids in cut(unread, _BY_ID):
        known |= await _listed(part, among(ids), len(ids))
    return {memory_id: known[memory_id] for memory_id in chosen if memory_id in known}
