"""An OpenAI-compatible server over real HTTP that does what a script says: right, late, wrong, half, never.

    async with ScriptedServer() as server:
        server.script = [rate_limited(retry_after="1"), hang_up()]   # one behaviour a request, then right answers
        ... OpenAIEndpoint(base_url=server.url)
        assert len(server.requests) == 3

`server.embed` and `server.chat` make the right answers.
"""

import asyncio
import base64
import hashlib
import json
import random
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

DIMENSION = 8


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came: its path below `url`, headers, decoded body."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


Behaviour = Callable[["ScriptedServer", web.Request, Received], Awaitable[web.StreamResponse]]


def numbers_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """Numbers that depend on the text alone."""
    seed = hashlib.sha256(text.encode()).digest()
    return [random.Random(seed + bytes([place])).uniform(-1, 1) for place in range(dimension)]


class ScriptedServer:
    """Serves `/v1/embeddings` and `/v1/chat/completions` on a loopback port, a free one unless it is named."""

    def __init__(
        self,
        embed: Callable[[str], list[float]] = numbers_of,
        chat: Callable[[dict[str, Any]], str | Mapping[str, Any]] = lambda _: "Yes.",
        port: int = 0,
    ) -> None:
        self._port = port
        self.embed = embed
        self.chat = chat
        self.script: list[Behaviour] = []
        self.requests: list[Received] = []
        self.closing = asyncio.Event()
        self.url = ""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, shutdown_timeout=1)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closing.set()
        await self._runner.cleanup()

    def right_answer(self, received: Received) -> dict[str, Any]:
        """What a well-behaved endpoint answers."""
        if received.path == "embeddings":
            return self._embeddings(received.body)
        said = self.chat(received.body)
        message = {"role": "assistant", "content": None if isinstance(said, Mapping) else said, "refusal": None}
        return chat_answer(message | dict(said)) if isinstance(said, Mapping) else chat_answer(message)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        received = Received(request.match_info["path"], dict(request.headers), await request.json())
        self.requests.append(received)
        if self.script:
            return await self.script.pop(0)(self, request, received)
        return web.json_response(self.right_answer(received))

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = []
        for index, text in enumerate(texts):
            numbers: Any = self.embed(text)
            if body.get("encoding_format") == "base64":
                numbers = base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
            data.append({"object": "embedding", "index": index, "embedding": numbers})
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": body["model"], "data": data, "usage": usage}


def chat_answer(message: dict[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
    """A chat completion around a message."""
    choice = {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def right() -> Behaviour:
    """The right answer, as when the script is at its end."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        return web.json_response(server.right_answer(received))

    return behave


def held(until: asyncio.Event) -> Behaviour:
    """The right answer, when the test says so."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        await until.wait()
        return web.json_response(server.right_answer(received))

    return behave


def silent() -> Behaviour:
    """No answer as long as the server runs."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        await server.closing.wait()
        return web.Response(status=503)

    return behave


def status(code: int, headers: Mapping[str, str] | None = None, message: str = "as scripted") -> Behaviour:
    """An error as OpenAI words it."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        error = {"error": {"message": message, "type": "scripted", "param": None, "code": None}}
        return web.json_response(error, status=code, headers=headers)

    return behave


def rate_limited(retry_after: str = "") -> Behaviour:
    """429, with Retry-After when given."""
    return status(429, {"Retry-After": retry_after} if retry_after else None)


def body(content: bytes, content_type: str = "application/json") -> Behaviour:
    """200 with any bytes: b"" for an empty body, b"<html>" for junk."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        return web.Response(body=content, content_type=content_type)

    return behave


def answer(value: Any) -> Behaviour:
    """200 with any JSON value (nan as NaN), e.g. one of the wrong schema."""
    return body(json.dumps(value).encode())


def changed(change: Callable[[dict[str, Any]], Any]) -> Behaviour:
    """The right answer after `change`, which may change it in place and returns what is sent."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        return web.Response(text=json.dumps(change(server.right_answer(received))), content_type="application/json")

    return behave


def refusal(text: str = "I can't help with that.") -> Behaviour:
    """A chat completion that refuses."""
    return answer(chat_answer({"role": "assistant", "content": None, "refusal": text}))


def endless(chunk: bytes = b" " * 65_536, code: int = 200) -> Behaviour:
    """A body that never ends, as fast as the client takes it."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        response = web.StreamResponse(status=code, headers={"Content-Type": "application/json"})
        await response.prepare(request)
        while not server.closing.is_set():
            try:
                await response.write(chunk)
            except ConnectionError:
                break
        return response

    return behave


def hang_up(after: int | None = None) -> Behaviour:
    """Close the connection after so many bytes of the right answer (None: before any answer)."""

    async def behave(server: ScriptedServer, request: web.Request, received: Received) -> web.StreamResponse:
        whole = json.dumps(server.right_answer(received)).encode()
        response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(whole))})
        if after is not None:
            await response.prepare(request)
            await response.write(whole[:after])
        if request.transport is not None:
            request.transport.close()
        return response

    return behave
