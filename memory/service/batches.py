"""PreviewBatch, StartBatch, GetJob, CancelJob, ListJobs: many memories at once, seen before it is done."""

import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from memory.consolidation.batches import left_out
from memory.errors import BatchExpired, FieldError, InvalidInput, NotFound
from memory.limits import BATCH_MEMORIES_MAX
from memory.model.batch import PREVIEWED_MS, Batch, BatchKey, BatchOp, Confirmed, LeftOut
from memory.model.batch_calls import (
    CancelJobRequest,
    GetJobRequest,
    JobAnswer,
    JobFailure,
    JobResponse,
    ListJobsRequest,
    ListJobsResponse,
    PreviewBatchRequest,
    PreviewBatchResponse,
    StartBatchRequest,
    WatchJobRequest,
)
from memory.model.caller import Caller
from memory.model.memory import Memory
from memory.model.memory_calls import MemoryAnswer
from memory.ports import Batches, Clock
from memory.privacy.replacer import Replacer
from memory.retrieval.decay import DecaySettings
from memory.scope import UserScope
from memory.service.choosing import chosen
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.session.times import rfc3339

_PAGE: Final = 1_000
_SAMPLE_MAX: Final = 20
_FAILURES_MAX: Final = 1_000


class _Plan(NamedTuple):
    """What a batch is of, the first of it, and how many are no part of it."""

    taken: list[str]
    sample: list[Memory]
    left_out: Counter[LeftOut]


