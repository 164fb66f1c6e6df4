"""Loopback ports for the servers of tests."""

import contextlib
import fcntl
import os
import socket
import tempfile
from pathlib import Path
from typing import Final

_PORTS: Final = range(12_000, 30_000)
_TURN: Final = Path(tempfile.gettempdir()) / f"anamnesis-test-ports-{os.getuid()}"


def free_ports(count: int) -> list[int]:
    """Different ports, below those that the system hands to outgoing connections: one of those may soon be taken.

    All test processes of a machine take them in turn: what was found free is so until its server has started.
    """
    found: list[int] = []
    with _TURN.open("a+", encoding="ascii") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        turn.seek(0)
        place = int(turn.read() or 0)
        while len(found) < count:
            place = (place + 1) % len(_PORTS)
            with socket.socket() as probe, contextlib.suppress(OSError):
                probe.bind(("", _PORTS[place]))
                found.append(_PORTS[place])
        turn.truncate(0)
        turn.write(str(place))
        turn.flush()
    return found


def free_port() -> int:
    """One of them."""
    return free_ports(1)[0]
