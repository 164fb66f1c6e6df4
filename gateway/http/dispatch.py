"""Which handler a request goes to: one look-up by path. There is no middleware and nothing to match."""

import logging
from collections.abc import Awaitable, Mapping
from typing import Final

from aiohttp import web

from gateway.http.answers import refusal
from gateway.http.endpoints import Endpoint, Face
from gateway.http.pages import Figures, Handler, Report, pages
from gateway.operations import OPERATIONS
from memory.errors import MemoryGatewayError, NotFound

_LOG: Final = logging.getLogger("anamnesis.http")
_READS: Final = ("GET", "HEAD")


class MethodNotAllowed(MemoryGatewayError):  # noqa: N818 - see memory/errors.py
    """The path is there, but not for this method."""

    code, status, title = "method_not_allowed", 405, "Method not allowed"


class Dispatcher:
    """Operations from their table by POST, pages by GET, a problem document for all the rest."""

    def __init__(self, face: Face, report: Report, figures: Figures) -> None:
        self._operations: Mapping[str, Endpoint] = {op.path: Endpoint(op, face) for op in OPERATIONS}
        self._pages: Mapping[str, Handler] = pages(report, figures)

    def __call__(self, request: web.BaseRequest) -> Awaitable[web.StreamResponse]:
        """Answer one request."""
        path = request.raw_path
        endpoint = self._operations.get(path)
        if endpoint is not None and request.method == "POST":
            return endpoint(request)
        return self._other(request, request.rel_url.raw_path)

    async def _other(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        endpoint, page = self._operations.get(path), self._pages.get(path)
        if endpoint is not None:
            if request.method == "POST":
                return await endpoint(request)
            return refusal(MethodNotAllowed("use POST"), {"Allow": "POST"})
        if page is None:
            return refusal(NotFound("there is no such path"))
        if request.method not in _READS:
            return refusal(MethodNotAllowed("use GET"), {"Allow": "GET, HEAD"})
        try:
            return await page(request)
        except Exception:  # noqa: BLE001 - the border of pages, as Endpoint is of operations
            _LOG.exception("unhandled error", extra={"path": path})
            return refusal(MemoryGatewayError())
