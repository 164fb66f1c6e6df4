"""What a user says of allergies, diseases and operations stands in every context of theirs with the next call."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from memory.clinical.lexicon import FOLDER, read
from memory.errors import StoreUnavailable
from memory.limits import SAID_BYTES_MAX, SAID_CONVERSATIONS_MAX
from memory.privacy.policy import Policy
from memory.privacy.replacer import Replacer
from memory.scope import UserScope
from tests.inprocess import World

U1 = UserScope("default", "u1")
TOLD = "我对青霉素过敏，三年前做过胆囊切除，我妈有糖尿病。"


async def safety(world: World, conversation: str = "other", **fields: Any) -> dict[str, Any]:
    return (await world.query(conversation, **({"user_id": "u1"} | fields)))["safety"]


async def test_what_was_said_stands_in_another_conversation_at_once(here: World) -> None:
    await here.write(TOLD, "好的。", "triage", user_id="u1")
    found = await safety(here, "booking")
    assert (found["allergies"], found["surgery_history"], found["chronic_diseases"]) == (["青霉素"], ["胆囊切除"], [])
    allergy = found["details"][0]
    assert (allergy["status"], allergy["quote"], allergy["conversation_id"]) == ("said", "我对青霉素过敏", "triage")
    assert (await here.query("booking", user_id="u1"))["context"].startswith("安全信息：过敏史：青霉素")


async def test_it_stands_there_whether_or_not_memories_are_wanted_and_in_its_own_conversation(here: World) -> None:
    await here.write(TOLD, "好的。", "triage", user_id="u1")
    assert (await safety(here, "booking", include=["no_memories"]))["allergies"] == ["青霉素"]
    assert (await safety(here, "triage"))["allergies"] == ["青霉素"]
    assert (await here.query("triage"))["safety"]["allergies"] == ["青霉素"], "also to who names no user"


async def test_details_name_the_message(here: World) -> None:
    messages = [{"role": "user", "content": "您好"}, {"role": "user", "content": "I am allergic to latex"}]
    written = await here.call("WriteMessages", conversation_id="c", user_id="u1", messages=messages)
    (detail,) = (await safety(here))["details"]
    assert detail["seq"] == written["seq"]


async def test_short_answer_is_read_with_the_question_before_it(here: World) -> None:
    await here.write("您好", "您对什么药物过敏吗？", "c", user_id="u1")
    await here.write("头孢", "记下了。", "c", user_id="u1")
    assert (await safety(here))["allergies"] == ["头孢"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("我爷爷85岁，今天早上摔了一跤", ("有房颤，吃华法林", "他对青霉素过敏")),
        ("I'm writing for my son Leo, he is 6", ("Asthma since he was two", "He's allergic to cashews")),
    ],
)
async def test_who_writes_for_a_relative_goes_on_about_them(here: World, first: str, then: tuple[str, ...]) -> None:
    await here.write(first, "还有别的病吗？", "c", user_id="u1")
    for said in then:
        await here.write(said, "还有吗？", "c", user_id="u1")
    found = await here.query("other", user_id="u1")
    assert not any(found["safety"][name] for name in ("allergies", "chronic_diseases", "states"))
    assert {kind for each in found["relatives"] for kind in [each["kind"]]} >= {"allergy", "disease"}


async def test_who_tells_of_a_relative_in_passing_goes_on_about_themselves(here: World) -> None:
    for said in ("I've had a cough for three weeks", "My uncle had TB, he lived with us", "HIV positive since 2017"):
        await here.write(said, "Any other conditions?", "c", user_id="u1")
    assert (await safety(here))["chronic_diseases"] == ["HIV positive"]


async def test_who_comes_back_to_themselves_goes_on_about_themselves(here: World) -> None:
    for said in ("我爷爷今天早上摔了一跤", "我自己头晕三天了", "有高血压，十年了"):
        await here.write(said, "还有吗？", "c", user_id="u1")
    assert (await safety(here))["chronic_diseases"] == ["高血压"]


async def test_messages_of_one_write_go_on_about_whom_they_began_with(here: World) -> None:
    said = [{"role": "user", "content": text} for text in ("我爷爷今天早上摔了一跤", "有房颤，吃华法林")]
    await here.call("WriteMessages", conversation_id="c", user_id="u1", messages=said)
    assert (await safety(here))["chronic_diseases"] == []


async def test_nobody_elses_facts_and_nobody_else_sees_them(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    assert (await safety(here, user_id="u2"))["details"] == []
    assert (await here.query("third"))["safety"]["details"] == []


async def test_it_is_shown_while_it_becomes_memory_and_once_after_it(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    asked: list[list[str]] = []

    async def ask() -> None:
        while True:
            asked.append((await safety(here))["allergies"])

    asking = asyncio.create_task(ask())
    await here.finalize("c")
    asking.cancel()
    assert asked
    assert all(each == ["青霉素"] for each in asked)
    after = [each for each in (await safety(here))["details"] if each["kind"] == "allergy"]
    assert [each["status"] for each in after] == ["remembered"]
    assert after[0]["memory_id"]


async def test_session_that_expired_still_says_it(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    await here.expire("c")
    assert (await safety(here))["allergies"] == ["青霉素"]
    await here.write("我又来了", "您好。", "c", user_id="u1")
    assert (await safety(here))["allergies"] == ["青霉素"], "and the next session of its conversation"


async def test_what_is_forgotten_is_not_said_any_more(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    assert (await safety(here))["details"] == []


async def test_session_that_gets_its_user_later_takes_what_was_said_along(here: World) -> None:
    await here.write(TOLD, "好的。", "c")
    assert (await here.query("c"))["safety"]["allergies"] == ["青霉素"]
    assert (await safety(here))["allergies"] == []
    await here.write("我是张三", "您好。", "c", user_id="u1")
    assert (await safety(here))["allergies"] == ["青霉素"]


async def test_write_that_is_refused_leaves_nothing_and_one_that_is_repeated_leaves_it_once(here: World) -> None:
    await here.write("您好", "您好。", "c", user_id="u1")
    with pytest.raises(Exception, match="if_rev"):
        await here.write(TOLD, "好的。", "c", user_id="u1", if_rev=99)
    assert (await safety(here))["details"] == []
    for _ in range(2):
        await here.write(TOLD, "好的。", "c", user_id="u1", idempotency_key="k")
    assert [each["kind"] for each in (await safety(here))["details"]] == ["allergy", "surgery"]


async def test_unknown_denied_and_known_are_kept_apart(here: World) -> None:
    assert (await safety(here))["no_known_allergies"] is False
    await here.write("没有药物过敏史", "好的。", "c", user_id="u1")
    found = await safety(here)
    assert (found["no_known_allergies"], found["allergies"]) == (True, [])
    await here.write("想起来了，我对海鲜过敏", "好的。", "c", user_id="u1")
    found = await safety(here)
    assert (found["no_known_allergies"], found["allergies"]) == (False, ["海鲜"])


async def test_what_is_possible_stands_in_no_list_and_is_still_possible_in_memory(here: World) -> None:
    await here.write("一吃布洛芬就拉肚子", "好的。", "c", user_id="u1")
    for _ in range(2):
        found = await safety(here)
        assert found["allergies"] == []
        assert [(each["text"], each["status"]) for each in found["details"]] == [("布洛芬", "possible")]
        await here.finalize("c")


async def test_profile_and_session_show_it_too(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    profile = await here.call("GetProfile", user_id="u1")
    shown = (await here.call("GetSession", conversation_id="c"))["session"]["user_snapshot"]
    for each in (profile, shown):
        assert each["allergies"] == ["青霉素"]
        assert each["details"][0]["status"] == "said"


async def test_pregnancy_implant_and_blood_thinner_are_states(here: World) -> None:
    await here.write("I'm 20 weeks pregnant, on warfarin, and I have a pacemaker", "ok", "c", user_id="u1")
    assert sorted((await safety(here))["states"]) == ["pacemaker", "pregnant", "warfarin"]


async def test_what_cannot_be_read_is_named(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")

    async def away(*_: object) -> Any:
        raise StoreUnavailable

    monkeypatch.setattr(here.sessions, "said", away)
    answer = await here.query("other", user_id="u1")
    assert "safety" in answer["degraded"]
    assert "safety" in (await here.call("GetProfile", user_id="u1"))["degraded"]


@pytest.mark.parametrize("number", [SAID_CONVERSATIONS_MAX, SAID_CONVERSATIONS_MAX + 1])
async def test_as_many_conversations_are_read_as_the_limit_says(here: World, number: int) -> None:
    for each in range(number):
        await here.write("我对花生过敏" if each == 0 else "您好", "好的。", f"c{each}", user_id="u1")
    answer = await here.query("other", user_id="u1", include=["no_memories"])
    whole = number <= SAID_CONVERSATIONS_MAX
    assert answer["safety"]["allergies"] == (["花生"] if whole else [])
    assert answer["degraded"] == ([] if whole else ["safety_limit"])


async def test_conversation_that_says_too_much_is_named_and_keeps_what_came_first(here: World) -> None:
    await here.write(TOLD, "好的。", "c", user_id="u1")
    drugs = [word for word, term in read(FOLDER / "zh") if (term.kind, term.tag) == ("drug", "drug")]
    texts = ["。".join(f"我对{drug}过敏" + "真的" * 120 for drug in drugs[at : at + 38]) for at in (100, 200, 300, 400)]
    writes = 0
    while (
        "safety_limit" not in (answer := await here.query("other", user_id="u1", include=["no_memories"]))["degraded"]
    ):
        await here.write(texts[writes], "好的。", "c", user_id="u1")
        writes += 1
        assert len((await here.sessions.said(U1, ["c"], b""))[0][0]) <= SAID_BYTES_MAX + 10
    assert writes > 1
    assert answer["safety"]["surgery_history"] == ["胆囊切除"]
    await here.finalize("c")
    assert (await safety(here, include=["no_memories"]))["surgery_history"] == ["胆囊切除"]
    assert (await here.query("other", user_id="u1", include=["no_memories"]))["degraded"] == []


async def test_very_much_in_one_write_is_named(here: World) -> None:
    drugs = ("青霉素", "头孢", "阿司匹林", "布洛芬", "磺胺", "海鲜", "花生", "鸡蛋", "牛奶", "芒果")
    text = "。".join(f"我对{one}过敏。我对{other}过敏，{one}" for one in drugs for other in drugs)
    messages = [{"role": "user", "content": text}] * 6
    await here.call("WriteMessages", conversation_id="c", user_id="u1", messages=messages)
    assert (await here.query("other", user_id="u1", include=["no_memories"]))["degraded"] == ["safety_limit"]


async def test_answer_to_a_question_in_the_unit_before_is_remembered_too(here: World) -> None:
    await here.write("您好", "您对什么药物过敏吗？", "c", user_id="u1", occurred_at="2026-01-31T08:00:00Z")
    await here.write("头孢", "记下了。", "c", user_id="u1", occurred_at="2026-01-31T10:00:00Z")
    await here.finalize("c")
    (detail,) = (await safety(here))["details"]
    assert (detail["text"], detail["status"]) == ("头孢", "remembered")


async def test_what_was_recalled_or_pasted_is_not_said_again(here: World) -> None:
    recalled = "<recalled_memories>\n- 我对青霉素过敏\n</recalled_memories>\n安全信息：过敏史：头孢\n嗓子疼"
    await here.write(recalled, "好的。", "c", user_id="u1")
    assert (await safety(here))["details"] == []


async def test_identifiers_in_a_quote_are_covered(make_world: Callable[..., Any]) -> None:
    here = await make_world(minds={"replacer": Replacer(Policy.of({"mobile": "redact"}))})
    await here.write("我手机13812345678对青霉素过敏", "好的。", "c", user_id="u1")
    (detail,) = (await safety(here))["details"]
    assert "13812345678" not in detail["quote"]


async def test_finished_conversations_leave_room_for_those_that_go_on(here: World) -> None:
    await here.write(TOLD, "好的。", "first", user_id="u1")
    for each in range(SAID_CONVERSATIONS_MAX + 2):
        await here.write("您好", "您好。", f"c{each}", user_id="u1")
        await here.finalize(f"c{each}")
    answer = await here.query("other", user_id="u1", include=["no_memories"])
    assert answer["safety"]["allergies"] == ["青霉素"]
