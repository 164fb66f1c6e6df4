"""The session tier as a bot meets it, over every session store."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.consolidation.boundaries import BoundarySettings
from memory.errors import (
    IdempotencyConflict,
    InvalidInput,
    InvariantBroken,
    NotFound,
    RevisionConflict,
    UserConflict,
)
from memory.limits import SESSION_STATES_MAX
from memory.model import requests as ask
from memory.scope import ConversationScope
from memory.service.memunits import memunit_at
from tests.inprocess import EVERYONE, TIMES, World

MakeWorld = Callable[..., Any]


async def turns(world: World, number: int, start: int = 1, text: str = "") -> None:
    for n in range(start, start + number):
        await world.write(f"问{n}{text}", f"答{n}{text}", user_id="u1")


async def write_messages(world: World, messages: list[dict[str, Any]], **fields: Any) -> Any:
    body = {"conversation_id": "c", "messages": messages, **fields}
    return await world.service.write_messages(EVERYONE, ask.WriteMessagesRequest.model_validate(body))


async def test_query_on_nothing_answers_empty_and_creates_nothing(here: World) -> None:
    context = await here.query(query="我头痛")
    assert (context["session_state"], context["history"], context["messages"]) == ("NONE", "", [])
    assert context["estimated_tokens"] == here.tokens.count_short("我头痛")
    (keys,) = await here.commands.run(("KEYS", "*"))
    assert keys == []


async def test_write_turn_raises_rev_and_seq(here: World) -> None:
    first = await here.write("我头痛", "多久了", user_id="u1")
    second = await here.write("三天", "发烧吗")
    assert (first.rev, first.turn_count) == (1, 1)
    assert (second.rev, second.turn_count, second.seq) == (2, 2, first.seq + 2)
    assert second.updated_at.endswith("Z")


async def test_messages_are_ready_for_a_model(here: World) -> None:
    await write_messages(
        here,
        [
            {"role": "system", "content": "规则"},
            {"role": "user", "content": '引号"与\n换行', "name": "Chen"},
            {"role": "tool", "content": "{}"},
            {"role": "tool", "content": '{"号": 3}', "name": "挂号"},
            {"role": "assistant", "content": "好"},
        ],
    )
    context = await here.query()
    assert context["messages"] == [
        {"role": "system", "content": "规则"},
        {"role": "user", "content": '引号"与\n换行'},
        {"role": "user", "content": "工具: {}"},
        {"role": "user", "content": '工具(挂号): {"号": 3}'},
        {"role": "assistant", "content": "好"},
    ], "no model's API takes a tool's result without its call"
    assert context["history"] == '系统: 规则\n用户(Chen): 引号"与\n换行\n工具: {}\n工具(挂号): {"号": 3}\nAI: 好'
    turns = (await here.query(include=["turns"]))["turns"]
    assert [each["role"] for each in turns] == ["system", "user", "tool", "tool", "assistant"]


async def test_write_messages_a_user_message_begins_a_turn(here: World) -> None:
    done = await write_messages(here, [{"role": r, "content": r} for r in ("assistant", "user", "tool", "assistant")])
    assert done.turn_count == 2
    done = await write_messages(here, [{"role": "assistant", "content": "还有"}])
    assert (done.turn_count, done.rev) == (2, 2)


async def test_agent_answer_in_json_is_unwrapped_and_kept_raw(here: World) -> None:
    await here.write("我头痛", '{"data":{"msg":"多久了"}}')
    assert (await here.query())["history"] == "用户: 我头痛\nAI: 多久了"
    (entries,) = await here.commands.run(("LRANGE", "short_term_memory:journal:{default/c}", 0, -1))
    assert json.loads(entries[1])["raw"] == '{"data":{"msg":"多久了"}}'


async def test_idempotency_key_same_body_is_one_effect(here: World) -> None:
    answers = await asyncio.gather(*(here.write("我头痛", "多久了", idempotency_key="k1") for _ in range(8)))
    assert {(a.rev, a.seq, a.turn_count, a.updated_at) for a in answers} == {
        (1, answers[0].seq, 1, answers[0].updated_at)
    }
    assert sorted(a.replayed for a in answers) == [False] + [True] * 7
    assert (await here.query())["turn_count"] == 1


async def test_idempotency_key_other_body_conflicts(here: World) -> None:
    await here.write("我头痛", "多久了", idempotency_key="k1")
    with pytest.raises(IdempotencyConflict):
        await here.write("我头痛", "别的", idempotency_key="k1")
    assert (await here.query())["rev"] == 1


async def test_idempotency_key_outlives_the_session(here: World) -> None:
    await here.write("我头痛", "多久了", idempotency_key="k1")
    await here.finalize()
    again = await here.write("我头痛", "多久了", idempotency_key="k1")
    assert again.replayed
    assert (await here.query())["session_state"] == "ENDED"


async def test_if_rev_other_revision_conflicts_and_changes_nothing(here: World) -> None:
    await here.write("一", "好", if_rev=0)
    await here.write("二", "好", if_rev=1)
    with pytest.raises(RevisionConflict):
        await here.write("三", "好", if_rev=1)
    with pytest.raises(RevisionConflict):
        await here.write("三", "好", conversation="new", if_rev=5)
    assert (await here.query())["rev"] == 2
    assert (await here.query("new"))["session_state"] == "NONE"


async def test_another_users_conversation_conflicts(here: World) -> None:
    await here.write("我头痛", "多久了", user_id="u1")
    with pytest.raises(UserConflict):
        await here.write("我头痛", "多久了", user_id="u2")
    with pytest.raises(UserConflict):
        await here.query(user_id="u2")
    with pytest.raises(UserConflict):
        await here.service.create_short_memory(
            EVERYONE, ask.CreateShortMemoryRequest(conversation_id="c", user_id="u2")
        )
    assert (await here.query(patient_id="u1"))["turn_count"] == 1


async def test_create_says_whether_it_created(here: World) -> None:
    request = ask.CreateShortMemoryRequest(conversation_id="c", user_id="u1")
    first = await here.service.create_short_memory(EVERYONE, request)
    second = await here.service.create_short_memory(EVERYONE, request)
    assert (first.created, second.created, first.resumed, first.rev) == (True, False, False, 0)
    assert first.expires_at.endswith("Z")


async def test_state_is_merged_by_entity_and_private_by_agent(here: World) -> None:
    await here.write("我头痛", "好", agent_code="a", state={"entities": {"x": 1, "y": []}, "slot": {"own": "a"}})
    update = {"conversation_id": "c", "agent_code": "b", "entities": {"x": None, "z": {}}, "slot": {"own": "b"},
              "current_intent": "挂号",
              "pending_action": {"tool_name": "book", "tool_params": {"d": [1.5]}}}  # fmt: skip
    done = await here.service.update_global_state(EVERYONE, ask.UpdateGlobalStateRequest.model_validate(update))
    assert (done.rev, done.turn_count) == (2, 1)
    state = (await here.session(agent_code="b")).session.global_state
    assert state.entities == {"y": [], "z": {}}
    assert state.agent_slots == {"b": {"own": "b"}}
    assert (state.current_intent, state.pending_action["tool_params"]) == ("挂号", {"d": [1.5]})
    assert (await here.session()).session.global_state.agent_slots is None
    clear = {"conversation_id": "c", "clear_pending_action": True}
    await here.service.update_global_state(EVERYONE, ask.UpdateGlobalStateRequest.model_validate(clear))
    assert (await here.session()).session.global_state.pending_action is None


async def test_slot_without_an_agent_is_refused(here: World) -> None:
    with pytest.raises(InvalidInput):
        await here.write("一", "好", state={"slot": {"a": 1}})
    assert (await here.query())["session_state"] == "NONE"


async def test_pending_action_set_and_taken_off_in_one_is_refused(here: World) -> None:
    await here.write("一", "好", state={"pending_action": {"tool_name": "book"}})
    with pytest.raises(InvalidInput, match="one of the two") as refused:
        await here.write("二", "好", state={"pending_action": {"tool_name": "cancel"}, "clear_pending_action": True})
    assert [each.field for each in refused.value.fields] == ["clear_pending_action"]
    assert (await here.session()).session.global_state.pending_action["tool_name"] == "book"


async def test_estimated_tokens_are_those_of_the_whole_text(here: World) -> None:
    profile = ask.UpsertFactsRequest.model_validate({"user_id": "u1", "facts": {"allergies": ["青霉素"]}})
    await here.service.upsert_facts(EVERYONE, profile)
    for n in range(12):
        await here.write(f"第{n}天头痛，体温38.{n}度。\n还有点恶心", f"Answer {n}: please rest，多喝水。", user_id="u1")
    await here.checkpoint("用户头痛；已记录青霉素过敏", recent_turns=3)
    context = await here.query(query="I feel worse，怎么办？")
    beyond = context["context"].replace(f"历史摘要: {context['summary']}", "")
    counted = here.tokens.count_now(context["history"] + beyond + "I feel worse，怎么办？")
    assert abs(context["estimated_tokens"] - counted) <= 0.02 * counted


async def test_threshold_is_told_to_one_caller_at_a_time(here: World) -> None:
    await turns(here, 12, text="，头痛得厉害")
    answers = [await here.query(model_context_window=150) for _ in range(3)]
    assert [a["should_checkpoint_summary"] for a in answers] == [True, False, False]
    assert all(a["token_ratio"] >= 0.75 and a["mode"] == "FULL_HISTORY" for a in answers)
    assert not (await here.query())["should_checkpoint_summary"]


async def test_next_checkpoint_is_due_when_the_threshold_is_passed_again(here: World) -> None:
    asked = 0
    for n in range(60):
        context = await here.query(model_context_window=300)
        if context["should_checkpoint_summary"]:
            asked += 1
            await here.checkpoint(f"第{asked}次摘要", recent_turns=3)
        await here.write(f"问{n}，头痛得厉害", f"答{n}，请多休息")
        assert f"问{n}，" in (await here.query())["history"]
    assert 3 <= asked <= 15
    summary = (await here.query())["summary"]
    assert all(f"第{n}次摘要" in summary for n in range(1, asked + 1))


async def test_recent_turns_of_a_request_narrows_and_widens_the_window(here: World) -> None:
    await turns(here, 10)
    await here.checkpoint("摘要", recent_turns=3)
    await turns(here, 1, start=11)
    assert (await here.query())["messages"][0]["content"] == "问8"
    assert (await here.query(recent_turns=1))["messages"][0]["content"] == "问10"
    wide = await here.query(recent_turns=6)
    assert [m["content"] for m in wide["messages"]][::2] == [f"问{n}" for n in range(5, 12)]


async def test_from_checkpoint_shows_that_summary_and_all_since(here: World) -> None:
    await turns(here, 4)
    first = await here.checkpoint("第一次", recent_turns=2)
    await turns(here, 4, start=5)
    await here.checkpoint("第二次", recent_turns=1)
    context = await here.query(from_checkpoint=first.checkpoint_message_id)
    assert context["history"].startswith("历史摘要: 第一次\n用户: 问3\n")
    assert len(context["messages"]) == 12
    assert context["checkpoint_message_id"] == first.checkpoint_message_id
    with pytest.raises(NotFound):
        await here.query(from_checkpoint="cp_99999")


async def test_covers_seq_leaves_later_turns_uncovered(here: World) -> None:
    first = await here.write("一", "好")
    await turns(here, 3)
    done = await here.checkpoint("只到第一轮", covers_seq=first.seq, recent_turns=1)
    assert done.covers_seq == first.seq
    assert len((await here.query())["messages"]) == 8
    with pytest.raises(InvalidInput):
        await here.checkpoint("倒退", covers_seq=first.seq - 1)
    with pytest.raises(InvalidInput):
        await here.checkpoint("超前", covers_seq=10_000)


async def test_wider_checkpoint_fetches_turns_back(here: World) -> None:
    await turns(here, 6)
    await here.checkpoint("一", recent_turns=1)
    await here.checkpoint("二", recent_turns=4)
    assert [m["content"] for m in (await here.query())["messages"]][::2] == ["问3", "问4", "问5", "问6"]


async def test_checkpoint_without_a_summary_writes_one_from_the_dialogue(here: World) -> None:
    await here.write("你好", "您好")
    await here.write("我头痛三天了，体温38.5度", "建议去发热门诊")
    await here.write("我对青霉素过敏", "已记录")
    done = await here.checkpoint()
    assert "头痛三天" in done.summary
    assert "青霉素过敏" in done.summary
    assert "你好" not in done.summary


async def test_checkpoint_of_nothing_is_not_found(here: World) -> None:
    with pytest.raises(NotFound):
        await here.checkpoint("摘要")


async def test_auto_checkpoint_keeps_a_silent_bot_below_its_threshold(make_world: MakeWorld) -> None:
    world = await make_world(auto_checkpoint=True, model_context_window=800, recent_turns=2)
    for n in range(40):
        await world.write(f"第{n}天，头痛得厉害，体温38.{n % 10}度", "请多休息，多喝水，按时量体温")
        await world.background.drain(5)
        context = await world.query()
        assert not context["should_checkpoint_summary"]
        assert context["token_ratio"] < 0.75 + 0.1
    assert context["mode"] == "SUMMARY_N"


async def test_counts_of_another_encoding_are_made_anew(make_world: MakeWorld, here: World) -> None:
    await here.write("我头痛三天了", "体温多少")
    expected = (await here.query())["estimated_tokens"]
    english = await make_world(locale="en", stamp=b"o200k_base:en")
    context = await english.query()
    assert context["history"].startswith("User: ")
    counted = english.tokens.count_now(context["history"])
    assert abs(context["estimated_tokens"] - counted) <= 1
    await english.write("还疼", "好")
    mixed = await here.query()
    assert mixed["estimated_tokens"] > expected
    assert abs(mixed["estimated_tokens"] - here.tokens.count_now(mixed["history"])) <= 1


async def test_expired_session_resumes_with_summary_and_last_turns(here: World) -> None:
    await turns(here, 10, text="，我头痛三天了")
    await here.checkpoint("用户头痛三天", recent_turns=2)
    await here.write("我对青霉素过敏", "已记录", user_id="u1")
    await here.expire()
    before = await here.query()
    assert (before["session_state"], before["resumed"], before["rev"]) == ("ENDING", True, 0)
    written = await here.write("我回来了", "欢迎")
    after = await here.query()
    assert (written.rev, written.turn_count, after["resumed"]) == (1, 1, True)
    assert after["mode"] == "SUMMARY_N"
    assert "用户头痛三天" in after["summary"]
    assert "青霉素过敏" in after["summary"]
    assert after["history"].endswith("用户: 我对青霉素过敏\nAI: 已记录\n用户: 我回来了\nAI: 欢迎")
    assert len(after["messages"]) == 6
    await here.sweep()
    assert (await here.query())["history"] == after["history"]


@pytest.mark.parametrize("finalised", [False, True])
async def test_resume_is_the_same_from_journal_and_from_memory(here: World, *, finalised: bool) -> None:
    await turns(here, 5, text="，我头痛三天了")
    await here.expire()
    if finalised:
        await here.sweep()
        assert (await here.session()).state == "ENDED"
    context = await here.query()
    assert context["history"].endswith("用户: 问5，我头痛三天了\nAI: 答5，我头痛三天了")
    assert "头痛三天" in context["summary"]


async def test_session_that_resumed_gives_only_its_own_turns_to_memory(here: World) -> None:
    await turns(here, 3)
    await here.finalize()
    await turns(here, 2, start=4)
    await here.finalize()
    unit = await here.store.latest_memunit(ConversationScope("default", "c"))
    assert unit is not None
    assert [entry["content"] for entry in json.loads(unit.messages)] == ["问4", "答4", "问5", "答5"]
    assert unit.seq_from > 6
    await here.write("又来了", "好")
    assert "问4" in (await here.query())["history"]


async def test_other_user_after_expiry_sees_nothing_of_the_first(here: World) -> None:
    await turns(here, 3, text="机密")
    await here.expire()
    assert "机密" not in json.dumps(await here.query(user_id="u2"), ensure_ascii=False)
    await here.write("你好", "您好", user_id="u2")
    context = await here.query(user_id="u2")
    assert "机密" not in json.dumps(context, ensure_ascii=False)
    assert not context["resumed"]


async def test_old_session_ends_though_it_is_busy(make_world: MakeWorld) -> None:
    world = await make_world(times=replace(TIMES, max_age_ms=1))
    await world.write("一", "好")
    await asyncio.sleep(0.005)
    swept = await world.sweep()
    assert swept.sealed == 1
    assert (await world.session()).state == "ENDED"


async def test_empty_session_ends_without_consolidation(here: World) -> None:
    await here.service.create_short_memory(EVERYONE, ask.CreateShortMemoryRequest(conversation_id="c", user_id="u1"))
    answer = await here.finalize()
    assert (answer.state, answer.skipped, answer.finalization_id) == ("ENDED", "empty", None)
    assert await here.store.latest_memunit(ConversationScope("default", "c")) is None


async def test_finalize_keeps_every_message_and_the_callers_summary(here: World) -> None:
    await turns(here, 12)
    await here.checkpoint("前面的摘要", recent_turns=2)
    await here.finalize(summary="最后的摘要")
    unit = await here.store.latest_memunit(ConversationScope("default", "c"))
    assert unit is not None
    assert len(json.loads(unit.messages)) == 24
    assert "前面的摘要" in unit.summary
    assert "最后的摘要" in unit.summary
    assert unit.participants == ("user", "assistant")
    assert (unit.user_id, unit.turn_from, unit.turn_to) == ("u1", 1, 12)
    answer = await here.service.get_finalization(EVERYONE, ask.GetFinalizationRequest(conversation_id="c"))
    assert (answer.state, answer.memory_ids[0]) == ("ENDED", unit.unit_id)
    (left,) = await here.commands.run(("KEYS", "*journal*"))
    assert left == []


async def test_finalize_unknown_conversation_is_not_found_and_creates_nothing(here: World) -> None:
    with pytest.raises(NotFound):
        await here.finalize("nobody")
    (keys,) = await here.commands.run(("KEYS", "*"))
    assert keys == []


async def test_read_between_a_head_and_its_journal_is_never_torn(here: World) -> None:
    await turns(here, 3)
    journal = "short_term_memory:journal:{default/c}"
    (entries,) = await here.commands.run(("LRANGE", journal, 0, -1))
    newer = entries[-1].replace(b'"seq":7,', b'"seq":8,')
    await here.commands.run(("RPUSH", journal, newer))
    assert len((await here.query())["messages"]) == 6
    await here.commands.run(("LPOP", journal))
    with pytest.raises(InvariantBroken):
        await here.query()


async def test_two_hundred_turns_lose_nothing(here: World) -> None:
    await asyncio.gather(*(here.write(f"问{n}", f"答{n}") for n in range(200)))
    context = await here.query(include=["turns"])
    assert context["rev"] == 200
    asked = [t["content"] for t in context["turns"] if t["role"] == "user"]
    assert sorted(asked) == sorted(f"问{n}" for n in range(200))
    assert [t["seq"] for t in context["turns"]] == sorted(t["seq"] for t in context["turns"])


async def test_long_session_becomes_several_units_that_hold_every_message_once(make_world: MakeWorld) -> None:
    world = await make_world(boundaries=BoundarySettings(messages_max=6))
    await turns(world, 8, text="，我头痛三天了")
    await world.finalize()
    answer = await world.call("GetFinalization", conversation_id="c")
    units = []
    seq = 2
    while (unit := await memunit_at(world.store, ConversationScope("default", "c"), seq)) is not None:
        units.append(unit)
        seq = unit.seq_to + 1
    assert [len(json.loads(unit.messages)) for unit in units] == [6, 6, 4]
    assert [entry["content"][:2] for unit in units for entry in json.loads(unit.messages)] == [
        f"{side}{number}" for number in range(1, 9) for side in "问答"
    ]
    assert [unit.unit_id for unit in units] == answer["memory_ids"][:3]
    assert len({unit.session_number for unit in units}) == 1


async def test_session_that_resumes_after_several_units_has_its_whole_window(make_world: MakeWorld) -> None:
    world = await make_world(boundaries=BoundarySettings(messages_max=4))
    await turns(world, 9)
    before = (await world.query())["history"]
    await world.finalize()
    await world.write("又来了", "好")
    after = (await world.query())["history"]
    for number in range(2, 10):
        assert f"问{number}" in before
        assert f"用户: 问{number}\nAI: 答{number}" in after


async def test_state_of_a_session_grows_to_its_limit_and_deleting_is_never_refused(here: World) -> None:
    await here.write("我头痛", "多久了")
    for start in range(0, SESSION_STATES_MAX, 200):
        await here.call("UpdateGlobalState", conversation_id="c", entities={f"e{start + n}": n for n in range(200)})
    more = {f"more{number}": 1 for number in range(10)}
    with pytest.raises(InvalidInput, match="up to 2000 entities"):
        await here.call("UpdateGlobalState", conversation_id="c", entities=more)
    await here.call("UpdateGlobalState", conversation_id="c", entities={"e7": "changed", "e8": None, "e9": None})
    await here.call("UpdateGlobalState", conversation_id="c", entities={"again": 1})
    entities = (await here.session()).session.global_state.entities
    assert len(entities) > SESSION_STATES_MAX - 8
    assert entities["e7"] == "changed"


async def test_what_a_session_keeps_of_itself_takes_no_room_from_its_state(here: World) -> None:
    waits = {"current_intent": "triage", "pending_action": {"tool_name": "book"}}
    given = {"timezone": "Asia/Shanghai", "tool_results": [{"name": "t", "content": "x"}], "state": waits}
    await here.write("我头痛", "多久了", agent_code="a", **given)
    await here.checkpoint("头痛")
    for start in range(0, SESSION_STATES_MAX, 200):
        await here.call("UpdateGlobalState", conversation_id="c", entities={f"e{start + n}": n for n in range(200)})
    with pytest.raises(InvalidInput, match="up to 2000 entities"):
        await here.call("UpdateGlobalState", conversation_id="c", entities={"one more": 1})


@pytest.mark.parametrize("worked_off", [True, False])
async def test_next_session_starts_with_as_many_turns_as_the_end_asked_for(here: World, *, worked_off: bool) -> None:
    for number in range(6):
        await here.write(f"第{number}句", "好", user_id="u1")
    if worked_off:
        await here.finalize(recent_turns=2)
    else:
        await here.call("FinalizeSessionMemory", conversation_id="c", recent_turns=2)
    context = await here.query()
    assert [each["content"] for each in context["messages"]] == ["第4句", "好", "第5句", "好"]
    await here.write("我又来了", "您好", user_id="u1")
    assert len((await here.query())["messages"]) == 6
    await here.work()
