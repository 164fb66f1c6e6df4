"""Every operation as an MCP tool: called by the official client over HTTP and over stdio, and by plain requests."""

import json
import socket
from collections.abc import Mapping
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from gateway.client import METHODS
from gateway.mcp.tools import NAMES
from gateway.operations import Operation
from tests.gateways import GatewayProcess, request_bytes
from tests.http.conftest import Keys, Start
from tests.http.test_faces import NOTHING_TO_DO, example_of
from tests.mcp_clients import call, message, over_http, over_stdio, post, problem_of, session_of, verdict
from tests.waiting import wait_until

EVERY_FACE = pytest.mark.parametrize("face", ["http", pytest.param("stdio", marks=pytest.mark.long)])
TURN = {"conversation_id": "mcp", "user_id": "u", "user_query": "q", "agent_response": "a"}
PROCESSES = 3


def counted(gateway: GatewayProcess, operation: str, status: int) -> float:
    start = f'anamnesis_requests_total{{operation="{operation}",status="{status}"}}'
    lines = gateway.get("/metrics").body.decode().splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(start)), 0.0)


def allowed(operation: Operation, scopes: set[str]) -> bool:
    return operation.scope in scopes or "admin" in scopes


@EVERY_FACE
async def test_official_client_lists_and_calls_every_tool(open_gateway: GatewayProcess, face: str) -> None:
    async with session_of(face, open_gateway) as session:
        listed = await session.list_tools()
        assert {tool.name for tool in listed.tools} == set(NAMES)
        for tool, operation in NAMES.items():
            result = await session.call_tool(tool, example_of(operation, f"mcp-{face}"))
            if operation.name in NOTHING_TO_DO:
                assert problem_of(result)["code"] == NOTHING_TO_DO[operation.name]
                continue
            assert not result.is_error, result
            operation.response.model_validate(result.structured_content)
            assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]


