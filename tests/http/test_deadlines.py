"""Slow, idle, many, abrupt: what a connection may cost, and how a gateway ends."""

import asyncio
import contextlib
import json
import os
import resource
import selectors
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from gateway.client import AsyncClient, ProblemError
from tests.deadlines import LATE_S
from tests.gateways import LOOPBACK, Answer, GatewayProcess, Wire, children, request_bytes, start_gateway
from tests.http.conftest import Start
from tests.waiting import wait_until

HEADER_TIMEOUT_S = 1.0
BODY_TIMEOUT_S = 1.0
ENDED_WITHIN_S = 10.0
IDLE_CONNECTIONS = 10_000
SPARE_DESCRIPTORS = 300
PROFILE = b'{"user_id": "deadlines"}'


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    """A gateway that waits a second for a head, and a second for a body."""
    environment = {
        "ANAMNESIS_SERVER__HEADER_TIMEOUT_S": str(HEADER_TIMEOUT_S),
        "ANAMNESIS_SERVER__BODY_TIMEOUT_S": str(BODY_TIMEOUT_S),
        "ANAMNESIS_SERVER__KEEPALIVE_TIMEOUT_S": "1",
    }
    gateway = start_gateway(tmp_path_factory.mktemp("impatient"), environment=environment)
    yield gateway
    gateway.kill()


def profile_request(user: str = "deadlines") -> bytes:
    return request_bytes("/v1/GetProfile", json.dumps({"user_id": user}).encode())


def answer_of(wire: Wire) -> Answer:
    answer = wire.read()
    assert answer is not None, "closed without an answer"
    return answer


@pytest.mark.parametrize(
    "beginning",
    [b"", b"P", b"POST /v1/GetProfile HTTP/1.1\r\n", b"POST /v1/GetProfile HTTP/1.1\r\nHost: x\r\nA: b"],
    ids=["nothing", "a letter", "a line", "half a header"],
)
def test_connection_without_a_whole_head_is_closed(impatient: GatewayProcess, beginning: bytes) -> None:
    started = time.monotonic()
    with Wire(impatient.port) as wire:
        wire.send(beginning)
        answer = wire.read()
    assert answer is None or answer.status == 408
    assert HEADER_TIMEOUT_S / 2 < time.monotonic() - started < HEADER_TIMEOUT_S + LATE_S


def test_head_that_drips_is_closed_at_its_deadline(impatient: GatewayProcess) -> None:
    """A byte now and then does not buy more time (slowloris)."""
    started = time.monotonic()
    with socket.create_connection((LOOPBACK, impatient.port)) as connection:
        connection.settimeout(0.1)
        connection.sendall(b"POST /v1/GetProfile HTTP/1.1\r\nHost: x\r\nX: ")

        def closed() -> bool:
            with contextlib.suppress(TimeoutError):
                return connection.recv(1) == b""
            connection.sendall(b"a")
            return False

        def gone() -> bool:
            try:
                return closed()
            except (BrokenPipeError, ConnectionResetError):
                return True

        wait_until(gone, "the dripping connection to be closed", within_s=HEADER_TIMEOUT_S)
    assert time.monotonic() - started > HEADER_TIMEOUT_S / 2


def test_second_head_on_a_connection_has_its_deadline_too(impatient: GatewayProcess) -> None:
    with Wire(impatient.port) as wire:
        wire.send(profile_request())
        assert answer_of(wire).status == 200
        started = time.monotonic()
        wire.send(b"POST /v1/Get")
        assert wire.closed()
    assert time.monotonic() - started < HEADER_TIMEOUT_S + LATE_S


def test_idle_connection_is_closed_after_its_keep_alive(impatient: GatewayProcess) -> None:
    with Wire(impatient.port) as wire:
        wire.send(profile_request())
        assert answer_of(wire).status == 200
        started = time.monotonic()
        assert wire.closed()
    assert time.monotonic() - started < 1 + LATE_S


