"""Traces: a span for each operation, store call and step of a finalisation; no content, no id in clear."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from gateway.config import sources as config
from gateway.config.settings import Settings
from gateway.observe import traces
from gateway.observe.correlation import Correlation, enter
from gateway.observe.subjects import digest
from gateway.observe.traces import Tracing, tracing_of
from gateway.operations import OPERATIONS
from gateway.wiring.composition import Gateway
from memory.errors import Conflict, SetupError, StoreUnavailable
from memory.model.caller import Caller
from tests.servers import running, valkey_binary

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TURN = {
    "conversation_id": "patient-zhang",
    "user_id": "zhang",
    "user_query": "My knee hurts.",
    "agent_response": "Yes?",
}


@pytest.fixture
def redis_url() -> Iterator[str]:
    with running(valkey_binary()) as url:
        yield url


def names(spans: Sequence[ReadableSpan]) -> set[str]:
    return {span.name for span in spans}


def settings_of(folder: Path, redis_url: str, traces: str = "otlp") -> Settings:
    flags: dict[tuple[str, str], object] = {
        ("server", "port"): 0,
        ("redis", "url"): redis_url,
        ("data", "dir"): folder,
        ("embeddings", "provider"): "none",
        ("telemetry", "traces"): traces,
    }
    return config.load(None, {}, flags)


@pytest.mark.integration
async def test_request_and_finalisation_are_traced_without_names(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(traces, "_exporter", lambda: exporter)
    gateway = Gateway(settings_of(tmp_path, redis_url))
    await gateway.start(serve=True, work=True)
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{gateway.port}") as client:
            assert (await client.post("/v1/WriteTurn", json=TURN)).status == 200
            ended = {"conversation_id": "patient-zhang"}
            while (await (await client.post("/v1/FinalizeSessionMemory", json=ended)).json())["state"] != "ENDED":
                await asyncio.sleep(0.05)
            assert (await client.get("/health")).status == 200
    finally:
        await gateway.stop()
    spans = exporter.get_finished_spans()
    assert names(spans) >= {"WriteTurn", "FinalizeSessionMemory", "sessions.append", "finalise.begin",
                            "finalise.complete", "mind.extract", "store.put_memunit"}  # fmt: skip
    assert "store.check" not in names(spans)
    by_id = {span.context.span_id: span for span in spans if span.context}
    append = next(span for span in spans if span.name == "sessions.append")
    assert append.parent is not None
    assert by_id[append.parent.span_id].name == "WriteTurn"
    write = by_id[append.parent.span_id]
    assert write.attributes is not None
    assert write.attributes["anamnesis.conversation"] == digest("patient-zhang")
    assert write.resource.attributes["service.name"] == "anamnesis"
    whole = "".join(span.to_json() for span in spans)
    assert "zhang" not in whole
    assert "knee" not in whole


async def test_request_with_a_traceparent_is_its_callers_child() -> None:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, "serve")

    async def answer(*_: object) -> str:
        return "found"

    enter(Correlation("r1", f"00-{TRACE}-{PARENT}-01"))
    traced = tracing.method(OPERATIONS[0], answer)
    assert await traced(Caller("clinic", frozenset()), None) == "found"
    await tracing.close()
    (span,) = exporter.get_finished_spans()
    assert span.context is not None
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)


@pytest.mark.parametrize(
    ("error", "status"), [(StoreUnavailable("at 10.0.0.1"), StatusCode.ERROR), (Conflict("of zhang"), StatusCode.UNSET)]
)
async def test_span_of_an_error_has_its_code_and_not_its_words(error: Exception, status: StatusCode) -> None:
    exporter = InMemorySpanExporter()
    tracing = Tracing(exporter, "worker")

    class Store:
        kind = "sqlite"

        async def get(self) -> None:
            raise error

    store: Any = tracing.part("store", Store(), begins=True)
    assert store.kind == "sqlite"
    with pytest.raises(type(error)):
        await store.get()
    await tracing.close()
    (span,) = exporter.get_finished_spans()
    assert span.attributes == {"error.type": error.code}  # type: ignore[attr-defined]
    assert span.status.status_code is status
    assert not span.events
    assert str(error) not in span.to_json()


def test_traces_that_are_off_wrap_and_import_nothing(tmp_path: Path) -> None:
    assert tracing_of(settings_of(tmp_path, "redis://x", "off"), "serve") is None
    assert config.load(None, {}, {("telemetry", "traces"): False}).telemetry.traces == "off"
    loaded = "import sys, gateway.process.serve, gateway.observe.traces"
    imports = f"{loaded}; print([m for m in sys.modules if 'opentelemetry' in m])"
    told = subprocess.run([sys.executable, "-c", imports], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_traces_without_the_extra_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SetupError, match=r"install anamnesis-gateway\[otel\]"):
        tracing_of(settings_of(tmp_path, "redis://x"), "serve")
