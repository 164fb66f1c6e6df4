"""What `anamnesis serve` and `anamnesis worker` run: which processes there are, and the life of one."""

import asyncio
import contextlib
import gc
import resource
import signal
import sys
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvloop

from gateway.auth import Authenticator, require_safe_binding
from gateway.config.settings import Settings
from gateway.config.sources import Loaded
from gateway.process.embedding import embed_until, socket_for
from gateway.process.processes import Part, Processes, ReservedPort, Role, how_many
from gateway.process.valkey import EmbeddedValkey
from gateway.wiring.composition import Gateway
from gateway.wiring.privacy import require_keys
from gateway.wiring.words import use_words
from gateway.work.background import settle_memory

_FILES_BESIDE_CONNECTIONS: Final = 1024


def serve(loaded: Loaded, *, work: bool) -> int:
    """Answer requests until SIGTERM or SIGINT; with `work` a process beside turns sessions into memory.

    Raises SetupError when that is not possible with these settings.
    """
    settings = loaded.settings
    require_safe_binding(settings.server.host, Authenticator(settings.auth.keys))
    require_keys(settings)
    _allow_open_files(settings.server.connections_max + _FILES_BESIDE_CONNECTIONS)
    port = ReservedPort(settings.server.host, settings.server.port)
    settings = settings.model_copy(update={"server": settings.server.model_copy(update={"port": port.number})})
    valkey = None if settings.redis.url else EmbeddedValkey(settings.data.dir, settings.session.durability)
    use_words(settings)  # once, for all processes that are forked
    gc.freeze()  # what a garbage collector has not walked stays shared with them
    return Processes(_roles(replace(loaded, settings=settings), work=work), valkey).supervise()


def _roles(loaded: Loaded, *, work: bool) -> list[Role]:
    """The processes of a gateway, in the order in which they start."""
    settings = loaded.settings
    asked_at = socket_for(settings)
    roles = [Role("serve", how_many(settings.server.processes), partial(_serving, loaded, asked_at))]
    if asked_at is not None:
        roles.append(Role("embedder", 1, partial(_embedding, settings, asked_at)))
    if work:
        roles.append(Role("worker", 1, partial(_working, settings, asked_at)))
    return roles


def work_alone(settings: Settings, metrics_port: int | None) -> int:
    """Turn sessions into memory until SIGTERM or SIGINT, for gateways elsewhere; tell how it goes on a port."""
    use_words(settings)
    part = Part.alone("worker")
    return uvloop.run(_run(Gateway(settings, part), part, serve=False, pages_port=metrics_port))


def _serving(loaded: Loaded, asked_at: Path | None, part: Part) -> int:
    return uvloop.run(_run(Gateway(loaded.settings, part, asked_at, loaded.origins), part, serve=True))


def _working(settings: Settings, asked_at: Path | None, part: Part) -> int:
    return uvloop.run(_run(Gateway(settings, part, asked_at), part, serve=False))


def _embedding(settings: Settings, asked_at: Path, part: Part) -> int:
    return uvloop.run(_embed(settings, asked_at, part))


async def _embed(settings: Settings, asked_at: Path, part: Part) -> int:
    stopping = _told_to_stop(part)
    await _unless(stopping, Gateway(settings, part).served())  # loading takes a core, which the start needs more
    await embed_until(stopping, settings, asked_at)
    return 0


def _told_to_stop(part: Part) -> asyncio.Event:
    """Set by SIGTERM or SIGINT. One of several processes gets SIGTERM only, when it is its turn."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM,) if part.forked else (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stopping.set)
    return stopping


async def _run(gateway: Gateway, part: Part, *, serve: bool, pages_port: int | None = None) -> int:
    """Run until it is told to stop, then end in order."""
    stopping = _told_to_stop(part)
    if not serve and part.forked:  # what answers requests starts first
        await _unless(stopping, gateway.served())
    if await _unless(stopping, gateway.start(serve=serve, work=not serve, pages_port=pages_port)):
        settle_memory()
        if serve:
            await gateway.others_ready()
        if part.first and gateway.port and not stopping.is_set():
            sys.stderr.write(f"anamnesis: listening on port {gateway.port}\n")
            sys.stderr.flush()
        await stopping.wait()
    await gateway.stop()
    return 0


async def _unless(stopping: asyncio.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Do it, and give it up when it is time to stop. Whether it was done."""
    doing, stop = asyncio.create_task(work), asyncio.create_task(stopping.wait())
    await asyncio.wait((doing, stop), return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    if not doing.done():
        doing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await doing
        return True
    return False


def _allow_open_files(wanted: int) -> None:
    """Raise the soft limit of open files: the usual 1,024 would refuse connections long before the setting does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        with contextlib.suppress(OSError, ValueError):  # fewer connections rather than none
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
