"""H1: every request, allowed or refused, is one entry of its tenant's audit, without a word of what was in it."""

import json
from collections import Counter
from typing import Any

import pytest

from gateway.auth import hash_key
from gateway.operations import OPERATIONS
from gateway.operations.operation import ADMIN, OPERATE, READ
from tests.gateways import GatewayProcess
from tests.http.conftest import Start
from tests.waiting import wait_until

NURSE, DESK, BOT, STRANGER = "ana_key_of_the_nurse", "ana_key_of_the_desk", "ana_key_of_the_bot", "ana_key_of_t2_admin"
CANARY = "canary7quartz"
MCP_ACCEPTS = "application/json, text/event-stream"
KEYS = [
    {
        "hash": hash_key(NURSE),
        "tenant": "t1",
        "scopes": ["read", "write", "erase", "admin", "operate"],
        "name": "nurse",
    },
    {"hash": hash_key(DESK), "tenant": "t1", "scopes": ["write"], "name": "desk"},
    {"hash": hash_key(BOT), "tenant": "t1", "scopes": ["read"], "name": "bot"},
    {"hash": hash_key(STRANGER), "tenant": "t2", "scopes": ["admin"], "name": "stranger"},
]
Entries = list[dict[str, Any]]


@pytest.fixture
def gateway(start: Start) -> GatewayProcess:
    return start(environment=environment())


def environment(**more: str) -> dict[str, str]:
    return {"ANAMNESIS_AUTH__KEYS": json.dumps(KEYS), "ANAMNESIS_EMBEDDINGS__PROVIDER": "none", **more}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


def audit(gateway: GatewayProcess, key: str = NURSE, **asked: Any) -> Entries:
    """All entries that fit, the oldest first; but for those of looking."""
    found, cursor = [], ""
    while True:
        answer = gateway.post("ListAudit", {"limit": 500, "cursor": cursor, **asked}, key=key)
        assert answer.status == 200, answer
        found += answer.json()["items"]
        cursor = answer.json()["cursor"]
        if not cursor:
            return [each for each in reversed(found) if each["operation"] != "ListAudit"]


def when_there_are(gateway: GatewayProcess, count: int, **asked: Any) -> Entries:
    """The same once there are so many; entries are written together, a moment behind the answers."""
    wait_until(lambda: len(audit(gateway, **asked)) >= count, f"{count} entries")
    found = audit(gateway, **asked)
    assert len(found) == count, found
    return found


def test_h1_every_operation_allowed_or_refused_is_one_entry(gateway: GatewayProcess) -> None:
    asked: Counter[tuple[str, str, int]] = Counter()
    for operation in OPERATIONS:
        if operation.name == "ListAudit":
            continue
        refused_to = DESK if operation.scope in {READ, ADMIN, OPERATE} else BOT
        body = {**operation.example, **({"user_id": CANARY} if "user_id" in operation.request.model_fields else {})}
        for name, key in (("nurse", NURSE), ("desk" if refused_to == DESK else "bot", refused_to)):
            status = gateway.post(operation.name, body, key=key).status
            asked[name, operation.name, status] += 1
            assert (status == 403) == (key != NURSE), operation.name
        assert gateway.post(operation.name, body, key="ana_key_of_nobody_at_all").status == 401
        assert gateway.post(operation.name, body).status == 401
    assert gateway.send("/v1/WriteTurn", b"{bad", bearer(NURSE)).status == 400
    asked["nurse", "WriteTurn", 400] += 1

    entries = when_there_are(gateway, asked.total())
    assert Counter((each["key"], each["operation"], each["status"]) for each in entries) == asked
    assert audit(gateway, STRANGER) == []


def test_no_entry_has_a_word_of_what_was_asked_or_answered(gateway: GatewayProcess) -> None:
    for operation in OPERATIONS:
        body = {name: CANARY if isinstance(value, str) else value for name, value in operation.example.items()}
        gateway.post(operation.name, body, key=NURSE)
    entries = when_there_are(gateway, sum(operation.name != "ListAudit" for operation in OPERATIONS))
    assert CANARY not in json.dumps([{**each, "user_id": ""} for each in entries])


def test_every_way_in_leaves_its_entry(gateway: GatewayProcess) -> None:
    call = {"name": "get_profile", "arguments": {"user_id": "ann"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    gateway.send("/mcp", json.dumps(message).encode(), {**bearer(BOT), "Accept": MCP_ACCEPTS})
    gateway.send("/graph/ann", b"", bearer(BOT), method="GET")
    page = {"Sec-Fetch-Site": "same-origin", "X-Anamnesis-Console": "1"}
    gateway.send("/console/session", json.dumps({"key": NURSE}).encode(), page)
    entries = when_there_are(gateway, 3)
    assert [(each["key"], each["operation"], each["status"]) for each in entries] == [
        ("bot", "GetProfile", 200),
        ("bot", "GetUserGraph", 200),
        ("nurse", "SignIn", 200),
    ]


@pytest.mark.parametrize(
    ("operation", "body"), [("ForgetMemory", {"user_id": "ann"}), ("ListUsers", {}), ("GetSettings", {})]
)
def test_what_takes_away_or_is_an_admins_is_kept_before_it_is_answered(
    start: Start, operation: str, body: dict[str, Any]
) -> None:
    gateway = start(environment=environment())
    assert gateway.post(operation, body, key=NURSE).status == 200
    gateway.kill()
    again = start(environment=environment())
    assert [each["operation"] for each in audit(again)] == [operation]


def test_what_was_answered_before_an_orderly_end_is_kept(start: Start) -> None:
    gateway = start(environment=environment())
    for number in range(20):
        assert gateway.post("GetProfile", {"user_id": f"user-{number}"}, key=BOT).status == 200
    gateway.stop()
    again = start(environment=environment())
    assert len(audit(again, user_id="user-19")) == 1
    assert len(audit(again)) == 20


@pytest.mark.parametrize(("level", "kept"), [("changes", ["WriteTurn"]), ("off", [])])
def test_a_deployment_may_keep_less(start: Start, level: str, kept: list[str]) -> None:
    gateway = start(environment=environment(ANAMNESIS_AUDIT__LEVEL=level))
    said = {"conversation_id": "c", "user_id": "ann", "user_query": "hi", "agent_response": "hello"}
    assert gateway.post("WriteTurn", said, key=NURSE).status == 200
    assert gateway.post("GetProfile", {"user_id": "ann"}, key=BOT).status == 200
    assert [each["operation"] for each in when_there_are(gateway, len(kept))] == kept


def test_an_entry_names_whom_it_was_about_until_they_are_forgotten(gateway: GatewayProcess) -> None:
    said = {"conversation_id": "c", "user_id": "ann", "user_query": "我对青霉素过敏。", "agent_response": "好的。"}
    assert gateway.post("WriteTurn", said, key=NURSE).status == 200
    assert gateway.post("QueryMemoryContext", {"conversation_id": "c"}, key=BOT).status == 200
    entries = when_there_are(gateway, 2, user_id="ann")
    assert [each["user_id"] for each in entries] == ["ann", "ann"]
    assert gateway.post("ForgetMemory", {"user_id": "ann"}, key=NURSE).status == 200
    entries = audit(gateway)
    assert [each["operation"] for each in entries] == ["WriteTurn", "QueryMemoryContext", "ForgetMemory"]
    assert not any("user_id" in each for each in entries)
    assert len(audit(gateway, user_id="ann")) == 2, "its conversation is known no more, but for its name"
    assert len(audit(gateway, conversation_id="c")) == 2
