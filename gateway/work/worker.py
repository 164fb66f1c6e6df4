"""Background work: the sweeper, and finalisations as docket tasks. The error border of jobs.

This module is loaded by the wiring when it is needed: docket takes as long to import as all the rest.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from docket import Docket, ExponentialRetry, Retry, Worker
from redis.exceptions import RedisError

from gateway.observe.logs import State
from gateway.observe.metrics import Metrics
from gateway.observe.subjects import work_on
from gateway.work.jobs import QUEUE
from memory.consolidation.finalise import Finaliser
from memory.consolidation.upkeep.settle import Settler
from memory.errors import MemoryGatewayError, StoreUnavailable, TemporaryError
from memory.model.finalization import FinalizationKey
from memory.ports import Background
from memory.scope import UserScope

_LOG: Final = logging.getLogger("anamnesis.worker")
_RETRY_DELAY_MAX_S: Final = 60
_REASON_CHARS_MAX: Final = 500
_STOP_TRIES: Final = 3
_STOP_WAIT_S: Final = 0.5
"""With the listener's 6 s and the second of what goes on in the background, a gateway ends within 10 s."""

Task = Callable[..., Awaitable[None]]
Done = TypeVar("Done")


class FinalizationRunner:
    """One attempt after another at a finalisation, and the decision to give up."""

    def __init__(self, finaliser: Finaliser, metrics: Metrics) -> None:
        self._finaliser = finaliser
        self._metrics = metrics
        self._state = State(_LOG, "finalising")
        self._turns: WeakValueDictionary[FinalizationKey, asyncio.Lock] = WeakValueDictionary()

    async def attempt(self, key: FinalizationKey) -> UserScope | None:
        """Try once; returns of which user there is more memory. Raises when it is worth another try.

        When it is not it gives up (FAILED).

        A job that is delivered again while this process still works on it, because the renewal of its lease was
        late, waits for that: attempts that live are none that ended without a word.
        """
        async with self._turns.setdefault(key, asyncio.Lock()):
            return await self._attempt(key)

    async def _attempt(self, key: FinalizationKey) -> UserScope | None:
        work_on(key.scope.tenant, key.scope.conversation)
        attempt = await self._finaliser.begin(key)
        if attempt is None:
            self._metrics.finalized("nothing_to_do")
            return None
        try:
            closed = await self._finaliser.complete(attempt)
        except TemporaryError as error:  # the stores are down: the job waits, and nothing is given up
            self._metrics.finalized("postponed")
            self._state.fails(error.code)
            raise
        except Exception as error:
            self._metrics.finalized("failed_attempt")
            reason = f"{type(error).__name__}: {error}"[:_REASON_CHARS_MAX]
            _LOG.exception("finalisation attempt failed")
            if await self._finaliser.give_up(attempt, reason):
                self._metrics.finalized("gave_up")
                return None
            raise
        self._state.works()
        self._metrics.finalized("closed" if closed else "lost_its_fence")
        return UserScope(key.scope.tenant, attempt.user_id) if closed and attempt.user_id else None


