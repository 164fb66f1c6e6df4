"""The hostile corpus over MCP: the same verdicts as over HTTP, through `/mcp` and through the stdio bridge."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from gateway.mcp.tools import NAMES
from memory.limits import (
    BODY_BYTES_MAX,
    JSON_DEPTH_MAX,
    JSON_KEYS_MAX,
    MCP_ENVELOPE_DEPTH,
    MCP_ENVELOPE_KEYS_MAX,
)
from tests.gateways import ROOT, Answer, GatewayProcess, clean_environment
from tests.hostile_corpus import BAD_IDS, CASES, GOOD_IDS, PLAIN_TEXTS, Case, conversation_of, turn
from tests.mcp_clients import call, post, verdict

TOOLS = {operation.name: tool for tool, operation in NAMES.items()}
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
LINES = [case for case in CASES if not case.headers and b"\n" not in case.body]
"""What can be said on one line, without headers."""


def wrapped(case: Case) -> bytes:
    """The case as the arguments of a tool, byte by byte. The limit of a body is that of the whole message."""
    head = b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "%b", "arguments": '
    head, end = head % TOOLS[case.operation].encode(), b"}}"
    surplus = len(head) + len(end)
    body = case.body[:-surplus] if case.body.endswith(b" " * surplus) else case.body
    return head + body + end


def expected(case: Case) -> tuple[int, str]:
    return case.status, "" if case.status == 200 else case.code


def check(answer: Answer, case: Case) -> None:
    document = answer.json()
    assert verdict(document) == expected(case), document
    if "error" in document and case.status != 200:
        assert document["error"]["code"] in {-32700, -32600, -32602}
    assert len(answer.body) < 20_000, "a refusal does not send back what it refuses"
    assert b"Traceback" not in answer.body


def state_of(gateway: GatewayProcess, conversation: str) -> str:
    return str(gateway.post("QueryMemoryContext", {"conversation_id": conversation}).json()["session_state"])


@EVERY_CASE
def test_verdict_is_that_of_http(open_gateway: GatewayProcess, case: Case) -> None:
    renamed = wrapped(case).replace(case.conversation.encode(), b"mcp-" + case.conversation.encode()[4:])
    check(post(open_gateway, renamed, case.headers), case)
    assert state_of(open_gateway, "mcp-" + case.conversation[4:]) == ("ACTIVE" if case.status == 200 else "NONE")


@pytest.fixture(scope="module")
def bridge(open_gateway: GatewayProcess) -> Iterator["subprocess.Popen[bytes]"]:
    """`anamnesis mcp`, spoken to line by line."""
    command = [sys.executable, "-m", "gateway.cli", "mcp", "--url", open_gateway.url]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=ROOT, env=clean_environment())
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("case", LINES, ids=lambda case: case.name)
def test_verdict_over_stdio_is_that_of_http(bridge: "subprocess.Popen[bytes]", case: Case) -> None:
    assert bridge.stdin is not None
    assert bridge.stdout is not None
    bridge.stdin.write(wrapped(case) + b"\n")
    bridge.stdin.flush()
    line = bridge.stdout.readline()
    assert verdict(json.loads(line)) == expected(case), line[:500]


@pytest.mark.parametrize("bad", BAD_IDS, ids=ascii)
def test_bad_id_is_refused_with_its_field(open_gateway: GatewayProcess, bad: Any) -> None:
    arguments = turn("x", conversation_id=bad)
    result = post(open_gateway, call("write_turn", arguments)).json()["result"]
    over_http = open_gateway.send("/v1/WriteTurn", json.dumps(arguments).encode()).json()
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == over_http


@pytest.mark.parametrize("odd", GOOD_IDS)
def test_odd_ids_are_ids_like_any_other(open_gateway: GatewayProcess, odd: str) -> None:
    asked = {"conversation_id": odd, "user_id": odd}
    result = post(open_gateway, call("query_memory_context", asked)).json()["result"]
    assert result["structuredContent"]["conversation_id"] == odd


@pytest.mark.parametrize("text", PLAIN_TEXTS, ids=ascii)
def test_text_in_the_syntax_of_a_store_is_data(open_gateway: GatewayProcess, text: str) -> None:
    name = f"mcp text {PLAIN_TEXTS.index(text)}"
    written = post(open_gateway, call("write_turn", turn(name, user_query=text))).json()
    assert verdict(written) == (200, "")
    asked = {"conversation_id": conversation_of(name)}
    result = post(open_gateway, call("query_memory_context", asked)).json()["result"]
    assert result["structuredContent"]["messages"][0] == {"role": "user", "content": text}


def test_large_whole_numbers_keep_every_digit(open_gateway: GatewayProcess) -> None:
    numbers = [2**53 + 1, -(2**63), 10**31 + 7]
    entities = {"conversation_id": "mcp-digits", "entities": {"numbers": numbers}}
    assert verdict(post(open_gateway, call("update_global_state", entities)).json()) == (200, "")
    session = post(open_gateway, call("get_session", {"conversation_id": "mcp-digits"})).json()["result"]
    assert session["structuredContent"]["session"]["global_state"]["entities"] == {"numbers": numbers}
    assert str(2**53 + 1) in session["content"][0]["text"]


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_envelope_may_nest_as_deep_as_its_arguments(open_gateway: GatewayProcess, more: int) -> None:
    depth = JSON_DEPTH_MAX + MCP_ENVELOPE_DEPTH + more
    meta = b'{"a": %b%b}' % (b"[" * (depth - 3), b"]" * (depth - 3))
    answer = post(open_gateway, b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": %b}}' % meta)
    assert ("result" in answer.json()) is (more <= 0)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_envelope_has_a_limit_of_keys(open_gateway: GatewayProcess, more: int) -> None:
    count = JSON_KEYS_MAX + MCP_ENVELOPE_KEYS_MAX + more
    meta = json.dumps({f"k{i}": 0 for i in range(count - 5)}).encode()  # five keys are around them
    answer = post(open_gateway, b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": %b}}' % meta)
    assert ("result" in answer.json()) is (more <= 0)


def test_line_over_the_limit_is_refused_and_the_next_is_answered(bridge: "subprocess.Popen[bytes]") -> None:
    assert bridge.stdin is not None
    assert bridge.stdout is not None
    bridge.stdin.write(b"x" * (3 * BODY_BYTES_MAX) + b"\n\n" + b'{"jsonrpc": "2.0", "id": 8, "method": "ping"}\n')
    bridge.stdin.flush()
    refused, answered = (json.loads(bridge.stdout.readline()) for _ in range(2))
    assert (refused["id"], verdict(refused)) == (None, (413, "too_large"))
    assert answered == {"jsonrpc": "2.0", "id": 8, "result": {}}
