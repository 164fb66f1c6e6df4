"""Figures for Prometheus. The hot path only adds to plain numbers; rendering happens when somebody asks.

The processes of one gateway share the numbers, a row each: whichever is asked answers for all of them.
"""

import math
import mmap
import time
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from gateway.operations import OPERATIONS, WATCHES
from memory.limits import EXPAND_DEPTH_MAX
from memory.privacy.policy import KINDS

BUCKETS_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

DESCRIPTIONS: Final = {
    "anamnesis_requests": "Requests answered, by operation and status",
    "anamnesis_request_seconds": "Time from the end of a request's body to its answer, by operation",
    "anamnesis_requests_in_flight": "Requests being worked on",
    "anamnesis_connections": "Open HTTP connections",
    "anamnesis_streams": "Open streams of events",
    "anamnesis_tokens_written": "Tokens of messages that were written",
    "anamnesis_redis_round_trips": "Groups of commands sent to Redis",
    "anamnesis_sessions_waiting": "Conversations with a deadline: alive, or not yet in memory",
    "anamnesis_sessions_unfinished": "Ended sessions that are ENDING or FAILED",
    "anamnesis_sessions_sealed": "Sessions that this gateway sealed",
    "anamnesis_jobs_later": "Jobs to be done later: created memories to settle, and what failed once",
    "anamnesis_jobs_late_seconds": "How long the oldest of them has been due",
    "anamnesis_sweeper_lag_seconds": "How late the oldest due conversation was at the last sweep",
    "anamnesis_workers": "Workers on this Redis that were heard of within 12 s",
    "anamnesis_worker_heartbeat_age_seconds": "Since a worker was heard of; +Inf: not in an hour, NaN: not known",
    "anamnesis_memories_archived": "Memories that had faded and were archived",
    "anamnesis_memories_erased": "Archived memories that were erased after their retention",
    "anamnesis_memories_settled": "Created memories whose index entry was completed",
    "anamnesis_nodes_merged": "Pairs of labels that were made one node of a graph by themselves",
    "anamnesis_merges_suggested": "Pairs of labels of which somebody may say that they are one",
    "anamnesis_walks": "Searches that went on from what fits, by how many steps they may go",
    "anamnesis_walk_seconds": "Time that they took",
    "anamnesis_finalizations": "Attempts to turn a session into memory, by outcome",
    "anamnesis_model_tokens": "Tokens that the model of the mind took and gave, as its endpoint counts them",
    "anamnesis_model_answers": "Answers of the model: used, refused, or given up (gave_none)",
    "anamnesis_audit_entries_lost": "Entries of the audit that could not be kept, as too many waited for Redis",
    "anamnesis_identifiers_replaced": "Identifiers replaced before a model or the store had them, by kind",
}
"""Every metric of the product, by name (counters get `_total`)."""

STATUSES: Final = (200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 500, 503)
STEPS: Final = range(1, EXPAND_DEPTH_MAX + 1)
OUTCOMES: Final = ("closed", "failed_attempt", "gave_up", "lost_its_fence", "nothing_to_do", "postponed")
MODEL_TOKENS: Final = ("tokens_in", "tokens_out")
MODEL_ANSWERS: Final = ("used", "refused", "gave_none")
DESTINATIONS: Final = ("model", "store")
SIGN_IN: Final = "SignIn"
"""At the console: counted as operations are."""
_NAMES: Final = (*(operation.name for operation in (*OPERATIONS, *WATCHES)), SIGN_IN)
_SINGLES: Final = ("in_flight", "connections", "streams", "tokens_written", "round_trips", "sealed", "archived",
                   "erased", "audit_lost", "settled", "merged", "suggested", "walked_s", "sweeper_lag_s",
                   "worker_state", "ready", "valkey_answered")  # fmt: skip
