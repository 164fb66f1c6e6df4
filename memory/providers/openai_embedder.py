"""Embeddings by any OpenAI-compatible endpoint.

The endpoint is not trusted: an answer with another count, order or dimension than asked for would attach vectors to the
wrong texts, and no search would ever show it. So each answer is checked in full or refused in full.
"""

import asyncio
import base64
import binascii
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import openai
from numpy.typing import NDArray

from memory.errors import InvariantBroken, ModelRefused, ModelUnavailable, SetupError
from memory.model.search import Vector
from memory.privacy.withheld import Withheld
from memory.providers.openai_calls import OpenAICalls, OpenAIEndpoint, Raw
from memory.providers.shared_vectors import Flight, Kind, SharedVectors, as_known_error, checked_vector, ends_of

BATCH_TEXTS_MAX: Final = 64
BATCH_CHARS_MAX: Final = 100_000
"""OpenAI takes 300,000 tokens a request, and no usual text has more than two tokens a character."""
_DIMENSIONS_MAX: Final = 65_536
_PROBE_TEXT: Final = "probe"


@dataclass(frozen=True, slots=True)
class OpenAIEmbedderSettings:
    """`dimensions`: how long the model's vectors are; another length is refused. 0: learned by `start`.

    They are not sent with requests: many endpoints refuse them, even when they are the model's own.
    `text_chars_max`: a longer text is embedded by its first and last part (OpenAI's models take 8,192 tokens).
    `withheld`: identifiers of which the endpoint is told the kind alone.
    """

    model: str
    endpoint: OpenAIEndpoint = field(default_factory=OpenAIEndpoint)
    dimensions: int = 0
    text_chars_max: int = 6_000
    cache_entries_max: int = 4_096
    withheld: Withheld = field(default_factory=Withheld)


class OpenAIEmbedder:
    """The port `Embedder` by an endpoint; errors as `openai_calls` lists them, within the deadline of each request.

    With `dimensions` given, `space` and `dimension` are known at once. Without, they are "" and 0 until `start` has
    asked the endpoint, and texts are refused (InvariantBroken) until then. `now`: the breaker's clock, for tests.
    """

    def __init__(self, settings: OpenAIEmbedderSettings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._calls = OpenAICalls(settings.endpoint, now)
        self._shared = SharedVectors(settings.cache_entries_max)
        self._passage_turns = asyncio.Semaphore(max(1, settings.endpoint.calls_max // 2))
        self._requests: set[asyncio.Task[list[Vector]]] = set()
        self._closed = False
        self.dimension = settings.dimensions
        self.space = self._space(settings.dimensions) if settings.dimensions else ""

    async def start(self) -> None:
        """Ask for one embedding: learns the dimension when it is not configured, and checks it when it is.

        Raises SetupError when the endpoint refuses the key or the model, or answers with another dimension than
        configured; else as `queries`. May be called again.
        """
        try:
            [vector] = await self._ask([_PROBE_TEXT])
        except (ModelRefused, InvariantBroken) as error:
            raise SetupError(f"embeddings by {self._settings.model!r}: {error.detail}") from None
        if not self.dimension:
            self.dimension = len(vector)
            self.space = self._space(self.dimension)

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is asked, in requests of at most 64 texts. All or an error."""
        return await self._shared.of("query", texts, self._begin)

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed what is stored. Uses at most half of the calls that may be under way: queries find room."""
        return await self._shared.of("passage", texts, self._begin)

    async def close(self) -> None:
        """Give up what is under way (ModelUnavailable) and close the connections."""
        self._closed = True
        for request in self._requests:
            request.cancel()
        await asyncio.gather(*self._requests, return_exceptions=True)
        await self._calls.close()

    def _space(self, dimension: int) -> str:
        return f"openai/{self._settings.model}/{dimension}"

    def _begin(self, flights: list[Flight]) -> None:
        if self._closed:
            raise ModelUnavailable("the embedder is closed")
        if not self.dimension:
            raise InvariantBroken("the embedder was not started: its dimension is not known")
        for batch in _batches(flights, self._settings.text_chars_max):
            request = asyncio.create_task(self._request(batch[0].kind, [flight.text for flight in batch]))
            self._requests.add(request)
            request.add_done_callback(partial(self._ended, batch))
            for flight in batch:
                flight.answer.add_done_callback(partial(_give_up, request, batch))

    def _ended(self, batch: Sequence[Flight], request: asyncio.Task[list[Vector]]) -> None:
        self._requests.discard(request)
        error = ModelUnavailable("the embedder is closed") if request.cancelled() else request.exception()
        if error is not None:
            for flight in batch:
                flight.failed(as_known_error(error, "an embedding request"))
            return
        for flight, vector in zip(batch, request.result(), strict=True):
            flight.answered(vector)

    async def _request(self, kind: Kind, texts: list[str]) -> list[Vector]:
        if kind == "query":
            return await self._ask(texts)
        async with self._passage_turns:
            return await self._ask(texts)

    async def _ask(self, texts: list[str]) -> list[Vector]:
        settings = self._settings
        short = [ends_of(settings.withheld.text(text), settings.text_chars_max) for text in texts]

        async def send(client: openai.AsyncOpenAI) -> Raw:
            return await client.embeddings.with_raw_response.create(
                input=short,
                model=settings.model,
                encoding_format="base64",
            )

        return await self._calls.call(send, partial(_vectors, count=len(short), dimension=self.dimension))


def _give_up(request: asyncio.Task[list[Vector]], batch: Sequence[Flight], _: asyncio.Future[Vector]) -> None:
    """A request that nobody waits for any more is not carried on."""
    if all(flight.answer.cancelled() for flight in batch):
        request.cancel()


def _batches(flights: list[Flight], text_chars_max: int) -> Iterator[list[Flight]]:
    batch: list[Flight] = []
    chars = 0
    for flight in flights:
        size = min(len(flight.text), text_chars_max)
        if batch and (len(batch) == BATCH_TEXTS_MAX or chars + size > BATCH_CHARS_MAX):
            yield batch
            batch, chars = [], 0
        batch.append(flight)
        chars += size
    yield batch


def _vectors(answer: Any, *, count: int, dimension: int) -> list[Vector]:
    """The vectors of an answer, one for each text in its order; `dimension` 0: whatever the first one has."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise InvariantBroken("the answer of the model endpoint has no list of embeddings")
    if [item.get("index") for item in data] != list(range(count)):
        raise InvariantBroken(f"{len(data)} embeddings are not one for each of {count} texts, in their order")
    raw = [_numbers(item.get("embedding")) for item in data]
    expected = dimension or min(len(raw[0]), _DIMENSIONS_MAX)
    return [checked_vector(numbers, expected) for numbers in raw]


def _numbers(embedding: Any) -> NDArray[np.float32] | list[Any]:
    """Base64 of little-endian float32 as asked for, or a list as some endpoints send all the same."""
    if isinstance(embedding, str):
        try:
            return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        except (binascii.Error, ValueError):
            raise InvariantBroken("an embedding is no base64 of numbers") from None
    if isinstance(embedding, list) and embedding:
        return embedding
    raise InvariantBroken("an embedding is no list of numbers")
