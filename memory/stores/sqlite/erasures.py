"""Erasing for good, and what keeps a writer who slept meanwhile from bringing it back.

What is deleted is overwritten (secure_delete), but old pages stand in the log of writes, and the file has them too,
until the log is written back and emptied. Who reads (a backup, another process) can hold the log for as long as it
reads. So erasures are counted in the transaction that erases, and the count up to which the log was emptied stands
beside it: after a crash, and for other processes, it is known what is left to do.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from memory.errors import Overtaken
from memory.scope import Fence
from memory.stores.sqlite.database import BUSY_TIMEOUT_MS, Database, Session, setting

_PATIENCE_MS: Final = 100
"""So long writers wait for a reader who holds the log; whoever cleans up afterwards comes again."""
_FENCE_AGE_S: Final = 30 * 86_400
"""Longer than anybody who writes may have slept."""
_OLD_FENCES: Final = 100


@contextmanager
def erasing(session: Session) -> Iterator[None]:
    """A transaction that erases, and is counted; then the log of writes is emptied if nobody holds it."""
    with session.transaction():
        session.write("count_erasure", {})
        yield
    scrub(session)


def scrub(session: Session) -> int:
    """Empty the log of writes, unless a reader holds it; returns up to which erasure no byte is left."""
    erased, scrubbed = counts(session)
    if scrubbed >= erased:
        return scrubbed
    connection = session.connection
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    if busy:
        return scrubbed
    session.write("note_scrubbed", {"number": str(erased)})
    return erased


def counts(session: Session) -> tuple[int, int]:
    """How many erasures there were, and up to which of them no byte is left."""
    return int(setting(session, "erased") or 0), int(setting(session, "scrubbed") or 0)


def standing(session: Session, names: Iterable[str]) -> tuple[Fence, ...]:
    """The fences of these names as they stand."""
    return tuple(Fence(name, _number(session, name)) for name in names)


def require(session: Session, fences: Iterable[Fence]) -> None:
    """In the transaction that writes: raise Overtaken when a fence has been raised; raise those that are ahead."""
    for fence in fences:
        stands = _number(session, fence.name)
        if stands > fence.number:
            raise Overtaken(
                "what this rests on was forgotten meanwhile, or another attempt does it: nothing is written"
            )
        if stands < fence.number:
            _put(session, fence)


def raise_fences(session: Session, names: Iterable[str]) -> None:
    """In the transaction that erases: whoever read before it writes no more."""
    for name in names:
        _put(session, Fence(name, _number(session, name) + 1))


def _put(session: Session, fence: Fence) -> None:
    session.write("put_fence", fence._asdict())
    session.write("drop_old_fences", {"age_s": _FENCE_AGE_S, "limit": _OLD_FENCES})


def _number(session: Session, name: str) -> int:
    row = session.row("get_fence", name=name)
    return int(row["number"]) if row else 0


class ErasedFile:
    """The ErasedFiles port over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def asked(self) -> int:
        """How many erasures there were."""
        return (await self._database.read(counts))[0]

    async def cleaned(self) -> int:
        """Up to which of them no byte is left in the file and in its log."""
        return (await self._database.read(counts))[1]

    async def clean(self) -> None:
        """Empty the log of writes, if something is left in it and nobody holds it."""
        erased, scrubbed = await self._database.read(counts)
        if scrubbed < erased:
            await self._database.write(scrub)
