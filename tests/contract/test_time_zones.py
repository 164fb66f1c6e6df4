"""Days are those of the user's clock: in what is remembered, in what is asked, and in what is shown."""

from collections.abc import Callable
from typing import Any

import pytest

from memory.model.requests import UpsertPreferencesRequest
from tests.inprocess import World

SAID = "我昨天做了阑尾炎手术。"
EVENING_UTC = "2026-10-07T23:30:00Z"
"""The next morning in Shanghai."""
END_OF_SEPTEMBER_UTC = "2026-09-30T23:30:00Z"
"""October in Shanghai."""
MakeWorld = Callable[..., Any]


async def days(world: World, **fields: Any) -> list[str]:
    found = await world.call("SearchMemories", user_id="u1", query="阑尾炎手术", kinds=["event"], **fields)
    return [memory["text"] for memory in found["memories"]]


async def test_a_time_zone_of_a_write_is_that_of_the_session_from_there_on(here: World) -> None:
    await here.write("你好", "您好", user_id="u1", timezone="Asia/Shanghai")
    await here.write(SAID, "好的", user_id="u1", occurred_at=EVENING_UTC)
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-07）做了阑尾炎手术。"]


async def test_a_session_is_started_with_a_time_zone(here: World) -> None:
    await here.call("CreateShortMemory", conversation_id="c", user_id="u1", timezone="America/New_York")
    await here.write(SAID, "好的", user_id="u1", occurred_at="2026-10-08T02:00:00Z")
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-06）做了阑尾炎手术。"]


async def test_an_offset_is_the_speakers_clock_whatever_the_session_says(here: World) -> None:
    await here.write(SAID, "好的", user_id="u1", occurred_at="2026-10-07T23:30:00+01:00", timezone="Asia/Shanghai")
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-06）做了阑尾炎手术。"]


async def test_messages_have_the_time_zone_of_their_write(here: World) -> None:
    messages = [{"role": "user", "content": SAID, "occurred_at": EVENING_UTC}]
    body = {"conversation_id": "c", "user_id": "u1", "messages": messages, "timezone": "Asia/Shanghai"}
    await here.call("WriteMessages", **body)
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-07）做了阑尾炎手术。"]


async def test_a_user_has_a_time_zone_where_the_session_has_none(here: World) -> None:
    profile = await here.call("UpsertPreferences", user_id="u1", timezone="Asia/Shanghai", preferences={"tea": "green"})
    assert profile["preferences"] == {"tea": "green", "timezone": "Asia/Shanghai"}
    await here.write(SAID, "好的", user_id="u1", occurred_at=EVENING_UTC)
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-07）做了阑尾炎手术。"]


async def test_the_session_that_follows_a_full_one_keeps_its_time_zone(make_world: MakeWorld) -> None:
    here = await make_world(turns_max=1)
    await here.write("你好", "您好", user_id="u1", timezone="Asia/Shanghai")
    await here.write(SAID, "好的", user_id="u1", occurred_at=EVENING_UTC)
    await here.finalize()
    assert await days(here) == ["我昨天（2026-10-07）做了阑尾炎手术。"]


async def test_how_long_it_lasts_becomes_a_day_of_the_users_clock(here: World) -> None:
    await here.write(
        "我咳嗽三天了，高血压十年了。", "好的", user_id="u1", occurred_at=EVENING_UTC, timezone="Asia/Shanghai"
    )
    await here.finalize()
    facts = await here.call("ListMemories", user_id="u1", kinds=["fact"])
    since = {fact["object"]: fact["attributes"]["since"] for fact in facts["items"]}
    assert since == {"咳嗽": "2026-10-05", "高血压": "2016"}
    profile = await here.call("SearchMemories", user_id="u1", query="咳嗽", kinds=["profile"])
    assert "咳嗽（2026-10-05 起）" in profile["memories"][0]["text"]


async def allergy_remembered(world: World, at: str) -> None:
    await world.write("我对青霉素过敏。", "记下了。", user_id="u1", occurred_at=at)
    await world.finalize()


async def recalled_in(world: World, conversation: str) -> str:
    return (await world.query(conversation, user_id="u1", query="青霉素过敏吗？"))["context"]


async def test_recalled_days_are_shown_by_the_clock_of_the_session_or_the_user(make_world: MakeWorld) -> None:
    here = await make_world(recall=True)
    await allergy_remembered(here, EVENING_UTC)
    await here.write("你好", "您好", "plain", user_id="u1")
    await here.write("你好", "您好", "zoned", user_id="u1", timezone="Asia/Shanghai")
    assert "[2026-10-07]" in await recalled_in(here, "plain")
    assert "[2026-10-07]" in await recalled_in(here, "new")
    assert "[2026-10-08]" in await recalled_in(here, "zoned")
    await here.call("UpsertPreferences", user_id="u1", timezone="Asia/Shanghai")
    assert "[2026-10-08]" in await recalled_in(here, "plain")
    assert "[2026-10-08]" in await recalled_in(here, "new")


async def test_a_search_reads_days_by_the_clock_of_the_request_or_the_user(here: World) -> None:
    await allergy_remembered(here, END_OF_SEPTEMBER_UTC)

    async def in_october(**fields: Any) -> float:
        asked = {"user_id": "u1", "query": "2026年10月我说了什么过敏", "explain": True} | fields
        found = await here.call("SearchMemories", **asked)
        return max(memory["scores"]["date"] for memory in found["memories"])

    assert await in_october() < await in_october(timezone="Asia/Shanghai")
    await here.call("UpsertPreferences", user_id="u1", timezone="Asia/Shanghai")
    assert await in_october() == await in_october(timezone="Asia/Shanghai")


def test_an_unknown_time_zone_is_refused() -> None:
    for name in ("Mars/Olympus", "../etc/passwd", "x" * 70, ""):
        with pytest.raises(ValueError, match=r"time zone|at most 64"):
            UpsertPreferencesRequest.model_validate({"user_id": "u1", "timezone": name})
