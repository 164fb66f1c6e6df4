"""When memories of all users are to be forgotten, and what they ask.

Weaviate cannot ask across tenants, so this index stands outside.

It may say a time too early, never too late: the store checks each record before it calls it due, and mends the entry.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memory.model.memory import Memory
from memory.model.review import Cause, OpenReview, Question, ReviewPlace, no_question
from memory.model.search import DueMemory
from memory.ports import Asks, Fades
from memory.scope import UserScope


class DueIndex(Protocol):
    """Times by (user, memory). Writing the same again changes nothing."""

    async def put(self, scope: UserScope, memory_id: str, forget_ms: int | None) -> None:
        """Set the time; None takes the entry out."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        """Entries whose time has come, the earliest first."""
        ...

    async def ask(self, scope: UserScope, memory_id: str, question: Question | None) -> None:
        """Set what a memory asks; None: nothing."""
        ...

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        """As MemoryStore.reviews."""
        ...

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        """As MemoryStore.count_reviews."""
        ...

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        """Take entries out; those that are not there are passed over."""
        ...


class Anew(NamedTuple):
    """When memories come due, and what they ask, by their ids."""

    times: Sequence[tuple[str, int | None]]
    questions: Sequence[tuple[str, Question | None]]


class Moved(NamedTuple):
    """What goes to the index before changed memories are written, and what after that."""

    sooner: Anew
    later: Anew


class Outside:
    """The index with what is to stand in it: when each memory leaves, and what it asks."""

    def __init__(self, index: DueIndex, fades: Fades, asks: Asks = no_question) -> None:
        self.index = index
        self._fades = fades
        self._asks = asks

    async def put(self, scope: UserScope, memories: Sequence[Memory]) -> None:
        """Before new records are written: that of one that is not may stay here."""
        for memory in memories:
            await self.index.put(scope, memory.memory_id, self._fades(memory))
            if (question := self._asks(memory)) is not None:
                await self.index.ask(scope, memory.memory_id, question)

    async def anew(self, scope: UserScope, memories: Sequence[Memory]) -> None:
        """All of these, as they are."""
        for memory in memories:
            await self.index.put(scope, memory.memory_id, self._fades(memory))
            await self.index.ask(scope, memory.memory_id, self._asks(memory))

    async def note(self, scope: UserScope, anew: Anew) -> None:
        """Set times and questions."""
        for memory_id, forget_ms in anew.times:
            await self.index.put(scope, memory_id, forget_ms)
        for memory_id, question in anew.questions:
            await self.index.ask(scope, memory_id, question)

    def moved(self, before: Sequence[Memory], changed: Sequence[Memory]) -> Moved:
        """What changed memories come to. Sooner times and questions go to the index before them; the others after.

        Also as they were: those that stand there may be of other settings.
        """
        sooner: list[tuple[str, int | None]] = []
        later: list[tuple[str, int | None]] = []
        for old, new in zip(map(self._fades, before), changed, strict=True):
            forget_ms = self._fades(new)
            is_sooner = forget_ms is not None and (old is None or forget_ms < old)
            (sooner if is_sooner else later).append((new.memory_id, forget_ms))
        questions = [(new.memory_id, self._asks(new)) for new in changed]
        asked, silent = [each for each in questions if each[1]], [each for each in questions if not each[1]]
        return Moved(Anew(sooner, asked), Anew(later, silent))

    async def is_due(self, scope: UserScope, memory_id: str, memory: Memory | None, now_ms: int) -> bool:
        """Whether a listed memory, as it is stored, has come due; else its entry is mended."""
        if memory is None:
            await self.index.drop(scope, [memory_id])
            return False
        forget_ms = self._fades(memory)
        if forget_ms is None or forget_ms > now_ms:
            await self.index.put(scope, memory_id, forget_ms)
            return False
        return True
