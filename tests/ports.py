"""Loopback ports for the servers of tests."""

import contextlib
import os
import random
import re
import socket
from collections.abc import Iterator
from typing import Final

_FIRST: Final = 12_000
_SLICE: Final = 2_250
_SLICES: Final = 8


def _own() -> Iterator[int]:
    """The ports of this worker in turn: a port that was found free stays free until its server has started."""
    worker = re.search(r"\d+", os.environ.get("PYTEST_XDIST_WORKER", ""))
    first = _FIRST + _SLICE * (int(worker[0]) % _SLICES if worker else 0)
    place = random.SystemRandom().randrange(_SLICE)
    while True:
        place = (place + 1) % _SLICE
        yield first + place


_PORTS: Final = _own()


def free_ports(count: int) -> list[int]:
    """Different ports, below those that the system hands to outgoing connections: one of those may soon be taken."""
    found: list[int] = []
    while len(found) < count:
        port = next(_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("", port))
            found.append(port)
    return found


def free_port() -> int:
    """One of them."""
    return free_ports(1)[0]
