"""Searching a user's memories: plan, pool, relevance, time, and why each stands where it stands."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from memory.errors import InvariantBroken, TemporaryError
from memory.model.memory import Kind, Memory
from memory.model.search import Filter, IndexEntry, Pool, Probe, Vector
from memory.ports import Clock, Embedder, MemoryStore
from memory.privacy.replacer import Replacer
from memory.retrieval.bearing import SCALES, Scale
from memory.retrieval.decay import DecaySettings, vitality
from memory.retrieval.lexical import joined
from memory.retrieval.order import Order, Ordering
from memory.retrieval.plan import Plan, plan
from memory.scope import UserScope
from memory.service.unfinished import NOT_READ, Pending, TailReader

_LOG: Final = logging.getLogger("anamnesis.search")
KEYWORD, VECTOR, HYBRID = "keyword", "vector", "hybrid"
_RANKED_FOR_EACH_WANTED: Final = 4
_MIDDLE: Final = 2.0
_FULL_POOL: Final = 26
_LEAST_LEFT: Final = 1e-9
SEARCHED_KINDS: Final = (Kind.EPISODE, Kind.FACT, Kind.EVENT, Kind.CREATED)
"""Profiles only say again what facts say; who wants them asks for them."""
_SEARCHED: Final = Filter(kinds=SEARCHED_KINDS)
_ROUNDING: Final = 1e-9
_ROLES: Final = frozenset({"", "user", "assistant"})


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`time_weight`: how much of a score fading can take away (0: none, 1: all). `replacer`: as for what is stored."""

    decay: DecaySettings = field(default_factory=DecaySettings)
    time_weight: float = 0.2
    replacer: Replacer = field(default_factory=Replacer)
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search. `radius`: the least cosine of a vector search; `per_conversation`: the best of each only.

    `names`: of people that the query may name; `speakers`: those in what is stored (None: the store is asked).
    `vector_deadline_s`: how long the query's vector is waited for, before it is searched by words alone. `tail`: the
    conversations whose part that is not in memory yet is searched too (None: all the user's), read by
    `tail_deadline_s`; vectors of it that are still to be made are waited for `tail_vectors_s` at most. `zone`: of the
    days that the query names (None: as the settings say). `walks`: what the best have in common counts too.
    """

    query: str
    mode: str = HYBRID
    limit: int = 10
    filter: Filter = field(default_factory=Filter)
    radius: float | None = None
    per_conversation: bool = False
    names: Sequence[str] = ()
    speakers: Sequence[str] | None = None
    vector_deadline_s: float | None = None
    tail: Sequence[str] | None = None
    tail_deadline_s: float | None = None
    tail_vectors_s: float = 1.0
    zone: tzinfo | None = None
    walks: bool = False


class Scored(NamedTuple):
    """A memory, its score (0..1), the parts of it by name, whether it is still to be stored, and its cosine if any.

    `path`: by which links it was come to; None where none were followed, empty where it was found itself. `beyond`:
    what walks add to the odds of the score, as a logarithm: it counts for the order, not for how well a memory fits.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float]
    pending: bool = False
    cosine: float | None = None
    path: Sequence[str] | None = None
    beyond: float = 0.0

    @property
    def standing(self) -> float:
        """What it is ordered by: 0..1, the score where nothing was walked."""
        return self.score if not self.beyond else _logistic(_log_odds(self.score) + self.beyond)


class Found(NamedTuple):
    """The best, best first; how they were searched for; what was down; the query's vector, where it has one.

    `further`: the same search with another limit, which reads and weighs no more than it needs for that; it raises
    StoreUnavailable. None: there is nothing else to find.
    """

    results: Sequence[Scored]
    mode: str
    degraded: Sequence[str]
    vector: Vector | None = None
    further: "Callable[[int], Awaitable[Found]] | None" = None


class _Query(NamedTuple):
    """A search as it was read, as it was asked for, and when."""

    asked: Plan
    wanted: Wanted
    now_ms: int


class _Looked(NamedTuple):
    """What a search has looked at: the pool, its order, and what of it is not stored yet."""

    query: _Query
    pool: Pool
    order: Order
    fresh: Mapping[str, Memory]


class _Stood(NamedTuple):
    """A record of the pool as time weighs it: its relevance above the middle, how alive it is, what walks add.

    `odds`: relevance less what time has taken, as a logarithm.
    """

    place: int
    memory: Memory
    above: float
    alive: float
    odds: float
    beyond: float


_Unstored = tuple[list[Pending], tuple[str, ...]]


