"""Who may do what (F1), generated from the table of operations; and what a body must not decide (F9)."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gateway.operations import OPERATIONS, SCOPES, WATCHES, Operation
from tests.gateways import Answer, GatewayProcess, run_command
from tests.http.conftest import Keys, Start
from tests.http.test_faces import NOTHING_TO_DO, STATUS

CANARY = "canary-7f3a"
EVERY_OPERATION = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
LOWER_KEY = {"write": "reader", "erase": "writer", "admin": "writer", "operate": "admin"}
"""The last is not lower, but of a tenant: what all tenants share is none of its business."""
"""The name of a key that just lacks the scope. Every key may read, so reading has none."""
_FACT = re.compile(r'"(fact_id|memory_id)":"[0-9a-f-]{36}"')
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_TOOK = re.compile(r'"(?:took_ms|retrieval_time_ms)": ?[\d.]+')
_LAST_USED = re.compile(r',? ?"last_used_at": ?"TIME"')
"""Of one's own keys: noted behind the answer before."""
_EPOCH = re.compile(r'"updated_at": ?\d+')


def example_for(operation: Operation, name: str) -> dict[str, Any]:
    """The example of an operation, about a conversation, a user and a memory of that name."""
    fields = operation.request.model_fields
    about = [field for field in ("conversation_id", "user_id") if field in fields]
    if "memory_id" in fields and "conversation_id" not in operation.example:
        about.append("memory_id")
    return operation.example | dict.fromkeys(about, name)


def answered(answer: Answer, name: str) -> tuple[int, str]:
    """An answer without what differs from one conversation or second to another."""
    text = _FACT.sub('"an_id":"ID"', answer.body.decode().replace(name, "NAME"))
    text = _LAST_USED.sub("", _TIME.sub("TIME", text))
    return answer.status, _TOOK.sub('"took":0', _EPOCH.sub('"updated_at": 0', text))


def write_everything(gateway: GatewayProcess, key: str, name: str) -> None:
    """Leave a trace of a conversation and its user wherever the product keeps one."""
    ids = {"conversation_id": name, "user_id": name}
    said = {"user_query": f"{CANARY} asks", "agent_response": f"{CANARY} answers", "agent_code": "triage_agent"}
    state = {"entities": {"secret": CANARY}, "slot": {"secret": CANARY}, "current_intent": CANARY}
    for operation, body in (
        ("UpsertFacts", {"user_id": name, "facts": {"allergies": [CANARY]}}),
        ("UpsertPreferences", {"user_id": name, "preferences": {"secret": CANARY}, "name": CANARY}),
        ("WriteTurn", ids | said),
        ("FinalizeSessionMemory", {"conversation_id": name, "summary": CANARY, "wait_ms": 10_000}),
        ("WriteTurn", ids | said | {"state": state}),
        ("CheckpointShortMemory", {"conversation_id": name, "summary": CANARY}),
    ):
        answer = gateway.post(operation, body, key=key)
        assert answer.status == 200, answer


def seen_by_owner(gateway: GatewayProcess, key: str, name: str) -> list[bytes]:
    """What the tenant itself reads of a conversation and its user."""
    asked = {"conversation_id": name, "user_id": name, "include": ["turns", "full_history"]}
    reads = (
        ("QueryMemoryContext", asked),
        ("GetFinalization", {"conversation_id": name}),
        ("GetProfile", {"user_id": name}),
    )
    return [gateway.post(operation, body, key=key).body for operation, body in reads]


@EVERY_OPERATION
def test_operation_needs_one_of_the_scopes(operation: Operation) -> None:
    assert operation.scope in SCOPES


@EVERY_OPERATION
def test_operation_without_a_key_is_unauthorized(keyed_gateway: GatewayProcess, operation: Operation) -> None:
    answer = keyed_gateway.post(operation.name, operation.example)
    assert (answer.status, answer.json()["code"]) == (401, "unauthorized")


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "{key}", "Basic {key}", "Bearer: {key}", "Bearer {key}, Bearer {key}", "Bearer {key}x",
     "Bearer x{key}", "Bearer {KEY}", "Bearer " + "k" * 8000, "Bearer \xff\xfe", "Token {key}", "Bearer null"],
    ids=lambda header: ascii(header[:24]),
)  # fmt: skip
@EVERY_OPERATION
def test_operation_with_a_malformed_or_unknown_key_is_unauthorized(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation, header: str
) -> None:
    header = header.replace("{key}", keys.admin).replace("{KEY}", keys.admin.upper())
    answer = keyed_gateway.post(operation.name, operation.example, authorization=header)
    assert (answer.status, answer.json()["code"]) == (401, "unauthorized")
    assert keys.admin.encode() not in answer.body


