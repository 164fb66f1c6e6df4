"""The pages for newcomers: their commands run as they stand, against a gateway, and do what they say."""

import json
import re
import subprocess

import pytest

from tests.gateways import ROOT, GatewayProcess
from tests.waiting import wait_until

BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def blocks(page: str) -> list[str]:
    return BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))


def run(gateway: GatewayProcess, block: str) -> list[str]:
    """The output of a block; one line of JSON for each answer."""
    text = block.replace("http://127.0.0.1:8077", gateway.url).replace("curl -s ", "curl -s -w '\\n' ")
    done = subprocess.run(["bash", "-euc", text], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(("page", "number"), [("bot.md", 8), ("brain.md", 5), ("agents.md", 5), ("graph.md", 6)])
def test_page_has_the_commands_that_are_tested(page: str, number: int) -> None:
    assert len(blocks(page)) == number


def test_bot_page_leads_to_the_allergy_in_another_conversation(open_gateway: GatewayProcess) -> None:
    answers = [json.loads(run(open_gateway, block)[0]) for block in blocks("bot.md")]
    written, context, checkpoint, ended, later, marked, waiting, users = answers
    assert set(waiting) == {"items", "cursor", "counts"}
    assert "user_bot" in [each["user_id"] for each in users["items"]], "who was active a moment ago"
    assert [each["outcome"] for each in marked["results"]] == ["unknown"], "the page names an id of nobody"
    assert written["turn_count"] == 1
    assert context["messages"][0]["content"].startswith("我头痛三天了")
    assert checkpoint["mode"] == "SUMMARY_N"
    assert ended["state"] == "ENDED"
    assert later["safety"]["allergies"] == ["青霉素"]
    assert "青霉素" in later["context"].splitlines()[0]


def test_agents_page_leads_to_an_appointment_that_the_patient_said_yes_to(open_gateway: GatewayProcess) -> None:
    answers = [json.loads(run(open_gateway, block)[0]) for block in blocks("agents.md")]
    triage, asked, proposed, waiting, booked = answers
    assert [answer["rev"] for answer in (triage, proposed, booked)] == [1, 2, 3]
    seen = asked["session"]["global_state"]
    assert seen["entities"] == {"symptom_summary": "头痛三天", "target_dept": "神经内科"}
    assert seen["current_intent"] == "find a department"
    assert "agent_slots" not in seen, "the slot of the triage agent is its own"
    action = waiting["session"]["global_state"]["pending_action"]
    assert (action["tool_name"], action["reason"]) == ("book_appointment", "waits for the patient's yes")
    state = open_gateway.post("GetSession", {"conversation_id": "conv_agents"}).json()["session"]["global_state"]
    assert state["entities"]["booked"] is True
    assert "pending_action" not in state


def test_graph_page_leads_from_why_to_the_reason(open_gateway: GatewayProcess) -> None:
    answers = [json.loads(run(open_gateway, block)[0]) for block in blocks("graph.md")]
    reason, state, link, searched, way, drawn = answers
    assert reason["memory"]["attributes"] == {"时间": "2025-11-04 夜间"}
    assert link["source_memory_id"] == reason["memory_id"]
    assert searched["searched"]["went_deep"]
    assert [(each["predicate"], each["distance"]) for each in searched["memories"]] == [("身体状态", 0), ("失眠", 1)]
    assert [step["link_id"] for step in way["paths"][0]["steps"]] == [link["link_id"]]
    assert state["memory"]["text"] == "用户身体状态：很困（时间：2025-11-05）"
    assert '-->|"导致"|' in drawn["text"]


def test_brain_page_leads_to_the_daughter(open_gateway: GatewayProcess) -> None:
    first, told, session, asked, shown = blocks("brain.md")
    assert json.loads(run(open_gateway, first)[0])["memories"] == []
    assert len(run(open_gateway, told)) == 4
    status, ending = map(json.loads, run(open_gateway, session))
    assert (status["session_info"]["event_count"], ending["session_info"]["event_count"]) == (5, 5)

    def in_memory() -> bool:
        answer = open_gateway.get("/session-status/user_001").json()
        return bool(answer["state"] == "ended")

    wait_until(in_memory, "the session is in memory")
    found = json.loads(run(open_gateway, asked)[0])
    assert found["memories"][0]["content"] == "灿灿是我的女儿，今年5岁，喜欢画画"
    assert {"source": "小朱", "relation": "女儿", "target": "灿灿"} in found["relations"]
    steps, *drawing = run(open_gateway, shown)
    assert json.loads(steps)["steps"]
    assert drawing[0] == "graph LR"
