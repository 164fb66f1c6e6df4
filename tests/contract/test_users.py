"""Who there is of a tenant: ListUsers, by activity and by name."""

from collections.abc import Callable
from typing import Any

import pytest

from memory.consolidation.upkeep.users import UserLister
from memory.errors import GraphIsFull, InvalidInput, StoreUnavailable
from memory.model.caller import Caller
from memory.scope import UserScope
from memory.stores.redis import scripts
from memory.stores.redis.keys import PREFIX, begun_key, users_keys
from memory.stores.redis.users import RedisUsers
from tests.inprocess import EVERYONE, World

STRANGER = Caller("elsewhere", frozenset({"admin"}))
TOLD = {
    "UpsertFacts": {"facts": {"allergies": ["青霉素"]}},
    "UpsertPreferences": {"preferences": {"language": "zh"}},
    "CreateMemory": {"subject": "user", "memory_type": "fact", "topic": "tea"},
}


def scope(user: str) -> UserScope:
    return UserScope("default", user)


async def listed(here: World, caller: Caller = EVERYONE, **asked: Any) -> list[str]:
    """The ids of all users, read in pages."""
    return [each["user_id"] for each in await here.pages("ListUsers", caller, **asked)]


async def item(here: World, user: str) -> dict[str, Any]:
    """What the list says of one."""
    (found,) = [each for each in (await here.call("ListUsers", prefix=user))["items"] if each["user_id"] == user]
    return dict(found)


async def at(here: World, **moments: int) -> RedisUsers:
    """Users who were active at these moments."""
    users = RedisUsers(here.commands)
    for user, moment in moments.items():
        await users.enlist(scope(user), (), moment)
    return users


async def kept(here: World, *words: str) -> list[str]:
    """Where one of these stands in Redis: names of keys, members of sorted sets, fields of hashes."""
    (keys,) = await here.commands.run(("KEYS", "*"))
    found = [key.decode() for key in keys if any(word in key.decode() for word in words)]
    for key in keys:
        (kind,) = await here.commands.run(("TYPE", key))
        if kind in {b"zset", "zset"}:
            (members,) = await here.commands.run(("ZRANGE", key, 0, -1))
        elif kind in {b"hash", "hash"}:
            (members,) = await here.commands.run(("HGETALL", key))
        else:
            members = []
        found += [f"{key.decode()}: {word}" for word in words if any(word.encode() in each for each in members)]
    return found


async def test_users_of_living_and_of_ended_sessions_are_listed(here: World) -> None:
    await here.write("我头痛。", "好的。", "ended", user_id="u1")
    await here.finalize("ended")
    await here.write("我发烧。", "好的。", "alive", user_id="u2")
    await here.write("没有名字。", "好的。", "nobodys")
    page = await here.call("ListUsers")
    assert [each["user_id"] for each in page["items"]] == ["u2", "u1"]
    assert (page["total"], page["cursor"]) == (2, "")
    assert all(each["last_active_at"].endswith("Z") for each in page["items"])
    assert await listed(here, order="name") == ["u1", "u2"]


async def test_conversations_are_counted_as_they_are_listed(here: World) -> None:
    for name in ("a", "b", "b", "c"):
        await here.write("我头痛。", "好的。", name, user_id="u1")
        await here.finalize(name)
    await here.write("我发烧。", "好的。", "d", user_id="u1")
    await here.call("ProcessMemory", user_id="u1", input="我头痛。")
    assert (await item(here, "u1"))["conversations"] == 4
    assert (await here.call("ListConversations", user_id="u1"))["total"] == 4
    await here.call("ForgetMemory", user_id="u1", conversation_id="a")
    assert (await item(here, "u1"))["conversations"] == 3


async def test_who_adopts_a_conversation_is_listed_with_it(here: World) -> None:
    await here.write("我头痛。", "好的。", "c")
    assert await listed(here) == []
    await here.write("我发烧。", "好的。", "c", user_id="u1")
    assert (await item(here, "u1"))["conversations"] == 1


