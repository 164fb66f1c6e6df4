"""What facts come to: safety facts found in dialogues, facts told as triples, profiles of users and groups."""

from typing import Any

import pytest

from memory.model import requests as ask
from memory.scope import ConversationScope, UserScope
from tests.inprocess import EVERYONE, World

U1 = UserScope("default", "u1")


async def over(world: World, *said: str, conversation: str = "c", user: str = "u1") -> None:
    """A conversation that is over, and in memory."""
    for text in said:
        await world.write(text, "记下了。", conversation, user_id=user)
    await world.finalize(conversation)


async def upsert(world: World, **body: Any) -> dict[str, Any]:
    return await world.call("UpsertFacts", user_id="u1", **body)


async def facts(world: World, **fields: Any) -> list[dict[str, Any]]:
    return (await world.call("ListMemories", user_id="u1", kinds=["fact"], **fields))["items"]


async def profiles(world: World) -> list[str]:
    return [m["text"] for m in (await world.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]]


async def test_allergy_that_was_only_said_stands_first_in_every_later_context(here: World) -> None:
    await over(here, "我对青霉素过敏。", "我有高血压，最近感冒了。", "我做过阑尾炎手术。")
    context = await here.query("new", user_id="u1", query="感冒吃什么药？")
    assert context["safety"]["allergies"] == ["青霉素"]
    assert context["safety"]["chronic_diseases"] == ["高血压"], "a cold is no chronic disease"
    assert context["safety"]["surgery_history"]
    assert context["context"].startswith("安全信息：过敏史：青霉素；慢病史：高血压")


@pytest.mark.parametrize("disease", ["尘肺病", "endometriosis", "cystic fibrosis", "celiac disease", "慢性支气管炎"])
async def test_disease_that_is_not_known_to_pass_is_a_safety_fact(here: World, disease: str) -> None:
    await upsert(here, triples=[{"subject": "user", "predicate": "disease", "object": disease}])
    assert (await here.query("new", user_id="u1"))["safety"]["chronic_diseases"] == [disease]


@pytest.mark.parametrize("disease", ["感冒", "急性肠胃炎", "a cold", "urinary tract infection", "左臂骨折", "近视"])
async def test_disease_that_passes_is_no_safety_fact(here: World, disease: str) -> None:
    await upsert(here, triples=[{"subject": "user", "predicate": "disease", "object": disease}])
    assert (await here.query("new", user_id="u1"))["safety"]["chronic_diseases"] == []


async def test_disease_that_was_only_said_and_is_rare_stands_in_every_later_context(here: World) -> None:
    await over(here, "我患有尘肺病。", "I have cystic fibrosis.")
    found = (await here.query("new", user_id="u1"))["safety"]["chronic_diseases"]
    assert sorted(found) == ["cystic fibrosis", "尘肺病"]


async def test_safety_facts_are_the_users_own(here: World) -> None:
    await over(here, "我妈妈对头孢过敏。", "我没有糖尿病。", "青霉素过敏的人能吃阿莫西林吗？")
    assert not any((await here.query("new", user_id="u1"))["safety"].values())


async def test_told_and_found_safety_facts_are_one_list_without_doubles(here: World) -> None:
    await upsert(here, facts={"allergies": ["头孢", "青霉素"]})
    await over(here, "我对青霉素过敏。")
    profile = await here.call("GetProfile", user_id="u1")
    assert profile["allergies"] == ["头孢", "青霉素"]
    (fact,) = await facts(here)
    assert profile["memory_ids"] == [fact["memory_id"]]


async def test_safety_fact_that_is_taken_off_holds_no_longer_but_did(here: World) -> None:
    await over(here, "我对青霉素过敏。")
    profile = await upsert(here, remove={"allergies": ["青霉素"]})
    assert profile["allergies"] == []
    assert (await here.query("new", user_id="u1"))["safety"]["allergies"] == []
    (fact,) = await facts(here)
    assert fact["valid_to"] >= fact["valid_from"]
    assert await profiles(here) == []


async def test_forgotten_fact_leaves_safety_and_profile_at_once(here: World) -> None:
    await over(here, "我对青霉素过敏。")
    await over(here, "我有高血压。", conversation="d")
    (allergy,) = [fact for fact in await facts(here) if fact["predicate"] == "allergy"]
    assert (await here.query("new", user_id="u1"))["safety"]["allergies"] == ["青霉素"]
    receipt = await here.call("ForgetMemory", user_id="u1", memory_id=allergy["memory_id"])
    assert receipt["memories"] == 1
    assert (await here.query("new", user_id="u1"))["safety"]["allergies"] == []
    (profile,) = await profiles(here)
    assert "青霉素" not in profile
    assert "高血压" in profile
    await here.call("ForgetMemory", user_id="u1", conversation_id="d")
    assert await profiles(here) == []
    assert not any((await here.query("new", user_id="u1"))["safety"].values())


