"""Searching a user's memories: plan, pool, relevance, time, and why each stands where it stands."""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from memory.errors import InvariantBroken, TemporaryError
from memory.model.memory import Memory
from memory.model.search import Filter, Pool, Probe, Vector
from memory.ports import Clock, Embedder, MemoryStore
from memory.retrieval.decay import DecaySettings, vitality
from memory.retrieval.plan import Plan, plan
from memory.retrieval.relevance import relevance
from memory.scope import UserScope

_LOG: Final = logging.getLogger("anamnesis.search")
KEYWORD, VECTOR, HYBRID = "keyword", "vector", "hybrid"
_RANKED_FOR_EACH_WANTED: Final = 4
_MIDDLE: Final = 2.0
_FULL_POOL: Final = 26
_LEAST_LEFT: Final = 1e-9
ROLES: Final = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`time_weight`: how much of a score fading can take away (0: none, 1: all)."""

    decay: DecaySettings = field(default_factory=DecaySettings)
    time_weight: float = 0.2


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search. `radius`: the least cosine of a vector search; `per_conversation`: the best of each only.

    `vector_deadline_s`: how long the query's vector is waited for, before it is searched by words alone.
    """

    query: str
    mode: str = HYBRID
    limit: int = 10
    filter: Filter = field(default_factory=Filter)
    radius: float | None = None
    per_conversation: bool = False
    vector_deadline_s: float | None = None


class Scored(NamedTuple):
    """A memory, its score (0..1), and the parts of it by name."""

    memory: Memory
    score: float
    parts: Mapping[str, float]


class Found(NamedTuple):
    """The best, best first; how they were searched for; and what was down."""

    results: Sequence[Scored]
    mode: str
    degraded: Sequence[str]


class MemorySearch:
    """Searches. An embedder that is down or busy costs the vector part, never the answer."""

    def __init__(
        self, memories: MemoryStore, embedder: Embedder | None, clock: Clock, settings: SearchSettings
    ) -> None:
        self._memories = memories
        self._embedder = embedder
        self._clock = clock
        self._settings = settings

    async def find(self, scope: UserScope, wanted: Wanted) -> Found:
        """Search a user's memories. Raises StoreUnavailable when the store does not answer."""
        now_ms = self._clock.now_ms()
        speakers = [name for name in await self._memories.speakers(scope) if name not in ROLES]
        asked = plan(wanted.query, speakers, now_ms)
        vector, degraded = await self._vector(asked, wanted)
        mode = wanted.mode if vector is not None else KEYWORD
        terms = () if mode == VECTOR else asked.terms
        pool = await self._memories.pool(scope, Probe(terms, vector, wanted.filter))
        results = await self._ranked(scope, pool, asked, wanted, now_ms)
        return Found(results, mode, degraded)

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

    async def _ranked(self, scope: UserScope, pool: Pool, asked: Plan, wanted: Wanted, now_ms: int) -> list[Scored]:
        if not pool.candidates:
            return []
        fit = relevance(pool, asked)
        order = [int(place) for place in np.argsort(-fit.total, kind="stable") if _within(pool, int(place), wanted)]
        best = order[: wanted.limit * _RANKED_FOR_EACH_WANTED]
        ids = [pool.candidates[place].memory_id for place in best]
        found = {memory.memory_id: memory for memory in await self._memories.get(scope, ids)}
        scored = []
        for place, memory_id in zip(best, ids, strict=True):
            if memory_id in found:
                parts = {name: float(values[place]) for name, values in fit.parts.items()}
                above = float(fit.total[place]) - _middle(len(pool.candidates))
                scored.append(self._score(found[memory_id], above, parts, now_ms))
        scored.sort(key=lambda one: -one.score)
        return _grouped(scored, wanted)[: wanted.limit]

    def _score(self, memory: Memory, above: float, parts: dict[str, float], now_ms: int) -> Scored:
        """Relevance, as a logistic of S around its middle, less what time has taken from its odds.

        Of the odds, not of the score: near 1 a few percent of the score outweigh any difference of S, and what was
        recalled once would be recalled ever after.
        """
        fit = _logistic(above)
        alive = min(1.0, vitality(memory, now_ms, self._settings.decay))
        weight = self._settings.time_weight
        score = _logistic(above + math.log(max(_LEAST_LEFT, 1.0 - weight + weight * alive)))
        return Scored(memory, score, parts | {"relevance": fit, "vitality": alive})


def _middle(records: int) -> float:
    """The relevance S that becomes a score of one half: about what the best of unrelated records reaches.

    The deviation of one among n records is at most sqrt(n - 1), so it is less in a small pool.
    """
    return _MIDDLE * min(1.0, float(np.sqrt((records - 1) / (_FULL_POOL - 1))))


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


def _within(pool: Pool, place: int, wanted: Wanted) -> bool:
    """Whether a record is an answer at all: by words it shares one, by meaning it lies within the radius."""
    lexical, cosine = pool.lexical[place], pool.cosine[place]
    if wanted.mode == KEYWORD or np.isnan(cosine):
        return bool(lexical > 0)
    return wanted.radius is None or bool(cosine >= wanted.radius)


def _grouped(scored: Sequence[Scored], wanted: Wanted) -> list[Scored]:
    if not wanted.per_conversation:
        return list(scored)
    best: dict[str, Scored] = {}
    for one in scored:
        best.setdefault(one.memory.source.conversation, one)
    return list(best.values())
