"""Where a request comes from: against pages of other sites that send one through a browser (DNS rebinding)."""

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from gateway.auth import is_loopback
from gateway.http.request import Request
from memory.errors import Forbidden

_NAMES_KEPT: Final = 256


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
    where = origin.lower().partition("://")[2]
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
        if not _is_here(origin.lower().partition("://")[2]):
            raise Forbidden("requests from pages of other sites are refused: this gateway has no API keys")
    elif request.header(b"host") is not None and (request.method != b"POST" or _is_browsers(request)):
        require_here(request)


def _is_browsers(request: Request) -> bool:
    return (request.header(b"user-agent") or "").startswith("Mozilla/")


def _host(request: Request) -> str:
    return (request.header(b"host") or "").lower()


@lru_cache(_NAMES_KEPT)
def _is_here(host: str) -> bool:
    """Whether HOST or HOST:PORT names this machine."""
    try:
        return is_loopback(urlsplit("//" + host).hostname or "")
    except ValueError:
        return False