class MemorySearch:
    """Searches what is stored, and what is said but not stored yet.

    An embedder that is down or busy costs the vector part, sessions that cannot be read what is not stored yet, and
    neither of them the answer. Without `tail` only what is stored is searched.
    """

    def __init__(
        self,
        memories: MemoryStore,
        embedder: Embedder | None,
        clock: Clock,
        settings: SearchSettings,
        tail: TailReader | None = None,
    ) -> None:
        self._memories = memories
        self._tail = tail
        self._embedder = embedder
        self._clock = clock
        self._settings = settings

    @property
    def zone(self) -> tzinfo:
        """By whose clock days are read where nobody says."""
        return self._settings.zone

    @property
    def scale(self) -> Scale | None:
        """What the cosines of this search are measured by; None: the model's are not known."""
        return SCALES.get(self._embedder.space.partition("-")[0]) if self._embedder is not None else None

    async def others(self, scope: UserScope, conversation: str) -> list[str]:
        """In which of the user's conversations but this one may be what is not stored yet. Raises StoreUnavailable."""
        return await self._tail.others(scope, conversation) if self._tail is not None else []

    async def find(self, scope: UserScope, wanted: Wanted) -> Found:
        """Search a user's memories. Raises StoreUnavailable when the store does not answer."""
        now_ms = self._clock.now_ms()
        speakers, (tail, missed) = await self._said_by_whom(scope, wanted)
        text = self._settings.replacer.text(scope.tenant, wanted.query)
        names = named([*speakers, *(one.memory.speaker for one in tail), *wanted.names])
        asked = plan(text, names, now_ms, wanted.zone or self._settings.zone)
        vector, degraded = await self._vector(asked, wanted)
        mode = wanted.mode if vector is not None else KEYWORD
        terms = () if mode == VECTOR else asked.terms
        chosen = searched(wanted.filter)
        query = _Query(asked, wanted, now_ms)
        ordering, ordered = self._ordering(query), list[Order]()

        def nearest(pool: Pool) -> list[str]:
            ordered.append(ordering.of(pool))
            return [pool.candidates[place].memory_id for place in ordered[-1].near]

        probe = Probe(
            terms,
            vector,
            chosen,
            with_words=bool(tail and terms),
            nearest=None if tail else nearest,
            compared=ordering.compared if wanted.walks else None,
        )
        pool = await self._memories.pool(scope, probe)
        fresh = await self._indexed(_not_in(pool, tail) if tail else tail, wanted, probe)
        if mode == VECTOR and any(one.vector is None for one in fresh):
            missed = missed or (NOT_READ,)
        pool = joined(pool, fresh, probe)
        order = ordered[-1] if ordered else ordering.of(pool)
        looked = _Looked(query, pool, order, {entry.memory.memory_id: entry.memory for entry in fresh})
        found = Found((), mode, (*degraded, *missed), vector)
        found = found._replace(further=partial(self._further, scope, looked, found))
        return found._replace(results=await self._ranked(scope, looked))

    async def _further(self, scope: UserScope, looked: _Looked, found: Found, limit: int) -> Found:
        query = looked.query._replace(wanted=replace(looked.query.wanted, limit=limit))
        order = self._ordering(query).again(looked.pool, looked.order.fit, looked.order.beyond)
        results = await self._ranked(scope, looked._replace(query=query, order=order))
        return found._replace(results=results)

    async def _said_by_whom(self, scope: UserScope, wanted: Wanted) -> tuple[Sequence[str], _Unstored]:
        """The names in what is stored, and what is not stored yet: asked for at once, where both must be."""
        if wanted.speakers is not None:
            return wanted.speakers, await self._unstored(scope, wanted)
        return await asyncio.gather(self._memories.speakers(scope), self._unstored(scope, wanted))

    async def _unstored(self, scope: UserScope, wanted: Wanted) -> _Unstored:
        """What is said but not stored yet and passes the filter, and what of it was not read."""
        names = wanted.tail
        if wanted.filter.conversation and (names is None or wanted.filter.conversation in names):
            names = (wanted.filter.conversation,)
        if self._tail is None or (wanted.filter.kinds and Kind.EPISODE not in wanted.filter.kinds):
            return [], ()
        read = await self._tail.read(scope, names, wanted.tail_deadline_s)
        if wanted.filter == Filter():
            return list(read.found), read.degraded
        return [one for one in read.found if wanted.filter.lets_in(one.memory)], read.degraded

    async def _indexed(self, tail: Sequence[Pending], wanted: Wanted, probe: Probe) -> list[IndexEntry]:
        vectors: Mapping[str, Vector] = {}
        if self._tail is not None and tail and probe.vector is not None:
            vectors = await self._tail.vectors(tail, wanted.tail_vectors_s)
        return [one.entry._replace(vector=vectors.get(one.memory.memory_id)) for one in tail]

    async def _vector(self, asked: Plan, wanted: Wanted) -> tuple[Vector | None, tuple[str, ...]]:
        if self._embedder is None or wanted.mode == KEYWORD or not asked.plain.strip():
            return None, ()
        try:
            async with asyncio.timeout(wanted.vector_deadline_s):
                (vector,) = await self._embedder.queries([asked.plain])
        except (TemporaryError, TimeoutError, InvariantBroken) as error:  # broken: an endpoint answers with nonsense
            _LOG.info("searched by words only", extra={"reason": type(error).__name__})
            return None, ("embeddings",)
        return vector, ()

    def _ordering(self, query: _Query) -> Ordering:
        wanted = query.wanted
        return Ordering(
            query.asked,
            by_words=wanted.mode == KEYWORD,
            radius=wanted.radius,
            ranked_max=wanted.limit * _RANKED_FOR_EACH_WANTED,
            shown=None if wanted.per_conversation else wanted.limit,
            lowered=-math.log(max(_LEAST_LEFT, 1.0 - self._settings.time_weight)),
        )

    async def _ranked(self, scope: UserScope, looked: _Looked) -> list[Scored]:
        (_, wanted, now_ms), pool, (fit, best, near, beyond), unstored = looked
        if not pool.candidates:
            return []
        found = await self._read(scope, pool, near, unstored)
        if len(found) < len(near) < len(best):  # some were erased meanwhile: the next ones move up
            near = best
            found = await self._read(scope, pool, near, unstored)
        places = np.array(near, np.intp)
        above_middle = (fit.total[places] - _middle(len(pool.candidates))).tolist()
        walked_to = beyond[places].tolist() if len(beyond) else [0.0] * len(near)
        stood = [
            self._stood(place, memory, above, walked, now_ms)
            for place, above, walked in zip(near, above_middle, walked_to, strict=True)
            if (memory := found.get(pool.candidates[place].memory_id)) is not None
        ]
        stood.sort(key=lambda one: one.odds + one.beyond, reverse=True)
        shown = stood if wanted.per_conversation else stood[: wanted.limit]
        return grouped(_scored(looked, shown), wanted)[: wanted.limit]

    async def _read(
        self, scope: UserScope, pool: Pool, places: Sequence[int], unstored: Mapping[str, Memory]
    ) -> dict[str, Memory]:
        ids = [pool.candidates[place].memory_id for place in places]
        found = {key: known[key] for known in (pool.read, unstored) for key in ids if key in known}
        unread = [memory_id for memory_id in ids if memory_id not in found]
        stored = await self._memories.get(scope, unread) if unread else []
        return found | {memory.memory_id: memory for memory in stored}

    def _stood(self, place: int, memory: Memory, above: float, beyond: float, now_ms: int) -> _Stood:
        """A record as time weighs it.

        Time takes of the odds, not of the score: near 1 a few percent of the score outweigh any difference of S, and
        what was recalled once would be recalled ever after.
        """
        weight = self._settings.time_weight
        alive = min(1.0, vitality(memory, now_ms, self._settings.decay))
        left = math.log(max(_LEAST_LEFT, 1.0 - weight + weight * alive))
        return _Stood(place, memory, above, alive, above + left, beyond)


