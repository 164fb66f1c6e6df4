"""The composition root: the one place that names concrete adapters, and the order in which they start."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

from gateway.auth import Authenticator, require_safe_binding
from gateway.config.settings import Settings
from gateway.config.sources import NOTHING_SET, Origins
from gateway.http.dispatch import Dispatcher
from gateway.http.server import Listener
from gateway.observe.audit import Auditor
from gateway.observe.health import queue_reason, unfit_reason
from gateway.observe.metrics import Metrics
from gateway.observe.model_health import Models
from gateway.observe.traces import Tracing, tracing_of
from gateway.operating.service import Operating
from gateway.process.processes import Part
from gateway.process.valkey import EmbeddedValkey
from gateway.wiring.curation import judging_of
from gateway.wiring.faces import Behind, dispatcher_of, pages_alone
from gateway.wiring.health import Looking
from gateway.wiring.memories import Costs, LateRules, budget_of, embedder_of, minds_of, warm_up
from gateway.wiring.operating import Living, operating_of
from gateway.wiring.privacy import privacy_of
from gateway.wiring.settings import (
    brain_settings,
    lease_s,
    listening,
    recall_settings,
    review_settings,
    session_settings,
    session_times,
    unit_settings,
)
from gateway.wiring.stores import Stores, fader_of, leaving_settings, stores_of
from gateway.work.background import BackgroundTasks, SystemClock
from gateway.work.cleaning import CleaningLoop
from gateway.work.heartbeats import Heart
from gateway.work.jobs import LateJobs, Upkeep, Work
from memory.consolidation.finalise import Finaliser
from memory.consolidation.judging import Judging
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.fade import Fader
from memory.consolidation.upkeep.leaving import LeavingMaker
from memory.consolidation.upkeep.reindex import Reindexer
from memory.consolidation.upkeep.settle import Settled, Settler, settler_of
from memory.consolidation.upkeep.users import UserLister
from memory.errors import SetupError
from memory.model.session import Append, Appended
from memory.ports import ErasedFiles
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.retrieval.decay import DAY_MS
from memory.scope import ConversationScope
from memory.service import MemoryService, Ports, Watching
from memory.stores.redis.announcements import RedisAnnouncements
from memory.stores.redis.audit import RedisAudit
from memory.stores.redis.batches import RedisBatches
from memory.stores.redis.connection import ConnectionSettings
from memory.stores.redis.counts import RedisCounts
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.erasures import AppendOnlyFile, RedisErasures
from memory.stores.redis.large_reads import LargeReads
from memory.stores.redis.memories import RedisLedger, RedisLocks
from memory.stores.redis.opening import AnyConnection, open_redis
from memory.stores.redis.users import RedisUsers
from memory.stores.redis.workers import RedisWorkers

_LOG: Final = logging.getLogger("anamnesis")
_DRAIN_S: Final = 1.0
_PUBLISH_S: Final = 0.5
_OTHERS_WAIT_S: Final = 5.0
_POLL_S: Final = 0.01


def _memory_upkeep(
    settings: Settings, stores: Stores, rememberer: Rememberer, minds: Minds
) -> tuple[Fader, LeavingMaker, Reindexer]:
    return (
        fader_of(settings, stores.memories, rememberer, SystemClock()),
        LeavingMaker(stores.memories, stores.leaving, leaving_settings(settings)),
        Reindexer(stores.memories, stores.long_term, minds.embedder),
    )


def _finaliser(
    settings: Settings, ports: Ports, rememberer: Rememberer, judging: Judging, tracing: Tracing | None
) -> Finaliser:
    finaliser = Finaliser(
        ports.sessions,
        ports.store,
        rememberer=rememberer,
        units=unit_settings(settings),
        attempts_max=settings.finalization.attempts_max,
        judging=judging,
    )
    return finaliser if tracing is None else tracing.part("finalise", finaliser, begins=True)


def _traced(tracing: Tracing | None, stores: Stores, sessions: RedisSessionStore) -> tuple[Stores, RedisSessionStore]:
    if tracing is None:
        return stores, sessions
    long_term, memories = tracing.part("store", stores.long_term), tracing.part("memories", stores.memories)
    return Stores(long_term, memories, stores.leaving), tracing.part("sessions", sessions)


class Gateway:
    """A running process: everything that `anamnesis serve` or `anamnesis worker` starts, and how it ends."""

    def __init__(
        self,
        settings: Settings,
        part: Part | None = None,
        embedder_at: Path | None = None,
        origins: Origins = NOTHING_SET,
    ) -> None:
        """`embedder_at`: the socket of the process that has the embedding model; without it this one loads it.

        `origins`: what set the settings, as who asks for them is told.
        """
        self._settings = settings
        self._origins = origins
        self._embedder_at = embedder_at
        self._part = part or Part.alone("serve")
        self._stack = AsyncExitStack()
        self.metrics = Metrics(self._part.board, self._part.row, siblings=self._part.siblings)
        self._valkey: EmbeddedValkey | None = None
        self.port = 0

    async def start(self, *, serve: bool, work: bool, pages_port: int | None = None) -> None:
        """Start, in the order of need. On any error what was started is stopped again.

        `pages_port`: where a process that serves no operations answers /live, /health and /metrics; None: nowhere.
        """
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._stack.aclose)
            await self._start(serve=serve, work=work, pages_port=pages_port)
            undo.pop_all()

    async def stop(self) -> None:
        """End in reverse order: listener, work, stores."""
        await self._stack.aclose()
        self.metrics.ready = 0

    async def others_ready(self) -> None:
        """Return when the others of this gateway that answer requests listen too, or take too long about it."""
        self.metrics.ready = 1
        await self._ready(self._part.siblings)

    async def served(self) -> None:
        """Return when one of this gateway's processes answers requests, or takes too long about it."""
        await self._ready(1)

    async def _ready(self, count: int) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _OTHERS_WAIT_S
        while self.metrics.total("ready") < count and loop.time() < deadline:  # noqa: ASYNC110 - shared memory
            await asyncio.sleep(_POLL_S)

    async def _start(self, *, serve: bool, work: bool, pages_port: int | None) -> None:
        settings = self._settings
        authenticator = Authenticator(settings.auth.keys)
        privacy = privacy_of(settings, self.metrics)
        if serve:
            require_safe_binding(settings.server.host, authenticator)
        tokens_loading = asyncio.create_task(asyncio.to_thread(self._load_tokens))
        url = settings.redis.url or self._embedded_url()
        embedding = await embedder_of(settings, privacy.withheld, self._stack, self._embedder_at)
        redis, tracing = await self._connect(url), self._tracing()
        stores = await stores_of(settings, embedding.embedder, redis, self._stack)
        tokens = await tokens_loading
        rules, background = LateRules(), BackgroundTasks()
        costs = Costs(tokens, RedisLedger(redis), self.metrics.model)
        models = Models(minds_of(settings, privacy, rules, embedding.embedder, costs, self._stack))
        minds = models.minds if tracing is None else tracing.minds(models.minds)
        sessions, announcements = await self._sessions_on(redis, url)
        looking = Looking(settings, self.metrics, redis, stores, models)
        living = Living(redis=redis, stores=stores, models=models, tokens=tokens)
        stores, sessions = _traced(tracing, stores, sessions)
        jobs, erasures, users = LateJobs(), self._erasures(redis), RedisUsers(redis)
        ports = Ports(
            batches=RedisBatches(redis),
            claims=RedisLocks(redis),
            counts=RedisCounts(redis),
            sessions=sessions,
            store=stores.long_term,
            memories=stores.memories,
            users=users,
            audit=RedisAudit(redis, settings.audit.entries_max, settings.audit.days * DAY_MS),
            keys=authenticator,
            minds=minds,
            tokens=tokens,
            jobs=jobs,
            erasures=erasures,
            announcements=announcements,
            clock=SystemClock(),
            background=background,
            spending=None if settings.mind.provider == "rules" else budget_of(settings, costs.ledger),
        )
        self._stack.push_async_callback(background.drain, _DRAIN_S)
        working = AsyncExitStack()
        self._stack.push_async_callback(working.aclose)
        judging = judging_of(settings, ports)
        service = self._service(ports, judging)
        if serve:
            operating = operating_of(settings, self._origins, living, self._stack)
            await self._serve(service, operating, ports, authenticator, looking, tracing)
        elif pages_port is not None:
            await self._listen(pages_alone(looking), pages_port)
        self._clean({"redis": erasures.files, stores.memories.kind: stores.memories.files}, working)
        self._begin(warm_up(rules, embedding), "warm-up", self._stack)
        rememberer = Rememberer(stores.memories, minds)
        finaliser = _finaliser(settings, ports, rememberer, judging, tracing)
        settler = settler_of(stores.memories, stores.long_term, rememberer, minds, SystemClock())
        making = partial(self._queue_of, redis, finaliser, settler, background, sessions)
        lister = UserLister(users, sessions, stores.long_term, stores.memories)
        heart = Heart(RedisWorkers(redis), models.components)
        upkeep = Upkeep(*_memory_upkeep(settings, stores, rememberer, minds), lister, heart, service)
        self._begin(Work(settings, making, jobs, self.metrics, sessions, upkeep).run(work=work), "work", working)

    def _erasures(self, redis: AnyConnection) -> RedisErasures:
        """With the files of the embedded Valkey; those of another Redis are its operator's."""
        files = AppendOnlyFile(redis, self._valkey.old_files_gone) if self._valkey is not None else None
        return RedisErasures(redis, files)

    def _clean(self, ours: Mapping[str, ErasedFiles | None], until: AsyncExitStack) -> None:
        """One process of a gateway cleans the files of its stores."""
        for name, files in ours.items():
            if files is not None and self._part.first:
                self._begin(CleaningLoop(files, name).run(), f"clean {name}", until)

    def _begin(self, work: Coroutine[Any, Any, None], name: str, until: AsyncExitStack) -> None:
        """Do it beside the rest until the stack is closed."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(_log_failure)
        until.push_async_callback(_cancel, task)

    def _count_tokens(self, _scope: ConversationScope, append: Append, _appended: Appended) -> None:
        self.metrics.tokens_written += sum(message.tokens for message in append.messages)

    def _count_settled(self, settled: Settled) -> None:
        self.metrics.settled += settled.completed
        self.metrics.merged += settled.tidied.merged
        self.metrics.suggested += settled.tidied.suggested

    def _load_tokens(self) -> TiktokenCounter:
        unpack_ranks(self._settings.data.dir.resolve() / "tiktoken")
        return TiktokenCounter(self._settings.session.encoding)

    def _tracing(self) -> Tracing | None:
        """What traces, if anything does; what it has is sent when all the rest has ended."""
        tracing = tracing_of(self._settings, self._part.role)
        if tracing is not None:
            self._stack.push_async_callback(tracing.close)
        return tracing

    def _embedded_url(self) -> str:
        """The address of the embedded Valkey, which the process that was started has started."""
        self._valkey = EmbeddedValkey(self._settings.data.dir, self._settings.session.durability)
        return self._valkey.url

    async def _sessions_on(self, redis: AnyConnection, url: str) -> tuple[RedisSessionStore, RedisAnnouncements]:
        """The session store, with the connections that long replies and announcements have to themselves."""
        settings = self._redis_settings(url)
        announcements = RedisAnnouncements(settings, redis.address)
        large, _ = await asyncio.gather(open_redis(settings), announcements.start())
        for one in (large, announcements):
            self._stack.push_async_callback(one.close)
        times = session_times(self._settings)
        return RedisSessionStore(redis, times, LargeReads(large, redis, settings.deadline_s)), announcements

    def _redis_settings(self, url: str) -> ConnectionSettings:
        asked = self._settings.redis
        unfit = partial(unfit_reason, allow_eviction=asked.allow_eviction, durability=self._settings.session.durability)
        deadline_s = asked.deadline_ms / 1000
        if self._valkey is None:
            return ConnectionSettings(url, deadline_s, asked.in_flight_max, unfit)
        return ConnectionSettings(url, deadline_s, asked.in_flight_max, unfit, self._valkey.absent)

    async def _connect(self, url: str) -> AnyConnection:
        if self._valkey is not None:
            await self._valkey.wait_ready()
        redis = await open_redis(self._redis_settings(url))
        self._stack.push_async_callback(redis.close)
        if reason := queue_reason(redis.address):
            raise SetupError(reason)
        if redis.unfit and not self.metrics.total("ready"):  # beside others that serve it is waited for, as they do
            raise SetupError(redis.unfit)
        self._begin(self._publish(redis), "figures", self._stack)
        return redis

    def _queue_of(
        self,
        redis: AnyConnection,
        finaliser: Finaliser,
        settler: Settler,
        background: BackgroundTasks,
        sessions: RedisSessionStore,
        worker: Any,
    ) -> Any:
        settings = self._settings.finalization
        queue = worker.DocketJobs(
            redis.url,
            worker.FinalizationRunner(finaliser, self.metrics),
            worker.SettlingRunner(settler, self.metrics),
            background,
            sessions.has_room,
            worker.QueueSettings(
                attempts_max=settings.attempts_max,
                retry_delay_s=settings.retry_delay_s,
                lease_s=lease_s(self._settings),
                concurrency=settings.concurrency,
                settle_delay_s=self._settings.graph.settle_delay_s,
                settle_retry_s=self._settings.graph.settle_retry_s,
            ),
        )
        queue.outdated = redis.moved
        return queue

    def _service(self, ports: Ports, judging: Judging) -> MemoryService:
        settings = self._settings
        return MemoryService(
            ports,
            settings=session_settings(settings, ports.tokens.name),
            recall=recall_settings(settings),
            brain=brain_settings(settings),
            reviews=review_settings(settings),
            judging=judging,
            watching=Watching((self._count_tokens,), self._count_settled, self.metrics.walking),
        )

    async def _serve(
        self,
        service: MemoryService,
        operating: Operating,
        ports: Ports,
        authenticator: Authenticator,
        looking: Looking,
        tracing: Tracing | None,
    ) -> None:
        """Answer for operations, too."""
        settings = self._settings
        behind = Behind(
            service=service,
            operating=operating,
            authenticator=authenticator,
            auditor=Auditor(ports.audit, settings.audit.level, ports.background, ports.clock, self.metrics),
            metrics=self.metrics,
            looking=looking,
            tracing=tracing,
        )
        await self._listen(dispatcher_of(settings, behind), settings.server.port)

    async def _listen(self, dispatcher: Dispatcher, port: int) -> None:
        listener = Listener(
            dispatcher, listening(self._settings, port, shared=self._part.forked), self._count_connections
        )
        self.port = await listener.start()
        self._stack.push_async_callback(listener.stop)

    def _count_connections(self, number: int) -> float:
        self.metrics.connections = number
        return self.metrics.total("connections")

    async def _publish(self, redis: AnyConnection) -> None:
        """Put what is counted elsewhere where the other processes see it too."""
        while True:
            self.metrics.round_trips = redis.round_trips
            self.metrics.valkey_answered = max(self.metrics.valkey_answered, float(redis.connected))
            await asyncio.sleep(_PUBLISH_S)


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("background task failed", extra={"task": task.get_name()}, exc_info=error)
