"""Forgetting what has faded: archived first, erased after a retention. Costs what is due, not what is stored."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol

from memory.consolidation.knowledge.profiles import places_of
from memory.model.change import Op
from memory.model.history import DECAY, Doing, noted
from memory.model.memory import Kind, Memory
from memory.ports import Clock, Fades, MemoryStore
from memory.retrieval.decay import DecaySettings, fades_below
from memory.scope import ConversationScope, UserScope

BATCH: Final = 200


class Settle(Protocol):
    """What follows for a user from facts that have faded: profiles, also of groups, say them no longer."""

    def __call__(self, scope: UserScope, facts: Sequence[Memory], *at: ConversationScope) -> Awaitable[None]:
        """Make it so."""
        ...


Keeps = Callable[[Memory, int], Memory]
"""What becomes of a memory that has faded, at this time (ms), where a rule keeps it; itself where none does."""


class Faded(NamedTuple):
    """What one sweep did."""

    archived: int
    erased: int


def leaves_at(memory: Memory, decay: DecaySettings, retention_ms: int) -> int | None:
    """When a memory comes due: to be archived, or, archived already, to be erased. None: never."""
    if memory.archived_ms is not None:
        return memory.archived_ms + retention_ms
    return fades_below(memory, decay.forget_below, decay)


class Fader:
    """Archives and erases what is due. Any number of them may run: each step is done once, or again for nothing."""

    def __init__(self, memories: MemoryStore, clock: Clock, leaves: Fades, settle: Settle, keeps: Keeps) -> None:
        """`keeps`: what a rule does with a memory that is to be archived: as it is, or kept."""
        self._memories = memories
        self._clock = clock
        self._leaves = leaves
        self._settle = settle
        self._keeps = keeps

    async def sweep(self, limit: int = BATCH) -> Faded:
        """Handle what is due now, the earliest first, up to `limit`."""
        now_ms = self._clock.now_ms()
        archived = erased = 0
        facts: dict[UserScope, list[Memory]] = {}
        for due in await self._memories.due(now_ms, limit):
            scope = UserScope(due.tenant, due.user)
            for memory in await self._memories.get(scope, (due.memory_id,)):
                if memory.archived_ms is None:
                    changed = await self._memories.change(scope, (due.memory_id,), self._archive(now_ms))
                    archived += sum(one.archived_ms is not None for one in changed)
                    facts.setdefault(scope, []).extend(one for one in changed if one.kind is Kind.FACT)
                elif (
                    leaves := self._leaves(memory)
                ) is not None and leaves <= now_ms:  # its time may be another by now
                    links = [link.memory_id for link in await self._memories.links(scope, (due.memory_id,))]
                    erased += await self._memories.erase(scope, (*links, due.memory_id))
        for scope, gone in facts.items():
            await self._settle(scope, gone, *places_of(scope, gone))
        return Faded(archived, erased)

    def _archive(self, now_ms: int) -> Callable[[Memory], Memory]:
        """Archive a memory, unless it was used since it was found due."""

        def change(memory: Memory) -> Memory:
            leaves = self._leaves(memory)
            if leaves is None or leaves > now_ms:
                return memory
            kept = self._keeps(memory, now_ms)
            if kept is not memory:
                return kept
            return noted(memory, replace(memory, archived_ms=now_ms), Doing(Op.ARCHIVED, DECAY, now_ms))

        return change
