"""JSON-RPC messages of MCP, read by the one strict reader. What is refused carries its problem document as `data`."""

import json
from typing import Any, Final

from gateway.wire import problem_document, read_value
from memory.errors import InvalidInput, MemoryGatewayError
from memory.limits import JSON_DEPTH_MAX, JSON_KEYS_MAX, MCP_ENVELOPE_DEPTH, MCP_ENVELOPE_KEYS_MAX

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INTERNAL_ERROR: Final = -32603


class NotAMessageError(Exception):
    """The bytes are no JSON-RPC message: `document` answers them."""

    def __init__(self, code: int, error: MemoryGatewayError) -> None:
        super().__init__(error.detail)
        self.status = error.status
        self.document = failure(None, code, error)


def read_message(body: bytes) -> dict[str, Any]:
    """Parse one JSON-RPC message. Raises NotAMessageError; never anything else."""
    depth_max, keys_max = JSON_DEPTH_MAX + MCP_ENVELOPE_DEPTH, JSON_KEYS_MAX + MCP_ENVELOPE_KEYS_MAX
    try:
        value = read_value(body, depth_max=depth_max, keys_max=keys_max)
    except MemoryGatewayError as error:
        raise NotAMessageError(PARSE_ERROR, error) from None
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise NotAMessageError(INVALID_REQUEST, InvalidInput("send one JSON-RPC 2.0 message, which is an object"))
    return value


def failure(number: str | int | None, code: int, error: MemoryGatewayError) -> dict[str, Any]:
    """A JSON-RPC error; its `data` is the problem document."""
    return failure_with(number, code, error.detail, problem_document(error))


def failure_with(number: str | int | None, code: int, text: str, data: object) -> dict[str, Any]:
    """A JSON-RPC error with any `data`."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text, "data": data}}


def as_line(document: dict[str, Any]) -> bytes:
    """A message on one line, without its end."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
