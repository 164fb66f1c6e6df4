"""A whole gateway that reads and embeds by an endpoint: what reaches the endpoint, the disk and the log."""

import asyncio
import base64
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_privacy import CANARIES, TOLD, bytes_of, in_clear
from tests.gateways import run_command
from tests.openai_server import ScriptedServer
from tests.waiting import wait_until

KEY = base64.b64encode(b"k" * 64).decode()


def finds_the_mobile(sent: dict[str, Any]) -> str:
    """A model that copies what it is shown after 手机 into a fact."""
    data = json.loads(sent["messages"][1]["content"].removeprefix("<dialogue>\n").removesuffix("\n</dialogue>"))
    facts = [
        {
            "seq": message["seq"],
            "subject": "user",
            "predicate": "state",
            "object": message["text"].partition("手机")[2].partition("，")[0],
            "polarity": "+",
            "quote": message["text"].partition("，座机")[0],
            "importance": 0.5,
        }
        for message in data["messages"]
        if message["own"] and "手机" in message["text"]
    ]
    return json.dumps({"facts": facts, "events": [], "episodes": []})


@pytest.fixture
def endpoint() -> Iterator[ScriptedServer]:
    """A scripted endpoint on a thread of its own: the gateway asks it while it starts."""
    server = ScriptedServer(chat=finds_the_mobile)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    yield server
    asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_nothing_in_clear_leaves_for_endpoint_store_or_log_and_only_the_key_brings_it_back(
    endpoint: ScriptedServer, start: Callable[..., Any], tmp_path: Path
) -> None:
    environment = {
        "OPENAI_BASE_URL": endpoint.url,
        "OPENAI_API_KEY": "sk-test",
        "ANAMNESIS_MIND__PROVIDER": "openai",
        "ANAMNESIS_MIND__MODEL": "m",
        "ANAMNESIS_EMBEDDINGS__PROVIDER": "openai",
        "ANAMNESIS_EMBEDDINGS__MODEL": "e",
        "ANAMNESIS_PRIVACY__MODEL": '{"default": "redact"}',
        "ANAMNESIS_PRIVACY__STORE": '{"default": "pseudonym"}',
        "ANAMNESIS_PRIVACY__KEYS": json.dumps({"default": KEY}),
        "ANAMNESIS_LOG__LEVEL": "debug",
        "ANAMNESIS_FINALIZATION__HOLD_S": "2",
        "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.2",
    }
    gateway = start(environment=environment)
    for text in TOLD:
        turn = {"conversation_id": "c", "user_id": "u", "user_query": text, "agent_response": "好的"}
        assert gateway.post("WriteTurn", turn).status == 200
    gateway.post("FinalizeSessionMemory", {"conversation_id": "c"})
    state = {"conversation_id": "c"}
    wait_until(lambda: gateway.post("GetFinalization", state).json()["state"] == "ENDED")
    found = gateway.post("SearchMemories", {"user_id": "u", "query": f"{CANARIES['mobile']}是谁的", "mode": "keyword"})
    asked = gateway.post("SearchMemories", {"user_id": "u", "query": f"{CANARIES['mobile']}是谁的", "mode": "hybrid"})
    assert asked.json()["mode"] == "hybrid"

    (fact,) = [one for one in found.json()["memories"] if one["kind"] == "fact"]
    assert fact["object"].startswith("[mobile:")
    assert {request.path for request in endpoint.requests} == {"embeddings", "chat/completions"}
    sent = json.dumps([request.body for request in endpoint.requests], ensure_ascii=False)
    assert in_clear(sent.encode()) == []
    assert b"identifiers_replaced_total" in gateway.get("/metrics").body
    log = gateway.log_text()
    assert in_clear(log.encode()) == []
    assert KEY not in log
    gateway.stop()
    stored = b"".join(file.read_bytes() for file in gateway.folder.rglob("*sqlite3*"))
    assert stored
    assert in_clear(stored) == []
    assert in_clear(bytes_of(tmp_path)) == list(CANARIES), (
        "Valkey's append-only file has the session until it is rewritten"
    )

    back = run_command("pseudonyms", "reveal", environment=environment, stdin=json.dumps(fact) + "\n")
    assert json.loads(back.stdout)["object"] == CANARIES["mobile"]
    foreign = environment | {"ANAMNESIS_PRIVACY__KEYS": json.dumps({"default": KEY[::-1].replace("=", "") + "=="})}
    assert "[mobile:" in run_command("pseudonyms", "reveal", environment=foreign, stdin=json.dumps(fact) + "\n").stdout
