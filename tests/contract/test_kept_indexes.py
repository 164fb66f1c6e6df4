"""What a process keeps of users' indexes: never what another one changed or erased, and never too much of it."""

import asyncio
import multiprocessing
import random
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.model.memory import Memory, from_fields
from memory.model.search import Filter, Pool, Probe
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.stores.sqlite import kept as kept_indexes
from memory.stores.sqlite import memories, pooling
from memory.stores.sqlite.kept import KeptIndexes
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.memory_stores import NOW_MS, U1, direction, entry, in_sqlite, key

OTHER = UserScope("t1", "u2")
ALL = Probe(["kidney"], direction(1), Filter())


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteMemoryStore]:
    store, close = await in_sqlite(path)
    assert isinstance(store, SqliteMemoryStore)
    try:
        yield store
    finally:
        await close()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[UserScope]:
    """Whose records were read and decoded for a search."""
    found: list[UserScope] = []
    read = pooling._read

    def noting(reading: Any, scope: UserScope, wanted: Filter) -> kept_indexes.UserIndex:
        found.append(scope)
        return read(reading, scope, wanted)

    monkeypatch.setattr(pooling, "_read", noting)
    return found


def shown(pool: Pool) -> list[str]:
    return [each.memory_id for each in pool.candidates]


def in_another_process(path: Path, work: Callable[[MemoryStore], Any]) -> None:
    """Do it there, and wait for its end."""
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(path, work))
    process.start()
    process.join(60)
    assert process.exitcode == 0


def _run(path: Path, work: Callable[[MemoryStore], Any]) -> None:
    async def there() -> None:
        async with opened(path) as store:
            await work(store)

    asyncio.run(there())


async def test_second_search_reads_no_record_again(tmp_path: Path, reads: list[UserScope]) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        first, second = await store.pool(U1, ALL), await store.pool(U1, Probe(["kidney"], direction(2), Filter()))
        assert shown(first) == shown(second) == [key(1), key(2)]
        assert (first.cosine != second.cosine).any()
        assert reads == [U1]
        assert set((await store.pool(U1, replace(ALL, nearest=lambda _: [key(2)]))).read) == {key(2)}


async def test_what_was_searched_by_words_alone_is_read_once_more_for_its_vectors(
    tmp_path: Path, reads: list[UserScope]
) -> None:
    """As a store where an embedder was away for a while; with them it serves both."""
    by_words = replace(ALL, vector=None)
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        assert np.isnan((await store.pool(U1, by_words)).cosine).all()
        small = store._kept.nbytes
        (found, _) = (await store.pool(U1, ALL)).cosine
        assert found == pytest.approx(1.0, abs=1e-6)
        assert store._kept.nbytes > small, "vectors take room"
        await store.pool(U1, by_words)
        assert reads == [U1, U1]
        compared = replace(by_words, compared=lambda _: [0, 1])
        assert (await store.pool(U1, compared)).compared is not None
        assert reads == [U1, U1]


async def erase(store: MemoryStore) -> None:
    await store.erase(U1, [key(1)])


async def erase_conversation(store: MemoryStore) -> None:
    await store.erase_conversation(U1, "c1")


async def erase_user(store: MemoryStore) -> None:
    await store.erase_user(U1)


async def erase_and_write_anew(store: MemoryStore) -> None:
    await store.erase_user(U1)
    await store.put(U1, [entry(1, "kidney", text="another text")])


async def archive(store: MemoryStore) -> None:
    await store.change(U1, [key(1)], lambda old: replace(old, archived_ms=NOW_MS))


async def supersede(store: MemoryStore) -> None:
    await store.change(U1, [key(1)], lambda old: replace(old, superseded_by=key(2)))


