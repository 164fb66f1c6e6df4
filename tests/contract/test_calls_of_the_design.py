"""Every call that the design of the tools shows, letter by letter: taken, and each link joins what it means."""

from typing import Any

import pytest

from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE

SAID_AT = "2025-11-05T10:00:00+08:00"
UNHAPPY = [
    {"subject": "我", "memory_type": "事实", "topic": "情绪", "object": "不开心", "attributes": {"时间": "今天"}},
    {"subject": "我", "memory_type": "事件", "topic": "摔东西", "attributes": {"时间": "今天"}},
]
SHOPPING = {
    "subject": "我", "memory_type": "事件", "topic": "购物", "object": "水果",
    "attributes": {"时间": "2025-11-04", "地点": "超市", "物品": "苹果,香蕉"}, "importance": 0.4,
}  # fmt: skip
FRIEND = {
    "subject": "我", "memory_type": "关系", "topic": "朋友关系", "object": "小明",
    "attributes": {"程度": "好朋友"}, "importance": 0.7,
}  # fmt: skip
RAIN = [
    {"subject": "我", "memory_type": "观点", "topic": "讨厌", "object": "下雨天", "importance": 0.6},
    {"subject": "下雨天", "memory_type": "事实", "topic": "影响", "object": "我的心情", "importance": 0.5},
]
BREAKFAST = {
    "subject": "我", "memory_type": "事件", "topic": "吃早餐", "object": "面包",
    "attributes": {"时间": "2025-11-05 08:00", "餐次": "早餐"}, "importance": 0.3,
}  # fmt: skip
SLEEPLESS = [
    {"subject": "我", "memory_type": "事件", "topic": "失眠", "attributes": {"时间": "2025-11-04 夜间"},
     "importance": 0.6},
    {"subject": "我", "memory_type": "事实", "topic": "身体状态", "object": "很困",
     "attributes": {"时间": "2025-11-05"}, "importance": 0.5},
    {"subject": "我", "memory_type": "事实", "topic": "工作状态", "object": "没心情",
     "attributes": {"时间": "2025-11-05"}, "importance": 0.5},
]  # fmt: skip
EXAM = [
    {"subject": "小明", "memory_type": "事件", "topic": "考试", "object": "满分",
     "attributes": {"来源": "小明本人陈述"}, "importance": 0.4},
    {"subject": "我", "memory_type": "观点", "topic": "怀疑", "object": "小明考满分的真实性",
     "attributes": {"评价": "可能在吹牛"}, "importance": 0.5},
]  # fmt: skip
MADE: list[dict[str, Any]] = [*UNHAPPY, SHOPPING, FRIEND, *RAIN, BREAKFAST, *SLEEPLESS, *EXAM]


def described(source: str, target: str, relation: str) -> dict[str, str]:
    return {"source_memory_description": source, "target_memory_description": target, "relation_type": relation}


@pytest.mark.parametrize(
    ("told", "link", "ends"),
    [
        (UNHAPPY, described("我今天不开心", "我摔东西", "导致"), (0, 1)),
        (RAIN, {"source": "下雨天影响心情", "target": "我讨厌下雨天", "relation_type": "因为"}, (1, 0)),
        (SLEEPLESS, described("我失眠", "我很困", "导致"), (0, 1)),
        (SLEEPLESS, described("我很困", "我没心情工作", "导致"), (1, 2)),
        (EXAM, described("小明考试满分", "我怀疑真实性", "基于"), (0, 1)),
    ],
)
@pytest.mark.parametrize("among_all", [False, True], ids=["alone", "among all"])
async def test_a_link_of_the_design_joins_what_it_describes(
    here: World, told: list[dict[str, Any]], link: dict[str, str], ends: tuple[int, int], *, among_all: bool
) -> None:
    calls = MADE if among_all else told
    made = [await here.call("CreateMemory", user_id="u1", occurred_at=SAID_AT, **body) for body in calls]
    assert all(each["success"] and each["created"] for each in made)
    ids = [each["memory_id"] for body, each in zip(calls, made, strict=True) if body in told]
    joined = await here.call("LinkMemories", user_id="u1", occurred_at=SAID_AT, **link)
    assert (joined["source_memory_id"], joined["target_memory_id"]) == (ids[ends[0]], ids[ends[1]])


async def test_the_times_of_the_design_are_understood(here: World) -> None:
    for body in MADE:
        made = await here.call("CreateMemory", user_id="u1", occurred_at=SAID_AT, **body)
        assert all(time["understood"] for time in made["times"])
        if body is BREAKFAST:
            assert made["memory"]["occurred_at"] == "2025-11-05T00:00:00.000Z"
        if body["topic"] == "失眠":
            assert made["memory"]["attributes"]["时间"] == "2025-11-04 夜间"
