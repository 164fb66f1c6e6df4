"""The part of the composition root that looks: what /health and /metrics ask of the components."""

import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import Final

from gateway.config.settings import Settings
from gateway.observe.health import DEGRADED, OK, Check, Component, redis_component
from gateway.observe.metrics import Metrics
from gateway.observe.model_health import Models, worse
from gateway.wiring.stores import Stores
from gateway.work.heartbeats import living, worker_component
from gateway.work.jobs import WORKER_STATES, later
from memory.errors import TemporaryError
from memory.ports import LongTermStore, MemoryStore
from memory.scope import UserScope
from memory.stores.redis.connection import require
from memory.stores.redis.keys import DEADLINES, UNFINISHED
from memory.stores.redis.opening import AnyConnection
from memory.stores.redis.workers import Heard, RedisWorkers

_LOG: Final = logging.getLogger("anamnesis")
_NOBODY: Final = UserScope("default", "nobody")


class Looking:
    """What is asked of a process's components when somebody looks."""

    def __init__(
        self, settings: Settings, metrics: Metrics, redis: AnyConnection, stores: Stores, models: Models
    ) -> None:
        self._settings = settings
        self._metrics = metrics
        self._redis = redis
        self._stores = stores
        self._models = models
        self._workers = RedisWorkers(redis)
        self._since = time.monotonic()

    def checks(self) -> Mapping[str, Check]:
        """Every component's check by its name."""
        models = {name: partial(self._model, name) for name in self._models.components()}
        return {
            "redis": self._check_redis,
            "store": partial(_check_long_term, self._stores.long_term),
            "memories": partial(_check_memories, self._stores.memories),
            "worker": self._check_worker,
            **models,
        }

    async def figures(self) -> bytes:
        """The metrics, with what only Redis knows asked now."""
        if self._redis.connected:
            self._metrics.round_trips = self._redis.round_trips
            try:
                await self._count_waiting(self._redis)
                heard = await self._workers.heard()
                self._metrics.workers = len(living(heard))
                self._metrics.heartbeat_age_s = heard[0].age_s if heard else float("inf")
            except TemporaryError:
                _LOG.debug("gauges not refreshed")
        return self._metrics.render()

    async def _count_waiting(self, redis: AnyConnection) -> None:
        sets = (DEADLINES, UNFINISHED, later(redis.address))
        *counted, first = await redis.run(
            *(("ZCARD", key) for key in sets), ("ZRANGE", sets[-1], "0", "0", "WITHSCORES")
        )
        metrics = self._metrics
        metrics.waiting, metrics.unfinished, metrics.jobs_later = (int(require(each)) for each in counted)
        due = [float(score) for score in require(first)[1::2]]
        metrics.jobs_late_s = max(0.0, time.time() - due[0]) if due else 0.0

    async def _check_redis(self) -> Component:
        redis = self._redis
        if redis.connected:
            require((await redis.run(("PING",)))[0])
        return redis_component(redis, self._settings.session.durability)

    async def _check_worker(self) -> Component:
        state = WORKER_STATES[int(max(self._metrics.each("worker_state")))]
        lag = {"sweeper_lag_s": round(max(self._metrics.each("sweeper_lag_s")), 3)}
        heard = await self._heard()
        if heard is None:
            return {"status": DEGRADED, "state": state, "reason": "redis does not tell which workers live"} | lag
        return worker_component(state, heard, time.monotonic() - self._since) | lag

    async def _model(self, name: str) -> Component:
        told = [each.told.get(name) for each in living(await self._heard() or ())]
        return worse(self._models.components()[name], [component for component in told if component])

    async def _heard(self) -> list[Heard] | None:
        try:
            return await self._workers.heard()
        except TemporaryError:
            return None


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
