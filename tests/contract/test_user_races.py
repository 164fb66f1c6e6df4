"""The list of users while others work on it: nobody who is there is left out, and nobody stays of whom nothing is."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memory.consolidation.upkeep.users import UserLister
from memory.errors import GraphIsFull
from memory.service.users import _NOTED_MAX
from memory.stores.redis.keys import begun_key, users_keys
from memory.stores.redis.users import RedisUsers
from tests.contract.test_users import TOLD, at, before_there_was_a_list, item, listed, scope
from tests.inprocess import World

ALLERGY = {"allergies": ["青霉素"]}


def meanwhile(monkeypatch: pytest.MonkeyPatch, of: Any, name: str, work: Callable[[], Awaitable[None]]) -> None:
    """The next call of this method finds that something has happened just before it."""
    original = getattr(of, name)

    async def after_it(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(of, name, original)
        await work()
        return await original(*given, **named)

    monkeypatch.setattr(of, name, after_it)


@pytest.fixture
def refused(here: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Awaitable[None]]:
    """Tries to create a memory of u1, for which there is no room."""

    async def full(*_: object, **__: object) -> None:
        raise GraphIsFull("full")

    async def create() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(type(here.memories), "put", full)
            with pytest.raises(GraphIsFull):
                await here.call("CreateMemory", user_id="u1", **TOLD["CreateMemory"])

    return create


async def test_what_is_refused_leaves_a_user_whose_session_is_about_to_begin(
    here: World, refused: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    enlist = RedisUsers.enlist

    async def listed_then_refused(self: RedisUsers, *given: Any) -> int | None:
        monkeypatch.setattr(RedisUsers, "enlist", enlist)
        listed_ms = await enlist(self, *given)
        await refused()
        return listed_ms

    monkeypatch.setattr(RedisUsers, "enlist", listed_then_refused)
    await here.write("我头痛。", "好的。", "c", user_id="u1")
    assert await listed(here) == ["u1"]


async def test_who_begins_while_something_of_them_is_refused_is_listed(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the session is not there yet when it is looked whether anything is."""
    users = RedisUsers(here.commands)
    listed_ms = await users.enlist(scope("u1"))
    assert listed_ms is not None
    assert await users.enlist(scope("u1")) is None, "a session that begins lists them, in the same millisecond or later"
    await UserLister(users, here.sessions, here.store, here.memories).take_back(scope("u1"), listed_ms)
    assert await listed(here) == ["u1"]


async def test_preferences_told_while_something_is_refused_leave_their_user_listed(
    here: World, refused: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, type(here.store), "update_profile", refused)
    await here.call("UpsertPreferences", user_id="u1", preferences={"language": "zh"})
    assert await listed(here) == ["u1"]


@pytest.mark.parametrize(
    ("operation", "body"),
    [("UpsertFacts", {"remove": {"allergies": ["x"]}}), ("UpsertPreferences", {"preferences": {}})],
)
async def test_of_whom_nothing_is_left_by_what_is_told_is_not_listed(
    here: World, operation: str, body: dict[str, Any]
) -> None:
    await here.call(operation, user_id="ghost", **body)
    assert await listed(here) == []
    await here.call("UpsertFacts", user_id="u1", facts=ALLERGY)
    await here.call(operation, user_id="u1", **body)
    assert await listed(here) == ["u1"]