def _not_in(pool: Pool, tail: Sequence[Pending]) -> list[Pending]:
    """What of it the store does not hold yet."""
    stored = {each.memory_id for each in pool.candidates}
    return [one for one in tail if one.memory.memory_id not in stored]


def _scored(looked: _Looked, shown: Sequence[_Stood]) -> list[Scored]:
    places, fit = np.array([one.place for one in shown], np.intp), looked.order.fit
    cosines = looked.pool.cosine[places].tolist()
    columns = [values[places].tolist() for values in fit.parts.values()]
    each = zip(shown, cosines, zip(*columns, strict=True), strict=True)
    return [
        Scored(
            memory=one.memory,
            score=_logistic(one.odds),
            parts={**dict(zip(fit.parts, row, strict=True)), **_weighed(one)},
            pending=one.memory.memory_id in looked.fresh,
            cosine=None if math.isnan(cosine) else cosine,
            beyond=one.beyond,
        )
        for one, cosine, row in each
    ]


def _weighed(one: _Stood) -> dict[str, float]:
    """What relevance and time say by themselves."""
    return {"relevance": _logistic(one.above), "vitality": one.alive}


def searched(wanted: Filter) -> Filter:
    """The filter with the kinds that are searched when it names none."""
    if wanted.kinds:
        return wanted
    return _SEARCHED if wanted == Filter() else replace(wanted, kinds=SEARCHED_KINDS)


def named(speakers: Iterable[str]) -> tuple[str, ...]:
    """Those who have a name, each once."""
    return tuple(dict.fromkeys(name for name in speakers if name not in _ROLES))


def _middle(records: int) -> float:
    """The relevance S that becomes a score of one half: about what the best of unrelated records reaches.

    The deviation of one among n records is at most sqrt(n - 1), so it is less in a small pool.
    """
    return _MIDDLE * min(1.0, float(np.sqrt((records - 1) / (_FULL_POOL - 1))))


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


def _log_odds(score: float) -> float:
    within = min(max(score, _ROUNDING), 1.0 - _ROUNDING)
    return math.log(within / (1.0 - within))


def grouped(scored: Sequence[Scored], wanted: Wanted) -> list[Scored]:
    """The best of each conversation only, where that is asked for."""
    if not wanted.per_conversation:
        return list(scored)
    best: dict[str, Scored] = {}
    for one in scored:
        best.setdefault(one.memory.source.conversation, one)
    return list(best.values())
