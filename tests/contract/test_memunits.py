"""What memories are derived from, on the wire: GetMemUnit, ListMemUnits, and the way there from a memory."""

from dataclasses import replace

import pytest

from memory.errors import NotFound
from tests.inprocess import EVERYONE, World


async def ended(world: World, conversation: str = "c", user: str = "u1") -> None:
    await world.write("我头痛三天了，对青霉素过敏。", "请问发烧吗？", conversation, user_id=user, agent_code="triage")
    await world.write("三十八度五。", "建议看神经内科。", conversation)
    await world.finalize(conversation)


async def test_a_memory_leads_to_its_unit_and_the_unit_to_its_memories(here: World) -> None:
    await ended(here)
    memories = (await here.call("ListMemories", user_id="u1"))["items"]
    (unit_id,) = {each["source"]["unit_id"] for each in memories if each["kind"] != "profile"}
    unit = await here.call("GetMemUnit", user_id="u1", unit_id=unit_id)
    made = {each["memory_id"] for each in memories if "unit_id" in each["source"]}
    assert set(unit["memory_ids"]) == made == {each["memory_id"] for each in unit["memories"]}
    assert [each["content"] for each in unit["original_data"]] == [
        "我头痛三天了，对青霉素过敏。",
        "请问发烧吗？",
        "三十八度五。",
        "建议看神经内科。",
    ]
    assert (unit["user_id_list"], unit["conversation_id"], unit["participants"]) == (
        ["u1"],
        "c",
        ["user", "triage", "assistant"],
    )
    assert unit["seq_to"] - unit["seq_from"] == 3
    assert "头痛三天" in unit["subject"]
    assert "头痛三天" in unit["narrative"]
    assert "group_id" not in unit, "one person speaks"


async def test_units_are_listed_page_by_page(here: World) -> None:
    for conversation in ("c1", "c2", "c3"):
        await ended(here, conversation)
    await ended(here, "c4", "u2")
    first = await here.call("ListMemUnits", user_id="u1", limit=2)
    rest = await here.call("ListMemUnits", user_id="u1", limit=2, cursor=first["cursor"])
    assert (len(first["items"]), len(rest["items"]), rest["cursor"]) == (2, 1, "")
    assert (first["total_count"], rest["total_count"]) == (3, 3)
    assert {each["conversation_id"] for each in (*first["items"], *rest["items"])} == {"c1", "c2", "c3"}
    assert all(each["memory_ids"] and "original_data" not in each for each in first["items"])
    of_one = await here.call("ListMemUnits", user_id="u1", conversation_id="c2", include=["original_data"])
    assert [each["conversation_id"] for each in of_one["items"]] == ["c2"]
    assert (of_one["total_count"], of_one["items"][0]["original_data"][0]["role"]) == (1, "user")
    assert (await here.call("ListMemUnits", user_id="nobody"))["items"] == []


async def test_several_people_are_a_group(here: World) -> None:
    messages = [
        {"role": "user", "name": "李雷", "content": "我明天去北京出差。"},
        {"role": "user", "name": "韩梅梅", "content": "我在上海工作，周末见。"},
    ]
    await here.call("WriteMessages", conversation_id="team", user_id="u1", messages=messages)
    await here.finalize("team")
    (unit,) = (await here.call("ListMemUnits", user_id="u1"))["items"]
    assert (unit["group_id"], unit["participants"]) == ("team", ["李雷", "韩梅梅"])


async def test_units_of_others_are_not_found_and_forgotten_ones_neither(here: World) -> None:
    await ended(here)
    (unit,) = (await here.call("ListMemUnits", user_id="u1"))["items"]
    stranger = replace(EVERYONE, tenant="other")
    with pytest.raises(NotFound):
        await here.call("GetMemUnit", user_id="u2", unit_id=unit["unit_id"])
    with pytest.raises(NotFound):
        await here.call("GetMemUnit", stranger, user_id="u1", unit_id=unit["unit_id"])
    assert (await here.call("ListMemUnits", stranger, user_id="u1"))["items"] == []
    await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    with pytest.raises(NotFound):
        await here.call("GetMemUnit", user_id="u1", unit_id=unit["unit_id"])
