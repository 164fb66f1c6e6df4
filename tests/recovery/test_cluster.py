"""Three real nodes: slots move and nodes die under load, and the gateway goes on."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from processes import Gateway, ask, client_session, scaled, turn

from memory.errors import TemporaryError
from memory.stores.redis.address import Address
from memory.stores.redis.cluster import ClusterConnection
from memory.stores.redis.connection import ConnectionSettings, require
from memory.stores.redis.opening import open_redis
from memory.stores.redis.slots import slot_of
from tests.servers import redis_binary, valkey_binary
from tests.topologies import LOOPBACK, Cluster, Server, make_certificates, started, until
from tests.waiting import eventually

CONVERSATIONS = 12
REPLICATION_LAG_S = 1.0


@pytest.fixture(params=[pytest.param("redis", marks=pytest.mark.long), "valkey"])
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    binary = redis_binary() if request.param == "redis" else valkey_binary()
    with started(Cluster(tmp_path / "cluster", binary)) as found:
        yield found


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[Cluster]:
    with started(Cluster(tmp_path / "cluster", valkey_binary(), replicas=True)) as found:
        yield found


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[ClusterConnection]:
    connection = ClusterConnection(ConnectionSettings(url, 5, 1000), Address.parse(url))
    await connection.start()
    try:
        assert connection.connected, connection.last_error
        yield connection
    finally:
        await connection.close()


async def test_replies_of_several_nodes_come_in_the_order_of_the_commands(cluster: Cluster) -> None:
    async with connected(cluster.url) as connection:
        names = [f"k{number}" for number in range(200)]
        assert set(await connection.run(*(("SET", name, name) for name in names))) == {b"OK"}
        assert await connection.run(*(("GET", name) for name in names)) == [name.encode() for name in names]
        group = [("MULTI",), ("GET", "k1"), ("STRLEN", "k1"), ("EXEC",)]
        replies = await connection.run(("GET", "k0"), *group, ("GET", "k2"))
        assert replies == [b"k0", b"OK", b"QUEUED", b"QUEUED", [b"k1", 2], b"k2"]
        assert all(node.client.dbsize() > 0 for node in cluster.nodes)


async def test_one_node_named_simply_is_enough_to_find_the_cluster(cluster: Cluster) -> None:
    connection = await open_redis(ConnectionSettings(cluster.nodes[1].url, 5, 1000))
    try:
        assert isinstance(connection, ClusterConnection)
        assert await connection.run(*(("SET", f"k{number}", "x") for number in range(50))) == [b"OK"] * 50
        assert connection.url.startswith(f"redis+cluster://{LOOPBACK}:")
    finally:
        await connection.close()


async def test_commands_of_a_slot_on_its_way_reach_each_key_where_it_is(cluster: Cluster) -> None:
    first, then, *_ = cluster.nodes
    tag = next(name for name in map(str, range(10_000)) if slot_of(name.encode()) < 5_000)
    slot, ids = slot_of(tag.encode()), [node.client.cluster("MYID").decode() for node in (first, then)]
    async with connected(cluster.url) as connection:
        assert await connection.run(("SET", f"{{{tag}}}a", 1), ("SET", f"{{{tag}}}b", 1)) == [b"OK", b"OK"]
        then.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        first.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        first.client.execute_command("MIGRATE", LOOPBACK, then.port, "", 0, 5000, "KEYS", f"{{{tag}}}a")
        asked = await connection.run(("INCR", f"{{{tag}}}a"), ("INCR", f"{{{tag}}}b"), ("INCR", f"{{{tag}}}new"))
        assert asked == [2, 2, 1]
        script = ("EVAL", "return redis.call('INCR', KEYS[1]) + redis.call('INCR', KEYS[2])", 2)
        both = asyncio.create_task(connection.run((*script, f"{{{tag}}}a", f"{{{tag}}}b")))
        group = asyncio.create_task(
            connection.run(("MULTI",), ("INCR", f"{{{tag}}}a"), ("INCR", f"{{{tag}}}a"), ("EXEC",))
        )
        await asyncio.sleep(0.2)  # they are refused meanwhile: one key is here, one is there
        assert not both.done()
        cluster.move(slot, first, then)
        assert await both == [pytest.approx(7, abs=2)]
        assert (await group)[-1][1] in {4, 5}
        assert await connection.run(("GET", f"{{{tag}}}a"), ("GET", f"{{{tag}}}b")) == [b"5", b"3"]


class Load:
    """Turns written to a gateway again and again, and which were acknowledged when."""

    def __init__(self, gateway: Gateway, session: aiohttp.ClientSession) -> None:
        self.acknowledged: dict[str, list[tuple[float, str]]] = {f"c{n}": [] for n in range(CONVERSATIONS)}
        self.refused: list[Any] = []
        self._gateway = gateway
        self._session = session
        self._stopped = False

    @property
    def count(self) -> int:
        return sum(map(len, self.acknowledged.values()))

    async def more(self, number: int) -> None:
        wanted = self.count + number

        async def enough() -> bool:
            return self.count >= wanted

        await eventually(enough, "turns are written")

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Load"]:
        writing = asyncio.gather(*map(self._write, self.acknowledged))
        try:
            yield self
        finally:
            self._stopped = True
            await writing

    async def _write(self, conversation: str) -> None:
        index = 0
        while not self._stopped:
            text, index = f"{conversation}-{index}", index + 1
            body = turn(conversation, text, user_id=f"user-{conversation}", idempotency_key=text)
            answer = await ask(self._session, self._gateway.url, "WriteTurn", body)
            if answer.status == 200:
                self.acknowledged[conversation].append((time.monotonic(), text))
            else:
                assert answer.status == 503, answer
                self.refused.append(answer)
                await asyncio.sleep(0.02)

    async def lost(self) -> list[float]:
        """When those were acknowledged that are not there; the others are there once, in order."""
        found = []
        for conversation, texts in self.acknowledged.items():
            kept = await self._said(conversation)
            assert len(set(kept)) == len(kept), "a turn is there twice"
            found += [at for at, text in texts if text not in set(kept)]
        return found

    async def _said(self, conversation: str) -> list[str]:
        said: list[str] = []
        body: dict[str, Any] = {"conversation_id": conversation, "include": ["full_history", "no_memories"]}
        while True:
            answer = await ask(self._session, self._gateway.url, "QueryMemoryContext", body)
            assert answer.status == 200, answer
            words = answer.body["full_history"].split()
            said += [word.removeprefix("q:") for word in words if word.startswith(f"q:{conversation}-")]
            if "full_history_cursor" not in answer.body:
                return said
            body["full_history_cursor"] = answer.body["full_history_cursor"]


@asynccontextmanager
async def loaded(cluster: Cluster, make_gateway: Callable[..., Gateway]) -> AsyncIterator[tuple[Gateway, Load, Any]]:
    gateway = make_gateway(SERVER__PROCESSES="1", SESSION__TURNS_MAX="1000000")  # what was said is asked of one session
    gateway.environment["REDIS_URL"] = cluster.url
    await asyncio.to_thread(gateway.start)
    async with client_session() as session:
        yield gateway, Load(gateway, session), session


async def finalised(gateway: Gateway, session: aiohttp.ClientSession, conversation: str) -> str:
    """How its finalisation went. The faster the machine, the longer the conversation is."""
    body, state = {"conversation_id": conversation, "wait_ms": 20_000}, "ENDING"
    for _ in range(6):
        answer = await ask(session, gateway.url, "FinalizeSessionMemory", body, timeout_s=30)
        state = str(answer.body.get("state"))
        if state != "ENDING":
            break
    return state


@pytest.mark.long
async def test_slots_that_move_under_load_lose_nothing(cluster: Cluster, make_gateway: Callable[..., Gateway]) -> None:
    first, then, *_ = cluster.nodes
    async with loaded(cluster, make_gateway) as (gateway, load, session):
        async with load.running():
            await load.more(scaled(200))
            slots = sorted({slot_of(f"default/{name}".encode()) for name in load.acknowledged})
            moving = [slot for slot in slots if slot < 5462]
            for _ in range(scaled(2)):
                for source, target in ((first, then), (then, first)):
                    for slot in moving:
                        await asyncio.to_thread(cluster.move, slot, source, target)
                    await load.more(50)
        lost = await load.lost()
        print(f"cluster: {scaled(2) * 2 * len(moving)} slots moved, {load.count} acknowledged, "
              f"{len(load.refused)} refused, lost {len(lost)}")  # fmt: skip
        assert moving
        assert not lost
        assert await finalised(gateway, session, "c0") == "ENDED"


@pytest.mark.long
async def test_a_planned_failover_under_load_loses_nothing(
    replicated: Cluster, make_gateway: Callable[..., Gateway]
) -> None:
    async with loaded(replicated, make_gateway) as (gateway, load, session):
        async with load.running():
            for replica in replicated.nodes[3:]:
                await load.more(scaled(100))
                await asyncio.to_thread(take_over, replica)
            await load.more(scaled(100))
        lost = await load.lost()
        print(f"cluster: 3 planned failovers, {load.count} acknowledged, {len(load.refused)} refused, lost {len(lost)}")
        assert not lost
        assert await finalised(gateway, session, "c0") == "ENDED"


def take_over(replica: Server) -> None:
    replica.client.execute_command("CLUSTER", "FAILOVER")
    until(lambda: is_primary(replica), "the replica takes over")


def is_primary(node: Server) -> bool:
    return bool(node.client.info("replication")["role"] == "master")


@pytest.mark.long
async def test_a_primary_that_is_killed_under_load_is_replaced_and_loses_no_replicated_turn(
    replicated: Cluster, make_gateway: Callable[..., Gateway]
) -> None:
    """Replication is asynchronous: what was acknowledged in the last moment may be lost with its primary, no more."""
    async with loaded(replicated, make_gateway) as (gateway, load, session):
        async with load.running():
            await load.more(scaled(200))
            killed = time.monotonic()
            queue = slot_of(b"short_term_memory:jobs") // 5462
            replicated.nodes[queue].kill()
            await asyncio.to_thread(until, lambda: is_primary(replicated.nodes[3 + queue]), "the replica takes over")
            took = time.monotonic() - killed
            await load.more(scaled(200))
        await eventually(lambda: healthy(gateway), "it is healthy again")
        lost = await load.lost()
        print(f"cluster: the replica took over after {took:.1f} s; {load.count} acknowledged, "
              f"{len(load.refused)} refused, lost {len(lost)}")  # fmt: skip
        assert all(killed - REPLICATION_LAG_S < at < killed + REPLICATION_LAG_S for at in lost)
        assert {await finalised(gateway, session, name) for name in load.acknowledged} == {"ENDED"}
        replicated.nodes[queue].start()
        assert (await ask(session, gateway.url, "WriteTurn", turn("c0", "at the end"))).status == 200


async def healthy(gateway: Gateway) -> bool:
    return (await asyncio.to_thread(gateway.get, "/health"))[0] == 200


def test_a_cluster_whose_authority_the_job_queue_cannot_hear_of_is_refused_by_name(
    make_gateway: Callable[..., Gateway], tmp_path: Path
) -> None:
    authority = make_certificates(tmp_path / "certificates").authority
    gateway = make_gateway(SERVER__PROCESSES="1")
    gateway.environment["REDIS_URL"] = f"rediss+cluster://{LOOPBACK}:1?ssl_ca_certs={authority}"
    gateway.spawn()
    assert gateway.process is not None
    assert gateway.process.wait(30) == 2
    assert "ssl_ca_certs" in gateway.text()
    assert "SSL_CERT_FILE" in gateway.text()


async def test_nodes_that_all_start_again_are_found_again(cluster: Cluster) -> None:
    async with connected(cluster.url) as connection:
        require((await connection.run(("SET", "k", "1")))[0])
        run = connection.server["run_id"]
        for node in cluster.nodes:
            node.kill()
        for node in cluster.nodes:
            node.start()

        async def back() -> bool:
            try:
                return await connection.run(("GET", "k")) == [b"1"]
            except TemporaryError:
                return False

        await eventually(back, "the cluster is back")
        assert connection.server["run_id"] != run
