"""The port of batches: what is to be done to many memories, and how far it has come."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from memory.model.batch import Batch, BatchKey, BatchState, Confirmed, Failures
from memory.scope import UserScope


class Batches(Protocol):
    """Batches of all tenants. All methods raise StoreUnavailable, StoreFull or DeadlineExceeded.

    One that nobody begins is gone after `PREVIEWED_MS`; what is known of the others after a week.
    """

    async def plan(self, batch: Batch, memory_ids: Sequence[str]) -> None:
        """Keep what is to be done to these."""
        ...

    async def start(self, key: BatchKey, confirmed: Confirmed, at_ms: int) -> Batch | None:
        """Have it done, once, if user and number are those that were previewed; the batch as it is then.

        It stays as it is when they are not, and when it was begun before. None: there is none (any more).
        """
        ...

    async def get(self, key: BatchKey) -> Batch | None:
        """One batch; None: there is none (any more)."""
        ...

    async def begun(self, tenant: str) -> list[Batch]:
        """A tenant's batches but those that are only previewed, the newest first; the last thousand."""
        ...

    async def memory_ids(self, key: BatchKey, first: int, number: int) -> list[str]:
        """So many of the memories, in their order. None of a batch that has ended."""
        ...

    async def failures(self, key: BatchKey) -> Failures:
        """Those that stayed as they were, and why."""
        ...

    async def cancel(self, key: BatchKey, at_ms: int) -> Batch | None:
        """Stop it: what is not done yet stays as it is. The batch as it is then; None: there is none (any more)."""
        ...

    async def open(self, now_ms: int) -> list[BatchKey]:
        """What there is to do, of all tenants: the longest begun first."""
        ...

    def claim(self, key: BatchKey) -> AbstractAsyncContextManager[Batch | None]:
        """Have a batch to oneself; None: somebody else has it, or there is nothing to do. Lapses with its holder."""
        ...

    async def begin(self, key: BatchKey, erasure_id: str, at_ms: int) -> Batch | None:
        """It runs from now on, if it waits; the batch as it is then. None: it is gone."""
        ...

    async def advance(self, key: BatchKey, done: int, failures: Failures) -> Batch | None:
        """So many are done, of which these stayed as they were; the batch as it is then. None: it is gone."""
        ...

    async def end(self, key: BatchKey, state: BatchState, at_ms: int) -> None:
        """It has ended; nothing where it is gone."""
        ...

    async def drop(self, scope: UserScope) -> None:
        """Let go of all batches of a user: all of the user is forgotten."""
        ...
