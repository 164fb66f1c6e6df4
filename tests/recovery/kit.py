"""The real service over real stores in the test's own process, for faults that are set between two calls."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from processes import contents, units

from gateway.auth import Authenticator
from gateway.observe.metrics import Metrics
from gateway.work.background import BackgroundTasks, SystemClock
from gateway.work.worker import DocketJobs, FinalizationRunner, QueueSettings, SettlingRunner
from memory.consolidation.finalise import Finaliser
from memory.consolidation.remember import Rememberer
from memory.consolidation.sweep import Sweeper, Swept
from memory.consolidation.upkeep.settle import Settler, settler_of
from memory.errors import InvariantBroken
from memory.model.finalization import FinalizationKey
from memory.model.lifecycle import SessionState
from memory.model.memory import Memory
from memory.model.memunit import MemUnit
from memory.model.requests import (
    FinalizeSessionMemoryRequest,
    GetFinalizationRequest,
    ListFinalizationsRequest,
    QueryMemoryContextRequest,
    ReplayFinalizationRequest,
    WriteTurnRequest,
)
from memory.model.responses import FinalizationResponse, WriteResponse
from memory.model.search import IndexEntry
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.scope import ConversationScope, Fence, UserScope
from memory.service import MemoryService, Ports, SessionSettings
from memory.session.context import MemoryContext
from memory.stores.redis.announcements import RedisAnnouncements
from memory.stores.redis.audit import RedisAudit
from memory.stores.redis.batches import RedisBatches
from memory.stores.redis.connection import Connection, ConnectionSettings
from memory.stores.redis.counts import RedisCounts
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.erasures import RedisErasures
from memory.stores.redis.memories import RedisLocks
from memory.stores.redis.sessions import SessionTimes
from memory.stores.redis.users import RedisUsers
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.inprocess import EVERYONE, NO_RECALL, SETTINGS, by_rules, fades, finaliser_of
from tests.waiting import eventually

if TYPE_CHECKING:
    from memory.ports import MemoryStore

CALLER = EVERYONE
TIMES = SessionTimes(
    ttl_ms=60_000,
    max_age_ms=86_400_000,
    journal_ttl_ms=600_000,
    idempotency_ttl_ms=600_000,
    lease_ms=60_000,
    profile_ttl_ms=60_000,
    profile_kept_ms=600_000,
)
ATTEMPTS = 3


class FaultyStore(SqliteLongTermStore):
    """The real store; `fault` decides before each write of a MemUnit what goes wrong this time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.fault: Callable[[MemUnit], Exception | None] = lambda _: None
        self.puts: list[str] = []

    async def put_memunit(self, unit: MemUnit, fences: Sequence[Fence] = ()) -> None:
        self.puts.append(unit.scope.conversation)
        error = self.fault(unit)
        if error is not None:
            raise error
        await super().put_memunit(unit, fences)


class FaultyMemories(SqliteMemoryStore):
    """The real store; `fault` decides before each put or change of a user's memories what goes wrong this time."""

    def __init__(self, store: SqliteLongTermStore) -> None:
        super().__init__(store.database, "", 0, fades)
        self.fault: Callable[[UserScope], Exception | None] = lambda _: None
        self.tried = 0

    async def put(self, scope: UserScope, entries: Sequence[IndexEntry]) -> None:
        self._strike(scope)
        await super().put(scope, entries)

    async def change(
        self, scope: UserScope, memory_ids: Sequence[str], change: "Callable[[Memory], Memory]"
    ) -> list[Memory]:
        self._strike(scope)
        return await super().change(scope, memory_ids, change)

    def _strike(self, scope: UserScope) -> None:
        self.tried += 1
        error = self.fault(scope)
        if error is not None:
            raise error


