"""Who asks over HTTP: a program by its API key, else a person by the console's cookie."""

from typing import Final

from gateway.auth import Authenticator, require_scope
from gateway.http.cookies import Cookies
from gateway.http.origin import require_no_strange_page
from gateway.http.request import Request
from memory.errors import Forbidden, Unauthorized
from memory.service.settings import Caller

MARK: Final = b"x-anamnesis-console"
"""The header that the console sends with what changes anything: no page of another origin can (CORS)."""


class Visitors:
    """Maps a request's head to its caller. Without keys everyone is let in who is no page of another site."""

    def __init__(self, authenticator: Authenticator, cookies: Cookies | None) -> None:
        """`cookies`: None where there is no console."""
        self.authenticator = authenticator
        self._cookies = cookies

    def caller(self, request: Request, scope: str) -> Caller:
        """Who asks. Raises Unauthorized for nobody that is known, Forbidden for a missing scope or a strange page."""
        caller = self.identify(request)
        require_scope(caller, scope)
        return caller

    def identify(self, request: Request) -> Caller:
        """Who asks, whatever for. A key counts before a cookie."""
        if self.authenticator.open:
            require_no_strange_page(request)
        authorization = request.header(b"authorization")
        if authorization is None and self._cookies is not None and not self.authenticator.open:
            cookie = request.header(b"cookie")
            if cookie is not None:
                return self._by_cookie(request, cookie, self._cookies)
        return self.authenticator.identify(authorization)

    def _by_cookie(self, request: Request, cookie: str, cookies: Cookies) -> Caller:
        stored = cookies.key_of(cookie)
        if stored is None:
            raise Unauthorized("sign in again, or send `Authorization: Bearer <key>`")
        require_own_page(request)
        return self.authenticator.caller_of(stored)


def require_own_page(request: Request) -> None:
    """Raise Forbidden for what may come from a page that is not the console's own.

    SameSite=Strict does not stop another port of the same host (RFC 6265bis, 8.8.1: a site is no origin). So the
    browser must say that it is the same origin, and what is not a plain look carries a header that other pages cannot.
    """
    site = request.header(b"sec-fetch-site")
    if site is None:
        host, origin = request.header(b"host"), request.header(b"origin")
        same = origin is not None and host is not None and origin.lower().partition("://")[2] == host.lower()
    else:
        same = site.lower() == "same-origin"
    if not same:
        raise Forbidden("a cookie counts only from the console's own pages")
    if request.method not in {b"GET", b"HEAD"} and request.header(MARK) != "1":
        raise Forbidden(f"with a cookie send {MARK.decode()}: 1 too")