@pytest.mark.parametrize("change", [erase, erase_conversation, erase_user, erase_and_write_anew, archive, supersede])
async def test_what_another_process_changed_is_never_answered(
    tmp_path: Path, change: Callable[[MemoryStore], Any]
) -> None:
    async with opened(tmp_path) as store:
        first = [entry(1, "kidney", text="what is to be forgotten"), entry(2, "kidney")]
        await store.put(U1, first)
        await store.put(OTHER, [entry(1, "kidney", user_id="u2"), entry(2, user_id="u2")])
        for scope in (U1, OTHER):
            await store.pool(scope, ALL)
            assert len(await store.get(scope, [key(1), key(2)])) == 2
        in_another_process(tmp_path, change)
        pool, got = await store.pool(U1, replace(ALL, nearest=shown)), await store.get(U1, [key(1)])
        assert key(1) not in {*shown(pool), *pool.read} or change is erase_and_write_anew
        if change in {archive, supersede}:
            assert (got[0].archived_ms, got[0].superseded_by) != (None, "")
        else:
            assert [each.text for each in got] == (["another text"] if change is erase_and_write_anew else [])
        assert shown(await store.pool(OTHER, ALL)) == [key(1), key(2)]


async def test_what_this_process_changed_is_taken_over_and_the_rest_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2), entry(3)])
        whole = replace(ALL, nearest=lambda _: [key(1), key(2)])
        before = await store.pool(U1, whole)
        decoded: list[str] = []

        def noting(fields: Any) -> Memory:
            decoded.append(fields["memory_id"])
            return from_fields(fields)

        monkeypatch.setattr(kept_indexes, "from_fields", noting)
        await store.change(U1, [key(2), key(3)], lambda old: replace(old, accessed_ms=NOW_MS))
        after = await store.pool(U1, whole)
        assert (after.read[key(1)], decoded) == (before.read[key(1)], [])
        assert after.read[key(2)] == replace(before.read[key(2)], accessed_ms=NOW_MS)
        assert (await store.get(U1, [key(3)]))[0].accessed_ms == NOW_MS


async def test_change_beside_that_of_another_process_is_not_taken_over(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        whole = replace(ALL, nearest=shown)
        await store.pool(U1, whole)
        in_another_process(tmp_path, supersede)
        await store.change(U1, [key(2)], lambda old: replace(old, accessed_ms=NOW_MS))
        assert shown(await store.pool(U1, whole)) == [key(2)]
        in_another_process(tmp_path, erase)
        assert [each.memory_id for each in await store.get(U1, [key(1), key(2)])] == [key(2)]


async def test_nobody_waits_for_the_search_of_a_user_with_very_many_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "_READ_AT_ONCE_MAX", 2)
    reading, goes_on = threading.Event(), threading.Event()
    read = pooling._read

    def slow(how: Any, scope: UserScope, wanted: Filter) -> kept_indexes.UserIndex:
        found = read(how, scope, wanted)
        if scope == U1:
            reading.set()
            assert goes_on.wait(60)
        return found

    monkeypatch.setattr(pooling, "_read", slow)
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(number, "kidney") for number in (1, 2, 3)])
        await store.put(OTHER, [entry(4, "kidney", user_id="u2")])
        large = asyncio.create_task(store.pool(U1, ALL))
        await asyncio.to_thread(reading.wait, 60)
        assert shown(await store.pool(OTHER, ALL)) == [key(4)]
        assert await store.count(OTHER) == 1
        assert not large.done()
        goes_on.set()
        assert shown(await large) == [key(1), key(2), key(3)]
        assert store._kept_large.holds(U1)
        await store.erase(U1, [key(1)])
        assert shown(await store.pool(U1, ALL)) == [key(2), key(3)]
        assert not store._kept_large.holds(U1), "nothing of it stays where it is not searched any more"


async def test_erased_by_any_program_is_gone(tmp_path: Path) -> None:
    """As one that knows nothing of what others keep."""
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2, "kidney")])
        assert len((await store.pool(U1, ALL)).candidates) == 2
        with sqlite3.connect(tmp_path / "store.sqlite3") as file:
            file.execute("DELETE FROM memories WHERE memory_id = ?", [key(1)])
        file.close()
        assert shown(await store.pool(U1, ALL)) == [key(2)]


