"""Weaviate dies in the middle of writes, or freezes: what was acknowledged is found, and no call waits for long."""

import asyncio
import random
import signal
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from processes import ROOT, scaled
from weaviate_kit import failed_after, patiently, tried

from memory.errors import DeadlineExceeded, InvariantBroken, SetupError, StoreFull, StoreUnavailable, TemporaryError
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.search import Filter, IndexEntry, Probe
from memory.ports import Fades
from memory.scope import UserScope
from memory.stores.weaviate import pooling
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.driver import httpx
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.faults import meaning, of_refused_objects
from memory.stores.weaviate.locks import UserLock
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.deadlines import LATE_S
from tests.stores import SharedLocks
from tests.waiting import POLL_S, eventually
from tests.weaviate_server import DueTimes, WeaviateServer

DIMENSION = 64
SPACE = "test/64"
USERS = [UserScope("t", f"u{number}") for number in range(4)]
PER_PUT = 5
PUTS = scaled(20)
READ_S, WRITE_S, OPEN_S = 2.0, 4.0, 0.5
HURRIED: dict[str, Any] = {"read_deadline_s": READ_S, "write_deadline_s": WRITE_S}
"""For tests that wait for a server that is not there."""

pytestmark = pytest.mark.integration


@pytest.fixture
async def open_store(weaviate: WeaviateServer) -> AsyncIterator[Callable[..., Awaitable[WeaviateMemoryStore]]]:
    """A gateway's store; another one stands for a gateway that was started anew."""
    async with AsyncExitStack() as stack:

        async def make(
            due: DueTimes | None = None, fades: Fades = lambda _: None, lock: UserLock | None = None, **more: Any
        ) -> WeaviateMemoryStore:
            connection = WeaviateConnection(weaviate.settings(**({"open_s": OPEN_S} | more)))
            store = WeaviateMemoryStore(connection, SPACE, DIMENSION, Outside(due or DueTimes(), fades), lock)
            stack.push_async_callback(store.close)
            return store

        yield make


def entry(scope: UserScope, number: int) -> IndexEntry:
    """A record with a vector and a word that no other one has; every fifth has no vector."""
    name = f"{scope}/{number}"
    vector = (
        np.random.default_rng(uuid.uuid5(uuid.NAMESPACE_URL, name).int % 2**32)
        .normal(size=DIMENSION)
        .astype(np.float32)
    )
    memory = Memory(
        memory_id=str(uuid.uuid5(uuid.NAMESPACE_URL, name)),
        user_id=scope.user,
        kind=Kind.FACT,
        category=Category.FACT,
        type=Type.FACT,
        text=name,
        source=Source(f"c{number % 3}", f"unit-{number // 10}", (number,), ""),
        occurred_ms=number,
        recorded_ms=number,
        position=number,
        subject="user",
        predicate=f"p{number}",
    )
    words = [word(number), *(f"common{n}" for n in range(number % 30))]
    return IndexEntry(memory, words, None if number % 5 == 0 else vector / np.float32(np.linalg.norm(vector)))


def word(number: int) -> str:
    return f"own{number}"


def batches() -> list[tuple[UserScope, list[IndexEntry]]]:
    return [
        (scope, [entry(scope, start + n) for n in range(PER_PUT)])
        for start in range(0, PUTS * PER_PUT, PER_PUT)
        for scope in USERS
    ]


async def put_until_killed(
    store: WeaviateMemoryStore, weaviate: WeaviateServer, acknowledged_before: int
) -> list[tuple[UserScope, list[IndexEntry]]]:
    """Several writers put everything; after so many puts the server is killed. Returns what was acknowledged."""
    acknowledged: list[tuple[UserScope, list[IndexEntry]]] = []
    waiting = iter(batches())

    async def write() -> None:
        for scope, entries in waiting:
            while not await tried(lambda scope=scope, entries=entries: store.put(scope, entries)):
                if len(acknowledged) >= acknowledged_before:
                    return  # it is dead; until then it is but slow
                await asyncio.sleep(POLL_S)
            acknowledged.append((scope, entries))
            if len(acknowledged) == acknowledged_before:
                weaviate.signal(signal.SIGKILL)

    await asyncio.gather(*(write() for _ in USERS))
    assert acknowledged_before <= len(acknowledged) < len(batches()), "the server died too late for this test"
    weaviate.kill()
    return acknowledged


