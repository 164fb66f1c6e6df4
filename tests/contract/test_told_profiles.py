"""What callers have told of a user goes out and comes in with their memories, and loses nothing that is there."""

from typing import Any

import pytest

from memory.errors import Overtaken
from memory.scope import UserScope
from tests.contract.test_transfer import Json, counts, exported, imported
from tests.inprocess import World

TOLD = {
    "name": "李雷",
    "allergies": ["花生"],
    "chronic_diseases": ["哮喘"],
    "surgery_history": ["阑尾切除"],
    "preferences": {"timezone": "Asia/Shanghai", "diet": {"no": ["猪肉"]}},
}


async def tell(here: World, user: str, **told: Any) -> None:
    """As callers tell of a user."""
    facts = {name: told[name] for name in ("allergies", "chronic_diseases", "surgery_history") if name in told}
    await here.call("UpsertFacts", user_id=user, facts=facts)
    await here.call("UpsertPreferences", user_id=user, name=told.get("name"), preferences=told.get("preferences", {}))


async def test_what_callers_told_goes_along_before_all_memories_of_its_user(over: World) -> None:
    for user in ("u1", "u3"):
        await tell(over, user, **TOLD)
        await over.call("UpsertFacts", user_id=user, triples=[{"subject": "user", "predicate": "p", "object": "x"}])
    await tell(over, "u2", allergies=["芒果"])
    for limit in (1, 2, 100):
        found = await exported(over, limit=limit)
        assert [(each["user_id"], "profile" in each) for each in found] == [
            ("u1", True), *[("u1", False)] * 2, ("u2", True), ("u3", True), *[("u3", False)] * 2
        ]  # fmt: skip
    assert found[0] == {"user_id": "u1", "profile": TOLD}
    assert [each for each in await exported(over, states=["ended"]) if "profile" in each] == []
    profile = await over.call("GetProfile", user_id="u1")
    records = await exported(over, "u1")
    await over.call("ForgetMemory", user_id="u1")
    await over.query("c", user_id="u1")  # a copy that knows nothing of it
    assert counts(await imported(over, "u1", records, dry_run=True)) == (3, 0, 0)
    assert (await over.call("GetProfile", user_id="u1"))["allergies"] == []
    assert counts(await imported(over, "u1", records)) == (3, 0, 0)
    again = await over.call("GetProfile", user_id="u1")
    assert {**again, "version": 0} == {**profile, "version": 0}
    assert (await over.query("c", user_id="u1"))["safety"]["allergies"] == ["花生"]
    assert counts(await imported(over, "u1", records)) == (0, 3, 0)
    assert await exported(over, "u1") == records


async def test_what_is_told_there_stays_and_what_is_told_elsewhere_is_added(over: World) -> None:
    await tell(over, "u2", name="韩梅", allergies=["芒果"], preferences={"timezone": "Europe/Berlin"})
    answer = await imported(over, "u2", [{"user_id": "u1", "profile": TOLD}] * 2)
    assert [each["outcome"] for each in answer["outcomes"]] == ["added", "same"]
    record, name = await exported(over, "u2")
    preferences = {"timezone": "Europe/Berlin", "diet": {"no": ["猪肉"]}}
    mixed = {"name": "韩梅", "allergies": ["芒果", "花生"], "preferences": preferences}
    assert record == {"user_id": "u2", "profile": TOLD | mixed}
    assert (name["predicate"], name["object"]) == ("name", "韩梅")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"colour": "red"}, "no memory has a field profile.colour"),
        ({"allergies": "花生"}, "the field profile.allergies is not"),
        ({"allergies": [" "]}, "the field profile.allergies.0 is not"),
        ({"name": "x" * 129}, "the field profile.name is too long"),
        ({"preferences": {"a": "x" * 4_001}}, "the field profile.preferences.a is not"),
        ({"chronic_diseases": ["one", "two", "three"]}, "as many of the kind profile"),
    ],
)
async def test_told_things_that_cannot_be_are_refused(
    over: World, monkeypatch: pytest.MonkeyPatch, told: Json, why: str
) -> None:
    monkeypatch.setattr("memory.model.profile.PROFILE_FACTS_PER_KIND_MAX", 2)
    right = {"user_id": "u1", "profile": {"allergies": ["花生"]}}
    answer = await imported(over, "u1", [{"user_id": "u1", "profile": told}, right])
    assert counts(answer) == (1, 0, 1)
    assert why in answer["outcomes"][0]["reason"]
    assert await exported(over, "u1") == [right]


async def test_told_things_that_an_erasure_overtakes_do_not_come_back(
    over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = type(over.store).get_profile

    async def before_an_erasure(self: Any, scope: UserScope) -> Any:
        found = await get(self, scope)
        monkeypatch.undo()
        await over.call("ForgetMemory", user_id="u1")
        return found

    await tell(over, "u1", allergies=["芒果"])
    monkeypatch.setattr(type(over.store), "get_profile", before_an_erasure)
    with pytest.raises(Overtaken):
        await imported(over, "u1", [{"user_id": "u1", "profile": TOLD}])
    assert await exported(over, "u1") == []
