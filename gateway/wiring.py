"""The composition root: the one place that names concrete adapters, and the order in which they start."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from gateway.auth import Authenticator, require_safe_binding
from gateway.background import BackgroundTasks, SystemClock
from gateway.cleaning import CleaningLoop
from gateway.config import Settings
from gateway.health import DEGRADED, OK, Check, Component, redis_component, report, require_safe
from gateway.http.connection import Patience
from gateway.http.dispatch import Dispatcher
from gateway.http.endpoints import Endpoint, Face
from gateway.http.server import Listener, Listening
from gateway.jobs import WORKER_STATES, LateJobs, Upkeep, Work
from gateway.mcp.endpoint import McpEndpoint
from gateway.metrics import Board, Metrics
from gateway.openapi import program_version
from gateway.operations import OPERATIONS
from gateway.processes import Part
from gateway.valkey import EmbeddedValkey
from gateway.wiring_memories import Costs, LateRules, embedder_of, minds_of, warm_up
from gateway.wiring_privacy import privacy_of
from gateway.wiring_settings import brain_settings, recall_settings, session_settings, session_times, unit_settings
from gateway.wiring_stores import Stores, fader_of, stores_of
from memory.consolidation.finalise import Finaliser
from memory.consolidation.reindex import Reindexer
from memory.consolidation.remember import Rememberer
from memory.errors import TemporaryError
from memory.model.session import Append, Appended
from memory.ports import ErasedFiles, LongTermStore, MemoryStore
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.scope import ConversationScope, UserScope
from memory.service import MemoryService, Ports
from memory.stores.redis.connection import Connection, ConnectionSettings, require
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.erasures import AppendOnlyFile, RedisErasures
from memory.stores.redis.keys import DEADLINES, UNFINISHED

_LOG: Final = logging.getLogger("anamnesis")
_DRAIN_S: Final = 1.0
_NOBODY: Final = UserScope("default", "nobody")
_PUBLISH_S: Final = 0.5
_OTHERS_WAIT_S: Final = 5.0
_POLL_S: Final = 0.01


def _finaliser(settings: Settings, sessions: RedisSessionStore, stores: Stores, rememberer: Rememberer) -> Finaliser:
    return Finaliser(
        sessions,
        stores.long_term,
        rememberer=rememberer,
        units=unit_settings(settings),
        attempts_max=settings.finalization.attempts_max,
    )


class Gateway:
    """A running process: everything that `anamnesis serve` or `anamnesis worker` starts, and how it ends."""

    def __init__(self, settings: Settings, part: Part | None = None) -> None:
        self._settings = settings
        self._part = part or Part(0, Board(1))
        self._stack = AsyncExitStack()
        self.metrics = Metrics(self._part.board, self._part.number)
        self._valkey: EmbeddedValkey | None = None
        self._redis: Connection | None = None
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
        privacy = privacy_of(settings, self.metrics)
        if serve:
            require_safe_binding(settings.server.host, authenticator)
        tokens_loading = asyncio.create_task(asyncio.to_thread(self._load_tokens))
        url = self._embedded_url() or settings.redis.url
        embedding = await embedder_of(settings, privacy.withheld, self._stack)
        redis = await self._connect(url)
        stores = await stores_of(settings, embedding.embedder, redis, self._stack)
        tokens = await tokens_loading
        rules = LateRules()
        minds = minds_of(
            settings, privacy, rules, embedding.embedder, Costs(tokens, redis, self.metrics.model), self._stack
        )
        background = BackgroundTasks()
        sessions = RedisSessionStore(redis, session_times(settings))
        jobs = LateJobs()
        erasures = self._erasures(redis)
        service = MemoryService(
            Ports(
                sessions=sessions,
                store=stores.long_term,
                memories=stores.memories,
                minds=minds,
                tokens=tokens,
                jobs=jobs,
                erasures=erasures,
                clock=SystemClock(),
                background=background,
            ),
            settings=session_settings(settings, tokens.name),
            recall=recall_settings(settings),
            brain=brain_settings(settings),
            after_write=(self._count_tokens,),
        )
        self._stack.push_async_callback(background.drain, _DRAIN_S)
        working = AsyncExitStack()
        self._stack.push_async_callback(working.aclose)
        if serve:
            await self._listen(service, authenticator, stores)
        self._clean(erasures.files, "redis", working)
        self._clean(stores.memories.files, stores.memories.kind, working)
        self._begin(warm_up(rules, embedding), "warm-up", self._stack)
        rememberer = Rememberer(stores.memories, minds)
        finaliser = _finaliser(settings, sessions, stores, rememberer)
        making = partial(self._queue_of, url, finaliser, background, sessions)
        upkeep = Upkeep(
            fader_of(settings, stores.memories, rememberer, SystemClock()),
            Reindexer(stores.memories, stores.long_term, embedding.embedder),
        )
        self._begin(Work(settings, making, jobs, self.metrics, sessions, upkeep).run(work=work), "work", working)

    def _erasures(self, redis: Connection) -> RedisErasures:
        """With the files of the embedded Valkey; those of another Redis are its operator's."""
        files = AppendOnlyFile(redis, self._valkey.old_files_gone) if self._valkey is not None else None
        return RedisErasures(redis, files)

    def _clean(self, files: ErasedFiles | None, name: str, until: AsyncExitStack) -> None:
        if files is not None and self._part.first:
            self._begin(CleaningLoop(files, name).run(), f"clean {name}", until)

    def _begin(self, work: Coroutine[Any, Any, None], name: str, until: AsyncExitStack) -> None:
        """Do it beside the rest until the stack is closed."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(_log_failure)
        until.push_async_callback(_cancel, task)

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
            self._begin(self._valkey.watch(), "valkey-watch", self._stack)
        deadline_s = self._settings.redis.deadline_ms / 1000
        redis = Connection(ConnectionSettings(url, deadline_s, self._settings.redis.in_flight_max))
        self._redis = redis
        self._stack.push_async_callback(redis.close)
        await redis.start()
        self._begin(self._publish(redis), "figures", self._stack)
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

    async def _listen(self, service: MemoryService, authenticator: Authenticator, stores: Stores) -> None:
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
            "store": partial(_check_long_term, stores.long_term),
            "memories": partial(_check_memories, stores.memories),
            "worker": self._check_worker,
        }
        endpoints = {operation.name: Endpoint(operation, face) for operation in OPERATIONS}
        asked = self._settings.mcp
        mcp = McpEndpoint(endpoints, face, asked.result_chars_max) if asked.enabled else None
        dispatcher = Dispatcher(endpoints, mcp, partial(report, program_version(), checks), self._figures)
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
        state = WORKER_STATES[int(self.metrics.each("worker_state")[0])]
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


async def _check_long_term(store: LongTermStore) -> Component:
    """As memories, but for SQLite: its file is on this host, and without it the host is not in order."""
    try:
        await store.check()
    except TemporaryError as error:
        if store.kind == "sqlite":
            raise
        return {"status": DEGRADED, "kind": store.kind, "reason": error.detail}
    return {"status": OK, "kind": store.kind}


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


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("background task failed", extra={"task": task.get_name()}, exc_info=error)
