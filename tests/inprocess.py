"""The service without its faces, over any of the session stores: for tests that look at meaning, not at HTTP."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import fakeredis
from pydantic import BaseModel
from redis.exceptions import RedisError

from gateway.auth import Authenticator
from gateway.operations import BY_NAME
from gateway.work.background import BackgroundTasks, SystemClock
from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.curate import Curator
from memory.consolidation.finalise import Finaliser
from memory.consolidation.judging import UNJUDGED, Judging
from memory.consolidation.memunit import UnitSettings
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import USUAL_REVIEWS, ReviewSettings, question_of
from memory.consolidation.sweep import Sweeper
from memory.consolidation.upkeep.fade import leaves_at
from memory.extraction.rules_mind import RulesMind
from memory.model import requests as ask
from memory.model.caller import Caller
from memory.model.finalization import FinalizationKey
from memory.model.memory import Memory
from memory.ports import Announcements, LongTermStore
from memory.providers.tiktoken_counter import TiktokenCounter
from memory.retrieval.decay import DAY_MS, BoostSettings, DecaySettings
from memory.scope import UserScope
from memory.service import MemoryService, Ports, RecallSettings, SessionSettings
from memory.stores.redis.announcements import RedisAnnouncements, Waiters
from memory.stores.redis.audit import RedisAudit
from memory.stores.redis.batches import RedisBatches
from memory.stores.redis.counts import RedisCounts
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.erasures import RedisErasures
from memory.stores.redis.memories import RedisLocks
from memory.stores.redis.sessions import SessionTimes
from memory.stores.redis.users import RedisUsers
from memory.stores.redis.wire import Command
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

EVERYONE = Caller("default", frozenset({"read", "write", "erase", "admin"}))
TIMES = SessionTimes(
    ttl_ms=1_800_000,
    max_age_ms=86_400_000,
    journal_ttl_ms=604_800_000,
    idempotency_ttl_ms=86_400_000,
    lease_ms=60_000,
    profile_ttl_ms=1_800_000,
    profile_kept_ms=2_592_000_000,
)


class FakeCommands:
    """The Commands protocol over fakeredis: one client, commands in order, error replies as objects."""

    def __init__(self) -> None:
        self.waiters = Waiters()
        self.client = fakeredis.FakeAsyncRedis(single_connection_client=True)

    @property
    def server(self) -> Mapping[str, str]:
        return {"run_id": "fake"}

    async def run(self, *commands: Command) -> list[Any]:
        replies: list[Any] = []
        inside: list[Any] | None = None
        for command in commands:
            if command[0] == "MULTI":
                inside = []
                replies.append(b"OK")
            elif command[0] == "EXEC":
                replies.append(inside)
                inside = None
            elif inside is not None:
                inside.append(await self._one(command))
                replies.append(b"QUEUED")
            else:
                replies.append(await self._one(command))
        return replies

    async def run_packed(self, data: bytes, replies: int) -> list[Any]:
        parsed, rest = [], data
        for _ in range(replies):
            command, rest = _unpacked(rest)
            parsed.append(command)
        return await self.run(*parsed)

    async def _one(self, command: Command) -> Any:
        if command[0] == "PUBLISH":
            self.waiters.heard(str(command[2]).encode())
        if command[0] == "EVALSHA":
            return Exception("NOSCRIPT no matching script")
        if command[0] == "EVAL":  # fakeredis does not know the first line that Redis 7 does
            command = ("EVAL", str(command[1]).partition("\n")[2], *command[2:])
        try:
            reply = await self.client.execute_command(*command)
        except RedisError as error:  # an error reply is a value here
            return error
        if command[0] == "XREVRANGE":
            return [(place, _flat(fields)) for place, fields in reply]
        return _flat(reply) if isinstance(reply, dict) else reply


def _flat(found: Mapping[Any, Any]) -> list[Any]:
    """A mapping as Redis replies it."""
    return [part for pair in found.items() for part in pair]


async def announcements_on(commands: Any) -> tuple[Announcements, AsyncExitStack]:
    """Those of the server that the commands go to, and what ends them."""
    stack = AsyncExitStack()
    if isinstance(commands, FakeCommands):
        return commands.waiters, stack
    announcements = RedisAnnouncements(commands._settings)
    await announcements.start()
    stack.push_async_callback(announcements.close)
    return announcements, stack


def _unpacked(data: bytes) -> tuple[Command, bytes]:
    line, _, rest = data.partition(b"\r\n")
    parts = []
    for _ in range(int(line[1:])):
        size, _, rest = rest.partition(b"\r\n")
        parts.append(rest[: int(size[1:])])
        rest = rest[int(size[1:]) + 2 :]
    return (parts[0].decode(), *parts[1:]), rest


@dataclass
class Jobs:
    """The JobQueue port: remembers, and works off when told to."""

    waiting: list[FinalizationKey] = field(default_factory=list)
    settling: list[UserScope] = field(default_factory=list)

    async def add_finalization(self, key: FinalizationKey) -> None:
        if key not in self.waiting:
            self.waiting.append(key)

    async def add_settling(self, scope: UserScope) -> None:
        if scope not in self.settling:
            self.settling.append(scope)

    async def drop_finalization(self, key: FinalizationKey) -> None:
        if key in self.waiting:
            self.waiting.remove(key)


@dataclass
class World:
    """A service and everything under it."""

    service: MemoryService
    sessions: RedisSessionStore
    store: LongTermStore
    jobs: Jobs
    finaliser: Finaliser
    sweeper: Sweeper
    commands: Any
    background: BackgroundTasks
    tokens: TiktokenCounter
    memories: SqliteMemoryStore

    async def call(self, operation: str, /, caller: Caller = EVERYONE, **body: Any) -> dict[str, Any]:
        """One operation, as a face would call it."""
        named = BY_NAME[operation]
        answer = await getattr(self.service, named.method)(caller, named.request.model_validate(body))
        return json.loads(answer.model_dump_json() if isinstance(answer, BaseModel) else answer.encode())

    async def pages(self, operation: str, /, caller: Caller = EVERYONE, **body: Any) -> list[dict[str, Any]]:
        """The items of all pages of a list."""
        found, cursor = list[dict[str, Any]](), ""
        while True:
            page = await self.call(operation, caller, **body, cursor=cursor)
            found += page["items"]
            cursor = page["cursor"]
            if not cursor:
                return found

    async def write(self, user: str, agent: str, conversation: str = "c", **fields: Any) -> Any:
        body = {"conversation_id": conversation, "user_query": user, "agent_response": agent, **fields}
        return await self.service.write_turn(EVERYONE, ask.WriteTurnRequest.model_validate(body))

    async def query(self, conversation: str = "c", **fields: Any) -> dict[str, Any]:
        request = ask.QueryMemoryContextRequest.model_validate({"conversation_id": conversation, **fields})
        return json.loads((await self.service.query_memory_context(EVERYONE, request)).encode())

    async def checkpoint(self, summary: str | None = None, conversation: str = "c", **fields: Any) -> Any:
        body = {"conversation_id": conversation, "summary": summary, **fields}
        return await self.service.checkpoint_short_memory(
            EVERYONE, ask.CheckpointShortMemoryRequest.model_validate(body)
        )

    async def finalize(self, conversation: str = "c", **fields: Any) -> Any:
        body = {"conversation_id": conversation, **fields}
        answer = await self.service.finalize_session_memory(
            EVERYONE, ask.FinalizeSessionMemoryRequest.model_validate(body)
        )
        await self.work()
        return answer

    async def session(self, conversation: str = "c", **fields: Any) -> Any:
        request = ask.GetSessionRequest.model_validate({"conversation_id": conversation, **fields})
        return await self.service.get_session(EVERYONE, request)

    async def work(self) -> None:
        """Work off every waiting job."""
        while self.jobs.waiting:
            await self.finaliser.run(self.jobs.waiting.pop(0))

    async def expire(self, conversation: str = "c", tenant: str = "default") -> None:
        """Let the session's TTL run out now."""
        await self.commands.run(("DEL", f"short_term_memory:session:{{{tenant}/{conversation}}}"))

    async def sweep(self) -> Any:
        """Let every deadline be due, sweep, and work off what was found."""
        (members,) = await self.commands.run(("ZRANGE", "short_term_memory:deadlines", 0, -1))
        for member in members:
            await self.commands.run(("ZADD", "short_term_memory:deadlines", 1, member))
        swept = await self.sweeper.sweep()
        await self.work()
        return swept


