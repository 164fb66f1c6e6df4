"""The process of a gateway that has the embedding model, for all others: what crashes it takes no request with it."""

import asyncio
import importlib
import logging
import os
from pathlib import Path
from typing import Any, Final

from gateway.config.settings import Settings
from gateway.process.sockets import socket_path
from gateway.wiring.memories import is_local, local_embedder
from memory.errors import MemoryGatewayError

_LOG: Final = logging.getLogger("anamnesis.embeddings")
_NAME: Final = "embedder-"
_LOAD_AGAIN_S: Final = 10.0
_CLIENTS_WAIT_S: Final = 6.0
"""At the end: those that ask are ending too, and may need a last vector."""


def socket_for(settings: Settings) -> Path | None:
    """Where the model's process of the gateway that starts here is asked; None when it has none of its own.

    Sockets of gateways that were killed are removed.
    """
    if not is_local(settings):
        return None
    folder = settings.data.dir.resolve()
    for old in folder.glob(f"{_NAME}*.sock"):
        if not _lives(old.stem.removeprefix(_NAME)):
            old.unlink(missing_ok=True)
    return socket_path(folder, f"{_NAME}{os.getpid()}")


def _lives(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        pass
    return True


async def embed_until(stopping: asyncio.Event, settings: Settings, path: Path) -> None:
    """Serve the model at a socket until it is time to stop. Raises SetupError when it is not installed.

    It listens once the model is loaded: until then searches go by words, as while the process is away.
    """
    module: Any = importlib.import_module("memory.providers.embedder_server")
    embedder = local_embedder(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    server = module.EmbedderServer(embedder, path)
    serving = asyncio.create_task(_serve(embedder, server))
    await stopping.wait()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await server.close(_CLIENTS_WAIT_S)
    await embedder.close()


async def _serve(embedder: Any, server: Any) -> None:
    while True:
        try:
            await embedder.warm_up()
        except MemoryGatewayError as error:
            _LOG.error("the embedding model does not load; searches go by words", extra={"reason": error.detail})
            await asyncio.sleep(_LOAD_AGAIN_S)
        else:
            break
    await server.start(embedder.engine)