@EVERY_OPERATION
def test_operation_with_a_revoked_key_is_unauthorized(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation
) -> None:
    revoked = keyed_gateway.post(operation.name, operation.example, key=keys.revoked)
    unknown = keyed_gateway.post(operation.name, operation.example, key="ana_nobody_knows_this_one")
    assert revoked.status == 401
    assert revoked.body == unknown.body, "a key that once was is like one that never was"


@EVERY_OPERATION
def test_operation_with_a_key_of_lower_scope_is_forbidden(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation
) -> None:
    if operation.scope not in LOWER_KEY:
        assert operation.scope == "read"
        return
    answer = keyed_gateway.post(operation.name, operation.example, key=getattr(keys, LOWER_KEY[operation.scope]))
    assert (answer.status, answer.json()["code"]) == (403, "forbidden")
    assert f"scope {operation.scope!r}" in answer.json()["detail"]


def key_of(operation: Operation, keys: Keys) -> str:
    """A key that has the scope of an operation."""
    return {
        "read": keys.reader,
        "write": keys.writer,
        "erase": keys.eraser,
        "admin": keys.admin,
        "operate": keys.operator,
    }[operation.scope]


@EVERY_OPERATION
def test_operation_with_the_key_of_who_operates_alone_is_forbidden(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation
) -> None:
    if operation.scope == "operate":
        return
    answer = keyed_gateway.post(operation.name, operation.example, key=keys.operator)
    assert (answer.status, answer.json()["code"]) == (403, "forbidden")


@EVERY_OPERATION
def test_operation_with_the_key_of_its_scope_is_let_in(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation
) -> None:
    key = key_of(operation, keys)
    for let_in in (key, key if operation.scope == "operate" else keys.admin):
        answer = keyed_gateway.post(operation.name, example_for(operation, "let-in"), key=let_in)
        assert answer.status in {200, STATUS[NOTHING_TO_DO.get(operation.name, "not_found")]}, answer


@EVERY_OPERATION
def test_other_tenant_gets_the_answer_of_what_does_not_exist(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation
) -> None:
    name, nobody = f"theirs-{operation.name}", f"nobody-{operation.name}"
    write_everything(keyed_gateway, keys.admin, name)
    before = seen_by_owner(keyed_gateway, keys.admin, name)
    assert all(CANARY.encode() in body for body in (before[0], before[2]))
    answer = keyed_gateway.post(operation.name, example_for(operation, name), key=keys.other_admin)
    of_nobody = keyed_gateway.post(operation.name, example_for(operation, nobody), key=keys.other_admin)
    assert CANARY.encode() not in answer.body
    assert answered(answer, name) == answered(of_nobody, nobody)
    assert seen_by_owner(keyed_gateway, keys.admin, name) == before


@EVERY_OPERATION
@pytest.mark.parametrize("field", ["tenant", "tenant_id", "status", "strength", "provenance", "scopes"])
def test_field_that_a_caller_must_not_decide_is_refused(
    keyed_gateway: GatewayProcess, keys: Keys, operation: Operation, field: str
) -> None:
    body = example_for(operation, "decides") | {field: "t2"}
    answer = keyed_gateway.post(operation.name, body, key=key_of(operation, keys))
    assert (answer.status, answer.json()["code"]) == (400, "invalid_input")
    assert answer.json()["errors"] == [{"field": field, "message": "unknown field"}]


@pytest.mark.parametrize("headers", [{"X-Tenant": "t1"}, {"X-Forwarded-User": "t1"}, {"Cookie": "tenant=t1"}], ids=str)
def test_header_does_not_choose_the_tenant(
    keyed_gateway: GatewayProcess, keys: Keys, headers: Mapping[str, str]
) -> None:
    write_everything(keyed_gateway, keys.admin, "by-header")
    body = b'{"conversation_id": "by-header", "user_id": "by-header"}'
    headers = {"Authorization": f"Bearer {keys.other_writer}"} | dict(headers)
    answer = keyed_gateway.send("/v1/QueryMemoryContext?tenant=t1", body, headers)
    assert answer.json()["session_state"] == "NONE"
    assert CANARY.encode() not in answer.body


def test_key_is_checked_before_the_body_is_read(keyed_gateway: GatewayProcess) -> None:
    answer = keyed_gateway.send("/v1/WriteTurn", b"not JSON")
    assert answer.status == 401


@pytest.mark.parametrize("path", ["/live", "/health", "/metrics", "/openapi.json", "/docs"])
def test_page_needs_no_key(keyed_gateway: GatewayProcess, path: str) -> None:
    assert keyed_gateway.get(path).status == 200


