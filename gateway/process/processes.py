"""The processes of a gateway behind one port: the one that was started forks them, and looks after them.

Each has a role: it answers requests, or does the work beside them. The kernel spreads connections over those that
listen (SO_REUSEPORT). The one that was started owns the embedded Valkey too. What dies is started again; when the one
that was started dies, the kernel ends the others.
"""

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn, Protocol

from gateway.observe.metrics import Board
from gateway.process.death_signal import die_with_parent
from gateway.terminal import EXIT_SETUP, complain
from memory.errors import InvalidInput, SetupError

_LOG: Final = logging.getLogger("anamnesis.processes")
_AUTOMATIC_MAX: Final = 4
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)
_RESTART_S: Final = 0.5
_PORT_WAIT_S: Final = 1.0
_POLL_S: Final = 0.02
_END_S: Final = 8.5
"""Longer than one takes that ends by itself; what is left of the 10 s that are promised is for the companion."""


class Part(NamedTuple):
    """One process of a gateway: which of how many of its role, and its row of the board that all share."""

    role: str
    number: int
    siblings: int
    row: int
    board: Board

    @classmethod
    def alone(cls, role: str) -> "Part":
        """A process that nobody has forked: it has a board for itself."""
        return cls(role, 0, 1, 0, Board(1))

    @property
    def first(self) -> bool:
        """Whether it speaks for its role."""
        return self.number == 0

    @property
    def forked(self) -> bool:
        """Whether there are others of this gateway."""
        return self.board.rows > 1


@dataclass(frozen=True, slots=True)
class Role:
    """What some of the processes are for, and how many they are. `run` is what one does; it returns its exit status."""

    name: str
    count: int
    run: Callable[[Part], int]


class Companion(Protocol):
    """A program that the processes need from first to last, and that is the child of the one that was started."""

    def start(self) -> None:
        """Start it. Raises SetupError."""
        ...

    def revive(self, board: Board) -> None:
        """Start it again if it has ended. Raises SetupError when it never worked."""
        ...

    def stop(self) -> None:
        """End it in order."""
        ...


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
    """Forks the processes and waits for their end.

    Make it before anything starts a thread or an event loop.
    """

    def __init__(self, roles: Sequence[Role], companion: Companion | None = None) -> None:
        self._board = Board(sum(role.count for role in roles))
        places = [(role, number) for role in roles for number in range(role.count)]
        self._parts = [
            (Part(role.name, number, role.count, row, self._board), role.run)
            for row, (role, number) in enumerate(places)
        ]
        self._companion = companion
        self._complaint = _Once()
        self._rows: dict[int, int] = {}
        """By process id."""
        self._ending = False
        self._kill_at = 0.0
        self._status = 0

    def supervise(self) -> int:
        """Run until SIGTERM or SIGINT, or until one can't start for its settings; returns the exit status.

        What has not ended 8.5 s after that, or when the signal comes a second time, is killed. The companion is there
        before the first process, and until the last has ended. Raises SetupError when it can't start.
        """
        if self._companion is not None:
            self._companion.start()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        for row in range(len(self._parts)):
            self._fork(row)
        while self._rows:
            received = self._next_signal()
            if received == signal.SIGCHLD:
                self._reap()
            elif self._ending:
                self._signal(signal.SIGKILL)
            else:
                self._end(0)
        if self._companion is not None:
            self._companion.stop()
        return self._status

    def _next_signal(self) -> int | None:
        """Wait for one; None when those that are to end take too long about it."""
        if not self._ending:
            return signal.sigwait(_SIGNALS)
        received = signal.sigtimedwait(_SIGNALS, max(self._kill_at - time.monotonic(), 0))
        if received is not None:
            return received.si_signo
        _LOG.error("processes did not end in time; they are killed", extra={"parts": sorted(self._rows.values())})
        self._kill_at = time.monotonic() + _END_S
        return None

    def _fork(self, row: int) -> None:
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            self._become(row, parent)
        self._rows[pid] = row

    def _become(self, row: int, parent: int) -> NoReturn:
        """Runs in the forked process, and ends it."""
        part, run = self._parts[row]
        status = 1
        try:
            die_with_parent(signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the parent passes it on
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            status = run(part)
        except (SetupError, InvalidInput) as error:
            status = EXIT_SETUP
            self._complaint.say(error.detail)
        except BaseException:  # noqa: BLE001 - the process ends here, whatever it was
            _LOG.exception("a process failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _reap(self) -> None:
        """Note whose end it was; what nobody asked for is undone."""
        if self._companion is not None and not self._ending:
            try:
                self._companion.revive(self._board)
            except SetupError as error:
                self._complaint.say(error.detail)
                self._end(EXIT_SETUP)
        for pid in list(self._rows):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._undo(self._rows.pop(pid), os.waitstatus_to_exitcode(status))

    def _undo(self, row: int, code: int) -> None:
        """Start again what has ended, unless it was to, or can't."""
        if self._ending:
            return
        if code == EXIT_SETUP:
            self._end(code)
            return
        part, _ = self._parts[row]
        told = {"role": part.role, "part": part.number, "exit_status": code}
        _LOG.error("a process ended; it starts again", extra=told)
        time.sleep(_RESTART_S)
        self._fork(row)

    def _end(self, status: int) -> None:
        self._ending = True
        self._kill_at = time.monotonic() + _END_S
        self._status = status
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._rows:
            os.kill(pid, number)


class _Once:
    """What one of several processes says for all of them: they can't start for the same reason."""

    def __init__(self) -> None:
        self._token, writing = os.pipe()
        os.write(writing, b"1")
        os.close(writing)

    def say(self, text: str) -> None:
        """Say it on standard error, unless another has."""
        if os.read(self._token, 1):
            complain(text)
