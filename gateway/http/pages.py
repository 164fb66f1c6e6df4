"""Everything that is not an operation: health, metrics, the OpenAPI document and its page."""

import json
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any, Final

from aiohttp import web

from gateway.http.endpoints import error_response
from gateway.openapi import document
from memory.errors import MemoryGatewayError, NotFound

_SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_ASSETS: Final = {
    "/docs": ("index.html", "text/html"),
    "/docs/docs.css": ("docs.css", "text/css"),
    "/docs/docs.js": ("docs.js", "text/javascript"),
}

Report = Callable[[], Awaitable[dict[str, Any]]]
Figures = Callable[[], Awaitable[bytes]]


class MethodNotAllowed(MemoryGatewayError):  # noqa: N818 - see memory/errors.py
    """The path is there, but not for this method."""

    code, status, title = "method_not_allowed", 405, "Method not allowed"


def add_pages(app: web.Application, report: Report, figures: Figures) -> None:
    """Route the pages, and what is nowhere to a problem document."""
    routed = {resource.canonical for resource in app.router.resources()}
    routes = (("/live", _live), ("/health", _health(report)), ("/metrics", _metrics(figures)))
    for path, handler in routes:
        app.router.add_get(path, handler)
    app.router.add_get("/openapi.json", _openapi)
    for path, (name, media) in _ASSETS.items():
        app.router.add_get(path, _asset(name, media))
    app.router.add_route("*", "/{anything:.*}", _nowhere(routed))


async def _live(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _health(report: Report) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def health(_: web.Request) -> web.Response:
        found = await report()
        return web.json_response(found, status=503 if found["status"] == "down" else 200)

    return health


def _metrics(figures: Figures) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=await figures(), content_type="text/plain", charset="utf-8")

    return metrics


async def _openapi(_: web.Request) -> web.Response:
    body = json.dumps(document(), ensure_ascii=False).encode()
    return web.Response(body=body, content_type="application/json", headers=_SECURITY_HEADERS)


def _asset(name: str, media: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    content = resources.files("gateway.http").joinpath("docs_page", name).read_bytes()

    async def asset(_: web.Request) -> web.Response:
        return web.Response(body=content, content_type=media, charset="utf-8", headers=_SECURITY_HEADERS)

    return asset


def _nowhere(routed: set[str]) -> Callable[[web.Request], Awaitable[web.Response]]:
    pages = {"/live", "/health", "/metrics", "/openapi.json", *_ASSETS}

    async def nowhere(request: web.Request) -> web.Response:
        if request.path in routed:
            response = error_response(MethodNotAllowed("use POST"))
            response.headers["Allow"] = "POST"
            return response
        if request.path in pages:
            response = error_response(MethodNotAllowed("use GET"))
            response.headers["Allow"] = "GET, HEAD"
            return response
        return error_response(NotFound("there is no such path"))

    return nowhere
