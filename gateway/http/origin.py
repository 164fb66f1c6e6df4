"""Where a request comes from: against pages of other sites that send one through a browser (DNS rebinding)."""

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from gateway.auth import is_loopback
from gateway.http.request import Request
from memory.errors import Forbidden

_NAMES_KEPT: Final = 256
READS: Final = (b"GET", b"HEAD")
MARK: Final = b"x-anamnesis-console"
"""The header that the console sends: no page of another origin can (CORS). With a cookie it names the visit."""


def require_here(request: Request) -> None:
    """Raise Forbidden for a Host that is no name or address of this machine's loopback.

    For a gateway without keys, which listens on loopback only. With keys it may stand behind a proxy of any name.
    """
    if not _is_here(_host(request)):
        raise Forbidden(
            "without API keys this is answered to this machine's names only: use 127.0.0.1 or localhost as the host"
        )


def require_origin(request: Request) -> None:
    """Raise Forbidden for an Origin that is neither the host that was asked nor this machine. None is no page's."""
    origin = request.header(b"origin")
    if origin is None:
        return
    where = _named(origin)
    if not where or (where != _host(request) and not _is_here(where)):
        raise Forbidden("requests from pages of other sites are refused")


def require_no_strange_page(request: Request) -> None:
    """Raise Forbidden for what a page of another site may have sent to a gateway without keys.

    A browser names the origin of every POST of a page (Fetch, 3.2), not of every GET: there the host counts that the
    page asked, and wherever a browser says that it is one, for those that are old or made to hide the origin. What
    comes otherwise is a program's, and may call the host what it likes.
    """
    origin = request.header(b"origin")
    if origin is not None:
        if not _is_here(_named(origin)):
            raise Forbidden("requests from pages of other sites are refused: this gateway has no API keys")
    elif request.header(b"host") is not None and (request.method != b"POST" or _is_browsers(request)):
        require_here(request)


def require_own_page(request: Request) -> None:
    """Raise Forbidden for what may come from a page that is not the console's own.

    SameSite=Strict does not stop another port of the same host (RFC 6265bis, 8.8.1: a site is no origin). So the
    browser must say that it is the same origin: by Sec-Fetch-Site, which it sends over TLS and on this machine only,
    else by Origin, which it does not send with a look; there, and with all that is no look, the console's header must
    be there.
    """
    site, origin, mark = request.header(b"sec-fetch-site"), request.header(b"origin"), request.header(MARK)
    looks = request.method in READS
    if site is not None:
        same = site.lower() == "same-origin"
    elif origin is not None:
        same = _named(origin) == _host(request)
    else:
        same = looks and mark is not None
    if not same:
        raise Forbidden("a cookie counts only from the console's own pages")
    if not looks and mark is None:
        raise Forbidden(f"with a cookie send {MARK.decode()} too")


def _is_browsers(request: Request) -> bool:
    return (request.header(b"user-agent") or "").startswith("Mozilla/")


def _named(origin: str) -> str:
    """The host and port of an origin."""
    return origin.lower().partition("://")[2]


def _host(request: Request) -> str:
    return (request.header(b"host") or "").lower()


@lru_cache(_NAMES_KEPT)
def _is_here(host: str) -> bool:
    """Whether HOST or HOST:PORT names this machine."""
    try:
        return is_loopback(urlsplit("//" + host).hostname or "")
    except ValueError:
        return False
