"""An edge stands on all memories that say it: it is there as long as one of them is."""

from typing import Any

from tests.inprocess import World

TOLD = ("我对青霉素过敏。", "提醒一下，我对青霉素过敏。", "我对青霉素过敏，别忘了。")


async def edges(here: World, **asked: Any) -> list[dict[str, Any]]:
    """What is known of allergies, as edges."""
    found = await here.call("GetGraph", user_id="ann", include=["evidence", *asked.pop("include", ())], **asked)
    return [each for each in found["edges"] if "过敏" in each["relation"]]


async def said(here: World, *texts: str) -> None:
    """Each in a conversation of its own, which is in memory then."""
    for number, text in enumerate(texts):
        await here.write(text, "记下了。", f"c{number}", user_id="ann")
        await here.finalize(f"c{number}")


async def forget(here: World, memory_id: str) -> None:
    await here.call("ForgetMemory", user_id="ann", memory_id=memory_id)


async def test_an_edge_stands_on_all_that_say_it_until_the_last_is_forgotten(over: World) -> None:
    await said(over, *TOLD)
    (edge,) = await edges(over)
    first, second, third = edge["evidence"]
    assert edge["memory_id"] == third, "the last one took the place of the others"
    sources = [(await over.call("GetMemory", user_id="ann", memory_id=each))["source"] for each in edge["evidence"]]
    assert [each["conversation_id"] for each in sources] == ["c0", "c1", "c2"]
    await forget(over, third)
    await forget(over, first)
    (edge,) = await edges(over)
    assert (edge["memory_id"], edge["evidence"], edge["valid"]) == (second, [second], True)
    assert (await over.call("GetProfile", user_id="ann"))["allergies"] == ["青霉素"]
    await forget(over, second)
    assert await edges(over) == []
    left = await over.call("GetGraph", user_id="ann", include=["past"])
    assert "青霉素" not in {node["label"] for node in left["nodes"]}
    assert (await over.call("GetProfile", user_id="ann"))["allergies"] == []


async def test_liking_and_not_liking_are_two_edges_with_their_own_evidence(here: World) -> None:
    await said(here, "我喜欢咖啡。", "我喜欢咖啡。", "我不喜欢咖啡。")
    found = (await here.call("GetGraph", user_id="ann", include=["evidence", "past"]))["edges"]
    by_relation: dict[str, set[tuple[str, ...]]] = {}
    for each in found:
        by_relation.setdefault(each["relation"], set()).add(tuple(each["evidence"]))
    likes, dislikes = by_relation["喜欢"], by_relation["不喜欢"]
    assert len(likes) == len(dislikes) == 1
    assert not set(*likes) & set(*dislikes)


async def test_what_it_stands_on_is_told_when_asked_for_and_changes_nothing_else(here: World) -> None:
    await said(here, *TOLD)
    plain = (await here.call("GetGraph", user_id="ann"))["edges"]
    assert not any("evidence" in each for each in plain)
    asked = (await here.call("GetGraph", user_id="ann", include=["evidence"]))["edges"]
    assert [{name: value for name, value in each.items() if name != "evidence"} for each in asked] == plain
    past = await edges(here, include=["past"])
    assert len(past) == len(TOLD)
    assert {tuple(each["evidence"]) for each in past} == {tuple(past[0]["evidence"])}, "the same for each of them"


async def test_other_relations_to_the_same_thing_are_no_evidence(here: World) -> None:
    for kind in ("event", "opinion"):
        await here.call("CreateMemory", user_id="ann", subject="Bob", memory_type=kind, topic="tea")
    for subject in ("Bob", "bob"):
        body = {"subject": subject, "memory_type": "fact", "topic": "takes", "object": "Aspirin"}
        await here.call("CreateMemory", user_id="ann", **body)
    found = (await here.call("GetGraph", user_id="ann", include=["evidence", "past"]))["edges"]
    alike: dict[tuple[str, ...], set[str]] = {}
    for each in found:
        alike.setdefault((each["source"], each["relation"], each["target"]), set()).add(each["memory_id"])
    assert len(alike) > len({each["target"] for each in found}), "an event and an opinion, of one thing"
    for each in found:
        assert set(each["evidence"]) == alike[each["source"], each["relation"], each["target"]]
