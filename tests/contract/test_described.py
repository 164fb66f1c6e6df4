"""Which memory a description means, as LinkMemories is told: one word decides, a day too, else it is refused."""

from typing import Any

import pytest

from memory.errors import Ambiguous
from tests.contract.graph_calls import create
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("我不开心", "情绪"),
        ("我很开心", "心境"),
        ("小明考试满分", "考试"),
        ("我怀疑小明没考满分", "怀疑"),
        ("I was not happy", "mood"),
        ("I was happy with it", "feeling"),
    ],
)
async def test_a_description_means_the_memory_that_says_it(here: World, said: str, meant: str) -> None:
    """One word decides: not, 不."""
    await create(here, "情绪", "不开心")
    await create(here, "心境", "很开心")
    await create(here, "考试", "满分", subject="小明")
    await create(here, "怀疑", "小明没考满分")
    await create(here, "mood", "not happy")
    await create(here, "feeling", "happy with it")
    other = (await create(here, "另一件"))["memory_id"]
    answer = await here.call(
        "LinkMemories", user_id="u1", source_memory_description=said, target_memory_id=other, relation_type="related"
    )
    (memory,) = (await here.call("GetMemory", memory_id=answer["source_memory_id"]),)
    assert memory["predicate"] == meant


async def test_of_the_same_on_two_days_the_day_decides(here: World) -> None:
    made = [await create(here, "失眠", attributes={"时间": day}, occurred_at=None) for day in ("今天", "昨天")]
    today, before = (each["memory_id"] for each in made)
    other = (await create(here, "头痛"))["memory_id"]
    for said, meant in (("昨天失眠", before), ("今天失眠", today), ("我失眠", today)):
        ends = {"source": said, "target_memory_id": other}
        assert (await here.call("LinkMemories", user_id="u1", **ends, relation_type="导致"))[
            "source_memory_id"
        ] == meant
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", source="三年前失眠", target_memory_id=other, relation_type="导致")


@pytest.mark.parametrize(
    "said",
    [
        "爸爸没住院",
        "妈妈住院",
        "爸爸服用二甲双胍500毫克",
        "妈妈服用二甲双胍850毫克",
        "爸爸头痛",
        "Alice did not quit her job",
        "Alice started her job",
        "fell in the kitchen",
        "my sister fell in the bathroom",
    ],
)
async def test_one_word_that_differs_is_another_memory(here: World, said: str) -> None:
    await create(here, "住院", subject="爸爸")
    await create(here, "服用", "二甲双胍500毫克", subject="妈妈")
    await create(here, "头痛")
    await create(here, "quit her job", subject="Alice")
    await create(here, "fell in the bathroom")
    other = (await create(here, "另一件"))["memory_id"]
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", source=said, target_memory_id=other, relation_type="导致")


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("右膝盖疼", "左膝盖疼"),
        ("第一次手术", "第二次手术"),
        ("三片布洛芬退烧", "两片布洛芬退烧"),
        ("停止吃二甲双胍", "开始吃二甲双胍"),
        ("去南京出差", "去北京出差"),
        ("在公司楼下崴了脚踝", "同事在公司楼下崴了脚踝"),
        ("头痛发热", "否认头痛发热"),
        ("quit smoking", "I failed to quit smoking"),
        ("pain in my right knee after running", "pain in my left knee after running"),
        ("took three tablets", "took two tablets"),
        ("hurt my back at work", "Tom hurt his back at work"),
        ("started a new job in May", "Anna started a new job in May"),
    ],
)
async def test_the_opposite_another_number_or_somebody_else_is_another_memory(
    here: World, memory: str, said: str
) -> None:
    await create(here, memory)
    other = (await create(here, "另一件"))["memory_id"]
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", source=said, target_memory_id=other, relation_type="导致")


async def test_what_is_denied_and_what_is_said_are_two(here: World) -> None:
    likes = await create(here, "喜欢", "咖啡")
    await create(here, "喜欢", "咖啡", polarity="-")
    other = (await create(here, "头痛"))["memory_id"]
    ends = {"source": "我喜欢咖啡", "target_memory_id": other}
    link = await here.call("LinkMemories", user_id="u1", **ends, relation_type="导致")
    assert link["source_memory_id"] == likes["memory_id"]


