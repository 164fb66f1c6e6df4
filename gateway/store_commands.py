"""Commands about the memory store: `anamnesis verify-store`."""

import asyncio
from contextlib import AsyncExitStack
from typing import Final

from gateway.config import Settings
from gateway.metrics import Metrics
from gateway.wiring_memories import embedder_of
from gateway.wiring_privacy import privacy_of
from gateway.wiring_stores import SQLITE_FILE, weaviate_connection, weaviate_memories
from memory.errors import SetupError, TemporaryError
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.sqlite.database import Database

_REFUSED: Final = 1


def verify(settings: Settings, *, repair: bool) -> int:
    """Prove of every memory that its store's indexes find it; 1 when some are not found and not mended.

    MemUnits and profiles need no proof in Weaviate: no index decides about them (docs/decisions/0010).
    """
    return asyncio.run(_verify(settings, repair=repair))


async def _verify(settings: Settings, *, repair: bool) -> int:
    if not settings.weaviate.url:
        database = Database(settings.data.dir / SQLITE_FILE)
        await database.start()
        try:
            found = await database.read(lambda session: session.connection.execute("PRAGMA integrity_check").fetchall())
        finally:
            await database.close()
        text = "; ".join(str(row[0]) for row in found)
        print(f"sqlite: {text}")
        return 0 if text == "ok" else _REFUSED
    if not settings.redis.url:
        raise SetupError("`anamnesis verify-store` needs the Redis of the gateways for its locks: set REDIS_URL")
    async with AsyncExitStack() as stack:
        redis = Connection(ConnectionSettings(settings.redis.url, settings.redis.deadline_ms / 1000, 1024))
        stack.push_async_callback(redis.close)
        await redis.start()
        embedding = await embedder_of(settings, privacy_of(settings, Metrics()).withheld, stack)
        connection = await weaviate_connection(settings)
        store = weaviate_memories(settings, connection, embedding.embedder, redis)
        stack.push_async_callback(store.close)
        try:
            await store.start()
            verdict = await store.verify(repair=repair)
        except TemporaryError as error:
            raise SetupError(f"weaviate does not answer: {error.detail}") from error
    print(f"weaviate: {verdict.records} records, {verdict.unfound} not found by an index, {verdict.mended} mended")
    return 0 if verdict.unfound == verdict.mended else _REFUSED