class SettlingRunner:
    """Completes what is staged of a user, and tidies the graphs of those of whom anything is new.

    Who they are is kept in this process alone: no queue names a user for hours. Those of a process that ended are
    tidied when there is something new of them again.
    """

    def __init__(self, settler: Settler, metrics: Metrics) -> None:
        self._settler = settler
        self._metrics = metrics
        self._state = State(_LOG, "settling")
        self._untidy: dict[UserScope, None] = {}
        self._behind: dict[UserScope, None] = {}

    def note(self, scope: UserScope) -> None:
        """There is something new of this user."""
        self._untidy[scope] = None

    async def settle(self, scope: UserScope) -> None:
        """Once. Raises what the stores and the embedder raise."""
        try:
            self._metrics.settled += await self._noted(self._settler.complete(scope))
        except MemoryGatewayError:
            self._behind[scope] = None
            raise
        self._behind.pop(scope, None)
        self.note(scope)

    async def settle_behind(self) -> None:
        """Whom the last attempt failed for: their jobs are tried a few times, an outage may last longer."""
        for scope in list(self._behind):
            with contextlib.suppress(MemoryGatewayError):
                await self.settle(scope)

    async def settle_all(self) -> None:
        """What was staged and whose job was lost, of everybody. Raises as `settle`."""
        self._metrics.settled += await self._noted(self._settler.complete_all())

    async def tidy_all(self) -> None:
        """Tidy whom there is something new of; who cannot be tidied now comes next time, after the others."""
        for scope in list(self._untidy):
            del self._untidy[scope]
            try:
                tidied = await self._noted(self._settler.tidy(scope))
            except MemoryGatewayError as error:
                _LOG.info("tidied later", extra={"reason": error.code})
                self.note(scope)
                continue
            self._metrics.merged += tidied.merged
            self._metrics.suggested += tidied.suggested

    async def _noted(self, work: Awaitable[Done]) -> Done:
        try:
            done = await work
        except MemoryGatewayError as error:
            self._state.fails(error.code)
            raise
        self._state.works()
        return done


class QueueSettings(NamedTuple):
    """How often and how long after a failure a job is tried, and how many run at once.

    A worker renews the lease of what it runs four times in `lease_s`. What is staged of a user waits `settle_delay_s`
    for more of it.
    """

    attempts_max: int
    retry_delay_s: float
    lease_s: float
    concurrency: int
    settle_delay_s: float
    settle_retry_s: float


