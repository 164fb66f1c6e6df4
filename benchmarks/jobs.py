"""What the benchmark asks of a load process, and the line-by-line JSON over which it asks.

A job comes in as one line on standard input, its outcome leaves as one line on standard output, and the end
of input ends the process.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import uvloop

CONNECTIONS = 64
WARM_UP_S = 0.25
DRAIN_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Job:
    """One slot of load. `seconds` 0 means: send everything there is (only `fill` ends by itself)."""

    kind: str
    port: int
    seed: int
    name: str  # names the conversations, and the drawer of texts
    round: int = 0  # each round draws its own texts
    seconds: float = 0.0
    pids: Mapping[str, int] = field(default_factory=dict)  # whose CPU time to read
    conversations: int = 0
    turns: int = 0
    user_characters: int = 30
    answer_characters: int = 60


@dataclass(frozen=True)
class Outcome:
    """What came of a job. `requests` counts the measured window, `acknowledged` also warm-up and drain."""

    requests: int
    seconds: float
    acknowledged: int
    failures: int
    first_failure: str
    cpu_s: Mapping[str, float]
    p50_ms: float
    p99_ms: float

    @property
    def per_second(self) -> float:
        """Requests a second of the window."""
        return self.requests / self.seconds


class Tally:
    """Counts answers while a job runs; shared by its connections."""

    def __init__(self) -> None:
        self.acknowledged = 0
        self.failures = 0
        self.first_failure = ""
        self.latencies_s: list[float] = []
        self.stopping = False

    def answered(self, latency_s: float) -> None:
        """Counts a request that was answered as it should be."""
        self.acknowledged += 1
        self.latencies_s.append(latency_s)

    def failed(self, reason: str) -> None:
        """Counts one that was not, and keeps the reason of the first."""
        self.failures += 1
        self.first_failure = self.first_failure or reason


class Window:
    """The measured part of a job: requests, wall time and CPU time between its making and `close`."""

    def __init__(self, tally: Tally, pids: Mapping[str, int]) -> None:
        self._tally = tally
        self._pids = {**pids, "load": os.getpid()}
        self._before = self._read()
        self._after = self._before

    def close(self) -> None:
        """Ends the measured part; the job itself may still drain."""
        self._after = self._read()

    def outcome(self) -> Outcome:
        """The figures; to be asked when the job has ended, for `acknowledged` counts all of it."""
        (began, first, cpu_before), (ended, last, cpu_after) = self._before, self._after
        percentiles = _percentiles(self._tally.latencies_s[first:last])
        return Outcome(
            requests=last - first,
            seconds=ended - began,
            acknowledged=self._tally.acknowledged,
            failures=self._tally.failures,
            first_failure=self._tally.first_failure,
            cpu_s={name: cpu_after[name] - cpu_before[name] for name in self._pids},
            p50_ms=percentiles[49] * 1000,
            p99_ms=percentiles[98] * 1000,
        )

    def _read(self) -> tuple[float, int, dict[str, float]]:
        cpu_s = {name: cpu_seconds(pid) for name, pid in self._pids.items()}
        return time.perf_counter(), self._tally.acknowledged, cpu_s


def _percentiles(values: list[float]) -> list[float]:
    return statistics.quantiles(values, n=100) if len(values) > 1 else [0.0] * 99


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of those it has started, in steps of 10 ms; 0 when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    fields = stat.rpartition(")")[2].split()  # the name in parentheses may hold spaces
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_seconds(int(child)) for child in children)


def serve(run: Callable[[Job], Awaitable[Outcome]]) -> None:
    """Runs the jobs of standard input one after the other, each on a fresh event loop."""

    async def outcome_of(job: Job) -> Outcome:
        return await run(job)

    for line in sys.stdin:
        outcome = uvloop.run(outcome_of(Job(**json.loads(line))))
        print(json.dumps(asdict(outcome)), flush=True)
