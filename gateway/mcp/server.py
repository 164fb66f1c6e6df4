"""The MCP server behind the HTTP endpoint: the SDK's, one exchange at a time. Loaded at the first MCP request.

Nothing is kept between two exchanges, so any process of the gateway may get the next one. A tool call goes through
the operation's HTTP endpoint: the same reader, limits, scopes, figures and error border.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import anyio
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.runner import modern_error_data, serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS, InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
from mcp.shared.message import MessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    DEFAULT_NEGOTIATED_VERSION,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    JSONRPCRequest,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from gateway.auth import allows
from gateway.http.answers import Answer
from gateway.http.endpoints import Endpoint
from gateway.mcp.messages import INTERNAL_ERROR, INVALID_REQUEST, failure, failure_with
from gateway.mcp.shorten import as_text, shortened
from gateway.mcp.tools import INSTRUCTIONS, NAMES, cut_note, page_note, smaller_page, tool_of, waits_ms
from gateway.openapi import program_version
from gateway.wire import problem, problem_document
from memory.errors import InvalidInput, MemoryGatewayError, NotFound, TooLarge
from memory.model.caller import Caller

_OK: Final = 200
_PROGRESS_S: Final = 1.0
_VERSION: Final = "mcp-protocol-version"

Tell = Callable[[dict[str, Any]], None]
"""Takes a notification for the client, before the reply."""


class Reply(NamedTuple):
    """What an exchange ends with."""

    status: int
    document: dict[str, Any]


@dataclass
class _Channel:
    """The SDK's view of one exchange: notifications go out with the reply, and requests to the client cannot."""

    request_id: str | int
    progress_token: str | int | None
    tell: Tell
    transport: TransportContext = field(default=TransportContext(kind="streamable-http", can_send_request=False))
    message_metadata: MessageMetadata = None
    can_send_request: bool = False
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    async def send_raw_request(
        self,
        method: str,
        params: Mapping[str, Any] | None,  # noqa: ARG002 - the SDK's signature
        opts: CallOptions | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        opts: CallOptions | None = None,  # noqa: ARG002 - the SDK's signature
    ) -> None:
        self.tell({"jsonrpc": "2.0", "method": method, "params": dict(params or {})})

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        if self.progress_token is not None:
            told = {"progressToken": self.progress_token, "progress": progress, "total": total, "message": message}
            await self.notify("notifications/progress", {k: v for k, v in told.items() if v is not None})


Context = ServerRequestContext[Caller, Any]


class Kernel:
    """Answers MCP requests by the endpoints of operations."""

    def __init__(self, endpoints: Mapping[str, Endpoint], result_chars_max: int) -> None:
        self._endpoints = {name: endpoints[operation.name] for name, operation in NAMES.items()}
        self._tools = [(operation.scope, tool_of(name, operation)) for name, operation in NAMES.items()]
        self._chars_max = result_chars_max
        self._server: Server[Caller] = Server(
            "anamnesis",
            title="Anamnesis",
            version=program_version(),
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def exchange(self, message: dict[str, Any], headers: Mapping[str, str], caller: Caller, tell: Tell) -> Reply:
        """Answer one request. `headers` are those of MCP that came, by lower-case name. Raises nothing."""
        try:
            asked = JSONRPCRequest.model_validate(message)
        except ValidationError:
            fault = InvalidInput("send one JSON-RPC 2.0 request: `id` (text or whole number), `method`, `params`")
            return Reply(fault.status, failure(None, INVALID_REQUEST, fault))
        version = headers.get(_VERSION, DEFAULT_NEGOTIATED_VERSION)
        if version in HANDSHAKE_PROTOCOL_VERSIONS:
            document = await self._serve(asked, Connection.from_envelope(version, None, None), caller, tell)
            return Reply(_OK, document)
        route = classify_inbound_request(message, headers=headers)
        if isinstance(route, InboundLadderRejection):
            data = route.data if route.data is not None else problem_document(InvalidInput(route.message))
            document = failure_with(asked.id, route.code, route.message, data)
        else:
            envelope = Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)
            document = await self._serve(asked, envelope, caller, tell)
        error = document.get("error")
        return Reply(ERROR_CODE_HTTP_STATUS.get(error["code"], _OK) if error else _OK, document)

    async def _serve(self, asked: JSONRPCRequest, connection: Connection, caller: Caller, tell: Tell) -> dict[str, Any]:
        channel = _Channel(asked.id, progress_token_from_params(asked.params), tell)
        try:
            result = await serve_one(
                self._server, channel, asked.method, asked.params, connection=connection, lifespan_state=caller
            )
        except Exception as error:  # noqa: BLE001 - the border of the SDK, which logs what is a bug
            return _failed(asked.id, modern_error_data(error))
        return {"jsonrpc": "2.0", "id": asked.id, "result": result}

    async def _list(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        """The tools that the caller's key may call."""
        caller = context.lifespan_context
        return ListToolsResult(tools=[tool for scope, tool in self._tools if allows(caller, scope)])

    async def _call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        endpoint = self._endpoints.get(params.name)
        if endpoint is None:
            error = NotFound("there is no such tool")
            raise MCPError(INVALID_PARAMS, "Unknown tool", problem_document(error))
        arguments = params.arguments or {}
        answer = await self._answer(context, endpoint, arguments)
        page = arguments
        while answer.status == _OK and (excess := len(answer.body.decode()) / self._chars_max) > 1:
            smaller = smaller_page(endpoint.operation, page, json.loads(answer.body), excess)
            if smaller is None:
                break
            page = smaller
            answer = await self._answer(context, endpoint, page)
        notes = [] if page is arguments else [page_note(page["limit"], self._chars_max)]
        if len(answer.body) > self._chars_max:  # cutting megabytes takes a while
            return await asyncio.to_thread(self._result, answer, notes)
        return self._result(answer, notes)

    async def _answer(self, context: Context, endpoint: Endpoint, arguments: Mapping[str, Any]) -> Answer:
        """Call the operation; tell how long it has taken while it takes long."""
        body = json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode()
        working = asyncio.create_task(endpoint.call(context.lifespan_context, body))
        began, total = time.monotonic(), waits_ms(endpoint.operation, arguments)
        while not (await asyncio.wait({working}, timeout=_PROGRESS_S))[0]:
            waited_ms = round((time.monotonic() - began) * 1000)
            await context.session.report_progress(waited_ms, total, f"{waited_ms} ms")
        return working.result()

    def _result(self, answer: Answer, notes: list[str]) -> CallToolResult:
        text = answer.body.decode()
        if answer.status != _OK:
            return CallToolResult(content=[_text(text)], is_error=True)
        value = json.loads(text)
        if len(text) > self._chars_max:
            value, size = shortened(value, self._chars_max), len(text)
            if value is None:
                error = TooLarge(f"the answer has {size} characters, more than {self._chars_max}: ask for less")
                return CallToolResult(content=[_text(problem(error).decode())], is_error=True)
            text, notes = as_text(value), [*notes, cut_note(size, self._chars_max)]
        return CallToolResult(content=[_text(part) for part in (text, *notes)], structured_content=value)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _failed(number: str | int, error: ErrorData) -> dict[str, Any]:
    """A JSON-RPC error of the SDK; one that says nothing more says it as a problem document."""
    fault = InvalidInput(error.message) if error.code != INTERNAL_ERROR else MemoryGatewayError()
    return failure_with(number, error.code, error.message, error.data or problem_document(fault))
