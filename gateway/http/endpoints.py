"""From an HTTP request to a service method and back: the error border of the HTTP face."""

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import BaseModel

from gateway.auth import Authenticator
from gateway.http.answers import JSON_TYPE, Answer, refusal
from gateway.metrics import Metrics
from gateway.operations import Operation
from gateway.wire import read_request
from memory.errors import MemoryGatewayError, Overloaded, RequestTimeout, TooLarge, UnsupportedMedia
from memory.limits import BODY_BYTES_MAX
from memory.service import MemoryService

_LOG: Final = logging.getLogger("anamnesis.http")


@dataclass(frozen=True, slots=True)
class Face:
    """What the endpoints of a gateway share."""

    service: MemoryService
    authenticator: Authenticator
    metrics: Metrics
    in_flight_max: int
    body_timeout_s: float
    access_log: bool


class Endpoint:
    """The handler of one operation."""

    def __init__(self, operation: Operation, face: Face) -> None:
        self._operation = operation
        self._face = face

    async def __call__(self, request: web.BaseRequest) -> Answer:
        """Answer: 200 with the operation's response, or a problem document. Raises only when the client is gone."""
        metrics = self._face.metrics
        started = time.perf_counter()
        metrics.in_flight += 1
        try:
            answer = Answer(await self._answer(request))
        except MemoryGatewayError as error:
            answer = refusal(error)
        except ConnectionError:  # the client is gone: nobody to answer, and no fault of ours
            raise
        except Exception as error:  # noqa: BLE001 - the border: a bug becomes a 500, its text stays here
            _LOG.exception("unhandled error", extra={"operation": self._operation.name})
            answer = refusal(MemoryGatewayError(f"internal error ({type(error).__name__})"))
        finally:
            metrics.in_flight -= 1
        seconds = time.perf_counter() - started
        metrics.observe(self._operation.name, answer.status, seconds)
        if self._face.access_log:
            fields = {"operation": self._operation.name, "status": answer.status, "ms": round(seconds * 1000, 2)}
            _LOG.info("request", extra=fields)
        return answer

    async def _answer(self, request: web.BaseRequest) -> bytes:
        face, operation = self._face, self._operation
        if face.metrics.in_flight > face.in_flight_max:
            raise Overloaded("too many requests are in flight")
        headers = request.headers
        caller = face.authenticator.caller(headers.get("Authorization"), operation.scope)
        _require_json(headers.get("Content-Type"), headers.get("Content-Encoding"))
        content = request.content
        body = content.read_nowait() if content.is_eof() else await self._late_body(request)
        asked = read_request(operation.request, body)
        answer = await operation.method(face.service, caller, asked)
        return answer.model_dump_json().encode() if isinstance(answer, BaseModel) else bytes(answer.encode())

    async def _late_body(self, request: web.BaseRequest) -> bytes:
        """A body that did not come with its head: all of it, within its size and its deadline."""
        length = request.content_length
        if length is not None and length > BODY_BYTES_MAX:
            raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
        if request.headers.get("Expect", "").lower() == "100-continue" and request.transport is not None:
            request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._face.body_timeout_s):
                async for chunk in request.content.iter_any():
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > BODY_BYTES_MAX:
                        raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
        except TimeoutError:
            raise RequestTimeout(f"the body did not arrive within {self._face.body_timeout_s:g} s") from None
        return b"".join(chunks)


def _require_json(content_type: str | None, encoding: str | None) -> None:
    if content_type != JSON_TYPE:
        kind, _, parameters = (content_type or "").partition(";")
        if kind.strip().lower() != JSON_TYPE:
            raise UnsupportedMedia("send Content-Type: application/json")
        if parameters and "utf-8" not in parameters.lower():
            raise UnsupportedMedia("JSON is UTF-8")
    if encoding and encoding.lower() != "identity":
        raise UnsupportedMedia("compressed bodies are not accepted")
