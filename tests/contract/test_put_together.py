"""SQLite: memories that are put at the same time are one transaction; each is stored, refused or fails for itself."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from memory import fences as fence_names
from memory.errors import Overtaken, StoreUnavailable
from memory.scope import UserScope
from memory.stores.sqlite.database import Database, Session
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.memory_stores import DIMENSION, SPACE, U1, entry, fades, key

U2 = UserScope("t1", "u2")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(tmp_path / "store.sqlite3")
    await made.start()
    yield made
    await made.close()


@pytest.fixture
async def store(database: Database) -> SqliteMemoryStore:
    made = SqliteMemoryStore(database, SPACE, DIMENSION, fades)
    await made.start()
    return made


async def statements(database: Database) -> list[str]:
    """What the writer runs from here on."""
    seen: list[str] = []
    await database.write(lambda session: session.connection.set_trace_callback(seen.append))
    return seen


async def test_puts_at_the_same_time_are_few_transactions(store: SqliteMemoryStore, database: Database) -> None:
    seen = await statements(database)
    await asyncio.gather(*(store.put(U1, [entry(number)]) for number in range(64)))
    assert await store.count(U1) == 64
    assert sum(statement == "COMMIT" for statement in seen) <= 3


async def test_one_that_is_overtaken_takes_none_of_the_others_along(store: SqliteMemoryStore) -> None:
    overtaken = U2.under(await store.fences([fence_names.of_user(U2)]))
    await store.put(U2, [entry(90)])
    await store.forget(U2, [key(90)])
    done = await asyncio.gather(
        store.put(U1, [entry(1)]),
        store.put(U1, [entry(2)]),
        store.put(overtaken, [entry(91), entry(92)]),
        store.put(U1, [entry(3)]),
        return_exceptions=True,
    )
    assert [type(each) for each in done] == [type(None), type(None), Overtaken, type(None)]
    assert await store.count(U1) == 3
    assert await store.count(U2) == 0


async def test_who_goes_away_takes_none_of_the_others_along(store: SqliteMemoryStore) -> None:
    tasks = [asyncio.create_task(store.put(U1, [entry(number)])) for number in range(8)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[5].cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(each, asyncio.CancelledError) for each in done].count(True) == 2
    kept = {each.memory_id for each in await store.get(U1, [key(number) for number in range(8)])}
    assert kept >= {key(number) for number in (1, 2, 3, 4, 6, 7)}


async def test_an_error_of_the_file_is_told_to_all_and_undoes_all(store: SqliteMemoryStore, database: Database) -> None:
    def broken(session: Session) -> Any:
        raise sqlite3.OperationalError("disk I/O error")

    await store.put(U1, [entry(1)])
    done = await asyncio.gather(
        database.write_together(lambda session: session.row("any_memory")),
        store.put(U1, [entry(2)]),
        database.write_together(broken),
        store.put(U1, [entry(3)]),
        return_exceptions=True,
    )
    assert [type(each) for each in done[1:]] == [StoreUnavailable] * 3
    assert await store.count(U1) == 1
    await store.put(U1, [entry(2), entry(3)])
    assert await store.count(U1) == 3


async def test_a_bug_in_one_is_no_silence_for_the_others(store: SqliteMemoryStore, database: Database) -> None:
    def wrong(session: Session) -> Any:
        raise KeyError("a bug")

    done = await asyncio.gather(
        store.put(U1, [entry(1)]), database.write_together(wrong), store.put(U1, [entry(2)]), return_exceptions=True
    )
    assert sum(isinstance(each, KeyError) for each in done) >= 1
    await store.put(U1, [entry(1), entry(2)])
    assert await store.count(U1) == 2
