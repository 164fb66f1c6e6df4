"""A person's word on safety facts: ConfirmFacts, and what UpsertFacts takes off and adds again."""

from typing import Any

import pytest

from memory.errors import NotFound, StoreUnavailable
from memory.model.caller import Caller
from tests.inprocess import EVERYONE, World

NURSE = Caller(EVERYONE.tenant, EVERYONE.scopes, "nurse")

TOLD = "我对青霉素过敏，也做过胆囊切除。"
MAYBE = "上次打了头孢之后有点恶心，不知道算不算过敏。"


async def safety(world: World, user: str = "u1") -> dict[str, Any]:
    return (await world.query("other", user_id=user))["safety"]


async def fact_ids(world: World, kind: str = "allergy") -> dict[str, str]:
    return {each["text"]: each["fact_id"] for each in (await safety(world))["details"] if each["kind"] == kind}


async def decide(world: World, verdict: str, *ids: str, **fields: Any) -> dict[str, Any]:
    return await world.call("ConfirmFacts", user_id="u1", fact_ids=list(ids), verdict=verdict, **fields)


async def tell(world: World, text: str, conversation: str = "c") -> None:
    await world.write(text, "好的。", conversation, user_id="u1")


def entry(found: dict[str, Any], text: str) -> dict[str, Any]:
    (one,) = [each for each in found["details"] if each["text"] == text]
    return one


async def test_what_is_only_said_can_be_confirmed(here: World) -> None:
    await tell(here, TOLD)
    said = entry(await safety(here), "青霉素")
    answer = await decide(here, "confirmed", said["fact_id"], why="asked on the phone")
    assert entry(answer, "青霉素")["status"] == "confirmed"
    found = entry(await safety(here), "青霉素")
    assert (found["status"], found["why"]) == ("confirmed", "asked on the phone")
    assert all(found[name] == said[name] for name in ("quote", "conversation_id", "seq"))


async def test_what_cannot_be_read_now_is_not_taken_for_nobodys(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await tell(here, TOLD)
    (said, *_) = (await fact_ids(here)).values()

    async def away(*_: Any) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as outage:
        outage.setattr(here.sessions, "said", away)
        with pytest.raises(StoreUnavailable, match="nothing was changed"):
            await decide(here, "confirmed", said)
        with pytest.raises(StoreUnavailable, match="nothing was changed"):
            await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["青霉素"]})
    assert entry(await decide(here, "confirmed", said), "青霉素")["status"] == "confirmed"


async def test_an_id_outlives_its_session(here: World) -> None:
    await tell(here, TOLD)
    said = await fact_ids(here)
    await here.finalize("c")
    assert await fact_ids(here) == said
    await decide(here, "wrong", said["青霉素"])
    assert (await safety(here))["allergies"] == []


@pytest.mark.parametrize("when", ["said", "remembered", "between"])
async def test_what_is_wrong_stands_in_no_list_and_does_not_come_back(here: World, when: str) -> None:
    await tell(here, TOLD)
    if when == "remembered":
        await here.finalize("c")
    ids = await fact_ids(here)
    answer = await decide(here, "wrong", ids["青霉素"], why="a mix-up")
    assert answer["allergies"] == []
    if when == "between":
        await here.finalize("c")
    found = await safety(here)
    assert found["allergies"] == []
    assert found["surgery_history"] == ["胆囊切除"], "the others stay"
    denied = entry(found, "青霉素")
    assert (denied["denied"], denied["status"], denied["why"]) == (True, "confirmed", "a mix-up")
    assert "青霉素" not in (await here.query("other", user_id="u1"))["context"]
    value = (await here.call("GetSession", conversation_id="c"))["session"]
    assert value is None or "allergies" not in value["user_snapshot"]


async def test_what_was_taken_back_and_said_once_more_is_in_doubt_no_longer(here: World) -> None:
    for said in ("我对青霉素过敏。", "说错了，不是青霉素，是头孢。", "我又说错了，不是头孢，是青霉素。"):
        await here.write(said, "好的。", "c", user_id="u1")
    for conversation in ("c", "next"):
        context = (await here.query(conversation, user_id="u1", query=""))["context"]
        assert "头孢（本人已改口，待确认）" in context
        assert "青霉素" in context
        assert "青霉素（本人已改口" not in context
        await here.finalize("c")


