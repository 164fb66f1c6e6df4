"""Each fault that the original showed when it was run, by name: what it did, and what must happen instead."""

import json

import pytest
from pydantic import ValidationError

from memory.errors import StoreUnavailable
from tests.inprocess import World


async def test_history_frozen_after_first_checkpoint_shows_later_turns(here: World) -> None:
    for number in range(10):
        await here.write(f"问题{number}", f"回答{number}")
    await here.checkpoint("用户头痛10天")
    await here.write("我对青霉素过敏", "已记录青霉素过敏")
    context = await here.query()
    assert context["mode"] == "SUMMARY_N"
    assert "用户: 我对青霉素过敏\nAI: 已记录青霉素过敏" in context["history"]
    assert context["history"].startswith("历史摘要: 用户头痛10天\n用户: 问题2\n")


async def test_checkpoint_rows_counted_as_dialogue_are_no_messages(here: World) -> None:
    for number in range(5):
        await here.write(f"问题{number}", f"回答{number}")
    for summary in ("一", "二", "三"):
        await here.checkpoint(summary, recent_turns=2)
    context = await here.query(include=["full_history"])
    assert context["turn_count"] == 5
    assert len(context["messages"]) == 4
    assert "MEMORY_CHECKPOINT" not in context["history"]
    assert context["full_history"].count("\n") == 9
    assert "历史摘要" not in context["full_history"]


async def test_second_summary_forgets_the_first_is_cumulative(here: World) -> None:
    await here.write("我头痛", "多久了")
    await here.checkpoint("用户头痛10天")
    await here.write("还发烧", "多少度")
    await here.checkpoint("第二次摘要")
    summary = (await here.query())["summary"]
    assert "用户头痛10天" in summary
    assert "第二次摘要" in summary


async def test_read_error_followed_by_write_wipes_nothing(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write("第一轮", "好")

    async def unreachable(*_: object, **__: object) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(here.sessions, "read", unreachable)
        with pytest.raises(StoreUnavailable):
            await here.query()
        await here.write("第二轮", "好")
    assert "第一轮" in (await here.query())["history"]


async def test_lock_per_process_only_two_services_lose_nothing(here: World, make_world: object) -> None:
    other: World = await make_world()  # type: ignore[operator]
    for number in range(20):
        await (here if number % 2 else other).write(f"轮{number}", "好")
    context = await here.query()
    assert context["rev"] == context["turn_count"] == 20
    assert [f"轮{n}" in context["history"] for n in range(20)] == [True] * 20


async def test_should_true_forever_after_one_long_answer_asks_once(here: World) -> None:
    await here.write("请详细说明", "头痛的原因很多。" * 3000)
    first = await here.query()
    assert first["should_checkpoint_summary"]
    await here.checkpoint("医生详细说明了头痛的原因")
    for number in range(6):
        context = await here.query()
        assert not context["should_checkpoint_summary"]
        assert context["window_shrunk"]
        assert context["token_ratio"] < 0.75
        await here.write(f"追问{number}", "好的")
    assert "追问4" in (await here.query())["history"]


async def test_turns_in_the_same_second_as_a_checkpoint_stay(here: World) -> None:
    await here.write("之前", "好")
    await here.checkpoint("摘要", recent_turns=1)
    await here.write("之后一", "好")
    await here.write("之后二", "好")
    history = (await here.query())["history"]
    assert history == "历史摘要: 摘要\n用户: 之前\nAI: 好\n用户: 之后一\nAI: 好\n用户: 之后二\nAI: 好"


async def test_first_checkpoint_row_empty_holds_the_summary(here: World) -> None:
    await here.write("我头痛", "多久了")
    done = await here.checkpoint("用户头痛")
    assert done.summary == "用户头痛"
    (records,) = await here.commands.run(("LRANGE", "short_term_memory:records:{default/c}", 0, -1))
    checkpoint = json.loads(records[-1])
    assert checkpoint["kind"] == "checkpoint"
    assert checkpoint["summary"] == "用户头痛"


async def test_limits_counted_in_bytes_count_characters(here: World) -> None:
    await here.write("头" * 10_000, "痛" * 50_000)
    with pytest.raises(ValidationError):
        await here.write("头" * 10_001, "好")
    with pytest.raises(ValidationError):
        await here.write("好", "痛" * 50_001)
