"""From an HTTP request to a service method and back: the error border of the HTTP face."""

import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar

from pydantic import BaseModel

from gateway.auth import require_scope
from gateway.http.answers import JSON_TYPE, LARGE_BYTES, Answer, Stream, refusal
from gateway.http.request import Request, length_of
from gateway.http.turns import Callers, Turns
from gateway.http.visitors import Visitors
from gateway.observe.audit import NOBODY, Auditor, Named
from gateway.observe.metrics import Metrics
from gateway.observe.subjects import work_on
from gateway.operations import Method, Operation
from gateway.operations.operation import READ, WRITE, Effect
from gateway.wire import read_request
from memory.errors import MemoryGatewayError, Overloaded, TooLarge, UnsupportedMedia
from memory.limits import BODY_BYTES_MAX
from memory.model.caller import Caller

_LOG: Final = logging.getLogger("anamnesis.http")
_IDS: Final = ("user_id", "conversation_id", "memory_id")
Answered = TypeVar("Answered", bound=Answer | Stream)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Face:
    """What the endpoints of a gateway share."""

    visitors: Visitors
    metrics: Metrics
    in_flight_max: int
    callers: Callers
    turns: Turns
    auditor: Auditor
    access_log: bool

    def require_room(self) -> None:
        """Raise Overloaded when as much is in flight as may be."""
        if self.metrics.total("in_flight") >= self.in_flight_max:
            raise Overloaded("too many requests are in flight")


class Endpoint:
    """One operation over HTTP."""

    def __init__(self, operation: Operation, method: Method, face: Face) -> None:
        """`method`: what answers it."""
        self.operation = operation
        self.method = method
        self.face = face
        self.is_weighty = operation.scope not in {READ, WRITE}
        self._reads = operation.effect is Effect.READS
        self._fields = frozenset(operation.request.model_fields) & frozenset(_IDS)

    def admit(self, request: Request, *, reads: bool = False) -> "Call | Answer":
        """Check all that the head tells: load, who asks (without keys: from where), scope, media type, length.

        The last two not of what only `reads`.
        """
        face, caller = self.face, None
        try:
            face.require_room()
            caller = face.visitors.identify(request)
            require_scope(caller, self.operation.scope)
            if not reads:
                require_json(request)
        except MemoryGatewayError as error:
            return self.refused(error, caller)
        return Call(self, caller, request.peer)

    async def call(self, caller: Caller, body: bytes) -> Answer:
        """Answer a request that came in another face's envelope, as `admit` and its Call would."""
        try:
            self.face.require_room()
            require_scope(caller, self.operation.scope)
        except MemoryGatewayError as error:
            return self.refused(error, caller)
        answer = await Call(self, caller, "").answer(body)
        answer.taken()
        return answer

    def refused(self, error: MemoryGatewayError, caller: Caller | None) -> Answer:
        """Refuse by what is known before the body is read; `caller` None: that it is not known who asks."""
        answer = self.answered(refusal(error), 0.0)
        if caller is not None:
            self.note(caller, answer.status, NOBODY)
        return answer

    def note(self, caller: Caller, status: int, named: Named) -> None:
        """Note who asked for this operation, and how it was answered."""
        self.face.auditor.note(caller, self.operation.name, status, named, reads=self._reads)

    def named_by(self, asked: BaseModel) -> Named:
        """The ids that a request names."""
        return Named(*(getattr(asked, name) or "" if name in self._fields else "" for name in _IDS))

    def answered(self, answer: Answer, seconds: float) -> Answer:
        """Count the answer, and log it if asked to."""
        self.face.metrics.observe(self.operation.name, answer.status, seconds)
        if self.face.access_log:
            fields = {"operation": self.operation.name, "status": answer.status, "ms": round(seconds * 1000, 2)}
            _LOG.info("request", extra=fields)
        return answer


async def expected(work: Awaitable[Found], operation: str) -> Found:
    """What the work gives. The border: raises nothing but MemoryGatewayError, a bug's own text stays in the log."""
    try:
        return await work
    except MemoryGatewayError:
        raise
    except Exception as error:  # noqa: BLE001 - the border of what answers requests
        _LOG.exception("unhandled error", extra={"operation": operation})
        raise MemoryGatewayError(f"internal error ({type(error).__name__})") from None


async def bordered(work: Awaitable[Answered], operation: str) -> Answered | Answer:
    """What the work answers, else a problem document: of a bug a 500."""
    try:
        return await expected(work, operation)
    except MemoryGatewayError as error:
        return refusal(error)


class Call:
    """One admitted request of an operation: in flight from the end of its body to its answer."""

    __slots__ = ("_endpoint", "_named", "_peer", "caller")

    def __init__(self, endpoint: Endpoint, caller: Caller, peer: str) -> None:
        self._endpoint = endpoint
        self.caller = caller
        self._peer = peer
        self._named = NOBODY

    async def answer(self, body: bytes) -> Answer:
        """Answer: 200 with the operation's response, or a problem document.

        Who asked is noted behind it; of what took away, or is not everybody's, before it.
        """
        endpoint, started = self._endpoint, time.perf_counter()
        answer = await bordered(self._work(body), endpoint.operation.name)
        endpoint.note(self.caller, answer.status, self._named)
        if endpoint.is_weighty and answer.status == HTTPStatus.OK:
            await endpoint.face.auditor.written()
        return endpoint.answered(answer, time.perf_counter() - started)

    async def _work(self, body: bytes) -> Answer:
        """Read the request, wait for its turn, and do it. A large answer keeps its places until its peer has it."""
        face, operation = self._endpoint.face, self._endpoint.operation
        asked = read_request(operation.request, body)
        named = self._named = self._endpoint.named_by(asked)
        work_on(self.caller.tenant, named.conversation)
        about = named.user or named.conversation
        user = (self.caller.tenant, about, operation.name) if about else None  # whose places it takes
        claims = face.callers.claims(id(self.caller), self._peer, user)  # a key has one Caller in a process's life
        await face.turns.take(claims)
        is_large = False
        try:
            face.require_room()
            face.metrics.in_flight += 1
            try:
                found = await self._endpoint.method(self.caller, asked)
            finally:
                face.metrics.in_flight -= 1
            text = found.model_dump_json().encode() if isinstance(found, BaseModel) else bytes(found.encode())
            is_large = len(text) > LARGE_BYTES
        finally:
            if not is_large:
                face.turns.give(claims)
        face.callers.learn(user, len(text))
        return Answer(text, on_taken=partial(face.turns.give, claims)) if is_large else Answer(text)

    def abandon(self) -> None:
        """The body never came: nothing was taken for it."""


def require_json(request: Request) -> None:
    """Raise UnsupportedMedia or TooLarge for a body that is not JSON by its head, or too long."""
    content_type = request.header(b"content-type")
    if content_type != JSON_TYPE:
        kind, _, parameters = (content_type or "").partition(";")
        if kind.strip().lower() != JSON_TYPE:
            raise UnsupportedMedia("send Content-Type: application/json")
        if parameters and "utf-8" not in parameters.lower():
            raise UnsupportedMedia("JSON is UTF-8")
    encoding = request.header(b"content-encoding")
    if encoding and encoding.lower() != "identity":
        raise UnsupportedMedia("compressed bodies are not accepted")
    length = request.header(b"content-length")
    if length is not None and length_of(length) > BODY_BYTES_MAX:
        raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")
