"""The doctor's checks. Each takes what it looks at: the command opens it for that, a gateway looks at its own."""

import secrets
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, runtime_checkable

from gateway.auth import Authenticator, require_safe_binding
from gateway.config.settings import Settings
from gateway.observe.health import NO_AOF_REASON, Redis, eviction_reason, server_name
from gateway.operating.findings import Check, Finding
from gateway.operating.masking import masked_address
from gateway.wiring.privacy import pseudonyms_of, require_keys
from gateway.work.heartbeats import living, silence
from memory.errors import TemporaryError
from memory.ports import Embedder, TokenCounter
from memory.privacy.policy import Policy
from memory.providers.budget import BudgetLimits
from memory.stores.redis.connection import require
from memory.stores.redis.keys import DEADLINES
from memory.stores.redis.opening import AnyConnection
from memory.stores.redis.workers import RedisWorkers

_DISK_FREE_BYTES_MIN: Final = 500 * 1024 * 1024
_REDIS_MAJOR_MIN: Final = 7
NO_REDIS: Final = "redis cannot be reached"
ASKS_A_MODEL: Final = ("mind", "embedder")
"""Checks that may cost tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """Checks that are made in another way where a gateway runs than where none does."""

    data: Check
    redis: Check
    store: Check
    tokens: Check
    worker: Check
    mind: Check
    embedder: Check


def checks_of(settings: Settings, looks: Looks) -> Mapping[str, Check]:
    """All of them, by name, in the order in which they are told."""
    return {
        "python": _python,
        "access": partial(_access, settings),
        "privacy": partial(_privacy, settings),
        "data": looks.data,
        "redis": looks.redis,
        "store": looks.store,
        "tokens": looks.tokens,
        "worker": looks.worker,
        "mind": looks.mind,
        "embedder": looks.embedder,
    }


async def _python() -> Finding:
    return Finding("python", ok=True, text=python_version())


def python_version() -> str:
    """Of the Python that runs this."""
    return ".".join(map(str, sys.version_info[:3]))


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
    require_keys(settings)
    pseudonyms_of(settings)
    hidden = ", ".join(sorted(Policy.of(settings.privacy.model).replaced)) or "nothing"
    replaced = ", ".join(sorted(Policy.of(settings.privacy.store).replaced)) or "nothing"
    text = f"not for models: {hidden}; not for the store: {replaced}; keys of {len(settings.privacy.keys)} tenants"
    return Finding("privacy", ok=True, text=text)


def at_data(settings: Settings, wide: int) -> Finding:
    """The data folder, of whose files others have rights in so many."""
    folder = settings.data.dir
    if wide:
        text = f"{folder}: others have rights in {wide} of its files; take them away: chmod -R go= {folder}"
        return Finding("data", ok=False, text=text)
    return Finding("data", ok=True, text=f"{folder}: for this user alone")


async def at_redis(connection: Redis) -> Finding:
    """What keeps sessions, by a connection that has been tried."""
    if not connection.connected:
        return Finding("redis", ok=False, text=f"cannot be reached: {connection.last_error}. Is REDIS_URL right?")
    server = connection.server
    name = server_name(server)
    version = name.rpartition(" ")[2]
    troubles = [eviction_reason(server), NO_AOF_REASON if server.get("aof_enabled") == "0" else ""]
    if int(version.partition(".")[0]) < _REDIS_MAJOR_MIN:
        troubles.append(f"version {version} is too old: {_REDIS_MAJOR_MIN}.0 or later is needed")
    text = "; ".join(trouble for trouble in troubles if trouble)
    return Finding("redis", ok=not text, text=text or f"{name}, noeviction, append-only file on")


async def at_store(settings: Settings, look: Callable[[], Awaitable[object]]) -> Finding:
    """What keeps memories. `look` raises what is wrong with it."""
    if settings.weaviate.url:
        return await _at_weaviate(settings, look)
    await look()
    free = shutil.disk_usage(settings.data.dir).free
    if free < _DISK_FREE_BYTES_MIN:
        return Finding("store", ok=False, text=f"only {free // 2**20} MiB of disk are free: make room")
    return Finding("store", ok=True, text=f"sqlite in {settings.data.dir}, {free // 2**20} MiB free")


async def _at_weaviate(settings: Settings, look: Callable[[], Awaitable[object]]) -> Finding:
    at = masked_address(settings.weaviate.url)
    try:
        await look()
    except TemporaryError as error:
        text = f"{at} (gRPC port {settings.weaviate.grpc_port}): {error.detail}. Is it started, is weaviate.url right?"
        return Finding("store", ok=False, text=text)
    return Finding("store", ok=True, text=f"weaviate at {at}: MemUnits, profiles and memories")


async def at_tokens(counter: TokenCounter) -> Finding:
    """What counts tokens."""
    text = "我头痛三天了"
    return Finding("tokens", ok=True, text=f"{counter.name}; {text} = {await counter.count(text)} tokens")


def no_worker(reason: str) -> Finding:
    """What there is to say of workers where nobody can be asked for them."""
    return Finding("worker", ok=True, text=f"not looked for: {reason}")


async def at_worker(connection: AnyConnection) -> Finding:
    """Who turns sessions into memory on this Redis."""
    heard = await RedisWorkers(connection).heard()
    (waiting,) = await connection.run(("ZCARD", DEADLINES))
    if not (heard or require(waiting)):
        return Finding("worker", ok=True, text="none yet, and no session waits for one")
    alive = [f"{each.worker.rpartition(':')[0]} ({each.age_s:.0f} s ago)" for each in living(heard)]
    silent = silence(heard)
    return Finding("worker", ok=not silent, text=silent or f"{len(alive)} alive: {', '.join(alive)}")


@runtime_checkable
class ModelMind(Protocol):
    """A mind that asks a model."""

    @property
    def largest_request(self) -> tuple[int, int]:
        """The most tokens that one request can send, and be answered with."""
        ...

    async def probe(self) -> None:
        """Make one call of a few tokens."""
        ...


async def at_mind(settings: Settings, mind: ModelMind | None) -> Finding:
    """One real call of a few tokens. None: it calls no model."""
    if mind is None:
        return Finding("mind", ok=True, text="rules: no model is called")
    await mind.probe()
    short = BudgetLimits(**settings.budget.model_dump()).shortfall(*mind.largest_request)
    text = f"{settings.mind.model} at {masked_address(settings.openai.base_url)} answers"
    return Finding("mind", ok=not short, text=short or text)


async def at_embedder(embedder: Embedder | None) -> Finding:
    """One real call of a word that nothing has kept the vector of. None: there are no embeddings."""
    if embedder is None:
        return Finding("embedder", ok=True, text="none: memories are searched by words alone")
    await embedder.queries([f"doctor {secrets.token_hex(4)}"])
    text = f"{embedder.space}: a query has a vector of {embedder.dimension} numbers"
    return Finding("embedder", ok=True, text=text)