class BatchOperations:
    """Plans batches and says how far they have come; memory/service/batch_runs.py does what they are."""

    def __init__(
        self, batches: Batches, remembered: Remembered, replacer: Replacer, clock: Clock, decay: DecaySettings
    ) -> None:
        self._batches = batches
        self._memories, self._tail = remembered.memories, remembered.tail
        self._replacer = replacer
        self._clock = clock
        self._decay = decay

    async def preview(self, caller: Caller, request: PreviewBatchRequest) -> PreviewBatchResponse:
        """Count, and keep what was counted. Raises InvalidInput."""
        if (request.memory_ids is None) == (request.choice is None):
            message = "give memory_ids or a choice"
            raise InvalidInput(message, fields=(FieldError("memory_ids", message),))
        scope, op = UserScope(caller.tenant, request.user_id), BatchOp(request.op)
        named, more = await self._named(scope, request)
        plan = await self._plan(scope, op, named, core=request.include_core)
        key, count, now_ms = BatchKey(caller.tenant, uuid.uuid4().hex), len(plan.taken), self._clock.now_ms()
        told: dict[str, object] = {}
        if count:
            await self._batches.plan(Batch(key, scope.user, op, count, now_ms, request.include_core), plan.taken)
            told = {"batch_token": key.job_id, "expires_at": rfc3339(now_ms + PREVIEWED_MS)}
        sample = [MemoryAnswer.model_validate(memory_fields(memory, self._decay)) for memory in plan.sample]
        told |= {"user_id": scope.user, "op": op, "count": count, "sample": sample}
        return PreviewBatchResponse.model_validate(told | {"left_out": dict(plan.left_out), "more": more})

    async def _plan(self, scope: UserScope, op: BatchOp, named: Sequence[str], *, core: bool) -> _Plan:
        """What becomes of each of these memories."""
        plan, pending = _Plan([], [], Counter()), await self._tail.ids(scope)
        for start in range(0, len(named), _PAGE):
            ids = named[start : start + _PAGE]
            there = {memory.memory_id: memory for memory in await self._memories.get(scope, ids)}
            why = {each: left_out(there.get(each), op, each in pending, core=core) for each in ids}
            plan.left_out.update(reason for reason in why.values() if reason is not None)
            here = [each for each in ids if why[each] is None]
            plan.sample.extend(there[each] for each in here[: _SAMPLE_MAX - len(plan.sample)])
            plan.taken.extend(here)
        return plan

    async def _named(self, scope: UserScope, request: PreviewBatchRequest) -> tuple[Sequence[str], bool]:
        """The ids that are asked for, each once; and whether more fit."""
        if request.choice is None:
            return list(dict.fromkeys(request.memory_ids or ())), False
        found: list[str] = []
        cursor = ""
        while len(found) < BATCH_MEMORIES_MAX:
            limit = min(_PAGE, BATCH_MEMORIES_MAX - len(found))
            page = await chosen(self._memories, scope, request.choice, cursor, limit)
            found += [memory.memory_id for memory in page.memories]
            cursor = page.cursor
            if not cursor:
                return found, False
        return found, bool((await chosen(self._memories, scope, request.choice, cursor, 1)).memories)

    async def start(self, caller: Caller, request: StartBatchRequest) -> JobResponse:
        """Have it done. Raises BatchExpired when it is not there, or was previewed otherwise."""
        key, why = BatchKey(caller.tenant, request.batch_token), self._replacer.text(caller.tenant, request.why or "")
        confirmed = Confirmed(request.user_id, request.confirm_count, caller.by, why)
        batch = await self._batches.start(key, confirmed, self._clock.now_ms())
        if batch is None or batch.user != confirmed.user:
            raise BatchExpired(
                "nothing of this user was previewed with this token in the last ten minutes: preview again"
            )
        if batch.total != confirmed.number:
            message = f"{batch.total} memories were previewed: nothing is done"
            raise BatchExpired(message, fields=(FieldError("confirm_count", message),))
        return await self._job(batch)

    async def get(self, caller: Caller, request: GetJobRequest) -> JobResponse:
        """How far it has come. Raises NotFound."""
        return await self._job(await self._batches.get(BatchKey(caller.tenant, request.job_id)))

    async def changed(self, caller: Caller, request: WatchJobRequest) -> JobAnswer | None:
        """How far it has come; None: as of the revision `since`. Raises NotFound."""
        batch = _known(await self._batches.get(BatchKey(caller.tenant, request.job_id)))
        fields = _fields(batch)
        return None if fields["revision"] == request.since else JobAnswer.model_validate(fields)

    async def cancel(self, caller: Caller, request: CancelJobRequest) -> JobResponse:
        """Stop it. Raises NotFound."""
        key = BatchKey(caller.tenant, request.job_id)
        return await self._job(await self._batches.cancel(key, self._clock.now_ms()))

    async def page(self, caller: Caller, request: ListJobsRequest) -> ListJobsResponse:
        """A page of them."""
        begun = sorted(await self._batches.begun(caller.tenant), key=_place, reverse=True)
        at_ms, _, job_id = request.cursor.partition("-")
        asked = [
            batch
            for batch in begun
            if request.user_id in {None, batch.user} and (not job_id or _place(batch) < (int(at_ms), job_id))
        ]
        here = asked[: request.limit]
        more = len(asked) > len(here)
        items = [JobAnswer.model_validate(_fields(batch)) for batch in here]
        return ListJobsResponse(items=items, cursor="{}-{}".format(*_place(here[-1])) if more else "")

    async def _job(self, batch: Batch | None) -> JobResponse:
        known = _known(batch)
        failures = await self._batches.failures(known.key) if known.failed else {}
        told = [JobFailure(memory_id=memory_id, code=why) for memory_id, why in sorted(failures.items())]
        return JobResponse.model_validate(_fields(known) | {"failures": told[:_FAILURES_MAX]})


def _place(batch: Batch) -> tuple[int, str]:
    """Where it stands among the others, the newest last."""
    return batch.created_ms, batch.key.job_id


def _known(batch: Batch | None) -> Batch:
    if batch is None or not batch.is_begun:
        raise NotFound("there is no such job, or it is longer ago than a week")
    return batch


def _fields(batch: Batch) -> dict[str, object]:
    """A batch as callers see it, and the name of how it stands."""
    said = {
        "why": batch.why or None,
        "started_at": _time(batch.started_ms),
        "ended_at": _time(batch.ended_ms),
        "erasure_id": batch.erasure_id or None,
    }
    return {name: value for name, value in said.items() if value is not None} | {
        "job_id": batch.key.job_id,
        "revision": f"{batch.state}-{batch.done}-{batch.failed}",
        "user_id": batch.user,
        "op": batch.op,
        "state": batch.state,
        "done": batch.done,
        "total": batch.total,
        "failed": batch.failed,
        "by": batch.by,
        "created_at": rfc3339(batch.created_ms),
    }


def _time(moment: int | None) -> str | None:
    return None if moment is None else rfc3339(moment)