async def test_who_goes_on_writing_moves_to_the_front(make_world: Callable[..., Any]) -> None:
    here = await make_world(active_exact_ms=0)
    await here.write("我头痛。", "好的。", "c", user_id="u1")
    await here.background.drain(5)
    await here.commands.run(("ZADD", users_keys("default")[0], 1_000, "u1"))
    await at(here, u2=2_000)
    assert await listed(here) == ["u2", "u1"]
    await here.write("还有点发烧。", "好的。", "c")
    await here.background.drain(5)
    assert await listed(here) == ["u1", "u2"], "also where the write does not name its user"


async def test_activity_of_a_moment_ago_is_noted_once(here: World) -> None:
    for _ in range(3):
        await here.write("我头痛。", "好的。", "c", user_id="u1")
        await here.background.drain(5)
    await here.commands.run(("ZADD", users_keys("default")[0], 1_000, "u1"))
    await here.write("还有点发烧。", "好的。", "c", user_id="u1")
    await here.background.drain(5)
    assert (await item(here, "u1"))["last_active_at"] == "1970-01-01T00:00:01.000Z"


@pytest.mark.parametrize("operation", TOLD)
async def test_of_whom_something_is_told_is_listed(here: World, operation: str) -> None:
    await here.call(operation, user_id="u1", **TOLD[operation])
    assert (await item(here, "u1"))["conversations"] == 0


async def test_what_is_refused_lists_nobody(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object, **__: object) -> None:
        raise GraphIsFull("full")

    monkeypatch.setattr(type(here.memories), "put", full)
    with pytest.raises(GraphIsFull):
        await here.call("CreateMemory", user_id="u1", **TOLD["CreateMemory"])
    assert await listed(here) == []
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素"]})
    with pytest.raises(GraphIsFull):
        await here.call("CreateMemory", user_id="u1", **TOLD["CreateMemory"])
    assert await listed(here) == ["u1"], "who was there stays"