async def test_what_was_wrong_is_back_when_it_is_said_again(here: World) -> None:
    await tell(here, TOLD)
    await decide(here, "wrong", (await fact_ids(here))["青霉素"])
    await tell(here, "我想起来了，我确实对青霉素过敏。", "later")
    assert (await safety(here))["allergies"] == ["青霉素"]
    await here.finalize("c")
    await here.finalize("later")
    found = await safety(here)
    assert found["allergies"] == ["青霉素"]
    assert entry(found, "青霉素")["status"] == "remembered"
    await decide(here, "wrong", entry(found, "青霉素")["fact_id"])
    assert (await safety(here))["allergies"] == [], "and may be wrong again"


async def test_a_doubt_is_ended_either_way(here: World) -> None:
    await tell(here, MAYBE)
    found = entry(await safety(here), "头孢")
    assert found["status"] == "possible"
    assert (await decide(here, "confirmed", found["fact_id"]))["allergies"] == ["头孢"]
    await here.finalize("c")
    assert entry(await safety(here), "头孢")["status"] == "confirmed", "the doubt does not come back with its session"
    answer = await decide(here, "wrong", found["fact_id"])
    assert answer["allergies"] == []
    assert entry(answer, "头孢")["denied"]


async def test_the_same_word_twice_changes_nothing_and_the_other_word_changes_it(here: World) -> None:
    await tell(here, TOLD)
    (fact_id,) = (await fact_ids(here)).values()
    first = await decide(here, "wrong", fact_id)
    again = await decide(here, "wrong", fact_id)
    assert first["memory_ids"] == again["memory_ids"]
    assert (await decide(here, "confirmed", fact_id))["allergies"] == ["青霉素"]
    assert (await decide(here, "wrong", fact_id))["allergies"] == []
    denial = entry(await safety(here), "青霉素")
    assert (await decide(here, "wrong", denial["fact_id"]))["allergies"] == ["青霉素"], "a denial may be wrong too"


async def test_a_denial_of_all_may_be_wrong(here: World) -> None:
    await tell(here, "我没有药物过敏史。")
    await here.finalize("c")
    found = await safety(here)
    assert found["no_known_allergies"]
    await decide(here, "wrong", entry(found, "*")["fact_id"])
    found = await safety(here)
    assert (found["no_known_allergies"], found["allergies"], found["details"]) == (False, [], [])
    profile = await here.call("ListMemories", user_id="u1", kinds=["profile"])
    assert all("*" not in each["text"] for each in profile["items"])


async def test_a_denial_by_the_user_does_not_end_what_a_person_confirmed(here: World) -> None:
    await tell(here, TOLD)
    await decide(here, "confirmed", (await fact_ids(here))["青霉素"])
    await tell(here, "我对青霉素不过敏。", "later")
    await here.finalize("c")
    await here.finalize("later")
    assert (await safety(here))["allergies"] == ["青霉素"]


async def test_one_id_of_nobody_and_nothing_is_changed(here: World) -> None:
    await tell(here, TOLD)
    (fact_id,) = (await fact_ids(here)).values()
    await here.write("我对花生过敏。", "好的。", "c2", user_id="u2")
    (other,) = (await safety(here, "u2"))["details"]
    for unknown in (other["fact_id"], "no-such-fact"):
        with pytest.raises(NotFound) as refused:
            await decide(here, "wrong", fact_id, unknown)
        assert [each.field for each in refused.value.fields] == ["fact_ids.1"]
    assert (await safety(here))["allergies"] == ["青霉素"]


async def test_other_memories_are_no_safety_facts(here: World) -> None:
    await tell(here, "我叫李雷，我对青霉素过敏。")
    await here.finalize("c")
    listed = (await here.call("ListMemories", user_id="u1"))["items"]
    (name,) = [each["memory_id"] for each in listed if each.get("predicate") == "name"]
    with pytest.raises(NotFound):
        await decide(here, "wrong", name)


