"""The part of the composition root that makes the long-term stores: Weaviate when it is configured, else SQLite."""

import asyncio
import hashlib
import importlib
import json
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from gateway.config.settings import Settings
from gateway.wiring.settings import decay_settings, review_settings
from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import kept_by_rule, question_of
from memory.consolidation.upkeep.fade import Fader, leaves_at
from memory.errors import TemporaryError
from memory.ports import Asks, Clock, Embedder, Fades, LeavingTimes, LongTermStore, MemoryArchive, MemoryStore
from memory.stores.redis.memories import RedisDueIndex, RedisLocks
from memory.stores.redis.wire import Commands
from memory.stores.sqlite.leaving import SqliteLeavingTimes
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

_LOG: Final = logging.getLogger("anamnesis.memories")
SQLITE_FILE: Final = "anamnesis.sqlite3"
_LEAVING_VERSION: Final = 2
"""Of the formulas by which memories fade and ask."""
_LEAVES_BY: Final = (
    "fact", "episode", "fact_grace_days", "fact_factor", "episode_grace_days", "episode_factor", "episode_max_age_days",
    "forget_below", "retention_s", "forget", "review_below",
)  # fmt: skip
_ASKS_BY: Final = ("review", "promote_at", "keep_cooldown_s")


@dataclass(frozen=True, slots=True)
class Stores:
    """What outlives sessions: MemUnits and profiles, and memories. Both lie in the same kind of store."""

    long_term: LongTermStore
    memories: MemoryArchive
    leaving: LeavingTimes


def fades_of(settings: Settings) -> Fades:
    """When a memory leaves, by section `decay`."""
    decay = decay_settings(settings)
    retention_ms = round(settings.decay.retention_s * 1000)
    return lambda memory: leaves_at(memory, decay, retention_ms)


def asks_of(settings: Settings) -> Asks:
    """What a memory asks, by sections `decay` and `curation`."""
    decay, reviews = decay_settings(settings), review_settings(settings)
    return lambda memory: question_of(memory, decay, reviews)


def leaving_settings(settings: Settings) -> str:
    """A name of what `fades_of` and `asks_of` go by: another one where memories leave, or ask, at another time."""
    decay = settings.decay.model_dump(mode="json", include=set(_LEAVES_BY))
    curation = settings.curation.model_dump(mode="json", include=set(_ASKS_BY))
    made_by = json.dumps([decay, curation], sort_keys=True)
    return f"{_LEAVING_VERSION}:{hashlib.sha256(made_by.encode()).hexdigest()[:16]}"


def fader_of(settings: Settings, memories: MemoryStore, rememberer: Rememberer, clock: Clock) -> Fader:
    """What forgets."""
    keeps = partial(kept_by_rule, decay=decay_settings(settings), settings=review_settings(settings))
    return Fader(memories, clock, fades_of(settings), rememberer.settle_again, keeps)


async def stores_of(settings: Settings, embedder: Embedder | None, redis: Commands, stack: AsyncExitStack) -> Stores:
    """The stores, opened; the stack closes them.

    Raises SetupError when they are another version's, or indexed for other settings. A Weaviate that is down is
    waited for by its own breaker.
    """
    if not settings.weaviate.url:
        return await sqlite_stores(settings, embedder, stack)
    memories, remote = await weaviate_stores(settings, embedder, redis, stack)
    await asyncio.gather(_started(memories), _started(remote))
    return Stores(remote, memories, RedisDueIndex(redis))


async def sqlite_stores(
    settings: Settings, embedder: Embedder | None, stack: AsyncExitStack, *, build: bool = False
) -> Stores:
    """The stores in SQLite, opened; with `build` the index generation of the settings need not be complete."""
    long_term = SqliteLongTermStore(settings.data.dir / SQLITE_FILE)
    stack.push_async_callback(long_term.close)
    await long_term.start()
    memories = SqliteMemoryStore(long_term.database, *_space(embedder), fades_of(settings), asks=asks_of(settings))
    await memories.start(build=build)
    return Stores(long_term, memories, SqliteLeavingTimes(long_term.database))


async def weaviate_stores(
    settings: Settings, embedder: Embedder | None, redis: Commands, stack: AsyncExitStack
) -> tuple[Any, Any]:
    """Memories, and MemUnits and profiles, in Weaviate over one connection; neither is started."""
    connection = await weaviate_connection(settings)
    stack.push_async_callback(connection.close)
    memories = weaviate_memories(settings, connection, embedder, redis)
    stack.push_async_callback(memories.close)
    long_term = weaviate_long_term(connection, RedisLocks(redis))
    stack.push_async_callback(long_term.close)
    return memories, long_term


async def weaviate_connection(settings: Settings) -> Any:
    """The connection that both stores share; nothing is asked of the server yet. Importing its client takes seconds."""
    client = await asyncio.to_thread(importlib.import_module, "memory.stores.weaviate.client")
    asked = settings.weaviate
    return client.WeaviateConnection(
        client.WeaviateSettings(
            url=asked.url,
            grpc_port=asked.grpc_port,
            api_key=asked.api_key,
            read_deadline_s=asked.read_deadline_ms / 1000,
            write_deadline_s=asked.write_deadline_ms / 1000,
            tenants_known=("default", *(key.tenant for key in settings.auth.keys)),
        )
    )


def weaviate_long_term(connection: Any, locks: RedisLocks | None) -> Any:
    """The store of MemUnits and profiles on Weaviate, not started. Without locks it is for one process."""
    return importlib.import_module("memory.stores.weaviate.long_term").WeaviateLongTermStore(connection, locks)


def weaviate_memories(settings: Settings, connection: Any, embedder: Embedder | None, redis: Commands) -> Any:
    """The memory store on Weaviate, not started."""
    adapter = importlib.import_module("memory.stores.weaviate.memories")
    outside = importlib.import_module("memory.stores.weaviate.due").Outside
    index = outside(RedisDueIndex(redis), fades_of(settings), asks_of(settings))
    return adapter.WeaviateMemoryStore(connection, *_space(embedder), index, RedisLocks(redis))


async def _started(store: Any) -> None:
    try:
        await store.start()
    except TemporaryError as error:
        _LOG.warning("weaviate cannot be reached yet", extra={"reason": error.code})


def _space(embedder: Embedder | None) -> tuple[str, int]:
    return ("", 0) if embedder is None else (embedder.space, embedder.dimension)