async def test_what_is_asked_of_the_gateway_itself_is_no_tool(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    """Not of an operator's key, either: no model reads settings, or spends tokens on a doctor."""
    assert METHODS.keys() - NAMES.keys() == {"get_settings", "run_doctor"}
    async with session_of("http", keyed_gateway, keys.operator) as session:
        assert (await session.list_tools()).tools == []
        with pytest.raises(MCPError, match="Unknown tool"):
            await session.call_tool("get_settings", {})


async def test_official_client_speaks_the_latest_revision_without_a_handshake(open_gateway: GatewayProcess) -> None:
    async with Client(open_gateway.url + "/mcp") as client:
        assert client.protocol_version == "2026-07-28"
        assert {tool.name for tool in (await client.list_tools()).tools} == set(NAMES)
        written = await client.call_tool("write_turn", TURN | {"conversation_id": "mcp-latest"})
        assert written.structured_content["turn_count"] == 1
        assert problem_of(await client.call_tool("write_turn", {}))["code"] == "invalid_input"


@EVERY_FACE
async def test_key_decides_which_tools_are_listed(keyed_gateway: GatewayProcess, keys: Keys, face: str) -> None:
    scopes_of = {
        keys.reader: {"read"},
        keys.writer: {"read", "write"},
        keys.eraser: {"read", "erase"},
        keys.admin: {"admin"},
    }
    for key, scopes in scopes_of.items():
        async with session_of(face, keyed_gateway, key) as session:
            listed = {tool.name for tool in (await session.list_tools()).tools}
        assert listed == {name for name, operation in NAMES.items() if allowed(operation, scopes)}


@EVERY_FACE
async def test_tool_beyond_the_key_is_forbidden_as_over_http(
    keyed_gateway: GatewayProcess, keys: Keys, face: str
) -> None:
    for key, scopes in ((keys.reader, {"read"}), (keys.writer, {"read", "write"})):
        async with session_of(face, keyed_gateway, key) as session:
            for tool, operation in NAMES.items():
                if allowed(operation, scopes):
                    continue
                problem = problem_of(await session.call_tool(tool, operation.example))
                assert problem == keyed_gateway.post(operation.name, operation.example, key=key).json()
                assert problem["status"] == 403


async def test_tenant_is_that_of_the_key_and_of_nothing_else(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    preferences = {"user_id": "mcp-tenant", "preferences": {"a": 1}}
    async with session_of("http", keyed_gateway, keys.writer) as session:
        await session.call_tool("upsert_preferences", preferences)
        claimed = await session.call_tool("get_profile", {"user_id": "mcp-tenant", "tenant": "t2"})
        assert problem_of(claimed)["errors"] == [{"field": "tenant", "message": "unknown field"}]
    async with session_of("http", keyed_gateway, keys.other_writer) as session:
        seen = await session.call_tool("get_profile", {"user_id": "mcp-tenant"})
    assert seen.structured_content is not None
    assert seen.structured_content["preferences"] == {}


@pytest.mark.parametrize("key", ["", "ana_nobody_knows_this_key", "revoked"])
@EVERY_FACE
async def test_unknown_key_is_refused_as_over_http(
    keyed_gateway: GatewayProcess, keys: Keys, face: str, key: str
) -> None:
    sent = keys.revoked if key == "revoked" else key
    expected = keyed_gateway.post("GetProfile", {"user_id": "u"}, key=sent)
    answer = post(keyed_gateway, message("tools/list"), {"Authorization": f"Bearer {sent}" if sent else ""})
    assert (answer.status, answer.media, answer.json()) == (401, "application/problem+json", expected.json())
    if face == "stdio":
        async with over_stdio(keyed_gateway, sent) as session:
            with pytest.raises(MCPError) as refused:
                await session.initialize()
        assert refused.value.error.data == expected.json()


@EVERY_FACE
async def test_progress_is_told_while_a_client_waits(start: Start, face: str) -> None:
    gateway = start(environment={"ANAMNESIS_FINALIZATION__ENABLED": "false"})  # nobody finishes: the wait is whole
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, _message: str | None) -> None:
        told.append((progress, total))

    async with session_of(face, gateway) as session:
        await session.call_tool("write_turn", TURN)
        asked = {"conversation_id": "mcp", "wait_ms": 2600}
        result = await session.call_tool("finalize_session_memory", asked, progress_callback=tell)
    assert result.structured_content is not None
    assert result.structured_content["state"] == "ENDING"
    assert len(told) >= 2
    assert told == sorted(told)
    assert {total for _, total in told} == {2600}


def test_long_call_without_a_token_or_without_events_is_answered_as_json(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_FINALIZATION__ENABLED": "false"})
    gateway.post("WriteTurn", TURN)
    asked = {"name": "finalize_session_memory", "arguments": {"conversation_id": "mcp", "wait_ms": 1500}}
    quiet = post(gateway, message("tools/call", asked))
    assert (quiet.media, verdict(quiet.json())) == ("application/json", (200, ""))
    wished = message("tools/call", asked | {"_meta": {"progressToken": "t"}})
    no_events = post(gateway, wished, {"Accept": "application/json"})
    assert (no_events.media, verdict(no_events.json())) == ("application/json", (200, ""))


def test_stream_ends_with_its_connection_and_holds_whole_events(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_FINALIZATION__ENABLED": "false"})
    gateway.post("WriteTurn", TURN)
    asked = {"name": "finalize_session_memory", "arguments": {"conversation_id": "mcp", "wait_ms": 1500}}
    wished = message("tools/call", asked | {"_meta": {"progressToken": 1}})
    received = _everything(gateway, request_bytes("/mcp", wished, {"Accept": "text/event-stream"}))
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"Content-Type: text/event-stream" in head
    assert b"Connection: close" in head
    assert b"Content-Length" not in head
    *events, end = body.split(b"\r\n\r\n")
    assert end == b""
    documents = [json.loads(event.partition(b"data: ")[2]) for event in events]
    *before, last = [document.get("method", "reply") for document in documents]
    assert (set(before), last) == ({"notifications/progress"}, "reply")
    assert gateway.get("/live").status == 200


def _everything(gateway: GatewayProcess, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=15) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_work_whose_client_has_gone_is_finished(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_FINALIZATION__ENABLED": "false", "ANAMNESIS_SERVER__PROCESSES": "1"})
    gateway.post("WriteTurn", TURN)
    asked = {"name": "finalize_session_memory", "arguments": {"conversation_id": "mcp", "wait_ms": 2500}}
    wished = message("tools/call", asked | {"_meta": {"progressToken": 1}})
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=15) as connection:
        connection.sendall(request_bytes("/mcp", wished, {"Accept": "text/event-stream"}))
        assert connection.recv(10) == b"HTTP/1.1 2", "it has begun to tell"
    wait_until(lambda: counted(gateway, "FinalizeSessionMemory", 200) == 1)
    wait_until(lambda: "anamnesis_connections 1.0" in gateway.get("/metrics").body.decode(), "it is let go")
    assert "Traceback" not in gateway.log_text()


def test_any_process_answers_the_next_request(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_SERVER__PROCESSES": str(PROCESSES)})
    shaking = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert "result" in post(gateway, message("initialize", shaking)).json()
    calls = 24
    answers = [post(gateway, call("write_turn", TURN)) for _ in range(calls)]
    assert {verdict(answer.json()) for answer in answers} == {(200, "")}
    assert not any("mcp-session-id" in answer.headers for answer in answers)
    context = post(gateway, call("query_memory_context", {"conversation_id": "mcp"})).json()
    assert context["result"]["structuredContent"]["turn_count"] == calls
    assert counted(gateway, "WriteTurn", 200) == calls


def test_calls_are_counted_as_requests_of_their_operations(open_gateway: GatewayProcess) -> None:
    before = counted(open_gateway, "GetProfile", 200), counted(open_gateway, "GetProfile", 400)
    post(open_gateway, call("get_profile", {"user_id": "counted"}))
    post(open_gateway, call("get_profile", {"user_id": "*"}))
    after = counted(open_gateway, "GetProfile", 200), counted(open_gateway, "GetProfile", 400)
    assert after == (before[0] + 1, before[1] + 1)


def test_nothing_of_a_call_stays_in_flight(open_gateway: GatewayProcess) -> None:
    post(open_gateway, call("get_profile", {"user_id": "u"}))
    post(open_gateway, b"{")

    def in_flight() -> bool:
        return "anamnesis_requests_in_flight 0.0" in open_gateway.get("/metrics").body.decode()

    wait_until(in_flight, "nothing in flight")


def test_overloaded_gateway_says_so_before_the_message_is_read(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_SERVER__IN_FLIGHT_MAX": "1", "ANAMNESIS_FINALIZATION__ENABLED": "false"})
    gateway.post("WriteTurn", TURN)
    waiting = request_bytes("/v1/FinalizeSessionMemory", b'{"conversation_id": "mcp", "wait_ms": 20000}')
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=15) as connection:
        connection.sendall(waiting)  # whose place a ping that came first would take
        wait_until(lambda: "anamnesis_requests_in_flight 1.0" in gateway.get("/metrics").body.decode())
        refused = wait_until(lambda: (found := post(gateway, message("ping"))).status == 503 and found)
    assert (refused.media, refused.json()["code"]) == ("application/problem+json", "overloaded")
    assert int(refused.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:8077"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "localhost:1234"}, 200),
        ({"Host": "[::1]:8077"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "http://localhost:6274"}, 200),
        ({"Origin": "http://127.0.0.1"}, 200),
    ],
    ids=str,
)
def test_page_of_another_site_is_refused(open_gateway: GatewayProcess, headers: Mapping[str, str], status: int) -> None:
    answer = post(open_gateway, message("ping"), headers)
    assert answer.status == status
    if status == 403:
        assert answer.json()["code"] == "forbidden"


def test_gateway_with_keys_may_have_any_name_but_not_any_origin(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    headers = {"Authorization": f"Bearer {keys.reader}", "Host": "memory.example"}
    assert post(keyed_gateway, message("ping"), headers).status == 200
    assert post(keyed_gateway, message("ping"), headers | {"Origin": "https://memory.example"}).status == 200
    assert post(keyed_gateway, message("ping"), headers | {"Origin": "https://evil.example"}).status == 403


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp?x=1"])
def test_paths_are_the_same_place(open_gateway: GatewayProcess, path: str) -> None:
    assert post(open_gateway, message("ping"), path=path).json() == {"jsonrpc": "2.0", "id": 7, "result": {}}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_other_methods_are_refused_for_there_is_no_session(open_gateway: GatewayProcess, method: str) -> None:
    answer = open_gateway.send("/mcp", headers={"Accept": "text/event-stream"}, method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", ""])
def test_versions_with_a_handshake_are_served(open_gateway: GatewayProcess, version: str) -> None:
    answer = post(open_gateway, call("get_profile", {"user_id": "u"}), {"MCP-Protocol-Version": version})
    assert verdict(answer.json()) == (200, "")


@pytest.mark.parametrize("version", ["1999-01-01", "2026-07-28", "x" * 1000])
def test_version_that_is_unknown_or_lacks_its_envelope_is_refused(open_gateway: GatewayProcess, version: str) -> None:
    answer = post(open_gateway, message("tools/list"), {"MCP-Protocol-Version": version})
    assert (answer.status, answer.media) == (400, "application/json")
    assert answer.json()["error"]["code"] in {-32602, -32022}


def test_header_that_contradicts_its_message_is_refused(open_gateway: GatewayProcess) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    asked = message("tools/call", {"name": "get_profile", "arguments": {"user_id": "u"}, "_meta": meta})
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_profile"}
    assert verdict(post(open_gateway, asked, headers).json()) == (200, "")
    for wrong in ({"Mcp-Method": "tools/list"}, {"Mcp-Name": "forget_memory"}, {"Mcp-Name": ""}):
        assert post(open_gateway, asked, headers | wrong).status == 400


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"[]", 400, -32600),
        (b"[" + message("ping") + b"]", 400, -32600),
        (b"{}", 400, -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 1}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', 400, -32700),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', 400, -32700),
        (b'{"jsonrpc": "2.0"', 400, -32700),
        (b"", 400, -32700),
        (message("tools/nothing"), 200, -32601),
        (message("resources/list"), 200, -32601),
        (call("drop_all_tables", {}), 200, -32602),
        (message("tools/call", {"name": "get_profile", "arguments": [1]}), 200, -32602),
        (message("tools/call", {"arguments": {}}), 200, -32602),
    ],
    ids=repr,
)
def test_message_that_is_none_is_an_error_of_the_protocol(
    open_gateway: GatewayProcess, body: bytes, status: int, code: int
) -> None:
    logged = open_gateway.log_size()
    answer = post(open_gateway, body)
    assert (answer.status, answer.media, answer.json()["error"]["code"]) == (status, "application/json", code)
    assert "Traceback" not in open_gateway.log_text(logged)


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    ],
)
def test_what_needs_no_answer_is_accepted(open_gateway: GatewayProcess, body: bytes) -> None:
    answer = post(open_gateway, body)
    assert (answer.status, answer.body) == (202, b"")