async def test_what_callers_told_can_be_wrong(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["乳胶"]})
    ids = await fact_ids(here)
    assert (await decide(here, "confirmed", ids["乳胶"]))["allergies"] == ["乳胶"]
    assert (await decide(here, "wrong", ids["乳胶"]))["allergies"] == []
    answer = await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["乳胶"]})
    assert answer["allergies"] == ["乳胶"]
    assert [each["status"] for each in answer["details"]] == ["confirmed"]
    assert not entry(answer, "乳胶").get("denied"), "told again, it is not denied any more"


async def test_upsert_facts_takes_off_what_is_only_said(here: World) -> None:
    await tell(here, TOLD)
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": [" 青霉素 "]})
    assert (await safety(here))["allergies"] == []
    await here.finalize("c")
    assert (await safety(here))["allergies"] == []


async def test_a_verdict_goes_with_its_conversation(here: World) -> None:
    await tell(here, TOLD)
    await decide(here, "wrong", (await fact_ids(here))["青霉素"])
    await here.call("ForgetMemory", user_id="u1", conversation_id="c")
    assert (await safety(here))["details"] == []
    assert (await here.call("ListMemories", user_id="u1"))["items"] == []


async def test_a_friends_allergy_is_no_safety_fact_to_decide_on(here: World) -> None:
    told = [{"subject": "Bob", "predicate": "allergy", "object": "penicillin"}]
    (his,) = (await here.call("UpsertFacts", user_id="u1", triples=told))["memory_ids"]
    with pytest.raises(NotFound):
        await decide(here, "confirmed", his)


async def test_a_verdict_is_about_one_thing_and_not_about_what_it_is_part_of(here: World) -> None:
    await tell(here, "I am allergic to nuts. I am allergic to walnuts.")
    await here.finalize("c")
    ids = await fact_ids(here)
    assert (await decide(here, "wrong", ids["nuts"]))["allergies"] == ["walnuts"]


async def test_what_was_confirmed_and_then_wrong_can_be_confirmed_again(here: World) -> None:
    await tell(here, TOLD)
    confirmed = entry(await decide(here, "confirmed", (await fact_ids(here))["青霉素"]), "青霉素")["fact_id"]
    assert (await decide(here, "wrong", confirmed))["allergies"] == []
    assert (await decide(here, "confirmed", confirmed))["allergies"] == ["青霉素"]


async def test_what_is_put_right_stands_there_at_once_and_what_was_wrong_until_a_person_decides(here: World) -> None:
    await tell(here, "我对青霉素过敏。")
    await tell(here, "我说错了，不是青霉素，是头孢。")
    for when in ("said", "remembered"):
        found = await safety(here)
        assert found["allergies"] == ["青霉素", "头孢"], when
        claimed, denied = (each for each in found["details"] if each["text"] == "青霉素")
        assert "denied" not in claimed
        assert (denied["denied"], denied["quote"], denied["status"]) == (True, "不是青霉素，是头孢", when)
        line = (await here.query("other", user_id="u1"))["context"].splitlines()[0]
        assert "青霉素（本人已改口，待确认）、头孢" in line
        if when == "said":
            await here.finalize("c")
    await decide(here, "confirmed", denied["fact_id"])
    found = await safety(here)
    assert found["allergies"] == ["头孢"]
    assert entry(found, "青霉素")["status"] == "confirmed"


async def test_who_takes_back_what_they_took_back_is_decided_too(here: World) -> None:
    await tell(here, "我对青霉素过敏。")
    await tell(here, "说错了，不是青霉素，是头孢。")
    ids = [each["fact_id"] for each in (await safety(here))["details"] if each["text"] == "青霉素"]
    await decide(here, "confirmed", ids[0], why="the label says so")
    await here.finalize("c")
    found = await safety(here)
    assert sorted(found["allergies"]) == ["头孢", "青霉素"]
    assert entry(found, "青霉素")["status"] == "confirmed"
    assert "待确认" not in (await here.query("other", user_id="u1"))["context"]


