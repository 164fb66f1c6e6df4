"""Which handler a request goes to: one look-up by path. There is no middleware and nothing to match."""

from collections.abc import Iterable, Mapping

from gateway.console.assets import HOME
from gateway.console.endpoint import Console
from gateway.http.answers import Answer, refusal
from gateway.http.endpoints import Endpoint, bordered
from gateway.http.origin import READS
from gateway.http.pages import Page, front
from gateway.http.refusals import wrong_method
from gateway.http.request import Handling, Request
from gateway.http.rest_paths import Ways
from gateway.http.watches import WatchEndpoint
from gateway.mcp.endpoint import PATHS, McpEndpoint
from memory.errors import NotFound


class Dispatcher:
    """Operations and MCP by POST, watches and pages by GET, a problem document for all the rest."""

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        watches: Iterable[WatchEndpoint],
        mcp: McpEndpoint | None,
        console: Console | None,
        pages: Mapping[str, Page],
    ) -> None:
        self._posts: dict[bytes, Endpoint | McpEndpoint] = {
            endpoint.operation.path.encode(): endpoint for endpoint in endpoints.values()
        }
        if mcp is not None:
            self._posts |= dict.fromkeys(PATHS, mcp)
        self._watches = {watch.endpoint.operation.path.encode(): watch for watch in watches}
        self._ways = Ways(endpoints.values())
        self._console = console
        self._front, self._front_page = front(mcp=mcp is not None, console=console is not None)
        self._pages = {path.encode(): page for path, page in pages.items()}

    def admit(self, request: Request) -> Handling | Answer:
        """Find who answers; refuse what can be refused by its head."""
        endpoint = self._posts.get(request.target)
        if endpoint is not None and request.method == b"POST":
            return endpoint.admit(request)
        return self._other(request, path_of(request.target))

    def _other(self, request: Request, path: bytes) -> Handling | Answer:
        endpoint, watch, page = self._posts.get(path), self._watches.get(path), self._pages.get(path)
        if endpoint is not None:
            return endpoint.admit(request) if request.method == b"POST" else wrong_method("POST")
        if watch is not None:
            return watch.admit(request) if request.method in READS else wrong_method("GET, HEAD")
        if path == b"/":
            return self._ways_in(request)
        if self._console is not None and (path + b"/").startswith(HOME.encode()):
            return self._console.admit(request, path.decode("latin-1"))
        if page is None:
            return self._by_another_way(request, path)
        return _Visit(page) if request.method in READS else wrong_method("GET, HEAD")

    def _ways_in(self, request: Request) -> Answer:
        if request.method not in READS:
            return wrong_method("GET, HEAD")
        return self._front_page if "text/html" in (request.header(b"accept") or "") else self._front

    def _by_another_way(self, request: Request, path: bytes) -> Handling | Answer:
        method = self._ways.method_of(path)
        if method is None:
            return refusal(NotFound("there is no such path"))
        asked = b"GET" if request.method == b"HEAD" else request.method
        return self._ways.admit(request, path) if asked == method.encode() else wrong_method(method)


def path_of(target: bytes) -> bytes:
    """Return the path of a request target, which may be a whole URL (RFC 9112, 3.2.2)."""
    if not target.startswith(b"/"):
        _, _, rest = target.partition(b"://")
        target = b"/" + rest.partition(b"/")[2]
    return target.partition(b"?")[0].partition(b"#")[0]


class _Visit:
    """A page that was asked for."""

    __slots__ = ("_page",)

    def __init__(self, page: Page) -> None:
        self._page = page

    async def answer(self, body: bytes) -> Answer:  # noqa: ARG002 - a page has no use for one
        return await bordered(self._page(), "a page")

    def abandon(self) -> None:
        """Nothing to give back."""