def test_gateway_without_mcp_has_no_such_path(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_MCP__ENABLED": "false"})
    assert post(gateway, message("ping")).status == 404
    assert "mcp" not in json.dumps(gateway.get("/openapi.json").json()["paths"])


async def test_long_answer_is_shortened_and_still_fits_its_schema(start: Start) -> None:
    limit = 4000
    gateway = start(environment={"ANAMNESIS_MCP__RESULT_CHARS_MAX": str(limit)})
    for number in range(30):
        gateway.post("WriteTurn", TURN | {"user_query": f"问题{number} " + "很长" * 100, "agent_response": "答" * 300})
    asked: dict[str, Any] = {"conversation_id": "mcp", "include": ["turns", "full_history"], "user_id": "u"}
    async with over_http(gateway) as session:
        await session.initialize()
        await session.list_tools()  # whose output schemas the client holds answers against
        result = await session.call_tool("query_memory_context", asked)
    assert not result.is_error
    texts = [content.text for content in result.content]  # type: ignore[union-attr]
    assert len(texts[0]) <= limit
    assert "已从" in texts[1]
    assert "Shortened from" in texts[1]
    shown = result.structured_content
    assert shown is not None
    NAMES["query_memory_context"].response.model_validate(shown)
    assert shown["turn_count"] == 30
    assert shown["turns"][0]["content"].startswith("问题0")
    assert shown["turns"][-1]["seq"] > shown["turns"][0]["seq"]
    assert "[…" in shown["full_history"]


async def test_long_page_becomes_several_that_lose_nothing(start: Start) -> None:
    limit = 6000
    gateway = start(environment={"ANAMNESIS_MCP__RESULT_CHARS_MAX": str(limit)})
    triples = [{"subject": "user", "predicate": "likes", "object": f"dish number {i}"} for i in range(60)]
    assert gateway.post("UpsertFacts", {"user_id": "u", "triples": triples}).status == 200
    everything = {item["memory_id"] for item in gateway.post("ListMemories", {"user_id": "u"}).json()["items"]}
    found: list[str] = []
    asked = {"user_id": "u", "limit": 100, "cursor": ""}
    async with session_of("http", gateway) as session:
        while True:
            result = await session.call_tool("list_memories", asked)
            assert result.structured_content is not None
            assert len(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))) <= limit
            found += [item["memory_id"] for item in result.structured_content["items"]]
            asked["cursor"] = result.structured_content["cursor"]
            if not asked["cursor"]:
                break
            assert "`limit`" in result.content[1].text  # type: ignore[union-attr]
    assert len(everything) >= 60
    assert len(found) == len(set(found))
    assert set(found) == everything
