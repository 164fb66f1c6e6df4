"""A model that writes back whatever it is shown, fifty times over: nothing that is remembered is made again of it.

Each turn it recalls, and then says, stores, links and puts right what it was shown: the context as it stands, a line of
it, the words of a memory alone, the fields of one, and the same as what a tool gave.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memory.errors import InvalidInput, MemoryGatewayError
from memory.language.fenced import RECALLED
from tests.contract.lives import ON_EITHER_STORE
from tests.inprocess import World

LOOPS = 50
U: dict[str, Any] = {"user_id": "u1"}
ASKED = ("我对什么过敏？", "我的爱好是什么？", "我为什么失眠？", "我住在哪里？", "我的猫叫什么？")
EVERY: dict[str, Any] = {"states": ["held", "ended", "superseded", "archived"]}
pytestmark = ON_EITHER_STORE


async def told(here: World, user: str) -> dict[str, Any]:
    """What a user said, and what a tool made of it; the link of the two."""
    said = "我对青霉素过敏。我有高血压。我住在北京。我喜欢爬山。我最近失眠，所以头疼。"
    await here.write(said, "好的，记住了。", f"before-{user}", user_id=user)
    await here.finalize(f"before-{user}")

    async def create(topic: str, thing: str, **fields: Any) -> str:
        body = {"subject": "我", "memory_type": "事实", "topic": topic, "object": thing, **fields}
        return str((await here.call("CreateMemory", user_id=user, **body))["memory_id"])

    ends = [await create("爱好", "爬山", attributes={"地点": "西山"}), await create("养了", "一只叫团子的猫")]
    link: dict[str, Any] = {
        "source_memory_id": ends[0],
        "target_memory_id": ends[1],
        "relation_type": "相关",
        "quote": "周末都在家",
    }
    await here.call("LinkMemories", **link, user_id=user)
    return link


async def held(here: World, user: str) -> Counter[tuple[str, ...]]:
    """All that is remembered but what was said word for word, in any state."""
    every = await here.pages("ListMemories", user_id=user, **EVERY)
    every += await here.pages("ListMemories", user_id=user, kinds=["link"], **EVERY)
    return Counter(
        (each["kind"], each["category"], each["text"], str(each.get("valid_to")), str(each.get("attributes")))
        for each in every
        if each["kind"] != "episode"
    )


def shown(context: str) -> list[str]:
    """What a context shows, as it stands there: all of it, the block, and lines, whole and cut off."""
    block = context[context.find(RECALLED.open) :] if RECALLED.open in context else context
    lines = [line for line in block.splitlines() if line.startswith("- [")][:3]
    return [context, block, *lines, *(line.removeprefix("- ") for line in lines)]


def calls(context: str, memories: list[dict[str, Any]], linked: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the model makes of it by its tools."""
    me: dict[str, Any] = {"subject": "我", "memory_type": "事实"}
    known: dict[str, Any] = {**me, "topic": "爱好", "object": "爬山"}
    alone = [each["text"] for each in memories if not each.get("pending")]  # what is said elsewhere is no memory yet
    for text in (*(each[:500] for each in shown(context)), *alone):
        yield "CreateMemory", {**me, "topic": "记得", "object": text}
        yield "CreateMemory", {**known, "attributes": {"地点": "西山"}, "quote": text}
        yield "LinkMemories", {**linked, "quote": text}
    for text in (*(each[:64] for each in shown(context)), *alone):
        yield "CreateMemory", {**me, "topic": text}
    for text in (each[:500] for each in shown(context)):
        yield "CreateMemory", {**known, "attributes": {"内容": text}}
    for memory in memories:
        parts = {"topic": memory.get("predicate"), "object": memory.get("object"), "subject": memory.get("subject")}
        yield "CreateMemory", {**parts, "memory_type": memory["type"], "attributes": memory.get("attributes")}
        for text in (*shown(context), memory["text"]):
            yield "UpdateMemory", {"memory_id": memory["memory_id"], "text": text[:500], "why": "记得"}


async def obey(here: World, context: dict[str, Any], linked: dict[str, Any]) -> int:
    """Make the calls; how many were taken."""
    taken = 0
    for operation, body in calls(context["context"], context["memories"], linked):
        with contextlib.suppress(ValueError, MemoryGatewayError):
            await here.call(operation, **U, **body)
            taken += 1
    return taken