class DocketJobs:
    """The JobQueue port on docket; with a worker that runs what is queued, when asked for.

    A worker renews the lease of what it runs four times in `lease_s`. What is not renewed any more is delivered to
    another worker, or to the next one, within one and a third times that.
    """

    def __init__(
        self,
        url: str,
        runner: FinalizationRunner,
        settling: SettlingRunner,
        background: Background,
        has_room: Callable[[], Awaitable[bool]],
        settings: QueueSettings,
    ) -> None:
        self._docket = Docket(name=QUEUE, url=url, execution_ttl=timedelta(0))
        self._runner = runner
        self.settling = settling
        self._background = background
        self._has_room = has_room
        self._redelivery = timedelta(seconds=settings.lease_s)
        self._concurrency = settings.concurrency
        retry = ExponentialRetry(
            attempts=settings.attempts_max,
            minimum_delay=timedelta(seconds=settings.retry_delay_s),
            maximum_delay=timedelta(seconds=max(_RETRY_DELAY_MAX_S, settings.retry_delay_s)),
        )
        self._task = self._make_task(retry)
        self._settle_delay_s = settings.settle_delay_s
        self._stretch = 0
        self._queued: set[UserScope] = set()
        """Whose settling this process has queued in the present stretch of time."""
        again = ExponentialRetry(
            attempts=settings.attempts_max,
            minimum_delay=timedelta(seconds=settings.settle_delay_s),
            maximum_delay=timedelta(seconds=max(settings.settle_retry_s, settings.settle_delay_s)),
        )
        self._settle = self._make_settling(settling, again)
        self.outdated: Callable[[], Awaitable[object]] = asyncio.Event().wait
        """Returns when the queue had better be made anew. Whoever knows when sets it."""
        self._work_here = False
        self._working: asyncio.Task[None] | None = None

    def _make_task(self, backoff: ExponentialRetry) -> Task:
        async def finalise(key: str, retry: Retry = backoff) -> None:  # noqa: ARG001 - docket reads it
            await self._attempt(FinalizationKey.parse(key))

        return finalise

    def _make_settling(self, settling: SettlingRunner, backoff: ExponentialRetry) -> Task:
        async def settle(scope: str, retry: Retry = backoff) -> None:  # noqa: ARG001 - docket reads it
            await settling.settle(UserScope.parse(scope))

        return settle

    async def start(self, *, work: bool) -> None:
        """Connect, and with `work` begin to run what is queued."""
        await self._docket.__aenter__()
        self._docket.register(self._task)
        self._docket.register(self._settle)
        self._work_here = work
        if work:
            self._working = asyncio.create_task(self._work(), name="docket-worker")

    async def stop(self) -> None:
        """Stop working, within two seconds: a task under way is cancelled and comes again elsewhere.

        Docket's own commands have no deadline. One cancel makes a worker wait for what it does and for its farewell
        to Redis, which a frozen Redis never answers; another takes it out of that.
        """
        if self._working is not None:
            await _end(self._working)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._docket.__aexit__(None, None, None), _STOP_WAIT_S)

    async def add_finalization(self, key: FinalizationKey) -> None:
        """Queue it once.

        With Redis full the queue stands still, so a process that works does it here and now: it frees memory. Raises
        StoreUnavailable in another one: the sweep brings it to one that works.
        """
        if not await self._has_room():
            if not self._work_here:
                raise StoreUnavailable("the session store is full: the job queue stands still")
            self._background.start(partial(self._attempt, key), "finalise without queue")
            return
        try:
            await self._docket.add(self._task, key=f"finalise:{key}")(str(key))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the job queue cannot be reached: {error}") from error

    async def _attempt(self, key: FinalizationKey) -> None:
        owner = await self._runner.attempt(key)
        if owner is not None:
            self.settling.note(owner)

    async def add_settling(self, scope: UserScope) -> None:
        """Queue it once for each stretch of time: it runs behind the stretch, so nothing of it can come too late.

        With Redis full the round of the worker comes to it.
        """
        stretch = int(datetime.now(UTC).timestamp() // self._settle_delay_s) + 1
        if stretch != self._stretch:
            self._stretch, self._queued = stretch, set()
        if scope in self._queued:
            return
        if not await self._has_room():
            raise StoreUnavailable("the session store is full: the job queue stands still")
        when = datetime.fromtimestamp((stretch + 1) * self._settle_delay_s, UTC)
        try:
            await self._docket.add(self._settle, when=when, key=f"settle:{scope}:{stretch}")(str(scope))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the job queue cannot be reached: {error}") from error
        if stretch == self._stretch:
            self._queued.add(scope)

    async def drop_finalization(self, key: FinalizationKey) -> None:
        """Take it out of queue and stream; one that runs is told to end."""
        try:
            await self._docket.cancel(f"finalise:{key}")
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the job queue cannot be reached: {error}") from error

    async def _work(self) -> None:
        worker = Worker(
            self._docket,
            concurrency=self._concurrency,
            redelivery_timeout=self._redelivery,
            reconnection_delay=timedelta(seconds=1),
            minimum_check_interval=timedelta(milliseconds=250),
            scheduling_resolution=timedelta(milliseconds=500),
            schedule_automatic_tasks=False,
        )
        async with worker:
            await worker.run_forever()


async def _end(task: "asyncio.Task[None]") -> None:
    """Cancel until it is done, but not for ever."""
    for _ in range(_STOP_TRIES):
        task.cancel()
        await asyncio.wait({task}, timeout=_STOP_WAIT_S)
        if task.done():
            break
    else:
        _LOG.warning("the worker of the queue does not end; it is left")
    if task.done() and not task.cancelled():
        task.exception()  # looked at, so that nobody complains that nobody did


class SettleLoop:
    """Completes what was staged and whose job was lost, and tidies what is new: at the start and every so often.

    In between it comes back to those whose jobs have failed, after `retry_s`.
    """

    def __init__(self, settling: SettlingRunner, interval_s: float, retry_s: float) -> None:
        self._settling = settling
        self._interval_s = interval_s
        self._retry_s = retry_s
        self._state = State(_LOG, "settling all")

    async def run(self) -> None:
        """Run until cancelled; trouble with the stores is waited out."""
        while True:
            try:
                await self._settling.settle_all()
                await self._settling.tidy_all()
                self._state.works()
                await self._rest()
            except MemoryGatewayError as error:
                self._state.fails(error.code)
                await asyncio.sleep(min(self._interval_s, self._retry_s))

    async def _rest(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._interval_s
        while (left_s := until - loop.time()) > 0:
            await asyncio.sleep(min(left_s, self._retry_s))
            await self._settling.settle_behind()
