"""SQLite: what many look for at the same time is one visit to the thread that reads; each is answered for itself."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from memory.errors import Overtaken, StoreUnavailable
from memory.stores.sqlite.database import Database, Session
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.memory_stores import DIMENSION, SPACE, U1, entry, fades, key


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(tmp_path / "store.sqlite3")
    await made.start()
    yield made
    await made.close()


async def test_looks_at_the_same_time_are_one_visit(database: Database) -> None:
    """Whoever reads after them on the thread finds them all done."""
    goes_on, order = threading.Event(), list[Any]()
    held = asyncio.create_task(database.read(lambda _: goes_on.wait(60)))
    first = asyncio.create_task(database.look(lambda _: order.append("first")))
    await asyncio.sleep(0.01)
    others = [asyncio.create_task(database.look(lambda _, each=each: order.append(each))) for each in range(20)]
    await asyncio.sleep(0.01)
    goes_on.set()
    await asyncio.gather(held, first, others[0])
    await database.read(lambda _: order.append("read"))
    await asyncio.gather(*others)
    assert order == ["first", *range(20), "read"]


async def test_each_look_is_answered_for_itself(database: Database) -> None:
    def broken(session: Session) -> Any:
        return session.connection.execute("SELECT * FROM nothing")

    def overtaken(_: Session) -> Any:
        raise Overtaken("erased")

    def wrong(_: Session) -> Any:
        raise KeyError("a bug")

    works = (lambda _: 1, broken, lambda _: 2, overtaken, wrong, lambda _: 3)
    done = await asyncio.gather(*map(database.look, works), return_exceptions=True)
    assert [done[place] for place in (0, 2, 5)] == [1, 2, 3]
    assert [type(done[place]) for place in (1, 3, 4)] == [StoreUnavailable, Overtaken, KeyError]


async def test_who_goes_away_takes_nobody_along(database: Database) -> None:
    looks = [asyncio.create_task(database.look(lambda _, each=each: each)) for each in range(8)]
    await asyncio.sleep(0)
    looks[0].cancel()
    looks[5].cancel()
    done = await asyncio.gather(*looks, return_exceptions=True)
    assert [each for each in done if isinstance(each, int)] == [1, 2, 3, 4, 6, 7]


async def test_a_look_sees_what_was_put_before_it(database: Database) -> None:
    store = SqliteMemoryStore(database, SPACE, DIMENSION, fades)
    await store.start()

    async def put_and_look(number: int) -> list[str]:
        await store.put(U1, [entry(number)])
        return [each.memory_id for each in await store.get(U1, [key(number)])]

    assert await asyncio.gather(*map(put_and_look, range(64))) == [[key(number)] for number in range(64)]