@pytest.mark.parametrize("sent", [0, 10], ids=["nothing", "half"])
def test_slow_body_is_answered_408_and_closed(impatient: GatewayProcess, sent: int) -> None:
    request = profile_request()
    started = time.monotonic()
    with Wire(impatient.port) as wire:
        wire.send(request[: len(request) - len(PROFILE) + sent])
        answer = answer_of(wire)
    assert (answer.status, answer.json()["code"]) == (408, "request_timeout")
    assert answer.headers["connection"] == "close"
    assert BODY_TIMEOUT_S / 2 < time.monotonic() - started < BODY_TIMEOUT_S + LATE_S


def test_body_that_drips_is_answered_408_at_its_deadline(impatient: GatewayProcess) -> None:
    head = request_bytes("/v1/GetProfile", b"", {"Content-Length": "100000"})
    started = time.monotonic()
    with socket.create_connection((LOOPBACK, impatient.port)) as connection:
        connection.settimeout(0.1)
        connection.sendall(head)

        def first_bytes() -> bytes:
            with contextlib.suppress(TimeoutError):
                return connection.recv(100)
            connection.sendall(b" ")
            return b""

        start = wait_until(first_bytes, "408", within_s=BODY_TIMEOUT_S)
    assert start.startswith(b"HTTP/1.1 408 ")
    assert time.monotonic() - started > BODY_TIMEOUT_S / 2


def test_others_are_served_while_bodies_are_slow(open_gateway: GatewayProcess) -> None:
    request = profile_request()
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(Wire(open_gateway.port)) for _ in range(200)]
        for wire in slow:
            wire.send(request[:-5])
        assert open_gateway.post("GetProfile", {"user_id": "u"}).status == 200
        for wire in slow:  # they were waiting all the while
            wire.send(request[-5:])
            assert answer_of(wire).status == 200


def test_client_that_leaves_in_mid_body_is_no_error_of_ours(open_gateway: GatewayProcess) -> None:
    logged, failed = open_gateway.log_size(), _answered_500(open_gateway)
    request = profile_request()
    for _ in range(20):
        with Wire(open_gateway.port) as wire:
            wire.send(request[:-5])
    wait_until(lambda: _in_flight(open_gateway) == 0, "the requests that were left to end")
    assert "Traceback" not in open_gateway.log_text(logged)
    assert _answered_500(open_gateway) == failed


def _in_flight(gateway: GatewayProcess) -> int:
    return _figure(gateway, "anamnesis_requests_in_flight ")


def _answered_500(gateway: GatewayProcess) -> int:
    return _figure(gateway, 'anamnesis_requests_total{operation="GetProfile",status="500"} ')


def _figure(gateway: GatewayProcess, start: str) -> int:
    lines = gateway.get("/metrics").body.decode().splitlines()
    return next((int(float(line.removeprefix(start))) for line in lines if line.startswith(start)), 0)


def test_pipelined_requests_are_answered_in_order(open_gateway: GatewayProcess) -> None:
    users = [f"pipelined-{i}" for i in range(200)]
    with Wire(open_gateway.port) as wire:
        wire.send(b"".join(map(profile_request, users)))
        assert [answer_of(wire).json()["user_id"] for _ in users] == users


def test_pipelined_request_after_a_broken_one_is_not_answered(open_gateway: GatewayProcess) -> None:
    with Wire(open_gateway.port) as wire:
        wire.send(profile_request() + b"BROKEN\r\n\r\n" + profile_request())
        statuses = [answer_of(wire).status]
        if statuses == [200]:
            statuses.append(answer_of(wire).status)
        assert wire.closed()
    assert statuses in ([200, 400], [400])  # what came in one piece may be refused in one


def test_refused_body_does_not_become_the_next_request(open_gateway: GatewayProcess) -> None:
    """What is not read of a refused body must not be taken for a request (smuggling)."""
    smuggled = request_bytes("/v1/UpsertFacts", b'{"user_id": "smuggled", "facts": {"allergies": ["x"]}}')
    for path, headers in (("/nowhere", {}), ("/v1/WriteTurn", {"Content-Type": "text/plain"}), ("/live", {})):
        with Wire(open_gateway.port) as wire:
            wire.send(request_bytes(path, smuggled, headers) + profile_request("after"))
            assert answer_of(wire).status in {404, 405, 415}
            following = wire.read()
        assert following is None or following.json()["user_id"] == "after"
    assert open_gateway.post("GetProfile", {"user_id": "smuggled"}).json()["version"] == 0


