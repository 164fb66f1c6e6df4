"""Runs a local embedding model on its own threads: what is asked goes before what is to be stored.

A model embeds one text in tens of milliseconds and holds a core meanwhile. It gets its own threads, so that the event
loop and the other users of threads don't wait for it, and one text is one turn, so that a query that comes while a long
conversation is being consolidated waits for the passage that is running and no more.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from memory.errors import Overloaded, StoreUnavailable
from memory.model.search import Vector
from memory.providers.shared_vectors import Flight, Kind, SharedVectors, as_known_error, clean_text

EmbedOne = Callable[[Kind, str], Vector]

QUERIES_PER_PASSAGE: Final = 8
"""So many queries in a row, then a passage has its turn: a flood of queries does not stop consolidation for good."""


@dataclass(frozen=True, slots=True)
class ModelThreadsSettings:
    """`workers`: texts embedded at the same time. `queue_max`: query texts that may wait. Cache: in vectors."""

    workers: int = 1
    queue_max: int = 64
    cache_entries_max: int = 4_096


class ModelThreads:
    """Turns at a model that `load` makes, on a worker thread, at first use. For one event loop.

    Raises Overloaded when more than `queue_max` query texts would wait, and StoreUnavailable when the model fails to
    load (the next call tries again) or after `close`.
    """

    def __init__(self, load: Callable[[], EmbedOne], settings: ModelThreadsSettings, name: str) -> None:
        self._load = load
        self._settings = settings
        self._name = name
        self._shared = SharedVectors(settings.cache_entries_max)
        self._executor = ThreadPoolExecutor(settings.workers, thread_name_prefix=name)
        self._loading = threading.Lock()
        self._model: EmbedOne | None = None
        self._queries: deque[Flight] = deque()
        self._passages: deque[Flight] = deque()
        self._running = 0
        self._queries_in_row = 0
        self._closed = False

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed queries: all are taken at once, or Overloaded."""
        return await self._shared.of("query", texts, self._begin_queries)

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed passages; each caller has as many of them waiting as there are workers, however many it brings."""
        for text in texts:
            clean_text(text)
        vectors: list[Vector] = []
        step = self._settings.workers
        for start in range(0, len(texts), step):
            vectors += await self._shared.of("passage", texts[start : start + step], self._begin_passages)
        return vectors

    async def warm_up(self) -> None:
        """Load the model and use it once, so that the first caller does not wait for that."""
        await self.queries(["warm up"])

    async def close(self) -> None:
        """Take no more; what waits gets StoreUnavailable, what runs ends."""
        self._closed = True
        for flight in (*self._queries, *self._passages):
            flight.failed(StoreUnavailable(f"{self._name} is closed"))
        self._queries.clear()
        self._passages.clear()
        await asyncio.to_thread(self._executor.shutdown, wait=True)

    def _begin_queries(self, flights: list[Flight]) -> None:
        waiting = [flight for flight in self._queries if not flight.answer.done()]
        idle = self._settings.workers - self._running
        if len(waiting) + len(flights) - idle > self._settings.queue_max:
            raise Overloaded(f"{len(waiting)} texts wait to be embedded")
        self._queries = deque(waiting)
        self._begin(self._queries, flights)

    def _begin_passages(self, flights: list[Flight]) -> None:
        self._begin(self._passages, flights)

    def _begin(self, queue: deque[Flight], flights: list[Flight]) -> None:
        if self._closed:
            raise StoreUnavailable(f"{self._name} is closed")
        queue.extend(flights)
        self._give_turns()

    def _give_turns(self) -> None:
        loop = asyncio.get_running_loop()
        while self._running < self._settings.workers and (flight := self._next()) is not None:
            self._running += 1
            turn = loop.run_in_executor(self._executor, self._embed, flight.kind, flight.text)
            turn.add_done_callback(partial(self._ended, flight))

    def _next(self) -> Flight | None:
        """Whose turn it is; those whom nobody waits for any more are passed over."""
        while self._queries or self._passages:
            passage = not self._queries or (self._queries_in_row >= QUERIES_PER_PASSAGE and bool(self._passages))
            flight = (self._passages if passage else self._queries).popleft()
            if not flight.answer.done():
                self._queries_in_row = 0 if passage else self._queries_in_row + 1
                return flight
        return None

    def _ended(self, flight: Flight, turn: asyncio.Future[Vector]) -> None:
        self._running -= 1
        error = turn.exception()
        if error is None:
            flight.answered(turn.result())
        else:
            flight.failed(as_known_error(error, self._name))
        if not self._closed:
            self._give_turns()

    def _embed(self, kind: Kind, text: str) -> Vector:
        """On a worker thread."""
        with self._loading:
            if self._model is None:
                self._model = self._load()
        return self._model(kind, text)
