"""The plug-in brain with a model for its mind: a scripted endpoint over HTTP writes the statements."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from memory.extraction.rules_mind import RulesMind
from memory.providers.budget import Budget, BudgetLimits, InMemoryLedger
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_mind import OpenAIMind, OpenAIMindSettings
from tests.inprocess import World
from tests.openai_server import ScriptedServer

MakeWorld = Callable[..., Any]
TEXTS = ("我女儿叫灿灿", "她今年5岁", "她喜欢画画", "北京是中国的首都")


def composed(body: dict[str, Any]) -> str:
    """What a good model answers: one sentence of what belongs together, and the fact in it."""
    data = json.loads(body["messages"][1]["content"].removeprefix("<dialogue>\n").removesuffix("\n</dialogue>"))
    seqs = {message["text"]: message["seq"] for message in data["messages"]}
    about = [seqs[text] for text in TEXTS[:3] if text in seqs]
    likes = {
        "seq": seqs.get(TEXTS[2], 0),
        "subject": "灿灿",
        "predicate": "like",
        "object": "画画",
        "polarity": "+",
        "quote": TEXTS[2],
        "importance": 0.5,
    }
    statement = {"seqs": about, "text": "灿灿是我五岁的女儿，她喜欢画画"}
    return json.dumps({"facts": [likes], "events": [], "episodes": [], "statements": [statement]}, ensure_ascii=False)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer(chat=composed) as running:
        yield running


@pytest.fixture
async def brain(make_world: MakeWorld, server: ScriptedServer) -> AsyncIterator[World]:
    settings = OpenAIMindSettings("m", OpenAIEndpoint(server.url, "sk-test", retries_max=0), "zh")
    mind = OpenAIMind(settings, Budget(BudgetLimits(), InMemoryLedger(), lambda: "2026-01-01"), RulesMind(), len)
    yield await make_world(recall=True, minds={"mind": mind})
    await mind.close()


async def talked(world: World) -> list[dict[str, Any]]:
    for text in TEXTS:
        await world.call("ProcessMemory", input=text, user_id="u1")
    await world.call("EndSession", user_id="u1")
    await world.work()
    return list((await world.call("ListMemories", user_id="u1", kinds=["episode", "fact"]))["items"])


async def test_statements_of_the_model_are_stored_with_their_messages(brain: World, server: ScriptedServer) -> None:
    stored = {memory["kind"]: memory for memory in await talked(brain)}
    assert stored["episode"]["text"] == "灿灿是我五岁的女儿，她喜欢画画"
    assert stored["episode"]["source"]["quote"] == "我女儿叫灿灿"
    assert len(stored["episode"]["source"]["seqs"]) == 3
    assert stored["episode"]["mind"].startswith("openai/m")
    assert (stored["fact"]["subject"], stored["fact"]["object"]) == ("灿灿", "画画")
    (request,) = server.requests
    assert "# statements" in request.body["messages"][0]["content"]
    assert "statements" in request.body["response_format"]["json_schema"]["schema"]["required"]
    found = await brain.call("ProcessMemory", input="灿灿喜欢什么？", user_id="u1")
    assert found["memories"][0]["content"] == "灿灿是我五岁的女儿，她喜欢画画"


async def test_statement_about_messages_that_nobody_sent_is_left_out(brain: World, server: ScriptedServer) -> None:
    def answer(body: dict[str, Any]) -> str:
        told = json.loads(composed(body))
        told["statements"].append({"seqs": [4711], "text": "灿灿已经上学了"})
        return json.dumps(told, ensure_ascii=False)

    server.chat = answer
    texts = {memory["text"] for memory in await talked(brain)}
    assert "灿灿是我五岁的女儿，她喜欢画画" in texts
    assert "灿灿已经上学了" not in texts
    assert len(server.requests) == 1


async def test_model_without_statements_leaves_them_to_the_rules(brain: World, server: ScriptedServer) -> None:
    server.chat = lambda _: json.dumps({"facts": [], "events": [], "episodes": [], "statements": []})
    assert [memory["text"] for memory in await talked(brain)] == ["灿灿是我的女儿，今年5岁，喜欢画画"]
