"""What a session's answers rested on is strengthened when it becomes memory (docs/decisions/0044)."""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from memory.consolidation.derive import said_in
from memory.consolidation.fitting import fitting
from memory.consolidation.pages import all_of
from memory.consolidation.reviews import strengthened
from memory.errors import InvariantBroken, TemporaryError
from memory.language.choice import AUTO, spoken
from memory.model.change import Op
from memory.model.extraction import Said
from memory.model.history import RULES, Doing
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.search import Filter
from memory.ports import Judge, LongTermStore, MemoryStore
from memory.retrieval.decay import SHOWN_COOLDOWN_MS, BoostSettings
from memory.retrieval.used import Answer, answers_of, rests_on, words_of
from memory.scope import ConversationScope, UserScope
from memory.session.given import given_in

_LOG: Final = logging.getLogger("anamnesis.curation")
_CURATED: Final = Filter(kinds=(Kind.EPISODE, Kind.FACT, Kind.EVENT, Kind.CREATED))
_LOOKED_AT: Final = 200
"""Memories whose words fit the answers of a session best."""
_LISTED_MAX: Final = 20_000
_ASKED_AT_ONCE: Final = 50
"""Memories of which a model is asked in one request."""
_WORDS_MAX: Final = 2_000
"""Words of a session's answers that are looked for, the first ones."""


class Curator:
    """Judges by rules, or by a model where there is one. A session that is judged again changes nothing.

    Uses are counted at the times of its answers. It asks for a user's memories once a session, and reads its units one
    by one: it costs what they are long.
    """

    def __init__(
        self, memories: MemoryStore, units: LongTermStore, boost: BoostSettings, judge: Judge | None = None
    ) -> None:
        self._memories = memories
        self._units = units
        self._boost = boost
        self._judge = judge

    @property
    def name(self) -> str:
        """Who judges."""
        return RULES if self._judge is None else self._judge.name

    async def judge(self, scope: UserScope, place: ConversationScope, unit_ids: Sequence[str]) -> int:
        """Strengthen what was shown while a session lived, and its answers rest on; returns how many memories.

        Raises what the stores raise. Where the model cannot be asked the rules decide.
        """
        uses = await self.uses(scope, place, unit_ids)
        await self.strengthen(scope, uses)
        return len(uses)

    async def strengthen(self, scope: UserScope, uses: Mapping[str, Sequence[int]]) -> Sequence[Memory]:
        """Count uses at these times (ms); returns the memories as they are now. Counted again nothing changes."""
        if not uses:
            return []
        return await self._memories.change(scope, list(uses), lambda memory: self._used(memory, uses[memory.memory_id]))

    def counts(self, memory: Memory, at: Sequence[int]) -> bool:
        """Whether counting uses at these times (ms) would change a memory: it does not once they were counted."""
        return self._used(memory, at) != memory

    async def uses(
        self, scope: UserScope, place: ConversationScope, unit_ids: Sequence[str]
    ) -> Mapping[str, Sequence[int]]:
        """Of each memory that answers of a session rest on, when these were given (ms). Changes nothing.

        Raises as `judge`.
        """
        words: dict[str, None] = {}
        lived = _Lived(place.conversation)
        async for unit, answers, given in self._answers(place, unit_ids):
            lived = lived.with_(unit, given)
            if len(words) < _WORDS_MAX:
                words |= dict.fromkeys(words_of(answers))
        found = await self._looked_at(scope, list(words)[:_WORDS_MAX])
        texts = {each.memory_id: f"{each.object} {each.text}".strip() for each in found if lived.saw(each)}
        if not texts:
            return {}
        at: dict[str, list[int]] = defaultdict(list)
        asks = self._judge is not None
        async for unit, answers, given in self._answers(place, unit_ids):
            judged = await self._asked(scope, unit, texts, given) if asks else None
            asks = asks and judged is not None  # who does not answer is not asked of each unit again
            for memory_id, text in texts.items():
                told = [each.at_ms for each in answers if given.had(each.seq, memory_id) and rests_on(each, text)]
                at[memory_id] += told if judged is None else judged[memory_id]
        return {memory_id: sorted(times) for memory_id, times in at.items() if times}

    async def _looked_at(self, scope: UserScope, words: Sequence[str]) -> Sequence[Memory]:
        """By rules what has a word of the answers; a model is asked of all that may have been shown."""
        if self._judge is None:
            return await fitting(self._memories, scope, words, _CURATED, _LOOKED_AT)
        return (await all_of(self._memories, scope, _CURATED, _LISTED_MAX))[0]

    async def _asked(
        self, scope: UserScope, unit: MemUnit, texts: Mapping[str, str], given: "_Given"
    ) -> Mapping[str, Sequence[int]] | None:
        """When the answers of a unit that rest on each memory were given, as a model says; None: it does not."""
        judge, said = self._judge, await asyncio.to_thread(_said, unit)
        if judge is None or all(each.own for each in said):
            return None if judge is None else dict.fromkeys(texts, ())
        locale = spoken(AUTO, (each.text for each in said))
        at = {each.seq: each.at_ms for each in said}
        times: dict[str, Sequence[int]] = {}
        every = list(texts)
        try:
            for start in range(0, len(every), _ASKED_AT_ONCE):
                some = every[start : start + _ASKED_AT_ONCE]
                seqs = await judge.used(scope.tenant, locale, said, [texts[memory_id] for memory_id in some])
                for memory_id, rests in zip(some, seqs, strict=True):
                    times[memory_id] = [at[seq] for seq in rests if given.had(seq, memory_id)]
        except (TemporaryError, InvariantBroken) as error:
            _LOG.info("what answers rest on is judged by rules", extra={"reason": type(error).__name__})
            return None
        return times

    async def _answers(
        self, place: ConversationScope, unit_ids: Sequence[str]
    ) -> AsyncIterator[tuple[MemUnit, list[Answer], "_Given"]]:
        for unit_id in unit_ids:
            unit = await self._units.get_memunit(place, unit_id)
            if unit is not None:
                answers, given = await asyncio.to_thread(_answers_of, unit)
                yield unit, answers, given

    def _used(self, memory: Memory, at: Sequence[int]) -> Memory:
        by = self.name
        return reduce(lambda made, at_ms: strengthened(made, Doing(Op.USED, by, at_ms), self._boost), at, memory)


