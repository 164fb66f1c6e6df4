"""Who asks over HTTP: a program by its API key, else a person by the console's cookie."""

from gateway.auth import Authenticator
from gateway.http.cookies import Cookies, Visitor
from gateway.http.origin import MARK, READS, require_no_strange_page, require_own_page
from gateway.http.request import Request
from memory.errors import Unauthorized
from memory.model.caller import Caller


class Visitors:
    """Maps a request's head to its caller. Without keys everyone is let in who is no page of another site."""

    def __init__(self, authenticator: Authenticator, cookies: Cookies | None) -> None:
        """`cookies`: None where there is no console."""
        self.authenticator = authenticator
        self._cookies = cookies

    def identify(self, request: Request) -> Caller:
        """Who asks: a key counts before a cookie. Raises Unauthorized, and Forbidden for a strange page."""
        caller, visit = self.here(request)
        if visit and request.method not in READS and request.header(MARK) != visit:
            raise Unauthorized("somebody else has signed in in this browser: load the page anew")
        return caller

    def here(self, request: Request) -> tuple[Caller, str]:
        """Who is here, and what names their visit: empty without a cookie."""
        cookie = self._cookie_of(request)
        if cookie is None:
            return self.authenticator.identify(request.header(b"authorization")), ""
        visitor = self._visitor(request, cookie)
        return self.authenticator.caller_of(visitor.stored), visitor.visit

    def _visitor(self, request: Request, cookie: str) -> Visitor:
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
