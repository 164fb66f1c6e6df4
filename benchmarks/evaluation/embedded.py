"""The gateway that is measured: one with the embedded Valkey and SQLite, in a folder that is thrown away."""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks.cold_start import healthy
from benchmarks.processes import Server, free_ports, running
from benchmarks.servers import FOREIGN_SETTINGS, READY_TIMEOUT_S
from gateway.config import ENVIRONMENT_PREFIX

FOREIGN: Final = (*FOREIGN_SETTINGS, "REDIS_URL")


@contextlib.contextmanager
def embedded_gateway(language: str, embeddings: str) -> Iterator[str]:
    """Start one, wait until it is ready, give its address; end it on the way out. Raises BenchmarkError."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-evaluation-") as folder:
        (port,) = free_ports(1)
        data = Path(folder) / "gateway"
        data.mkdir()
        serve = [sys.executable, "-m", "gateway.cli", "serve", "--host", "127.0.0.1"]
        command = [*serve, "--port", str(port), "--data-dir", str(data)]
        environment = _environment(os.environ, language, embeddings)
        with running("gateway", port, command, Path(folder), environment) as server:
            _wait_until_ready(server)
            yield f"http://127.0.0.1:{port}"


def _environment(current: Mapping[str, str], language: str, embeddings: str) -> dict[str, str]:
    """The defaults and nothing of the caller's; a gateway with other settings is measured by its address.

    One process: the time of a search is then that of one gateway, not of several that load a model each.
    """
    own = {
        "ANAMNESIS_SESSION__LOCALE": language,
        "ANAMNESIS_EMBEDDINGS__PROVIDER": embeddings,
        "ANAMNESIS_SERVER__PROCESSES": "1",
    }
    kept = {name for name in current if name not in FOREIGN and not name.startswith(ENVIRONMENT_PREFIX)}
    return {name: current[name] for name in kept} | own


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not healthy(server.port):
        if server.process.poll() is not None:
            raise server.failure(f"ended with code {server.process.returncode} before it was ready")
        if time.monotonic() > deadline:
            raise server.failure(f"was not ready within {READY_TIMEOUT_S:.0f} s")
        time.sleep(0.1)
