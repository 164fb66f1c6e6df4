"""The long-term store's contract, over every adapter there is."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory import fences
from memory.errors import Overtaken, SetupError
from memory.model.memunit import MemUnit, memunit_id
from memory.model.profile import Profile, ProfileChange, apply_change
from memory.ports import LongTermStore
from memory.scope import ConversationScope, UserScope
from memory.service.memunits import memunit_at
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.long_term import WeaviateLongTermStore
from memory.stores.weaviate.schema import LONG_TERM
from tests.weaviate_server import WeaviateServer, empty

C1 = ConversationScope("t1", "c1")


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Awaitable[Any]]:
    """Opens the store (again, or beside one that is open)."""
    if request.param == "sqlite":
        return lambda: started(SqliteLongTermStore(tmp_path / "store.sqlite3"))
    server = request.getfixturevalue("weaviate")
    asyncio.run(empty(server, LONG_TERM))
    return lambda: started(WeaviateLongTermStore(WeaviateConnection(server.settings())))


async def started(store: Any) -> Any:
    try:
        await store.start()
    except SetupError:
        await store.close()
        raise
    return store


@pytest.fixture
async def store(opened: Callable[[], Awaitable[Any]]) -> AsyncIterator[LongTermStore]:
    made = await opened()
    yield made
    await made.close()


def unit(scope: ConversationScope = C1, number: int = 1, text: str = "我头痛", user: str = "u1") -> MemUnit:
    messages = f'[{{"seq":{number},"content":"{text}"}}]'.encode()
    return MemUnit(
        unit_id=memunit_id(scope, number, number, messages),
        scope=scope,
        user_id=user,
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


async def test_memunit_reads_back_as_it_was_written(store: LongTermStore) -> None:
    await store.put_memunit(unit())
    assert await store.get_memunit(C1, unit().unit_id) == unit()


async def test_memunit_written_again_changes_nothing(store: LongTermStore) -> None:
    await store.put_memunit(unit())
    await store.put_memunit(unit())
    found = await store.get_memunit(C1, unit().unit_id)
    assert found is not None
    assert found.content_hash() == unit().content_hash()


async def test_latest_memunit_is_the_last_session(store: LongTermStore) -> None:
    for number in (2, 3, 1):
        await store.put_memunit(unit(number=number))
    latest = await store.latest_memunit(C1)
    assert latest is not None
    assert latest.session_number == 3


@pytest.mark.parametrize("other", [ConversationScope("t2", "c1"), ConversationScope("t1", "c2")])
async def test_memunit_of_another_scope_does_not_exist(store: LongTermStore, other: ConversationScope) -> None:
    await store.put_memunit(unit())
    assert await store.get_memunit(other, unit().unit_id) is None
    assert await store.latest_memunit(other) is None


async def test_memunit_of_5_mb_reads_back_as_it_was_written(store: LongTermStore) -> None:
    entry = '{"seq":1,"content":"我头痛三天了，\\n\\"夜里重\\"。"}'
    large = replace(unit(), messages=f"[{','.join([entry] * 100_000)}]".encode())
    assert len(large.messages) > 5 * 1024 * 1024
    await store.put_memunit(large)
    assert await store.get_memunit(C1, large.unit_id) == large
    assert await store.latest_memunit(C1) == large


async def test_memunit_of_nobody_is_found_by_its_conversation_only(store: LongTermStore) -> None:
    for scope in (C1, ConversationScope("t1", "c2"), ConversationScope("t2", "c1")):
        await store.put_memunit(unit(scope, user=""))
    assert await store.latest_memunit(C1) == unit(C1, user="")
    assert await store.conversations(UserScope("t1", "u1")) == []
    assert await store.erase_conversation(C1, ("u1",)) == 0
    assert await store.erase_conversation(C1, ("u1", "")) == 1
    assert await store.latest_memunit(C1) is None
    assert await store.latest_memunit(ConversationScope("t1", "c2")) is not None


async def test_memunits_of_a_conversation_that_changed_hands_are_erased_of_each_alone(store: LongTermStore) -> None:
    for number, user in enumerate(("", "u1", "u2"), start=1):
        await store.put_memunit(unit(number=number, user=user))
    assert [(await memunit_at(store, C1, seq)).user_id for seq in (1, 2, 3)] == ["", "u1", "u2"]
    assert await memunit_at(store, C1, 4) is None
    assert await store.conversations(UserScope("t1", "u2")) == ["c1"]
    assert await store.erase_conversation(C1, ("u1",)) == 1
    assert await store.conversations(UserScope("t1", "u1")) == []
    assert await memunit_at(store, C1, 2) is None
    assert (await memunit_at(store, C1, 3)).user_id == "u2"
    assert await store.erase_conversation(C1, ("u2", "")) == 2


async def test_conversations_are_a_users_own(store: LongTermStore) -> None:
    for number, conversation in enumerate(("c1", "c2", "c2"), start=1):
        await store.put_memunit(unit(ConversationScope("t1", conversation), number))
    await store.put_memunit(unit(ConversationScope("t1", "c3"), user="u2"))
    await store.put_memunit(unit(ConversationScope("t2", "c4")))
    assert sorted(await store.conversations(UserScope("t1", "u1"))) == ["c1", "c2"]
    assert await store.conversations(UserScope("t1", "u9")) == []


async def test_conversations_are_told_with_the_end_of_their_last_memunit(store: LongTermStore) -> None:
    for number, conversation, ended_ms in ((1, "c1", 5_000), (2, "c2", 7_000), (3, "c2", 6_000)):
        await store.put_memunit(replace(unit(ConversationScope("t1", conversation), number), ended_ms=ended_ms))
    await store.put_memunit(replace(unit(ConversationScope("t1", "c3"), user="u2"), ended_ms=9_000))
    await store.update_profile(UserScope("t1", "u1"), lambda profile: replace(profile, version=1, name="李雷"))
    assert await store.last_ended(UserScope("t1", "u1")) == {"c1": 5_000, "c2": 7_000}
    assert await store.last_ended(UserScope("t1", "u9")) == {}


async def test_erased_conversation_is_gone_and_the_rest_is_not(store: LongTermStore) -> None:
    c2 = ConversationScope("t1", "c2")
    for number in range(1, 4):
        await store.put_memunit(unit(number=number))
    await store.put_memunit(unit(c2))
    assert await store.erase_conversation(C1, ("u1",)) == 3
    assert await store.erase_conversation(C1, ("u1",)) == 0
    assert await store.latest_memunit(C1) is None
    assert await store.get_memunit(C1, unit().unit_id) is None
    assert await store.latest_memunit(c2) == unit(c2)
    await store.put_memunit(unit())
    assert await store.latest_memunit(C1) == unit()


async def test_memunit_of_no_such_id_is_none(store: LongTermStore) -> None:
    await store.put_memunit(unit())
    for unit_id in ("", "no uuid", "00000000-0000-0000-0000-000000000000", str(uuid.uuid4())):
        assert await store.get_memunit(C1, unit_id) is None


async def test_profile_reads_back_as_it_was_written(store: LongTermStore) -> None:
    scope = UserScope("t1", "u1")
    change = ProfileChange(
        add={"allergies": ("青霉素", "头孢"), "surgery_history": ("阑尾\u0000切除",)},
        preferences={"time": "上午", "doctor": {"sex": "女", "ages": [1, 2.5, None]}},
        name="王女士",
    )
    written = await store.update_profile(scope, lambda profile: apply_change(profile, change))
    await store.put_memunit(unit())
    assert await store.get_profile(scope) == written
    assert written.version == 1


async def test_erased_profile_is_empty_and_begins_anew(store: LongTermStore) -> None:
    scope = UserScope("t1", "u1")
    await store.put_memunit(unit())
    for number in range(3):
        await store.update_profile(scope, lambda p, n=number: replace(p, name=f"王{n}", version=p.version + 1))
    assert await store.erase_profile(scope)
    assert not await store.erase_profile(scope)
    assert await store.get_profile(scope) == Profile("u1")
    assert await store.latest_memunit(C1) == unit()
    await store.update_profile(scope, lambda p: replace(p, name="李", version=p.version + 1))
    assert (await store.get_profile(scope)).name == "李"


async def test_profile_unknown_user_is_empty(store: LongTermStore) -> None:
    assert await store.get_profile(UserScope("t1", "u1")) == Profile("u1")


async def test_profile_changes_in_parallel_lose_nothing(store: LongTermStore) -> None:
    def change(number: int) -> ProfileChange:
        return ProfileChange(add={"allergies": (f"药{number}",)})

    await asyncio.gather(
        *(store.update_profile(UserScope("t1", "u1"), lambda p, n=n: apply_change(p, change(n))) for n in range(50))
    )
    profile = await store.get_profile(UserScope("t1", "u1"))
    assert len(profile.allergies) == profile.version == 50
    assert (await store.get_profile(UserScope("t2", "u1"))).version == 0


async def test_profile_change_that_raises_changes_nothing(store: LongTermStore) -> None:
    def bad(profile: Profile) -> Profile:
        raise RuntimeError(profile.user_id)

    with pytest.raises(RuntimeError):
        await store.update_profile(UserScope("t1", "u1"), bad)
    changed = await store.update_profile(UserScope("t1", "u1"), lambda p: replace(p, name="王", version=1))
    assert changed.name == "王"


async def test_store_opened_again_has_what_was_written(opened: Callable[[], Awaitable[Any]]) -> None:
    first = await opened()
    await first.put_memunit(unit())
    await first.update_profile(UserScope("t1", "u1"), lambda p: replace(p, name="王", version=1))
    await first.close()
    second = await opened()
    assert await second.latest_memunit(C1) == unit()
    assert (await second.get_profile(UserScope("t1", "u1"))).name == "王"
    await second.close()


async def test_sqlite_survives_a_restart_and_keeps_its_id(tmp_path: Path) -> None:
    ids = []
    for _ in range(2):
        opened = SqliteLongTermStore(tmp_path / "store.sqlite3")
        await opened.start()
        await opened.put_memunit(unit())
        ids.append(opened.store_id)
        await opened.close()
    assert ids[0] == ids[1] != ""


async def test_sqlite_of_another_version_is_refused(tmp_path: Path) -> None:
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


async def test_sqlite_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SqliteLongTermStore(tmp_path / "file" / "store.sqlite3")
    with pytest.raises(SetupError, match="cannot open"):
        await store.start()
    await store.close()


async def test_weaviate_of_another_schema_is_refused(weaviate: WeaviateServer) -> None:
    await empty(weaviate, LONG_TERM)
    connection = WeaviateConnection(weaviate.settings())
    await connection.write(lambda client: client.collections.create(LONG_TERM, description='{"schema": 99}'))
    store = WeaviateLongTermStore(connection)
    with pytest.raises(SetupError, match="schema 99"):
        await store.start()
    await store.close()
    await empty(weaviate, LONG_TERM)


async def test_all_memunits_and_profiles_are_those_of_every_tenant(store: LongTermStore) -> None:
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


async def test_memunit_and_profile_under_a_raised_fence_are_refused(store: LongTermStore) -> None:
    scope = UserScope(C1.tenant, "u1")
    owners = [fences.of_user(scope), fences.of_nobody(C1)]
    one, nobodys = await store.fences(owners)
    await store.put_memunit(unit(), [one])
    await store.put_memunit(unit(number=2, user=""), [nobodys])
    assert await store.erase_conversation(C1, ("u1", "")) == 2
    with pytest.raises(Overtaken):
        await store.put_memunit(unit(), [one])
    with pytest.raises(Overtaken):
        await store.put_memunit(unit(number=2, user=""), [nobodys])
    change = ProfileChange(add={"allergies": ("CANARY",)})
    with pytest.raises(Overtaken):
        await store.update_profile(scope.under((one,)), lambda profile: apply_change(profile, change))
    assert await store.latest_memunit(C1) is None
    assert (await store.get_profile(scope)).version == 0
    await store.erase_profile(scope)
    assert [fence.number for fence in await store.fences(owners)] == [2, 1]


async def test_own_memunits_are_paged_by_id_and_of_one_user_only(store: LongTermStore) -> None:
    own = [unit(ConversationScope("t1", f"c{number % 2}"), number=number) for number in range(1, 8)]
    for each in (*own, unit(C1, number=9, user="u2"), unit(ConversationScope("t2", "c1"), number=9)):
        await store.put_memunit(each)
    u1 = UserScope("t1", "u1")
    await store.update_profile(u1, lambda profile: apply_change(profile, ProfileChange(name="李雷")))
    in_order = sorted(own, key=lambda each: each.unit_id)
    assert await store.own_memunits(u1, "", "", 100) == in_order
    assert await store.own_memunits(u1, "", "", 3) == in_order[:3]
    assert await store.own_memunits(u1, "", in_order[2].unit_id, 3) == in_order[3:6]
    assert await store.own_memunits(u1, "", in_order[-1].unit_id, 3) == []
    of_one = [each for each in in_order if each.scope == C1]
    assert await store.own_memunits(u1, "c1", "", 2) == of_one[:2]
    assert await store.own_memunits(u1, "c1", of_one[1].unit_id, 9) == of_one[2:]
    assert await store.own_memunits(UserScope("t1", "u3"), "", "", 9) == []


async def test_own_memunit_is_found_without_its_conversation_by_its_user_only(store: LongTermStore) -> None:
    await store.put_memunit(unit())
    assert await store.own_memunit(UserScope("t1", "u1"), unit().unit_id) == unit()
    assert await store.own_memunit(UserScope("t1", "u2"), unit().unit_id) is None
    assert await store.own_memunit(UserScope("t2", "u1"), unit().unit_id) is None
    assert await store.own_memunit(UserScope("t1", "u1"), "no-such-unit") is None
