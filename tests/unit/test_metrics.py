"""Figures: exactly those that are described, and they add up."""

import math

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gateway.observe.metrics import BUCKETS_S, DESCRIPTIONS, STATUSES, Board, Metrics
from memory.errors import MemoryGatewayError


def rendered(metrics: Metrics) -> dict[str, dict[tuple[str, ...], float]]:
    """Samples of every family by their name and label values, as a Prometheus would read them."""
    families = text_string_to_metric_families(metrics.render().decode())
    return {
        family.name: {(s.name, *(v for k, v in sorted(s.labels.items()))): s.value for s in family.samples}
        for family in families
    }


def test_render_has_exactly_what_is_described() -> None:
    metrics = Metrics()
    metrics.observe("WriteTurn", 200, 0.001)
    metrics.finalized("closed")
    families = {f.name: f for f in text_string_to_metric_families(metrics.render().decode())}
    ours = {name: family.documentation for name, family in families.items() if not name.startswith("process_")}
    assert ours == DESCRIPTIONS


def test_render_of_a_fresh_process_is_complete() -> None:
    assert {name for name in rendered(Metrics()) if not name.startswith("process_")} == set(DESCRIPTIONS)


def test_render_counts_requests_by_operation_and_status() -> None:
    metrics = Metrics()
    for status in (200, 200, 409):
        metrics.observe("WriteTurn", status, 0.01)
    metrics.observe("GetSession", 200, 0.01)
    assert rendered(metrics)["anamnesis_requests"] == {
        ("anamnesis_requests_total", "WriteTurn", "200"): 2,
        ("anamnesis_requests_total", "WriteTurn", "409"): 1,
        ("anamnesis_requests_total", "GetSession", "200"): 1,
    }


@pytest.mark.parametrize("bound", BUCKETS_S)
def test_observe_at_a_bound_counts_below_it(bound: float) -> None:
    metrics = Metrics()
    metrics.observe("WriteTurn", 200, bound)
    metrics.observe("WriteTurn", 200, math.nextafter(bound, 10))
    buckets = {
        float(s.labels["le"]): s.value
        for f in text_string_to_metric_families(metrics.render().decode())
        for s in f.samples
        if s.name == "anamnesis_request_seconds_bucket"
    }
    assert buckets[bound] == 1
    assert [buckets[b] for b in BUCKETS_S if b < bound] == [0] * BUCKETS_S.index(bound)
    assert buckets[math.inf] == 2
    assert sorted(buckets.values()) == list(buckets.values()), "buckets are cumulative"


def test_observe_longer_than_every_bound_counts_in_the_last_bucket() -> None:
    metrics = Metrics()
    metrics.observe("WriteTurn", 503, 100)
    samples = rendered(metrics)["anamnesis_request_seconds"]
    assert samples[("anamnesis_request_seconds_bucket", "+Inf", "WriteTurn")] == 1
    assert samples[("anamnesis_request_seconds_bucket", "5.0", "WriteTurn")] == 0
    assert samples[("anamnesis_request_seconds_sum", "WriteTurn")] == 100
    assert samples[("anamnesis_request_seconds_count", "WriteTurn")] == 1


def test_render_adds_up_what_the_processes_of_a_gateway_counted() -> None:
    board = Board(3)
    parts = [Metrics(board, row) for row in range(3)]
    for number, part in enumerate(parts, 1):
        part.observe("WriteTurn", 200, 0.1)
        part.connections = number
        part.tokens_written += 10 * number
        part.sweeper_lag_s = number
    for part in parts:
        found = rendered(part)
        assert found["anamnesis_requests"] == {("anamnesis_requests_total", "WriteTurn", "200"): 3}
        assert found["anamnesis_connections"] == {("anamnesis_connections",): 6}
        assert found["anamnesis_tokens_written"] == {("anamnesis_tokens_written_total",): 60}
        assert found["anamnesis_sweeper_lag_seconds"] == {("anamnesis_sweeper_lag_seconds",): 3}


def test_process_that_takes_the_row_of_a_dead_one_goes_on_with_its_counters_but_not_its_gauges() -> None:
    board = Board(2)
    before = Metrics(board, 1)
    before.observe("WriteTurn", 200, 0.1)
    before.in_flight = before.connections = 7
    after = Metrics(board, 1)
    after.observe("WriteTurn", 200, 0.1)
    assert rendered(after)["anamnesis_requests"] == {("anamnesis_requests_total", "WriteTurn", "200"): 2}
    assert (after.total("in_flight"), after.total("connections")) == (0, 0)


def test_every_status_of_a_problem_can_be_counted() -> None:
    def kinds(kind: type[MemoryGatewayError]) -> set[type[MemoryGatewayError]]:
        return {kind}.union(*map(kinds, kind.__subclasses__()))

    assert {kind.status for kind in kinds(MemoryGatewayError)} <= set(STATUSES)


def test_metrics_of_two_gateways_in_one_process_are_apart() -> None:
    first, second = Metrics(), Metrics()
    first.observe("WriteTurn", 200, 0.1)
    assert rendered(second)["anamnesis_requests"] == {}


def test_walks_are_counted_by_their_steps_and_timed_also_where_they_fail() -> None:
    metrics = Metrics()
    with metrics.walking(1):
        pass
    with pytest.raises(ZeroDivisionError), metrics.walking(2):
        _ = 1 // 0
    with metrics.walking(2):
        pass
    samples = rendered(metrics)
    assert samples["anamnesis_walks"] == {("anamnesis_walks_total", "1"): 1, ("anamnesis_walks_total", "2"): 2}
    assert samples["anamnesis_walk_seconds"]["anamnesis_walk_seconds_total",] > 0


def test_render_has_nothing_of_conversations_or_tenants_in_its_labels() -> None:
    metrics = Metrics()
    metrics.observe("WriteTurn", 200, 0.1)
    metrics.finalized("closed")
    with metrics.walking(1):
        pass
    labels = {k for f in text_string_to_metric_families(metrics.render().decode()) for s in f.samples for k in s.labels}
    assert labels == {"operation", "status", "outcome", "direction", "le", "steps"}
