"""Starts the command line `anamnesis` by forking a process that has loaded it already: loading costs over a second.

`python -m gateway.cli` is what users start, and some tests do so too; where many are started they are forked here. What
runs is the same `main` with its own arguments, environment, descriptors and process group. The processes end
with the server, and the server with the process that started it.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from gateway.process.death_signal import die_with_parent
from memory.clinical.languages import in_use
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks

ROOT: Final = Path(__file__).resolve().parent.parent
_REQUEST_BYTES_MAX: Final = 1_000_000
_STREAMS: Final = 3
_WEAVIATE: Final = "memory.stores.weaviate.memories"
_LATE: Final = (
    "gateway.commands.processes",
    "gateway.work.worker",
    "memory.extraction.rules_mind",
    "memory.language.tagger",
)
"""What a gateway loads beside its first requests."""


class Forked:
    """One process; what a `subprocess.Popen` has."""

    def __init__(self, line: socket.socket, arguments: Sequence[str]) -> None:
        self._line = line
        self.args = tuple(arguments)
        self.pid = int(_message(line)["pid"])
        self.returncode: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its exit code. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                self.returncode = int(_message(self._line)["code"])
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Harmless when it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


def fork(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    streams: tuple[int, int, int],
    limits: tuple[int, int] | None = None,
) -> Forked:
    """Run `anamnesis <arguments>` with this environment alone, these descriptors as its stdin, stdout and stderr.

    `limits` are the soft and hard limits of open files.
    """
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(_address())
    request = {"arguments": arguments, "environment": dict(environment), "limits": limits}
    socket.send_fds(line, [json.dumps(request).encode()], streams)
    return Forked(line, arguments)


def _message(line: socket.socket) -> dict[str, int]:
    found = line.recv(_REQUEST_BYTES_MAX)
    assert found, "the fork server is gone"
    return dict(json.loads(found))


@functools.cache
def _address() -> str:
    """Where the server of this process listens; it is started when it is first needed."""
    address = str(Path(tempfile.mkdtemp(prefix="anamnesis-fork-")) / "socket")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen(64)
    end, kept = os.pipe()  # whose writing end this process keeps as long as it lives
    command = [sys.executable, "-m", "tests.fork_server", str(listener.fileno()), str(end)]
    server = subprocess.Popen(command, cwd=ROOT, pass_fds=(listener.fileno(), end))
    listener.close()
    os.close(end)

    def stop() -> None:
        os.close(kept)
        server.wait()

    atexit.register(stop)
    return address


# --- the server ----------------------------------------------------------------------------------


class Server:
    """Forks for whoever connects, and tells him how his process ended."""

    def __init__(self, listener: socket.socket, end: int) -> None:
        self._listener = listener
        self._running: dict[int, socket.socket] = {}
        self._woken, self._wake = socket.socketpair()
        self._wake.setblocking(False)  # noqa: FBT003 - as Python has it
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector = selectors.DefaultSelector()
        for file in (listener, self._woken, end):
            self._selector.register(file, selectors.EVENT_READ)
        self._end = end

    def serve(self) -> list[str] | None:
        """Serve until the one who started this is gone (None). In a forked process: return its arguments."""
        while True:
            files = [key.fileobj for key, _ in self._selector.select()]
            if self._end in files:
                return None
            if self._woken in files:
                self._woken.recv(1024)
                self._reap()
            if self._listener in files and (arguments := self._fork()) is not None:
                return arguments

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                line = self._running.pop(found[0])
                with contextlib.suppress(OSError):  # nobody waits for it any more
                    line.send(json.dumps({"code": os.waitstatus_to_exitcode(found[1])}).encode())
                line.close()

    def _fork(self) -> list[str] | None:
        line, _ = self._listener.accept()
        text, streams, _, _ = socket.recv_fds(line, _REQUEST_BYTES_MAX, _STREAMS)
        request = json.loads(text)
        if any("WEAVIATE" in name for name in request["environment"]):
            importlib.import_module(_WEAVIATE)
        server = os.getpid()
        pid = os.fork()
        if not pid:
            line.close()
            self._leave(server)
            _become(request, streams)
            return list(request["arguments"])
        self._running[pid] = line
        for stream in streams:
            os.close(stream)
        line.send(json.dumps({"pid": pid}).encode())
        return None

    def _leave(self, server: int) -> None:
        """Forget in the forked process what the server has."""
        _die_with(server)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        os.close(self._end)
        for each in (self._listener, self._woken, self._wake, *self._running.values()):
            each.close()


def _die_with(server: int) -> None:
    die_with_parent(signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)


def _become(request: Mapping[str, Any], streams: Sequence[int]) -> None:
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    ranks = os.environ["TIKTOKEN_CACHE_DIR"]
    os.environ.clear()
    os.environ.update({"TIKTOKEN_CACHE_DIR": ranks} | request["environment"])
    if request["limits"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, tuple(request["limits"]))
    sys.argv[1:] = request["arguments"]


def _main() -> int:
    listener, end = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    main = importlib.import_module("gateway.cli").main
    for name in _LATE:
        importlib.import_module(name)
    importlib.import_module("memory.language.tagger").default_tagger()
    folder = Path(listener.getsockname()).parent
    unpack_ranks(folder)
    TiktokenCounter("o200k_base")
    in_use()
    gc.collect()
    gc.freeze()
    arguments = Server(listener, end).serve()
    if arguments is not None:
        return int(main(arguments))
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
