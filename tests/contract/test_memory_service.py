"""From a session to memory and back into the context, and out of everywhere when it is to be forgotten."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.finalise import Finaliser
from memory.consolidation.memunit import UnitSettings
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.fade import Fader, leaves_at
from memory.errors import InvalidInput, NotFound, StoreUnavailable
from memory.extraction.rules_mind import RulesMind
from memory.model.caller import Caller
from memory.model.extraction import Dialogue, Extraction
from memory.model.requests import FinalizeSessionMemoryRequest
from memory.model.search import Filter
from memory.retrieval.decay import DecaySettings
from memory.scope import ConversationScope, UserScope
from memory.service.search import SearchSettings
from tests.inprocess import EVERYONE, RETENTION_MS, MovableClock, World

DAY = 86_400_000
OTHER_TENANT = Caller("other", frozenset({"read", "write", "erase", "admin"}))
MakeWorld = Callable[..., Any]


async def told(world: World, conversation: str = "c", user: str = "u1") -> None:
    """A conversation that is over, and in memory."""
    await world.write("我叫李雷，对青霉素过敏。", "好的，记下了。", conversation, user_id=user, agent_code="triage")
    await world.write("上周三我开始头痛，吃了布洛芬。", "建议神经内科就诊。", conversation, user_id=user)
    await world.finalize(conversation)


async def texts(world: World, **fields: Any) -> list[str]:
    found = await world.call("SearchMemories", **({"user_id": "u1", "mode": "keyword"} | fields))
    return [memory["text"] for memory in found["memories"]]


async def test_what_was_said_is_found_with_its_source(here: World) -> None:
    await told(here)
    found = await here.call("SearchMemories", user_id="u1", query="青霉素过敏", explain=True)
    best = found["memories"][0]
    assert "青霉素" in best["text"]
    assert best["source"]["conversation_id"] == "c"
    assert best["source"]["quote"] in "我叫李雷，对青霉素过敏。"
    assert 0 < best["score"] <= 1
    assert {"words", "relevance", "vitality"} <= set(best["scores"])
    assert found["mode"] == "keyword", "there is no embedder here, and the answer says so"


async def test_time_takes_its_share_of_the_odds_of_a_score(make_world: MakeWorld) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await told(here)
    (stored, *_) = (await here.call("ListMemories", user_id="u1", kinds=["episode"]))["items"]
    clock.at_ms = int(datetime.fromisoformat(stored["recorded_at"]).timestamp() * 1000) + 20 * DAY
    asked = {"user_id": "u1", "query": "头痛", "kinds": ["episode"], "explain": True}
    (best, *_) = (await here.call("SearchMemories", **asked))["memories"]
    relevance, alive = best["scores"]["relevance"], best["scores"]["vitality"]
    assert alive < 1
    odds = relevance / (1 - relevance) * (1 - SearchSettings().time_weight * (1 - alive))
    assert best["score"] == pytest.approx(odds / (1 + odds), abs=1e-4)


async def test_filters_narrow_a_search(here: World) -> None:
    await told(here)
    facts = await here.call("SearchMemories", user_id="u1", query="青霉素 布洛芬", kinds=["fact"])
    assert {memory["predicate"] for memory in facts["memories"]} == {"allergy", "medication"}
    assert await texts(here, query="青霉素", conversation_id="elsewhere") == []
    assert await texts(here, query="青霉素", time_to="2020-01-01T00:00:00Z") == []
    assert len(await texts(here, query="青霉素", group_by="conversation")) == 1
    assert len(await texts(here, query="青霉素 头痛", limit=1)) == 1


async def test_memories_come_back_into_the_context_of_another_conversation(make_world: MakeWorld) -> None:
    here = await make_world(recall=True)
    await told(here)
    context = await here.query("later", user_id="u1", query="我可以用青霉素吗？")
    assert any("青霉素" in memory["text"] for memory in context["memories"])
    assert context["context"].startswith("安全信息：过敏史：青霉素\n<recalled_memories>")
    assert context["memories"][0]["memory_id"] in context["context"]
    whole = context["history"] + "我可以用青霉素吗？" + context["context"]
    assert context["estimated_tokens"] == pytest.approx(await here.tokens.count(whole), rel=0.02, abs=2)
    without = await here.query("later", user_id="u1", query="我可以用青霉素吗？", include=["no_memories"])
    assert (without["memories"], without["context"]) == ([], "安全信息：过敏史：青霉素")
    assert (await here.query("later", user_id="u1"))["memories"] == [], "without a query there is nothing to recall for"


async def test_memories_come_back_into_a_living_session_too(make_world: MakeWorld) -> None:
    here = await make_world(recall=True)
    await told(here)
    await here.write("您好", "您好，请说。", "later", user_id="u1")
    context = await here.query("later", query="青霉素能用吗")
    assert any("青霉素" in memory["text"] for memory in context["memories"])
    own = await here.query("c", user_id="u1", query="青霉素能用吗")
    assert own["memories"] == [], "what the conversation shows itself is not recalled into it"


async def test_context_is_answered_without_memories_when_their_store_is_down(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await make_world(recall=True)
    await told(here)
    await here.write("您好", "您好，请说。", "later", user_id="u1")
    assert (await here.query("later", query="青霉素"))["degraded"] == []

    async def down(*_: object) -> None:
        raise StoreUnavailable("down")

    monkeypatch.setattr(type(here.memories), "pool", down)
    context = await here.query("later", query="青霉素")
    assert (context["memories"], context["degraded"]) == ([], ["memories"])
    assert "您好" in context["history"]


async def test_user_without_memories_costs_no_search(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    here = await make_world(recall=True)
    await here.write("您好", "您好，请说。", "c", user_id="u2")
    await here.query("c", query="青霉素")

    async def never(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(type(here.memories), "pool", never)
    monkeypatch.setattr(type(here.memories), "speakers", never)
    assert (await here.query("c", query="青霉素"))["memories"] == []


async def test_others_see_nothing(here: World) -> None:
    await told(here)
    memory_id = (await here.call("ListMemories", user_id="u1"))["items"][0]["memory_id"]
    for caller, user in ((OTHER_TENANT, "u1"), (Caller("default", frozenset()), "u2")):
        assert (await here.call("SearchMemories", caller, user_id=user, query="青霉素"))["memories"] == []
        assert (await here.call("ListMemories", caller, user_id=user))["items"] == []
        for operation in ("GetMemory", "ForgetMemory", "ExplainMemory"):
            with pytest.raises(NotFound):
                await here.call(operation, caller, user_id=user, memory_id=memory_id)
        with pytest.raises(NotFound):
            await here.call("ForgetMemory", caller, user_id=user, conversation_id="c")
        await here.call("ForgetMemory", caller, user_id=user)
    assert await texts(here, query="青霉素")


async def test_list_goes_through_all_page_by_page(here: World) -> None:
    await told(here)
    everything = (await here.call("ListMemories", user_id="u1"))["items"]
    paged, cursor = [], ""
    while True:
        page = await here.call("ListMemories", user_id="u1", limit=2, cursor=cursor)
        paged += page["items"]
        cursor = page["cursor"]
        if not cursor:
            break
    assert paged == everything
    assert [one["memory_id"] for one in paged] == sorted(one["memory_id"] for one in paged)
    assert await here.call("GetMemory", user_id="u1", memory_id=paged[0]["memory_id"]) == paged[0]


async def test_explain_says_what_became_of_a_message(here: World) -> None:
    await here.write("北京是中国的首都吗？", "是的。", user_id="u1")
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    await here.finalize()
    question = await here.call("ExplainMemory", user_id="u1", conversation_id="c", seq=2)
    assert any("public" in reason for reason in question["reasons"])
    assert question["messages"][0]["content"] == "北京是中国的首都吗？"
    allergy = await here.call("ExplainMemory", user_id="u1", conversation_id="c", seq=4)
    fact = next(memory for memory in allergy["memories"] if memory["kind"] == "fact")
    one = await here.call("ExplainMemory", user_id="u1", memory_id=fact["memory_id"])
    assert [message["seq"] for message in one["messages"]] == [4]
    with pytest.raises(NotFound):
        await here.call("ExplainMemory", user_id="u1", conversation_id="c", seq=99)
    with pytest.raises(InvalidInput):
        await here.call("ExplainMemory", user_id="u1")


async def test_memory_is_read_explained_and_forgotten_by_its_id_alone(here: World) -> None:
    await told(here, "c2", "u2")
    await told(here)
    for user in ("u1", "u2"):
        first, second = (await here.call("ListMemories", user_id=user))["items"][:2]
        named = first["memory_id"]
        assert await here.call("GetMemory", memory_id=named) == first
        whole = await here.call("ExplainMemory", user_id=user, memory_id=named)
        assert await here.call("ExplainMemory", memory_id=named) == whole
        for operation in ("GetMemory", "ExplainMemory", "ForgetMemory"):
            with pytest.raises(NotFound):
                await here.call(operation, OTHER_TENANT, memory_id=named)
            with pytest.raises(NotFound):
                await here.call(operation, memory_id="00000000-0000-0000-0000-000000000001")
        receipt = await here.call("ForgetMemory", memory_id=named)
        assert (receipt["user_id"], receipt["memories"]) == (user, 1)
        with pytest.raises(NotFound):
            await here.call("GetMemory", memory_id=named)
        assert await here.call("GetMemory", memory_id=second["memory_id"]) == second


@pytest.mark.parametrize("over", [True, False], ids=["in memory", "alive"])
async def test_message_is_explained_without_its_user(here: World, over: bool) -> None:  # noqa: FBT001
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    if over:
        await here.finalize()
    told = await here.call("ExplainMemory", conversation_id="c", seq=2)
    assert told == await here.call("ExplainMemory", user_id="u1", conversation_id="c", seq=2)
    assert told["messages"][0]["content"] == "我对青霉素过敏。"
    with pytest.raises(NotFound):
        await here.call("ExplainMemory", OTHER_TENANT, conversation_id="c", seq=2)
    with pytest.raises(NotFound):
        await here.call("ExplainMemory", conversation_id="nobodys", seq=2)


async def test_message_of_a_session_that_another_user_follows_is_explained(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", user_id="u1")
    await here.call("FinalizeSessionMemory", conversation_id="c")  # it waits for the worker
    await here.write("我头痛。", "好的。", user_id="u2")
    for seq, said in ((2, "我对青霉素过敏。"), (5, "我头痛。")):
        told = await here.call("ExplainMemory", conversation_id="c", seq=seq)
        assert [message["content"] for message in told["messages"]] == [said]


@pytest.mark.parametrize("what", [{}, {"conversation_id": "c"}], ids=["nothing", "conversation"])
async def test_forgetting_more_than_one_memory_names_its_user(here: World, what: dict[str, str]) -> None:
    await told(here)
    before = await here.call("ListMemories", user_id="u1")
    with pytest.raises(InvalidInput, match="user_id"):
        await here.call("ForgetMemory", **what)
    assert await here.call("ListMemories", user_id="u1") == before


async def test_new_value_ends_the_old_one_and_a_denial_what_was_held(here: World) -> None:
    for number, said in enumerate(("我住在北京。我喜欢跑步。", "我住在上海。我不喜欢跑步。", "我住在上海。")):
        await here.write(said, "好的。", f"c{number}", user_id="u1")
        await here.finalize(f"c{number}")
    now = await here.call("SearchMemories", user_id="u1", query="住在 北京 上海 跑步", kinds=["fact"])
    homes = [memory["object"] for memory in now["memories"] if memory["predicate"] == "residence"]
    likes = {memory["polarity"] for memory in now["memories"] if memory["predicate"] == "like"}
    assert (homes, likes) == (["上海"], {"-"})
    scope = UserScope("default", "u1")
    page = await here.memories.page(scope, Filter(as_of_ms=1), "", 100)
    assert list(page.memories) == [], "long before anything was said, nothing was held true"


async def test_finalised_again_writes_the_same_once(here: World) -> None:
    await told(here)
    before = await here.call("ListMemories", user_id="u1")
    unit = await here.store.latest_memunit(ConversationScope("default", "c"))
    assert unit is not None
    await here.finaliser._rememberer.remember(unit)
    assert await here.call("ListMemories", user_id="u1") == before


async def test_forgotten_memory_is_gone_and_the_others_stay(here: World) -> None:
    await told(here)
    items = (await here.call("ListMemories", user_id="u1"))["items"]
    receipt = await here.call("ForgetMemory", user_id="u1", memory_id=items[0]["memory_id"])
    assert (receipt["memories"], receipt["memunits"], receipt["store"]) == (1, 0, "sqlite")
    assert (await here.call("ListMemories", user_id="u1"))["items"] == items[1:]
    with pytest.raises(NotFound):
        await here.call("ForgetMemory", user_id="u1", memory_id=items[0]["memory_id"])
    with pytest.raises(InvalidInput):
        await here.call("ForgetMemory", user_id="u1", memory_id=items[1]["memory_id"], conversation_id="c")


async def everywhere(world: World, folder: Path) -> bytes:
    """All that is kept anywhere: every value of the session store, and the bytes of the files."""
    (keys,) = await world.commands.run(("KEYS", "*"))
    kept = []
    for key in keys:
        (kind,) = await world.commands.run(("TYPE", key))
        name = kind.decode() if isinstance(kind, bytes) else str(kind)
        if name == "none":  # it ran out meanwhile
            continue
        command = {
            "string": ("GET", key),
            "list": ("LRANGE", key, 0, -1),
            "hash": ("HGETALL", key),
            "zset": ("ZRANGE", key, 0, -1),
            "set": ("SMEMBERS", key),
        }[name]
        kept += [key, repr(await world.commands.run(command)).encode("unicode_escape")]
    files = b"".join(path.read_bytes() for path in sorted(folder.glob("long_term.sqlite3*")))
    return b"\n".join(kept) + files


@pytest.mark.parametrize("alive", [False, True], ids=["ended", "alive again"])
async def test_f5_forgotten_conversation_leaves_no_byte(here: World, tmp_path: Path, alive: bool) -> None:  # noqa: FBT001
    await told(here, "kept", "u1")
    await here.write("CANARY-1 我头痛", "CANARY-2", "gone", user_id="u1", idempotency_key="k")
    await here.checkpoint("CANARY-3", "gone")
    await here.finalize("gone", summary="CANARY-4")
    if alive:
        await here.write("CANARY-5", "CANARY-6", "gone", user_id="u1")
    assert b"CANARY" in await everywhere(here, tmp_path)
    receipt = await here.call("ForgetMemory", user_id="u1", conversation_id="gone")
    assert (receipt["memunits"], receipt["sessions"]) == (1, 1)
    assert receipt["memories"] >= 2
    assert b"CANARY" not in await everywhere(here, tmp_path)
    assert await texts(here, query="青霉素"), "the other conversation stays"
    answer = await here.query("gone", user_id="u1")
    assert (answer["session_state"], answer["history"]) == ("NONE", "")


async def test_f5_forgotten_user_leaves_no_byte_and_99_others_are_untouched(here: World, tmp_path: Path) -> None:
    for number in range(100):
        user = f"user-{number}"
        said = f"CANARY-{number}- 我对青霉素过敏。"
        await here.write(said, "好的。", f"c-{number}", user_id=user)
        await here.finalize(f"c-{number}")
    await here.call("UpsertFacts", user_id="user-7", facts={"allergies": ["CANARY-7- 头孢"]})
    await here.write("CANARY-7- 还活着", "好的。", "alive-7", user_id="user-7")
    before = [await here.call("ListMemories", user_id=f"user-{n}") for n in range(100) if n != 7]
    receipt = await here.call("ForgetMemory", user_id="user-7")
    assert (receipt["memunits"], receipt["sessions"], receipt["profile"]) == (1, 2, True)
    assert b"CANARY-7-" not in await everywhere(here, tmp_path)
    assert [await here.call("ListMemories", user_id=f"user-{n}") for n in range(100) if n != 7] == before
    assert (await here.call("GetProfile", user_id="user-7"))["version"] == 0


async def test_conversation_that_is_erased_while_it_is_finalised_stays_erased(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("CANARY 我对青霉素过敏。", "好的。", user_id="u1")
    put = type(here.memories).put

    async def erased_meanwhile(self: Any, *arguments: Any) -> None:
        monkeypatch.undo()
        await here.call("ForgetMemory", user_id="u1", conversation_id="c")
        await put(self, *arguments)

    monkeypatch.setattr(type(here.memories), "put", erased_meanwhile)
    await here.finalize()
    assert b"CANARY" not in await everywhere(here, tmp_path)


async def test_faded_memories_are_archived_then_erased_and_safety_facts_stay(make_world: MakeWorld) -> None:
    clock = MovableClock()
    here = await make_world(clock=clock)
    await told(here)
    decay = DecaySettings()
    rememberer = Rememberer(here.memories, Minds(RulesMind(), RulesMind(), None, "zh"))
    leaves = partial(leaves_at, decay=decay, retention_ms=RETENTION_MS)
    fader = Fader(here.memories, clock, leaves, rememberer.settle_again, lambda memory, _now: memory)
    (profile,) = (await here.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]
    assert "布洛芬" in profile["text"]
    stored = (await here.call("ListMemories", user_id="u1"))["items"]
    recorded = max(memory["recorded_at"] for memory in stored)
    clock.at_ms = int(datetime.fromisoformat(recorded).timestamp() * 1000)
    assert await fader.sweep() == (0, 0)
    clock.at_ms += 400 * DAY
    swept = await fader.sweep()
    assert swept.archived > 0
    assert swept.erased == 0
    kept = (await here.call("ListMemories", user_id="u1"))["items"]
    assert {memory.get("predicate") for memory in kept if memory["kind"] == "fact"} == {"name", "allergy"}
    (profile,) = [memory for memory in kept if memory["kind"] == "profile"]
    assert "青霉素" in profile["text"]
    assert "布洛芬" not in profile["text"], "what has faded stands in no profile"
    assert await fader.sweep() == (0, 0), "archived ones are not due before their retention"


async def test_what_is_shown_is_seen_and_not_strengthened(make_world: MakeWorld) -> None:
    here = await make_world(recall=True)
    await told(here)
    context = await here.query("later", user_id="u1", query="青霉素过敏")
    await here.background.drain(5)
    recalled = context["memories"][0]["memory_id"]
    (memory,) = await here.memories.get(UserScope("default", "u1"), [recalled])
    assert (memory.shown, memory.accesses, memory.strength) == (1, 0, 1.0)
    await here.query("later", user_id="u1", query="青霉素过敏")
    await here.background.drain(5)
    (again,) = await here.memories.get(UserScope("default", "u1"), [recalled])
    assert again == memory, "within two hours it counts once"


class CountingMind(RulesMind):
    """Rules that count what they read, and are down when told to."""

    def __init__(self) -> None:
        self.read: list[int] = []
        self.down_at = 0

    async def extract(self, dialogue: Dialogue) -> Extraction:
        if len(self.read) + 1 == self.down_at:
            self.down_at = 0
            raise StoreUnavailable("the model is down")
        self.read.append(dialogue.messages[0].seq)
        return await super().extract(dialogue)


async def test_unit_that_a_model_has_read_is_not_read_again_when_a_later_one_fails(make_world: MakeWorld) -> None:
    boundaries = BoundarySettings(messages_max=2)
    world = await make_world(boundaries=boundaries)
    for text in ("我对青霉素过敏。", "我有高血压。", "我做过阑尾手术。"):
        await world.write(text, "记下了。", user_id="u1")
    mind = CountingMind()
    mind.down_at = 2
    finaliser = Finaliser(
        world.sessions,
        world.store,
        rememberer=Rememberer(world.memories, Minds(mind, RulesMind(), None, "zh")),
        units=UnitSettings(12_000, "zh", boundaries),
        attempts_max=3,
    )
    await world.service.finalize_session_memory(EVERYONE, FinalizeSessionMemoryRequest(conversation_id="c"))
    (key,) = world.jobs.waiting
    with pytest.raises(StoreUnavailable):
        await finaliser.run(key)
    assert await finaliser.run(key) is True
    assert len(mind.read) == len(set(mind.read)) == 3
    facts = await world.call("ListMemories", user_id="u1", kinds=["fact"])
    assert {fact["object"] for fact in facts["items"]} >= {"青霉素", "高血压"}
    answer = await world.call("GetFinalization", conversation_id="c")
    assert set(answer["memory_ids"]) >= {fact["memory_id"] for fact in facts["items"]}
    assert answer["steps"] == ["collected", "written", "verified", "remembered"]
