"""Several processes behind one port: one gateway to whoever calls it, and to whoever stops or kills it."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.deadlines import LATE_S
from tests.gateways import GatewayProcess, Wire, children, request_bytes, run_command, start_gateway
from tests.http.conftest import Start
from tests.waiting import wait_until

PROCESSES = 3
"""Those that answer requests."""
PARTS = PROCESSES + 1
SEVERAL = {"ANAMNESIS_SERVER__PROCESSES": str(PROCESSES), "ANAMNESIS_EMBEDDINGS__PROVIDER": "none"}
CALLS = 60


def is_valkey(pid: int) -> bool:
    try:
        return "valkey" in Path(f"/proc/{pid}/comm").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
        return False


def listens(pid: int) -> bool:
    """Whether it answers requests: it has a listening socket of its own."""
    listening = {
        line.split()[9] for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines() if " 0A " in line
    }
    links = (os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir())  # noqa: PTH115 - sockets are no paths
    return any(link.removeprefix("socket:[").removesuffix("]") in listening for link in links)


def parts(gateway: GatewayProcess) -> list[int]:
    """Its processes but the Valkey: those that answer requests, and the worker."""
    return sorted(child for child in children(gateway.process.pid) if not is_valkey(child))


def worker(gateway: GatewayProcess) -> int:
    """The one that answers nobody."""
    (pid,) = (part for part in parts(gateway) if not listens(part))
    return pid


def family(gateway: GatewayProcess) -> list[int]:
    """Its processes and its Valkey."""
    return children(gateway.process.pid)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def write(gateway: GatewayProcess, number: int) -> int:
    body = {"conversation_id": "several", "user_id": "u", "user_query": f"q{number}", "agent_response": "a"}
    return gateway.post("WriteTurn", body).status


def turns(gateway: GatewayProcess) -> int:
    answer = gateway.post("QueryMemoryContext", {"conversation_id": "several", "query": ""})
    return int(answer.json()["turn_count"])


def figure(gateway: GatewayProcess, name: str) -> float:
    lines = gateway.get("/metrics").body.decode().splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(name)), 0.0)


def state_of_worker(gateway: GatewayProcess) -> str:
    return str(gateway.get("/health").json()["components"]["worker"]["state"])


def files_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - the files come and go


def test_processes_are_one_gateway_to_their_callers(start: Start) -> None:
    gateway = start(environment=SEVERAL)
    assert len(parts(gateway)) == PARTS
    wait_until(lambda: state_of_worker(gateway) == "working")
    assert [write(gateway, i) for i in range(CALLS)] == [200] * CALLS
    assert turns(gateway) == CALLS
    for _ in range(10):
        assert figure(gateway, 'anamnesis_requests_total{operation="WriteTurn",status="200"}') == CALLS
        assert state_of_worker(gateway) == "working"


def test_connections_are_spread_over_the_processes(start: Start) -> None:
    gateway = start(environment=SEVERAL)
    before = {pid: files_of(pid) for pid in parts(gateway) if listens(pid)}
    assert len(before) == PROCESSES
    wires = [Wire(gateway.port) for _ in range(CALLS)]
    wait_until(lambda: figure(gateway, "anamnesis_connections") >= CALLS)
    assert all(files_of(pid) > count for pid, count in before.items())
    for wire in wires:
        wire.__exit__()


def test_limits_are_of_the_gateway_and_not_of_each_process(start: Start) -> None:
    gateway = start(environment=SEVERAL | {"ANAMNESIS_SERVER__CONNECTIONS_MAX": "12"})
    wires = [Wire(gateway.port) for _ in range(12)]
    for wire in wires:
        wire.send(request_bytes("/live", headers={"Content-Type": "", "Content-Length": ""}, method="GET"))
        assert wire.read() is not None
    with Wire(gateway.port) as one_more:
        assert one_more.closed()
    for wire in wires:
        wire.__exit__()


@pytest.mark.parametrize("which", range(PARTS))
def test_process_that_is_killed_comes_back_and_nothing_acknowledged_is_lost(start: Start, which: int) -> None:
    gateway = start(environment=SEVERAL)
    assert [write(gateway, i) for i in range(10)] == [200] * 10
    victim = parts(gateway)[which]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: len(parts(gateway)) == PARTS and victim not in parts(gateway), "another process")
    wait_until(lambda: all(gateway.healthy() for _ in range(20)), "all processes to be healthy")
    assert turns(gateway) == 10
    assert write(gateway, 10) == 200
    wait_until(lambda: state_of_worker(gateway) == "working", "a worker that works")
    assert figure(gateway, 'anamnesis_requests_total{operation="WriteTurn",status="200"}') >= 11
    assert figure(gateway, "anamnesis_connections") < 5


def test_sigterm_ends_every_process_and_its_valkey(start: Start) -> None:
    gateway = start(environment=SEVERAL)
    assert write(gateway, 0) == 200
    everyone = family(gateway)
    assert len(everyone) == PARTS + 1
    assert gateway.stop() == 0
    assert not any(map(alive, everyone))
    assert "Traceback" not in gateway.log_text()


def test_process_that_does_not_end_is_killed_in_time(start: Start) -> None:
    gateway = start(environment=SEVERAL)
    everyone = family(gateway)
    os.kill(parts(gateway)[1], signal.SIGSTOP)
    began = time.monotonic()
    gateway.terminate()
    assert gateway.process.wait(30) == 0
    assert time.monotonic() - began < 10 + LATE_S
    wait_until(lambda: not any(map(alive, everyone)), "every process to end")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_to_the_whole_group_ends_in_order(start: Start, number: signal.Signals) -> None:
    """Ctrl-C in a terminal reaches every process of the group at once."""
    gateway = start(environment=SEVERAL)
    everyone = family(gateway)
    os.killpg(gateway.process.pid, number)
    assert gateway.process.wait(10 + LATE_S) == 0
    wait_until(lambda: not any(map(alive, everyone)), "every process to end")
    assert "Traceback" not in gateway.log_text()


def test_kill_of_the_one_that_was_started_ends_all_and_another_can_start_on_its_port(tmp_path: Path) -> None:
    gateway = start_gateway(tmp_path, environment=SEVERAL)
    assert write(gateway, 0) == 200
    everyone = family(gateway)
    gateway.kill()
    again = start_gateway(tmp_path, "--port", str(gateway.port), environment=SEVERAL)
    try:
        wait_until(lambda: not any(map(alive, everyone)), "the old processes to end")
        assert again.port == gateway.port
        assert turns(again) == 1
    finally:
        again.kill()


def test_port_of_another_gateway_is_refused_though_it_could_be_shared(start: Start, tmp_path: Path) -> None:
    gateway = start(environment=SEVERAL)
    arguments = ("serve", "--port", str(gateway.port), "--data-dir", str(tmp_path / "second"))
    refused = run_command(*arguments, environment=SEVERAL)
    assert refused.returncode == 2
    assert "address already in use" in refused.stderr
    assert gateway.healthy()


def test_setup_that_cannot_work_ends_all_processes_with_its_reason(start: Start) -> None:
    gateway = start(environment=SEVERAL)
    data = str(gateway.folder / "data")
    refused = run_command("serve", "--port", "0", "--data-dir", data, environment=SEVERAL)
    assert refused.returncode == 2
    assert refused.stderr.count("is in use by another gateway") == 1
    assert gateway.healthy()


def test_one_process_that_answers_has_a_worker_and_a_valkey_beside_it(start: Start) -> None:
    gateway = start(environment=SEVERAL | {"ANAMNESIS_SERVER__PROCESSES": "1"})
    assert [is_valkey(pid) for pid in children(gateway.process.pid)].count(True) == 1
    assert [listens(pid) for pid in parts(gateway)].count(True) == 1
    assert worker(gateway) in parts(gateway)
    assert gateway.healthy()


def test_finalization_that_is_switched_off_has_no_worker(start: Start) -> None:
    off = SEVERAL | {"ANAMNESIS_SERVER__PROCESSES": "1", "ANAMNESIS_FINALIZATION__ENABLED": "false"}
    gateway = start(environment=off)
    assert [listens(pid) for pid in parts(gateway)] == [True]
    assert state_of_worker(gateway) == "elsewhere"


def test_session_is_finalised_while_no_process_that_answers_runs_a_job(start: Start) -> None:
    """The jobs are the worker's: while it stands still, none is done, and requests are answered."""
    gateway = start(environment=SEVERAL)
    wait_until(lambda: state_of_worker(gateway) == "working")
    assert write(gateway, 0) == 200
    paused = worker(gateway)
    os.kill(paused, signal.SIGSTOP)
    try:
        ending = {"conversation_id": "several", "wait_ms": 500}
        assert gateway.post("FinalizeSessionMemory", ending).json()["state"] == "ENDING"
    finally:
        os.kill(paused, signal.SIGCONT)
    wait_until(lambda: gateway.post("GetFinalization", {"conversation_id": "several"}).json()["state"] == "ENDED")


def test_valkey_that_is_killed_comes_back_whoever_serves(start: Start) -> None:
    gateway = start(environment=SEVERAL | {"ANAMNESIS_SESSION__DURABILITY": "always"})
    assert [write(gateway, i) for i in range(10)] == [200] * 10
    (victim,) = (pid for pid in children(gateway.process.pid) if is_valkey(pid))
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: all(gateway.healthy() for _ in range(20)), "all processes to be healthy")
    assert turns(gateway) == 10


def test_valkey_that_cannot_start_ends_the_gateway_and_says_why_once(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "valkey" / "appendonlydir"
    folder.mkdir(parents=True)
    (folder / "appendonly.aof.manifest").write_text("no manifest", encoding="ascii")
    refused = run_command("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), environment=SEVERAL)
    assert refused.returncode == 2
    assert refused.stderr.count("the embedded Valkey did not start") == 1
