"""The job queue and the work behind it: loaded beside the first requests, started again when it fails."""

import asyncio
import importlib
import logging
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from gateway.config.settings import Settings
from gateway.observe.metrics import Metrics
from gateway.wiring.settings import lease_s, whole_ms
from gateway.work.heartbeats import Heart
from gateway.work.loops import BatchLoop, CountLoop, FadeLoop, IndexLoop, OneTask, ReviewLoop, SweepLoop
from memory.consolidation.sweep import Sweeper
from memory.consolidation.upkeep.fade import Fader
from memory.consolidation.upkeep.leaving import LeavingMaker
from memory.consolidation.upkeep.reindex import Reindexer
from memory.consolidation.upkeep.users import UserLister
from memory.errors import StoreUnavailable
from memory.model.finalization import FinalizationKey
from memory.ports import JobQueue, SessionStore
from memory.scope import UserScope
from memory.service import MemoryService
from memory.stores.redis.address import Address, Topology

_LOG: Final = logging.getLogger("anamnesis")
QUEUE: Final = "short_term_memory:jobs"
_QUEUE_WAIT_S: Final = 3.0
_RESTART_S: Final = 1.0
_LEAVING_MADE: Final = "memories leave and ask by the settings of sections decay and curation"
WORKER_STATES: Final = ("elsewhere", "starting", "working", "failed")
"""Of all processes of a gateway the last one counts: those that do not work say `elsewhere`."""

MakeQueue = Callable[[Any], Any]
"""Makes the queue, given the module that knows how (it is loaded late)."""


def later(address: Address) -> str:
    """Where the queue keeps what is to be done later, by when (Unix seconds): settlings, and what failed once."""
    is_cluster = address.topology is Topology.CLUSTER  # there all of the queue's keys are in one slot
    return f"{{{QUEUE}}}:queue" if is_cluster else f"{QUEUE}:queue"


class _Outdated(Exception):  # noqa: N818 - an event among loops that never end
    """The queue is to be made anew."""


async def _end_when_outdated(queue: Any) -> None:
    await queue.outdated()
    raise _Outdated


class LateJobs:
    """The JobQueue port before, while and after docket is there: callers wait a moment, not the whole start."""

    def __init__(self) -> None:
        self._queue: JobQueue | None = None
        self._there = asyncio.Event()

    def use(self, queue: JobQueue | None) -> None:
        """Hand on to this queue from now on; None: there is none for the moment."""
        self._queue = queue
        if queue is None:
            self._there.clear()
        else:
            self._there.set()

    async def add_finalization(self, key: FinalizationKey) -> None:
        """Queue it. Raises StoreUnavailable when there is no queue in time."""
        await (await self._ready()).add_finalization(key)

    async def add_settling(self, scope: UserScope) -> None:
        """Ask for it. Raises StoreUnavailable when there is no queue in time."""
        await (await self._ready()).add_settling(scope)

    async def drop_finalization(self, key: FinalizationKey) -> None:
        """Take it out. Raises StoreUnavailable when there is no queue in time."""
        await (await self._ready()).drop_finalization(key)

    async def _ready(self) -> JobQueue:
        try:
            async with asyncio.timeout(_QUEUE_WAIT_S):
                await self._there.wait()
        except TimeoutError:
            raise StoreUnavailable("the job queue is not ready") from None
        if self._queue is None:
            raise StoreUnavailable("the job queue is not ready")
        return self._queue


class Upkeep(NamedTuple):
    """What is done from time to time: forgetting, completing, batches, counting, saying that somebody does."""

    fader: Fader
    leaving: LeavingMaker
    reindexer: Reindexer
    lister: UserLister
    heart: Heart
    service: MemoryService


class Work:
    """Queue, and in the process that works also worker, sweeper and the upkeep of memories."""

    def __init__(
        self,
        settings: Settings,
        making: MakeQueue,
        jobs: LateJobs,
        metrics: Metrics,
        sessions: SessionStore,
        upkeep: Upkeep,
    ) -> None:
        self._settings = settings
        self._making = making
        self._jobs = jobs
        self._metrics = metrics
        self._sweeper = Sweeper(
            sessions,
            jobs,
            lease_ms=whole_ms(lease_s(settings)),
            hold_ms=whole_ms(settings.finalization.hold_s),
        )
        self._upkeep = upkeep

    async def run(self, *, work: bool) -> None:
        """Run until cancelled, and start again what fails: the border of background work."""
        self._metrics.worker_state = WORKER_STATES.index("starting" if work else "elsewhere")
        while True:
            try:
                await self._once(work=work)
            except Exception:  # noqa: BLE001 - the border: nothing that fails here may end for good
                self._jobs.use(None)
                self._metrics.worker_state = WORKER_STATES.index("failed")
                _LOG.exception("background work failed; it starts again")
                await asyncio.sleep(_RESTART_S)

    async def _once(self, *, work: bool) -> None:
        """Docket is loaded beside the first requests: it takes as long to import as all the rest together."""
        worker = await asyncio.to_thread(importlib.import_module, "gateway.work.worker")
        queue = self._making(worker)
        await queue.start(work=work)
        self._jobs.use(queue)
        self._metrics.worker_state = WORKER_STATES.index("working" if work else "elsewhere")
        try:
            if work:
                async with asyncio.TaskGroup() as loops:
                    interval_s = self._settings.session.sweep_interval_s
                    loops.create_task(SweepLoop(self._sweeper, self._metrics, interval_s).run())
                    interval_s = self._settings.decay.sweep_interval_s
                    for work_once, doing, done in (
                        (self._upkeep.leaving.run, "making anew when memories leave", _LEAVING_MADE),
                        (self._upkeep.lister.make, "listing users", "users are listed"),
                    ):
                        loops.create_task(OneTask(work_once, doing, done, interval_s).run())
                    if self._settings.decay.forget:
                        loops.create_task(FadeLoop(self._upkeep.fader, self._metrics, interval_s).run())
                    if self._upkeep.service.reviewing is not None:
                        loops.create_task(ReviewLoop(self._upkeep.service.reviewing, interval_s).run())
                    loops.create_task(IndexLoop(self._upkeep.reindexer).run())
                    loops.create_task(BatchLoop(self._upkeep.service.batches).run())
                    loops.create_task(CountLoop(self._upkeep.service.counting).run())
                    graph = self._settings.graph
                    settling = worker.SettleLoop(queue.settling, graph.settle_interval_s, graph.settle_retry_s)
                    loops.create_task(settling.run())
                    loops.create_task(self._upkeep.heart.run())
                    loops.create_task(_end_when_outdated(queue))
            else:
                await queue.outdated()
        except* _Outdated:
            _LOG.warning("the servers of Redis have changed: the job queue connects anew")
        finally:
            self._jobs.use(None)
            await queue.stop()