async def test_looking_lists_nobody_and_moves_nobody(here: World) -> None:
    await at(here, u1=1_000, u2=2_000)
    for operation in ("GetProfile", "ListConversations", "ListMemories"):
        await here.call(operation, user_id="u1")
        await here.call(operation, user_id="nobody")
    await here.query("c", user_id="u1")
    before = await kept(here, "u1", "u2", "nobody")
    assert await listed(here) == ["u2", "u1"]
    assert await kept(here, "u1", "u2", "nobody") == before


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("order", ["active", "name"])
@pytest.mark.parametrize("prefix", [{}, {"prefix": "a"}], ids=["all", "prefix"])
async def test_pages_leave_out_nobody_and_show_nobody_twice(
    here: World, order: str, limit: int, prefix: dict[str, str]
) -> None:
    moments = {
        name: 1_000 * (place // 3) for place, name in enumerate(("b", "a.1", "a-2", "aZ", "a:b", "A", "a", "a@"))
    }
    await at(here, **moments)
    wanted = [name for name in moments if name.startswith(prefix.get("prefix", ""))]
    expected = sorted(wanted)
    if order == "active":
        expected = sorted(wanted, key=lambda name: (moments[name], name), reverse=True)
    assert await listed(here, order=order, limit=limit, **prefix) == expected
    assert (await here.call("ListUsers", **prefix))["total"] == len(wanted)


async def test_who_becomes_active_between_two_pages_leaves_out_nobody_else(here: World) -> None:
    users = await at(here, **{f"u{number}": 1_000 + number for number in range(9)})
    first = await here.call("ListUsers", limit=3)
    assert [each["user_id"] for each in first["items"]] == ["u8", "u7", "u6"]
    await users.note_active({scope("u6"): 9_000, scope("u2"): 9_001})
    await users.remove(scope("u7"))
    second = await here.call("ListUsers", limit=9, cursor=first["cursor"])
    assert [each["user_id"] for each in second["items"]] == ["u5", "u4", "u3", "u1", "u0"]
    by_name = await here.call("ListUsers", order="name", limit=3)
    await users.note_active({scope("u5"): 9_002})
    rest = await here.call("ListUsers", order="name", limit=9, cursor=by_name["cursor"])
    assert [each["user_id"] for each in (*by_name["items"], *rest["items"])] == [
        f"u{n}" for n in (0, 1, 2, 3, 4, 5, 6, 8)
    ]


async def test_a_rare_prefix_among_many_is_found_in_order(here: World) -> None:
    active, names = users_keys("default")
    for start in range(0, 6_000, 500):
        some = [f"u{number:04}" if number % 2 else f"v{number:04}" for number in range(start, start + 500)]
        scored = [part for name in some for part in (int(name[1:]) + 1, name)]
        await here.commands.run(("ZADD", active, *scored), ("ZADD", names, *(x for name in some for x in (0, name))))
    every = await listed(here, prefix="u", limit=200)
    assert every == [f"u{number:04}" for number in range(5_999, 0, -2)]
    assert await listed(here, prefix="u001", limit=3) == ["u0019", "u0017", "u0015", "u0013", "u0011"]
    page = await here.call("ListUsers", prefix="v", limit=1)
    assert (page["items"][0]["user_id"], page["total"]) == ("v5998", 3_000)


async def test_a_walk_that_is_cut_short_goes_on_with_the_next_page(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.stores.redis.users._LOOKED_AT_MAX", 4)
    monkeypatch.setattr("memory.stores.redis.users._SCRIPTS_MAX", 2)
    old, young = [f"old{number}" for number in range(6)], [f"young{number:02}" for number in range(21)]
    await at(here, **{name: 1_000 + place // 2 for place, name in enumerate((*old, *young))})
    first = await here.call("ListUsers", prefix="old", limit=2)
    assert (first["items"], first["total"]) == ([], 6)
    for limit in (1, 2, 5, 6, 7):
        assert await listed(here, prefix="old", limit=limit) == old[::-1]


@pytest.mark.parametrize("nonsense", ["x", ".", "-1.u", "1e9.u", "１.u", "9" * 16 + ".u"])
async def test_a_cursor_that_is_none_is_refused(here: World, nonsense: str) -> None:
    with pytest.raises(InvalidInput):
        await here.call("ListUsers", cursor=nonsense)
    assert (await here.call("ListUsers", order="name", cursor=nonsense))["items"] == []


async def test_users_of_another_tenant_are_not_there(here: World) -> None:
    await here.write("我头痛。", "好的。", "c", user_id="u1")
    assert await listed(here, STRANGER) == []
    await here.call("UpsertFacts", STRANGER, user_id="u9", facts={"allergies": ["青霉素"]})
    assert (await listed(here, STRANGER), await listed(here)) == (["u9"], ["u1"])
    erasing = Caller("elsewhere", frozenset({"erase"}))
    await here.call("ForgetMemory", erasing, user_id="u1")
    assert await listed(here) == ["u1"]


async def test_who_is_forgotten_leaves_no_trace_in_the_list(here: World) -> None:
    for user in ("victim", "other"):
        await here.write("我头痛。", "好的。", f"of-{user}", user_id=user)
        await here.finalize(f"of-{user}")
        await here.write("我发烧。", "好的。", f"alive-{user}", user_id=user)
        await here.call("CreateShortMemory", conversation_id=f"empty-{user}", user_id=user)
        await here.call("UpsertFacts", user_id=user, facts={"allergies": ["青霉素"]})
    await here.background.drain(5)
    await here.call("ForgetMemory", user_id="victim")
    for order in ("active", "name"):
        assert await listed(here, order=order) == ["other"]
        assert await listed(here, order=order, prefix="vic") == []
    assert await kept(here, "victim") == []
    assert await here.commands.run(("EXISTS", begun_key(scope("victim")))) == [0]
    await RedisUsers(here.commands).note_active({scope("victim"): 2_000_000_000_000})
    assert await kept(here, "victim") == [], "nor does what was noted before bring them back"
    assert (await item(here, "other"))["conversations"] == 3


async def test_forgetting_that_is_cut_off_at_the_list_is_finished_by_its_repetition(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("我头痛。", "好的。", "c", user_id="victim")
    await here.finalize("c")

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(scripts.UNLIST_USER, "run", down)
        with pytest.raises(StoreUnavailable):
            await here.call("ForgetMemory", user_id="victim")
    assert await listed(here) == ["victim"], "seen, so that somebody asks again"
    await here.call("ForgetMemory", user_id="victim")
    assert await kept(here, "victim") == []


@pytest.mark.parametrize("what", ["conversation", "memory"])
async def test_who_loses_the_last_of_theirs_is_listed_no_more(here: World, what: str) -> None:
    if what == "conversation":
        await here.write("你好。", "好的。", "c", user_id="u1")
        await here.finalize("c")
        await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    else:
        made = await here.call("CreateMemory", user_id="u1", **TOLD["CreateMemory"])
        await here.call("ForgetMemory", user_id="u1", memory_id=made["memory_id"])
    assert await listed(here) == []


async def test_who_begins_anew_while_they_are_forgotten_is_listed_afterwards(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("我头痛。", "好的。", "c", user_id="u1")
    await here.finalize("c")
    remove = RedisUsers.remove

    async def begun_meanwhile(self: RedisUsers, of: UserScope) -> None:
        monkeypatch.undo()
        await here.write("我又来了。", "好的。", "new", user_id="u1")
        await remove(self, of)

    monkeypatch.setattr(RedisUsers, "remove", begun_meanwhile)
    await here.call("ForgetMemory", user_id="u1")
    assert (await item(here, "u1"))["conversations"] == 1


async def before_there_was_a_list(here: World) -> UserLister:
    """Users as an older gateway leaves them: one with memories, one who is told of, one who writes."""
    await here.write("我头痛。", "好的。", "ended", user_id="remembered")
    await here.finalize("ended")
    await here.call("UpsertFacts", user_id="told", facts={"allergies": ["青霉素"]})
    await here.write("我发烧。", "好的。", "alive", user_id="living")
    await here.write("没有名字。", "好的。", "nobodys")
    await here.background.drain(5)
    (keys,) = await here.commands.run(("KEYS", f"{PREFIX}:*"))
    mine = [key for key in keys if key.decode().startswith((f"{PREFIX}:users", f"{PREFIX}:begun"))]
    for key in mine:
        await here.commands.run(("DEL", key))
    assert await listed(here) == []
    return UserLister(RedisUsers(here.commands), here.sessions, here.store, here.memories)


async def test_who_was_there_before_the_list_is_put_on_it_once(here: World) -> None:
    lister = await before_there_was_a_list(here)
    assert await lister.make() == 3
    items = {each["user_id"]: each for each in (await here.call("ListUsers"))["items"]}
    assert list(items) == ["living", "remembered", "told"]
    assert [each["conversations"] for each in items.values()] == [1, 1, 0]
    assert ["last_active_at" in each for each in items.values()] == [True, True, False]
    assert await lister.make() is None


async def test_who_is_forgotten_while_the_list_is_made_is_not_left_on_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    lister = await before_there_was_a_list(here)
    enlist = RedisUsers.enlist

    async def forgotten_meanwhile(self: RedisUsers, of: UserScope, *rest: Any) -> None:
        if of.user == "remembered":
            monkeypatch.undo()
            await here.call("ForgetMemory", user_id="remembered")
        await enlist(self, of, *rest)

    monkeypatch.setattr(RedisUsers, "enlist", forgotten_meanwhile)
    await lister.make()
    assert await listed(here, order="name") == ["living", "told"]