class _Lived(NamedTuple):
    """From when to when (ms) a conversation's session was said."""

    conversation: str
    started_ms: int | None = None
    ended_ms: int = 0
    given: frozenset[str] = frozenset()

    def with_(self, unit: MemUnit, given: "_Given") -> "_Lived":
        """And this unit, with what its answers were given with."""
        started = unit.started_ms if self.started_ms is None else min(self.started_ms, unit.started_ms)
        ended = max(self.ended_ms, unit.ended_ms)
        return self._replace(started_ms=started, ended_ms=ended, given=self.given.union(*given.memories.values()))

    def saw(self, memory: Memory) -> bool:
        """Whether a memory of another conversation stood in a context meanwhile.

        An answer says it, or it was noted: once in two hours, so it may have been noted before; a context comes before
        its turn is written.
        """
        last = memory.accessed_ms
        if memory.source.conversation == self.conversation:
            return False
        if memory.memory_id in self.given:
            return True
        if last is None or self.started_ms is None:
            return False
        return self.started_ms - SHOWN_COOLDOWN_MS <= last <= self.ended_ms


class _Given(NamedTuple):
    """By the numbers of answers, the memories that stood in the contexts before them, as far as it was noted."""

    memories: Mapping[int, Collection[str]]

    @classmethod
    def with_(cls, unit: MemUnit) -> "_Given":
        """For the answers of a unit."""
        return cls({seq: frozenset(given.memory_ids) for seq, given in given_in(json.loads(unit.messages))})

    def had(self, seq: int, memory_id: str) -> bool:
        """Whether an answer can rest on a memory: where nothing was noted it may."""
        return seq not in self.memories or memory_id in self.memories[seq]


def _said(unit: MemUnit) -> list[Said]:
    return list(said_in(unit))


def _answers_of(unit: MemUnit) -> tuple[list[Answer], _Given]:
    return answers_of(said_in(unit)), _Given.with_(unit)
