"""The composition root: the one place that names concrete adapters, and the order in which they start."""

import asyncio
import importlib
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from gateway.auth import Authenticator, require_safe_binding
from gateway.background import BackgroundTasks, SystemClock
from gateway.config import Settings
from gateway.health import DEGRADED, OK, Check, Component, redis_component, report, require_safe
from gateway.http.connection import Patience
from gateway.http.dispatch import Dispatcher
from gateway.http.endpoints import Face
from gateway.http.server import Listener, Listening
from gateway.metrics import Board, Metrics
from gateway.openapi import program_version
from gateway.processes import Part
from gateway.valkey import EmbeddedValkey
from gateway.wiring_memories import Upkeep, embedder_of, memories_of, minds_of, recall_settings, upkeep_of, warm_up
from memory.consolidation.finalise import Finaliser
from memory.consolidation.remember import Rememberer
from memory.consolidation.sweep import Sweeper
from memory.errors import StoreUnavailable, TemporaryError
from memory.model.finalization import FinalizationKey
from memory.model.session import Append, Appended
from memory.ports import JobQueue, MemoryStore
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.scope import ConversationScope, UserScope
from memory.service import MemoryService, Ports, SessionSettings
from memory.stores.redis.connection import Connection, ConnectionSettings, require
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.keys import DEADLINES, UNFINISHED
from memory.stores.redis.sessions import SessionTimes
from memory.stores.sqlite.long_term import SqliteLongTermStore

_LOG: Final = logging.getLogger("anamnesis")
_DRAIN_S: Final = 1.0
_QUEUE_WAIT_S: Final = 3.0
_RESTART_S: Final = 1.0
_NOBODY: Final = UserScope("default", "nobody")
_PUBLISH_S: Final = 0.5
_OTHERS_WAIT_S: Final = 5.0
_POLL_S: Final = 0.01
_WORKER_STATES: Final = ("starting", "working", "elsewhere", "failed")

MakeQueue = Callable[[Any], Any]
"""Makes the queue, given the module that knows how (it is loaded late)."""


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def session_times(settings: Settings) -> SessionTimes:
    """Section `session` in milliseconds."""
    session = settings.session
    return SessionTimes(
        ttl_ms=_ms(session.ttl_s),
        max_age_ms=_ms(session.max_age_s),
        journal_ttl_ms=_ms(session.journal_ttl_s),
        idempotency_ttl_ms=_ms(session.idempotency_ttl_s),
        lease_ms=_ms(session.checkpoint_lease_s),
        profile_ttl_ms=_ms(session.ttl_s),
    )


def session_settings(settings: Settings, encoding: str) -> SessionSettings:
    """What the service is told of section `session`."""
    session = settings.session
    return SessionSettings(
        locale=session.locale,
        token_threshold_ratio=session.token_threshold_ratio,
        recent_turns=session.recent_turns,
        model_context_window=session.model_context_window,
        auto_checkpoint=session.auto_checkpoint,
        hold_ms=_ms(settings.finalization.hold_s),
        stamp=f"{encoding}:{session.locale}".encode(),
    )


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
        try:
            async with asyncio.timeout(_QUEUE_WAIT_S):
                await self._there.wait()
        except TimeoutError:
            raise StoreUnavailable("the job queue is not ready") from None
        if self._queue is not None:
            await self._queue.add_finalization(key)


