"""What the labels of a user's graph have in common: what is written alike is made one, what may be one is suggested.

Verdicts have deterministic ids and are never written twice: one that somebody has taken off stays off, and a run that
is repeated, or runs beside another, changes nothing.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.consolidation.derive import indexed
from memory.consolidation.minds import Minds
from memory.consolidation.pages import all_of
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.label_vectors import LabelVectors
from memory.errors import InvariantBroken, TemporaryError
from memory.graph.conflicts import conflicts
from memory.graph.created import normal
from memory.graph.identity import MAYBE, SAME, Classes, Telling, is_verdict, label_of, pair_of, suggested, verdict
from memory.graph.likeness import Verdict
from memory.graph.suggest import Pair, pairs
from memory.graph.triples import Graph, graph
from memory.limits import GRAPH_RECORDS_MAX, LABELS_COMPARED_MAX, SUGGESTIONS_PER_USER_MAX
from memory.model.change import Op
from memory.model.extraction import Likely
from memory.model.history import RULES, Doing, noted
from memory.model.memory import Kind, Memory
from memory.model.search import Filter, IndexEntry
from memory.ports import Clock, MemoryStore
from memory.scope import UserScope

_LOG: Final = logging.getLogger("anamnesis.tidy")
_TOLD: Final = (Kind.FACT, Kind.CREATED)
_JUDGED_AT_ONCE: Final = 50
JUDGED: Final = "judged"
"""The attribute of a suggestion that a mind was asked about: by which."""


class Tidied(NamedTuple):
    """What was looked at and done: labels, nodes made one, suggestions made, and conflicts that there are."""

    checked: int = 0
    merged: int = 0
    suggested: int = 0
    conflicts: int = 0


class _Read(NamedTuple):
    """What is told, in the order in which it was recorded, and what was decided of its labels."""

    told: Sequence[Memory]
    verdicts: Sequence[Memory]


class _Found(NamedTuple):
    """The things of a graph by their labels in one form, the pairs that become one, and those that may be."""

    keys: Mapping[str, str]
    merges: Sequence[Pair]
    suggestions: Sequence[Pair]
    checked: int


class Tidier:
    """Goes over one user's graph. It costs what the user has; labels are compared on a thread."""

    def __init__(self, memories: MemoryStore, rememberer: Rememberer, minds: Minds, clock: Clock) -> None:
        self._memories = memories
        self._rememberer = rememberer
        self._minds = minds
        self._vectors_of = None if minds.embedder is None else LabelVectors(minds.embedder)
        self._clock = clock

    async def tidy(self, scope: UserScope) -> Tidied:
        """Once. Raises what the store raises; a model that does not answer costs what it would have said."""
        scope = await self._rememberer.standing(scope)
        told = sorted(await self._all(scope, Filter(kinds=_TOLD)), key=lambda each: (each.recorded_ms, each.memory_id))
        read = _Read(told, await self._verdicts(scope))
        if not read.told:
            return Tidied()
        made = await asyncio.to_thread(graph, read.told, self._minds.locale)
        vectors = await self._vectors(_things(made))
        found = await asyncio.to_thread(_found, made, read, vectors)
        merged = await self._merge(scope, found)
        made_now = await self._suggest(scope, found, read)
        merged += await self._judge(scope, read.told)
        against = await asyncio.to_thread(conflicts, read.told)
        return Tidied(found.checked, merged, made_now, len(against))

    async def _merge(self, scope: UserScope, found: _Found) -> int:
        return await self._put(scope, [self._verdict(scope, SAME, pair, found.keys) for pair in found.merges])

    async def _suggest(self, scope: UserScope, found: _Found, read: _Read) -> int:
        room = SUGGESTIONS_PER_USER_MAX - len(suggested(read.verdicts, self._clock.now_ms()))
        maybe = found.suggestions[: max(0, room)]
        return await self._put(scope, [self._verdict(scope, MAYBE, pair, found.keys) for pair in maybe])

    async def _judge(self, scope: UserScope, told: Sequence[Memory]) -> int:
        """Let a mind say of each suggestion, once, whether it is so."""
        judge = self._minds.judge
        if judge is None:
            return 0
        verdicts = await self._verdicts(scope)
        asked = [each for each in suggested(verdicts, self._clock.now_ms()) if JUDGED not in each.attributes]
        said = await asyncio.to_thread(_sayings, told) if asked else {}
        classes, merged = Classes(verdicts), 0
        for start in range(0, len(asked), _JUDGED_AT_ONCE):
            batch = asked[start : start + _JUDGED_AT_ONCE]
            try:
                answers = await judge.same(scope.tenant, self._minds.locale, [_likely(each, said) for each in batch])
            except (TemporaryError, InvariantBroken) as error:
                _LOG.info("suggestions are judged later", extra={"reason": type(error).__name__})
                break
            merged += await self._decided(scope, list(zip(batch, answers, strict=True)), classes, judge.name)
        return merged

    async def _decided(
        self, scope: UserScope, said: Sequence[tuple[Memory, bool | None]], classes: Classes, judge: str
    ) -> int:
        """What was denied is suggested no more; what was said is so, unless a guard is against it; the rest stays.

        The verdicts first: cut off between the two, it is asked again for nothing.
        """
        made: list[Memory] = []
        for each, is_one in said:
            if is_one and classes.may_be_one(pair_of(each)):
                made.append(verdict(scope, SAME, each.subject, each.object, self._telling("judged", judge)))
                classes.join(pair_of(each))
        now_ms, answers = self._clock.now_ms(), {each.memory_id: is_one for each, is_one in said}

        def judged(memory: Memory) -> Memory:
            ended_ms = now_ms if answers[memory.memory_id] is False else memory.valid_to_ms
            after = replace(memory, attributes={**memory.attributes, JUDGED: judge}, valid_to_ms=ended_ms)
            return noted(memory, after, Doing(Op.UPDATED, judge, now_ms))

        merged = await self._put(scope, made)
        await self._memories.change(scope, list(answers), judged)
        return merged

    def _verdict(self, scope: UserScope, word: str, pair: Pair, keys: Mapping[str, str]) -> Memory:
        telling = self._telling(pair.likeness.why, RULES)._replace(sure=round(pair.likeness.score, 3))
        return verdict(scope, word, keys[normal(pair.one)], keys[normal(pair.other)], telling)

    def _telling(self, reason: str, mind: str) -> Telling:
        return Telling(self._clock.now_ms(), reason, mind)

    async def _put(self, scope: UserScope, verdicts: Sequence[Memory]) -> int:
        """Store those that are not there; one that was taken off is left so."""
        there = {each.memory_id for each in await self._memories.get(scope, [each.memory_id for each in verdicts])}
        new = [each for each in verdicts if each.memory_id not in there]
        if new:
            await self._memories.put(scope, [IndexEntry(each, indexed(each).terms, None) for each in new])
        return len(new)

    async def _verdicts(self, scope: UserScope) -> list[Memory]:
        return [each for each in await self._all(scope, Filter(kinds=(Kind.LINK,))) if is_verdict(each)]

    async def _all(self, scope: UserScope, wanted: Filter) -> list[Memory]:
        return (await all_of(self._memories, scope, wanted, GRAPH_RECORDS_MAX))[0]

    async def _vectors(self, labels: Sequence[str]) -> NDArray[np.float32] | None:
        if self._vectors_of is None or not labels:
            return None
        try:
            return await self._vectors_of.of(labels)
        except (TemporaryError, InvariantBroken) as error:  # broken: an endpoint answers with nonsense
            _LOG.info("labels are compared by their writing alone", extra={"reason": error.code})
            return None


