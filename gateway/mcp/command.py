"""`anamnesis mcp`: an MCP server on standard input and output, and `anamnesis mcp install`."""

import argparse
import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from gateway.config.sources import environment
from gateway.mcp.bridge import Bridge
from gateway.mcp.install import Wanted, render
from gateway.process.death_signal import die_with_parent
from gateway.terminal import show
from memory.errors import SetupError

_PORT: Final = re.compile(rb"listening on port (\d+)")
_START_S: Final = 60
_STOP_S: Final = 10
_LOG_LINE_BYTES_MAX: Final = 1024 * 1024


def run(asked: argparse.Namespace) -> int:
    """Serve one client until its input ends. Only messages go to standard output."""
    with contextlib.suppress(BrokenPipeError):  # the client has gone, and reads no more
        asyncio.run(_embedded(asked) if asked.embedded else _bridge(asked.url, asked.api_key))
    return 0


def install(asked: argparse.Namespace) -> int:
    """Print how clients are told of this server."""
    wanted = Wanted(asked.name, asked.url, _command(), keyed=bool(asked.api_key))
    show(render(wanted, asked.client))
    return 0


async def _bridge(url: str, api_key: str | None) -> None:
    await Bridge(url, api_key, sys.stdout.buffer).run(sys.stdin.buffer)


async def _embedded(asked: argparse.Namespace) -> None:
    async with _gateway_of_its_own(asked) as url:
        await _bridge(url, asked.api_key)


@contextlib.asynccontextmanager
async def _gateway_of_its_own(asked: argparse.Namespace) -> AsyncIterator[str]:
    """A gateway as a child, on a port that the system chooses; it ends with this process."""
    flags = ["--host", "127.0.0.1", "--port", "0"]
    for name, value in (("--data-dir", asked.data_dir), ("--config", asked.config)):
        flags += [name, str(value)] if value is not None else []
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway.cli", "serve", *flags),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),
        stderr=asyncio.subprocess.PIPE,
        limit=_LOG_LINE_BYTES_MAX,
        env={"ANAMNESIS_SERVER__PROCESSES": "1", **_of_a_gateway()},
        preexec_fn=_end_with_parent,
    )
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    passing = asyncio.create_task(_pass_log(child, port))
    try:
        yield f"http://127.0.0.1:{await _in_time(port)}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(passing, _STOP_S)


async def _in_time(port: "asyncio.Future[int]") -> int:
    try:
        return await asyncio.wait_for(port, _START_S)
    except TimeoutError:
        raise SetupError(f"the gateway did not start within {_START_S} s; its log is above") from None


async def _pass_log(child: asyncio.subprocess.Process, port: "asyncio.Future[int]") -> None:
    """Hand the child's log on to standard error, and take the port from it."""
    if child.stderr is None:
        return
    async for line in child.stderr:
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
        if not port.done() and (found := _PORT.search(line)):
            port.set_result(int(found[1]))
    status = await child.wait()
    if not port.done():
        port.set_exception(SetupError(f"the gateway ended with status {status}; its log is above"))


def _of_a_gateway() -> dict[str, str]:
    """This process's environment; the address is the bridge's own affair."""
    return {name: value for name, value in environment().items() if name != "ANAMNESIS_URL"}


def _end_with_parent() -> None:
    die_with_parent(signal.SIGTERM)


def _command() -> str:
    """This program's own path: applications on a desktop do not know the shell's."""
    beside = Path(sys.executable).with_name("anamnesis")
    return str(beside) if beside.exists() else os.path.basename(sys.argv[0])  # noqa: PTH119 - a name, not a path
