"""A gateway whose model says what answers rest on: asked over HTTP when a session becomes memory."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from processes import Gateway

from tests.openai_server import ScriptedServer
from tests.waiting import wait_until

pytestmark = pytest.mark.integration


def answer(body: dict[str, Any]) -> str:
    """All that was shown is used in the last answer; of what is worth keeping it has no idea."""
    content = body["messages"][-1]["content"]
    if not content.startswith("<answers>"):
        return "no idea"
    shown = json.loads(content.removeprefix("<answers>\n").removesuffix("\n</answers>"))
    last = max(each["seq"] for each in shown["messages"] if each["who"] == "agent")
    return json.dumps({"used": [{"memory": each["number"], "answer": last} for each in shown["memories"]]})


def ok(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, found = gateway.post(operation, body, timeout_s=40)
    assert status == 200, (operation, found)
    return found


async def test_what_an_answer_builds_on_without_a_word_of_it_grows(make_gateway: Callable[..., Gateway]) -> None:
    async with ScriptedServer(chat=answer) as model:
        gateway = make_gateway(
            EMBEDDINGS__PROVIDER="none", MIND__PROVIDER="openai", MIND__MODEL="a-model", OPENAI__BASE_URL=model.url,
            CURATION__JUDGE="openai",
        )  # fmt: skip
        gateway.spawn()
        await asyncio.to_thread(ask, gateway)  # so that the model can answer meanwhile
        asks = [each for each in model.requests if each.body["messages"][-1]["content"].startswith("<answers>")]
        assert len(asks) == 1
        assert "玻璃桥就跳过吧" in asks[0].body["messages"][-1]["content"]
        gateway.stop()


def ask(gateway: Gateway) -> None:
    """Somebody afraid of heights is told to skip a bridge."""
    gateway.wait_ready()
    ok(
        gateway,
        "WriteTurn",
        conversation_id="before",
        user_id="u1",
        user_query="我特别怕高。",
        agent_response="知道了。",
    )
    ok(gateway, "FinalizeSessionMemory", conversation_id="before", wait_ms=20_000)
    context = ok(gateway, "QueryMemoryContext", conversation_id="later", user_id="u1", query="我怕高，周末去哪玩？")
    (shown, *_) = [each["memory_id"] for each in context["memories"]]
    wait_until(lambda: ok(gateway, "GetMemory", memory_id=shown)["shown"] == 1, "it is noted as shown")
    ok(
        gateway, "WriteTurn", conversation_id="later", user_id="u1", user_query="周末去哪玩？",
        agent_response="玻璃桥就跳过吧，去湿地公园走走。",
    )  # fmt: skip
    ok(gateway, "FinalizeSessionMemory", conversation_id="later", wait_ms=20_000)
    memory = ok(gateway, "GetMemory", memory_id=shown)
    assert (memory["accesses"], round(memory["strength"], 6)) == (1, 1.3)


LIKES = ("吃寿司", "爬山", "听京剧")
SAID = "以前说的喜好有一样不算了"


class Wavering:
    """A model that takes back another thing each time that it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.has_answered = asyncio.Event()

    def __call__(self, body: dict[str, Any]) -> str:
        content = body["messages"][-1]["content"]
        if not content.startswith("<held>"):
            return "no idea"
        shown = json.loads(content.removeprefix("<held>\n").removesuffix("\n</held>"))
        seqs = [each["seq"] for each in shown["messages"] if SAID in each["text"]]
        if not seqs:
            return json.dumps({"corrections": []})
        wrong = LIKES[self.asked % len(LIKES)]
        self.asked += 1
        self.has_answered.set()
        numbers = [each["number"] for each in shown["held"] if each["object"] == wrong]
        found = [{"held": number, "message": seqs[0], "quote": SAID, "right": ""} for number in numbers]
        return json.dumps({"corrections": found})


@pytest.mark.long
async def test_a_kill_around_the_models_answer_mixes_no_opinions(make_gateway: Callable[..., Gateway]) -> None:
    """Killed so many milliseconds after the model was asked; whenever that is, one opinion is applied, and once."""
    for after_ms in (0, 5, 15, 30, 60):
        model = Wavering()
        async with ScriptedServer(chat=model) as server:
            gateway = make_gateway(
                EMBEDDINGS__PROVIDER="none", MIND__PROVIDER="openai", MIND__MODEL="a-model",
                OPENAI__BASE_URL=server.url, CURATION__JUDGE="openai",
                FINALIZATION__HOLD_S="1.5", FINALIZATION__ATTEMPTS_MAX="20",
            )  # fmt: skip
            gateway.spawn()
            await asyncio.to_thread(told, gateway)
            await asyncio.wait_for(model.has_answered.wait(), 60)
            await asyncio.sleep(after_ms / 1000)
            gateway.kill()
            gateway.spawn()
            await asyncio.to_thread(gateway.wait_ready)
            held = await asyncio.to_thread(likes_once_ended, gateway)
            gateway.stop()
        assert len(held) == len(LIKES) - 1, (after_ms, held)
        assert model.asked in (1, 2), after_ms
        (gone,) = set(LIKES) - set(held)
        assert gone in LIKES[: model.asked], after_ms


def told(gateway: Gateway) -> None:
    gateway.wait_ready()
    said = {"conversation_id": "before", "user_id": "u1", "agent_response": "好的。"}
    ok(gateway, "WriteTurn", **said, user_query="".join(f"我喜欢{each}。" for each in LIKES))
    ok(gateway, "FinalizeSessionMemory", conversation_id="before", wait_ms=20_000)
    assert sorted(likes_of(gateway)) == sorted(LIKES)
    ok(gateway, "WriteTurn", **said | {"conversation_id": "later"}, user_query=f"{SAID}。")
    ok(gateway, "FinalizeSessionMemory", conversation_id="later")


def likes_of(gateway: Gateway) -> list[str]:
    items = ok(gateway, "ListMemories", user_id="u1", kinds=["fact"], states=["held"])["items"]
    return [each["object"] for each in items if (each["predicate"], each["polarity"]) == ("like", "+")]


def likes_once_ended(gateway: Gateway) -> list[str]:
    def is_ended() -> bool:
        return bool(ok(gateway, "GetFinalization", conversation_id="later")["state"] == "ENDED")

    wait_until(is_ended, "it is in memory")
    return likes_of(gateway)
