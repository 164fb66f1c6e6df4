"""The gateway that is measured: one with the embedded Valkey, in a folder that is thrown away; SQLite or Weaviate."""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.cold_start import healthy
from benchmarks.processes import Server, free_ports, running
from benchmarks.servers import READY_TIMEOUT_S
from benchmarks.weaviate import weaviate
from gateway.config.sources import without_settings

SQLITE, WEAVIATE = "sqlite", "weaviate"


@contextlib.contextmanager
def embedded_gateway(language: str, embeddings: str, store: str = SQLITE) -> Iterator[str]:
    """Start one, wait until it is ready, give its address; end it on the way out. Raises BenchmarkError."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="anamnesis-evaluation-"))
        there = stack.enter_context(weaviate(os.environ)).environment() if store == WEAVIATE else {}
        server = stack.enter_context(gateway_process(Path(folder), "gateway", language, embeddings, there))
        yield f"http://127.0.0.1:{server.port}"


@contextlib.contextmanager
def gateway_process(
    folder: Path, name: str, language: str, embeddings: str, settings: Mapping[str, str]
) -> Iterator[Server]:
    """One gateway with its data in the folder `name`, ready; `settings` of the environment beside its own."""
    (port,) = free_ports(1)
    data = folder / name
    data.mkdir(exist_ok=True)
    serve = [sys.executable, "-m", "gateway.cli", "serve", "--host", "127.0.0.1"]
    command = [*serve, "--port", str(port), "--data-dir", str(data)]
    environment = _environment(os.environ, language, embeddings) | dict(settings)
    with running(name, port, command, folder, environment) as server:
        _wait_until_ready(server)
        yield server


def _environment(current: Mapping[str, str], language: str, embeddings: str) -> dict[str, str]:
    """The defaults and nothing of the caller's; a gateway with other settings is measured by its address.

    One process: the time of a search is then that of one gateway, not of several that load a model each.
    """
    own = {
        "ANAMNESIS_SESSION__LOCALE": language,
        "ANAMNESIS_EMBEDDINGS__PROVIDER": embeddings,
        "ANAMNESIS_SERVER__PROCESSES": "1",
    }
    return without_settings(current) | own


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not healthy(server.port):
        if server.process.poll() is not None:
            raise server.failure(f"ended with code {server.process.returncode} before it was ready")
        if time.monotonic() > deadline:
            raise server.failure(f"was not ready within {READY_TIMEOUT_S:.0f} s")
        time.sleep(0.1)