async def test_user_without_records_leaves_no_mark(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        await store.pool(U1, ALL)
        await store.erase_user(U1)
        assert shown(await store.pool(U1, ALL)) == []
        file = sqlite3.connect(tmp_path / "store.sqlite3")
        assert file.execute("SELECT count(*) FROM memory_versions").fetchone() == (0,)
        file.close()
        assert (store._kept.nbytes, len(store._kept._users)) == (0, 0)


async def test_being_recalled_changes_the_document_and_no_index(tmp_path: Path, reads: list[UserScope]) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        await store.pool(U1, ALL)
        await store.get(U1, [key(1)])
        await store.change(U1, [key(1)], lambda old: replace(old, accesses=7))
        assert (await store.pool(U1, ALL)).read == {}
        assert [each.accesses for each in await store.get(U1, [key(1)])] == [7]
        assert reads == [U1]


async def test_entry_that_was_completed_is_searched(tmp_path: Path) -> None:
    """As by a reindexing that goes on while a search has read what was there."""
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
        file = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
        file.execute("UPDATE entries_1 SET pending = 1, vector = NULL")
        file.close()
        before = await store.pool(U1, ALL)
        await store.complete(U1, [entry(1, "kidney")])
        after = await store.pool(U1, ALL)
    assert [bool(cosine > 0.999) for cosine in after.cosine] == [True, False]  # nan compares false
    assert np.isnan(before.cosine).all()


async def test_file_with_records_but_no_marks_gets_them(tmp_path: Path, reads: list[UserScope]) -> None:
    async with opened(tmp_path) as store:
        await store.put(U1, [entry(1, "kidney"), entry(2)])
    with sqlite3.connect(tmp_path / "store.sqlite3") as file:
        for name in ("memory_made", "memory_erased", "memory_changed", "memory_moved"):
            file.execute(f"DROP TRIGGER {name}")
        file.execute("DROP TABLE memory_versions")
    file.close()
    async with opened(tmp_path) as store:
        await store.pool(U1, ALL)
        await store.pool(U1, ALL)
        assert reads == [U1]


@pytest.mark.parametrize("fits", [True, False])
async def test_room_is_bounded_and_the_longest_unused_leaves(
    tmp_path: Path, reads: list[UserScope], *, fits: bool
) -> None:
    scopes = [UserScope("t1", f"user-{number}") for number in range(6)]
    async with opened(tmp_path) as store:
        for scope in scopes:
            await store.put(scope, [entry(1, "kidney", user_id=scope.user)])
        await store.pool(scopes[0], ALL)
        one = store._kept.nbytes
        store._kept = KeptIndexes(5 * one if fits else 4 * one - 1)
        reads.clear()
        for scope in (*scopes, scopes[5], scopes[0]):
            await store.pool(scope, ALL)
        assert reads == ([*scopes, scopes[0]] if fits else [*scopes, scopes[5], scopes[0]])
        assert store._kept.nbytes <= 5 * one


async def test_searches_beside_writes_by_two_processes_see_what_was_committed(tmp_path: Path) -> None:
    """Each record that is acknowledged is found by the next search, each that is erased by none after it."""
    async with opened(tmp_path) as here, opened(tmp_path) as there:
        draw, living = random.Random(1), set[str]()
        stores: Sequence[SqliteMemoryStore] = (here, there)
        for number in range(150):
            writer, reader = draw.sample(stores, 2)
            name = key(draw.randrange(12))
            if name in living:
                await writer.erase(U1, [name])
                living.remove(name)
            else:
                await writer.put(U1, [entry(number, "kidney", memory_id=name)])
                living.add(name)
            assert set(shown(await reader.pool(U1, ALL))) == living
            assert {each.memory_id for each in await reader.get(U1, sorted(living))} == living
