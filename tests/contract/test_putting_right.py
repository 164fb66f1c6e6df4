"""UpdateMemory of what a memory says: facts yield to the right one, created memories are put right where they are."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from memory.errors import Guarded, InvalidInput, NotFound, RevisionConflict
from memory.model.caller import Caller
from memory.model.memory import Category
from memory.scope import UserScope
from tests.contract.graph_calls import create
from tests.inprocess import World

NURSE = Caller("default", frozenset({"admin"}), "nurse")
U: dict[str, Any] = {"user_id": "u1"}


async def told(here: World, predicate: str, object_: str, subject: str = "user") -> dict[str, Any]:
    """A fact that a caller tells."""
    triple = {"subject": subject, "predicate": predicate, "object": object_}
    await here.call("UpsertFacts", **U, triples=[triple])
    facts = await here.pages("ListMemories", **U, kinds=["fact"])
    (found,) = [each for each in facts if (each["predicate"], each.get("object")) == (predicate, object_)]
    return dict(found)


async def right(here: World, memory: dict[str, Any], **said: Any) -> dict[str, Any]:
    return await here.call("UpdateMemory", NURSE, **U, memory_id=memory["memory_id"], **said)


async def one(here: World, memory_id: str) -> dict[str, Any]:
    return await here.call("GetMemory", **U, memory_id=memory_id)


async def profile(here: World) -> str:
    return "".join(each["text"] for each in await here.pages("ListMemories", **U, kinds=["profile"]))


async def changes(here: World, memory_id: str) -> list[dict[str, Any]]:
    return list((await here.call("GetMemoryHistory", **U, memory_id=memory_id))["changes"])


async def by_words(here: World, query: str) -> list[str]:
    """Created memories that have words of a query."""
    found = await here.call("SearchMemories", **U, query=query, kinds=["created"], search_mode="fast", explain=True)
    return [each["memory_id"] for each in found["memories"] if each["scores"]["words"] > 0]


@pytest.mark.parametrize(("predicate", "wrong", "object_"), [("like", "绿茶", "红茶"), ("residence", "北京", "上海")])
async def test_a_fact_put_right_yields_to_another_that_says_it(
    over: World, predicate: str, wrong: str, object_: str
) -> None:
    old = await told(over, predicate, wrong)
    beside = await told(over, "like", "咖啡")
    await right(over, old, importance=0.7, attributes={"地点": "家里"})
    answer = await right(over, old, object=object_, why="本人更正")
    new = answer["memory"]
    assert answer["superseded"] == old["memory_id"] != new["memory_id"]
    assert (new["subject"], new["predicate"], new["object"], new["importance"]) == ("user", predicate, object_, 0.7)
    assert (new["mind"], new["source"]["conversation_id"], new["source"]["quote"]) == ("caller", "", "")
    assert "attributes" not in new, "it speaks for itself"
    assert new["valid_from"] == old["valid_from"], "what was held was wrong from its beginning"
    was = await one(over, old["memory_id"])
    assert (was["superseded_by"], was["object"]) == (new["memory_id"], wrong)
    assert "superseded_by" not in await one(over, beside["memory_id"])
    _, superseded = await changes(over, old["memory_id"])
    assert (superseded["op"], superseded["by"], superseded["why"]) == ("superseded", "nurse", "本人更正")
    assert superseded["after"]["superseded_by"] == new["memory_id"]
    assert await changes(over, new["memory_id"]) == []
    says = await profile(over)
    assert object_ in says
    assert wrong not in says
    nodes = {each["label"] for each in (await over.call("GetGraph", **U))["nodes"]}
    assert object_ in nodes
    assert wrong not in nodes
    found = await over.call("SearchMemories", **U, query=object_, kinds=["fact"])
    assert new["memory_id"] in {each["memory_id"] for each in found["memories"]}


async def test_a_fact_that_a_dialogue_told_is_put_right_and_again_is_the_same(over: World) -> None:
    await over.write("我喜欢打篮球。", "好的。", user_id="u1")
    await over.finalize()
    (old,) = [each for each in await over.pages("ListMemories", **U, kinds=["fact"]) if each["predicate"] == "like"]
    done = [await right(over, old, object="打排球", why="打错了") for _ in range(2)]
    assert done[0] == done[1]
    held = await over.pages("ListMemories", **U, kinds=["fact"], states=["held"])
    assert [each["object"] for each in held] == ["打排球"]
    assert len(await changes(over, old["memory_id"])) == 1
    with pytest.raises(InvalidInput, match="took its place"):
        await right(over, old, object="打网球")
    back = await right(over, done[0]["memory"], object=old["object"])
    assert [each["object"] for each in await over.pages("ListMemories", **U, kinds=["fact"], states=["held"])] == [
        old["object"]
    ]
    assert back["superseded"] == done[0]["memory"]["memory_id"]


async def test_a_fact_that_is_not_so_says_that_it_is_not(over: World) -> None:
    old = await told(over, "like", "香菜")
    new = (await right(over, old, polarity="-"))["memory"]
    assert (new["object"], new["polarity"], new["text"]) == ("香菜", "-", "用户不喜欢：香菜")
    assert (await one(over, old["memory_id"]))["superseded_by"] == new["memory_id"]
    english = (await right(over, await told(over, "like", "tea"), polarity="-", object="coffee"))["memory"]
    assert english["text"] == "user dislikes coffee"


async def test_forgetting_what_was_put_right_lets_the_other_hold_again(over: World) -> None:
    old = await told(over, "like", "绿茶")
    new = (await right(over, old, object="红茶"))["memory"]
    await over.call("ForgetMemory", **U, memory_id=new["memory_id"])
    again = await one(over, old["memory_id"])
    assert not {"superseded_by", "valid_to"} & set(again)
    assert await changes(over, old["memory_id"]) == []
    assert "绿茶" in await profile(over)
    assert "红茶" not in await profile(over)


@pytest.mark.parametrize(("predicate", "object_"), [("allergy", "磺胺"), ("name", "小林"), ("possible_allergy", "虾")])
@pytest.mark.parametrize("said", [{"object": "青霉素"}, {"polarity": "-"}])
async def test_safety_and_names_are_not_put_right_so(
    over: World, predicate: str, object_: str, said: dict[str, str]
) -> None:
    old = await told(over, predicate, object_)
    with pytest.raises(Guarded, match="UpsertFacts, UpsertPreferences, ConfirmFacts"):
        await right(over, old, **said)
    assert await one(over, old["memory_id"]) == old
    assert len(await over.pages("ListMemories", **U, kinds=["fact"])) == 1


async def test_a_denial_of_safety_does_not_become_a_claim_so(over: World) -> None:
    await over.write("我对青霉素不过敏。", "好的。", user_id="u1")
    await over.finalize()
    (denial,) = await over.pages("ListMemories", **U, kinds=["fact"])
    assert (denial["polarity"], denial["category"]) == ("-", "fact")
    with pytest.raises(Guarded):
        await right(over, denial, polarity="+")
    assert (await over.query("another", user_id="u1"))["safety"]["allergies"] == []


async def test_what_is_said_already_changes_nothing(over: World) -> None:
    fact = await told(over, "like", "绿茶")
    made = await create(over, "失眠", memory_type="事件")
    for memory, said in ((fact, {"object": "绿茶", "polarity": "+"}), (made["memory"], {"text": "用户失眠"})):
        before = await one(over, memory["memory_id"])
        answer = await right(over, memory, why="没有变", **said)
        assert answer == {"memory": before}
        assert await one(over, memory["memory_id"]) == before
        with pytest.raises(RevisionConflict):
            await right(over, memory, if_updated_at="2020-01-01T00:00:00Z", **said)
        assert await changes(over, memory["memory_id"]) == []
    assert (await right(over, fact, object="绿茶", importance=0.9, why="要紧"))["memory"]["importance"] == 0.9
    (noted,) = await changes(over, fact["memory_id"])
    assert (noted["op"], noted["why"], noted["after"]) == ("updated", "要紧", {"importance": 0.9})
    with pytest.raises(InvalidInput, match="nothing would change"):
        await right(over, fact, why="没有说什么")


async def test_what_does_not_fit_a_kind_is_refused_and_says_what_does(over: World) -> None:
    await over.write("我喜欢打篮球，昨天和小王去了体育馆看比赛。", "好的。", user_id="u1")
    await over.finalize()
    made = await create(over, "失眠")
    follows = await create(over, "很困")
    ends = {"source_memory_id": made["memory_id"], "target_memory_id": follows["memory_id"]}
    await over.call("LinkMemories", **U, **ends, relation_type="导致")
    every = {each["kind"]: each for each in await over.pages("ListMemories", **U)}
    every |= {each["kind"]: each for each in await over.pages("ListMemories", **U, kinds=["link"])}
    assert {"fact", "episode", "created", "profile", "link"} <= set(every)
    fits = {"fact": ("object", "polarity"), "created": ("text",)}
    for kind, memory in every.items():
        for field, value in (("object", "别的"), ("polarity", "-"), ("text", "别的")):
            if field in fits.get(kind, ()):
                continue
            with pytest.raises(InvalidInput) as refused:
                await right(over, memory, **{field: value})
            assert [each.field for each in refused.value.fields] == [field], (kind, field)
    with pytest.raises(InvalidInput, match="by text"):
        await right(over, made["memory"], object="别的")
    with pytest.raises(InvalidInput, match="valid_to"):
        await right(over, every["fact"], object="打排球", valid_to="2020-01-01T00:00:00Z")
    assert (await one(over, every["fact"]["memory_id"])) == every["fact"]


async def test_what_does_not_hold_or_is_anothers_is_not_put_right(over: World) -> None:
    old = await told(over, "like", "绿茶")
    with pytest.raises(NotFound):
        await over.call("UpdateMemory", NURSE, user_id="u2", memory_id=old["memory_id"], object="红茶")
    with pytest.raises(NotFound):
        await over.call(
            "UpdateMemory", Caller("t2", frozenset({"admin"}), "x"), **U, memory_id=old["memory_id"], object="红茶"
        )
    await over.call("ArchiveMemory", **U, memory_id=old["memory_id"])
    with pytest.raises(InvalidInput, match="restore it"):
        await right(over, old, object="红茶")
    assert len(await over.pages("ListMemories", **U, kinds=["fact"], states=["archived"])) == 1
    assert await over.pages("ListMemories", **U, kinds=["fact"]) == []
    assert await over.pages("ListMemories", user_id="u2") == []


async def test_a_fact_that_somebody_changed_meanwhile_is_not_put_right(over: World) -> None:
    old = await told(over, "like", "绿茶")
    await right(over, old, importance=0.9)
    with pytest.raises(RevisionConflict, match="read it again"):
        await right(over, old, object="红茶", if_updated_at=old["recorded_at"])
    assert len(await over.pages("ListMemories", **U, kinds=["fact"])) == 1


async def test_of_many_who_put_a_fact_right_at_once_one_does(over: World) -> None:
    old = await told(over, "like", "绿茶")
    said = [f"第{number}种茶" for number in range(6)]
    done = await asyncio.gather(*(right(over, old, object=each) for each in said), return_exceptions=True)
    answers = [each for each in done if isinstance(each, dict)]
    assert len(answers) == 1, done
    held = await over.pages("ListMemories", **U, kinds=["fact"], states=["held"])
    assert [each["object"] for each in held] == [answers[0]["memory"]["object"]]
    assert (await one(over, old["memory_id"]))["superseded_by"] == answers[0]["memory"]["memory_id"]


async def test_what_is_always_kept_in_mind_stays_so_when_it_is_put_right(over: World) -> None:
    old = await told(over, "like", "绿茶")
    scope = UserScope("default", "u1")
    await over.memories.change(scope, (old["memory_id"],), lambda each: replace(each, category=Category.CORE))
    new = (await right(over, old, object="红茶"))["memory"]
    assert new["category"] == "core"
    assert (await right(over, new, object="白茶"))["memory"]["category"] == "core", "it is no safety fact"


async def test_a_created_memory_is_found_by_its_new_words_alone(over: World) -> None:
    await over.write("昨晚我失眠了。", "好的。", user_id="u1")
    said = {"conversation_id": "c", "seq": 2, "quote": "昨晚我失眠了"}
    made = await create(over, "失眠", memory_type="事件", **said)
    for topic in ("跑步", "养了一只猫", "学做饭"):
        await create(over, topic)
    await over.call("SettleMemories", **U)
    assert await by_words(over, "失眠") == [made["memory_id"]]
    answer = await right(over, made["memory"], text="用户搬到了杭州", why="记错了")
    memory = answer["memory"]
    assert (memory["memory_id"], memory["text"], memory["status"]) == (made["memory_id"], "用户搬到了杭州", "staged")
    assert (memory["source"]["seqs"], memory["source"]["quote"]) == ([2], ""), "that is not what was said there"
    assert "superseded" not in answer
    (changed,) = await changes(over, made["memory_id"])
    assert (changed["op"], changed["by"], changed["why"]) == ("updated", "nurse", "记错了")
    assert (changed["before"], changed["after"]) == ({"text": "用户失眠"}, {"text": "用户搬到了杭州"})
    await over.call("SettleMemories", **U)
    assert await by_words(over, "失眠") == []
    assert await by_words(over, "杭州") == [made["memory_id"]]
    with pytest.raises(RevisionConflict):
        await right(over, memory, text="用户搬到了苏州", if_updated_at=made["memory"]["recorded_at"])


async def test_words_that_were_put_right_stay_when_more_is_said(over: World) -> None:
    made = await create(over, "running", "5 km", attributes={"place": "park"})
    assert "park" in made["memory"]["text"]
    body = (await right(over, made["memory"], attributes={"place": "river"}))["memory"]
    assert "river" in body["text"], "its sentence says its attributes"
    await right(over, made["memory"], text="The user swims 1 km")
    changed = (await right(over, made["memory"], attributes={"place": "lake"}))["memory"]
    assert (changed["text"], changed["attributes"]) == ("The user swims 1 km", {"place": "lake"})
    both = (await right(over, made["memory"], text="The user rows", attributes={"place": None}))["memory"]
    assert both["text"] == "The user rows"
    assert "attributes" not in both
    stored = await over.memories.get(UserScope("default", "u1"), (made["memory_id"],))
    assert [each.op for each in stored[0].changes] == ["updated"] * 4


async def test_what_somebody_said_themself_is_verified_and_what_was_read_is_not(over: World) -> None:
    await over.write("我喜欢喝茶。我对青霉素过敏。", "好的。", "c", user_id="u1")
    await over.finalize("c")
    await over.call("UpsertFacts", user_id="u1", triples=[{"subject": "user", "predicate": "knows", "object": "Ann"}])
    found = {each["object"]: each for each in await over.pages("ListMemories", user_id="u1", kinds=["fact"])}
    assert {name: each.get("verified") for name, each in found.items()} == {"喝茶": None, "青霉素": None, "Ann": True}
    await over.call("ConfirmFacts", user_id="u1", fact_ids=[found["青霉素"]["memory_id"]], verdict="confirmed")
    listed = await over.pages("ListMemories", user_id="u1", kinds=["fact"], states=["held"])
    assert [each.get("verified") for each in listed if each["object"] == "青霉素"] == [True]
