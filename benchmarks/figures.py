"""From outcomes to figures: spreads, ratios to hello, CPU per request, and whether the targets are met."""

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from redis import Redis

from benchmarks.hello import BASELINE
from benchmarks.jobs import CONNECTIONS, Outcome
from benchmarks.measure import HELLO, QUERY_20, QUERY_200, SLOTS, WRITE, Measured, Memory, Plan, Window

# Ratio to hello, median over the rounds: what a release needs, and what we want.
TARGETS = {QUERY_20: (0.45, 0.75), QUERY_200: (0.15, 0.30), WRITE: (0.30, 0.55)}
# What the version before reached, less what a busy machine takes: below it something has become dearer.
REACHED = {QUERY_20: 0.180, QUERY_200: 0.095, WRITE: 0.035}
SATURATED = 0.95
STARVED = 0.85  # of a core: less for hello under full load means that others took the CPU
BELOW = "below"
DEARER = "dearer"


@dataclass(frozen=True)
class Spread:
    """One figure over the rounds."""

    minimum: float
    median: float
    maximum: float


@dataclass(frozen=True)
class Operation:
    """One kind of request over all rounds: CPU in µs per request, latency in ms of the median round."""

    name: str
    per_second: Spread
    ratio: Spread
    needed: float | None
    goal: float | None
    reached: float
    cpu_us: Mapping[str, float]
    p50_ms: float
    p99_ms: float
    server_busy: float
    load_busy: float

    @property
    def verdict(self) -> str:
        """Where the median ratio stands between what is needed and the goal."""
        if self.needed is None or self.goal is None:
            return "baseline"
        if self.ratio.median < self.reached:
            return DEARER
        if self.ratio.median < self.needed:
            return BELOW
        return "goal" if self.ratio.median >= self.goal else "needed"


@dataclass(frozen=True)
class Hot:
    """64 writers on one conversation, writes a second; and whether each acknowledged one was counted."""

    gateway: Spread
    lua: Spread
    ratio: Spread
    gateway_cpu_us: Mapping[str, float]
    lua_cpu_us: Mapping[str, float]
    acknowledged: int
    turn_count: int
    rev: int


@dataclass(frozen=True)
class Report:
    """Everything a reader is told, as text or as JSON."""

    machine: Mapping[str, str]
    plan: Plan
    baseline: str
    connections: int
    operations: Sequence[Operation]
    windows: Mapping[str, Window]
    hot: Hot
    memory: Memory
    failures: Sequence[str]

    @property
    def below_needed(self) -> list[str]:
        """The operations for which `--check` fails."""
        return [operation.name for operation in self.operations if operation.verdict in {BELOW, DEARER}]

    @property
    def saturated(self) -> list[str]:
        """The operations at which the load generator was the limit, not the server."""
        return [operation.name for operation in self.operations if operation.load_busy > SATURATED]

    @property
    def disturbed(self) -> bool:
        """Whether the machine was too busy with others for the ratios to be quoted."""
        return any(row.name == HELLO and row.server_busy < STARVED for row in self.operations)

    def as_json(self) -> dict[str, Any]:
        """What `--json` writes."""
        verdicts = {operation.name: operation.verdict for operation in self.operations}
        derived = {"verdicts": verdicts, "below_needed": self.below_needed, "disturbed": self.disturbed}
        return asdict(self) | derived


def report(measured: Measured, plan: Plan, machine: Mapping[str, str]) -> Report:
    return Report(
        machine=machine,
        plan=plan,
        baseline=BASELINE,
        connections=CONNECTIONS,
        operations=[_operation(slot, measured.rounds) for slot in SLOTS],
        windows=measured.windows,
        hot=_hot(measured),
        memory=measured.memory,
        failures=measured.failures,
    )


def machine_of(redis: Redis) -> dict[str, str]:
    """What the figures depend on and a reader cannot guess."""
    info = redis.info("server")
    name, number = info.get("server_name", "redis"), info.get("valkey_version", info["redis_version"])
    return {
        "cpu": f"{os.cpu_count()} x {_cpu_model()}",
        "load_average": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "python": platform.python_version(),
        "aiohttp": version("aiohttp"),
        "uvloop": version("uvloop"),
        "redis_server": f"{name} {number}",
        "redis_py": version("redis"),
        "hiredis": version("hiredis"),
    }


def _cpu_model() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _operation(slot: str, rounds: Sequence[Mapping[str, Outcome]]) -> Operation:
    outcomes = [outcomes[slot] for outcomes in rounds]
    needed, goal = TARGETS.get(slot, (None, None))
    return Operation(
        name=slot,
        per_second=_throughput(outcomes),
        ratio=_spread([row[slot].per_second / (row[HELLO].per_second or 1.0) for row in rounds]),
        needed=needed,
        goal=goal,
        reached=REACHED.get(slot, 0.0),
        cpu_us=_cpu_us(outcomes),
        p50_ms=statistics.median(outcome.p50_ms for outcome in outcomes),
        p99_ms=statistics.median(outcome.p99_ms for outcome in outcomes),
        server_busy=_busy(outcomes, "server"),
        load_busy=_busy(outcomes, "load"),
    )


def _hot(measured: Measured) -> Hot:
    rounds = measured.hot
    gateway, lua = [row.gateway for row in rounds], [row.lua for row in rounds]
    return Hot(
        gateway=_throughput(gateway),
        lua=_throughput(lua),
        ratio=_spread([row.gateway.per_second / (row.lua.per_second or 1.0) for row in rounds]),
        gateway_cpu_us=_cpu_us(gateway),
        lua_cpu_us=_cpu_us(lua),
        acknowledged=sum(outcome.acknowledged for outcome in gateway),
        turn_count=sum(row.turn_count for row in rounds),
        rev=sum(row.rev for row in rounds),
    )


def _throughput(outcomes: Sequence[Outcome]) -> Spread:
    return _spread([outcome.per_second for outcome in outcomes])


def _spread(values: Sequence[float]) -> Spread:
    return Spread(min(values), statistics.median(values), max(values))


def _busy(outcomes: Sequence[Outcome], process: str) -> float:
    """Cores that the process had, on average over the rounds."""
    return sum(outcome.cpu_s[process] for outcome in outcomes) / sum(outcome.seconds for outcome in outcomes)


def _cpu_us(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Over all rounds together: the kernel counts in steps of 10 ms, too coarse for one short slot."""
    requests = sum(outcome.requests for outcome in outcomes) or 1
    names = outcomes[0].cpu_s
    return {name: sum(outcome.cpu_s[name] for outcome in outcomes) / requests * 1e6 for name in names}
