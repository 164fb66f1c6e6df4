"""The hostile corpus against the HTTP face: what is refused leaves nothing behind, what is data stays data."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from memory.limits import BODY_BYTES_MAX
from tests.gateways import Answer, GatewayProcess, Wire, request_bytes
from tests.hostile_corpus import BAD_IDS, CASES, GOOD_IDS, PLAIN_TEXTS, Case, conversation_of, padded, turn

HEADERS_SENT = {
    "content-type",
    "content-length",
    "date",
    "server",
    "allow",
    "retry-after",
    "connection",
    "x-request-id",
}
REFUSED = [case for case in CASES if case.status != 200]
ACCEPTED = [case for case in CASES if case.status == 200]
HOW_HTTP_IS_BROKEN = {
    "no words": b"GARBAGE\r\n\r\n",
    "binary": bytes(range(256)) + b"\r\n\r\n",
    "TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 100,
    "no host": b"GET /live HTTP/1.1\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version 9.9": b"GET /live HTTP/9.9\r\nHost: x\r\n\r\n",
    "length in words": b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}",
    "negative length": b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "length beyond 64 bits": b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "two lengths": b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "length and chunks": (
        b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    "coding that is none": b"POST /v1/WriteTurn HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}",
    "NUL in a header": b"GET /live HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
    "space in a header's name": b"GET /live HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n",
    "header of 20 kB": b"GET /live HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    "path of 20 kB": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "1e4 headers": b"GET /live HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 10_000 + b"\r\n",
}


def check_problem(answer: Answer, status: int, code: str) -> dict[str, Any]:
    """A refusal is a problem document (RFC 9457), and nothing of the request stands in its headers."""
    assert answer.status == status, answer
    assert answer.media == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert set(problem) <= {"type", "title", "status", "detail", "code", "errors"}
    assert {name: type(problem[name]) for name in ("type", "title", "status", "detail", "code")} == {
        "type": str,
        "title": str,
        "status": int,
        "detail": str,
        "code": str,
    }
    assert (problem["status"], problem["code"]) == (status, code)
    assert all(set(error) == {"field", "message"} for error in problem.get("errors", []))
    assert set(answer.headers) <= HEADERS_SENT
    assert len(answer.body) < 20_000, "a refusal does not send back what it refuses"
    assert b"Traceback" not in answer.body
    return problem


def send(gateway: GatewayProcess, case: Case) -> Answer:
    return gateway.send(f"/v1/{case.operation}", case.body, case.headers)


def state_of(gateway: GatewayProcess, conversation: str) -> str:
    answer = gateway.post("QueryMemoryContext", {"conversation_id": conversation})
    assert answer.status == 200, answer
    return str(answer.json()["session_state"])


def post_text(gateway: GatewayProcess, operation: str, body: Mapping[str, Any]) -> Answer:
    """As `post`, but with everything beyond ASCII escaped: a lone surrogate can be sent only so."""
    return gateway.send(f"/v1/{operation}", json.dumps(body).encode())


def test_corpus_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_hostile_request_is_refused_and_leaves_nothing(open_gateway: GatewayProcess, case: Case) -> None:
    check_problem(send(open_gateway, case), case.status, case.code)
    assert state_of(open_gateway, case.conversation) == "NONE"
    assert open_gateway.get("/live").status == 200


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_odd_request_within_the_rules_is_accepted(open_gateway: GatewayProcess, case: Case) -> None:
    answer = send(open_gateway, case)
    assert answer.status == 200, answer
    assert state_of(open_gateway, case.conversation) == "ACTIVE"


@pytest.mark.parametrize("field", ["conversation_id", "user_id", "agent_code"])
@pytest.mark.parametrize("bad", BAD_IDS, ids=ascii)
def test_bad_id_is_refused_with_its_field(open_gateway: GatewayProcess, bad: Any, field: str) -> None:
    name = f"id {field} {BAD_IDS.index(bad)} {type(bad).__name__}"
    answer = post_text(open_gateway, "WriteTurn", turn(name, **{field: bad}))
    problem = check_problem(answer, 400, "invalid_input")
    assert [error["field"] for error in problem["errors"]] == [field]
    assert state_of(open_gateway, conversation_of(name)) == "NONE"


@pytest.mark.parametrize("odd", GOOD_IDS)
def test_odd_ids_are_ids_like_any_other(open_gateway: GatewayProcess, odd: str) -> None:
    query = f"what {odd} said"
    written = open_gateway.post(
        "WriteTurn", turn("x", conversation_id=odd, user_id=odd, agent_code=odd, user_query=query)
    )
    assert written.status == 200, written
    assert written.json()["turn_count"] == 1, "no other id meets this one in a key"
    context = open_gateway.post("QueryMemoryContext", {"conversation_id": odd, "user_id": odd}).json()
    assert context["conversation_id"] == odd
    assert [message["content"] for message in context["messages"]] == [query, "a"]


@pytest.mark.parametrize("text", PLAIN_TEXTS, ids=ascii)
def test_text_in_the_syntax_of_a_store_is_data(open_gateway: GatewayProcess, text: str) -> None:
    name = f"text {PLAIN_TEXTS.index(text)}"
    conversation, user = conversation_of(name), conversation_of(name)
    state = {"entities": {"value": text, text: "key"}, "slot": {text: text}, "current_intent": text}
    body = turn(name, user_id=user, agent_code="a", user_query=text, state=state, idempotency_key=text)
    written = open_gateway.post("WriteTurn", body)
    assert written.status == 200, written
    assert set(written.headers) <= HEADERS_SENT
    asked = {"conversation_id": conversation, "agent_code": "a", "query": text, "include": ["turns", "full_history"]}
    context = open_gateway.post("QueryMemoryContext", asked).json()
    assert context["messages"][0] == {"role": "user", "content": text}
    assert context["turns"][0]["content"] == text
    assert text in context["full_history"]
    session = open_gateway.post("GetSession", {"conversation_id": conversation, "agent_code": "a"}).json()["session"]
    assert session["global_state"]["entities"] == {"value": text, text: "key"}
    assert session["global_state"]["agent_slots"] == {"a": {text: text}}
    assert session["global_state"]["current_intent"] == text
    assert open_gateway.post("WriteTurn", body).json()["replayed"] is True


@pytest.mark.parametrize("text", [text for text in PLAIN_TEXTS if text.strip()], ids=ascii)
def test_text_in_the_syntax_of_a_store_is_data_in_a_profile(open_gateway: GatewayProcess, text: str) -> None:
    user = conversation_of(f"profile {PLAIN_TEXTS.index(text)}")
    open_gateway.post("UpsertFacts", {"user_id": user, "facts": {"allergies": [text]}})
    open_gateway.post("UpsertPreferences", {"user_id": user, "preferences": {text: text}, "name": text})
    profile = open_gateway.post("GetProfile", {"user_id": user}).json()
    assert profile["allergies"] == [text.strip()]
    assert profile["preferences"] == {text: text}
    assert profile["name"] == text


@pytest.mark.parametrize("operation", ["UpsertFacts", "UpsertPreferences"])
@pytest.mark.parametrize(
    "fields",
    [
        {"facts": {"allergies": [" "]}},
        {"facts": {"allergies": [""]}},
        {"facts": {"allergies": "penicillin"}},
        {"facts": {"allergies": [None]}},
        {"facts": {"salary": ["1"]}},
        {"preferences": ["a"]},
        {"preferences": {"": 1}},
        {"name": ""},
        {"facts": {}, "preferences": {}, "x": 1},
    ],
    ids=str,
)
def test_bad_profile_is_refused_and_leaves_nothing(
    open_gateway: GatewayProcess, operation: str, fields: Mapping[str, Any]
) -> None:
    user = "hostile-profile"
    check_problem(open_gateway.post(operation, {"user_id": user} | fields), 400, "invalid_input")
    assert open_gateway.post("GetProfile", {"user_id": user}).json()["version"] == 0


def test_large_whole_numbers_keep_every_digit(open_gateway: GatewayProcess) -> None:
    numbers = [2**53 + 1, -(2**63), 10**31 + 7]
    open_gateway.post("UpdateGlobalState", {"conversation_id": "hostile-digits", "entities": {"numbers": numbers}})
    session = open_gateway.post("GetSession", {"conversation_id": "hostile-digits"}).json()["session"]
    assert session["global_state"]["entities"] == {"numbers": numbers}


def test_body_over_the_limit_in_chunks_is_refused(open_gateway: GatewayProcess) -> None:
    body = padded("chunks", BODY_BYTES_MAX + 1)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:100], body[100:]))
    with Wire(open_gateway.port) as wire:
        headers = {"Content-Length": "", "Transfer-Encoding": "chunked"}
        wire.send(request_bytes("/v1/WriteTurn", b"", headers) + chunks + b"0\r\n\r\n")
        answer = wire.read()
    assert answer is not None
    check_problem(answer, 413, "too_large")
    assert state_of(open_gateway, conversation_of("chunks")) == "NONE"


def test_body_in_chunks_of_one_byte_is_accepted(open_gateway: GatewayProcess) -> None:
    body = padded("small chunks", 300)
    chunks = b"".join(b"1\r\n%b\r\n" % body[i : i + 1] for i in range(len(body)))
    with Wire(open_gateway.port) as wire:
        headers = {"Content-Length": "", "Transfer-Encoding": "chunked"}
        wire.send(request_bytes("/v1/WriteTurn", b"", headers) + chunks + b"0\r\n\r\n")
        answer = wire.read()
    assert answer is not None
    assert answer.status == 200, answer


def test_body_that_claims_a_terabyte_is_refused_before_it_comes(open_gateway: GatewayProcess) -> None:
    with Wire(open_gateway.port, timeout_s=5) as wire:
        wire.send(request_bytes("/v1/WriteTurn", b"{", {"Content-Length": str(10**12)}))
        answer = wire.read()
    assert answer is not None
    check_problem(answer, 413, "too_large")


def test_expected_continue_is_sent_before_the_body_comes(open_gateway: GatewayProcess) -> None:
    body = padded("expected continue", 300)
    request = request_bytes("/v1/WriteTurn", body, {"Expect": "100-continue"})
    with Wire(open_gateway.port, timeout_s=3) as wire:
        wire.send(request[: -len(body)])
        first = wire.read()
        wire.send(body)
        second = wire.read()
    assert [answer and answer.status for answer in (first, second)] == [100, 200]


def test_unknown_expectation_is_ignored_or_refused_as_a_problem(open_gateway: GatewayProcess) -> None:
    answer = open_gateway.send("/v1/WriteTurn", padded("a miracle", 300), {"Expect": "a-miracle"})
    if answer.status != 200:
        check_problem(answer, 417, "expectation_failed")


@pytest.mark.parametrize("path", ["/v1/GetProfile", "/mcp"])
def test_length_with_thousands_of_zeros_is_that_length(open_gateway: GatewayProcess, path: str) -> None:
    body = b'{"user_id": "zeros"}'
    logged = open_gateway.log_size()
    answer = open_gateway.send(path, body, {"Content-Length": "0" * 5000 + str(len(body))})
    assert answer.status == (200 if path == "/v1/GetProfile" else 400)
    assert "Traceback" not in open_gateway.log_text(logged)


def test_absolute_target_is_the_same_as_its_path(open_gateway: GatewayProcess) -> None:
    body = json.dumps({"user_id": "absolute"}).encode()
    assert open_gateway.send("http://gateway.example/v1/GetProfile", body).status == 200  # RFC 9112, 3.2.2
    assert open_gateway.send("/v1/GetProfile?trace=1", body).status == 200


@pytest.mark.parametrize("raw", HOW_HTTP_IS_BROKEN.values(), ids=HOW_HTTP_IS_BROKEN.keys())
def test_malformed_http_is_answered_with_a_problem(open_gateway: GatewayProcess, raw: bytes) -> None:
    logged = open_gateway.log_size()
    with Wire(open_gateway.port, timeout_s=5) as wire:
        wire.send(raw)
        answer = wire.read()
        assert answer is not None
        check_problem(answer, 400, "invalid_input")
        assert wire.closed()
    assert open_gateway.get("/live").status == 200
    assert "Traceback" not in open_gateway.log_text(logged)


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/", "/v1/Nothing", "/v1/WriteTurn/", "/v1/writeturn", "/v1/../v1/WriteTurn", "/docs/../x.yaml",
     "/docs/%2e%2e/index.html", "/docs/nothing.js", "/%0d%0aX-Injected:%201", "/%00", "/%ff", "/v1/WriteTurn%00",
     "/.env", "//evil.example/"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_unknown_path_is_not_found(open_gateway: GatewayProcess, method: str, path: str) -> None:
    check_problem(open_gateway.send(path, b"{}", method=method), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_operation_by_another_method_is_refused_with_allow(open_gateway: GatewayProcess, method: str) -> None:
    answer = open_gateway.send("/v1/WriteTurn", headers={"Content-Length": "0"}, method=method)
    assert answer.headers["allow"] == "POST"
    if method == "HEAD":
        assert answer.status == 405
    else:
        check_problem(answer, 405, "method_not_allowed")


@pytest.mark.parametrize("path", ["/v1/WriteTurn", "/nowhere", "/live", "/docs"])
def test_head_is_answered_without_a_body(open_gateway: GatewayProcess, path: str) -> None:
    head = request_bytes(path, headers={"Content-Type": "", "Content-Length": ""}, method="HEAD")
    with Wire(open_gateway.port) as wire:
        wire.send(head)
        assert wire.read(method="HEAD") is not None
        wire.send(request_bytes("/v1/GetProfile", b'{"user_id": "head"}'))
        answer = wire.read()
    assert answer is not None
    assert answer.json()["user_id"] == "head", "what follows a HEAD is the next answer"


@pytest.mark.parametrize("path", ["/live", "/health", "/metrics", "/openapi.json", "/docs", "/docs/docs.js"])
def test_page_by_post_is_refused_with_allow(open_gateway: GatewayProcess, path: str) -> None:
    answer = open_gateway.send(path, b"{}")
    check_problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD"


def test_gateway_serves_after_the_whole_corpus(open_gateway: GatewayProcess) -> None:
    logged = open_gateway.log_size()
    for case in CASES:
        assert send(open_gateway, case).status == case.status, case.name
    assert open_gateway.healthy()
    answer = open_gateway.post("WriteTurn", turn("after the corpus"))
    assert answer.status == 200
    assert "Traceback" not in open_gateway.log_text(logged)
