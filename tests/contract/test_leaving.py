"""When memories leave is made anew after a change of the settings by which they fade: SQLite and a real Weaviate."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import AsyncMock

import pytest

from gateway.config.sources import load
from gateway.wiring.stores import leaving_settings
from memory.consolidation.derive import indexed
from memory.consolidation.upkeep.fade import Fader
from memory.consolidation.upkeep.leaving import LeavingMaker
from memory.errors import StoreUnavailable
from memory.graph.links import Joining, link
from memory.model.memory import Memory
from memory.model.search import IndexEntry
from memory.ports import LeavingTimes, MemoryArchive
from memory.scope import UserScope
from memory.stores.redis.memories import RedisDueIndex
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.leaving import SqliteLeavingTimes
from tests.contract.memory_stores import EVERYONE, HOUR_MS, NOW_MS, U1, entry, in_sqlite, in_weaviate
from tests.stores import empty
from tests.weaviate_server import DueTimes

MANY = 450
"""More than are written at once."""


class Hours:
    """When memories leave: so many hours after they were recorded, a setting of this test."""

    def __init__(self) -> None:
        self.hours = 1

    def __call__(self, memory: Memory) -> int | None:
        return memory.recorded_ms + self.hours * HOUR_MS if self.hours else None


class Place(NamedTuple):
    """A store, the settings by which its memories leave, and where it stands with which the times were made."""

    store: MemoryArchive
    leaves: Hours
    times: LeavingTimes

    def maker(self) -> LeavingMaker:
        return LeavingMaker(self.store, self.times, f"{self.leaves.hours} hours")

    async def due(self, hours: float) -> set[tuple[UserScope, str]]:
        listed = await self.store.due(round(NOW_MS + hours * HOUR_MS) + 2 * MANY, 10_000)
        return {(UserScope(each.tenant, each.user), each.memory_id) for each in listed}


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    leaves, close = Hours(), []
    if request.param == "sqlite":
        store, closing = await in_sqlite(tmp_path, leaves=leaves)
        database = Database(tmp_path / "store.sqlite3")
        await database.start()
        close.append(database.close)
        times: Any = SqliteLeavingTimes(database)
    else:
        server, times = request.getfixturevalue("weaviate"), DueTimes()
        await empty(server)
        store, closing = await in_weaviate(server, leaves=leaves, times=times)
    yield Place(store, leaves, times)  # type: ignore[arg-type]
    for each in (closing, *close):
        await each()


async def test_after_a_change_all_leave_by_the_new_settings(place: Place) -> None:
    for scope in EVERYONE:
        await place.store.put(scope, [entry(number, vector=False) for number in (1, 2, 3)])
    everybody = {(scope, entry(number).memory.memory_id) for scope in EVERYONE for number in (1, 2, 3)}
    assert await place.maker().run() == 12, "nobody has said with which they were made"
    assert await place.maker().run() is None
    for hours, before, after in ((5, 1, 5), (2, 5, 2)):  # later, and sooner
        place.leaves.hours = hours
        assert await place.maker().run() == 12
        assert await place.due(after) == everybody
        assert await place.due(min(before, after) - 0.5) == set()
    place.leaves.hours = 0
    await place.maker().run()
    assert await place.due(1_000_000) == set(), "they never leave"


async def test_it_is_done_again_where_it_was_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    await place.store.put(U1, [entry(number, vector=False) for number in range(MANY)])
    await place.maker().run()
    place.leaves.hours = 3
    retime, calls = place.store.retime, []

    async def breaks(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) > 1:
            raise StoreUnavailable("away")
        return await retime(*args, **options)

    with monkeypatch.context() as outage:
        outage.setattr(place.store, "retime", breaks)
        with pytest.raises(StoreUnavailable):
            await place.maker().run()
    assert await place.times.made_with() == "", "half of them are of the one, half of the other"
    with monkeypatch.context() as back:
        back.setattr(place.leaves, "hours", 1)
        assert await place.maker().run() == MANY, "also who goes back to the settings before"
        assert len(await place.due(1)) == MANY
    assert await place.maker().run() == MANY
    assert (len(await place.due(2)), len(await place.due(3))) == (0, MANY)
    assert {each.text for each in await place.store.get(U1, [entry(7).memory.memory_id])} == {"text 7"}


class _At:
    def __init__(self, hours: float) -> None:
        self.ms = round(NOW_MS + hours * HOUR_MS) + 2 * MANY

    def now_ms(self) -> int:
        return self.ms


async def test_what_was_due_by_the_settings_before_is_not_erased(place: Place) -> None:
    await place.store.put(U1, [entry(1, vector=False)])
    memory_id = entry(1).memory.memory_id
    await place.store.change(U1, [memory_id], lambda memory: replace(memory, archived_ms=NOW_MS))
    place.leaves.hours = 50  # and the times are not made anew yet
    settle = AsyncMock()
    fader = Fader(place.store, _At(2), place.leaves, settle, lambda memory, _now: memory)
    assert await fader.sweep() == (0, 0)
    assert len(await place.store.get(U1, [memory_id])) == 1
    late = Fader(place.store, _At(60), place.leaves, settle, lambda memory, _now: memory)
    assert await late.sweep() == (0, 1)


async def test_links_leave_with_a_memory_that_has_faded(place: Place) -> None:
    faded, kept, third = (entry(number, vector=False) for number in (1, 2, 3))
    two = [(faded, kept), (third, faded), (kept, third)]
    joins = [link(U1, Joining(one.memory, "causes", other.memory, 0.5, "", NOW_MS)) for one, other in two]
    await place.store.put(U1, [faded, kept, third, *(IndexEntry(each, indexed(each).terms, None) for each in joins)])
    others = [each.memory.memory_id for each in (kept, third)] + [each.memory_id for each in joins]
    for memory_id in others:  # the one alone is due
        await place.store.change(U1, [memory_id], lambda memory: replace(memory, recorded_ms=NOW_MS + 99 * HOUR_MS))
    await place.store.change(U1, [faded.memory.memory_id], lambda memory: replace(memory, archived_ms=NOW_MS))
    fader = Fader(place.store, _At(2), place.leaves, AsyncMock(), lambda memory, _now: memory)
    assert await fader.sweep() == (0, 3), "it and the two that it is an end of"
    left = await place.store.get(U1, [faded.memory.memory_id, *others])
    assert {each.memory_id for each in left} == {kept.memory.memory_id, third.memory.memory_id, joins[2].memory_id}


async def test_redis_says_with_which_settings_they_were_made(commands: Any) -> None:
    times = RedisDueIndex(commands)
    assert await times.made_with() == ""
    await times.are_made_with("a")
    await times.are_made_with("b")
    assert await times.made_with() == "b"


@pytest.mark.parametrize(
    ("key", "value", "moves"),
    [
        ("fact", "stepped", True),
        ("episode", "never", True),
        ("fact_grace_days", 4, True),
        ("fact_factor", 0.5, True),
        ("episode_grace_days", 0, True),
        ("episode_factor", 0.5, True),
        ("episode_max_age_days", 7, True),
        ("forget_below", 0.1, True),
        ("retention_s", 60, True),
        ("review_below", 0.3, True),
        ("sweep_interval_s", 5, False),
        ("forget", True, True),
    ],
)
def test_settings_by_which_memories_leave_have_another_name(key: str, value: object, moves: bool) -> None:  # noqa: FBT001 - a case
    usual, other = (leaving_settings(load(None, {}, flags)) for flags in ({}, {("decay", key): value}))
    assert (usual != other) is moves