def _raise_descriptors(wanted: int) -> int:
    """Let this process open as many files as it may; returns how many connections are possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted + SPARE_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, wanted + SPARE_DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), hard))
    possible = min(wanted, max(soft, limit) - SPARE_DESCRIPTORS)
    if possible < wanted:
        print(f"only {possible} of {wanted} idle connections: the hard limit of open files is {hard}")
    return possible


@contextlib.contextmanager
def _idle(port: int, count: int) -> Iterator[list[socket.socket]]:
    """`count` connections that say nothing."""
    connections: list[socket.socket] = []
    try:
        connections.extend(socket.create_connection((LOOPBACK, port), timeout=10) for _ in range(count))
        yield connections
    finally:
        for connection in connections:
            connection.close()


def _open(connections: list[socket.socket]) -> int:
    """How many of them the other side has not closed."""
    closed = 0
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ)
        closed = len(selector.select(0))
    return len(connections) - closed


def test_others_are_served_beside_ten_thousand_idle_connections(start: Start) -> None:
    count = _raise_descriptors(IDLE_CONNECTIONS)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    gateway = start(environment={"ANAMNESIS_SERVER__HEADER_TIMEOUT_S": "120"}, descriptors=limits)
    with _idle(gateway.port, count) as connections:
        wait_until(lambda: _figure(gateway, "anamnesis_connections ") > count, "all of them to be accepted")
        beside = _cost_of_writes_s(gateway, "beside")
        assert _open(connections) == count
    wait_until(lambda: _figure(gateway, "anamnesis_connections ") < 100, "all of them to be gone")
    alone = _cost_of_writes_s(gateway, "alone")
    print(f"100 writes cost {alone:.2f} s of CPU alone, {beside:.2f} s beside {count} idle connections")
    assert beside < 4 * alone


def _cost_of_writes_s(gateway: GatewayProcess, conversation: str) -> float:
    """CPU time of the gateway's processes for 100 turns, the least of five."""
    costs = []
    for _ in range(5):
        began = _cpu_s(gateway)
        for i in range(100):
            body = {"conversation_id": f"{conversation}-{i}", "user_query": "q", "agent_response": "a"}
            assert gateway.post("WriteTurn", body).status == 200
        costs.append(_cpu_s(gateway) - began)
    return min(costs)


def _cpu_s(gateway: GatewayProcess) -> float:
    """What its processes have cost."""
    ticks = 0
    for pid in (gateway.process.pid, *children(gateway.process.pid)):
        user, system = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


def test_gateway_raises_its_own_limit_of_open_files(start: Start) -> None:
    """The usual soft limit of 1,024 is a relic of select(); the hard one is what the machine allows."""
    _raise_descriptors(1500)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    gateway = start(environment={"ANAMNESIS_SERVER__HEADER_TIMEOUT_S": "120"}, descriptors=(256, hard))
    with _idle(gateway.port, 1000):
        wait_until(lambda: _figure(gateway, "anamnesis_connections ") > 1000, "all of them to be accepted")
        assert gateway.post("GetProfile", {"user_id": "u"}).status == 200


def test_connections_above_the_maximum_are_closed_and_those_below_are_served(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_SERVER__CONNECTIONS_MAX": "20"})
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(Wire(gateway.port)) for _ in range(20)]
        for wire in wires:
            wire.send(profile_request())
            assert answer_of(wire).status == 200
        with Wire(gateway.port) as one_more:
            assert one_more.closed()
        for wire in wires:
            wire.send(profile_request())
            assert answer_of(wire).status == 200
    wait_until(gateway.healthy, "room for others again")


def test_requests_above_the_maximum_in_flight_are_answered_503(start: Start) -> None:
    """Those that wait for a finalisation which nobody does are in flight as long as they wait."""
    limits = {"ANAMNESIS_SERVER__IN_FLIGHT_MAX": "5", "ANAMNESIS_FINALIZATION__ENABLED": "false"}
    gateway = start(environment=limits)
    with contextlib.ExitStack() as stack:
        for number in range(5):
            turn = {"conversation_id": f"waits-{number}", "user_query": "q", "agent_response": "a"}
            assert gateway.post("WriteTurn", turn).status == 200
            body = json.dumps({"conversation_id": f"waits-{number}", "wait_ms": 20_000}).encode()
            stack.enter_context(Wire(gateway.port)).send(request_bytes("/v1/FinalizeSessionMemory", body))
        wait_until(lambda: _in_flight(gateway) == 5, "five requests in flight")
        answer = gateway.post("GetProfile", {"user_id": "u"})
        assert (answer.status, answer.json()["code"]) == (503, "overloaded")
        assert int(answer.headers["retry-after"]) >= 1
        assert gateway.get("/live").status == 200


