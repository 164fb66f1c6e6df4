"""Signing in to the console: the API key once, for a cookie that no script can read."""

import json
import time
from collections import deque
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from gateway.auth import ALL_SCOPES, allows, hash_key
from gateway.http.answers import JSON_TYPE, Answer, refusal, typed
from gateway.http.cookies import Cookies
from gateway.http.endpoints import bordered, require_json
from gateway.http.refusals import LoginLimited
from gateway.http.request import Request
from gateway.http.visitors import Visitors, require_own_page
from gateway.openapi import program_version
from gateway.wire import read_request
from memory.errors import MemoryGatewayError
from memory.service.settings import Caller

METHODS: Final = "GET, POST, DELETE"
TRIES_A_MINUTE: Final = 10
_MINUTE_S: Final = 60.0
_PEERS_MAX: Final = 10_000
_UNCACHED: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class SignIn(BaseModel):
    """The request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: str = Field(min_length=1, max_length=512)


class Tries:
    """How often keys were tried, by peer, within the last minute. Each process counts its own."""

    def __init__(self) -> None:
        self._tried: dict[str, deque[float]] = {}

    def count(self, peer: str) -> None:
        """Count one. Raises LoginLimited when there were too many."""
        now = time.monotonic()
        if peer not in self._tried and len(self._tried) >= _PEERS_MAX:
            self._tried.pop(next(iter(self._tried)))
        tried = self._tried.setdefault(peer, deque(maxlen=TRIES_A_MINUTE))
        if len(tried) == TRIES_A_MINUTE and now - tried[0] < _MINUTE_S:
            raise LoginLimited(f"more than {TRIES_A_MINUTE} keys within a minute: wait, then try again")
        tried.append(now)


class SignInEndpoint:
    """`/console/session`: POST signs in, GET says who is here, DELETE signs out."""

    def __init__(self, cookies: Cookies, visitors: Visitors) -> None:
        self.authenticator = visitors.authenticator
        self.cookies = cookies
        self._visitors = visitors
        self._tries = Tries()

    def admit(self, request: Request) -> "_SigningIn | Answer":
        """Answer by the head, but for a key, which stands in the body."""
        try:
            if request.method == b"POST":
                require_own_page(request)
                require_json(request)
                self._tries.count(request.peer)
                return _SigningIn(self)
            if request.method == b"DELETE":
                require_own_page(request)
                return said(None, self.cookies.signed_out())
            return self.welcome(self._visitors.identify(request))
        except MemoryGatewayError as error:
            return refusal(error)

    def welcome(self, caller: Caller, cookie: str | None = None) -> Answer:
        """Who is here, and what they may do."""
        here = {
            "tenant": caller.tenant,
            "name": caller.name,
            "scopes": sorted(scope for scope in ALL_SCOPES if allows(caller, scope)),
            "open": self.authenticator.open,
            "version": program_version(),
        }
        return said(here, cookie)


class _SigningIn:
    """A key that is on its way."""

    __slots__ = ("_endpoint",)

    def __init__(self, endpoint: SignInEndpoint) -> None:
        self._endpoint = endpoint

    async def answer(self, body: bytes) -> Answer:
        return await bordered(self._sign_in(body), "sign in")

    async def _sign_in(self, body: bytes) -> Answer:
        endpoint = self._endpoint
        stored = hash_key(read_request(SignIn, body).key.strip())
        if endpoint.authenticator.open:
            return endpoint.welcome(endpoint.authenticator.identify(None))
        return endpoint.welcome(endpoint.authenticator.caller_of(stored), endpoint.cookies.signed_in(stored))

    def abandon(self) -> None:
        """The body never came."""


def said(what: dict[str, object] | None, cookie: str | None) -> Answer:
    """JSON that nothing on the way may keep, with a cookie."""
    headers = _UNCACHED | ({"Set-Cookie": cookie} if cookie else {})
    return typed(json.dumps(what or {}, ensure_ascii=False).encode(), JSON_TYPE, headers)
