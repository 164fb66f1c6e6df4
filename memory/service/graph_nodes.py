"""MergeNodes, SplitNodes, ResolveMemoryConflict: what somebody decides about a graph. Nothing is rewritten by it."""

import asyncio
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

from memory.consolidation.derive import indexed, is_guarded
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.errors import FieldError, Guarded, InvalidInput, NoConflict, NotFound, WouldMergePeople
from memory.graph.conflicts import conflicts
from memory.graph.created import normal
from memory.graph.identity import DIFFERENT, SAME, Telling, apart, between, guard, verdict, verdict_id
from memory.graph.triples import Node
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.graph_view_calls import (
    MergeNodesRequest,
    MergeNodesResponse,
    ResolveMemoryConflictRequest,
    ResolveMemoryConflictResponse,
    SplitNodesRequest,
    SplitNodesResponse,
)
from memory.model.history import Doing, noted
from memory.model.memory import Memory
from memory.model.memory_calls import MemoryAnswer
from memory.model.search import IndexEntry
from memory.ports import Clock
from memory.retrieval.decay import DecaySettings
from memory.scope import UserScope
from memory.service.graph_view import GraphReader, whole_node
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields

_WHY: Final = {
    "numbers": "their numbers differ",
    "opposites": "one says the opposite of the other",
    "degree": "one is what the other measures, too high or too low",
    "denial": "one denies what the other says",
    "medical_terms": "they are two medicines, diseases or operations",
    "places": "they are two places",
    "redacted": "an identifier was taken from one of them: nobody can say what it is",
    "different": "somebody said that they are two; SplitNodes and MergeNodes on these two say otherwise",
}


