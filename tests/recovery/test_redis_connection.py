"""Redis loads, is demoted, speaks TLS: what the connection makes of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from kit import open_connection
from processes import Gateway, RedisServer, turn
from redis.exceptions import RedisError

from memory.errors import DeadlineExceeded, StoreUnavailable
from memory.stores.redis.connection import LOADING, Connection, ConnectionSettings, require
from memory.stores.redis.opening import open_redis
from tests.servers import redis_binary, valkey_binary
from tests.topologies import LOOPBACK, Server, kept, make_certificates, started
from tests.waiting import eventually, wait_until

KEYS = 600
LOAD_DELAY_US = "50000"
"""For each key: half a minute in all, unless it is hurried."""


class Name:
    """A name that stays while the server behind it changes: new connections go to the new one, old ones stay."""

    def __init__(self, port: int) -> None:
        self.behind = port
        self.port = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Name"]:
        server = await asyncio.start_server(self._joined, LOOPBACK, 0)
        self.port = server.sockets[0].getsockname()[1]
        self._joins: set[asyncio.Task[None]] = set()
        yield self
        server.close()
        for task in self._joins:
            task.cancel()
        await asyncio.gather(*self._joins, return_exceptions=True)

    def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._joins.add(asyncio.create_task(self._join(reader, writer)))

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            reader_behind, writer_behind = await asyncio.open_connection(LOOPBACK, self.behind)
            try:
                await asyncio.gather(_copy(reader, writer_behind), _copy(reader_behind, writer))
            finally:
                writer_behind.close()
        except OSError:
            return
        finally:
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@contextmanager
def pair(folder: Path) -> Iterator[tuple[Server, Server]]:
    with started(kept(folder / "a", valkey_binary())) as one, started(kept(folder / "b", valkey_binary())) as other:
        yield one, other


async def test_a_demoted_redis_is_left_at_once_and_no_write_fails(tmp_path: Path) -> None:
    with (
        started(kept(tmp_path / "a", valkey_binary())) as first,
        started(kept(tmp_path / "b", valkey_binary())) as then,
    ):
        async with Name(first.port).listening() as name, AsyncExitStack() as stack:
            connection = await open_connection(stack, f"redis://{LOOPBACK}:{name.port}")
            assert await connection.run(("INCR", "n")) == [1]
            first.client.execute_command("REPLICAOF", LOOPBACK, then.port)
            name.behind = then.port
            calls = [connection.run(("INCR", "n"), ("INCR", "m")) for _ in range(50)]
            answers = await asyncio.gather(*calls)
            assert sorted(answers) == [[n, n] for n in range(1, 51)]
            assert int(then.client.get("n")) == 50


async def test_writes_to_a_demoted_redis_without_another_end_by_their_deadline(tmp_path: Path) -> None:
    with (
        started(kept(tmp_path / "a", valkey_binary())) as server,
        started(kept(tmp_path / "b", valkey_binary())) as other,
    ):
        async with AsyncExitStack() as stack:
            connection = await open_connection(stack, server.url, 0.5)
            server.client.execute_command("REPLICAOF", LOOPBACK, other.port)
            with pytest.raises(DeadlineExceeded, match="Redis did not answer in time"):
                await connection.run(("INCR", "n"))
            assert "read-only replica" in connection.last_error
            with pytest.raises(StoreUnavailable, match="read-only replica"):
                await connection.run(("GET", "n"))
            server.client.execute_command("REPLICAOF", "NO", "ONE")
            await eventually(lambda: written(connection), "writes go on")
            assert int(server.client.get("n")) == 1


async def written(connection: Connection) -> bool:
    if connection.connected:
        require((await connection.run(("INCR", "n")))[0])
    return connection.connected


async def test_reads_in_flight_of_a_demoted_redis_are_answered(tmp_path: Path) -> None:
    with (
        started(kept(tmp_path / "a", valkey_binary())) as first,
        started(kept(tmp_path / "b", valkey_binary())) as then,
    ):
        async with Name(first.port).listening() as name, AsyncExitStack() as stack:
            connection = await open_connection(stack, f"redis://{LOOPBACK}:{name.port}")
            first.client.execute_command("REPLICAOF", LOOPBACK, then.port)
            name.behind = then.port
            write, *reads = [connection.run(("INCR", "n")), *(connection.run(("ECHO", str(i))) for i in range(20))]
            answers = await asyncio.gather(write, *reads)
            assert answers == [[1], *([b"%d" % i] for i in range(20))]


# --- loading -------------------------------------------------------------------------------------


@pytest.fixture
def slow_redis(start_redis: Callable[..., RedisServer]) -> RedisServer:
    """Holds enough to take half a minute to load when it is told to take its time; its append-only file is on."""
    server = start_redis(**{"loading-process-events-interval-bytes": "1024"})
    with server.client() as client:
        pipeline = client.pipeline(transaction=False)
        for number in range(KEYS):
            pipeline.set(f"key-{number}", "x" * 200)
        pipeline.execute()
        client.bgrewriteaof()  # the part that was rewritten is loaded by bytes: it looks at its clients while it loads
        wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"], "the file is rewritten")
    server.kill()
    server.options["key-load-delay"] = LOAD_DELAY_US
    return server


def is_loading(server: RedisServer) -> bool:
    with server.client() as client:
        try:
            return bool(client.info("persistence")["loading"])
        except OSError:
            return False
        except RedisError as error:  # not there yet, or refusing
            return "LOADING" in str(error)


def hurry(server: RedisServer) -> None:
    with server.client() as client:
        client.config_set("key-load-delay", 0)


def health(gateway: Gateway) -> tuple[int, dict[str, object]]:
    status, body = gateway.get("/health")
    return status, json.loads(body)["components"]["redis"] if body else {}


@pytest.mark.long
def test_serve_waits_for_a_loading_redis_and_says_so(
    slow_redis: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    slow_redis.spawn()
    wait_until(lambda: is_loading(slow_redis), "Redis is loading")
    gateway = make_gateway(slow_redis, SESSION__DURABILITY="always", SERVER__PROCESSES="1").spawn()
    wait_until(lambda: gateway.alive() and gateway.get("/live")[0] == 200, "it lives")
    wait_until(lambda: health(gateway)[1].get("state") == "loading", "health says loading")
    assert health(gateway)[0] == 503
    hurry(slow_redis)
    gateway.wait_ready()
    assert gateway.post("WriteTurn", turn("c", "after"))[0] == 200
    assert 1 <= gateway.text().count("redis is loading its data: waiting") <= 2  # the worker says it, too


@pytest.mark.long
def test_redis_that_loads_again_is_503_meanwhile_and_then_goes_on(
    slow_redis: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    slow_redis.options["key-load-delay"] = "0"
    gateway = make_gateway(slow_redis.start(), SESSION__DURABILITY="always", SERVER__PROCESSES="1").start()
    slow_redis.kill()
    slow_redis.options["key-load-delay"] = LOAD_DELAY_US
    slow_redis.spawn()
    wait_until(lambda: health(gateway)[1].get("state") == "loading", "health says loading")
    status, body = gateway.post("WriteTurn", turn("c", "during"))
    assert (status, body["code"]) == (503, "store_unavailable")
    assert LOADING in body["detail"]
    hurry(slow_redis)
    gateway.wait_ready()
    assert gateway.post("WriteTurn", turn("c", "after"))[0] == 200


def test_redis_that_comes_back_unfit_is_not_used_until_it_is_mended(
    start_redis: Callable[..., RedisServer], make_gateway: Callable[..., Gateway]
) -> None:
    server = start_redis()
    gateway = make_gateway(server, SESSION__DURABILITY="always", SERVER__PROCESSES="1").start()
    server.kill()
    server.options["appendonly"] = "no"
    server.start()
    wait_until(lambda: "append-only file off" in str(health(gateway)[1].get("reason")), "health says why")
    assert gateway.post("WriteTurn", turn("c", "refused"))[0] == 503
    with server.client() as client:
        client.config_set("appendonly", "yes")
    gateway.wait_ready()
    assert gateway.post("WriteTurn", turn("c", "after"))[0] == 200


# --- TLS -----------------------------------------------------------------------------------------


@pytest.fixture
def tls_server(tmp_path: Path) -> Server:
    options = {"port": "0", "appendonly": "yes", "maxmemory-policy": "noeviction"}
    server = Server(tmp_path / "tls", redis_binary(), options)
    server.options |= {"tls-port": str(server.port), **make_certificates(tmp_path / "certificates").options}
    return server


async def refusal(url: str) -> str:
    connection = await open_redis(ConnectionSettings(url, 2, 100))
    await connection.close()
    assert not connection.connected
    return connection.last_error


async def test_tls_checks_the_certificate(tls_server: Server, tmp_path: Path) -> None:
    tls_server.spawn()
    try:
        url = f"rediss://{LOOPBACK}:{tls_server.port}/0"
        authority = tmp_path / "certificates" / "ca.pem"
        stranger = make_certificates(tmp_path / "others").authority
        connection = Connection(ConnectionSettings(f"{url}?ssl_ca_certs={authority}", 2, 100))
        await connection.start()
        await eventually(lambda: connected(connection), "it connects by TLS")
        assert await connection.run(("SET", "k", "v" * 300_000), ("STRLEN", "k")) == [b"OK", 300_000]
        await connection.close()
        assert "certificate verify failed" in await refusal(url)
        assert "certificate verify failed" in await refusal(f"{url}?ssl_ca_certs={stranger}")
        by_name = url.replace(LOOPBACK, "localhost")
        assert "Hostname mismatch" in await refusal(f"{by_name}?ssl_ca_certs={authority}")
        unchecked = await open_redis(ConnectionSettings(f"{url}?ssl_cert_reqs=none", 2, 100))
        assert unchecked.connected
        await unchecked.close()
    finally:
        tls_server.kill()


async def connected(connection: Connection) -> bool:
    return connection.connected


def test_gateway_and_its_worker_work_over_tls(
    tls_server: Server, tmp_path: Path, make_gateway: Callable[..., Gateway]
) -> None:
    tls_server.spawn()
    try:
        gateway = make_gateway()
        authority = tmp_path / "certificates" / "ca.pem"
        gateway.environment["REDIS_URL"] = f"rediss://{LOOPBACK}:{tls_server.port}/0?ssl_ca_certs={authority}"
        gateway.start()
        assert gateway.post("WriteTurn", turn("c", "by tls"))[0] == 200
        status, body = gateway.post("FinalizeSessionMemory", {"conversation_id": "c", "wait_ms": 20_000}, 30)
        assert (status, body["state"]) == (200, "ENDED")
    finally:
        tls_server.kill()
