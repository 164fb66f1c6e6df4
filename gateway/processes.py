"""Several processes behind one port: the one that was started forks them, and looks after them.

The kernel spreads connections over those that listen (SO_REUSEPORT). The first process has the work beside the
requests too: the embedded Valkey, the sweeper, the finalisations. One that dies is forked again.
"""

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn

from gateway.kernel import die_with_parent
from gateway.metrics import Board
from memory.errors import SetupError

_LOG: Final = logging.getLogger("anamnesis.processes")
_AUTOMATIC_MAX: Final = 4
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)
_RESTART_S: Final = 0.5
_PORT_WAIT_S: Final = 1.0
_POLL_S: Final = 0.02
_END_S: Final = 9.5
"""Longer than one takes that ends by itself, and within the 10 s that are promised."""
_EXIT_SETUP: Final = 2


class Part(NamedTuple):
    """One process of a gateway."""

    number: int
    board: Board

    @property
    def first(self) -> bool:
        """Whether it has the work beside the requests."""
        return self.number == 0


def how_many(asked: int) -> int:
    """Return the number of processes for the setting `server.processes`: 0 is one for each core, at most 4."""
    return asked or min(len(os.sched_getaffinity(0)), _AUTOMATIC_MAX)


class ReservedPort:
    """A port that several processes will listen on, and nobody else."""

    def __init__(self, host: str, port: int) -> None:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        self._socket = socket.socket(family, kind, protocol)
        deadline = time.monotonic() + _PORT_WAIT_S  # processes of a gateway that was killed may still be going
        while not self._free(family, address):
            if time.monotonic() > deadline:
                raise SetupError(f"cannot listen on {host}:{port}: address already in use")
            time.sleep(_POLL_S)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            self._socket.bind(address)
        except OSError as error:
            raise SetupError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        self.number = int(self._socket.getsockname()[1])

    @staticmethod
    def _free(family: int, address: tuple[object, ...]) -> bool:
        """Whether a socket that does not share would get it."""
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
                probe.listen()
            except OSError:
                return False
        return True


class Processes:
    """Forks the processes and waits for their end. `run` is what one does; it returns its exit status.

    Make it before anything starts a thread or an event loop.
    """

    def __init__(self, count: int, run: Callable[[Part], int]) -> None:
        self._board = Board(count)
        self._run = run
        self._pids: dict[int, int] = {}
        self._ending = False
        self._kill_at = 0.0
        self._status = 0

    def supervise(self) -> int:
        """Run until SIGTERM or SIGINT, or until one can't start for its settings; returns the exit status.

        What has not ended 9.5 s after that, or when the signal comes a second time, is killed.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        for number in range(self._board.rows):
            self._fork(number)
        while self._pids:
            received = self._next_signal()
            if received == signal.SIGCHLD:
                self._reap()
            elif self._ending:
                self._signal(signal.SIGKILL)
            else:
                self._end(0)
        return self._status

    def _next_signal(self) -> int | None:
        """Wait for one; None when those that are to end take too long about it."""
        if not self._ending:
            return signal.sigwait(_SIGNALS)
        received = signal.sigtimedwait(_SIGNALS, max(self._kill_at - time.monotonic(), 0))
        if received is not None:
            return received.si_signo
        _LOG.error("processes did not end in time; they are killed", extra={"parts": sorted(self._pids.values())})
        self._kill_at = time.monotonic() + _END_S
        return None

    def _fork(self, number: int) -> None:
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            self._become(Part(number, self._board), parent)
        self._pids[pid] = number

    def _become(self, part: Part, parent: int) -> NoReturn:
        """Runs in the forked process, and ends it."""
        status = 1
        try:
            die_with_parent(signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the parent passes it on
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            status = self._run(part)
        except BaseException:  # noqa: BLE001 - the process ends here, whatever it was
            _LOG.exception("a process failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _reap(self) -> None:
        """Note whose end it was; what nobody asked for is undone."""
        while self._pids:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            number = self._pids.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            if self._ending:
                continue
            if code == _EXIT_SETUP:
                self._end(code)
            else:
                _LOG.error("a process ended; it starts again", extra={"part": number, "exit_status": code})
                time.sleep(_RESTART_S)
                self._fork(number)

    def _end(self, status: int) -> None:
        self._ending = True
        self._kill_at = time.monotonic() + _END_S
        self._status = status
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._pids:
            os.kill(pid, number)