class NoQueue:
    """A JobQueue whose jobs wait in a list until the test runs them, as often and in what order it likes."""

    def __init__(self) -> None:
        self.keys: list[FinalizationKey] = []

    async def add_finalization(self, key: FinalizationKey) -> None:
        self.keys.append(key)

    async def drop_finalization(self, key: FinalizationKey) -> None:
        self.keys = [each for each in self.keys if each != key]


class ShiftedClock:
    """The Clock port, off by so many milliseconds."""

    def __init__(self, shift_ms: int) -> None:
        self.shift_ms = shift_ms

    def now_ms(self) -> int:
        return SystemClock().now_ms() + self.shift_ms


@dataclass
class Kit:
    """A gateway's inside."""

    stack: AsyncExitStack
    url: str
    data: Path
    connection: Connection
    sessions: RedisSessionStore
    announcements: RedisAnnouncements
    store: FaultyStore
    memories: "MemoryStore"
    tokens: TiktokenCounter
    times: SessionTimes = TIMES
    hold_ms: int = 500
    turns_max: int = 0
    bytes_max: int = 0
    background: BackgroundTasks = field(default_factory=BackgroundTasks)

    def with_times(self, **changes: int) -> "Kit":
        """The same with other times."""
        times = replace(self.times, **changes)
        return replace(self, times=times, sessions=RedisSessionStore(self.connection, times))

    @property
    def settings(self) -> SessionSettings:
        return replace(SETTINGS, lease_ms=self.hold_ms, turns_max=self.turns_max, bytes_max=self.bytes_max)

    def finaliser(self, attempts_max: int = 5) -> Finaliser:
        return finaliser_of(self._ports(NoQueue(), 0), self.settings, attempts_max)

    def service(self, jobs: Any, shift_ms: int = 0) -> MemoryService:
        return MemoryService(self._ports(jobs, shift_ms), settings=self.settings, recall=NO_RECALL)

    def _ports(self, jobs: Any, shift_ms: int) -> Ports:
        return Ports(
            sessions=self.sessions,
            store=self.store,
            memories=self.memories,
            users=RedisUsers(self.connection),
            audit=RedisAudit(self.connection, 1_000, 86_400_000),
            batches=RedisBatches(self.connection),
            claims=RedisLocks(self.connection),
            counts=RedisCounts(self.connection),
            keys=Authenticator(()),
            minds=by_rules(),
            tokens=self.tokens,
            jobs=jobs,
            erasures=RedisErasures(self.connection),
            announcements=self.announcements,
            clock=ShiftedClock(shift_ms),
            background=self.background,
        )

    def settler(self) -> Settler:
        minds = by_rules()
        return settler_of(self.memories, self.store, Rememberer(self.memories, minds), minds, ShiftedClock(0))

    async def docket(self, *, attempts_max: int = 3, work: bool = True, concurrency: int = 4) -> DocketJobs:
        """The real queue, with a worker in this process."""
        runner = FinalizationRunner(self.finaliser(attempts_max), Metrics())
        jobs = DocketJobs(
            self.url,
            runner,
            SettlingRunner(self.settler(), Metrics()),
            self.background,
            self.sessions.has_room,
            QueueSettings(
                attempts_max=attempts_max,
                retry_delay_s=0.02,
                lease_s=self.hold_ms / 1000,
                concurrency=concurrency,
                settle_delay_s=0.2,
                settle_retry_s=0.2,
            ),
        )
        await jobs.start(work=work)
        self.stack.push_async_callback(jobs.stop)
        return jobs

    def sweeper(self, jobs: Any) -> Sweeper:
        return Sweeper(self.sessions, jobs, lease_ms=self.hold_ms, hold_ms=self.hold_ms)

    async def sweeping(self, jobs: Any, interval_s: float = 0.05) -> None:
        """Sweep until the test is over."""
        sweeper = self.sweeper(jobs)

        async def run() -> Swept:
            while True:
                await sweeper.sweep()
                await asyncio.sleep(interval_s)

        task = asyncio.create_task(run())
        self.stack.push_async_callback(ended, task)


