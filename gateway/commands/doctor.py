"""`anamnesis doctor`: looks at what a gateway would run on, and says what to do."""

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from gateway.auth import Authenticator, require_safe_binding
from gateway.config.settings import Settings
from gateway.observe.health import NO_AOF_REASON, eviction_reason
from gateway.observe.metrics import Metrics
from gateway.process.data_folder import prepare
from gateway.process.valkey import EmbeddedValkey
from gateway.wiring.memories import Costs, LateRules, embedder_of, openai_mind
from gateway.wiring.privacy import privacy_of
from gateway.wiring.stores import SQLITE_FILE, weaviate_connection, weaviate_long_term
from gateway.work.heartbeats import living, silence
from memory.errors import MemoryGatewayError, SetupError, TemporaryError
from memory.privacy.policy import Policy
from memory.providers.budget import BudgetLimits, InMemoryLedger
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.stores.redis.connection import ConnectionSettings, require
from memory.stores.redis.keys import DEADLINES
from memory.stores.redis.opening import open_redis
from memory.stores.redis.workers import RedisWorkers
from memory.stores.sqlite.long_term import SqliteLongTermStore

_DISK_FREE_BYTES_MIN: Final = 500 * 1024 * 1024
_ENDS_WITHIN_S: Final = 1.0
"""So long a Valkey that has dropped a connection may take to be gone."""
_REDIS_MAJOR_MIN: Final = 7


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what was looked at, how it is, and what to do."""

    subject: str
    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.subject:<10} {self.text}"


Check = Callable[[Settings], Awaitable[Finding]]


async def diagnose(settings: Settings) -> list[Finding]:
    """Run every check; a check that cannot be made is a finding too."""
    return [await _tried(name, check, settings) for name, check in _CHECKS.items()]


async def _tried(name: str, check: Check, settings: Settings) -> Finding:
    try:
        return await check(settings)
    except MemoryGatewayError as error:
        return Finding(name, ok=False, text=error.detail)
    except OSError as error:
        return Finding(name, ok=False, text=str(error))


async def _python(_: Settings) -> Finding:
    return Finding("python", ok=True, text=".".join(map(str, sys.version_info[:3])))


async def _access(settings: Settings) -> Finding:
    authenticator = Authenticator(settings.auth.keys)
    require_safe_binding(settings.server.host, authenticator)
    plain = [key.name or key.tenant for key in settings.auth.keys if key.key is not None]
    if plain:
        return Finding("access", ok=False, text=f"keys in plain text ({', '.join(plain)}): store `hash` instead")
    who = "loopback only, no key" if authenticator.open else f"{len(settings.auth.keys)} API keys"
    return Finding("access", ok=True, text=f"{settings.server.host}:{settings.server.port}, {who}")


async def _privacy(settings: Settings) -> Finding:
    """The policies by name, and whose keys there are: never a key."""
    privacy_of(settings, Metrics())
    hidden = ", ".join(sorted(Policy.of(settings.privacy.model).replaced)) or "nothing"
    replaced = ", ".join(sorted(Policy.of(settings.privacy.store).replaced)) or "nothing"
    text = f"not for models: {hidden}; not for the store: {replaced}; keys of {len(settings.privacy.keys)} tenants"
    return Finding("privacy", ok=True, text=text)


async def _data(settings: Settings) -> Finding:
    prepare(settings, serves=True)
    return Finding("data", ok=True, text=f"{settings.data.dir}: for this user alone")


async def _redis(settings: Settings) -> Finding:
    if settings.redis.url:
        return await _look_at_redis(settings, settings.redis.url)
    valkey = EmbeddedValkey(settings.data.dir, settings.session.durability)
    try:
        valkey.start()
    except SetupError:  # a gateway runs on this folder: look at its Valkey
        return await _look_at_redis(settings, valkey.url)
    try:
        await valkey.wait_ready()
        found = await _look_at_redis(settings, valkey.url)
        failure = None if found.ok else valkey.failure(_ENDS_WITHIN_S)
        return Finding("redis", ok=False, text=failure.detail) if failure else found
    finally:
        valkey.stop()


async def _look_at_redis(settings: Settings, url: str) -> Finding:
    connection = await open_redis(ConnectionSettings(url, settings.redis.deadline_ms / 1000, 16))
    server, reason = connection.server, connection.last_error
    connected = connection.connected
    await connection.close()
    if not connected:
        return Finding("redis", ok=False, text=f"cannot be reached: {reason}. Is REDIS_URL right?")
    name = "valkey" if "valkey_version" in server else "redis"
    version = server.get("valkey_version") or server.get("redis_version", "0")
    troubles = [eviction_reason(server), NO_AOF_REASON if server.get("aof_enabled") == "0" else ""]
    if int(version.partition(".")[0]) < _REDIS_MAJOR_MIN:
        troubles.append(f"version {version} is too old: {_REDIS_MAJOR_MIN}.0 or later is needed")
    text = "; ".join(trouble for trouble in troubles if trouble)
    return Finding("redis", ok=not text, text=text or f"{name} {version}, noeviction, append-only file on")


async def _store(settings: Settings) -> Finding:
    if settings.weaviate.url:
        return await _look_at_weaviate(settings)
    store = SqliteLongTermStore(settings.data.dir / SQLITE_FILE)
    try:
        await store.start()
        await store.check()
    finally:
        await store.close()
    free = shutil.disk_usage(settings.data.dir).free
    if free < _DISK_FREE_BYTES_MIN:
        return Finding("store", ok=False, text=f"only {free // 2**20} MiB of disk are free: make room")
    return Finding("store", ok=True, text=f"sqlite in {settings.data.dir}, {free // 2**20} MiB free")


async def _look_at_weaviate(settings: Settings) -> Finding:
    asked = settings.weaviate
    store = weaviate_long_term(await weaviate_connection(settings), None)
    try:
        await store.start()
        await store.check()
    except TemporaryError as error:
        text = f"{asked.url} (gRPC port {asked.grpc_port}): {error.detail}. Is it started, is weaviate.url right?"
        return Finding("store", ok=False, text=text)
    finally:
        await store.close()
    return Finding("store", ok=True, text=f"weaviate at {asked.url}: MemUnits, profiles and memories")


async def _tokens(settings: Settings) -> Finding:
    unpack_ranks(settings.data.dir.resolve() / "tiktoken")
    counter = await asyncio.to_thread(TiktokenCounter, settings.session.encoding)
    return Finding("tokens", ok=True, text=f"{counter.name}; 我头痛三天了 = {counter.count_now('我头痛三天了')} tokens")


async def _worker(settings: Settings) -> Finding:
    """Who turns sessions into memory on the Redis of the settings, or on the Valkey of a gateway that runs."""
    url = settings.redis.url or EmbeddedValkey(settings.data.dir, settings.session.durability).url
    connection = await open_redis(ConnectionSettings(url, settings.redis.deadline_ms / 1000, 16))
    try:
        if not connection.connected:
            told = "redis cannot be reached" if settings.redis.url else "no gateway runs on this folder"
            return Finding("worker", ok=True, text=f"not looked for: {told}")
        heard = await RedisWorkers(connection).heard()
        (waiting,) = await connection.run(("ZCARD", DEADLINES))
    finally:
        await connection.close()
    if not (heard or require(waiting)):
        return Finding("worker", ok=True, text="none yet, and no session waits for one")
    alive = [f"{each.worker.rpartition(':')[0]} ({each.age_s:.0f} s ago)" for each in living(heard)]
    silent = silence(heard)
    return Finding("worker", ok=not silent, text=silent or f"{len(alive)} alive: {', '.join(alive)}")


async def _mind(settings: Settings) -> Finding:
    """One real call of a few tokens, where the mind is a model."""
    if settings.mind.provider == "rules":
        return Finding("mind", ok=True, text="rules: no model is called")
    counter = await asyncio.to_thread(TiktokenCounter, settings.session.encoding)
    costs = Costs(counter, InMemoryLedger(), lambda _what, _count: None)
    mind = openai_mind(settings, privacy_of(settings, Metrics()), LateRules(), costs)
    try:
        await mind.probe()
    finally:
        await mind.close()
    short = BudgetLimits(**settings.budget.model_dump()).shortfall(*mind.largest_request)
    return Finding("mind", ok=not short, text=short or f"{settings.mind.model} at {settings.openai.base_url} answers")


async def _embedder(settings: Settings) -> Finding:
    """One real call, where there are embeddings."""
    async with AsyncExitStack() as stack:
        embedding = await embedder_of(settings, privacy_of(settings, Metrics()).withheld, stack)
        if embedding.embedder is None:
            return Finding("embedder", ok=True, text="none: memories are searched by words alone")
        await embedding.embedder.queries(["doctor"])
        text = f"{embedding.embedder.space}: a query has a vector of {embedding.embedder.dimension} numbers"
        return Finding("embedder", ok=True, text=text)


_CHECKS: Final[dict[str, Check]] = {
    "python": _python,
    "access": _access,
    "privacy": _privacy,
    "data": _data,
    "redis": _redis,
    "store": _store,
    "tokens": _tokens,
    "worker": _worker,
    "mind": _mind,
    "embedder": _embedder,
}
