"""The part of the composition root that makes what answers who runs the gateway, over the parts that live."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Final

from gateway.config.settings import Settings
from gateway.config.sources import Origins
from gateway.observe.health import server_name
from gateway.observe.model_health import Models
from gateway.openapi import program_version
from gateway.operating import checks
from gateway.operating.findings import Finding
from gateway.operating.masking import Masking
from gateway.operating.operating_calls import Versions
from gateway.operating.service import Doctor, Operating
from gateway.process.data_folder import wide_in
from gateway.wiring.stores import Stores
from memory.errors import TemporaryError
from memory.ports import TokenCounter
from memory.stores.redis.connection import require
from memory.stores.redis.opening import AnyConnection

_STORE_WAIT_S: Final = 2.0
"""Who asks for settings waits no longer for a store to say what it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Living:
    """Parts of a process that runs."""

    redis: AnyConnection
    stores: Stores
    models: Models
    tokens: TokenCounter


def operating_of(settings: Settings, origins: Origins, living: Living, stack: AsyncExitStack) -> Operating:
    """What answers; the stack ends it."""
    mind = living.models.mind
    looks = checks.Looks(
        data=partial(_data, settings),
        redis=partial(_redis, living.redis),
        store=partial(checks.at_store, settings, living.stores.long_term.check),
        tokens=partial(checks.at_tokens, living.tokens),
        worker=partial(_worker, living.redis),
        mind=partial(checks.at_mind, settings, mind if isinstance(mind, checks.ModelMind) else None),
        embedder=partial(checks.at_embedder, living.models.embedder),
    )
    doctor = Doctor(checks.checks_of(settings, looks), Masking(settings))
    stack.push_async_callback(doctor.close)
    return Operating(settings, origins, partial(_versions, living), doctor, frozenset(checks.ASKS_A_MODEL))


async def _data(settings: Settings) -> Finding:
    return checks.at_data(settings, len(await asyncio.to_thread(wide_in, settings.data.dir)))


async def _redis(redis: AnyConnection) -> Finding:
    if redis.connected:
        require((await redis.run(("PING",)))[0])
    return await checks.at_redis(redis)


async def _worker(redis: AnyConnection) -> Finding:
    return await checks.at_worker(redis) if redis.connected else checks.no_worker(checks.NO_REDIS)


async def _versions(living: Living) -> Versions:
    embedder, server = living.models.embedder, living.redis.server
    return Versions(
        anamnesis=program_version(),
        python=checks.python_version(),
        server=server_name(server) if server else None,
        store=living.stores.memories.kind,
        encoding=living.tokens.name,
        space=embedder.space if embedder is not None else None,
        generations=await _generations(living.stores),
    )


async def _generations(stores: Stores) -> list[str] | None:
    try:
        async with asyncio.timeout(_STORE_WAIT_S):
            return [str(each) for each in await stores.memories.generations()]
    except (TemporaryError, TimeoutError):
        return None
