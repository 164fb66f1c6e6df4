"""Signing in to the console: the API key once, for a cookie that no script can read."""

import ipaddress
import json
import time
from collections import deque
from http import HTTPStatus
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from gateway.auth import ALL_SCOPES, allows, hash_key
from gateway.http.answers import JSON_TYPE, UNKEPT, Answer, refusal, typed
from gateway.http.cookies import Cookies
from gateway.http.endpoints import bordered, require_json
from gateway.http.origin import require_no_strange_page, require_own_page
from gateway.http.refusals import LoginLimited
from gateway.http.request import Request, length_of
from gateway.http.visitors import Visitors
from gateway.observe.audit import Auditor
from gateway.observe.metrics import SIGN_IN, Metrics
from gateway.openapi import program_version
from gateway.wire import read_request
from memory.errors import InvalidInput, MemoryGatewayError, TooLarge, Unauthorized
from memory.model.caller import Caller

METHODS: Final = "GET, HEAD, POST, DELETE"
TRIES_A_MINUTE: Final = 10
BODY_BYTES_MAX: Final = 4096
"""Of a key, that a stranger sends: reading more would take the time of those who have one."""
_MINUTE_S: Final = 60.0
_PEERS_MAX: Final = 10_000
_NETWORK_BITS: Final = 64


class SignIn(BaseModel):
    """The request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: str = Field(min_length=1, max_length=512)


class WrongKeys:
    """How many unknown keys were tried within the last minute, by network. Each process counts its own."""

    def __init__(self) -> None:
        self._tried: dict[str, deque[float]] = {}

    def count(self, peer: str) -> None:
        """Count one. Raises LoginLimited when there were too many."""
        network, now = _network_of(peer), time.monotonic()
        if network not in self._tried and len(self._tried) >= _PEERS_MAX:
            self._tried.pop(next(iter(self._tried)))
        tried = self._tried.setdefault(network, deque(maxlen=TRIES_A_MINUTE))
        if len(tried) == TRIES_A_MINUTE and now - tried[0] < _MINUTE_S:
            raise LoginLimited(f"more than {TRIES_A_MINUTE} unknown keys within a minute: wait, then try again")
        tried.append(now)


class SignInEndpoint:
    """`/console/session`: POST signs in, GET says who is here, DELETE signs out."""

    def __init__(self, cookies: Cookies, visitors: Visitors, metrics: Metrics, auditor: Auditor) -> None:
        self._authenticator = visitors.authenticator
        self._cookies = cookies
        self._visitors = visitors
        self._metrics = metrics
        self._auditor = auditor
        self._wrong = WrongKeys()

    def admit(self, request: Request) -> "_SigningIn | Answer":
        """Answer by the head, but for a key, which stands in the body."""
        try:
            if self._authenticator.open:
                require_no_strange_page(request)
            if request.method == b"POST":
                require_own_page(request)
                require_json(request)
                _require_short(_length_of(request))
                return _SigningIn(self, request.peer)
            if request.method == b"DELETE":
                require_own_page(request)
                return said({}, self._cookies.signed_out())
            return said(self._welcome(*self._visitors.here(request)))
        except MemoryGatewayError as error:
            return refusal(error)

    async def sign_in(self, body: bytes, peer: str) -> Answer:
        """Answer with the cookie of whose key it is, or as it is refused."""
        started = time.perf_counter()
        answer = await bordered(self._sign_in(body, peer), "sign in")
        self._metrics.observe(SIGN_IN, answer.status, time.perf_counter() - started)
        return answer

    async def _sign_in(self, body: bytes, peer: str) -> Answer:
        _require_short(len(body))
        stored = hash_key(read_request(SignIn, body).key.strip())
        if self._authenticator.open:
            return said(self._welcome(self._authenticator.identify(None), ""))
        try:
            caller = self._authenticator.caller_of(stored)
        except Unauthorized:
            self._wrong.count(peer)
            raise
        cookie, visit = self._cookies.signed_in(stored)
        self._auditor.note(caller, SIGN_IN, HTTPStatus.OK)
        return said(self._welcome(caller, visit), cookie)

    def _welcome(self, caller: Caller, visit: str) -> dict[str, object]:
        """Who is here, and what they may do."""
        return {
            "tenant": caller.tenant,
            "name": caller.name,
            "scopes": sorted(scope for scope in ALL_SCOPES if allows(caller, scope)),
            "open": self._authenticator.open,
            "visit": visit,
            "version": program_version(),
        }


class _SigningIn:
    """A key that is on its way."""

    __slots__ = ("_endpoint", "_peer")

    def __init__(self, endpoint: SignInEndpoint, peer: str) -> None:
        self._endpoint = endpoint
        self._peer = peer

    async def answer(self, body: bytes) -> Answer:
        return await self._endpoint.sign_in(body, self._peer)

    def abandon(self) -> None:
        """The body never came."""


def said(what: dict[str, object], cookie: str | None = None) -> Answer:
    """JSON that nothing on the way may keep, with a cookie."""
    headers = UNKEPT | ({"Set-Cookie": cookie} if cookie else {})
    return typed(json.dumps(what, ensure_ascii=False).encode(), JSON_TYPE, headers)


def _length_of(request: Request) -> int:
    """How long the body says to be, before any of it is read. Raises InvalidInput for one that does not say so."""
    length = request.header(b"content-length")
    if length is None:
        raise InvalidInput("send a Content-Length")
    return length_of(length)


def _require_short(size: int) -> None:
    if size > BODY_BYTES_MAX:
        raise TooLarge(f"the body is larger than {BODY_BYTES_MAX} bytes")


def _network_of(peer: str) -> str:
    """An address, or of the sixth version whose it is: one house has many."""
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return peer
    return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False)) if address.version == 6 else peer  # noqa: PLR2004