async def ended(task: "asyncio.Task[Any]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def open_kit(stack: AsyncExitStack, url: str, data: Path, deadline_s: float = 2.0) -> Kit:
    """Connect; everything ends with the stack."""
    connection = await open_connection(stack, url, deadline_s)
    store = FaultyStore(data / "anamnesis.sqlite3")
    await store.start()
    stack.push_async_callback(store.close)
    unpack_ranks(data / "tiktoken")
    tokens = TiktokenCounter("o200k_base")
    memories = FaultyMemories(store)
    await memories.start()
    announcements = RedisAnnouncements(ConnectionSettings(url, deadline_s, 1))
    await announcements.start()
    stack.push_async_callback(announcements.close)
    sessions = RedisSessionStore(connection, TIMES)
    return Kit(stack, url, data, connection, sessions, announcements, store, memories, tokens)


async def open_connection(stack: AsyncExitStack, url: str, deadline_s: float = 2.0) -> Connection:
    connection = Connection(ConnectionSettings(url, deadline_s, 100_000))
    await connection.start()
    stack.push_async_callback(connection.close)
    assert connection.connected
    return connection


def scope(conversation: str) -> ConversationScope:
    return ConversationScope("default", conversation)


async def say(service: MemoryService, conversation: str, text: str, **more: Any) -> WriteResponse:
    request = WriteTurnRequest(conversation_id=conversation, user_query=f"q:{text}", agent_response=f"a:{text}", **more)
    return await service.write_turn(CALLER, request)


async def end(service: MemoryService, conversation: str, **more: Any) -> FinalizationResponse:
    request = FinalizeSessionMemoryRequest(conversation_id=conversation, **more)
    return await service.finalize_session_memory(CALLER, request)


async def where(service: MemoryService, conversation: str) -> FinalizationResponse:
    return await service.get_finalization(CALLER, GetFinalizationRequest(conversation_id=conversation))


async def unfinished(service: MemoryService) -> list[FinalizationResponse]:
    return (await service.list_finalizations(CALLER, ListFinalizationsRequest(limit=1000))).finalizations


def replay_request(conversation: str) -> ReplayFinalizationRequest:
    return ReplayFinalizationRequest(conversation_id=conversation)


async def replay(service: MemoryService, conversation: str) -> list[str]:
    return list((await service.replay_finalization(CALLER, replay_request(conversation))).replayed)


async def context(service: MemoryService, conversation: str, **more: Any) -> MemoryContext:
    return await service.query_memory_context(CALLER, QueryMemoryContextRequest(conversation_id=conversation, **more))


def failing(times: int, error: Exception) -> Any:
    """Fail the first `times` writes, then let them through."""
    left = iter(range(times))

    def fault(_: MemUnit) -> Exception | None:
        return error if next(left, None) is not None else None

    return fault


async def state_of(service: Any, conversation: str) -> SessionState:
    return (await where(service, conversation)).state


async def reaches(service: Any, conversation: str, state: SessionState) -> None:
    async def there() -> bool:
        return await state_of(service, conversation) is state

    await eventually(there, f"{conversation} is {state}")


def kept(kit: Kit) -> dict[str, list[list[str]]]:
    """Contents of every stored MemUnit, by conversation."""
    found: dict[str, list[list[str]]] = {}
    for unit in units(kit.data):
        found.setdefault(unit["conversation"], []).append(contents(unit["messages"]))
    return found


async def counted(kit: Kit, key: FinalizationKey, attempts: int) -> bool:
    known = await kit.sessions.finalization(key)
    return known is not None and known.attempts == attempts


async def attempted(finaliser: Finaliser, key: FinalizationKey) -> None:
    """What the worker does with an attempt, no more."""
    with contextlib.suppress(InvariantBroken):
        await FinalizationRunner(finaliser, Metrics()).attempt(key)
