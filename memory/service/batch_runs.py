"""Doing what a batch is: some memories at a time, so that it can be followed, stopped and taken up again."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.consolidation.batches import left_out
from memory.consolidation.remember import Rememberer
from memory.errors import TemporaryError
from memory.model.batch import Batch, BatchKey, BatchOp, BatchState, Failures, LeftOut
from memory.model.change import Op
from memory.model.history import Doing
from memory.model.memory import Memory
from memory.ports import Batches, Clock
from memory.scope import UserScope
from memory.service.erasures import Erasures
from memory.service.fading import Fading
from memory.service.forgetting import Forgetting
from memory.service.memories import Remembered

_LOG: Final = logging.getLogger("anamnesis.batches")
_TOGETHER: Final = 200
_STRETCH_MS: Final = 2_000
"""So long a batch is worked on before another one has its turn."""


class Doers(NamedTuple):
    """Who does what batches are."""

    fading: Fading
    forgetting: Forgetting
    erasures: Erasures


class BatchRunner:
    """Works on batches. What is done is written down behind it: whoever takes a batch up does the last part again.

    That changes nothing: what is gone is gone, and what is archived stays so.
    """

    def __init__(
        self,
        batches: Batches,
        remembered: Remembered,
        rememberer: Rememberer,
        doers: Doers,
        clock: Clock,
    ) -> None:
        self._batches = batches
        self._memories, self._tail = remembered.memories, remembered.tail
        self._rememberer = rememberer
        self._fading, self._forgetting, self._erasures = doers
        self._clock = clock

    async def open(self) -> Sequence[BatchKey]:
        """What there is to do, the longest begun first."""
        return await self._batches.open(self._clock.now_ms())

    async def run(self, key: BatchKey) -> bool:
        """Work on a batch for a while, unless somebody else does; whether anything was done.

        Raises what the stores raise: then it goes on with the next call.
        """
        async with self._batches.claim(key) as claimed:
            if claimed is None:
                return False
            until_ms = self._clock.now_ms() + _STRETCH_MS
            batch = await self._begun(claimed)
            while batch is not None and batch.goes_on:
                if self._clock.now_ms() > until_ms:
                    return True
                batch = await self._some(batch)
            if batch is not None and batch.state is BatchState.RUNNING:
                await self._end(batch)
            return True

    async def _begun(self, batch: Batch) -> Batch | None:
        """The batch under way; as it is where somebody has cancelled it meanwhile."""
        if batch.state is BatchState.RUNNING:
            return batch
        erasure_id = await self._erasures.begin() if batch.op is BatchOp.FORGET else ""
        return await self._batches.begin(batch.key, erasure_id, self._clock.now_ms())

    async def _some(self, batch: Batch) -> Batch | None:
        """The next of them. A batch of which the ids are lost is stopped: it must not look done."""
        ids = await self._batches.memory_ids(batch.key, batch.done, _TOGETHER)
        if not ids:
            return replace(batch, stops=True)
        return await self._batches.advance(batch.key, batch.done + len(ids), await self._do(batch, ids))

    async def _do(self, batch: Batch, ids: Sequence[str]) -> Failures:
        """Do it to these; returns those that stay as they are, and why."""
        scope = await self._rememberer.standing(batch.scope)
        pending = await self._tail.ids(scope)
        there = {memory.memory_id: memory for memory in await self._memories.get(scope, ids)}
        why = {each: left_out(there.get(each), batch.op, each in pending, core=batch.include_core) for each in ids}
        failures = {each: reason for each, reason in why.items() if reason is not None}
        done = LeftOut.UNKNOWN if batch.op is BatchOp.FORGET else LeftOut.SAME
        failures = {each: reason for each, reason in failures.items() if reason is not done}
        return failures | await self._each(scope, batch, [there[each] for each in ids if why[each] is None])

    async def _each(self, scope: UserScope, batch: Batch, memories: Sequence[Memory]) -> Failures:
        """All at once; where that meets a bug one after the other, so that it costs the others nothing."""
        try:
            if memories:
                await self._change(scope, batch, memories)
        except TemporaryError:
            raise
        except Exception:  # noqa: BLE001 - the border of one memory
            if len(memories) > 1:
                failures: dict[str, LeftOut] = {}
                for memory in memories:
                    failures |= await self._each(scope, batch, (memory,))
                return failures
            _LOG.exception("a memory of a batch stays as it is", extra={"operation": batch.op})
            return {memories[0].memory_id: LeftOut.FAILED}
        return {}

    async def _change(self, scope: UserScope, batch: Batch, memories: Sequence[Memory]) -> None:
        if batch.op is BatchOp.FORGET:
            await self._forgetting.forget_memories(batch.scope, memories)
            return
        op = Op.ARCHIVED if batch.op is BatchOp.ARCHIVE else Op.RESTORED
        doing = Doing(op, batch.by, self._clock.now_ms(), batch.why)
        await self._fading.move(scope, [memory.memory_id for memory in memories], doing)

    async def _end(self, batch: Batch) -> None:
        if batch.erasure_id:
            await self._erasures.end(batch.erasure_id, batch.key.tenant, 0)
        state = BatchState.CANCELLED if batch.done < batch.total else BatchState.DONE
        await self._batches.end(batch.key, state, self._clock.now_ms())
        counts = {"operation": batch.op, "done": batch.done, "failed": batch.failed}
        _LOG.info("a batch is %s", state, extra=counts)
