"""Everything that is not an operation: health, metrics, the OpenAPI document and its page."""

import json
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from typing import Any, Final

from aiohttp import web

from gateway.openapi import document

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

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
Report = Callable[[], Awaitable[dict[str, Any]]]
Figures = Callable[[], Awaitable[bytes]]


def pages(report: Report, figures: Figures) -> Mapping[str, Handler]:
    """The handlers of all pages by path."""
    return {
        "/live": _live,
        "/health": _health(report),
        "/metrics": _metrics(figures),
        "/openapi.json": _openapi,
        **{path: _asset(name, media) for path, (name, media) in _ASSETS.items()},
    }


async def _live(_: web.BaseRequest) -> web.StreamResponse:
    return web.json_response({"status": "ok"})


def _health(report: Report) -> Handler:
    async def health(_: web.BaseRequest) -> web.StreamResponse:
        found = await report()
        return web.json_response(found, status=503 if found["status"] == "down" else 200)

    return health


def _metrics(figures: Figures) -> Handler:
    async def metrics(_: web.BaseRequest) -> web.StreamResponse:
        return web.Response(body=await figures(), content_type="text/plain", charset="utf-8")

    return metrics


async def _openapi(_: web.BaseRequest) -> web.StreamResponse:
    body = json.dumps(document(), ensure_ascii=False).encode()
    return web.Response(body=body, content_type="application/json", headers=_SECURITY_HEADERS)


def _asset(name: str, media: str) -> Handler:
    content = resources.files("gateway.http").joinpath("docs_page", name).read_bytes()

    async def asset(_: web.BaseRequest) -> web.StreamResponse:
        return web.Response(body=content, content_type=media, charset="utf-8", headers=_SECURITY_HEADERS)

    return asset
