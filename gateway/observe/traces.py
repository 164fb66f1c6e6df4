"""Traces by OpenTelemetry, when they are asked for: a span for each operation, store call and step of a finalisation.

No span has content or an id in clear: names are the program's own, ids are digests, errors are codes. Without traces
nothing is wrapped, and OpenTelemetry's SDK is not imported.
"""

import asyncio
import functools
import importlib
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from gateway.config.settings import Settings
from gateway.observe.correlation import current
from gateway.observe.subjects import Subject, subject
from gateway.openapi import program_version
from gateway.operations import Method, Operation
from memory.consolidation.minds import Minds
from memory.errors import MemoryGatewayError, SetupError
from memory.model.caller import Caller

Part = TypeVar("Part")

_FLUSH_S: Final = 2.0
_NOT_INSTALLED: Final = (
    "telemetry.traces is otlp, and OpenTelemetry is not installed: install anamnesis-gateway[otel], or set it to off"
)


class Tracing:
    """Wraps what is to be traced. `exporter` gets the spans, in the background."""

    def __init__(self, exporter: Any, role: str) -> None:
        self._api = importlib.import_module("opentelemetry.trace")
        self._propagation = importlib.import_module("opentelemetry.trace.propagation.tracecontext")
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        named = {"service.name": "anamnesis", "service.version": program_version(), "anamnesis.role": role}
        # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before ours
        detected = resources.OTELResourceDetector().detect()
        self._provider = sdk.TracerProvider(resource=resources.Resource(named).merge(detected), shutdown_on_exit=False)
        self._provider.add_span_processor(export.BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("anamnesis")

    def method(self, operation: Operation, method: Method) -> Method:
        """The method, with a span for each request: a child of the caller's when it sent a `traceparent`."""

        async def traced(caller: Caller, asked: Any) -> Any:
            about = Subject(caller.tenant, getattr(asked, "conversation_id", None) or "")
            with self._span(operation.name, about, request=True):
                return await method(caller, asked)

        return traced

    def part(self, name: str, part: Part, *, begins: bool = False) -> Part:
        """The same part, with a span for each call of its methods that are waited for.

        Only within a span of what it is done for, unless the part `begins` one: looking around is not traced.
        """
        wrapped: Any = _Traced(part, name, self._span, self._inside, begins=begins)
        return wrapped  # type: ignore[no-any-return]

    def minds(self, minds: Minds) -> Minds:
        """The minds, with a span for each call of the mind and of the embedder."""
        embedder = None if minds.embedder is None else self.part("embedder", minds.embedder)
        return replace(minds, mind=self.part("mind", minds.mind), embedder=embedder)

    async def close(self) -> None:
        """Send what is left, for two seconds at most."""
        ending = threading.Thread(target=self._provider.shutdown, daemon=True, name="traces-end")
        ending.start()
        deadline = asyncio.get_running_loop().time() + _FLUSH_S
        while ending.is_alive() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(0.02)

    @contextmanager
    def _span(self, name: str, about: Subject | None = None, *, request: bool = False) -> Iterator[None]:
        kind = self._api.SpanKind.SERVER if request else self._api.SpanKind.INTERNAL
        about = about or (None if self._inside() else subject())
        attributes = {f"anamnesis.{field}": value for field, value in (about.fields() if about else {}).items()}
        parent = self._caller() if request else None
        with (
            self._tracer.start_as_current_span(
                name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
            ) as span,
            ExitStack() as ending,
        ):
            ending.push(functools.partial(self._tell, span))
            yield

    def _tell(self, span: Any, _type: Any, error: BaseException | None, _traceback: Any) -> None:
        """Note on a span with what its work ended, when that was an error."""
        if error is None:
            return
        code = error.code if isinstance(error, MemoryGatewayError) else type(error).__name__
        span.set_attribute("error.type", code)
        if getattr(error, "status", 500) >= 500:  # noqa: PLR2004 - below it is the caller's fault
            span.set_status(self._api.StatusCode.ERROR)

    def _inside(self) -> bool:
        return bool(self._api.get_current_span().get_span_context().is_valid)

    def _caller(self) -> Any:
        """The context that the request came with; None: it starts a trace of its own."""
        request = current()
        if request is None or request.traceparent is None:
            return None
        carrier = {"traceparent": request.traceparent}
        return self._propagation.TraceContextTextMapPropagator().extract(carrier)


class _Traced:
    """A part behind which every call that is waited for has a span."""

    def __init__(
        self, part: Any, name: str, span: Callable[[str], Any], inside: Callable[[], bool], *, begins: bool
    ) -> None:
        self._part = part
        self._name = name
        self._span = span
        self._inside = inside
        self._begins = begins

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if not inspect.iscoroutinefunction(found):
            return found
        call: Callable[..., Awaitable[Any]] = found

        @functools.wraps(found)
        async def traced(*arguments: Any, **named: Any) -> Any:
            if not self._begins and not self._inside():
                return await call(*arguments, **named)
            with self._span(f"{self._name}.{name}"):
                return await call(*arguments, **named)

        return traced


def tracing_of(settings: Settings, role: str) -> Tracing | None:
    """By setting `telemetry.traces`; None: there are no traces, and nothing is imported for them.

    Where they go is told by the usual OTEL_* variables of the environment. Raises SetupError when they are asked for
    and the extra is not installed.
    """
    if settings.telemetry.traces == "off":
        return None
    return Tracing(_exporter(), role)


def _exporter() -> Any:
    try:
        module = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        importlib.import_module("opentelemetry.sdk.trace.export")
    except ImportError as error:
        raise SetupError(_NOT_INSTALLED) from error
    return module.OTLPSpanExporter()