def test_bodies_that_do_not_come_take_no_place_of_those_in_flight(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_SERVER__IN_FLIGHT_MAX": "5"})
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(Wire(gateway.port)).send(profile_request()[:-5])
        wait_until(lambda: _figure(gateway, "anamnesis_connections ") > 50, "all of them to be there")
        assert _in_flight(gateway) == 0
        assert [gateway.post("GetProfile", {"user_id": f"u{n}"}).status for n in range(20)] == [200] * 20


async def _write_until_refused(client: AsyncClient, writer: int, outcomes: Counter[str]) -> int:
    """Write turn after turn; returns how many were acknowledged when the gateway ended."""
    acknowledged = 0
    while True:
        body = {"conversation_id": f"term-{writer}", "user_query": f"q{acknowledged}", "agent_response": "a"}
        try:
            await client.post("/v1/WriteTurn", body)
        except ProblemError as problem:
            outcomes[str(problem.status)] += 1
            return acknowledged
        except aiohttp.ClientError as error:
            outcomes[type(error).__name__] += 1
            return acknowledged
        acknowledged += 1


async def test_sigterm_under_load_ends_in_time_and_loses_nothing(tmp_path: Path) -> None:
    gateway = start_gateway(tmp_path, environment={"ANAMNESIS_SESSION__TURNS_MAX": "100000"})
    outcomes: Counter[str] = Counter()
    try:
        async with AsyncClient(gateway.url) as client:
            writers = [asyncio.create_task(_write_until_refused(client, i, outcomes)) for i in range(16)]
            written = 'anamnesis_requests_total{operation="WriteTurn",status="200"} '
            await asyncio.to_thread(wait_until, lambda: _figure(gateway, written) > 300)
            started = time.monotonic()
            gateway.terminate()
            code = await asyncio.to_thread(gateway.process.wait, 30)
            took_s = time.monotonic() - started
            acknowledged = await asyncio.gather(*writers)
        print(f"ended in {took_s:.2f} s; last words {dict(outcomes)}; {sum(acknowledged)} turns acknowledged")
        assert code == 0
        assert took_s < ENDED_WITHIN_S + LATE_S
        assert not set(outcomes) - {"503", "ServerDisconnectedError", "ClientOSError", "ClientConnectorError"}
        assert "Traceback" not in gateway.log_text()
        again = start_gateway(tmp_path)
        try:
            for writer, count in enumerate(acknowledged):
                body = {"conversation_id": f"term-{writer}"}
                assert again.post("QueryMemoryContext", body).json()["turn_count"] in {count, count + 1}
        finally:
            again.kill()
    finally:
        gateway.kill()


def test_sigterm_with_bodies_under_way_ends_in_time(start: Start) -> None:
    """One client sends the rest after the signal, one never does; those that ask for nothing are closed at once."""
    gateway = start()
    request = profile_request()
    with Wire(gateway.port) as slow, Wire(gateway.port) as stuck, Wire(gateway.port) as idle:
        slow.send(request[:-5])
        stuck.send(request[:-5])
        wait_until(lambda: _figure(gateway, "anamnesis_connections ") > 3, "the three to be there")
        started = time.monotonic()
        gateway.terminate()
        assert idle.closed()
        assert time.monotonic() - started < LATE_S
        slow.send(request[-5:])
        answer = slow.read()
        assert answer is None or answer.status in {200, 503}
        assert gateway.process.wait(30) == 0
    assert time.monotonic() - started < ENDED_WITHIN_S + LATE_S


def test_new_connections_after_sigterm_are_refused(start: Start) -> None:
    gateway = start()
    gateway.terminate()
    wait_until(lambda: not gateway.healthy(), "the gateway to stop listening")
    assert gateway.process.wait(ENDED_WITHIN_S + LATE_S) == 0
