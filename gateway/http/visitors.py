"""Who asks over HTTP: a program by its API key, else a person by the console's cookie."""

from typing import Final

from gateway.auth import Authenticator, require_scope
from gateway.http.cookies import Cookies, Visitor
from gateway.http.origin import require_no_strange_page
from gateway.http.request import Request
from memory.errors import Forbidden, Unauthorized
from memory.service.settings import Caller

MARK: Final = b"x-anamnesis-console"
"""The header that the console sends: no page of another origin can (CORS). With a cookie it names the visit."""
_READS: Final = (b"GET", b"HEAD")


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
        cookie = self._cookie_of(request)
        if cookie is None:
            return self.authenticator.identify(request.header(b"authorization"))
        visitor = self.visitor(request, cookie)
        if request.method not in _READS and request.header(MARK) != visitor.visit:
            raise Unauthorized("somebody else has signed in in this browser: load the page anew")
        return self.authenticator.caller_of(visitor.stored)

    def here(self, request: Request) -> tuple[Caller, str]:
        """Who is here, and what names their visit: empty without a cookie."""
        cookie = self._cookie_of(request)
        if cookie is None:
            return self.authenticator.identify(request.header(b"authorization")), ""
        visitor = self.visitor(request, cookie)
        return self.authenticator.caller_of(visitor.stored), visitor.visit

    def visitor(self, request: Request, cookie: str) -> Visitor:
        """Whose cookie it is. Raises Unauthorized for nobody's, Forbidden for what a strange page may have sent."""
        visitor = None if self._cookies is None else self._cookies.visitor_of(cookie)
        if visitor is None:
            raise Unauthorized("sign in again, or send `Authorization: Bearer <key>`")
        require_own_page(request)
        return visitor

    def _cookie_of(self, request: Request) -> str | None:
        """The Cookie header, where it is what counts. Without keys it never does, and strange pages are refused."""
        if self.authenticator.open:
            require_no_strange_page(request)
            return None
        counts = self._cookies is not None and b"authorization" not in request.headers
        return request.header(b"cookie") if counts else None


def require_own_page(request: Request) -> None:
    """Raise Forbidden for what may come from a page that is not the console's own.

    SameSite=Strict does not stop another port of the same host (RFC 6265bis, 8.8.1: a site is no origin). So the
    browser must say that it is the same origin: by Sec-Fetch-Site, which it sends over TLS and on this machine only,
    else by Origin, which it does not send with a look; there, and with all that is no look, the console's header must
    be there.
    """
    site, origin, mark = request.header(b"sec-fetch-site"), request.header(b"origin"), request.header(MARK)
    looks = request.method in _READS
    if site is not None:
        same = site.lower() == "same-origin"
    elif origin is not None:
        same = origin.lower().partition("://")[2] == (request.header(b"host") or "").lower()
    else:
        same = looks and mark is not None
    if not same:
        raise Forbidden("a cookie counts only from the console's own pages")
    if not looks and mark is None:
        raise Forbidden(f"with a cookie send {MARK.decode()} too")
