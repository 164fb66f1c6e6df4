"""What is told of the safety of relatives is shown as theirs: at once, later, and never as the user's own."""

from typing import Any

import pytest

from tests.inprocess import World

SAID = "孩子对花生过敏，一吃就起疹子。"


async def known(world: World, user: str = "u1") -> Any:
    return await world.query("elsewhere", user_id=user)


def own(found: Any) -> list[Any]:
    names = ("allergies", "chronic_diseases", "surgery_history", "states", "details")
    return [found["safety"][name] for name in names]


async def test_a_childs_allergy_stands_in_every_context_at_once_as_the_childs(here: World) -> None:
    await here.write(SAID, "记下了。", user_id="u1")
    context = await known(here)
    (said,) = context["relatives"]
    assert (said["subject"], said["kind"], said["text"], said["status"]) == ("孩子", "allergy", "花生", "said")
    assert said["quote"] in SAID
    assert own(context) == [[], [], [], [], []]
    assert "家人：孩子（花生过敏）" in context["context"]
    await here.finalize()
    (remembered,) = (await known(here))["relatives"]
    assert (remembered["status"], remembered["fact_id"]) == ("remembered", said["fact_id"])
    assert "家人：孩子（花生过敏）" in (await known(here))["context"]
    profile = await here.call("GetProfile", user_id="u1")
    assert [each["text"] for each in profile["relatives"]] == ["花生"]
    assert (await known(here, user="u2"))["relatives"] == []


async def test_the_same_of_the_user_and_of_a_relative_are_two_facts(make_world: Any) -> None:
    here = await make_world(locale="en")
    await here.write("My mother is allergic to penicillin.", "Noted.", user_id="u1")
    await here.write("I am allergic to penicillin too.", "Noted.", user_id="u1")
    for _ in ("said", "remembered"):
        found = await known(here)
        assert found["safety"]["allergies"] == ["penicillin"]
        assert [(each["subject"], each["text"]) for each in found["relatives"]] == [("my mother", "penicillin")]
        await here.finalize()


@pytest.mark.parametrize("finalised", [False, True])
async def test_a_verdict_on_a_relatives_fact_is_about_that_one_alone(here: World, *, finalised: bool) -> None:
    await here.write("我对花生过敏。", "记下了。", user_id="u1")
    await here.write(SAID, "记下了。", user_id="u1")
    if finalised:
        await here.finalize()
    (theirs,) = (await known(here))["relatives"]
    await here.call("ConfirmFacts", user_id="u1", fact_ids=[theirs["fact_id"]], verdict="wrong", why="对牛奶过敏")
    found = await known(here)
    assert found["safety"]["allergies"] == ["花生"]
    assert [each for each in found["relatives"] if not each.get("denied")] == []


async def test_a_doubt_about_a_relative_can_be_confirmed(here: World) -> None:
    await here.write(SAID, "记下了。", user_id="u1")
    (theirs,) = (await known(here))["relatives"]
    await here.call("ConfirmFacts", user_id="u1", fact_ids=[theirs["fact_id"]], verdict="confirmed")
    (found,) = (await known(here))["relatives"]
    assert (found["subject"], found["status"]) == ("孩子", "confirmed")
    await here.finalize()
    (found,) = (await known(here))["relatives"]
    assert found["status"] == "confirmed"


async def test_neighbours_and_friends_are_no_relatives(here: World) -> None:
    await here.write("我朋友对青霉素过敏，邻居有糖尿病。", "嗯。", user_id="u1")
    found = await known(here)
    assert (own(found), found["relatives"]) == ([[], [], [], [], []], [])
