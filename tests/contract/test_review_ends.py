"""When a question about safety is asked no more: what it is about is held nowhere, whoever took it off and however."""

from collections.abc import Awaitable, Callable

import pytest

from memory.consolidation.remember import Rememberer
from memory.scope import UserScope
from memory.service.confirmation import FactConfirmation
from tests.contract.lives import ON_ONE_STORE
from tests.inprocess import World

pytestmark = ON_ONE_STORE

U1 = UserScope("default", "u1")


async def lives(here: World, conversation: str, text: str) -> None:
    await here.write(text, "好的。", conversation, user_id="u1")
    await here.finalize(conversation)


async def asked(here: World) -> list[str]:
    return [each["memory"]["object"] for each in (await here.call("ListReviews", user_id="u1"))["items"]]


async def fact_id(here: World, name: str) -> str:
    details = (await here.call("GetProfile", user_id="u1"))["details"]
    return next(str(each["fact_id"]) for each in details if each["text"] == name)


async def wrong(here: World, name: str) -> None:
    await here.call("ConfirmFacts", user_id="u1", fact_ids=[await fact_id(here, name)], verdict="wrong")


async def off_the_list(here: World, name: str) -> None:
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": [name]})


@pytest.mark.parametrize("take_off", [wrong, off_the_list])
async def test_what_is_taken_off_under_another_name_is_asked_of_no_more(
    here: World, take_off: Callable[[World, str], Awaitable[None]]
) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素类药物"]})
    await lives(here, "a", "我对青霉素不过敏。")
    assert await asked(here) == ["青霉素"]
    await take_off(here, "青霉素类药物")
    assert await asked(here) == []
    safety = (await here.query("another", user_id="u1", query=""))["safety"]
    assert safety["allergies"] == []


async def test_it_is_asked_as_long_as_one_claim_is_held(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素", "青霉素类药"]})
    await lives(here, "a", "我对青霉素不过敏。")
    await off_the_list(here, "青霉素类药")
    assert await asked(here) == ["青霉素"]
    await off_the_list(here, "青霉素")
    assert await asked(here) == []


async def test_a_listed_disease_is_one_under_its_other_name(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"chronic_diseases": ["high blood pressure"]})
    await lives(here, "a", "I don't have hypertension.")
    (item,) = (await here.call("ListReviews", user_id="u1", locale="en"))["items"]
    assert item["memory"]["object"] == "hypertension"
    assert "high blood pressure” is on record" in item["why"], "as it was told"
    assert "take “high blood pressure” off" in item["verdicts"][0]["means"]


async def test_a_listed_allergy_denied_for_a_reason_is_asked_about(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素"]})
    await lives(here, "a", "皮试阴性，我对青霉素不过敏了。")
    assert await asked(here) == ["青霉素"], "a caller's word is not ended by what somebody says"


async def test_what_a_later_session_ended_for_a_reason_is_asked_of_no_more(here: World) -> None:
    await lives(here, "a", "I have high blood pressure.")
    await lives(here, "b", "I don't have hypertension.")
    assert await asked(here) == ["hypertension"]
    await lives(here, "c", "The doctor said I don't have high blood pressure.")
    assert await asked(here) == []


async def test_where_a_claim_is_listed_too_forgetting_where_it_was_said_leaves_the_question(here: World) -> None:
    await lives(here, "a", "我对青霉素过敏。")
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素"]})
    await lives(here, "b", "我对青霉素不过敏。")
    await here.call("ForgetMemory", user_id="u1", conversation_id="a")
    assert await asked(here) == ["青霉素"]
    await off_the_list(here, "青霉素")
    assert await asked(here) == []


async def test_what_was_taken_over_twice_is_forgotten_with_where_it_is_from(here: World) -> None:
    for conversation, text in (
        ("a", "I was diagnosed with diabetes in 2010."),
        ("b", "I have diabetes."),
        ("c", "I have diabetes."),
    ):
        await lives(here, conversation, text)

    async def of_c() -> str:
        items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
        (memory,) = await here.memories.get(U1, [items[0]["memory_id"]])
        return str((memory.attributes, memory.changes))

    assert "2010" in await of_c()
    await here.call("ForgetMemory", user_id="u1", conversation_id="a")
    assert "2010" not in await of_c()


async def test_forgetting_one_source_leaves_what_another_said_too(here: World) -> None:
    await lives(here, "a", "I was diagnosed with diabetes in 2010.")
    await lives(here, "b", "I was diagnosed with diabetes in 2010.")
    await lives(here, "c", "I have diabetes.")
    await here.call("ForgetMemory", user_id="u1", conversation_id="a")
    (held,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    assert "2010" in str(held["attributes"])


async def test_a_verdict_that_comes_again_does_not_undo_what_was_said_since(here: World) -> None:
    await lives(here, "a", "我对青霉素过敏。")
    await lives(here, "a", "说错了，不是青霉素，是头孢。")
    (item,) = (await here.call("ListReviews", user_id="u1"))["items"]
    verdict = {"item_id": item["item_id"], "verdict": "APPLY"}
    await here.call("DecideReview", **verdict)
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素"]})
    assert (await here.call("DecideReview", **verdict))["replayed"]
    safety = (await here.query("another", user_id="u1", query=""))["safety"]
    assert sorted(safety["allergies"]) == ["头孢", "青霉素"]


async def test_a_verdict_that_died_does_not_undo_what_was_confirmed_since(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lives(here, "a", "我对青霉素过敏。")
    await lives(here, "a", "说错了，不是青霉素，是头孢。")
    (item,) = (await here.call("ListReviews", user_id="u1"))["items"]
    verdict = {"item_id": item["item_id"], "verdict": "APPLY"}

    async def dies(*_: object) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as death:
        death.setattr(FactConfirmation, "confirm", dies)
        with pytest.raises(ConnectionResetError):
            await here.call("DecideReview", **verdict)
    held = await fact_id(here, "青霉素")
    await here.call("ConfirmFacts", user_id="u1", fact_ids=[held], verdict="confirmed")
    assert (await here.call("DecideReview", **verdict))["replayed"]
    safety = (await here.query("another", user_id="u1", query=""))["safety"]
    assert sorted(safety["allergies"]) == ["头孢", "青霉素"]


async def test_who_tells_again_after_a_cut_has_the_profile_that_says_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"user_id": "u1", "triples": [{"subject": "user", "predicate": "like", "object": "茶"}]}

    async def dies(*_: object) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as death:
        death.setattr(Rememberer, "refresh_profiles", dies)
        with pytest.raises(ConnectionResetError):
            await here.call("UpsertFacts", **told)
    await here.call("UpsertFacts", **told)
    (profile,) = await here.pages("ListMemories", user_id="u1", kinds=["profile"])
    assert "茶" in profile["text"]
