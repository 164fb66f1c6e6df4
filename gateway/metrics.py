"""Figures for Prometheus. The hot path only adds to plain numbers; rendering happens when somebody asks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

BUCKETS_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

DESCRIPTIONS: Final = {
    "anamnesis_requests": "Requests answered, by operation and status",
    "anamnesis_request_seconds": "Time from the first byte of a body to its answer, by operation",
    "anamnesis_requests_in_flight": "Requests being worked on",
    "anamnesis_connections": "Open HTTP connections",
    "anamnesis_tokens_written": "Tokens of messages that were written",
    "anamnesis_redis_round_trips": "Groups of commands sent to Redis",
    "anamnesis_sessions_waiting": "Conversations with a deadline: alive, or not yet in memory",
    "anamnesis_sessions_unfinished": "Ended sessions that are ENDING or FAILED",
    "anamnesis_sessions_sealed": "Sessions that this process sealed",
    "anamnesis_sweeper_lag_seconds": "How late the oldest due conversation was at the last sweep",
    "anamnesis_finalizations": "Attempts to turn a session into memory, by outcome",
}
"""Every metric of the product, by name (counters get `_total`)."""


class _Latency:
    __slots__ = ("buckets", "count", "total_s")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKETS_S) + 1)
        self.count = 0
        self.total_s = 0.0


class Metrics:
    """The process's figures. Gauges that only Redis knows are refreshed by whoever renders."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.latencies: dict[str, _Latency] = {}
        self.finalizations: Counter[str] = Counter()
        self.in_flight = 0
        self.tokens_written = 0
        self.sealed = 0
        self.sweeper_lag_s = 0.0
        self.waiting = 0
        self.unfinished = 0
        self.connections: Callable[[], int] = int
        self.round_trips: Callable[[], int] = int
        self._registry = CollectorRegistry()
        self._registry.register(_Rendering(self))
        ProcessCollector(registry=self._registry)

    def observe(self, operation: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self.requests[operation, status] += 1
        latency = self.latencies.get(operation)
        if latency is None:
            latency = self.latencies[operation] = _Latency()
        latency.buckets[bisect_left(BUCKETS_S, seconds)] += 1
        latency.count += 1
        latency.total_s += seconds

    def render(self) -> bytes:
        """The text exposition format."""
        return generate_latest(self._registry)


class _Rendering(Collector):
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        metrics = self._metrics
        yield _counter("anamnesis_requests", ("operation", "status"), metrics.requests)
        yield self._latencies()
        yield _counter("anamnesis_finalizations", ("outcome",), metrics.finalizations)
        yield _counter("anamnesis_tokens_written", (), {(): metrics.tokens_written})
        yield _counter("anamnesis_redis_round_trips", (), {(): metrics.round_trips()})
        yield _counter("anamnesis_sessions_sealed", (), {(): metrics.sealed})
        yield _gauge("anamnesis_requests_in_flight", metrics.in_flight)
        yield _gauge("anamnesis_connections", metrics.connections())
        yield _gauge("anamnesis_sessions_waiting", metrics.waiting)
        yield _gauge("anamnesis_sessions_unfinished", metrics.unfinished)
        yield _gauge("anamnesis_sweeper_lag_seconds", metrics.sweeper_lag_s)

    def _latencies(self) -> Metric:
        name = "anamnesis_request_seconds"
        family = HistogramMetricFamily(name, DESCRIPTIONS[name], labels=("operation",))
        for operation, latency in sorted(self._metrics.latencies.items()):
            total, buckets = 0, []
            for bound, number in zip((*map(str, BUCKETS_S), "+Inf"), latency.buckets, strict=True):
                total += number
                buckets.append((bound, total))
            family.add_metric((operation,), buckets, latency.total_s)
        return family


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, DESCRIPTIONS[name], value=value)


def _counter(
    name: str,
    labels: tuple[str, ...],
    values: "Counter[str] | Counter[tuple[str, int]] | dict[tuple[()], int]",
) -> Metric:
    family = CounterMetricFamily(name, DESCRIPTIONS[name], labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric((key,) if isinstance(key, str) else tuple(map(str, key)), value)
    return family
