"""`anamnesis doctor`: looks at what a gateway would run on, and says what to do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Final

from gateway.config.settings import Settings
from gateway.observe.metrics import Metrics
from gateway.operating import checks
from gateway.operating.findings import Finding, found_by
from gateway.operating.masking import Masking
from gateway.process.data_folder import prepare, wide_in
from gateway.process.valkey import EmbeddedValkey
from gateway.wiring.memories import Costs, LateRules, embedder_of, openai_mind
from gateway.wiring.privacy import privacy_of
from gateway.wiring.stores import SQLITE_FILE, weaviate_connection, weaviate_long_term
from memory.errors import SetupError
from memory.providers.budget import InMemoryLedger
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.stores.redis.connection import ConnectionSettings
from memory.stores.redis.opening import AnyConnection, open_redis
from memory.stores.sqlite.long_term import SqliteLongTermStore

_ENDS_WITHIN_S: Final = 1.0
"""So long a Valkey that has dropped a connection may take to be gone."""
_IN_FLIGHT_MAX: Final = 16


async def diagnose(settings: Settings) -> list[Finding]:
    """Make every check, one after the other; one that cannot be made is a finding too. No text has a secret in it."""
    looks = checks.Looks(
        data=partial(_data, settings),
        redis=partial(_redis, settings),
        store=partial(_store, settings),
        tokens=partial(_tokens, settings),
        worker=partial(_worker, settings),
        mind=partial(_mind, settings),
        embedder=partial(_embedder, settings),
    )
    masking = Masking(settings)
    return [await found_by(name, check, masking) for name, check in checks.checks_of(settings, looks).items()]


async def _data(settings: Settings) -> Finding:
    prepare(settings, serves=True)
    return checks.at_data(settings, len(wide_in(settings.data.dir)))


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
    async with _connected(settings, url) as connection:
        return await checks.at_redis(connection)


@asynccontextmanager
async def _connected(settings: Settings, url: str) -> AsyncIterator[AnyConnection]:
    """A connection that has been tried; whether it stands is to be asked of it."""
    connection = await open_redis(ConnectionSettings(url, settings.redis.deadline_ms / 1000, _IN_FLIGHT_MAX))
    try:
        yield connection
    finally:
        await connection.close()


async def _store(settings: Settings) -> Finding:
    store: Any
    if settings.weaviate.url:
        store = weaviate_long_term(await weaviate_connection(settings), None)
    else:
        store = SqliteLongTermStore(settings.data.dir / SQLITE_FILE)
    try:
        return await checks.at_store(settings, partial(_begun, store))
    finally:
        await store.close()


async def _begun(store: Any) -> None:
    await store.start()
    await store.check()


async def _tokens(settings: Settings) -> Finding:
    unpack_ranks(settings.data.dir.resolve() / "tiktoken")
    return await checks.at_tokens(await asyncio.to_thread(TiktokenCounter, settings.session.encoding))


async def _worker(settings: Settings) -> Finding:
    """On the Redis of the settings, or on the Valkey of a gateway that runs."""
    url = settings.redis.url or EmbeddedValkey(settings.data.dir, settings.session.durability).url
    async with _connected(settings, url) as connection:
        if connection.connected:
            return await checks.at_worker(connection)
    return checks.no_worker(checks.NO_REDIS if settings.redis.url else "no gateway runs on this folder")


async def _mind(settings: Settings) -> Finding:
    if settings.mind.provider == "rules":
        return await checks.at_mind(settings, None)
    counter = await asyncio.to_thread(TiktokenCounter, settings.session.encoding)
    costs = Costs(counter, InMemoryLedger(), lambda _what, _count: None)
    mind = openai_mind(settings, privacy_of(settings, Metrics()), LateRules(), costs)
    try:
        return await checks.at_mind(settings, mind)
    finally:
        await mind.close()


async def _embedder(settings: Settings) -> Finding:
    async with AsyncExitStack() as stack:
        embedding = await embedder_of(settings, privacy_of(settings, Metrics()).withheld, stack)
        return await checks.at_embedder(embedding.embedder)