_SLOTS: Final[Mapping[Hashable, int]] = {
    key: slot
    for slot, key in enumerate(
        (
            *_SINGLES,
            *OUTCOMES,
            *product(("walks",), STEPS),
            *MODEL_TOKENS,
            *MODEL_ANSWERS,
            *product(DESTINATIONS, KINDS),
            *product(_NAMES, STATUSES),
            *product(_NAMES, ("seconds", *range(len(BUCKETS_S) + 1))),
        )
    )
}
_REQUESTS: Final = {name: _SLOTS[name, STATUSES[0]] for name in _NAMES}
_LATENCIES: Final = {name: _SLOTS[name, "seconds"] for name in _NAMES}
_STATUS_AT: Final = {status: index for index, status in enumerate(STATUSES)}


class Board:
    """Memory that processes share when it is made before they are forked: a row of numbers for each."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.values: memoryview[float] = memoryview(mmap.mmap(-1, rows * len(_SLOTS) * 8)).cast("d")

    def each(self, key: Hashable) -> list[float]:
        """One number in all rows."""
        return list(self.values[_SLOTS[key] :: len(_SLOTS)])


class _Own:
    """A number of this process's row."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._slot = _SLOTS[name]

    def __get__(self, metrics: "Metrics", _owner: type) -> float:
        return metrics.values[metrics.base + self._slot]

    def __set__(self, metrics: "Metrics", value: float) -> None:
        metrics.values[metrics.base + self._slot] = value


