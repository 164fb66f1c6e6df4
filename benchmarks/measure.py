"""The schedule: bytes per conversation, interleaved rounds, the hot conversation; and what came of each."""

import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from redis import Redis

from benchmarks.jobs import CONNECTIONS, Job, Outcome
from benchmarks.processes import LoadProcess
from benchmarks.servers import Servers, call
from benchmarks.texts import Texts

HELLO, QUERY_20, QUERY_200, WRITE = "hello", "query20", "query200", "write"
SLOTS = (HELLO, QUERY_20, QUERY_200, WRITE)
MESSAGES = {QUERY_20: 20, QUERY_200: 200}
MEMORY_CONVERSATIONS = 200
MEMORY_MESSAGES = 40
MEMORY_CHARACTERS = 200
SETTLED_BYTES = 2_000
SETTLE_TIMEOUT_S = 10.0
FIXED_STEPS = 4  # warm-up, bytes, two kinds of conversations to query


@dataclass(frozen=True)
class Plan:
    """How long to measure, and from which seed the texts are drawn."""

    rounds: int
    seconds: float
    seed: int

    @property
    def steps(self) -> int:
        """How many jobs that makes, for the progress bar."""
        return FIXED_STEPS + self.rounds * (len(SLOTS) + 2)


@dataclass(frozen=True)
class Window:
    """What QueryMemoryContext hands out for a seeded conversation: proof of what the figures are about."""

    stored_messages: int
    answered_messages: int
    answer_bytes: int


@dataclass(frozen=True)
class HotRound:
    """64 writers on one conversation, both ways, and what the gateway then says it counted."""

    gateway: Outcome
    lua: Outcome
    turn_count: int
    rev: int


@dataclass(frozen=True)
class Memory:
    """Bytes per conversation: in Redis, as raw UTF-8, and as zlib would pack that raw text."""

    used: float
    raw: int
    zlib: int


@dataclass(frozen=True)
class Measured:
    """Everything that was measured, and in words what went wrong."""

    rounds: Sequence[Mapping[str, Outcome]]
    windows: Mapping[str, Window]
    hot: Sequence[HotRound]
    memory: Memory
    failures: Sequence[str]