def _things(made: Graph) -> list[str]:
    """The labels that may be one with others, the latest first, as many as are compared by meaning."""
    return [node.label for node in reversed(made.nodes) if node.kind == "thing"][:LABELS_COMPARED_MAX]


def _found(made: Graph, read: _Read, vectors: NDArray[np.float32] | None) -> _Found:
    things = [node for node in reversed(made.nodes) if node.kind == "thing"]
    alike = pairs([node.label for node in things], vectors, {pair_of(each) for each in read.verdicts})
    classes, merges = Classes(read.verdicts), list[Pair]()
    for pair in alike:  # one by one, so that a guard sees what the ones before have made one
        if pair.likeness.verdict is Verdict.SAME and classes.may_be_one(pair.ends):
            classes.join(pair.ends)
            merges.append(pair)
    maybe = [pair for pair in alike if pair.likeness.verdict is Verdict.MAYBE and classes.may_be_one(pair.ends)]
    return _Found({normal(node.label): node.key for node in things}, merges, maybe, len(things))


def _sayings(told: Sequence[Memory]) -> dict[str, str]:
    """Words that say each label, by the label in one form; those of the first memory that has it."""
    said: dict[str, str] = {}
    for memory in told:
        for label in (memory.object, memory.predicate, memory.subject):
            said.setdefault(normal(label), memory.source.quote or memory.text)
    return said


def _likely(suggestion: Memory, said: Mapping[str, str]) -> Likely:
    """A suggestion with words that say each of its labels."""
    one, other = label_of(suggestion.subject), label_of(suggestion.object)
    return Likely(one, other, said.get(normal(one), ""), said.get(normal(other), ""))