async def test_who_leaves_between_two_commands_of_a_page_ends_no_walk(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at(here, **{f"u{number}": 1_000 for number in range(9)})
    run = here.commands.run

    async def forgotten_before_the_scores(*commands: Any) -> Any:
        if commands[0][0] == "ZMSCORE":
            monkeypatch.setattr(here.commands, "run", run)
            await RedisUsers(here.commands).remove(scope("u1"))
        return await run(*commands)

    monkeypatch.setattr(here.commands, "run", forgotten_before_the_scores)
    assert await listed(here, order="name", limit=3) == [f"u{number}" for number in range(9) if number != 1]


async def test_who_is_forgotten_and_begins_anew_while_the_list_is_made_is_on_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    lister = await before_there_was_a_list(here)
    remove = RedisUsers.remove

    async def begun_anew(self: RedisUsers, of: Any) -> None:
        monkeypatch.setattr(RedisUsers, "remove", remove)
        await here.write("我又来了。", "好的。", "new", user_id="living")
        await remove(self, of)

    async def forgotten() -> None:
        await here.call("ForgetMemory", user_id="living")
        monkeypatch.setattr(RedisUsers, "remove", begun_anew)

    enlist = RedisUsers.enlist

    async def just_before_they_are_listed(self: RedisUsers, of: Any, *rest: Any) -> int | None:
        if of.user == "living":
            monkeypatch.setattr(RedisUsers, "enlist", enlist)
            await forgotten()
        return await enlist(self, of, *rest)

    monkeypatch.setattr(RedisUsers, "enlist", just_before_they_are_listed)
    await lister.make()
    assert await listed(here, order="name") == ["living", "remembered", "told"]


async def test_making_the_list_costs_what_there_is_of_each_user_once(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = 0
    run = here.commands.run

    async def counted(*asked: Any) -> Any:
        nonlocal commands
        commands += len(asked)
        return await run(*asked)

    costs = []
    for many in (10, 40):
        for number in range(many):
            await here.write("我头痛。", "好的。", f"c{number}", user_id="u1")
        await here.background.drain(5)
        await here.commands.run(("DEL", "short_term_memory:users_made"))
        commands = 0
        with monkeypatch.context() as patch:
            patch.setattr(here.commands, "run", counted)
            await UserLister(RedisUsers(here.commands), here.sessions, here.store, here.memories).make()
        costs.append(commands)
    assert costs[1] <= 6 * costs[0], costs


async def test_activity_that_is_not_noted_yet_outlives_the_bound_of_what_is_known(
    make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _NOTED_MAX > 1_000
    monkeypatch.setattr("memory.service.users._NOTED_MAX", 2)
    here = await make_world()
    for user in ("u1", "u2", "u3"):
        await here.write("我头痛。", "好的。", f"of-{user}", user_id=user)
    await here.background.drain(5)
    for user in ("u1", "u2", "u3"):
        await here.commands.run(("ZADD", users_keys("default")[0], 1_000, user))
    here.service._users._noted.clear()
    monkeypatch.setattr(here.background, "start", lambda *_: False)
    for user in ("u1", "u2", "u3"):
        await here.write("我发烧。", "好的。", f"of-{user}", user_id=user)
    monkeypatch.undo()
    await here.service._users._behind._empty()
    for user in ("u1", "u2", "u3"):
        assert (await item(here, user))["last_active_at"] > "2026"


async def test_nobody_becomes_active_in_the_past(here: World) -> None:
    users = await at(here, u1=5_000)
    await users.note_active({scope("u1"): 4_000})
    await users.enlist(scope("u1"), (), 3_000)
    assert (await item(here, "u1"))["last_active_at"] == "1970-01-01T00:00:05.000Z"


async def test_who_is_removed_leaves_no_count_of_conversations_that_no_store_knows(here: World) -> None:
    users = RedisUsers(here.commands)
    await users.enlist(scope("u1"), ("of-an-older-gateway",))
    await users.remove(scope("u1"))
    assert await here.commands.run(("EXISTS", begun_key(scope("u1")))) == [0]


async def test_who_has_something_left_stays_listed(here: World) -> None:
    first = await here.call("CreateMemory", user_id="created", **TOLD["CreateMemory"])
    await here.call("CreateMemory", user_id="created", **(TOLD["CreateMemory"] | {"topic": "coffee"}))
    await here.call("ForgetMemory", user_id="created", memory_id=first["memory_id"])
    await here.write("今天天气不错。", "是的。", "c", user_id="units")
    await here.finalize("c")
    for memory in (await here.call("ListMemories", user_id="units"))["items"]:
        await here.call("ForgetMemory", user_id="units", memory_id=memory["memory_id"])
    assert (await here.call("ListMemUnits", user_id="units"))["items"], "the stretch itself is there"
    assert await listed(here, order="name") == ["created", "units"]


async def test_a_list_is_made_for_each_store(here: World) -> None:
    users = RedisUsers(here.commands)
    await users.made("sqlite")
    assert (await users.is_made("sqlite"), await users.is_made("weaviate")) == (True, False)