class Metrics:
    """The figures of the process whose row this is. Gauges that only Redis knows are refreshed by whoever renders."""

    in_flight = _Own()
    connections = _Own()
    streams = _Own()
    tokens_written = _Own()
    round_trips = _Own()
    sealed = _Own()
    archived = _Own()
    erased = _Own()
    audit_lost = _Own()
    settled = _Own()
    merged = _Own()
    suggested = _Own()
    walked_s = _Own()
    sweeper_lag_s = _Own()
    worker_state = _Own()
    ready = _Own()
    valkey_answered = _Own()

    def __init__(self, board: Board | None = None, row: int = 0, *, siblings: int = 1) -> None:
        board = board or Board(1)
        self._board = board
        self.values = board.values
        self.base = row * len(_SLOTS)
        self.waiting = 0
        self.unfinished = 0
        self.jobs_later = 0
        self.jobs_late_s = 0.0
        self.workers = 0
        self.heartbeat_age_s = math.nan
        for name in ("in_flight", "connections", "streams", "ready"):  # of a process that died in this row
            setattr(self, name, 0)
        self._registry = CollectorRegistry()
        self._registry.register(_Rendering(self))
        if siblings == 1:  # it alone is asked
            ProcessCollector(registry=self._registry)

    def observe(self, operation: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        values, base = self.values, self.base
        values[base + _REQUESTS[operation] + _STATUS_AT[status]] += 1
        slot = base + _LATENCIES[operation]
        values[slot] += seconds
        values[slot + 1 + bisect_left(BUCKETS_S, seconds)] += 1

    def finalized(self, outcome: str) -> None:
        """Count one attempt to turn a session into memory (OUTCOMES)."""
        self.values[self.base + _SLOTS[outcome]] += 1

    @contextmanager
    def walking(self, steps: int) -> Iterator[None]:
        """Count a search that goes on so many steps, and the time that it takes."""
        begun = time.perf_counter()
        self.values[self.base + _SLOTS["walks", steps]] += 1
        try:
            yield
        finally:
            self.walked_s += time.perf_counter() - begun

    def model(self, what: str, count: int) -> None:
        """Count what a model took or gave (MODEL_TOKENS), and what became of an answer (MODEL_ANSWERS)."""
        self.values[self.base + _SLOTS[what]] += count

    def replaced(self, destination: str, counts: Mapping[str, int]) -> None:
        """Count identifiers that were replaced on their way somewhere (DESTINATIONS), by kind."""
        for kind, count in counts.items():
            self.values[self.base + _SLOTS[destination, kind]] += count

    def each(self, key: Hashable) -> list[float]:
        """One number in all processes."""
        return self._board.each(key)

    def total(self, key: Hashable) -> float:
        """One number over all processes."""
        return sum(self._board.each(key))

    def render(self) -> bytes:
        """The text exposition format."""
        return generate_latest(self._registry)


class _Rendering(Collector):
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        metrics = self._metrics
        total = metrics.total
        requests = {(name, str(status)): total((name, status)) for name, status in product(_NAMES, STATUSES)}
        yield _counter("anamnesis_requests", ("operation", "status"), {k: v for k, v in requests.items() if v})
        yield self._latencies()
        outcomes = {(outcome,): total(outcome) for outcome in OUTCOMES}
        yield _counter("anamnesis_finalizations", ("outcome",), {k: v for k, v in outcomes.items() if v})
        walks: dict[tuple[str, ...], float] = {(str(steps),): total(("walks", steps)) for steps in STEPS}
        yield _counter("anamnesis_walks", ("steps",), {k: v for k, v in walks.items() if v})
        yield _counter("anamnesis_walk_seconds", (), {(): total("walked_s")})
        replaced = {(where, kind): total((where, kind)) for where, kind in product(DESTINATIONS, KINDS)}
        labels = ("destination", "kind")
        yield _counter("anamnesis_identifiers_replaced", labels, {k: v for k, v in replaced.items() if v})
        tokens: dict[tuple[str, ...], float] = {(what.removeprefix("tokens_"),): total(what) for what in MODEL_TOKENS}
        answers: dict[tuple[str, ...], float] = {(what,): total(what) for what in MODEL_ANSWERS}
        yield _counter("anamnesis_model_tokens", ("direction",), tokens)
        yield _counter("anamnesis_model_answers", ("outcome",), answers)
        yield _counter("anamnesis_tokens_written", (), {(): total("tokens_written")})
        yield _counter("anamnesis_redis_round_trips", (), {(): total("round_trips")})
        yield _counter("anamnesis_sessions_sealed", (), {(): total("sealed")})
        yield _counter("anamnesis_memories_archived", (), {(): total("archived")})
        yield _counter("anamnesis_memories_erased", (), {(): total("erased")})
        yield _counter("anamnesis_audit_entries_lost", (), {(): total("audit_lost")})
        yield _counter("anamnesis_memories_settled", (), {(): total("settled")})
        yield _counter("anamnesis_nodes_merged", (), {(): total("merged")})
        yield _counter("anamnesis_merges_suggested", (), {(): total("suggested")})
        yield _gauge("anamnesis_requests_in_flight", total("in_flight"))
        yield _gauge("anamnesis_connections", total("connections"))
        yield _gauge("anamnesis_streams", total("streams"))
        yield _gauge("anamnesis_sessions_waiting", metrics.waiting)
        yield _gauge("anamnesis_sessions_unfinished", metrics.unfinished)
        yield _gauge("anamnesis_jobs_later", metrics.jobs_later)
        yield _gauge("anamnesis_jobs_late_seconds", metrics.jobs_late_s)
        yield _gauge("anamnesis_workers", metrics.workers)
        yield _gauge("anamnesis_worker_heartbeat_age_seconds", metrics.heartbeat_age_s)
        yield _gauge("anamnesis_sweeper_lag_seconds", max(metrics.each("sweeper_lag_s")))

    def _latencies(self) -> Metric:
        name = "anamnesis_request_seconds"
        family = HistogramMetricFamily(name, DESCRIPTIONS[name], labels=("operation",))
        bounds = (*map(str, BUCKETS_S), "+Inf")
        for operation in _NAMES:
            number, buckets = 0.0, []
            for index, bound in enumerate(bounds):
                number += self._metrics.total((operation, index))
                buckets.append((bound, number))
            if number:
                family.add_metric((operation,), buckets, self._metrics.total((operation, "seconds")))
        return family


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, DESCRIPTIONS[name], value=value)


def _counter(name: str, labels: tuple[str, ...], values: Mapping[tuple[str, ...], float]) -> Metric:
    family = CounterMetricFamily(name, DESCRIPTIONS[name], labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric(key, value)
    return family
