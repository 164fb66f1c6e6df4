"""How the last calls of mind and embedder went: looking costs nothing, and calls no model."""

import time
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import TypeVar

from gateway.observe.health import DEGRADED, OK, Component
from memory.consolidation.minds import Minds
from memory.errors import MemoryGatewayError
from memory.model.extraction import Dialogue, Extraction
from memory.model.search import Vector
from memory.ports import Embedder, Mind

Answer = TypeVar("Answer")


class Watch:
    """The outcome of the last call of one model."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._answered_at: float | None = None
        self._trouble: tuple[str, str] | None = None
        self._failing_since = 0.0

    async def call(self, call: Awaitable[Answer]) -> Answer:
        """Make it, and note how it went."""
        try:
            answer = await call
        except MemoryGatewayError as error:
            self.failed(error.code, error.detail)
            raise
        self._trouble, self._answered_at = None, time.monotonic()
        return answer

    def failed(self, code: str, reason: str) -> None:
        """A call went wrong."""
        if self._trouble is None:
            self._failing_since = time.monotonic()
        self._trouble = (code, reason)

    def component(self) -> Component:
        """What /health says of it."""
        found: Component = {"status": OK, "model": self._name}
        now = time.monotonic()
        if self._answered_at is not None:
            found["answered_s_ago"] = round(now - self._answered_at, 1)
        if self._trouble is not None:
            code, reason = self._trouble
            found |= {"status": DEGRADED, "code": code, "reason": reason}
            found["failing_for_s"] = round(now - self._failing_since, 1)
        return found


class WatchedMind:
    """The Mind port over another, watched."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self.name = mind.name
        self.watch = Watch(mind.name)

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """As the mind does. One that went on without its model is told of as if it had failed."""
        found = await self.watch.call(self._mind.extract(dialogue))
        if found.mind and found.mind != self.name:
            self.watch.failed("model_unavailable", f"it goes on by {found.mind}; the log says why")
        return found


class WatchedEmbedder:
    """The Embedder port over another, watched."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.space = embedder.space
        self.dimension = embedder.dimension
        self.watch = Watch(embedder.space)

    async def queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """As the embedder does."""
        return await self.watch.call(self._embedder.queries(texts))

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """As the embedder does."""
        return await self.watch.call(self._embedder.passages(texts))


class Models:
    """The minds of a process, watched. `mind` and `embedder`: the same unwatched."""

    def __init__(self, minds: Minds) -> None:
        mind = WatchedMind(minds.mind)
        embedder = None if minds.embedder is None else WatchedEmbedder(minds.embedder)
        self.minds = replace(minds, mind=mind, embedder=embedder)
        self._watches = {"mind": mind.watch} | ({} if embedder is None else {"embedder": embedder.watch})
        self.mind, self.embedder = minds.mind, minds.embedder

    def components(self) -> dict[str, Component]:
        """`mind`, and `embedder` where there is one; of a local model also what runs it, once that is loaded."""
        found = {name: watch.component() for name, watch in self._watches.items()}
        engine = getattr(self.embedder, "engine", "")
        if engine:
            found["embedder"] = found["embedder"] | {"engine": engine}
        return found


def worse(own: Component, others: Sequence[Component]) -> Component:
    """This process's view of a model, or that of another one in which its calls fail."""
    return next((each for each in (own, *others) if each["status"] != OK), own)
