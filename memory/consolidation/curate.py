"""What a session's answers rested on is strengthened when it becomes memory (docs/decisions/0044)."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from functools import reduce
from typing import Final, NamedTuple

from memory.consolidation.derive import said_in
from memory.consolidation.fitting import fitting
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.search import Filter
from memory.ports import LongTermStore, MemoryStore
from memory.retrieval.decay import SHOWN_COOLDOWN_MS, BoostSettings, used
from memory.retrieval.used import Answer, answers_of, rests_on, words_of
from memory.scope import ConversationScope, UserScope

_CURATED: Final = Filter(kinds=(Kind.EPISODE, Kind.FACT, Kind.EVENT, Kind.CREATED))
_LOOKED_AT: Final = 200
"""Memories whose words fit the answers of a session best."""
_WORDS_MAX: Final = 2_000
"""Words of a session's answers that are looked for, the first ones."""


class Curator:
    """Judges by rules. A session that is judged again changes nothing: uses are counted at the times of its answers.

    It asks for a user's memories once a session, and reads its units one by one: it costs what they are long.
    """

    def __init__(self, memories: MemoryStore, units: LongTermStore, boost: BoostSettings) -> None:
        self._memories = memories
        self._units = units
        self._boost = boost

    async def judge(self, scope: UserScope, place: ConversationScope, unit_ids: Sequence[str]) -> int:
        """Strengthen what was shown while a session lived, and is named by its answers; returns how many memories.

        Raises what the stores raise.
        """
        words: dict[str, None] = {}
        lived = _Lived(place.conversation)
        async for unit, answers in self._answers(place, unit_ids):
            lived = lived.with_(unit)
            if len(words) < _WORDS_MAX:
                words |= dict.fromkeys(words_of(answers))
        found = await fitting(self._memories, scope, list(words)[:_WORDS_MAX], _CURATED, _LOOKED_AT)
        texts = {each.memory_id: f"{each.object} {each.text}" for each in found if lived.saw(each)}
        if not texts:
            return 0
        at: dict[str, list[int]] = defaultdict(list)
        async for _, answers in self._answers(place, unit_ids):
            for memory_id, text in texts.items():
                at[memory_id] += [each.at_ms for each in answers if rests_on(each, text)]
        ids = [memory_id for memory_id, times in at.items() if times]
        if ids:
            await self._memories.change(scope, ids, lambda memory: self._used(memory, at[memory.memory_id]))
        return len(ids)

    async def _answers(
        self, place: ConversationScope, unit_ids: Sequence[str]
    ) -> AsyncIterator[tuple[MemUnit, list[Answer]]]:
        for unit_id in unit_ids:
            unit = await self._units.get_memunit(place, unit_id)
            if unit is not None:
                yield unit, await asyncio.to_thread(_answers_of, unit)

    def _used(self, memory: Memory, at: Sequence[int]) -> Memory:
        return reduce(lambda made, at_ms: used(made, at_ms, self._boost), sorted(at), memory)


class _Lived(NamedTuple):
    """From when to when (ms) a conversation's session was said."""

    conversation: str
    started_ms: int | None = None
    ended_ms: int = 0

    def with_(self, unit: MemUnit) -> "_Lived":
        """And this unit."""
        started = unit.started_ms if self.started_ms is None else min(self.started_ms, unit.started_ms)
        return self._replace(started_ms=started, ended_ms=max(self.ended_ms, unit.ended_ms))

    def saw(self, memory: Memory) -> bool:
        """Whether a memory of another conversation stood in a context meanwhile.

        That is noted once in two hours, so it may have been noted before; a context comes before its turn is written.
        """
        last = memory.accessed_ms
        if last is None or self.started_ms is None or memory.source.conversation == self.conversation:
            return False
        return self.started_ms - SHOWN_COOLDOWN_MS <= last <= self.ended_ms


def _answers_of(unit: MemUnit) -> list[Answer]:
    return answers_of(said_in(unit))
