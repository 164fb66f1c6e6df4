"""Building an index generation from the records beside the one in use, and completing what was left open in it."""

import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.consolidation.derive import flags, said_in
from memory.consolidation.index_texts import embed_text, entry_terms, is_passage, own_terms, passage_terms
from memory.model.memory import STAGED, Memory
from memory.model.search import IndexEntry, Unindexed, Vector
from memory.ports import Embedder, LongTermStore, MemoryArchive
from memory.scope import ConversationScope, UserScope

_TOGETHER: Final = 64
"""Records that are embedded and written at once: what an interruption loses."""

Observer = Callable[[int, int, int], None]
"""Is told (users looked at, of how many, records completed) as the work goes on."""
Passages = Mapping[int, Sequence[str]]


def _unobserved(users: int, of: int, records: int) -> None:
    """Nobody watches."""


class Reindexer:
    """Completes the index generation of the settings. Every batch is durable: after an interruption run it again.

    What is erased meanwhile is not written again; what is written meanwhile is found by the next round.
    """

    def __init__(self, memories: MemoryArchive, units: LongTermStore, embedder: Embedder | None) -> None:
        self._memories = memories
        self._units = units
        self._embedder = embedder

    async def run(self, observe: Observer = _unobserved) -> int:
        """Go over all users until nothing is open, and declare the generation ready; returns records completed.

        Gateways that write all the time leave a few open in each round: when they grow no fewer, the worker of the
        gateways with the new settings completes them.

        Raises what the stores and the embedder raise.
        """
        total, before = 0, sys.maxsize
        while True:
            done, open_ones = await self._round(total, observe)
            total += done
            if not open_ones or open_ones >= before:
                break
            before = open_ones
        await self._memories.make_ready()
        return total

    async def is_alone(self) -> bool:
        """Whether the store has no other generation, so that no gateway leaves entries open."""
        return len(await self._memories.generations()) == 1

    async def mend(self) -> int:
        """Complete once what gateways with other settings have left open; returns of how many records."""
        return (await self._round(0, _unobserved))[0]

    async def settle(self, scope: UserScope) -> int:
        """Complete what is staged or open of one user; returns of how many records."""
        return sum([await self._complete(scope, batch) async for batch in self._open(scope)])

    async def settle_all(self) -> int:
        """The same of everybody: what was staged and whose job was lost."""
        return sum([await self.settle(scope) async for scope in self._memories.users()])

    async def count_open(self) -> int:
        """How many records have an entry that is not complete."""
        return sum([await self.left(scope) async for scope in self._memories.users()])

    async def left(self, scope: UserScope) -> int:
        """How many of one user."""
        return sum([len(found) async for found in self._memories.unindexed(scope)])

    async def _round(self, before: int, observe: Observer) -> tuple[int, int]:
        """All users once; returns the records completed, and those that were open."""
        users = await self._memories.count_users()
        looked = done = open_ones = 0
        async for scope in self._memories.users():
            async for batch in self._open(scope):
                open_ones += len(batch)
                done += await self._complete(scope, batch)
                observe(looked, users, before + done)
            looked += 1
            observe(looked, max(users, looked), before + done)
        return done, open_ones

    async def _open(self, scope: UserScope) -> AsyncIterator[Sequence[Unindexed]]:
        async for found in self._memories.unindexed(scope):
            for start in range(0, len(found), _TOGETHER):
                yield found[start : start + _TOGETHER]

    async def _complete(self, scope: UserScope, batch: Sequence[Unindexed]) -> int:
        """The entry last: while it is open, all of this is done again."""
        entries = await self._indexed(scope, batch)
        staged = [memory.memory_id for memory, _ in batch if memory.stage == STAGED]
        if staged:
            await self._memories.change(scope, staged, lambda memory: replace(memory, stage=""))
        return await self._memories.complete(scope, entries)

    async def _indexed(self, scope: UserScope, found: Sequence[Unindexed]) -> list[IndexEntry]:
        passages = await self._passages(scope, [each.memory for each in found if is_passage(each.memory)])
        vectors = await self._vectors(found)
        return [
            IndexEntry(
                memory,
                entry_terms(memory, passages.get(memory.source.unit_id, {})),
                vectors.get(number),
                *flags(memory),
            )
            for number, (memory, _) in enumerate(found)
        ]

    async def _passages(self, scope: UserScope, memories: Sequence[Memory]) -> dict[str, Passages]:
        """Terms of the messages of each unit that these memories are passages of."""
        found: dict[str, Passages] = {}
        for source in {each.source.unit_id: each.source for each in memories}.values():
            unit = await self._units.get_memunit(ConversationScope(scope.tenant, source.conversation), source.unit_id)
            if unit is not None:
                found[source.unit_id] = passage_terms({said.seq: own_terms(said.text) for said in said_in(unit)})
        return found

    async def _vectors(self, found: Sequence[Unindexed]) -> dict[int, Vector]:
        """By place in `found`: what another generation has of the same space is not made again."""
        if self._embedder is None:
            return {}
        there = {number: each.vector for number, each in enumerate(found) if each.vector is not None}
        lacking = [number for number in range(len(found)) if number not in there]
        if lacking:
            made = await self._embedder.passages([embed_text(found[number].memory) for number in lacking])
            there |= dict(zip(lacking, made, strict=True))
        return there
