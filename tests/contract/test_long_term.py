"""The long-term store's contract, over every adapter there is."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory.errors import SetupError
from memory.model.memunit import MemUnit, memunit_id
from memory.model.profile import Profile, ProfileChange, apply_change
from memory.scope import ConversationScope, UserScope
from memory.stores.sqlite.long_term import SqliteLongTermStore

C1 = ConversationScope("t1", "c1")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteLongTermStore]:
    opened = SqliteLongTermStore(tmp_path / "store.sqlite3")
    await opened.start()
    yield opened
    await opened.close()


def unit(scope: ConversationScope = C1, number: int = 1, text: str = "我头痛") -> MemUnit:
    messages = f'[{{"seq":{number},"content":"{text}"}}]'.encode()
    return MemUnit(
        unit_id=memunit_id(scope, number, number, messages),
        scope=scope,
        user_id="u1",
        session_number=number,
        seq_from=number,
        seq_to=number,
        turn_from=1,
        turn_to=1,
        started_ms=1,
        ended_ms=2,
        subject=text,
        summary=text,
        narrative=text,
        participants=("user", "assistant"),
        recent_turns=8,
        messages=messages,
    )


async def test_memunit_reads_back_as_it_was_written(store: SqliteLongTermStore) -> None:
    await store.put_memunit(unit())
    assert await store.get_memunit(C1, unit().unit_id) == unit()


async def test_memunit_written_again_changes_nothing(store: SqliteLongTermStore) -> None:
    await store.put_memunit(unit())
    await store.put_memunit(unit())
    found = await store.get_memunit(C1, unit().unit_id)
    assert found is not None
    assert found.content_hash() == unit().content_hash()


async def test_latest_memunit_is_the_last_session(store: SqliteLongTermStore) -> None:
    for number in (2, 3, 1):
        await store.put_memunit(unit(number=number))
    latest = await store.latest_memunit(C1)
    assert latest is not None
    assert latest.session_number == 3


@pytest.mark.parametrize("other", [ConversationScope("t2", "c1"), ConversationScope("t1", "c2")])
async def test_memunit_of_another_scope_does_not_exist(store: SqliteLongTermStore, other: ConversationScope) -> None:
    await store.put_memunit(unit())
    assert await store.get_memunit(other, unit().unit_id) is None
    assert await store.latest_memunit(other) is None


async def test_profile_unknown_user_is_empty(store: SqliteLongTermStore) -> None:
    assert await store.get_profile(UserScope("t1", "u1")) == Profile("u1")


async def test_profile_changes_in_parallel_lose_nothing(store: SqliteLongTermStore) -> None:
    def change(number: int) -> ProfileChange:
        return ProfileChange(add={"allergies": (f"药{number}",)})

    await asyncio.gather(
        *(store.update_profile(UserScope("t1", "u1"), lambda p, n=n: apply_change(p, change(n))) for n in range(50))
    )
    profile = await store.get_profile(UserScope("t1", "u1"))
    assert len(profile.allergies) == profile.version == 50
    assert (await store.get_profile(UserScope("t2", "u1"))).version == 0


async def test_profile_change_that_raises_changes_nothing(store: SqliteLongTermStore) -> None:
    def bad(profile: Profile) -> Profile:
        raise RuntimeError(profile.user_id)

    with pytest.raises(RuntimeError):
        await store.update_profile(UserScope("t1", "u1"), bad)
    changed = await store.update_profile(UserScope("t1", "u1"), lambda p: replace(p, name="王", version=1))
    assert changed.name == "王"


async def test_store_survives_a_restart_and_keeps_its_id(tmp_path: Path) -> None:
    ids = []
    for _ in range(2):
        opened = SqliteLongTermStore(tmp_path / "store.sqlite3")
        await opened.start()
        await opened.put_memunit(unit())
        ids.append(opened.store_id)
        await opened.close()
    assert ids[0] == ids[1] != ""


async def test_store_of_another_version_is_refused(tmp_path: Path) -> None:
    opened = SqliteLongTermStore(tmp_path / "store.sqlite3")
    await opened.start()
    await opened.database.write(
        lambda session: session.connection.execute("UPDATE store SET value='99' WHERE key='schema_version'")
    )
    await opened.close()
    again = SqliteLongTermStore(tmp_path / "store.sqlite3")
    with pytest.raises(SetupError, match="schema version 99"):
        await again.start()
    await again.close()


async def test_store_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SqliteLongTermStore(tmp_path / "file" / "store.sqlite3")
    with pytest.raises(SetupError, match="cannot open"):
        await store.start()
    await store.close()


async def test_all_memunits_and_profiles_are_those_of_every_tenant(store: SqliteLongTermStore) -> None:
    places = [ConversationScope(tenant, f"c{number}") for tenant in ("t1", "t2") for number in range(120)]
    nobody = replace(unit(C1, 9), user_id="")
    for place in places:
        await store.put_memunit(unit(place))
    await store.put_memunit(nobody)
    users = [UserScope(tenant, f"u{number}") for tenant in ("t1", "t2") for number in range(120)]
    for scope in users:
        await store.update_profile(scope, lambda old: apply_change(old, ProfileChange(name="李雷")))
    found = [each async for each in store.all_memunits()]
    assert len(found) == len(places) + 1
    assert {each.content_hash() for each in found} == {unit(place).content_hash() for place in places} | {
        nobody.content_hash()
    }
    profiles = {scope: profile async for scope, profile in store.all_profiles()}
    assert set(profiles) == set(users)
    assert profiles[users[-1]] == await store.get_profile(users[-1])