class Run:
    """One run of the whole schedule; `announce` is told each step as it begins."""

    def __init__(self, plan: Plan, servers: Servers, redis: Redis, announce: Callable[[str], None]) -> None:
        self._plan = plan
        self._servers = servers
        self._redis = redis
        self._announce = announce
        self._failures: list[str] = []

    def everything(self) -> Measured:
        """Bytes first, on a Redis that is still quiet; then the rounds."""
        self._fill("warm-up", CONNECTIONS, turns=2, user=30, answer=60)
        memory = self._memory()
        windows = {slot: self._seed(slot) for slot in MESSAGES}
        rounds = [self._round(number) for number in range(self._plan.rounds)]
        hot = [self._hot_round(number) for number in range(self._plan.rounds)]
        return Measured(rounds, windows, hot, memory, self._failures)

    def _do(self, process: LoadProcess, label: str, job: Job) -> Outcome:
        self._announce(label)
        self._servers.require_alive()
        outcome = process.run(job)
        self._servers.require_alive()
        if outcome.failures:
            self._failures.append(f"{label}: {outcome.failures} failed, first: {outcome.first_failure}")
        return outcome

    def _fill(self, name: str, conversations: int, turns: int, user: int, answer: int) -> None:
        job = Job(
            kind="fill",
            port=self._servers.gateway.port,
            seed=self._plan.seed,
            name=name,
            conversations=conversations,
            turns=turns,
            user_characters=user,
            answer_characters=answer,
        )
        acknowledged = self._do(self._servers.load, f"fill {name}", job).acknowledged
        self._expect(f"fill {name}: turns acknowledged", acknowledged, conversations * turns)

    def _memory(self) -> Memory:
        before = self._settled_bytes()
        characters = MEMORY_CHARACTERS
        self._fill("memory", MEMORY_CONVERSATIONS, MEMORY_MESSAGES // 2, characters, characters)
        used = (self._settled_bytes() - before) / MEMORY_CONVERSATIONS
        texts = Texts(self._plan.seed, "zlib")
        raw = b"".join(texts.take(characters) for _ in range(MEMORY_MESSAGES))
        return Memory(used, len(raw), len(zlib.compress(raw)))

    def _settled_bytes(self) -> int:
        """`used_memory` once background work has come to rest."""
        deadline = time.monotonic() + SETTLE_TIMEOUT_S
        before, now = 0, self._used_bytes()
        while abs(now - before) > SETTLED_BYTES and time.monotonic() < deadline:
            time.sleep(0.5)
            before, now = now, self._used_bytes()
        return now

    def _used_bytes(self) -> int:
        """Without the buffers of connections and of the AOF, which grow and shrink with the traffic."""
        info = self._redis.info("memory")
        return int(info["used_memory"] - info["mem_clients_normal"] - info["mem_aof_buffer"])

    def _seed(self, slot: str) -> Window:
        messages = MESSAGES[slot]
        self._fill(slot, CONNECTIONS, messages // 2, user=30, answer=60)
        body = {"conversation_id": f"{slot}-0", "user_id": f"user-{slot}-0", "query": "请问明天还要复查吗？"}
        answer, answer_bytes = call(self._servers.gateway.port, "QueryMemoryContext", body)
        self._expect(f"{slot}: turn_count", answer["turn_count"], messages // 2)
        return Window(messages, len(answer["messages"]), answer_bytes)

    def _round(self, number: int) -> dict[str, Outcome]:
        """All slots once, each round beginning with another one."""
        first = number % len(SLOTS)
        return {slot: self._slot(slot, number) for slot in SLOTS[first:] + SLOTS[:first]}

    def _slot(self, slot: str, number: int) -> Outcome:
        label = f"{slot}, round {number + 1} of {self._plan.rounds}"
        servers = self._servers
        if slot == HELLO:
            pids = {"server": servers.hello.process.pid}
            return self._do(servers.load, label, self._timed(HELLO, HELLO, number, servers.hello.port, pids))
        kind, name = ("write", f"write-{number}") if slot == WRITE else ("query", slot)
        job = self._timed(kind, name, number, servers.gateway.port, servers.gateway_pids)
        return self._do(servers.load, label, job)

    def _timed(self, kind: str, name: str, number: int, port: int, pids: dict[str, int]) -> Job:
        plan = self._plan
        return Job(kind, port, plan.seed, name, round=number, seconds=plan.seconds, pids=pids)

    def _hot_round(self, number: int) -> HotRound:
        """Gateway and Lua in turn, each on a conversation that is new in this round."""
        if number % 2:
            lua = self._lua(number)
            gateway = self._hot(number)
        else:
            gateway = self._hot(number)
            lua = self._lua(number)
        answer, _ = call(self._servers.gateway.port, "GetSession", {"conversation_id": f"hot-{number}"})
        turn_count, rev = answer["session"]["flow_context"]["turn_count"], answer["rev"]
        self._expect(f"hot-{number}: turn_count", turn_count, gateway.acknowledged)
        self._expect(f"hot-{number}: rev", rev, gateway.acknowledged)
        return HotRound(gateway, lua, turn_count, rev)

    def _hot(self, number: int) -> Outcome:
        servers = self._servers
        job = self._timed("hot", f"hot-{number}", number, servers.gateway.port, servers.gateway_pids)
        return self._do(servers.load, f"hot conversation, round {number + 1}", job)

    def _lua(self, number: int) -> Outcome:
        redis = self._servers.redis
        job = self._timed("lua", f"lua-{number}", number, redis.port, {"redis": redis.process.pid})
        return self._do(self._servers.lua, f"Lua over a pool, round {number + 1}", job)

    def _expect(self, what: str, found: int, expected: int) -> None:
        if found != expected:
            self._failures.append(f"{what} is {found}, acknowledged or sent were {expected}")
