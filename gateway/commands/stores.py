"""Commands about the memory stores: `anamnesis verify-store`, `anamnesis reindex`, `anamnesis move-store`."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gateway.config.settings import Settings
from gateway.observe.metrics import Metrics
from gateway.terminal import EXIT_REFUSED, show
from gateway.wiring.memories import embedder_of
from gateway.wiring.privacy import privacy_of
from gateway.wiring.stores import Stores, sqlite_stores, weaviate_stores
from memory.consolidation.upkeep.move import Comparison, Mover, Stock
from memory.consolidation.upkeep.reindex import Reindexer
from memory.errors import SetupError, TemporaryError
from memory.ports import Embedder
from memory.stores.redis.connection import ConnectionSettings
from memory.stores.redis.memories import RedisDueIndex
from memory.stores.redis.opening import AnyConnection, open_redis

_IN_FLIGHT_MAX: Final = 1024
_SHOWN_MAX: Final = 20
_IDS_SHOWN_MAX: Final = 5
Observer = Callable[[int, int, int], None]


def verify(settings: Settings, *, repair: bool) -> int:
    """Prove of every memory that its store's indexes find it; 1 when some are not found and not mended.

    MemUnits and profiles need no proof in Weaviate: no index decides about them (docs/decisions/0010).
    """
    return _run(partial(_verify, settings, repair=repair))


def reindex(settings: Settings, *, drop_old: bool) -> int:
    """Build the index generation of the settings, or remove the others."""
    return _run(partial(_drop_old if drop_old else _reindex, settings))


def move(settings: Settings, *, to: str, prune: bool) -> int:
    """Copy everything to the other store and compare; 1 when they differ."""
    return _run(partial(_move, settings, to=to, prune=prune))


def _run(work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """The border: a store that does not answer is something to be started, and the command run again."""
    try:
        return asyncio.run(work())
    except TemporaryError as error:
        raise SetupError(f"{error.detail}. What was done is kept: run the command again to go on") from error


class _Opened:
    """The long-term side of the settings, opened for one command."""

    def __init__(self, settings: Settings, embedder: Embedder | None, stack: AsyncExitStack) -> None:
        self._settings = settings
        self._embedder = embedder
        self._stack = stack

    @property
    def kind(self) -> str:
        """Where the settings keep what outlives sessions."""
        return "weaviate" if self._settings.weaviate.url else "sqlite"

    async def stores(self, kind: str = "", *, build: bool = False) -> Stores:
        """The stores of this kind (empty: those that the settings choose)."""
        if (kind or self.kind) == "sqlite":
            return await sqlite_stores(self._settings, self._embedder, self._stack, build=build)
        redis = await self._redis()
        memories, long_term = await weaviate_stores(self._settings, self._embedder, redis, self._stack)
        await memories.start(build=build)
        await long_term.start()
        return Stores(long_term, memories, RedisDueIndex(redis))

    def reindexer(self, stores: Stores) -> Reindexer:
        """What completes the index of these stores."""
        return Reindexer(stores.memories, stores.long_term, self._embedder)

    async def _redis(self) -> AnyConnection:
        asked = self._settings.redis
        if not self._settings.weaviate.url:
            raise SetupError("which Weaviate? Set weaviate.url (WEAVIATE_URL)")
        if not asked.url:
            raise SetupError("Weaviate needs the Redis of the gateways for its locks: set REDIS_URL")
        redis = await open_redis(ConnectionSettings(asked.url, asked.deadline_ms / 1000, _IN_FLIGHT_MAX))
        self._stack.push_async_callback(redis.close)
        return redis


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[_Opened]:
    async with AsyncExitStack() as stack:
        embedding = await embedder_of(settings, privacy_of(settings, Metrics()).withheld, stack)
        yield _Opened(settings, embedding.embedder, stack)


@contextmanager
def _progress(doing: str) -> Iterator[Observer]:
    """A bar on stderr over the users, with the records beside it; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("users, {task.fields[records]} records"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task(doing, records=0)
        yield lambda users, of, records: progress.update(bar, completed=users, total=of, records=records)


async def _verify(settings: Settings, *, repair: bool) -> int:
    async with _opened(settings) as opened:
        stores: Any = await opened.stores()
        if opened.kind == "sqlite":
            sound = await _verify_sqlite(stores.long_term.database)
        else:
            sound = await _verify_weaviate(stores.memories, repair=repair)
        reindexer = opened.reindexer(stores)
        found = await reindexer.count_open()
        mended = await reindexer.mend() if repair and found else 0
        show(f"index: {found} records not complete, {mended} mended")
        return 0 if sound and mended >= found else EXIT_REFUSED


async def _verify_sqlite(database: Any) -> bool:
    found = await database.read(lambda session: session.connection.execute("PRAGMA integrity_check").fetchall())
    text = "; ".join(str(row[0]) for row in found)
    show(f"sqlite: {text}")
    return text == "ok"


async def _verify_weaviate(store: Any, *, repair: bool) -> bool:
    verdict = await store.verify(repair=repair)
    show(f"weaviate: {verdict.records} records, {verdict.unfound} not found by an index, {verdict.mended} mended")
    return bool(verdict.unfound == verdict.mended)


async def _reindex(settings: Settings) -> int:
    async with _opened(settings) as opened:
        stores = await opened.stores(build=True)
        with _progress("indexing") as observe:
            done = await opened.reindexer(stores).run(observe)
        wanted, *others = await stores.memories.generations()
        show(f"{done} records indexed for {wanted}; the index is complete.")
        if others:
            show("Next: restart the gateways with these settings; then, to remove the old index and its bytes:")
            show("  anamnesis reindex --drop-old")
        return 0


async def _drop_old(settings: Settings) -> int:
    async with _opened(settings) as opened:
        gone = await (await opened.stores()).memories.drop_others()
        show("\n".join(f"removed: {each}" for each in gone) or "there is no other index")
        return 0


async def _move(settings: Settings, *, to: str, prune: bool) -> int:
    async with _opened(settings) as opened:
        source = await opened.stores("sqlite" if to == "weaviate" else "weaviate")
        target = await opened.stores(to)
        await opened.reindexer(source).mend()  # what is open has no vector to be copied
        mover = Mover(Stock(source.memories, source.long_term), Stock(target.memories, target.long_term))
        with _progress("copying") as observe:
            written = await mover.copy(observe)
        with _progress("comparing") as observe:
            verdict = await mover.compare(observe)
        if prune:
            show(f"{await mover.prune(verdict)} records erased from {to} that the source does not have")
            verdict = await mover.compare()
        # What a copy that was killed left at the server may be stored and yet be missing from an index.
        is_found = to == "sqlite" or await _verify_weaviate(target.memories, repair=True)
    number = sum(each.source.count for each in verdict.memories.values())
    show(f"{written} of {number} memories of {len(verdict.memories)} users written to {to}")
    units, profiles = (
        sum(each.source.count for each in sort.values()) for sort in (verdict.memunits, verdict.profiles)
    )
    show(f"with {units} MemUnits and {profiles} profiles")
    differing = [
        f"{user}: {what}: {_told(found)}"
        for what, all_found in _sorts(verdict).items()
        for user, found in sorted(all_found.items())
        if not found.is_same
    ]
    return _say_what_next(to, differing) if is_found else EXIT_REFUSED


def _sorts(verdict: Any) -> Mapping[str, Mapping[str, Comparison]]:
    return {"memories": verdict.memories, "MemUnits": verdict.memunits, "profiles": verdict.profiles}


def _told(found: Comparison) -> str:
    parts = [f"{found.source.count} at the source, {found.target.count} at the target"]
    for what, ids in (("missing", found.missing), ("only at the target", found.extra), ("differing", found.differing)):
        if ids:
            more = ", ..." if len(ids) > _IDS_SHOWN_MAX else ""
            parts.append(f"{len(ids)} {what} ({', '.join(ids[:_IDS_SHOWN_MAX])}{more})")
    return "; ".join(parts)


def _say_what_next(to: str, differing: list[str]) -> int:
    for line in differing[:_SHOWN_MAX]:
        show(f"differs: {line}")
    if len(differing) > _SHOWN_MAX:
        show(f"... and {len(differing) - _SHOWN_MAX} more users")
    if differing:
        show("Gateways wrote meanwhile, or forgot what was copied before: stop them and run the command again.")
        show("What only the target has was forgotten at the source, or written to the target: --prune erases it there.")
        return EXIT_REFUSED
    show("Both hold the same: counts and content hashes of every user agree. Nothing was deleted at the source.")
    setting = "set weaviate.url (WEAVIATE_URL)" if to == "weaviate" else 'set weaviate.url to "" (unset WEAVIATE_URL)'
    show(f"Next: stop the gateways, run this once more for what they wrote meanwhile, {setting}, and start them.")
    return 0
