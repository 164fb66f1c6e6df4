"""What a worker does from time to time beside its jobs. Trouble with the stores is waited out, and told once."""

import asyncio
import logging
from typing import Final

from gateway.observe.logs import State
from gateway.observe.metrics import Metrics
from memory.consolidation.sweep import BATCH, Sweeper
from memory.consolidation.upkeep.fade import BATCH as FADE_BATCH
from memory.consolidation.upkeep.fade import Fader
from memory.consolidation.upkeep.leaving import LeavingMaker
from memory.consolidation.upkeep.reindex import Reindexer
from memory.consolidation.upkeep.users import UserLister
from memory.errors import MemoryGatewayError

_LOG: Final = logging.getLogger("anamnesis.worker")
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


class LeavingTask:
    """After a change of the settings by which memories fade or ask: when they do is made anew for all, once."""

    def __init__(self, leaving: LeavingMaker, interval_s: float) -> None:
        self._leaving = leaving
        self._interval_s = interval_s
        self._state = State(_LOG, "making anew when memories leave")

    async def run(self) -> None:
        """Run until it is done; trouble with the stores is waited out."""
        while True:
            try:
                count = await self._leaving.run()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(self._interval_s)
                continue
            self._state.works()
            if count is not None:
                _LOG.info(
                    "memories leave and ask by the settings of sections decay and curation", extra={"memories": count}
                )
            return


class UsersTask:
    """After an update, with another store, or when Redis was emptied: everybody of whom there is anything is listed."""

    def __init__(self, lister: UserLister, interval_s: float) -> None:
        self._lister = lister
        self._interval_s = interval_s
        self._state = State(_LOG, "listing users")

    async def run(self) -> None:
        """Run until it is done; trouble with the stores is waited out."""
        while True:
            try:
                count = await self._lister.make()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(self._interval_s)
                continue
            self._state.works()
            if count is not None:
                _LOG.info("users are listed", extra={"users": count})
            return


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
