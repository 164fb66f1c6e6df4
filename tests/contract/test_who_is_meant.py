"""Who is who in a graph: the user by name and as 我, a relative by name and by what they are to the user."""

import pytest

from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE


async def create(world: World, subject: str, topic: str, object_: str, kind: str = "事实") -> str:
    body = {"subject": subject, "memory_type": kind, "topic": topic, "object": object_}
    return str((await world.call("CreateMemory", user_id="u1", **body))["memory_id"])


async def ways(world: World, source: str, target: str) -> list[list[str]]:
    found = await world.call("FindPath", user_id="u1", source=source, target=target)
    return [[step["relation"] for step in path["steps"]] for path in found["paths"]]


@pytest.fixture
async def told(here: World) -> World:
    await here.write("我叫李雷。我妈妈叫王秀兰，她有高血压。我对青霉素过敏。", "好的。", user_id="u1")
    await here.finalize()
    return here


@pytest.mark.parametrize("me", ["我", "用户", "user", "本人", "李雷"])
async def test_a_user_with_a_name_is_found_by_any_of_theirs(told: World, me: str) -> None:
    assert (await ways(told, me, "青霉素"))[0] == ["过敏"]
    near = await told.call("GetGraph", user_id="u1", about=me)
    (user,) = [node for node in near["nodes"] if node["label"] == "李雷"]
    assert user["aliases"] == ["用户"]


@pytest.mark.parametrize("mother", ["王秀兰", "妈妈", "我妈妈", "母亲"])
async def test_a_relative_whose_name_is_told_is_one_with_what_is_said_of_them(told: World, mother: str) -> None:
    assert len((await ways(told, mother, "高血压"))[0]) == 1
    assert (await ways(told, "李雷", "高血压"))[0][0] == "妈妈"


async def test_what_a_tool_tells_by_the_users_name_is_told_of_the_user(told: World) -> None:
    await create(told, "李雷", "职业", "护士")
    await create(told, "患者", "害怕", "打针")
    assert (await ways(told, "我", "护士"))[0] == ["职业"]
    assert (await ways(told, "李雷", "打针"))[0] == ["害怕"]


async def test_a_relative_that_tools_tell_of_is_one_whatever_they_are_called(here: World) -> None:
    await create(here, "我", "妈妈", "王秀兰", "关系")
    await create(here, "妈妈", "患有", "高血压")
    await create(here, "我妈", "住在", "苏州")
    assert (await ways(here, "王秀兰", "高血压"))[0] == ["患有"]
    assert (await ways(here, "我", "苏州"))[0] == ["妈妈", "住在"]
    assert (await ways(here, "妈妈", "我"))[0] == ["妈妈"]


async def test_relatives_in_english(here: World) -> None:
    await here.write("My name is Ann. My daughter Lily has asthma.", "I see.", user_id="u1")
    await here.finalize()
    await create(here, "my daughter", "goes to", "Hill School", "fact")
    assert (await ways(here, "user", "Hill School"))[0] == ["daughter", "goes to"]
    assert (await ways(here, "Lily", "Hill School"))[0] == ["goes to"]
    await create(here, "my mom", "lives in", "Leeds", "fact")
    await create(here, "my mother", "likes", "tea", "fact")
    assert (await ways(here, "Leeds", "tea"))[0] == ["lives in", "likes"], "one word for one relative"


async def test_two_of_one_role_are_two(here: World) -> None:
    for name in ("张三", "李四"):
        await create(here, "我", "朋友", name, "关系")
    for name in ("小明", "小红"):
        await create(here, "我", "孩子", name, "关系")
    await create(here, "孩子", "喜欢", "画画")
    assert await ways(here, "小明", "画画") == []
    assert (await here.call("GetGraph", user_id="u1", about="孩子"))["nodes"]
