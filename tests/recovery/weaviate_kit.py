"""What the tests of an ill Weaviate share."""

import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from memory.errors import TemporaryError
from tests.waiting import eventually
from tests.weaviate_server import WeaviateServer


async def patiently(call: Callable[[], Awaitable[Any]]) -> Any:
    """What a caller does who is told to try again."""
    return (await eventually(lambda: tried(call), "the store answers"))[0]


async def tried(call: Callable[[], Awaitable[Any]]) -> list[Any]:
    """What it returned; nothing when it is to be tried again."""
    try:
        return [await call()]
    except TemporaryError:
        return []


def holding(server: WeaviateServer, text: str) -> list[str]:
    """Which of the server's files have this text in them."""
    files = [Path(folder) / name for folder, _, names in os.walk(server.folder / "data") for name in names]
    return [str(file) for file in files if text.encode() in file.read_bytes()]


async def failed_after(call: Callable[[], Awaitable[Any]], kind: type[Exception]) -> float:
    """How long the call took to fail, in seconds."""
    started = time.monotonic()
    with pytest.raises(kind):
        await call()
    return time.monotonic() - started
