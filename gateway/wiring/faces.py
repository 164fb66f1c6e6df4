"""What answers over HTTP, as the settings ask for it: operations, MCP, the console, pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from gateway.auth import Authenticator
from gateway.config.settings import Settings
from gateway.console.assets import Assets
from gateway.console.endpoint import Console
from gateway.console.sign_in import SignInEndpoint
from gateway.http.cookies import Cookies, CookieTerms
from gateway.http.dispatch import Dispatcher
from gateway.http.endpoints import Endpoint, Face
from gateway.http.pages import Page, pages
from gateway.http.turns import Callers, Turns
from gateway.http.visitors import Visitors
from gateway.http.watches import Streams, WatchEndpoint
from gateway.mcp.endpoint import McpEndpoint
from gateway.observe.audit import Auditor
from gateway.observe.health import report
from gateway.observe.metrics import Metrics
from gateway.observe.traces import Tracing
from gateway.openapi import program_version
from gateway.operating.service import Operating
from gateway.operations import OPERATIONS, WATCHES, Answerer, Method, Operation
from gateway.wiring.health import Looking
from gateway.wiring.settings import shares
from memory.service import MemoryService


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """What the faces of a gateway show, and what watches them."""

    service: MemoryService
    operating: Operating
    authenticator: Authenticator
    auditor: Auditor
    metrics: Metrics
    looking: Looking
    tracing: Tracing | None

    def endpoint(self, operation: Operation, face: Face) -> Endpoint:
        """An operation over HTTP, with what answers it."""
        method = _method(self.service if operation.by is Answerer.MEMORY else self.operating, operation)
        return Endpoint(operation, method if self.tracing is None else self.tracing.method(operation, method), face)


def dispatcher_of(settings: Settings, behind: Behind) -> Dispatcher:
    """All of it."""
    cookies = _cookies(settings, behind.authenticator)
    visitors = Visitors(behind.authenticator, cookies)
    face = Face(
        visitors=visitors,
        metrics=behind.metrics,
        in_flight_max=settings.server.in_flight_max,
        callers=Callers(shares(settings)),
        turns=Turns(settings.server.turn_timeout_s),
        auditor=behind.auditor,
        access_log=settings.log.access,
    )
    endpoints = {operation.name: behind.endpoint(operation, face) for operation in OPERATIONS}
    mcp = McpEndpoint(endpoints, face, settings.mcp.result_chars_max) if settings.mcp.enabled else None
    console = None
    if cookies is not None:
        console = Console(SignInEndpoint(cookies, visitors, behind.metrics, behind.auditor), Assets())
    return Dispatcher(endpoints, _watches(settings, behind.service, face), mcp, console, _pages(behind.looking))


def pages_alone(looking: Looking) -> Dispatcher:
    """For a process that serves no operations."""
    return Dispatcher({}, (), None, None, _pages(looking))


def _watches(settings: Settings, service: MemoryService, face: Face) -> list[WatchEndpoint]:
    """Without keys all callers are one, who may have as many streams as there may be."""
    of_key = None if face.visitors.authenticator.open else settings.server.streams_of_key_max
    streams = Streams(settings.server.streams_max, of_key, face.metrics)
    return [WatchEndpoint(Endpoint(operation, _method(service, operation), face), streams) for operation in WATCHES]


def _method(answerer: MemoryService | Operating, operation: Operation) -> Method:
    method: Method = getattr(answerer, operation.method)
    return method


def _cookies(settings: Settings, authenticator: Authenticator) -> Cookies | None:
    """Of the console, where there is one."""
    asked = settings.console
    terms = CookieTerms(asked.session_s, asked.allow_http, asked.secret)
    return Cookies(authenticator.hashes, terms) if asked.enabled else None


def _pages(looking: Looking) -> Mapping[str, Page]:
    return pages(partial(report, program_version(), looking.checks()), looking.figures)