async def test_a_description_of_a_day_means_the_memory_of_that_day(here: World) -> None:
    made = [
        await create(here, "头痛", object_, memory_type="事件", attributes={"时间": day})
        for object_, day in (("左侧", "2025-11-01"), ("右侧", "2025-11-05"))
    ]
    other = (await create(here, "熬夜"))["memory_id"]
    for one, said in zip(made, ("2025-11-01头痛", "2025-11-05头痛"), strict=True):
        answer = await here.call(
            "LinkMemories", user_id="u1", source_memory_id=other, target=said, relation_type="导致"
        )
        assert answer["target_memory_id"] == one["memory_id"]


async def test_what_fits_no_memory_or_several_is_refused_with_those_that_it_may_mean(here: World) -> None:
    left, right = [await create(here, "头痛", side) for side in ("左侧", "右侧")]
    with pytest.raises(Ambiguous) as several:
        await here.call("LinkMemories", user_id="u1", source="头痛", target="左侧头痛", relation_type="相关")
    candidates: Any = several.value.more["candidates"]
    assert {each["memory_id"] for each in candidates} == {left["memory_id"], right["memory_id"]}
    assert several.value.fields[0].field == "source_memory_description"
    with pytest.raises(Ambiguous) as none:
        await here.call("LinkMemories", user_id="u2", source="头痛", target="左侧头痛", relation_type="相关")
    assert none.value.more["candidates"] == []
    assert not (await here.call("ListMemories", user_id="u1", kinds=["link"]))["items"]


@pytest.mark.parametrize(
    ("whose", "topic", "said"),
    [
        ("妈妈", "失眠", "我失眠"),
        ("儿子", "发烧", "我发烧"),
        ("邻居", "摔断腿", "我摔断腿"),
        ("小明妈妈", "住院", "小明住院"),
        ("my mother", "diabetes", "I have diabetes"),
        ("my son", "broke arm", "I broke my arm"),
        ("roommate", "quit job", "I quit my job"),
    ],
)
async def test_what_is_the_users_own_is_nothing_of_somebody_else(
    here: World, whose: str, topic: str, said: str
) -> None:
    """With the user's own memory beside it, that one is meant."""
    await create(here, topic, subject=whose)
    other = (await create(here, "另一件"))["memory_id"]
    ends = {"source": said, "target_memory_id": other, "relation_type": "导致"}
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", **ends)
    if whose != "小明妈妈":
        own = await create(here, topic)
        answer = await here.call("LinkMemories", user_id="u1", **ends)
        assert answer["source_memory_id"] == own["memory_id"]


async def test_who_is_named_nowhere_is_the_user_before_anybody_else(here: World) -> None:
    await create(here, "失眠", subject="妈妈")
    own = (await create(here, "失眠"))["memory_id"]
    other = (await create(here, "另一件"))["memory_id"]
    ends = {"source": "失眠", "target_memory_id": other, "relation_type": "导致"}
    assert (await here.call("LinkMemories", user_id="u1", **ends))["source_memory_id"] == own


async def test_today_is_the_day_when_it_was_said(here: World) -> None:
    told = {"occurred_at": "2025-11-05T20:00:00+08:00"}
    sad = await create(here, "情绪", "不开心", attributes={"时间": "今天"}, **told)
    await create(here, "情绪", "不开心", attributes={"时间": "昨天"}, **told)
    other = (await create(here, "另一件"))["memory_id"]
    ends = {"source": "我今天不开心", "target_memory_id": other, "relation_type": "导致"}
    with pytest.raises(Ambiguous):
        await here.call("LinkMemories", user_id="u1", **ends)
    assert (await here.call("LinkMemories", user_id="u1", **ends, **told))["source_memory_id"] == sad["memory_id"]


async def test_an_id_is_one_wherever_it_is_given(here: World) -> None:
    one, other = [(await create(here, topic))["memory_id"] for topic in ("失眠", "头痛")]
    answer = await here.call("LinkMemories", user_id="u1", source=one, target=f" {other}", relation_type="导致")
    assert (answer["source_memory_id"], answer["target_memory_id"]) == (one, other)