async def test_what_another_session_said_is_put_right_in_this_one(here: World) -> None:
    await tell(here, "我对青霉素过敏。", "before")
    await here.finalize("before")
    await safety(here)  # a bot asks before it writes
    await tell(here, "上次我说错了，不是青霉素，是头孢。", "now")
    assert (await safety(here))["allergies"] == ["青霉素", "头孢"]
    await here.finalize("now")
    found = await safety(here)
    assert found["allergies"] == ["青霉素", "头孢"]
    assert [each.get("denied", False) for each in found["details"] if each["text"] == "青霉素"] == [False, True]


async def test_of_nobody_known_only_what_was_said_here_is_put_right(here: World) -> None:
    await here.write("我对青霉素过敏。", "好的。", "nobodys")
    await here.write("说错了，不是青霉素，是头孢。", "好的。", "nobodys")
    assert (await here.query("nobodys"))["safety"]["allergies"] == ["青霉素", "头孢"]


async def test_while_what_is_held_cannot_be_read_the_write_succeeds(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tell(here, "我对青霉素过敏。")

    async def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as outage:
        outage.setattr(here.sessions, "read", away)
        await tell(here, "说错了，不是青霉素，是头孢。")
    assert (await safety(here))["allergies"] == ["青霉素"]
    await here.finalize("c")
    assert sorted((await safety(here))["allergies"]) == ["头孢", "青霉素"], "and is put right when it becomes memory"


async def test_who_confirmed_and_why_stands_in_the_history_and_not_in_the_profiles_text(here: World) -> None:
    await tell(here, TOLD)
    await here.finalize("c")
    held = entry(await safety(here), "青霉素")
    verdict = {"user_id": "u1", "fact_ids": [held["fact_id"]], "verdict": "confirmed", "why": "the label says so"}
    decided = entry(await here.call("ConfirmFacts", NURSE, **verdict), "青霉素")
    history = await here.call("GetMemoryHistory", memory_id=decided["memory_id"], user_id="u1")
    (change,) = [each for each in history["changes"] if each["op"] == "confirmed"]
    assert (change["by"], change["why"]) == ("nurse", "the label says so")
    profiles = (await here.call("ListMemories", user_id="u1", kinds=["profile"]))["items"]
    assert profiles
    assert all("the label says so" not in each["text"] for each in profiles)


async def test_one_persons_reason_is_not_put_into_anothers_mouth_and_the_same_word_is_noted_once(here: World) -> None:
    await tell(here, TOLD)
    await here.finalize("c")
    fact = {"user_id": "u1", "fact_ids": [(await fact_ids(here))["青霉素"]], "verdict": "confirmed"}
    doctor = Caller(EVERYONE.tenant, EVERYONE.scopes, "doctor")
    decided = await here.call("ConfirmFacts", NURSE, **fact, why="told by phone")
    for by, why in ((doctor, {}), (doctor, {}), (NURSE, {"why": "seen on paper"}), (NURSE, {"why": "seen on paper"})):
        await here.call("ConfirmFacts", by, **fact, **why)
    memory = entry(decided, "青霉素")["memory_id"]
    history = await here.call("GetMemoryHistory", memory_id=memory, user_id="u1")
    told = [(each["by"], each.get("why", "")) for each in history["changes"] if each["op"] == "confirmed"]
    assert told == [("nurse", "told by phone"), ("doctor", ""), ("nurse", "seen on paper")]


async def test_a_verdict_on_a_claim_settles_what_was_asked_of_it(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素类"]})
    await tell(here, "我对青霉素不过敏。")
    await here.finalize("c")
    assert [each["cause"] for each in (await here.call("ListReviews"))["items"]] == ["contradiction"]
    (claim,) = [each for each in (await safety(here))["details"] if not each.get("denied")]
    await decide(here, "wrong", claim["fact_id"])
    assert (await here.call("ListReviews"))["items"] == []
    found = await safety(here)
    assert (found["allergies"], [each["denied"] for each in found["details"]]) == ([], [True])
