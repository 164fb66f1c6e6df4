"""Gateways as processes of their own, and plain sockets to speak to them: for tests of the HTTP face and of recovery.

A gateway started here cannot outlive the test run: the kernel kills it when the run is gone, and its Valkey with it.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Self

from gateway.config.sources import without_settings
from tests.deadlines import LATE_S
from tests.fork_server import Forked, fork
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
JSON = "application/json"
STOP_TIMEOUT_S = 10.0 + LATE_S
_PORT_LINE = re.compile(r"listening on port (\d+)")


class GatewayFailedError(AssertionError):
    """A gateway did not become ready; the text has the end of its log."""


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except (FileNotFoundError, ProcessLookupError):  # it ended, maybe between the opening and the reading
        return []


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer as it came. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip()

    def json(self) -> Any:
        """The parsed body."""
        return json.loads(self.body)


class Wire:
    """One TCP connection to a gateway, for what a proper HTTP client would refuse to send."""

    def __init__(self, port: int, *, timeout_s: float = 60.0) -> None:
        self._socket = socket.create_connection((LOOPBACK, port), timeout=timeout_s)
        self._reader: BinaryIO = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send it all; a gateway that has closed already is no error (its answer may wait to be read)."""
        try:
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return

    def read(self, *, method: str = "POST") -> Answer | None:
        """The next answer; None when the gateway closed the connection instead."""
        try:
            start = self._reader.readline()
            if not start:
                return None
            headers = dict(self._headers())
            length = 0 if method == "HEAD" else int(headers.get("content-length", "0"))
            body = self._reader.read(length)
        except ConnectionResetError:
            return None
        assert len(body) == length, f"the answer ends after {len(body)} of {length} bytes"
        return Answer(int(start.split()[1]), headers, body)

    def closed(self) -> bool:
        """Whether the gateway closes the connection without a further byte (waits for it)."""
        try:
            return self._reader.read(1) == b""
        except ConnectionResetError:
            return True

    def _headers(self) -> Any:
        while (line := self._reader.readline()) not in {b"\r\n", b""}:
            name, _, value = line.decode("latin-1").partition(":")
            yield name.strip().lower(), value.strip()


def request_bytes(
    path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, *, method: str = "POST"
) -> bytes:
    """The bytes of one HTTP request, as it is: what is in `headers` is not looked at."""
    lines = {"Host": LOOPBACK, "Content-Type": JSON, "Content-Length": str(len(body))} | dict(headers or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value != "")
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body


@dataclass
class GatewayProcess:
    """A running gateway. `key` is sent with every `post` that names no other."""

    process: Forked
    folder: Path
    log: Path
    port: int = 0
    key: str | None = None
    log_start: int = 0

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{LOOPBACK}:{self.port}"

    def post(
        self, operation: str, body: Mapping[str, Any], *, key: str | None = None, authorization: str | None = None
    ) -> Answer:
        """Call one operation."""
        key = key or self.key
        header = authorization if authorization is not None else f"Bearer {key}" if key else ""
        data = json.dumps(body, ensure_ascii=False).encode()
        return self.send(f"/v1/{operation}", data, {"Authorization": header})

    def send(
        self, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, *, method: str = "POST"
    ) -> Answer:
        """Send one request on a connection of its own. Raises AssertionError when there is no answer."""
        with Wire(self.port) as wire:
            wire.send(request_bytes(path, body, headers, method=method))
            answer = wire.read(method=method)
        assert answer is not None, f"the gateway closed the connection; {self.log_tail()}"
        return answer

    def get(self, path: str) -> Answer:
        """GET a page."""
        return self.send(path, headers={"Content-Type": "", "Content-Length": ""}, method="GET")

    def healthy(self) -> bool:
        """Whether GET /health answers 200."""
        try:
            return self.get("/health").status == http.client.OK
        except (OSError, AssertionError):
            return False

    def terminate(self) -> None:
        """SIGTERM; does not wait."""
        self.process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """SIGTERM, and the exit code. Raises subprocess.TimeoutExpired when it does not end."""
        self.terminate()
        return self.process.wait(STOP_TIMEOUT_S)

    def kill(self) -> None:
        """SIGKILL, and wait. Harmless when it has ended."""
        self.process.kill()
        self.process.wait()

    def log_text(self, start: int = 0) -> str:
        """What it logged, from byte `start` of its file on (`log_size` tells where it is now)."""
        return self.log.read_bytes()[max(start, self.log_start) :].decode("utf-8", "replace")

    def log_size(self) -> int:
        """How many bytes its log has."""
        return self.log.stat().st_size

    def log_tail(self) -> str:
        """The end of what it logged, to show in a failure."""
        return "the end of its log:\n" + self.log_text()[-3000:]


def start_gateway(
    folder: Path,
    *flags: str,
    environment: Mapping[str, str] | None = None,
    descriptors: tuple[int, int] | None = None,
    ready: bool = True,
) -> GatewayProcess:
    """Start `serve` with its data in `folder`, on a port that the system chooses, and wait until it is healthy.

    `environment` is added to this process's own, without the settings in it; `descriptors` are the soft and hard
    limits of open files; without `ready` it returns as soon as the port is known. Kill what is returned. Start it
    again with the same folder and it finds its data; the log is continued.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "gateway.log"
    written_before = log.stat().st_size if log.exists() else 0
    command = ["serve", "--port", "0", "--data-dir", str(folder / "data"), *flags]
    process = spawn(command, log, environment, descriptors)
    gateway = GatewayProcess(process, folder, log, log_start=written_before)
    try:
        gateway.port = wait_until(lambda: _port(gateway), "a port to listen on")
        if ready:
            wait_until(gateway.healthy, "GET /health to answer 200")
    except AssertionError as error:
        gateway.kill()
        raise GatewayFailedError(f"{error}; {gateway.log_tail()}") from None
    return gateway


def _port(gateway: GatewayProcess) -> int:
    found = _PORT_LINE.search(gateway.log_text())
    if found is None and gateway.process.poll() is not None:
        raise GatewayFailedError(f"it ended with code {gateway.process.returncode}; {gateway.log_tail()}")
    return int(found[1]) if found else 0


def spawn(
    arguments: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    descriptors: tuple[int, int] | None = None,
) -> Forked:
    """Start the command line (`gateway.cli`) as a process that dies with this one; its output goes to `log`."""
    given = clean_environment() | dict(environment or {})
    with Path(os.devnull).open("rb") as nothing, log.open("ab") as output:
        streams = (nothing.fileno(), output.fileno(), output.fileno())
        return fork(arguments, given, streams, descriptors)


def run_command(
    *arguments: str, environment: Mapping[str, str] | None = None, stdin: str = "", timeout_s: float = 60.0
) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end. Raises subprocess.TimeoutExpired; it is killed then."""
    with TemporaryFile() as asked, TemporaryFile() as told, TemporaryFile() as complained:
        asked.write(stdin.encode())
        asked.seek(0)
        streams = (asked.fileno(), told.fileno(), complained.fileno())
        process = fork(arguments, clean_environment() | dict(environment or {}), streams)
        try:
            code = process.wait(timeout_s)
        finally:
            process.kill()
            process.wait()
        for file in (told, complained):
            file.seek(0)
        return subprocess.CompletedProcess(arguments, code, told.read().decode(), complained.read().decode())


def clean_environment() -> dict[str, str]:
    """This process's environment without any setting of a gateway."""
    return without_settings(os.environ)
