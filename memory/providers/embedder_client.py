"""The port `Embedder` of a process that has no model: it asks the one of its gateway that has (docs/decisions/0020)."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from memory.errors import InvariantBroken, MemoryGatewayError, Overloaded, StoreUnavailable
from memory.model.search import Vector
from memory.providers.embedder_frames import TEXT_CHARS_MAX, Frame, What, read_frame
from memory.providers.shared_vectors import Flight, Kind, SharedVectors, checked_vector, clean_text, ends_of

_LOG: Final = logging.getLogger("anamnesis.embeddings")
_RETRY_S: Final = 0.1
_PASSAGE_TRIES: Final = 3
"""A text under which the process ended so often is not sent again: it may be what ended it."""
_ASKED: Final[dict[Kind, What]] = {"query": What.QUERY, "passage": What.PASSAGE}
_ERRORS: Final = {What.OVERLOADED: Overloaded, What.UNAVAILABLE: StoreUnavailable, What.BROKEN: InvariantBroken}


class _Lost(StoreUnavailable):
    """The process ended, or is not there."""


class EmbedderClient:
    """Asks over a unix socket, and is connected again when the process is back.

    `space`, `dimension`: of its model. `engine`: what runs it; empty while the process is away.

    A query raises StoreUnavailable at once while the process is away: it is searched by words then. A passage waits
    `away_s` for it. Vectors are remembered, and one text is asked for once, as by every embedder.
    """

    def __init__(self, path: Path, space: str, dimension: int, *, cache_entries_max: int, away_s: float = 30.0) -> None:
        self._path = path
        self.space = space
        self.dimension = dimension
        self.engine = ""
        self._away_s = away_s
        self._shared = SharedVectors(cache_entries_max)
        self._numbers = count(1)
        self._flights: dict[int, Flight] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._connected = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect in the background, now and whenever the process was away."""
        self._task = asyncio.create_task(self._stay_connected(), name="embedder")

    async def close(self) -> None:
        """Hang up; who waits gets StoreUnavailable."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def warm_up(self) -> None:
        """Return when the process is there and has the model. Raises StoreUnavailable when it does not come."""
        await self._passage("warm up")

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked. Raises Overloaded, StoreUnavailable."""
        return await self._shared.of("query", texts, self._send)

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored, one text after the other, as queries leave room."""
        for text in texts:
            clean_text(text)
        return [await self._passage(text) for text in texts]

    async def _passage(self, text: str) -> Vector:
        lost: _Lost | None = None
        for _ in range(_PASSAGE_TRIES):
            try:
                async with asyncio.timeout(self._away_s):
                    await self._connected.wait()
                (vector,) = await self._shared.of("passage", [text], self._send)
            except TimeoutError:
                break
            except _Lost as error:
                lost = error
            else:
                return vector
        raise StoreUnavailable(lost.detail if lost is not None else _away())

    def _send(self, flights: list[Flight]) -> None:
        """Ask for texts. What nobody waits for any more is said to be, so that it takes nobody's turn."""
        if self._writer is None:
            raise _Lost(_away())
        for flight in flights:
            number = next(self._numbers)
            self._flights[number] = flight
            flight.answer.add_done_callback(partial(self._ended, number))
            text = ends_of(flight.text, TEXT_CHARS_MAX)
            self._writer.write(Frame(number, _ASKED[flight.kind], text.encode()).encode())

    def _ended(self, number: int, answer: "asyncio.Future[Vector]") -> None:
        if self._flights.pop(number, None) is not None and answer.cancelled() and self._writer is not None:
            self._writer.write(Frame(number, What.FORGET).encode())

    async def _stay_connected(self) -> None:
        while True:
            with contextlib.suppress(OSError, EOFError):
                reader, writer = await asyncio.open_unix_connection(str(self._path))
                _LOG.info("the embedding process is there")
                await self._listen(reader, writer)
                _LOG.warning("the embedding process is away; searches go by words until it is back")
            await asyncio.sleep(_RETRY_S)

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take answers until the connection ends; then nobody gets one."""
        self._writer = writer
        self._connected.set()
        try:
            with contextlib.suppress(EOFError, ConnectionError):
                while True:
                    self._answered(await read_frame(reader))
        finally:
            self._writer, self.engine = None, ""
            self._connected.clear()
            writer.close()
            for flight in list(self._flights.values()):
                flight.failed(_Lost(_away()))

    def _answered(self, frame: Frame) -> None:
        if frame.what is What.HELLO:
            self.engine = frame.payload.decode()
        flight = self._flights.pop(frame.number, None)
        if flight is None:
            return
        try:
            flight.answered(self._vector(frame))
        except MemoryGatewayError as error:
            flight.failed(error)

    def _vector(self, frame: Frame) -> Vector:
        if frame.what is not What.VECTOR:
            raise _ERRORS.get(frame.what, StoreUnavailable)(frame.payload.decode())
        return checked_vector(np.frombuffer(frame.payload, np.float32), self.dimension)


def _away() -> str:
    return "the embedding process is away"
