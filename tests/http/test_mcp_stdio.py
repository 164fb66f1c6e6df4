"""`anamnesis mcp` as a program, and the page that tells newcomers of it."""

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from gateway.mcp.tools import NAMES
from tests.gateways import ROOT, GatewayProcess, children, clean_environment, run_command
from tests.http.conftest import Keys, Start
from tests.mcp_clients import call, message, over_stdio, verdict
from tests.waiting import wait_until

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
SHELL_BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
PYTHON_BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def spoken(*lines: bytes, flags: tuple[str, ...], environment: dict[str, str] | None = None) -> list[str]:
    """What comes out when these lines go in and the input ends."""
    done = subprocess.run(
        [sys.executable, "-m", "gateway.cli", "mcp", *flags],
        input=b"\n".join(lines) + b"\n",
        stdout=subprocess.PIPE,
        timeout=90,
        cwd=ROOT,
        env=clean_environment() | (environment or {}),
        check=True,
    )
    return done.stdout.decode().splitlines()


def test_what_was_asked_before_the_input_ended_is_answered(open_gateway: GatewayProcess) -> None:
    asked = [message("ping", number=number) for number in range(20)]
    initialized = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'
    lines = spoken(*asked, initialized, b"", b"{", flags=("--url", open_gateway.url))
    answers = [json.loads(line) for line in lines]
    assert {answer["id"] for answer in answers} == {*range(20), None}
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == [-32700]


def test_without_a_gateway_each_request_says_what_to_do() -> None:
    (line,) = spoken(message("tools/list"), flags=("--url", "http://127.0.0.1:9"))
    error = json.loads(line)["error"]
    assert error["code"] == -32603
    assert "anamnesis serve" in error["message"]


@pytest.mark.long
def test_what_is_no_gateway_is_told_from_one(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_MCP__ENABLED": "false"})
    (line,) = spoken(message("tools/list"), flags=("--url", gateway.url))
    assert json.loads(line)["error"]["data"]["code"] == "not_found"


@pytest.mark.long
def test_what_the_client_gave_up_is_not_answered(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_FINALIZATION__ENABLED": "false"})
    gateway.post("WriteTurn", {"conversation_id": "c", "user_id": "u", "user_query": "q", "agent_response": "a"})
    long = call("finalize_session_memory", {"conversation_id": "c", "wait_ms": 20_000})
    cancelled = b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}'
    (line,) = spoken(long, cancelled, message("ping", number=8), flags=("--url", gateway.url))
    assert json.loads(line)["id"] == 8


@pytest.mark.long
async def test_embedded_gateway_serves_and_ends_with_its_client(tmp_path: Path) -> None:
    flags = ("--embedded", "--data-dir", str(tmp_path / "data"))
    with (tmp_path / "log").open("w+") as log:
        async with over_stdio(None, None, *flags, errors=log) as session:
            await session.initialize()
            assert len((await session.list_tools()).tools) == len(NAMES)
            turn = {"conversation_id": "c", "user_id": "u", "user_query": "q", "agent_response": "a"}
            assert not (await session.call_tool("write_turn", turn)).is_error
        log.seek(0)
        assert "listening on port" in log.read(), "what the gateway logs goes to standard error"
    lines = spoken(
        call("query_memory_context", {"conversation_id": "c"}), flags=flags
    )  # the folder is free again, and has what was written
    assert json.loads(lines[0])["result"]["structuredContent"]["turn_count"] == 1


@pytest.mark.long
def test_embedded_gateway_ends_with_a_bridge_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gateway.cli", "mcp", "--embedded", "--data-dir", str(tmp_path / "data")]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=ROOT, env=clean_environment())
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(message("ping") + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"] == {}
    (gateway,) = children(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: not Path(f"/proc/{gateway}").exists(), "the gateway to end")


@pytest.mark.long
def test_embedded_gateway_that_cannot_start_says_why(tmp_path: Path) -> None:
    environment = {"ANAMNESIS_SERVER__PORTT": "1"}
    done = run_command("mcp", "--embedded", "--data-dir", str(tmp_path), environment=environment, timeout_s=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "server.portt: unknown setting" in done.stderr


async def test_key_comes_from_the_environment(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    async with over_stdio(keyed_gateway, keys.reader) as session:
        await session.initialize()
        profile = await session.call_tool("get_profile", {"user_id": "u"})
        assert not profile.is_error
        with pytest.raises(MCPError, match="Unknown tool"):
            await session.call_tool("drop_all_tables", {})


@pytest.mark.long
def test_names_beyond_ascii_reach_the_gateway(open_gateway: GatewayProcess) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    asked = message("tools/call", {"name": "记忆\n", "arguments": {}, "_meta": meta})
    (line,) = spoken(asked, flags=("--url", open_gateway.url))
    assert json.loads(line)["error"]["message"] == "Unknown tool"


@pytest.mark.long
async def test_many_requests_at_once_are_all_answered(open_gateway: GatewayProcess) -> None:
    async with over_stdio(open_gateway) as session:
        await session.initialize()
        turn = {"conversation_id": "mcp-many", "user_id": "u", "user_query": "q", "agent_response": "a"}
        results = await asyncio.gather(*(session.call_tool("write_turn", turn) for _ in range(100)))
    counts = [result.structured_content["turn_count"] for result in results if result.structured_content]
    assert sorted(counts) == list(range(1, 101))


@pytest.mark.long
@pytest.mark.parametrize("block", SHELL_BLOCKS, ids=lambda block: block.split("\n")[0][:60])
def test_commands_of_the_page_do_what_it_says(open_gateway: GatewayProcess, tmp_path: Path, block: str) -> None:
    command = block.replace("http://127.0.0.1:8077", open_gateway.url)
    program = f'anamnesis() {{ {shlex.quote(sys.executable)} -m gateway.cli "$@"; }}\n'
    environment = clean_environment() | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", program + command], capture_output=True, timeout=90, env=environment, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    if '"jsonrpc"' in command:
        answer = json.loads(done.stdout)
        assert "result" in answer
        if "tools/call" in command:
            assert verdict(answer) == (200, "")
    else:
        assert b"Cursor" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("block", PYTHON_BLOCKS)
def test_python_of_the_page_runs(open_gateway: GatewayProcess, block: str) -> None:
    program = block.replace("http://127.0.0.1:8077", open_gateway.url)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=60, env=clean_environment(), cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.startswith(b"[")
