"""The official MCP client against a gateway, over HTTP and over the stdio bridge; and plain messages."""

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TextIO

import httpx2
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.gateways import JSON, ROOT, Answer, GatewayProcess, clean_environment


@asynccontextmanager
async def session_of(face: str, gateway: GatewayProcess, key: str | None = None) -> AsyncIterator[ClientSession]:
    """An initialised session of the official client."""
    opening = over_http(gateway, key) if face == "http" else over_stdio(gateway, key)
    async with opening as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def over_http(gateway: GatewayProcess, key: str | None = None) -> AsyncIterator[ClientSession]:
    """A session over streamable HTTP, before its handshake."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as client,
        streamable_http_client(gateway.url + "/mcp/", http_client=client) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        yield session


@asynccontextmanager
async def over_stdio(
    gateway: GatewayProcess | None, key: str | None = None, *flags: str, errors: TextIO = sys.__stderr__
) -> AsyncIterator[ClientSession]:
    """A session over `anamnesis mcp`, before its handshake. Without a gateway the flags say where one is."""
    address = {"ANAMNESIS_URL": gateway.url} if gateway else {}
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "gateway.cli", "mcp", *flags],
        env=clean_environment() | address | ({"ANAMNESIS_API_KEY": key} if key else {}),
        cwd=ROOT,
    )
    async with stdio_client(server, errors) as streams, ClientSession(*streams[:2]) as session:
        yield session


def problem_of(result: CallToolResult) -> dict[str, Any]:
    """The problem document of a refused call."""
    assert result.is_error, result
    assert result.structured_content is None
    content = result.content[0]
    assert isinstance(content, TextContent)
    problem: dict[str, Any] = json.loads(content.text)
    return problem


def message(method: str, params: Mapping[str, Any] | None = None, number: object = 7) -> bytes:
    """One request."""
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode()


def call(tool: str, arguments: Mapping[str, Any]) -> bytes:
    """A tools/call."""
    return message("tools/call", {"name": tool, "arguments": arguments})


def post(gateway: GatewayProcess, body: bytes, headers: Mapping[str, str] | None = None, path: str = "/mcp") -> Answer:
    """POST a message on a connection of its own."""
    usual = {"Accept": f"{JSON}, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    return gateway.send(path, body, usual | dict(headers or {}))


def verdict(document: Mapping[str, Any]) -> tuple[int, str]:
    """Status and code of an answer, as HTTP has them: of a result, a refused call, an error, a problem document."""
    found: Mapping[str, Any] = document
    if "error" in document:
        found = document["error"]["data"]
    elif "result" in document:
        result = document["result"]
        if not result["isError"]:
            return 200, ""
        found = json.loads(result["content"][0]["text"])
    return found["status"], found["code"]
