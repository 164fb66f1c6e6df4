"""A gateway whose model says what answers rest on: asked over HTTP when a session becomes memory."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from processes import Gateway, wait_until

from tests.openai_server import ScriptedServer

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]


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
    wait_until(lambda: ok(gateway, "GetMemory", memory_id=shown)["shown"] == 1, 10, "it is noted as shown")
    ok(
        gateway, "WriteTurn", conversation_id="later", user_id="u1", user_query="周末去哪玩？",
        agent_response="玻璃桥就跳过吧，去湿地公园走走。",
    )  # fmt: skip
    ok(gateway, "FinalizeSessionMemory", conversation_id="later", wait_ms=20_000)
    memory = ok(gateway, "GetMemory", memory_id=shown)
    assert (memory["accesses"], round(memory["strength"], 6)) == (1, 1.3)
