"""The process that has the model answers those of its gateway: whom the model takes first is decided here."""

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Final

from memory.errors import InvariantBroken, Overloaded, TemporaryError
from memory.ports import Embedder
from memory.providers.embedder_frames import Frame, What, read_frame

_ASKED: Final = (What.QUERY, What.PASSAGE)


class EmbedderServer:
    """Serves an embedder on a unix socket that only its user may open."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self._engine = ""
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()

    async def start(self, engine: str = "") -> None:
        """Listen; a socket that an earlier process left is taken over. `engine`: what runs the model, for who asks."""
        self._engine = engine
        self._path.unlink(missing_ok=True)
        mask = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(self._serve, str(self._path))
        finally:
            os.umask(mask)

    async def close(self, wait_s: float = 0.0) -> None:
        """Take no new connections; those that are there may hang up within `wait_s`, then they are closed."""
        if self._server is None:
            return
        self._server.close()
        self._path.unlink(missing_ok=True)
        if self._clients:
            await asyncio.wait(self._clients, timeout=wait_s)
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)
        under_way: dict[int, asyncio.Task[None]] = {}
        writer.write(Frame(0, What.HELLO, self._engine.encode()).encode())
        with contextlib.closing(writer), contextlib.suppress(EOFError, ConnectionError, asyncio.CancelledError):
            try:
                while True:
                    self._take(await read_frame(reader), writer, under_way)
            finally:
                for each in under_way.values():
                    each.cancel()

    def _take(self, frame: Frame, writer: asyncio.StreamWriter, under_way: dict[int, "asyncio.Task[None]"]) -> None:
        """Begin what is asked, or give up what nobody waits for."""
        if frame.what in _ASKED:
            task = under_way[frame.number] = asyncio.create_task(self._answer(frame, writer))
            task.add_done_callback(lambda _: under_way.pop(frame.number, None))
        elif frame.what is What.FORGET and frame.number in under_way:
            under_way[frame.number].cancel()

    async def _answer(self, frame: Frame, writer: asyncio.StreamWriter) -> None:
        answer = await self._answered(frame)
        if not writer.is_closing():
            writer.write(answer.encode())

    async def _answered(self, frame: Frame) -> Frame:
        text = frame.payload.decode()
        embed = self._embedder.queries if frame.what is What.QUERY else self._embedder.passages
        try:
            (vector,) = await embed([text])
        except Overloaded as error:
            return Frame(frame.number, What.OVERLOADED, error.detail.encode())
        except TemporaryError as error:
            return Frame(frame.number, What.UNAVAILABLE, error.detail.encode())
        except InvariantBroken as error:
            return Frame(frame.number, What.BROKEN, error.detail.encode())
        return Frame(frame.number, What.VECTOR, vector.tobytes())