async def say(here: World, context: dict[str, Any], number: int) -> None:
    """A turn whose answer is what was shown, fenced or not, as its tool gave it too; at times the user pastes it."""
    block = next(iter(shown(context["context"])[1:]), "")
    alone = "".join(f"{memory['text']}。" for memory in context["memories"])
    tools = [{"name": "search_memories", "content": json.dumps(context["memories"], ensure_ascii=False)}]
    safety = context["context"].partition("\n")[0]
    pasted = f"{safety}\n{block}\n好的" if RECALLED.open in block and number % 2 else "嗯"
    answer = (context["context"], block, alone)[number % 3] or "好的。"
    await here.write(pasted, answer, f"c{number % 5}", **U, tool_results=tools)
    role = {"role": "tool", "name": "search_memories", "content": f"{block}{alone}"[:4_000] or "无"}
    await here.call("WriteMessages", **U, conversation_id=f"c{number % 5}", messages=[role])


async def test_what_is_recalled_and_written_back_fifty_times_makes_no_memory_again(
    make_world: Callable[..., Any],
) -> None:
    here: World = await make_world(recall=True)
    linked = await told(here, "u1")
    await told(here, "u2")
    before, others = await held(here, "u1"), await held(here, "u2")
    seen, taken = set[str](), 0
    for number in range(LOOPS):
        context = await here.query(f"c{number % 5}", **U, query=ASKED[number % len(ASKED)])
        seen |= {each["memory_id"] for each in context["memories"]}
        taken += await obey(here, context, linked)
        await say(here, context, number)
        if number % 10 == 9:  # and what it says becomes memory
            for conversation in range(5):
                await here.finalize(f"c{conversation}")
        assert context["safety"]["allergies"] == ["青霉素"]
    assert len(seen) >= 5, "there was something to write back"
    assert taken > LOOPS, "some calls were taken: they told what is remembered"
    assert await held(here, "u1") == before
    assert await held(here, "u2") == others


@pytest.mark.parametrize(
    ("locale", "said", "thanks"),
    [
        ("zh", "我对青霉素过敏。我有高血压。", "好的，谢谢"),
        ("en", "I am allergic to penicillin. I have hypertension.", "ok thanks"),
    ],
)
async def test_safety_line_that_is_pasted_or_told_to_a_tool_makes_nothing(
    make_world: Callable[..., Any], locale: str, said: str, thanks: str
) -> None:
    here: World = await make_world(locale=locale)
    await here.write(said, thanks, "before", **U)
    await here.finalize("before")
    before = await held(here, "u1")
    line = (await here.query("later", **U))["context"]
    assert "\n" not in line, "it is the safety line alone"
    await here.write(f"{line}\n{thanks}", line, "later", **U)
    await here.finalize("later")
    assert await held(here, "u1") == before
    assert [each["text"] for each in await here.pages("ListMemories", **U) if line in each["text"]] == []
    with pytest.raises(InvalidInput, match="recalled"):
        await here.call("CreateMemory", **U, subject="user", memory_type="fact", topic="known", object=line)


async def test_what_says_more_or_happens_again_is_told_anew(here: World) -> None:
    """The words of a memory with more beside them, denied, or of another day, are no echo of it."""
    await told(here, "u1")
    body = {**U, "subject": "我", "memory_type": "事实"}
    echo = await here.call("CreateMemory", **body, topic="我喜欢爬山")
    assert (echo["created"], echo["memory"]["kind"], echo["memory"]["text"]) == (False, "fact", "我喜欢爬山")
    for more in (
        {"topic": "我喜欢爬山", "attributes": {"地点": "香山"}},
        {"topic": "我喜欢爬山", "polarity": "-"},
        {"topic": "我喜欢爬山了"},
        {"topic": "爬山"},
        {"topic": "喜欢", "object": "爬山"},
        {"topic": "我对青霉素过敏。我有高血压。我住在北京。我喜欢爬山。我最近失眠，所以头疼。", "memory_type": "事件"},
    ):
        assert (await here.call("CreateMemory", **body | more))["created"], more
    await here.call("ForgetMemory", **U, memory_id=echo["memory_id"])
    assert (await here.call("CreateMemory", **body, topic="我喜欢爬山"))["memory"]["kind"] == "created"