async def assert_found(store: WeaviateMemoryStore, scope: UserScope, entries: list[IndexEntry]) -> None:
    """Each record is there once, and found by its id, its vector, its word, its columns and its fact."""
    ids = [each.memory.memory_id for each in entries]
    assert await store.get(scope, ids) == [each.memory for each in entries]
    for each in entries:
        memory = each.memory
        wanted = Filter(
            kinds=(Kind.FACT,),
            conversation=memory.source.conversation,
            from_ms=memory.occurred_ms,
            to_ms=memory.occurred_ms + 1,
        )
        pool = await store.pool(scope, Probe((word(memory.occurred_ms),), each.vector, wanted))
        assert [found.memory_id for found in pool.candidates] == [memory.memory_id]
        assert pool.lexical[0] > 0
        assert each.vector is None or pool.cosine[0] == pytest.approx(1.0, abs=1e-4)
        assert await store.facts(scope, "user", memory.predicate) == [memory]


@pytest.mark.parametrize("gateway", ["lives on", "is started anew"])
async def test_weaviate_killed_during_puts_has_each_record_once_after_they_are_repeated(
    weaviate: WeaviateServer, open_store: Callable[..., Any], gateway: str, seed: int
) -> None:
    store = await open_store(**HURRIED)
    await put_until_killed(store, weaviate, random.Random(seed).randrange(2, len(batches()) // 2))
    weaviate.start()
    if gateway == "is started anew":
        store = await open_store(**HURRIED)
    for scope, entries in batches():
        await patiently(lambda scope=scope, entries=entries: store.put(scope, entries))
    for scope in USERS:
        everything = [each for owner, entries in batches() if owner == scope for each in entries]
        assert await store.count(scope) == len(everything)
        await assert_found(store, scope, everything)


async def test_weaviate_killed_after_puts_has_what_it_acknowledged_without_repeating(
    weaviate: WeaviateServer, open_store: Callable[..., Any], seed: int
) -> None:
    store = await open_store(**HURRIED)
    acknowledged = await put_until_killed(store, weaviate, random.Random(seed).randrange(2, len(batches()) // 2))
    weaviate.start()
    await patiently(lambda: store.count(USERS[0]))

    async def healed() -> bool:
        await patiently(lambda: store.count(USERS[0]))
        return await store.healed()

    await eventually(healed, "what was written shortly before is proven")
    for scope in USERS:
        await assert_found(
            store, scope, [each for owner, entries in acknowledged if owner == scope for each in entries]
        )


async def test_weaviate_died_and_came_back_unasked_has_what_it_acknowledged(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    store = await open_store(**HURRIED)
    for scope, entries in batches()[:8]:
        await store.put(scope, entries)
    weaviate.kill()
    weaviate.start()

    async def healed() -> bool:
        await patiently(lambda: store.count(USERS[0]))
        return bool(await store.healed() and store.outages)

    await eventually(healed, "what was written shortly before is proven")
    for scope, entries in batches()[:8]:
        await assert_found(store, scope, entries)


async def test_verify_repairs_what_another_gateways_crash_left(
    weaviate: WeaviateServer, open_store: Callable[..., Any], seed: int
) -> None:
    acknowledged = await put_until_killed(
        await open_store(**HURRIED), weaviate, random.Random(seed).randrange(2, len(batches()) // 2)
    )
    weaviate.start()
    store = await open_store(**HURRIED)
    found = await patiently(lambda: store.verify(repair=True))
    assert found.records >= sum(len(entries) for _, entries in acknowledged)
    assert found.mended == found.unfound
    assert (await store.verify(repair=False)).unfound == 0
    for scope, entries in acknowledged:
        await assert_found(store, scope, entries)


async def test_frozen_weaviate_fails_calls_in_time_then_at_once_and_recovers(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    store = await open_store(**HURRIED)
    scope, entries = batches()[0]
    await store.put(scope, entries)
    weaviate.freeze()
    seconds = await failed_after(lambda: store.count(scope), DeadlineExceeded)
    assert READ_S * 0.9 <= seconds < READ_S + LATE_S
    for call in (  # a search that asks two things at once counts twice: the last of these may fail at once already
        lambda: store.pool(scope, Probe(("own1",), entries[1].vector, Filter())),
        lambda: store.get(scope, [entries[0].memory.memory_id]),
    ):
        assert await failed_after(call, TemporaryError) < READ_S + LATE_S
    assert await failed_after(lambda: store.count(scope), StoreUnavailable) < LATE_S
    assert await failed_after(lambda: store.put(scope, entries), StoreUnavailable) < LATE_S
    weaviate.thaw()
    assert await patiently(lambda: store.count(scope)) == len(entries)
    await store.put(scope, entries)
    await assert_found(store, scope, entries)


async def test_put_on_frozen_weaviate_is_repeated_without_a_trace(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    store = await open_store(**HURRIED)
    scope, entries = batches()[0]
    await store.put(scope, entries[:1])
    weaviate.freeze()
    assert await failed_after(lambda: store.put(scope, entries), DeadlineExceeded) < WRITE_S + LATE_S
    weaviate.thaw()
    await patiently(lambda: store.put(scope, entries))
    assert await store.count(scope) == len(entries)
    await assert_found(store, scope, entries)


async def test_dead_weaviate_fails_every_method_in_time(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    scope, entries = batches()[0]
    await (await open_store()).put(scope, entries)  # a living server has what time it needs to make its collections
    store = await open_store(failures_max=10**9, read_deadline_s=0.3, write_deadline_s=0.6)
    await patiently(lambda: store.count(scope))
    weaviate.kill()
    ids = [entries[0].memory.memory_id]
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: store.put(scope, entries),
        lambda: store.get(scope, ids),
        lambda: store.page(scope, Filter(), "", 5),
        lambda: store.pool(scope, Probe(("own1",), entries[1].vector, Filter())),
        lambda: store.facts(scope, "user", "p1"),
        lambda: store.change(scope, ids, lambda found: found),
        lambda: store.erase(scope, ids),
        lambda: store.erase_conversation(scope, "c1"),
        lambda: store.erase_user(scope),
        lambda: store.count(scope),
    ]
    for call in calls:
        assert await failed_after(call, TemporaryError) < 0.6 + LATE_S
    weaviate.start()
    assert await patiently(lambda: store.count(scope)) == len(entries)


async def test_store_opened_before_weaviate_works_once_it_is_there(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    weaviate.stop()
    store = await open_store(**HURRIED)
    with pytest.raises(StoreUnavailable):
        await store.start()
    weaviate.start()
    scope, entries = batches()[0]
    await patiently(lambda: store.put(scope, entries))
    await assert_found(store, scope, entries)


async def test_composed_settings_take_the_key_and_refuse_another_without_showing_it(tmp_path: Path) -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["weaviate"]["environment"]
    folders = {
        "PERSISTENCE_DATA_PATH": str(tmp_path / "data"),
        "BACKUP_FILESYSTEM_PATH": str(tmp_path / "backups"),
        "AUTHENTICATION_APIKEY_ALLOWED_KEYS": "right-key",
    }
    assert folders.keys() <= composed.keys()
    weaviate = WeaviateServer(tmp_path / "weaviate", composed | folders).start()
    try:
        for key in ("wrong-key", ""):
            connection = WeaviateConnection(weaviate.settings(api_key=key))
            store = WeaviateMemoryStore(connection, SPACE, DIMENSION, Outside(DueTimes(), lambda _: None))
            with pytest.raises(SetupError, match="api_key") as caught:
                await store.start()
            await store.close()
            assert "wrong-key" not in str(caught.value) + repr(connection.settings)
        connection = WeaviateConnection(weaviate.settings(api_key="right-key"))
        store = WeaviateMemoryStore(connection, SPACE, DIMENSION, Outside(DueTimes(), lambda _: None))
        await store.start()
        scope, entries = batches()[0]
        await store.put(scope, entries)
        await assert_found(store, scope, entries)
        await store.close()
    finally:
        weaviate.kill()


async def test_idle_users_are_closed_on_the_server_and_open_when_asked_for(
    weaviate: WeaviateServer, open_store: Callable[..., Any]
) -> None:
    store = await open_store(open_users_max=10)
    users = [UserScope("t", f"idle{number}") for number in range(40)]
    for scope in users:
        await store.put(scope, [entry(scope, 1)])
    for scope in users:
        await assert_found(store, scope, [entry(scope, 1)])
    await store._open.settle()
    assert 0 < len(open_tenants(weaviate)) <= 10 + 1


async def test_changes_of_two_gateways_lose_nothing_with_a_shared_lock(
    open_store: Callable[..., Any], weaviate: WeaviateServer
) -> None:
    locks = SharedLocks()
    stores = [await open_store(lock=locks) for _ in range(2)]
    scope, entries = batches()[0]
    await stores[0].put(scope, entries)
    ids = [each.memory.memory_id for each in entries]

    def count(memory: Memory) -> Memory:
        return replace(memory, accesses=memory.accesses + 1)

    await asyncio.gather(*(store.change(scope, ids, count) for _ in range(10) for store in stores))
    assert [each.accesses for each in await stores[1].get(scope, ids)] == [20] * len(ids)


async def test_due_index_that_is_too_early_is_mended(open_store: Callable[..., Any]) -> None:
    times = DueTimes()
    store = await open_store(due=times, fades=lambda memory: memory.accessed_ms)
    scope, entries = batches()[0]
    await store.put(scope, [each._replace(memory=replace(each.memory, accessed_ms=100)) for each in entries[:2]])
    ids = [each.memory.memory_id for each in entries]
    for memory_id, time_ms in zip(ids, (1, 100, 2), strict=False):  # too early, right, never stored
        await times.put(scope, memory_id, time_ms)
    assert await store.due(99, 10) == []
    assert times.times == {(scope, ids[0]): 100, (scope, ids[1]): 100}
    assert len(await store.due(100, 10)) == 2


async def test_pool_of_too_many_records_keeps_those_that_rank_first(
    open_store: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooling, "POOL_MAX", 10)
    store = await open_store()
    scope = USERS[0]
    entries = [entry(scope, number) for number in range(40)]
    await store.put(scope, entries)
    asked = entries[33]
    by_cosine = sorted(
        (each for each in entries if each.vector is not None), key=lambda each: -float(each.vector @ asked.vector)
    )
    far = by_cosine[-2:]
    words = [word(each.memory.position) for each in far]
    pool = await store.pool(scope, Probe(words, asked.vector, Filter()))
    found = [each.memory_id for each in pool.candidates]
    assert len(found) == len(set(found)) == 10
    for each in (*far, *by_cosine[:5]):
        assert each.memory.memory_id in found
    assert [each.position for each in pool.candidates] == sorted(each.position for each in pool.candidates)
    assert len((await store.pool(scope, Probe((), None, Filter()))).candidates) == 10


def test_connection_used_from_a_second_event_loop_makes_a_client_of_its_own(weaviate: WeaviateServer) -> None:
    store = WeaviateMemoryStore(
        WeaviateConnection(weaviate.settings()), SPACE, DIMENSION, Outside(DueTimes(), lambda _: None)
    )
    scope, entries = batches()[0]

    async def use() -> int:
        await store.put(scope, entries)
        number = await store.count(scope)
        await store.close()
        return number

    assert [asyncio.run(use()), asyncio.run(use())] == [len(entries)] * 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("put local object: shard x: store is read-only due to: resource pressure", StoreFull),
        ("write /data/x.wal: no space left on device", StoreFull),
        ("open /data/proplengths.tmp: too many open files", StoreUnavailable),
        ("tenant not active: 'x'", StoreUnavailable),
        ("explorer: list class: search: tried to browse non-existing index for X", StoreUnavailable),
        ("Deadline Exceeded", DeadlineExceeded),
        ("failed to connect to all addresses; StatusCode.UNAVAILABLE", StoreUnavailable),
        ("rbac: authorization, forbidden action: user 'x' has insufficient permissions", StoreUnavailable),
        (
            "invalid integer property 'n' on class 'Up': requires an integer, the given value is 'secret'",
            InvariantBroken,
        ),
    ],
)
def test_refused_objects_mean_what_their_text_says_and_it_stays_inside(text: str, kind: type[Exception]) -> None:
    error = of_refused_objects(text)
    assert isinstance(error, kind)
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (httpx.ReadError("peer closed"), StoreUnavailable),
        (httpx.RemoteProtocolError("half an answer"), StoreUnavailable),
        (httpx.ReadTimeout("late"), DeadlineExceeded),
        (ConnectionResetError(), StoreUnavailable),
        (TimeoutError(), DeadlineExceeded),
    ],
)
def test_raw_errors_of_the_transport_are_known(raised: Exception, kind: type[Exception]) -> None:
    assert isinstance(meaning(raised), kind)


async def test_erased_user_leaves_no_byte_on_the_disk(weaviate: WeaviateServer, open_store: Callable[..., Any]) -> None:
    store = await open_store()
    (scope, entries), (other, others) = batches()[:2]
    await store.put(scope, entries)
    await store.put(other, others)
    assert weaviate.holding(str(scope))
    assert await store.erase_user(scope) == len(entries)
    assert weaviate.holding(str(scope)) == []
    await assert_found(store, other, others)


def open_tenants(weaviate: WeaviateServer) -> set[str]:
    """The tenants of which the server has files open."""
    assert weaviate.process is not None
    links = Path(f"/proc/{weaviate.process.pid}/fd").iterdir()
    paths = [link.readlink() for link in links if link.is_symlink()]
    return {path.relative_to(weaviate.folder / "data").parts[1] for path in paths if "lsm" in path.parts}
