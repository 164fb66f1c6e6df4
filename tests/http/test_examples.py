"""The examples run as a stranger would run them: as they stand, against a gateway and an OpenAI-compatible endpoint."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.gateways import ROOT, GatewayProcess, clean_environment
from tests.http.conftest import Start
from tests.openai_server import ScriptedServer

EXAMPLES = ROOT / "examples"
CODE_LINES_MAX = 15


@pytest.fixture
async def model() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer(chat=lambda body: f"answer {len(body['messages'])}") as server:
        yield server


async def run(command: list[str], gateway: GatewayProcess, model: ScriptedServer, said: str = "") -> str:
    """What an example prints, told where gateway and model are as its reader would tell it."""
    own: Mapping[str, str] = {
        "ANAMNESIS_URL": gateway.url, "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "sk-none", "PYTHONUTF8": "1",
    }  # fmt: skip
    done = await asyncio.create_subprocess_exec(
        *command, stdin=-1, stdout=-1, stderr=-1, env=clean_environment() | own, cwd=EXAMPLES
    )
    out, err = await done.communicate(said.encode())
    assert (done.returncode, err.decode()) == (0, "")
    return out.decode()


def sent(model: ScriptedServer) -> list[list[dict[str, Any]]]:
    return [request.body["messages"] for request in model.requests]


def assert_question_is_last_and_once(model: ScriptedServer, questions: list[str]) -> None:
    """System prompt and context first, then what was said, then the question."""
    said: list[dict[str, Any]] = []
    for question, messages in zip(questions, sent(model), strict=True):
        assert messages[0]["role"] == "system"
        assert messages[1:-1] == said
        assert messages[-1] == {"role": "user", "content": question}
        said += [messages[-1], {"role": "assistant", "content": f"answer {len(messages)}"}]


async def test_python_bot_sends_what_was_said_and_the_question_last(start: Start, model: ScriptedServer) -> None:
    gateway = start()
    questions = ["我头痛三天了，对青霉素过敏", "38.5度", "能吃阿莫西林吗？"]
    printed = await run([sys.executable, "bot.py"], gateway, model, "\n".join([*questions, "", ""]))
    assert printed == "> answer 2\n> answer 4\n> answer 6\n> "
    assert_question_is_last_and_once(model, questions)
    facts = {"user_id": "user_1", "facts": {"allergies": ["青霉素"]}}
    assert gateway.post("UpsertFacts", facts).status == 200
    await run([sys.executable, "bot.py"], gateway, model, "我该看哪个科？\n\n")
    assert "青霉素" in sent(model)[-1][0]["content"], "safety facts stand in the system prompt"


async def test_curl_bot_sends_what_was_said_and_the_question_last(start: Start, model: ScriptedServer) -> None:
    if shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    gateway = start()
    questions = ["我头痛三天了", 'it\'s 38.5, "really" $HOME']
    printed = [await run(["./bot.sh", question], gateway, model) for question in questions]
    assert printed == ["answer 2\n", "answer 4\n"]
    assert_question_is_last_and_once(model, questions)


async def test_agents_share_entities_keep_slots_and_ask_before_they_act(start: Start, model: ScriptedServer) -> None:
    gateway = start()
    printed = await run([sys.executable, "agents.py"], gateway, model)
    agents = [line.partition(":")[0] for line in printed.splitlines() if "_agent:" in line]
    assert agents == ["triage_agent", "medication_agent", "booking_agent", "booking_agent"]
    assert "[book_appointment {'department': '神经内科', 'reason': '我头痛三天了'}]" in printed
    triage, medication, booking, booked = (messages[0]["content"] for messages in sent(model))
    assert all("过敏史：青霉素" in prompt for prompt in (triage, medication, booking, booked))
    assert "神经内科" in medication, "what one agent finds every agent sees"
    assert "how long" not in medication + booking, "a slot is its agent's own"
    assert "book_appointment" not in booking
    assert "book_appointment" in booked, "what waits for the user's word is there in the next turn"
    session = gateway.post("GetSession", {"conversation_id": "conv_1", "agent_code": "triage_agent"}).json()["session"]
    state = session["global_state"]
    assert state["entities"]["booked"] is True
    assert state["agent_slots"] == {"triage_agent": {"asked": ["how long", "fever"]}}
    assert "pending_action" not in state


def called(name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool as a model's endpoint answers it."""
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": f"call_{name}", "type": "function", "function": function}


def script(body: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """A model that keeps two memories, joins them, and looks them up when it is asked why."""
    last = body["messages"][-1]
    if last["role"] == "tool":
        return last["content"]
    if "为什么" in last["content"]:
        return {"tool_calls": [called("search_memories", query="用户为什么很困", expand_depth=1)]}
    told = {"subject": "用户", "memory_type": "事件"}
    return {
        "tool_calls": [
            called("create_memory", **told, topic="失眠", attributes={"时间": "昨晚"}, object=None),
            called("create_memory", **told, topic="很困", importance="0.5"),
            called(
                "link_memories",
                source_memory_description="我失眠",
                target_memory_description="我很困",
                relation_type="导致",
            ),
        ]
    }


async def test_a_model_keeps_and_joins_memories_by_tools_and_finds_them_by_the_link(start: Start) -> None:
    gateway = start()
    async with ScriptedServer(chat=script) as model:
        printed = await run([sys.executable, "tools.py"], gateway, model, "昨晚失眠了，所以很困\n我为什么这么困？\n\n")
    kept, found = (json.loads(line) for line in printed.removeprefix("> ").removesuffix("> ").split("\n> "))
    assert kept["relation"] == "causes"
    by_topic = {each.get("predicate"): each for each in found["memories"]}
    assert (by_topic["很困"]["distance"], by_topic["失眠"]["distance"]) == (0, 1)
    assert by_topic["失眠"]["path"][1] == kept["link_id"]
    assert model.requests[0].body["tools"][0]["function"]["name"] == "create_memory"
    assert "何时用哪个工具" in model.requests[0].body["messages"][0]["content"]


@pytest.mark.parametrize("name", ["bot.py", "bot.sh"])
def test_bot_is_as_short_as_it_is_said_to_be(name: str) -> None:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.startswith(('"""', "#", "import", "from"))]
    assert len(code) <= CODE_LINES_MAX


def test_bots_are_those_of_the_page() -> None:
    """The page shows the file itself."""
    page = (ROOT / "docs" / "bot.md").read_text(encoding="utf-8")
    assert (EXAMPLES / "bot.py").read_text(encoding="utf-8").partition('"""\n\n')[2] in page


def test_examples_are_all_run_here() -> None:
    assert sorted(path.name for path in EXAMPLES.iterdir()) == ["agents.py", "bot.py", "bot.sh", "tools.py"]
    assert os.access(EXAMPLES / "bot.sh", os.X_OK)
    assert Path(EXAMPLES / "bot.sh").read_text(encoding="utf-8").startswith("#!")
