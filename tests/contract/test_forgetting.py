"""What forgetting leaves alone, what it can finish after a failure, and what holds again after it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory.errors import Conflict, NotFound, StoreUnavailable
from memory.model import requests as ask
from memory.scope import ConversationScope, UserScope
from tests.inprocess import EVERYONE, World

U1 = UserScope("default", "u1")
CANARY = "CANARY 我对青霉素过敏。"


async def over(world: World, text: str, conversation: str = "c", user: str = "u1") -> None:
    """A session that is over, and in memory."""
    await world.write(text, "好的。", conversation, user_id=user)
    await world.finalize(conversation)


async def everything(world: World, folder: Path) -> bytes:
    """The values of the session store that hold text, and the bytes of the files."""
    (keys,) = await world.commands.run(("KEYS", "*"))
    read = {b"list": ("LRANGE", 0, -1), b"hash": ("HGETALL",), b"string": ("GET",)}
    read |= {b"zset": ("ZRANGE", 0, -1), b"set": ("SMEMBERS",)}
    kept = []
    for key in keys:
        (kind,) = await world.commands.run(("TYPE", key))
        name, *rest = read.get(kind if isinstance(kind, bytes) else kind.encode(), ("EXISTS",))
        kept += await world.commands.run((name, key, *rest))
    files = b"".join(path.read_bytes() for path in sorted(folder.glob("long_term.sqlite3*")))
    return repr(kept).encode() + files


async def allergies(world: World, user: str = "u1") -> list[str]:
    in_context = (await world.query("another", user_id=user))["safety"]["allergies"]
    assert in_context == (await world.call("GetProfile", user_id=user))["allergies"]
    return in_context


@pytest.mark.parametrize("what", [{"conversation_id": "c"}, {}], ids=["conversation", "user"])
async def test_what_another_says_in_the_same_conversation_stays(here: World, what: dict[str, str]) -> None:
    await over(here, "我对青霉素过敏。")
    await here.write("我在吃布洛芬。", "好的。", user_id="u2")
    receipt = await here.call("ForgetMemory", user_id="u1", **what)
    assert (receipt["sessions"], receipt["memunits"]) == (1, 1)
    assert await allergies(here) == []
    living = await here.query(user_id="u2")
    assert (living["session_state"], "布洛芬" in living["history"]) == ("ACTIVE", True)
    await here.finalize()
    assert (await here.call("ListMemories", user_id="u2"))["items"]


@pytest.mark.parametrize("what", [{"conversation_id": "c"}, {}], ids=["conversation", "user"])
async def test_what_another_had_in_the_same_conversation_stays(here: World, what: dict[str, str]) -> None:
    await over(here, "我对青霉素过敏。")
    await here.write("我在吃布洛芬。", "好的。", user_id="u2")
    receipt = await here.call("ForgetMemory", user_id="u2", **what)
    assert (receipt["sessions"], receipt["memunits"], receipt["memories"]) == (1, 0, 0)
    assert await allergies(here) == ["青霉素"]
    assert await here.store.conversations(U1) == ["c"]
    assert (await here.query(user_id="u2"))["session_state"] == "NONE"


async def test_forgetting_that_failed_half_way_is_finished_by_its_repetition(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(here, CANARY)

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(type(here.memories), "forget", down)
            with pytest.raises(StoreUnavailable):
                await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    receipt = await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    assert receipt["memories"] > 0
    assert b"CANARY" not in await everything(here, tmp_path)
    with pytest.raises(NotFound):
        await here.call("ForgetMemory", user_id="u1", conversation_id="c")


async def test_forgotten_allergy_leaves_contexts_also_when_profiles_cannot_be_made_anew(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(here, "我对青霉素过敏。")
    assert await allergies(here) == ["青霉素"]
    (fact,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(type(here.memories), "put", down)
        patch.setattr(type(here.memories), "page", down)
        with pytest.raises(StoreUnavailable):
            await here.call("ForgetMemory", user_id="u1", memory_id=fact["memory_id"])
    assert await here.sessions.kept_profile(U1) is None
    assert await allergies(here) == []


async def test_attempt_that_wakes_after_its_session_was_erased_writes_nothing(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write(CANARY, "好的。", user_id="u1")
    await here.call("FinalizeSessionMemory", conversation_id="c")
    waiting = list(here.jobs.waiting)
    put = type(here.memories).put

    async def erased_then_late(self: Any, *arguments: Any) -> None:
        monkeypatch.undo()
        await here.call("ForgetMemory", user_id="u1", conversation_id="c")
        await put(self, *arguments)

    monkeypatch.setattr(type(here.memories), "put", erased_then_late)
    await here.work()
    assert b"CANARY" not in await everything(here, tmp_path)
    await here.write("我在吃布洛芬。", "好的。", user_id="u1")
    await here.finalize()
    here.jobs.waiting += waiting
    await here.work()
    assert b"CANARY" not in await everything(here, tmp_path)
    assert "布洛芬" in str((await here.call("ListMemories", user_id="u1"))["items"]), "a later session stays"


async def test_memory_of_a_session_that_failed_after_it_was_stored_cannot_be_forgotten_alone(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("今天头痛得厉害。", "好的。", user_id="u1")

    async def broken(*_: object, **__: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(type(here.finaliser._rememberer), "refresh_profiles", broken)
    await here.call("FinalizeSessionMemory", conversation_id="c")
    (key,) = here.jobs.waiting
    attempt = await here.finaliser.begin(key)
    with pytest.raises(ValueError, match="broken"):
        await here.finaliser.complete(attempt)
    monkeypatch.undo()
    passages = (await here.call("ListMemories", user_id="u1", kinds=["episode"]))["items"]
    for memory in passages:
        with pytest.raises(Conflict):
            await here.call("ForgetMemory", user_id="u1", memory_id=memory["memory_id"])
        break
    else:
        pytest.fail("nothing was stored")


async def test_fact_holds_again_when_what_replaced_it_is_forgotten(here: World) -> None:
    await over(here, "我对青霉素过敏。我住在北京。", "a")
    await over(here, "我对青霉素过敏。我住在上海。", "b")
    assert await allergies(here) == ["青霉素"]
    await here.call("ForgetMemory", user_id="u1", conversation_id="b")
    assert await allergies(here) == ["青霉素"]
    held = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    assert {(one["predicate"], one["object"]) for one in held} == {("allergy", "青霉素"), ("residence", "北京")}
    assert not any(one.get("valid_to") for one in held)


async def test_fact_whose_successor_is_forgotten_is_replaced_by_the_one_after(here: World) -> None:
    for conversation, town in (("a", "北京"), ("b", "上海"), ("c", "广州")):
        await over(here, f"我住在{town}。", conversation)
    await here.call("ForgetMemory", user_id="u1", conversation_id="b")
    held = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    assert [one["object"] for one in held] == ["广州"]


async def test_triple_that_is_told_again_holds_again(here: World) -> None:
    async def tell(predicate: str, value: str) -> None:
        triple = {"subject": "user", "predicate": predicate, "object": value}
        await here.call("UpsertFacts", user_id="u1", triples=[triple])

    async def held() -> list[str]:
        return [one["object"] for one in (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]]

    for town in ("北京", "上海", "北京"):
        await tell("residence", town)
    assert await held() == ["北京"]
    await tell("allergy", "青霉素")
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["青霉素"]})
    assert await allergies(here) == []
    await tell("allergy", "青霉素")
    assert await allergies(here) == ["青霉素"]


async def test_allergy_told_under_the_users_own_name_can_be_taken_off(here: World) -> None:
    messages = [
        {"role": "user", "name": "张三", "content": "我对青霉素过敏。"},
        {"role": "assistant", "content": "好的。"},
    ]
    await here.call("WriteMessages", conversation_id="c", user_id="u1", messages=messages)
    await here.finalize()
    await here.call("UpsertPreferences", user_id="u1", name="张三")
    assert await allergies(here) == ["青霉素"]
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["青霉素"]})
    assert await allergies(here) == []


async def test_names_that_callers_choose_are_no_checkpoints(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    await here.call("UpsertPreferences", user_id="u1", conversation_id="c", preferences={"kind": "checkpoint"})
    await here.finalize()
    assert (await here.session()).state == "ENDED"
    assert "我头痛" in (await here.query(user_id="u1"))["history"]


async def test_upsert_leaves_no_note_in_a_conversation_of_another(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    await here.call("UpsertFacts", user_id="u2", conversation_id="c", facts={"allergies": ["头孢"]})
    scope = ConversationScope("default", "c")
    (records,) = await here.commands.run(("LRANGE", f"short_term_memory:records:{{{scope}}}", 0, -1))
    assert re.findall(rb'"kind":"(\w+)"', b"".join(records)) == [b"session"]


async def test_copy_of_who_changed_a_profile_gives_way_to_what_was_found_meanwhile(
    here: World, make_world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    other: World = await make_world(store=here.store)
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    put = type(here.sessions).put_profile

    async def late(self: Any, *arguments: Any) -> None:
        monkeypatch.undo()
        await other.finalize()
        await put(self, *arguments)

    monkeypatch.setattr(type(here.sessions), "put_profile", late)
    await here.service.upsert_preferences(
        EVERYONE, ask.UpsertPreferencesRequest.model_validate({"user_id": "u1", "preferences": {"a": "b"}})
    )
    assert await allergies(here) == ["青霉素"]
