"""What all embedders share: each text is embedded once, and every vector is checked before anyone sees it.

An embedding costs milliseconds of a core or a call that is paid for, and the same texts come again: a query is asked
twice, a job is repeated after a crash. So vectors are remembered, and one text asked for by several callers at the same
time is embedded once for all of them.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from memory.errors import InvariantBroken, MemoryGatewayError, StoreUnavailable
from memory.model.search import Vector

Kind = Literal["query", "passage"]

_KEY_BYTES: Final = 16


@dataclass(slots=True, eq=False)
class Flight:
    """One text on its way to be embedded, and how many wait for it. `answer` is cancelled when nobody does."""

    kind: Kind
    text: str
    answer: asyncio.Future[Vector]
    waiters: int = 0

    def answered(self, vector: Vector) -> None:
        """Give the vector to all who wait."""
        if not self.answer.done():
            self.answer.set_result(vector)

    def failed(self, error: BaseException) -> None:
        """Give the error to all who wait."""
        if not self.answer.done():
            self.answer.set_exception(error)


Begin = Callable[[list[Flight]], None]
"""Sets off the embedding of texts that are new. May refuse by an error: then none of them is under way."""


class SharedVectors:
    """A cache of at most `entries_max` vectors, the longest unused leaving first, and the flights under way.

    Keys are hashes: texts are not kept. For one event loop.
    """

    def __init__(self, entries_max: int) -> None:
        self._entries_max = entries_max
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._flights: dict[bytes, Flight] = {}

    async def of(self, kind: Kind, texts: Sequence[str], begin: Begin) -> list[Vector]:
        """The vectors of `texts`, in their order. What is neither remembered nor under way goes to `begin`.

        All or an error, never some. The vectors are shared with other callers and cannot be written to.
        A caller that is cancelled leaves; a flight goes down when its last caller left.
        """
        clean = [clean_text(text) for text in texts]
        keys = [_key(kind, text) for text in clean]
        found: dict[bytes, Vector] = {}
        flights: dict[bytes, Flight] = {}
        new: dict[bytes, Flight] = {}
        for key, text in zip(keys, clean, strict=True):
            vector = self._remembered(key)
            if vector is not None:
                found[key] = vector
            elif key in self._flights:
                flights[key] = self._flights[key]
            elif key not in new:
                new[key] = Flight(kind, text, asyncio.get_running_loop().create_future())
        if new:
            begin(list(new.values()))
            self._flights |= new
        found |= await self._landed(flights | new)
        return [found[key] for key in keys]

    async def _landed(self, flights: dict[bytes, Flight]) -> dict[bytes, Vector]:
        """Wait for flights; the first that fails fails all."""
        if not flights:
            return {}
        for flight in flights.values():
            flight.waiters += 1
        try:
            await asyncio.wait([flight.answer for flight in flights.values()], return_when=asyncio.FIRST_EXCEPTION)
            errors = [flight.answer.exception() for flight in flights.values() if flight.answer.done()]
        finally:
            for key, flight in flights.items():
                self._leave(key, flight)
        for error in errors:
            if error is not None:
                raise error
        return {key: flight.answer.result() for key, flight in flights.items()}

    def _leave(self, key: bytes, flight: Flight) -> None:
        flight.waiters -= 1
        if self._flights.get(key) is flight and (flight.answer.done() or not flight.waiters):
            del self._flights[key]
            if flight.answer.cancel() or flight.answer.exception() is not None:
                return
            self._vectors[key] = flight.answer.result()
            if len(self._vectors) > self._entries_max:
                self._vectors.popitem(last=False)

    def _remembered(self, key: bytes) -> Vector | None:
        vector = self._vectors.get(key)
        if vector is not None:
            self._vectors.move_to_end(key)
        return vector


def clean_text(text: str) -> str:
    """The text as it can be sent: NUL, which ends a string in C, becomes a space, a lone surrogate `?`.

    Raises InvariantBroken for blank text: nobody has a use for the meaning of nothing.
    """
    if not text or text.isspace():
        raise InvariantBroken("a blank text was to be embedded")
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def ends_of(text: str, chars: int) -> str:
    """The first and the last half of `chars` characters of a longer text: what is asked often stands at the end."""
    if len(text) <= chars:
        return text
    tail = chars // 2
    return text[: chars - tail] + text[len(text) - tail :]


def checked_vector(raw: ArrayLike, dimension: int) -> Vector:
    """A vector as the port promises it: float32, finite, of length 1, and read-only.

    Raises InvariantBroken for what can't be made one: another dimension, nan, zero, no numbers.
    """
    try:
        numbers = np.asarray(raw)
    except ValueError:
        raise InvariantBroken("an embedding is no list of numbers") from None
    if numbers.shape != (dimension,) or numbers.dtype.kind not in "fiu":
        raise InvariantBroken(f"an embedding has the shape {numbers.shape}, expected are {dimension} numbers")
    exact = numbers.astype(np.float64)
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(exact))
    if not np.isfinite(length) or length == 0.0:
        raise InvariantBroken("an embedding has no direction: nan, infinite or zero")
    vector: Vector = (exact / length).astype(np.float32)
    vector.flags.writeable = False
    return vector


def as_known_error(error: BaseException, what: str) -> BaseException:
    """An error as callers know it: one of the product's as it is, any other as StoreUnavailable, without its text."""
    return (
        error if isinstance(error, MemoryGatewayError) else StoreUnavailable(f"{what} failed: {type(error).__name__}")
    )


def _key(kind: Kind, text: str) -> bytes:
    return hashlib.blake2b(f"{kind}\n{text}".encode(), digest_size=_KEY_BYTES).digest()
