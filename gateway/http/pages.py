"""Everything that is not an operation: health, metrics, the OpenAPI document and its page."""

import json
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from typing import Any, Final

from gateway.http.answers import JSON_TYPE, SECURITY_HEADERS, Answer, typed
from gateway.openapi import document, program_version

_ASSETS: Final = {
    "/docs": ("index.html", "text/html"),
    "/docs/docs.css": ("docs.css", "text/css"),
    "/docs/docs.js": ("docs.js", "text/javascript"),
}

_WAYS: Final = {
    "/console/": "what is remembered, to look at and to put right",
    "/docs": "every operation, to read and to try",
    "/openapi.json": "the same for programs",
    "/mcp": "the operations as tools of the Model Context Protocol",
    "/health": "whether everything works, part by part",
    "/live": "whether the process does",
    "/metrics": "figures for Prometheus",
}

Page = Callable[[], Awaitable[Answer]]
Report = Callable[[], Awaitable[dict[str, Any]]]
Figures = Callable[[], Awaitable[bytes]]


def pages(report: Report, figures: Figures) -> Mapping[str, Page]:
    """All pages by path."""
    return {
        "/live": _live,
        "/health": _health(report),
        "/metrics": _metrics(figures),
        "/openapi.json": _openapi,
        **{path: _asset(name, media) for path, (name, media) in _ASSETS.items()},
    }


def front(*, mcp: bool, console: bool) -> tuple[Answer, Answer]:
    """What `GET /` answers: the ways in as JSON; to a browser the console, or where there is none a page."""
    absent = {way for way, there in (("/mcp", mcp), ("/console/", console)) if not there}
    ways = {way: meaning for way, meaning in _WAYS.items() if way not in absent}
    items = "".join(f'<li><a href="{way}">{way}</a> {meaning}</li>' for way, meaning in ways.items())
    html = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Anamnesis</title><h1>Anamnesis</h1><ul>{items}</ul>"
    )
    headers = SECURITY_HEADERS | {"Vary": "Accept"}
    told = json.dumps({"name": "anamnesis", "version": program_version(), "ways": ways}).encode()
    there = {"Location": "/console/"} if console else {}
    page = typed(html.encode(), "text/html; charset=utf-8", headers | there, 303 if console else 200)
    return typed(told, JSON_TYPE, headers), page


async def _live() -> Answer:
    return Answer(b'{"status": "ok"}')


def _health(report: Report) -> Page:
    async def health() -> Answer:
        found = await report()
        body = json.dumps(found, ensure_ascii=False).encode()
        return typed(body, JSON_TYPE, status=503 if found["status"] == "down" else 200)

    return health


def _metrics(figures: Figures) -> Page:
    async def metrics() -> Answer:
        return typed(await figures(), "text/plain; charset=utf-8")

    return metrics


async def _openapi() -> Answer:
    return typed(json.dumps(document(), ensure_ascii=False).encode(), JSON_TYPE, SECURITY_HEADERS)


def _asset(name: str, media: str) -> Page:
    content = resources.files("gateway.http").joinpath("docs_page", name).read_bytes()

    async def asset() -> Answer:
        return typed(content, f"{media}; charset=utf-8", SECURITY_HEADERS)

    return asset
