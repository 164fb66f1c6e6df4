"""Child processes that cannot outlive the benchmark, each with a log in the throwaway folder."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from benchmarks.jobs import Job, Outcome

ROOT = Path(__file__).resolve().parent.parent
TETHER = Path(__file__).with_name("tether.py")
STOP_TIMEOUT_S = 12.0
LOG_TAIL_LINES = 25


class BenchmarkError(Exception):
    """The benchmark could not run; the text says which process failed and shows the end of its log."""


def free_ports(count: int) -> list[int]:
    """Loopback ports that nobody holds, below those that the system hands to outgoing connections."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(12_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in found:
                found.append(port)
    return found


@dataclass(frozen=True)
class Server:
    """A child that listens on `port`; 0 for one that is spoken to over its standard input and output."""

    name: str
    port: int
    process: subprocess.Popen[str]
    log: Path

    def failure(self, what: str) -> BenchmarkError:
        """The error to raise about this process, with the end of its log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        tail = "\n".join(f"  | {line}" for line in lines[-LOG_TAIL_LINES:])
        return BenchmarkError(f"{self.name} {what}; the end of its log:\n{tail or '  | (empty)'}")


class LoadProcess:
    """A process that runs jobs, one at a time."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def run(self, job: Job) -> Outcome:
        """Runs the job to its end and returns what came of it."""
        pipe_in, pipe_out = self._server.process.stdin, self._server.process.stdout
        if pipe_in is None or pipe_out is None:
            raise BenchmarkError(f"{self._server.name} was started without pipes")
        with contextlib.suppress(BrokenPipeError):
            pipe_in.write(json.dumps(asdict(job)) + "\n")
            pipe_in.flush()
        line = pipe_out.readline()
        if not line:
            raise self._server.failure(f"ended during the job {job.kind!r}")
        return Outcome(**json.loads(line))


def children(pid: int) -> list[int]:
    """The processes that a process has started, as Linux tells."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for each in threads for child in (each / "children").read_text(encoding="ascii").split()]


@contextlib.contextmanager
def running(name: str, port: int, command: Sequence[str], folder: Path, env: dict[str, str] | None) -> Iterator[Server]:
    """Starts the command in the repository's root, and ends it on the way out."""
    tethered = [sys.executable, "-I", "-S", str(TETHER), str(os.getpid()), *command]
    path = folder / f"{name}.log"
    with path.open("w", encoding="utf-8") as log:
        process = _spawn(tethered, log, env, pipes=port == 0)
    try:
        yield Server(name, port, process, path)
    finally:
        _end(process)


def _spawn(command: Sequence[str], log: IO[str], env: dict[str, str] | None, *, pipes: bool) -> subprocess.Popen[str]:
    """In a session of its own: a Ctrl-C reaches only the benchmark, which then ends its children in order."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
        stdout=subprocess.PIPE if pipes else log,
        stderr=log,
        text=True,
        cwd=ROOT,
        env=env,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(STOP_TIMEOUT_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # and whatever it started itself
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
