"""What a session's answers rested on is strengthened when it becomes memory (docs/decisions/0044)."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from typing import Final

from memory.consolidation.derive import said_in
from memory.consolidation.fitting import fitting
from memory.model.memory import Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.search import Filter
from memory.ports import MemoryStore
from memory.retrieval.decay import SHOWN_COOLDOWN_MS, BoostSettings, used
from memory.retrieval.used import answers_of, rests_on, words_of
from memory.scope import Fence, UserScope

_CURATED: Final = Filter(kinds=(Kind.EPISODE, Kind.FACT, Kind.EVENT, Kind.CREATED))
_LOOKED_AT: Final = 50
"""Memories whose words fit the answers of a unit best."""
_WORDS_MAX: Final = 2_000


class Curator:
    """Judges by rules. A unit that is judged again changes nothing: uses are counted at the times of its answers."""

    def __init__(self, memories: MemoryStore, boost: BoostSettings) -> None:
        self._memories = memories
        self._boost = boost

    async def judge(self, unit: MemUnit, fences: tuple[Fence, ...]) -> int:
        """Strengthen what was shown while a unit was said, and is named by its answers; returns how many memories.

        Raises what the store raises.
        """
        answers = await asyncio.to_thread(lambda: answers_of(said_in(unit)))
        words = words_of(answers)[:_WORDS_MAX]
        if not words:
            return 0
        scope = UserScope(unit.scope.tenant, unit.user_id, fences)
        at: dict[str, list[int]] = defaultdict(list)
        for memory in await fitting(self._memories, scope, words, _CURATED, _LOOKED_AT):
            if _was_shown(memory, unit):
                text = f"{memory.object} {memory.text}"
                at[memory.memory_id] += [each.at_ms for each in answers if rests_on(each, text)]
        ids = [memory_id for memory_id, times in at.items() if times]
        if ids:
            await self._memories.change(scope, ids, lambda memory: self._used(memory, at[memory.memory_id]))
        return len(ids)

    def _used(self, memory: Memory, at: Sequence[int]) -> Memory:
        return reduce(lambda made, at_ms: used(made, at_ms, self._boost), sorted(at), memory)


def _was_shown(memory: Memory, unit: MemUnit) -> bool:
    """Whether it stood in a context while the unit was said, of another conversation's memories.

    That is noted once in two hours, so it may have been noted before; a context comes before its turn is written.
    """
    last = memory.accessed_ms
    if last is None or memory.source.conversation == unit.scope.conversation:
        return False
    return unit.started_ms - SHOWN_COOLDOWN_MS <= last <= unit.ended_ms
