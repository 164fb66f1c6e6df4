"""Loopback ports for the servers of tests."""

import contextlib
import random
import socket


def free_ports(count: int) -> list[int]:
    """Different ports, below those that the system hands to outgoing connections: one of those may soon be taken."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(12_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in found:
                found.append(port)
    return found


def free_port() -> int:
    """One of them."""
    return free_ports(1)[0]
