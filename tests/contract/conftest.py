"""The session suite runs over fakeredis, Redis, Valkey and a cluster of it; that of memories over both stores."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.reviews import USUAL_REVIEWS, question_of
from memory.consolidation.upkeep.users import UserLister
from memory.ports import MemoryStore
from memory.providers.openai_judge import OpenAIJudge
from memory.retrieval.decay import DecaySettings
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.redis.keys import PERMANENT
from memory.stores.redis.users import RedisUsers
from tests.contract.lives import IN_WEAVIATE
from tests.contract.memory_stores import SPACE, fades, in_sqlite, in_weaviate
from tests.contract.test_settling import Near
from tests.inprocess import FakeCommands, World, world
from tests.openai_models import asking
from tests.openai_server import ScriptedServer
from tests.servers import redis_binary, running, valkey_binary
from tests.stores import empty
from tests.topologies import Cluster, ClusterCommands, started
from tests.weaviate_server import WeaviateServer

ASKS = partial(question_of, decay=DecaySettings(), settings=USUAL_REVIEWS)
KEPT_UNTIL_REPLAYED = (
    "short_term_memory:sealed:",
    "short_term_memory:finalization:",
    "short_term_memory:conversation:",
)
"""Without a TTL only while their session is FAILED."""


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with running(redis_binary()) as url:
        yield url


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    with running(valkey_binary()) as url:
        yield url


@pytest.fixture(scope="session")
def weaviate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WeaviateServer]:
    server = WeaviateServer(tmp_path_factory.mktemp("weaviate"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with started(Cluster(tmp_path_factory.mktemp("cluster"), valkey_binary())) as found:
        yield found


@pytest.fixture(params=["fakeredis", pytest.param("redis", marks=[pytest.mark.integration, pytest.mark.long]),
                        pytest.param("valkey", marks=pytest.mark.integration),
                        pytest.param("cluster", marks=[pytest.mark.integration, pytest.mark.long])])  # fmt: skip
async def commands(request: pytest.FixtureRequest) -> AsyncIterator[Any]:
    """A connection to an empty session store. After the test: no key without a TTL, unless it has a reason."""
    if request.param in {"fakeredis", IN_WEAVIATE}:
        connection: Any = FakeCommands()
    elif request.param == "cluster":
        connection = ClusterCommands(request.getfixturevalue("cluster"))
        await connection.start()
    else:
        connection = Connection(ConnectionSettings(request.getfixturevalue(f"{request.param}_url"), 5, 1000))
        await connection.start()
    await connection.run(("FLUSHALL",))
    yield connection
    lasting = await keys_without_ttl(connection)
    if request.param in {"fakeredis", IN_WEAVIATE}:
        await connection.client.aclose()
    else:
        await connection.close()
    assert not lasting, f"keys without a TTL and without a reason: {lasting}"


async def keys_without_ttl(commands: Any) -> list[str]:
    (keys,) = await commands.run(("KEYS", "*"))
    found = []
    for key in (key.decode() for key in keys):
        (ttl,) = await commands.run(("TTL", key))
        failed = key.startswith(KEPT_UNTIL_REPLAYED) and await _has_failed(commands, key)
        if ttl == -1 and not any(fnmatch(key, name) for name in PERMANENT) and not failed:
            found.append(key)
    return found


async def _has_failed(commands: Any, key: str) -> bool:
    tag = key[key.index("{") : key.index("}") + 1]
    (failed,) = await commands.run(("HGET", f"short_term_memory:conversation:{tag}", "failed"))
    return bool(failed)


@pytest.fixture
async def make_world(
    request: pytest.FixtureRequest, commands: Any, tmp_path: Path, counter: Any
) -> AsyncIterator[Callable[..., Any]]:
    """Makes a service with settings of one's own."""
    of_test = getattr(request.node, "callspec", None)
    over_weaviate = of_test is not None and of_test.params.get("commands") == IN_WEAVIATE
    async with AsyncExitStack() as stack:

        async def make(**settings: Any) -> World:
            if over_weaviate and "memories" not in settings:
                server = request.getfixturevalue("weaviate")
                await empty(server)
                settings["memories"], close = await in_weaviate(server, "")
                stack.push_async_callback(close)
            return await stack.enter_async_context(world(commands, tmp_path, counter, **settings))

        yield make


@pytest.fixture
async def here(make_world: Callable[..., Any]) -> World:
    """A service with the default settings."""
    return await make_world()


@pytest.fixture
async def chat_server() -> AsyncIterator[ScriptedServer]:
    """A chat endpoint whose model finds nothing, until a test says otherwise."""
    async with ScriptedServer(chat=lambda _: '{"used": [], "corrections": []}') as running:
        yield running


@pytest.fixture
async def judge(chat_server: ScriptedServer) -> AsyncIterator[OpenAIJudge]:
    """Asks that model."""
    settings, endpoint = asking(chat_server)
    yield OpenAIJudge(settings, endpoint)
    await endpoint.close()


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """Opens the store (again)."""
    if request.param == "sqlite":
        return lambda space=SPACE: in_sqlite(tmp_path, space)
    server = request.getfixturevalue("weaviate")
    asyncio.run(empty(server))
    return lambda space=SPACE: in_weaviate(server, space)


@pytest.fixture
async def store(opened: Callable[..., Any]) -> AsyncIterator[MemoryStore]:
    made, close = await opened()
    yield made
    await close()


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def over(request: pytest.FixtureRequest, tmp_path: Path, counter: Any) -> AsyncIterator[World]:
    """A service over one of the stores of memories, whose users are listed."""
    if request.param == "sqlite":
        store, close = await in_sqlite(tmp_path, SPACE, fades, ASKS)
    else:
        server = request.getfixturevalue("weaviate")
        await empty(server)
        store, close = await in_weaviate(server, SPACE, fades, asks=ASKS)
    commands = FakeCommands()
    (tmp_path / "units").mkdir()
    async with world(commands, tmp_path / "units", counter, memories=store, embedder=Near()) as here:
        await UserLister(RedisUsers(commands), here.sessions, here.store, here.memories).make()
        yield here
    await commands.client.aclose()
    await close()
