"""Golden values: what the original Go functions answered when they were run. Deviations are named."""

import json

import pytest

from memory.model import requests as ask
from memory.scope import ConversationScope
from memory.session.answer import extract_agent_answer
from memory.stores.redis.keys import ConversationKeys
from tests.inprocess import EVERYONE, World

ANSWERS = {
    "": "",
    "  hi ": "hi",
    '{"data":{"msg":"你好"}}': "你好",
    '{"data":"{\\"msg\\":\\"内嵌\\"}"}': "内嵌",
    '{"data":{"endflag":"1"}}': '{"data":{"endflag":"1"}}',
    '{"code":"success"}': '{"code":"success"}',
    '{"data":{"msg":""}}': "",
    'not json {"data":{"msg":"x"}}': "x",
    '{"data":{"msg":{"a":1}}}': '{"a":1}',
    '{"data":{"msg":"他说\\"疼\\""}}': '他说"疼"',
}

TEN_TURNS = "\n".join(f"用户: 问题{n}：头痛第{n}天怎么办\nAI: 回答{n}：请多休息并观察体温变化" for n in range(1, 11))
LAST_EIGHT = TEN_TURNS[TEN_TURNS.index("用户: 问题3") :]


@pytest.mark.parametrize(("answer", "text"), ANSWERS.items())
def test_answer_extraction_matches_the_original(answer: str, text: str) -> None:
    assert extract_agent_answer(answer) == text


def test_session_key_is_the_originals_with_a_tenant_and_a_hash_tag() -> None:
    # The original: short_term_memory:session:conv_1. Deviation: tenants exist, and a cluster needs the tag.
    keys = ConversationKeys.of(ConversationScope("default", "conv_1"))
    assert keys.session == "short_term_memory:session:{default/conv_1}"


async def test_default_session_value_matches_the_original(here: World) -> None:
    request = ask.CreateShortMemoryRequest(conversation_id="conv_1", user_id="u1")
    await here.service.create_short_memory(EVERYONE, request)
    session = json.loads((await here.session("conv_1")).model_dump_json())["session"]
    assert session["meta"].pop("updated_at") > 0  # Deviation: the original left 0 until the first write
    assert session == {
        "flow_context": {"current_agent_key": "", "last_bot_message": "", "turn_count": 0},
        "global_state": {"shared": None},
        "message_context": {"mode": "FULL_HISTORY", "summary": "", "window_messages": None},
        "meta": {"conversation_id": "conv_1", "user_id": "u1"},
        "user_snapshot": {"user_id": "u1"},
    }


async def test_session_ttl_is_half_an_hour(here: World) -> None:
    await here.write("我头痛", "多久了")
    (ttl,) = await here.commands.run(("TTL", "short_term_memory:session:{default/c}"))
    assert 1790 <= ttl <= 1800


async def test_history_text_matches_the_original(here: World) -> None:
    assert (await here.query())["history"] == ""
    for n in range(1, 11):
        await here.write(f"问题{n}：头痛第{n}天怎么办", f"回答{n}：请多休息并观察体温变化")
    context = await here.query(include=["full_history"])
    assert context["history"] == context["full_history"] == TEN_TURNS
    assert context["turn_count"] == 10
    await here.checkpoint("用户头痛10天", recent_turns=8)
    context = await here.query()
    assert context["history"] == f"历史摘要: 用户头痛10天\n{LAST_EIGHT}"
    assert context["mode"] == "SUMMARY_N"
    assert len(context["messages"]) == 16


async def test_no_recent_turns_means_eight(here: World) -> None:
    for n in range(1, 11):
        await here.write(f"问题{n}：头痛第{n}天怎么办", f"回答{n}：请多休息并观察体温变化")
    await here.checkpoint("用户头痛10天", recent_turns=0)
    assert (await here.query())["history"].endswith(LAST_EIGHT)


async def test_shared_and_entities_are_the_same(here: World) -> None:
    await here.write("我头痛", "多久了", agent_code="triage", state={"entities": {"symptom_summary": "头痛"}})
    state = (await here.session()).session.global_state
    assert state.shared == state.entities == {"symptom_summary": "头痛"}