class Gateway:
    """A running process: everything that `anamnesis serve` or `anamnesis worker` starts, and how it ends."""

    def __init__(self, settings: Settings, part: Part | None = None) -> None:
        self._settings = settings
        self._part = part or Part(0, Board(1))
        self._stack = AsyncExitStack()
        self.metrics = Metrics(self._part.board, self._part.number)
        self._valkey: EmbeddedValkey | None = None
        self._redis: Connection | None = None
        self._working: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self, *, serve: bool, work: bool) -> None:
        """Start, in the order of need. On any error what was started is stopped again."""
        try:
            await self._start(serve=serve, work=work)
        except BaseException:
            await self._stack.aclose()
            raise

    async def stop(self) -> None:
        """End in reverse order: listener, work, stores."""
        await self._stack.aclose()
        self.metrics.ready = 0

    async def others_ready(self) -> None:
        """Return when the other processes of this gateway listen too, or take too long about it."""
        self.metrics.ready = 1
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _OTHERS_WAIT_S
        while self.metrics.total("ready") < self.metrics.rows and loop.time() < deadline:  # noqa: ASYNC110 - shared memory
            await asyncio.sleep(_POLL_S)

    async def _others_gone(self) -> None:
        """Return when the other processes need the Valkey of this one no longer, or take too long about it."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.server.shutdown_timeout_s
        while self.metrics.total("ready") > self.metrics.ready and loop.time() < deadline:  # noqa: ASYNC110 - shared memory
            await asyncio.sleep(_POLL_S)

    async def _start(self, *, serve: bool, work: bool) -> None:
        settings = self._settings
        authenticator = Authenticator(settings.auth.keys)
        if serve:
            require_safe_binding(settings.server.host, authenticator)
        tokens_loading = asyncio.create_task(asyncio.to_thread(self._load_tokens))
        url = self._embedded_url() or settings.redis.url
        store = SqliteLongTermStore(settings.data.dir / "anamnesis.sqlite3")
        await store.start()
        self._stack.push_async_callback(store.close)
        embedder = await embedder_of(settings)
        if embedder is not None:
            self._stack.push_async_callback(embedder.close)
        redis = await self._connect(url)
        memories = await memories_of(settings, store.database, embedder, redis)
        if hasattr(memories, "close"):
            self._stack.push_async_callback(memories.close)
        tokens = await tokens_loading
        minds = minds_of(settings, embedder, tokens, redis)
        if hasattr(minds.mind, "close"):
            self._stack.push_async_callback(minds.mind.close)
        background = BackgroundTasks()
        sessions = RedisSessionStore(redis, session_times(settings))
        jobs = LateJobs()
        service = MemoryService(
            Ports(
                sessions=sessions,
                store=store,
                memories=memories,
                minds=minds,
                tokens=tokens,
                jobs=jobs,
                clock=SystemClock(),
                background=background,
            ),
            settings=session_settings(settings, tokens.name),
            recall=recall_settings(settings),
            after_write=(self._count_tokens,),
        )
        finaliser = Finaliser(
            sessions,
            store,
            rememberer=Rememberer(memories, minds),
            threshold_tokens=settings.session.token_threshold_ratio * settings.session.model_context_window,
            locale=settings.session.locale,
            attempts_max=settings.finalization.attempts_max,
        )
        self._stack.push_async_callback(background.drain, _DRAIN_S)
        self._stack.push_async_callback(self._stop_work)
        if serve:
            await self._listen(service, authenticator, store, memories)
        warming = asyncio.create_task(warm_up(embedder), name="warm-up")
        self._stack.push_async_callback(_cancel, warming)
        making = partial(self._queue_of, url, finaliser, background, sessions)
        upkeep = upkeep_of(settings, memories, store, embedder)
        self._working = asyncio.create_task(self._work(making, jobs, sessions, upkeep, work=work), name="work")

    def _count_tokens(self, _scope: ConversationScope, append: Append, _appended: Appended) -> None:
        self.metrics.tokens_written += sum(message.tokens for message in append.messages)

    def _load_tokens(self) -> TiktokenCounter:
        unpack_ranks(self._settings.data.dir.resolve() / "tiktoken")
        return TiktokenCounter(self._settings.session.encoding)

    def _embedded_url(self) -> str:
        """Start the embedded Valkey, when no Redis is configured; returns its address."""
        if self._settings.redis.url:
            return ""
        self._valkey = EmbeddedValkey(self._settings.data.dir, self._settings.session.durability)
        if self._part.first:
            self._valkey.start()
            self._stack.callback(self._valkey.stop)
            self._stack.push_async_callback(self._others_gone)
        else:
            self._valkey.join()
        return self._valkey.url

    async def _connect(self, url: str) -> Connection:
        if self._valkey is not None:
            await self._valkey.wait_ready()
        if self._valkey is not None and self._part.first:
            watching = asyncio.create_task(self._valkey.watch(), name="valkey-watch")
            self._stack.push_async_callback(_cancel, watching)
        deadline_s = self._settings.redis.deadline_ms / 1000
        redis = Connection(ConnectionSettings(url, deadline_s, self._settings.redis.in_flight_max))
        self._redis = redis
        self._stack.push_async_callback(redis.close)
        await redis.start()
        publishing = asyncio.create_task(self._publish(redis), name="figures")
        self._stack.push_async_callback(_cancel, publishing)
        if redis.connected:
            require_safe(
                redis.server,
                allow_eviction=self._settings.redis.allow_eviction,
                durability=self._settings.session.durability,
                embedded=self._valkey is not None,
            )
        else:
            _LOG.warning("redis cannot be reached yet", extra={"reason": redis.last_error})
        return redis

    async def _work(
        self, making: MakeQueue, jobs: LateJobs, sessions: RedisSessionStore, upkeep: Upkeep, *, work: bool
    ) -> None:
        """Run queue, worker and sweeper, and start them again when they fail: the border of background work."""
        while True:
            try:
                await self._work_once(making, jobs, sessions, upkeep, work=work)
            except Exception:  # noqa: BLE001 - the border: nothing that fails here may end for good
                jobs.use(None)
                self.metrics.worker_state = _WORKER_STATES.index("failed")
                _LOG.exception("background work failed; it starts again")
                await asyncio.sleep(_RESTART_S)

    async def _work_once(
        self, making: MakeQueue, jobs: LateJobs, sessions: RedisSessionStore, upkeep: Upkeep, *, work: bool
    ) -> None:
        """Docket is loaded beside the first requests: it takes as long to import as all the rest together."""
        worker = await asyncio.to_thread(importlib.import_module, "gateway.worker")
        queue = making(worker)
        await queue.start(work=work)
        jobs.use(queue)
        self.metrics.worker_state = _WORKER_STATES.index("working" if work else "elsewhere")
        try:
            if work:
                sweeper = Sweeper(sessions, jobs, _ms(self._settings.finalization.hold_s))
                async with asyncio.TaskGroup() as loops:
                    interval_s = self._settings.session.sweep_interval_s
                    fade_s = self._settings.decay.sweep_interval_s
                    loops.create_task(worker.SweepLoop(sweeper, self.metrics, interval_s).run())
                    loops.create_task(worker.FadeLoop(upkeep.fader, self.metrics, fade_s).run())
                    loops.create_task(worker.IndexLoop(upkeep.reindexer).run())
            else:
                await asyncio.Event().wait()
        finally:
            await queue.stop()

    def _queue_of(
        self, url: str, finaliser: Finaliser, background: BackgroundTasks, sessions: RedisSessionStore, worker: Any
    ) -> Any:
        settings = self._settings.finalization
        return worker.DocketJobs(
            url,
            worker.FinalizationRunner(finaliser, self.metrics),
            background,
            sessions.has_room,
            attempts_max=settings.attempts_max,
            retry_delay_s=settings.retry_delay_s,
            hold_s=settings.hold_s,
            concurrency=settings.concurrency,
        )

    async def _stop_work(self) -> None:
        if self._working is not None:
            await _cancel(self._working)

    async def _listen(
        self, service: MemoryService, authenticator: Authenticator, store: SqliteLongTermStore, memories: MemoryStore
    ) -> None:
        server = self._settings.server
        face = Face(
            service=service,
            authenticator=authenticator,
            metrics=self.metrics,
            in_flight_max=server.in_flight_max,
            access_log=self._settings.log.access,
        )
        checks: dict[str, Check] = {
            "redis": self._check_redis,
            "store": partial(_check_store, store),
            "memories": partial(_check_memories, memories),
            "worker": self._check_worker,
        }
        dispatcher = Dispatcher(face, partial(report, program_version(), checks), self._figures)
        listening = Listening(
            host=server.host,
            port=server.port,
            patience=Patience(server.header_timeout_s, server.body_timeout_s, server.keepalive_timeout_s),
            shutdown_timeout_s=server.shutdown_timeout_s,
            connections_max=server.connections_max,
            shared=self._part.board.rows > 1,
        )
        listener = Listener(dispatcher, listening, self._count_connections)
        self.port = await listener.start()
        self._stack.push_async_callback(listener.stop)

    def _count_connections(self, number: int) -> float:
        self.metrics.connections = number
        return self.metrics.total("connections")

    async def _publish(self, redis: Connection) -> None:
        """Put what is counted elsewhere where the other processes see it too."""
        while True:
            self.metrics.round_trips = redis.round_trips
            await asyncio.sleep(_PUBLISH_S)

    async def _check_redis(self) -> Component:
        redis = self._redis
        if redis is None:
            return {"status": "down", "reason": "not started"}
        if redis.connected:
            require((await redis.run(("PING",)))[0])
        return redis_component(
            redis.server,
            connected=redis.connected,
            error=redis.last_error,
            durability=self._settings.session.durability,
        )

    async def _check_worker(self) -> Component:
        state = _WORKER_STATES[int(self.metrics.each("worker_state")[0])]
        found: Component = {"status": OK, "state": state}
        if state == "failed":
            found = {"status": DEGRADED, "state": state, "reason": "it failed and starts again; the log says why"}
        return found | {"sweeper_lag_s": round(max(self.metrics.each("sweeper_lag_s")), 3)}

    async def _figures(self) -> bytes:
        if self._redis is not None and self._redis.connected:
            self.metrics.round_trips = self._redis.round_trips
            try:
                waiting, unfinished = await self._redis.run(("ZCARD", DEADLINES), ("ZCARD", UNFINISHED))
                self.metrics.waiting, self.metrics.unfinished = (
                    int(require(waiting)),
                    int(require(unfinished)),
                )
            except TemporaryError:
                _LOG.debug("gauges not refreshed")
        return self.metrics.render()


async def _check_store(store: SqliteLongTermStore) -> Component:
    await store.check()
    return {"status": OK, "kind": "sqlite"}


async def _check_memories(memories: MemoryStore) -> Component:
    """A memory store that is down degrades: sessions go on, and what ended waits."""
    try:
        await memories.count(_NOBODY)
    except TemporaryError as error:
        return {"status": DEGRADED, "kind": memories.kind, "reason": error.detail}
    return {"status": OK, "kind": memories.kind}


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