async def test_reader_that_began_before_a_change_stores_no_stale_copy(here: World) -> None:
    """A copy that was made before memories changed is refused after they have."""
    await over(here, "我对青霉素过敏。")
    await here.query("new", user_id="u1")
    old = await here.sessions.read(ConversationScope("default", "c"), "u1", profile_stamp=b"o200k_base:zh")
    stale = old.profile
    assert stale is None or "青霉素" in stale.safety_json.decode()
    if stale is None:
        keeper = here.service._profiles._keeper
        stale = await keeper.load(U1)
    read = await here.sessions.forgotten(U1)
    await here.call("ForgetMemory", user_id="u1")
    await here.sessions.put_profile(U1, stale, b"o200k_base:zh", read)
    assert (await here.query("new", user_id="u1"))["safety"]["allergies"] == []


async def test_triples_become_facts_at_once_and_are_not_doubled(here: World) -> None:
    triples = [
        {"subject": "user", "predicate": "allergy", "object": "花生", "quote": "病历：花生过敏"},
        {"subject": "灿灿", "predicate": "age", "object": "5岁", "valid_from": "2026-01-01T00:00:00Z"},
    ]
    first = await upsert(here, triples=triples)
    assert first["allergies"] == ["花生"]
    assert len(first["memory_ids"]) == 2
    again = await upsert(here, triples=triples)
    assert again["memory_ids"] == first["memory_ids"]
    stored = {fact["predicate"]: fact for fact in await facts(here)}
    assert (stored["allergy"]["category"], stored["allergy"]["mind"]) == ("core", "caller")
    assert stored["allergy"]["source"]["quote"] == "病历：花生过敏"
    assert stored["age"]["valid_from"] == "2026-01-01T00:00:00.000Z"
    found = await here.call("SearchMemories", user_id="u1", query="花生能吃吗", mode="keyword")
    assert found["memories"][0]["object"] == "花生"


async def test_triple_with_another_value_of_what_is_single_supersedes(here: World) -> None:
    ids = []
    for place in ("北京", "上海"):
        answer = await upsert(here, triples=[{"subject": "user", "predicate": "residence", "object": place}])
        ids += answer["memory_ids"]
    old = await here.call("GetMemory", user_id="u1", memory_id=ids[0])
    assert (old["object"], old["superseded_by"]) == ("北京", ids[1])
    (profile,) = await profiles(here)
    assert "上海" in profile
    assert "北京" not in profile


async def test_explain_says_where_told_facts_and_profiles_come_from(here: World) -> None:
    answer = await upsert(here, triples=[{"subject": "user", "predicate": "job", "object": "教师"}])
    told = await here.call("ExplainMemory", user_id="u1", memory_id=answer["memory_ids"][0])
    assert told["reasons"] == ["told by a caller"]
    (profile,) = (await here.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]
    made = await here.call("ExplainMemory", user_id="u1", memory_id=profile["memory_id"])
    assert "facts that are held true" in made["reasons"][0]


async def test_profile_is_one_and_found_only_when_asked_for(here: World) -> None:
    await over(here, "我叫李雷，今年45岁，对青霉素过敏。")
    await over(here, "我是一名教师。", conversation="d")
    (profile,) = await profiles(here)
    assert profile.startswith("用户画像：")
    assert {"青霉素", "教师"} <= {word for word in ("青霉素", "教师") if word in profile}
    body = {"user_id": "u1", "query": "青霉素", "mode": "keyword"}
    usual = await here.call("SearchMemories", **body)
    assert all(memory["kind"] != "profile" for memory in usual["memories"])
    asked = await here.call("SearchMemories", **body, kinds=["profile"])
    assert [memory["kind"] for memory in asked["memories"]] == ["profile"]


async def test_group_has_a_profile_of_its_members(here: World) -> None:
    messages = [
        {"role": "user", "name": "张三", "content": "我对芒果过敏，别点芒果班戟。"},
        {"role": "assistant", "content": "好的，不点芒果。"},
        {"role": "user", "name": "李四", "content": "我是一名医生，我周末有空。"},
        {"role": "user", "name": "张三", "content": "那就周六晚上聚吧。"},
    ]
    body = {"conversation_id": "group", "user_id": "u1", "messages": messages}
    await here.service.write_messages(EVERYONE, ask.WriteMessagesRequest.model_validate(body))
    await here.finalize("group")
    (group,) = [text for text in await profiles(here) if text.startswith("群体画像")]
    assert "张三 (2)、李四 (1)" in group
    assert "张三：过敏：芒果" in group
    assert not (await here.query("new", user_id="u1"))["safety"]["allergies"], "a member is not the user"
    await here.call("ForgetMemory", user_id="u1", conversation_id="group")
    assert await profiles(here) == []


async def test_yesterday_is_the_day_before_on_the_clock_of_whoever_said_it(here: World) -> None:
    await here.write("我昨天做了阑尾炎手术。", "好的。", user_id="u1", occurred_at="2026-10-08T07:30:00+08:00")
    await here.finalize()
    stored = (await here.call("ListMemories", user_id="u1"))["items"]
    assert any("2026-10-07" in memory["text"] for memory in stored), [memory["text"] for memory in stored]
    assert not any("2026-10-06" in memory["text"] for memory in stored)
