"""What a worker does from time to time beside its jobs. Trouble with the stores is waited out, and told once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from gateway.observe.logs import State
from gateway.observe.metrics import Metrics
from memory.consolidation.sweep import BATCH, Sweeper
from memory.consolidation.upkeep.count import MemoryCounter
from memory.consolidation.upkeep.fade import BATCH as FADE_BATCH
from memory.consolidation.upkeep.fade import Fader
from memory.consolidation.upkeep.reindex import Reindexer
from memory.errors import MemoryGatewayError
from memory.model.batch import BatchKey
from memory.service import BatchRunner, ReviewRunner

_LOG: Final = logging.getLogger("anamnesis.worker")
_BATCHES_S: Final = 0.5
_COUNTS_S: Final = 1.0
_COUNTS_AGAIN_S: Final = 30.0
"""What was cut off begins anew: not each second."""
_INDEX_S: Final = 60.0
"""So long a record may lack its vector while gateways with old and new embeddings write to one store."""


class FadeLoop:
    """Forgets what has faded, every so often, and at once again while there is more."""

    def __init__(self, fader: Fader, metrics: Metrics, interval_s: float) -> None:
        self._fader = fader
        self._metrics = metrics
        self._interval_s = interval_s
        self._state = State(_LOG, "forgetting")

    async def run(self) -> None:
        """Run until cancelled; trouble with the store is waited out."""
        while True:
            try:
                faded = await self._fader.sweep()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(self._interval_s)
                continue
            self._state.works()
            self._metrics.archived += faded.archived
            self._metrics.erased += faded.erased
            if faded.archived + faded.erased < FADE_BATCH:
                await asyncio.sleep(self._interval_s)


class OneTask:
    """What is done once for a store, and again after what it rests on has changed. It can be cut off and repeated."""

    def __init__(self, work: Callable[[], Awaitable[int | None]], doing: str, done: str, interval_s: float) -> None:
        """`work` returns how much there was; None: it was done before. `doing` and `done` are how logs tell of it."""
        self._work = work
        self._done = done
        self._interval_s = interval_s
        self._state = State(_LOG, doing)

    async def run(self) -> None:
        """Run until it is done; trouble with the stores is waited out."""
        while True:
            try:
                count = await self._work()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(self._interval_s)
                continue
            self._state.works()
            if count is not None:
                _LOG.info(self._done, extra={"count": count})
            return


class BatchLoop:
    """Does what somebody asked to be done to many memories: for a while of each in turn, so that none waits long."""

    def __init__(self, runner: BatchRunner) -> None:
        self._runner = runner
        self._state = State(_LOG, "working on batches")

    async def run(self) -> None:
        """Run until cancelled; trouble with the stores is waited out."""
        while True:
            worked = False
            try:
                for key in await self._runner.open():
                    worked |= await self._one(key)
                self._state.works()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                worked = False
            if not worked:
                await asyncio.sleep(_BATCHES_S)

    async def _one(self, key: BatchKey) -> bool:
        try:
            return await self._runner.run(key)
        except MemoryGatewayError:
            raise
        except Exception:  # noqa: BLE001 - the border: one batch must not hold up the others
            _LOG.exception("a batch cannot be worked on")
            return False


class CountLoop:
    """Counts what somebody wants counted."""

    def __init__(self, counting: MemoryCounter) -> None:
        self._counting = counting
        self._state = State(_LOG, "counting")

    async def run(self) -> None:
        """Run until cancelled; trouble with the stores is waited out."""
        while True:
            try:
                await self._counting.run()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(_COUNTS_AGAIN_S)
                continue
            self._state.works()
            await asyncio.sleep(_COUNTS_S)


class ReviewLoop:
    """Has a model decide what is open about memories, every so often, and at once again while there is more."""

    def __init__(self, runner: ReviewRunner, interval_s: float) -> None:
        self._runner = runner
        self._interval_s = interval_s
        self._state = State(_LOG, "reviewing memories")

    async def run(self) -> None:
        """Run until cancelled. A model or a store that cannot be asked now is asked again when it is time."""
        while True:
            left = list(self._runner.tenants)
            while left:  # whose model or budget is used up holds up nobody else
                left = [tenant for tenant in left if await self._one(tenant)]
            await asyncio.sleep(self._interval_s)

    async def _one(self, tenant: str) -> bool:
        """Whether there is more of a tenant that can be done at once."""
        try:
            more = await self._runner.run(tenant)
        except MemoryGatewayError as error:
            self._state.fails(error.code)
            return False
        self._state.works()
        return more


class IndexLoop:
    """Completes index entries that gateways with other settings leave open, as long as there is another generation."""

    def __init__(self, reindexer: Reindexer) -> None:
        self._reindexer = reindexer
        self._state = State(_LOG, "completing the index")

    async def run(self) -> None:
        """Run until cancelled; trouble with the stores is waited out."""
        while True:
            try:
                if not await self._reindexer.is_alone() and (done := await self._reindexer.mend()):
                    _LOG.info("index entries completed", extra={"records": done})
                self._state.works()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
            await asyncio.sleep(_INDEX_S)


class SweepLoop:
    """Sweeps every few seconds, and at once again while there is more."""

    def __init__(self, sweeper: Sweeper, metrics: Metrics, interval_s: float) -> None:
        self._sweeper = sweeper
        self._metrics = metrics
        self._interval_s = interval_s
        self._state = State(_LOG, "sweeping")

    async def run(self) -> None:
        """Sweep until cancelled; trouble with the stores is waited out."""
        while True:
            try:
                swept = await self._sweeper.sweep()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(self._interval_s)
                continue
            self._state.works()
            self._metrics.sealed += swept.sealed
            self._metrics.sweeper_lag_s = swept.lag_ms / 1000
            if swept.looked_at < BATCH:
                await asyncio.sleep(self._interval_s)