SETTINGS = SessionSettings(
    locale="zh",
    token_threshold_ratio=0.75,
    recent_turns=8,
    model_context_window=16_000,
    auto_checkpoint=False,
    lease_ms=60_000,
    stamp=b"o200k_base:zh",
)
RETENTION_MS = 30 * DAY_MS
NO_RECALL = RecallSettings(
    enabled=False,
    deadline_s=2.0,
    budget_tokens=600,
    limit=6,
    least_score=0.0,
    least_bearing=0.65,
    search_mode="fast",
    asked_mode="fast",
    decay=DecaySettings(),
    time_weight=0.2,
)


def fades(memory: Memory) -> int | None:
    """When a memory leaves, by the default settings."""
    return leaves_at(memory, NO_RECALL.decay, RETENTION_MS)


def by_rules(locale: str = "zh", embedder: Any = None) -> Minds:
    """Memories are made by rules, and searched by words unless there is an embedder."""
    return Minds(RulesMind(), RulesMind(), embedder, locale)


def memories_in(
    store: SqliteLongTermStore,
    embedder: Any = None,
    reviews: ReviewSettings = USUAL_REVIEWS,
    decay: DecaySettings = NO_RECALL.decay,
) -> SqliteMemoryStore:
    """Memories beside the MemUnits of a file."""
    space, dimension = (embedder.space, embedder.dimension) if embedder else ("", 0)
    asks = partial(question_of, decay=decay, settings=reviews)
    return SqliteMemoryStore(store.database, space, dimension, fades, asks=asks)


