"""MCP over standard input and output: each message goes to a gateway's `/mcp`, and what it answers comes back.

The bridge knows no tool and needs no SDK: tools, scopes, limits and verdicts are the gateway's.
"""

import asyncio
import base64
import threading
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import aiohttp

from gateway.http.answers import JSON_TYPE
from gateway.mcp.messages import INTERNAL_ERROR, INVALID_REQUEST, NotAMessageError, as_line, failure_with, read_message
from gateway.terminal import complain
from memory.limits import BODY_BYTES_MAX

_AT_ONCE: Final = 64
_CONNECT_S: Final = 10
_SILENCE_S: Final = 90
"""Longer than any operation takes, that which its caller waits for too."""
_EVENT_BYTES_MAX: Final = 64 * 1024 * 1024
_OK: Final = 200
_ACCEPTED: Final = 202
_ENVELOPE_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_ACCEPTS: Final = f"{JSON_TYPE}, text/event-stream"


class Bridge:
    """One client on one pair of streams."""

    def __init__(self, url: str, api_key: str | None, output: BinaryIO) -> None:
        self._url = url.rstrip("/") + "/mcp"
        self._key = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._output = output
        self._version = ""
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._working: set[asyncio.Task[None]] = set()
        self._asked: dict[str | int, asyncio.Task[None]] = {}

    async def run(self, source: BinaryIO) -> None:
        """Forward until the input ends and all is answered."""
        timeout = aiohttp.ClientTimeout(total=None, connect=_CONNECT_S, sock_read=_SILENCE_S)
        async with aiohttp.ClientSession(
            headers=self._key, timeout=timeout, read_bufsize=_EVENT_BYTES_MAX, connector=aiohttp.TCPConnector(limit=0)
        ) as session:
            lines = _lines_of(source)
            while (line := await lines.get()) is not None:
                await self._room.acquire()
                self._take(line, session)
            await asyncio.gather(*self._working, return_exceptions=True)

    def _take(self, line: bytes, session: aiohttp.ClientSession) -> None:
        """Begin to forward one line; refuse what is no message."""
        try:
            message = read_message(line)
        except NotAMessageError as refused:
            self._write(as_line(refused.document))
            self._room.release()
            return
        number = message.get("id")
        if message.get("method") == "notifications/cancelled":
            self._cancel(message)
        task = asyncio.create_task(self._forward(line, message, session))
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        task.add_done_callback(lambda _: self._room.release())
        if isinstance(number, str | int):
            self._asked[number] = task
            task.add_done_callback(lambda _: self._asked.pop(number, None))

    def _cancel(self, message: Mapping[str, Any]) -> None:
        """Wait no longer for what the client has given up; a write that has begun is finished all the same."""
        parameters = message.get("params")
        number = parameters.get("requestId") if isinstance(parameters, dict) else None
        task = self._asked.get(number) if isinstance(number, str | int) else None
        if task is not None:
            task.cancel()

    async def _forward(self, line: bytes, message: Mapping[str, Any], session: aiohttp.ClientSession) -> None:
        headers = {"Content-Type": JSON_TYPE, "Accept": _ACCEPTS} | self._headers(message)
        try:
            async with session.post(self._url, data=line, headers=headers) as response:
                await self._relay(response, message)
        except aiohttp.ClientError as error:
            text = f"cannot reach the gateway at {self._url} ({error}). Is `anamnesis serve` running?"
            self._fail(message, INTERNAL_ERROR, text, None)

    def _headers(self, message: Mapping[str, Any]) -> dict[str, str]:
        """What MCP over HTTP says in headers: from the message's own envelope, or as `initialize` agreed."""
        parameters = message.get("params")
        parameters = parameters if isinstance(parameters, dict) else {}
        meta = parameters.get("_meta")
        version = meta.get(_ENVELOPE_VERSION) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return {"MCP-Protocol-Version": self._version} if self._version else {}
        named = {"Mcp-Method": message.get("method"), "Mcp-Name": parameters.get("name", parameters.get("uri"))}
        return {
            name: _header(value)
            for name, value in {"MCP-Protocol-Version": version, **named}.items()
            if isinstance(value, str)
        }

    async def _relay(self, response: aiohttp.ClientResponse, message: Mapping[str, Any]) -> None:
        if response.status == _ACCEPTED:
            return
        if response.content_type == "text/event-stream":
            async for line in response.content:
                if line.startswith(b"data: "):
                    self._write(line.removeprefix(b"data: ").strip())
            return
        answer = await _whole(response)
        if "jsonrpc" not in answer:
            self._fail(message, INVALID_REQUEST, str(answer.get("detail", "refused")), answer)
            return
        if message.get("method") == "initialize" and response.status == _OK and "result" in answer:
            self._version = str(answer["result"]["protocolVersion"])
        self._write(as_line(answer))

    def _fail(self, message: Mapping[str, Any], code: int, text: str, data: object) -> None:
        """Answer a request with an error; say it aside when nobody waits for an answer."""
        number = message.get("id")
        if isinstance(number, str | int):
            self._write(as_line(failure_with(number, code, text, data)))
        else:
            complain(text)

    def _write(self, line: bytes) -> None:
        self._output.write(line + b"\n")
        self._output.flush()


async def _whole(response: aiohttp.ClientResponse) -> dict[str, Any]:
    """The answer's JSON; what is not from a gateway becomes the like of a problem document."""
    try:
        answer = await response.json(content_type=None)
    except ValueError:
        answer = None
    if isinstance(answer, dict):
        return answer
    return {"status": response.status, "detail": f"{response.url} answered {response.status}, but not as a gateway"}


def _header(value: str) -> str:
    """A header's value, in base64 when it would not survive as it is (MCP 2026-07-28, custom headers)."""
    if value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode('ascii')}?="


def _lines_of(source: BinaryIO) -> "asyncio.Queue[bytes | None]":
    """Lines as they come, then None. A thread reads them: a file or a terminal as well as a pipe."""
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(1)
    loop = asyncio.get_running_loop()

    def read() -> None:
        line: bytes | None = b"\n"
        while line is not None:
            line = _next_line(source) or None
            if line is None or line.strip():
                said = line and line.removesuffix(b"\n")
                asyncio.run_coroutine_threadsafe(lines.put(said), loop).result()

    threading.Thread(target=read, name="stdin", daemon=True).start()
    return lines


def _next_line(source: BinaryIO) -> bytes:
    """The next line; of one that is too long, as much as shows that it is. Empty at the end."""
    line = source.readline(BODY_BYTES_MAX + 2)
    if len(line) > BODY_BYTES_MAX + 1:
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(BODY_BYTES_MAX)
    return line
