"""SIGTERM while Redis is a black hole: a gateway and a worker end in the time that is promised all the same."""

import time
from collections.abc import Callable

import pytest
from processes import PAUSE, PREFIX, RESUME, Gateway, RedisServer

from tests.deadlines import LATE_S
from tests.gateways import Wire, request_bytes
from tests.waiting import wait_until

ENDED_WITHIN_S = 10.0


@pytest.mark.parametrize("processes", ["1", "2"])
def test_sigterm_while_redis_is_a_black_hole_ends_in_time(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway], processes: str
) -> None:
    """Though a client never sends the rest of its body, and the queue's commands have no deadline."""
    gateway = make_gateway(redis_server, SERVER__PROCESSES=processes).start()
    wait_until(lambda: '"working"' in gateway.get("/health")[1], "the worker works")
    with Wire(gateway.port) as stuck:
        stuck.send(request_bytes("/v1/GetProfile", b'{"user_id": "u"}')[:-5])
        wait_until(lambda: "anamnesis_connections 2.0" in gateway.get("/metrics")[1], "it is connected")
        redis_server.signal(PAUSE)
        try:
            assert ended_in_s(gateway) < ENDED_WITHIN_S + LATE_S
        finally:
            redis_server.signal(RESUME)
    assert "Traceback" not in gateway.text()


def test_sigterm_of_a_worker_while_redis_is_a_black_hole_ends_in_time(
    redis_server: RedisServer, make_gateway: Callable[..., Gateway]
) -> None:
    worker = make_gateway(redis_server, command="worker").spawn()
    with redis_server.client() as client:
        wait_until(lambda: client.zcard(f"{PREFIX}:jobs:workers"), "the worker works")
    redis_server.signal(PAUSE)
    try:
        assert ended_in_s(worker) < ENDED_WITHIN_S + LATE_S
    finally:
        redis_server.signal(RESUME)


def ended_in_s(gateway: Gateway) -> float:
    """SIGTERM, and how long it took to end with 0."""
    assert gateway.process is not None
    began = time.monotonic()
    gateway.process.terminate()
    assert gateway.process.wait(2 * ENDED_WITHIN_S) == 0, gateway.text()[-1500:]
    took_s = time.monotonic() - began
    print(f"ended in {took_s:.2f} s")
    return took_s