def finaliser_of(
    ports: Ports, settings: SessionSettings, attempts_max: int = 3, boundaries: BoundarySettings | None = None
) -> Finaliser:
    """What ends sessions, over the same ports as a service."""
    return Finaliser(
        ports.sessions,
        ports.store,
        rememberer=Rememberer(ports.memories, ports.minds),
        units=UnitSettings(settings.threshold_tokens, settings.locale, boundaries or BoundarySettings()),
        attempts_max=attempts_max,
        judging=Judging(Curator(ports.memories, ports.store, BoostSettings())),
    )


class MovableClock:
    """The Clock port, where the test says what time it is."""

    def __init__(self) -> None:
        self.at_ms = 1_795_000_000_000

    def now_ms(self) -> int:
        return self.at_ms


@asynccontextmanager
async def world(
    commands: Any, folder: Path, counter: TiktokenCounter, times: SessionTimes = TIMES, **settings: Any
) -> AsyncIterator[World]:
    """Put a service together over a connection to a session store. Recall is off, unless asked for by `recall`.

    `memories`: another memory store than the one beside the MemUnits.
    `minds`: fields of Minds that are not as usual.
    `judging`: who judges by CurateMemories, made of the ports.
    `store`: another long-term store than the file in `folder`, opened; memories stay in the file.
    """
    asked = settings.pop("recall", False)
    recall = asked if isinstance(asked, RecallSettings) else replace(NO_RECALL, enabled=asked)
    clock = settings.pop("clock", SystemClock())
    chosen_minds, brain = settings.pop("minds", {}), settings.pop("brain", None)
    boundaries = settings.pop("boundaries", None)
    embedder, elsewhere = settings.pop("embedder", None), settings.pop("memories", None)
    other: LongTermStore | None = settings.pop("store", None)
    reviews: ReviewSettings = settings.pop("reviews", USUAL_REVIEWS)
    judged: Callable[[Ports], Judging] = settings.pop("judging", lambda _: UNJUDGED)
    chosen = replace(SETTINGS, **settings)
    file = SqliteLongTermStore(folder / "long_term.sqlite3")
    await file.start()
    store = other or file
    memories = elsewhere or memories_in(file, embedder, reviews, recall.decay)
    if not elsewhere:
        await memories.start()
    minds = replace(by_rules(chosen.locale, embedder), **chosen_minds)
    sessions = RedisSessionStore(commands, times)
    jobs, background = Jobs(), BackgroundTasks()
    announcements, hearing = await announcements_on(commands)
    ports = Ports(
        sessions=sessions,
        store=store,
        memories=memories,
        users=RedisUsers(commands),
        audit=RedisAudit(commands, 1_000, 86_400_000),
        batches=RedisBatches(commands),
        claims=RedisLocks(commands),
        counts=RedisCounts(commands),
        keys=Authenticator(()),
        minds=minds,
        tokens=counter,
        jobs=jobs,
        erasures=RedisErasures(commands),
        announcements=announcements,
        clock=clock,
        background=background,
    )
    judging = judged(ports)
    service = MemoryService(ports, settings=chosen, recall=recall, brain=brain, reviews=reviews, judging=judging)
    finaliser = finaliser_of(ports, chosen, boundaries=boundaries)
    sweeper = Sweeper(sessions, jobs, lease_ms=chosen.lease_ms, hold_ms=chosen.lease_ms)
    try:
        yield World(service, sessions, store, jobs, finaliser, sweeper, commands, background, counter, memories)
    finally:
        await background.drain(1)
        await hearing.aclose()
        await file.close()
