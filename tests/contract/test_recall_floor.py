"""A context can say that nothing that is remembered bears on a query."""

from collections.abc import Callable
from typing import Any

import pytest

from memory.model.search import Pool, Probe
from memory.scope import UserScope
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.inprocess import World


@pytest.fixture
async def here(make_world: Callable[..., Any]) -> World:
    """A service that recalls."""
    world: World = await make_world(recall=True)
    return world


async def a_past(here: World) -> None:
    for number, said in enumerate(
        (
            "我这两天右边太阳穴一跳一跳地疼，吃过布洛芬。",
            "我约了12月3号上午去华山医院神经内科。",
            "我家养了一只布偶猫。",
        )
    ):
        await here.write(said, "不客气，注意休息。", f"c{number}", user_id="u1")
        await here.finalize(f"c{number}")


@pytest.mark.parametrize(
    "query", ["谢谢", "好的，谢谢医生", "红烧肉怎么做才不腻", "网页右边的导航栏怎么关掉", "转人工"]
)
async def test_what_nothing_bears_on_recalls_nothing(here: World, query: str) -> None:
    await a_past(here)
    answer = await here.query("new", user_id="u1", query=query)
    assert answer["memories"] == []
    assert "recalled_memories" not in answer["context"]


@pytest.mark.parametrize(
    ("query", "words"),
    [("我又开始头疼了", "太阳穴"), ("华山医院的号是哪天来着", "12月3号"), ("我家的猫多大了", "布偶猫")],
)
async def test_what_bears_on_it_is_recalled_with_one_line_for_one_message(here: World, query: str, words: str) -> None:
    await a_past(here)
    found = (await here.query("new", user_id="u1", query=query))["memories"]
    assert words in found[0]["text"]
    said = [(memory["source"]["conversation_id"], tuple(memory["source"]["seqs"])) for memory in found]
    assert len(said) == len(set(said))


async def test_short_courtesy_of_an_agent_is_no_record(here: World) -> None:
    await here.write("我头疼三天了。", "不客气", "c", user_id="u1")
    await here.finalize("c")
    items = (await here.call("ListMemories", user_id="u1", kinds=["episode"]))["items"]
    assert not [each for each in items if each.get("speaker") == "assistant"]


async def test_what_was_said_in_many_conversations_takes_one_place(make_world: Any) -> None:
    """A sentence said in twenty conversations took all places of a context, and hid the one that answers too."""
    world = await make_world(recall=True)
    for number in range(20):
        await world.write("我每天早上都去公园跑步。", "好的，记下了。", f"c{number}", user_id="u1")
        await world.call("FinalizeSessionMemory", conversation_id=f"c{number}")
    await world.write("上个月我跑步时扭伤了脚。", "注意休息。", "other", user_id="u1")
    await world.call("FinalizeSessionMemory", conversation_id="other")
    await world.work()
    recalled = (await world.query("now", user_id="u1", query="我跑步的事你还记得吗？"))["memories"]
    said = [each["text"] for each in recalled if each["kind"] == "episode"]
    assert len(said) == len(set(said))
    assert "我每天早上都去公园跑步。" in said
    assert "上个月我跑步时扭伤了脚。" in said


async def test_what_stands_behind_repetitions_is_read_without_another_search(
    make_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, searches = await make_world(recall=True), list[Probe]()
    for number in range(12):
        await world.write("我每天早上都去公园跑步。", "好的，记下了。", f"c{number}", user_id="u1")
        await world.finalize(f"c{number}")
    await world.write("上个月我跑步时扭伤了脚。", "注意休息。", "other", user_id="u1")
    await world.finalize("other")
    pool = SqliteMemoryStore.pool

    async def counted(store: SqliteMemoryStore, scope: UserScope, probe: Probe) -> Pool:
        searches.append(probe)
        return await pool(store, scope, probe)

    monkeypatch.setattr(SqliteMemoryStore, "pool", counted)
    recalled = (await world.query("now", user_id="u1", query="我每天早上去公园跑步的事你还记得吗？"))["memories"]
    assert "上个月我跑步时扭伤了脚。" in [each["text"] for each in recalled]
    assert len(searches) == 1


async def test_what_an_agent_said_before_stands_behind_what_fits_better(make_world: Any) -> None:
    """A user's words go before an agent's that repeat them; an agent's not before a user's that follow them."""
    world = await make_world(recall=True)
    await world.write("发烧要吃退烧药吗？", "体温超过38.5度可以用对乙酰氨基酚这种药，每次0.5克。", "c", user_id="u1")
    await world.write(
        "对了，我对青霉素过敏，以前打针起过疹子。", "已经记下：青霉素过敏，不要用阿莫西林。", "c", user_id="u1"
    )
    await world.call("FinalizeSessionMemory", conversation_id="c")
    await world.work()
    recalled = (await world.query("now", user_id="u1", query="我以前说过对什么药过敏？"))["memories"]
    said = [each["text"] for each in recalled]
    assert "我对青霉素过敏" in said[0]
    assert said[0].startswith("对了")
    assert any("对乙酰氨基酚" in each for each in said[1:])


async def test_lines_of_an_agent_take_no_place_from_what_the_user_said(make_world: Any) -> None:
    """Six lines "Thank you for telling me about your knee" kept out what was told of the knee."""
    world = await make_world(recall=True)
    told = ("My left knee gives way on the stairs.", "The knee clicks when I squat.", "I twisted the knee at judo.")
    for said in told:
        for number, thanks in enumerate(("Thank you for telling me about the knee.", "I have noted the knee for you.")):
            await world.write(said if not number else "Go on.", f"{thanks} {said}", "c", user_id="u1")
    await world.finalize("c")
    recalled = (await world.query("now", user_id="u1", query="My knee is playing up again, what about it?"))["memories"]
    agents = [place for place, each in enumerate(recalled) if each.get("speaker") == "assistant"]
    others = [place for place, each in enumerate(recalled) if each.get("speaker") != "assistant"]
    shown = [each["text"] for each in recalled if each.get("speaker") != "assistant"]
    assert all(any(said in text for text in shown) for said in told)
    assert agents[0] < max(others), "the best of them keeps its place"
    assert all(place > max(others) for place in agents[1:])


async def test_lines_of_an_agent_keep_their_places_where_they_are_asked_for(make_world: Any) -> None:
    world = await make_world(recall=True)
    for place, book in (("train", "Emma"), ("beach", "Persuasion"), ("balcony", "Middlemarch")):
        said, answer = f"I finished a novel on the {place}.", f"You may want to read the next novel then, {book}."
        await world.write(said, answer, f"c-{place}", user_id="u1")
        await world.finalize(f"c-{place}")

    async def speakers(query: str) -> list[str | None]:
        recalled = (await world.query("now", user_id="u1", query=query))["memories"]
        return [each.get("speaker") for each in recalled if each.get("speaker")]

    asked = await speakers("Which novel did you tell me to read next, after the one I finished?")
    told = await speakers("Which novel is it that I read next, after the one I finished?")
    assert asked == ["user", "assistant"] * 3
    assert told == ["user", "assistant", "user", "user", "assistant", "assistant"]
