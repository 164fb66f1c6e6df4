"""The Weaviate that a benchmark runs on: one in a folder that is thrown away, or the caller's own."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.processes import BenchmarkError

BINARY: Final = "ANAMNESIS_WEAVIATE_BINARY"
URL: Final = "WEAVIATE_URL"
GRPC_PORT: Final = "WEAVIATE_GRPC_PORT"
API_KEY: Final = "WEAVIATE_API_KEY"
HOW: Final = f"set {BINARY} to a weaviate-server (it runs in a throwaway folder), or {URL} to one that runs"


@dataclass(frozen=True)
class Weaviate:
    """Where a server is. `pid`: of one that was started here, whose CPU time can be read; 0 for another's."""

    url: str
    grpc_port: int
    api_key: str = ""
    pid: int = 0

    @property
    def name(self) -> str:
        """How a report names it."""
        return "a server of its own" if self.pid else self.url

    def environment(self) -> dict[str, str]:
        """The settings of a gateway that keeps its memories there."""
        return {URL: self.url, GRPC_PORT: str(self.grpc_port), API_KEY: self.api_key}


def is_named(environment: Mapping[str, str]) -> bool:
    """Whether there is a server to be had."""
    return bool(environment.get(BINARY) or environment.get(URL))


@contextlib.contextmanager
def weaviate(environment: Mapping[str, str]) -> Iterator[Weaviate]:
    """Start a server from the named program, or give the one that is named by its address. Raises BenchmarkError."""
    program = environment.get(BINARY)
    if program:
        with _started(program) as server:
            yield server
    elif environment.get(URL):
        yield Weaviate(environment[URL], int(environment.get(GRPC_PORT, "50051")), environment.get(API_KEY, ""))
    else:
        raise BenchmarkError(f"no Weaviate: {HOW}")


@contextlib.contextmanager
def _started(program: str) -> Iterator[Weaviate]:
    if not os.access(program, os.X_OK):
        raise BenchmarkError(f"{BINARY}: {program} cannot be run")
    from tests.weaviate_server import WeaviateServer  # noqa: PLC0415  it loads the Weaviate client: seconds

    with tempfile.TemporaryDirectory(prefix="anamnesis-weaviate-", ignore_cleanup_errors=True) as folder:
        server = WeaviateServer(Path(folder))
        try:
            process = server.start().process
            yield Weaviate(server.url, server.ports["grpc"], pid=process.pid if process else 0)
        finally:
            server.kill()