class NodeOperations:
    """Decisions are records: they are undone, listed, moved and erased like any memory."""

    def __init__(
        self,
        remembered: Remembered,
        reader: GraphReader,
        rememberer: Rememberer,
        minds: Minds,
        clock: Clock,
        decay: DecaySettings,
    ) -> None:
        self._remembered = remembered
        self._memories = remembered.memories
        self._reader = reader
        self._rememberer = rememberer
        self._minds = minds
        self._clock = clock
        self._decay = decay

    async def merge(self, caller: Caller, request: MergeNodesRequest) -> MergeNodesResponse:
        """Make two nodes one. Raises NotFound, InvalidInput, WouldMergePeople, Guarded."""
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        one, other = await self._two(scope, request)
        merge_id = verdict_id(scope, SAME, one.key, other.key)
        there = await self._memories.get(scope, (merge_id,))
        is_new = not (there and there[0].holds)
        if is_new:
            if "person" in {one.kind, other.kind}:
                raise WouldMergePeople(
                    "one of them is a person: tell CreateMemory a relation with the topic 别名 or alias instead"
                )
            await self._require_like(scope, one, other)
            await self._end(scope, verdict_id(scope, DIFFERENT, one.key, other.key), caller.by)
            await self._tell(scope, SAME, (one, other), request.reason or "", caller.by)
        nodes = await self._reader.nodes(scope)
        return MergeNodesResponse(node=whole_node(scope, nodes[one.key]), merge_id=merge_id, created=is_new)

    async def split(self, caller: Caller, request: SplitNodesRequest) -> SplitNodesResponse:
        """Make two nodes of one. Raises NotFound, InvalidInput."""
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        one, other = await self._two(scope, request)
        way = between(await self._reader.verdicts(scope), one.label, other.label)
        was_one = bool(way) and await self._end(scope, way[0].memory_id, caller.by)  # the one that the second stands at
        await self._tell(scope, DIFFERENT, (one, other), request.reason or "", caller.by)
        return SplitNodesResponse(split=was_one, blocked=verdict_id(scope, DIFFERENT, one.key, other.key))

    async def resolve(self, caller: Caller, request: ResolveMemoryConflictRequest) -> ResolveMemoryConflictResponse:
        """End one of two memories that cannot both be so. Raises NotFound, NoConflict, Guarded, InvalidInput."""
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        if request.keep not in request.memory_ids:
            message = "is none of memory_ids"
            raise InvalidInput(f"keep {message}", fields=(FieldError("keep", message),))
        found = {each.memory_id: each for each in await self._memories.get(scope, request.memory_ids)}
        if len(found) != len(set(request.memory_ids)) or len(found) != len(request.memory_ids):
            raise NotFound("this user has no such two memories")
        if not conflicts(found.values()):
            raise NoConflict("these two can both be so, or one of them has ended")
        ended = next(memory_id for memory_id in request.memory_ids if memory_id != request.keep)
        if any(map(is_guarded, found.values())):
            raise Guarded("what safety rests on is decided by ConfirmFacts", more={"guard": "safety"})
        await self._remembered.changed(scope, [found[ended]])
        began, now_ms = found[request.keep].held_from_ms, self._clock.now_ms()
        until_ms = began if found[ended].held_from_ms < began < now_ms else now_ms  # what was so before stays so before
        await self._rememberer.end(scope, [ended], Doing(Op.ENDED, caller.by, now_ms), until_ms)
        await self._remembered.changed(scope, [found[ended]])
        now = {each.memory_id: each for each in await self._memories.get(scope, request.memory_ids)}
        return ResolveMemoryConflictResponse(kept=self._answer(now[request.keep]), ended=self._answer(now[ended]))

    async def _two(self, scope: UserScope, request: MergeNodesRequest | SplitNodesRequest) -> tuple[Node, Node]:
        """The nodes that are meant, as they are without any verdict. Raises NotFound, InvalidInput."""
        one, other = await self._reader.named_apart(scope, {"a": request.a, "b": request.b})
        if one.key == other.key:
            message = "is the same node as a (if an alias was told, forget that memory to make them two)"
            raise InvalidInput(f"b {message}", fields=(FieldError("b", message),))
        return one, other

    async def _require_like(self, scope: UserScope, one: Node, other: Node) -> None:
        """Each label of the one with each of the other, as they are one already. Raises Guarded."""
        nodes, told = await self._reader.nodes(scope), apart(await self._reader.verdicts(scope))
        pair = {normal(one.label), normal(other.label)}
        for here, there in product(*([node.label, *node.aliases] for node in (nodes[one.key], nodes[other.key]))):
            against = await asyncio.to_thread(guard, here, there)  # names of one thing are read when first asked for
            both = frozenset((normal(here), normal(there)))
            if not against and both in told and both != pair:  # of the two themselves somebody says so now
                against = "different"
            if against:
                raise Guarded(f"{here} and {there} are not one: {_WHY[against]}", more={"guard": against})

    async def _tell(self, scope: UserScope, word: str, two: tuple[Node, Node], reason: str, by: str) -> None:
        """Store a verdict, or let it hold again."""
        text, now_ms = self._minds.replacer.text(scope.tenant, reason), self._clock.now_ms()
        made = verdict(scope, word, two[0].key, two[1].key, Telling(now_ms, text))
        await self._memories.put(scope, (IndexEntry(made, indexed(made).terms, None),))
        again = partial(_until, until_ms=None, doing=Doing(Op.RENEWED, by, now_ms, text))
        await self._memories.change(scope, (made.memory_id,), again)

    async def _end(self, scope: UserScope, memory_id: str, by: str) -> bool:
        """Take a verdict off; whether it held."""
        there = await self._memories.get(scope, (memory_id,))
        if not there or not there[0].holds:
            return False
        now_ms = self._clock.now_ms()
        ended = partial(_until, until_ms=now_ms, doing=Doing(Op.ENDED, by, now_ms))
        await self._memories.change(scope, (memory_id,), ended)
        return True

    def _answer(self, memory: Memory) -> MemoryAnswer:
        return MemoryAnswer.model_validate(memory_fields(memory, self._decay))


def _until(memory: Memory, *, until_ms: int | None, doing: Doing) -> Memory:
    """Holding until then; None: without an end."""
    return noted(memory, replace(memory, valid_to_ms=until_ms), doing)
