"""What is told again, doubted, changed or has ended: nothing is lost, nothing doubled, and the past stays as it was."""

from typing import Any

import pytest

from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

pytestmark = ON_EITHER_STORE
U: dict[str, Any] = {"user_id": "u1"}


async def create(here: World, subject: str, topic: str, thing: str | None = None, **fields: Any) -> dict[str, Any]:
    body = {"subject": subject, "memory_type": "事实", "topic": topic, "object": thing, **fields}
    answer: dict[str, Any] = await here.call("CreateMemory", **U, **body)
    return answer


@pytest.mark.parametrize(
    ("subject", "topic"),
    [("我", "怀疑"), ("小红", "否认"), ("我", "不相信"), ("老师", "宣布"), ("老师", "说"), ("我", "希望")],
)
async def test_who_doubts_or_denies_a_memory_tells_another(here: World, subject: str, topic: str) -> None:
    event = await create(here, "小明", "考试满分", memory_type="事件")
    assert event["memory"]["text"] == "小明考试满分"
    doubt = await create(here, subject, topic, "小明考试满分", memory_type="观点")
    assert (doubt["created"], doubt["memory"]["predicate"]) == (True, topic)
    echo = await create(here, "我", "记得", "小明考试满分")
    assert (echo["created"], echo["memory_id"]) == (False, event["memory_id"])


async def test_what_was_so_before_stays_so_when_it_is_so_again(here: World) -> None:
    first = await create(here, "我", "住处", "上海", occurred_at="2025-01-01T00:00:00Z")
    await here.call("UpdateMemory", **U, memory_id=first["memory_id"], valid_to="2025-06-01T00:00:00Z")
    again = [await create(here, "我", "住处", "上海", occurred_at="2025-09-01T00:00:00Z") for _ in range(2)]
    assert [each["created"] for each in again] == [True, False]
    assert again[0]["memory_id"] == again[1]["memory_id"] != first["memory_id"]

    async def lived(day: str) -> int:
        found = await here.call("GetGraph", **U, as_of=f"{day}T00:00:00Z", include=["past"])
        return len([each for each in found["edges"] if each["relation"] == "住处"])

    assert [await lived(day) for day in ("2024-12-01", "2025-03-01", "2025-07-01", "2025-10-01")] == [0, 1, 0, 1]


async def test_what_had_ended_and_was_archived_stays_as_it_was(here: World) -> None:
    first = await create(here, "我", "住处", "上海", occurred_at="2025-01-01T00:00:00Z")
    body = {**U, "memory_id": first["memory_id"]}
    await here.call("UpdateMemory", **body, valid_to="2025-06-01T00:00:00Z")
    await here.call("ArchiveMemory", **body)
    again = await create(here, "我", "住处", "上海", occurred_at="2025-09-01T00:00:00Z")
    assert (again["created"], again["memory_id"] != first["memory_id"]) == (True, True)
    past = await here.call("GetMemory", **body)
    assert past["valid_to"].startswith("2025-06-01")


async def test_what_was_changed_is_what_it_says_now(here: World) -> None:
    first = await create(here, "我", "去", "公园", memory_type="事件", attributes={"时间": "2025-11-05"})
    now = {"时间": "2025-11-06", "地点": "北京"}
    await here.call("UpdateMemory", **U, memory_id=first["memory_id"], attributes=now)
    same = await create(here, "我", "去", "公园", memory_type="事件", attributes=now)
    assert (same["created"], same["memory_id"]) == (False, first["memory_id"])
    day_before = [
        await create(here, "我", "去", "公园", memory_type="事件", attributes={"时间": "2025-11-05"}) for _ in range(2)
    ]
    assert [each["created"] for each in day_before] == [True, False]
    assert day_before[0]["memory"]["attributes"] == {"时间": "2025-11-05"}
    held = await here.pages("ListMemories", **U, kinds=["created"])
    assert sorted(each["attributes"]["时间"] for each in held) == ["2025-11-05", "2025-11-06"]


async def test_one_may_end_and_be_so_again_many_times(here: World) -> None:
    ids = []
    for year in range(2000, 2006):
        made = await create(here, "我", "工作", "船厂", occurred_at=f"{year}-01-01T00:00:00Z")
        ids.append(made["memory_id"])
        await here.call("UpdateMemory", **U, memory_id=ids[-1], valid_to=f"{year}-06-01T00:00:00Z")
    assert len(set(ids)) == 6
    every = await here.pages("ListMemories", **U, kinds=["created"], states=["held", "ended"])
    assert len(every) == 6


async def test_events_of_two_days_do_not_conflict(here: World) -> None:
    for day, polarity in (("2025-11-01", "+"), ("2025-11-10", "-"), ("2025-11-10", "+")):
        await create(here, "我", "失眠", memory_type="事件", attributes={"时间": day}, polarity=polarity)
    found = (await here.call("GetGraph", **U, include=["conflicts"]))["conflicts"]
    assert len(found) == 1


@pytest.mark.parametrize("said", ["today", "tonight", "now", "今天", "to today", "2026", "until tomorrow"])
async def test_end_of_a_range_in_words_is_understood(here: World, said: str) -> None:
    await create(here, "我", "住处", "上海", occurred_at="2025-03-01T00:00:00Z")
    found = await here.call("SearchMemories", **U, query="上海", time_range={"start": "2025", "end": said})
    assert len(found["memories"]) == 1


async def test_the_same_may_happen_in_each_conversation(here: World) -> None:
    made = [
        await create(
            here, "我", "去", "健身房", memory_type="事件", attributes={"同伴": "Bob"}, conversation_id=f"c{number}"
        )
        for number in (1, 2, 1)
    ]
    assert [each["created"] for each in made] == [True, True, False]


async def test_who_tells_of_a_stay_that_is_over_changes_nothing_of_the_one_that_lasts(here: World) -> None:
    first = await create(here, "我", "住处", "上海", occurred_at="2025-01-01T00:00:00Z")
    await here.call("UpdateMemory", **U, memory_id=first["memory_id"], valid_to="2025-06-01T00:00:00Z")
    now = await create(here, "我", "住处", "上海", occurred_at="2025-09-01T00:00:00Z")
    again = await create(here, "我", "住处", "上海", occurred_at="2025-03-01T00:00:00Z")
    assert (again["created"], again["memory_id"]) == (False, now["memory_id"])
    held = await here.pages("ListMemories", **U, kinds=["created"], states=["held"])
    assert [each["memory_id"] for each in held] == [now["memory_id"]]


@pytest.mark.parametrize("start", ["since昨天", "from2024-01-01", "from 2024"])
async def test_beginning_of_a_range_in_words_is_understood(here: World, start: str) -> None:
    await here.call("SearchMemories", **U, query="上海", time_range={"start": start})