def test_keys_are_not_in_log_metrics_or_health(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    keyed_gateway.post("GetProfile", {"user_id": "u"}, key=keys.reader)
    keyed_gateway.post("GetProfile", {"user_id": "u"}, key="ana_wrong_key_of_somebody")
    shown = keyed_gateway.log_text().encode() + keyed_gateway.get("/metrics").body + keyed_gateway.get("/health").body
    assert b"ana_" not in shown


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "gateway.example"])  # noqa: S104 - it is refused
def test_open_gateway_on_a_public_address_refuses_to_start(tmp_path: Path, host: str) -> None:
    done = run_command("serve", "--host", host, "--port", "0", "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert "anamnesis new-key" in done.stderr
    assert "auth.keys" in done.stderr
    assert host in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing was started or written"


def test_keyed_gateway_may_listen_on_every_address(start: Start, keys: Keys) -> None:
    environment = {"ANAMNESIS_AUTH__KEYS": keys.entries()}
    gateway = start("public", "--host", "0.0.0.0", environment=environment)  # noqa: S104 - for a moment, with keys
    assert gateway.post("GetProfile", {"user_id": "u"}).status == 401
    assert gateway.post("GetProfile", {"user_id": "u"}, key=keys.reader).status == 200


PAGES = (
    {"Origin": "https://evil.example"},
    {"Origin": "http://evil.example", "Host": "evil.example"},
    {"Origin": "http://127.0.0.1.evil.example:8077"},
    {"Origin": "null"},
    {"Host": "evil.example", "User-Agent": "Mozilla/5.0 (Windows NT 10.0; rv:60.0) Gecko/20100101 Firefox/60.0"},
)
"""What a browser sends with a POST from a page of another site; the second: whose name means 127.0.0.1 by now.
The last: a browser of before origins were named."""
NAMES = ({"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example:8077"})
HERE = ({"Host": "localhost:1234"}, {"Host": "[::1]:8077"}, {"Host": "127.0.0.1"}, {"Origin": "http://localhost:6274"})
WAYS = [operation.also for operation in OPERATIONS if operation.also] + [("GET", watch.path) for watch in WATCHES]


@pytest.mark.parametrize("headers", PAGES, ids=str)
@EVERY_OPERATION
def test_page_of_another_site_is_refused_by_a_gateway_without_keys(
    open_gateway: GatewayProcess, operation: Operation, headers: Mapping[str, str]
) -> None:
    """DNS rebinding: a page whose name now means 127.0.0.1 asks through its visitor's browser."""
    answer = open_gateway.send(operation.path, json.dumps(operation.example).encode(), headers)
    assert (answer.status, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    ("way", "headers"),
    [(way, headers) for way in WAYS for headers in ((*PAGES, *NAMES) if way[0] == "GET" else PAGES)],
    ids=str,
)
def test_page_of_another_site_is_refused_by_second_ways_too(
    open_gateway: GatewayProcess, way: tuple[str, str], headers: Mapping[str, str]
) -> None:
    """A page's GET need not name its origin: then its host tells."""
    method, path = way
    answer = open_gateway.send(
        path.replace("{user_id}", "u"), b"{}" if method == "POST" else b"", headers, method=method
    )
    assert (answer.status, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("headers", NAMES, ids=str)
def test_program_may_call_the_host_what_it_likes(open_gateway: GatewayProcess, headers: Mapping[str, str]) -> None:
    assert open_gateway.send("/v1/GetProfile", b'{"user_id": "u"}', headers).status == 200


@pytest.mark.parametrize("headers", HERE, ids=str)
def test_names_of_this_machine_are_let_in_without_keys(
    open_gateway: GatewayProcess, headers: Mapping[str, str]
) -> None:
    assert open_gateway.send("/v1/GetProfile", b'{"user_id": "u"}', headers).status == 200
    assert open_gateway.send("/session-status/u", b"", headers, method="GET").status == 200


@pytest.mark.parametrize("headers", [*PAGES, *NAMES], ids=str)
def test_gateway_with_keys_may_stand_behind_any_name(
    keyed_gateway: GatewayProcess, keys: Keys, headers: Mapping[str, str]
) -> None:
    headers = {"Authorization": f"Bearer {keys.reader}"} | dict(headers)
    assert keyed_gateway.send("/v1/GetProfile", b'{"user_id": "u"}', headers).status == 200


@pytest.mark.parametrize("path", ["/live", "/health", "/metrics"])
def test_page_for_a_probe_answers_by_any_name(open_gateway: GatewayProcess, path: str) -> None:
    assert open_gateway.send(path, b"", {"Host": "evil.example"}, method="GET").status == 200
