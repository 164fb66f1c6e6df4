"""What an operator sees: a worker that died, a model that refuses the key, lines of the log, figures of a worker."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway.observe.subjects import digest
from tests.gateways import GatewayProcess, run_command, spawn
from tests.http.conftest import Start
from tests.openai_server import Behaviour, ScriptedServer, status
from tests.servers import redis_binary, running
from tests.waiting import wait_until

QUICK = {"ANAMNESIS_EMBEDDINGS__PROVIDER": "none"}
TURN = {"conversation_id": "c1", "user_id": "u1", "user_query": "My knee hurts.", "agent_response": "Since when?"}


@pytest.fixture
def redis_url() -> Iterator[str]:
    with running(redis_binary()) as url:
        yield url


def component(gateway: GatewayProcess, name: str) -> Any:
    return gateway.get("/health").json()["components"][name]


def figures(gateway: GatewayProcess) -> dict[str, str]:
    lines = gateway.get("/metrics").body.decode().splitlines()
    return {name: value for name, _, value in (line.partition(" ") for line in lines if not line.startswith("#"))}


@pytest.mark.long
@pytest.mark.integration
def test_worker_of_another_process_is_seen_to_live_and_to_die(start: Start, redis_url: str, tmp_path: Path) -> None:
    environment = QUICK | {"REDIS_URL": redis_url}
    gateway = start("own", "--no-worker", environment=environment)
    reason = wait_until(lambda: component(gateway, "worker").get("reason"), "that nobody works")
    assert "no worker was heard of within an hour" in reason
    assert "start `anamnesis worker`" in reason
    assert figures(gateway)["anamnesis_worker_heartbeat_age_seconds"] == "+Inf"
    log = tmp_path / "worker.log"
    data = str(tmp_path / "own" / "data")
    worker = spawn(["worker", "--data-dir", data, "--metrics-port", "0"], log, environment)
    try:
        wait_until(lambda: component(gateway, "worker")["status"] == "ok", "a heartbeat")
        age = "anamnesis_worker_heartbeat_age_seconds"  # as before where Redis did not answer in time
        wait_until(lambda: float(figures(gateway)[age]) < 12, "its age among the metrics")
        assert figures(gateway)["anamnesis_workers"] == "1.0"
        doctor = run_command("doctor", "--data-dir", data, environment=environment)
        assert "ok    worker     1 alive" in doctor.stdout, doctor.stdout
        pages = GatewayProcess(worker, tmp_path, log)
        pages.port = int(log.read_text(encoding="utf-8").rpartition("listening on port ")[2].split()[0])
        assert pages.get("/live").status == 200
        assert figures(pages)["anamnesis_workers"] == "1.0"
        assert pages.get("/health").json()["components"]["worker"]["status"] == "ok"
        assert pages.post("WriteTurn", TURN).status == 404
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        wait_until(lambda: component(gateway, "worker")["status"] == "degraded", "its death")
    finally:
        worker.kill()
        worker.wait()
    dead = component(gateway, "worker")
    assert "was last heard of" in dead["reason"]
    assert float(figures(gateway)["anamnesis_worker_heartbeat_age_seconds"]) > 12
    doctor = run_command("doctor", "--data-dir", data, environment=environment)
    assert "FAIL  worker" in doctor.stdout
    assert doctor.returncode == 1


def test_gateway_with_its_own_worker_hears_it(start: Start) -> None:
    gateway = start(environment=QUICK)
    wait_until(lambda: component(gateway, "worker").get("workers"))
    assert component(gateway, "worker")["status"] == "ok"
    doctor = run_command("doctor", "--data-dir", str(gateway.folder / "data"), environment=QUICK)
    assert "ok    worker     1 alive" in doctor.stdout, doctor.stdout


@contextmanager
def scripted(behaviour: Behaviour | None) -> Iterator[str]:
    """An OpenAI-compatible server on a thread of its own, which always behaves so (None: rightly); yields its URL."""
    loop, ready, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    found: list[str] = []

    async def serve() -> None:
        async with ScriptedServer() as server:
            server.script = [behaviour] * 1000 if behaviour else []
            found.append(server.url)
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait(10)
    yield found[0]
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


def test_model_that_refuses_the_key_is_told_as_that_everywhere(start: Start) -> None:
    with scripted(status(401)) as url:
        environment = {
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": "sk-wrong",
            "ANAMNESIS_MIND__PROVIDER": "openai",
            "ANAMNESIS_MIND__MODEL": "some-model",
            "ANAMNESIS_EMBEDDINGS__PROVIDER": "openai",
            "ANAMNESIS_EMBEDDINGS__MODEL": "some-embedder",
            "ANAMNESIS_EMBEDDINGS__DIMENSIONS": "8",
        }
        gateway = start(environment=environment)
        wait_until(lambda: component(gateway, "worker").get("workers"))
        assert component(gateway, "mind")["model"].startswith("openai/some-model")
        assert gateway.post("WriteTurn", TURN).status == 200
        assert gateway.post("FinalizeSessionMemory", {"conversation_id": "c1"}).status == 200
        wait_until(lambda: component(gateway, "mind")["status"] == "degraded")
        mind = component(gateway, "mind")
        assert mind["code"] == "model_refused"
        assert "check openai.api_key (OPENAI_API_KEY)" in mind["reason"]
        gateway.post("SearchMemories", {"user_id": "u1", "query": "knee"})
        wait_until(lambda: component(gateway, "embedder")["status"] == "degraded")
        assert gateway.get("/health").status == 200
        doctor = run_command("doctor", "--data-dir", str(gateway.folder / "data"), environment=environment)
        assert doctor.stdout.count("check openai.api_key (OPENAI_API_KEY)") == 2, doctor.stdout
        assert "sk-wrong" not in doctor.stdout + gateway.log_text()


def test_budget_below_one_request_is_told_at_start_and_by_doctor(start: Start) -> None:
    with scripted(None) as url:
        environment = QUICK | {
            "OPENAI_BASE_URL": url,
            "ANAMNESIS_MIND__PROVIDER": "openai",
            "ANAMNESIS_MIND__MODEL": "some-model",
            "ANAMNESIS_BUDGET__TOKENS_PER_DAY": "5000",
        }
        gateway = start(environment=environment)
        said = "budget.tokens_per_day is 5000, and one request may take"
        assert said in gateway.log_text()
        doctor = run_command("doctor", "--data-dir", str(gateway.folder / "data"), environment=environment)
        assert said in doctor.stdout
        assert doctor.returncode == 1
        assert gateway.post("GetStats", {}).json()["models"] == {"tokens": 0, "tokens_max": 5000, "money": 0.0}


def test_log_tells_an_outage_of_redis_in_one_line_each(start: Start) -> None:
    gateway = start(environment=QUICK | {"ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.2"})
    wait_until(lambda: component(gateway, "worker").get("workers"))
    pid = _valkey_of(gateway)
    from_here = gateway.log_size()
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: '"anamnesis.redis"' in gateway.log_text(from_here))
        wait_until(lambda: "sweeping fails" in gateway.log_text(from_here))
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_until(lambda: "sweeping works again" in gateway.log_text(from_here))
    text = gateway.log_text(from_here)
    assert "Traceback" not in text
    assert text.count("sweeping fails") == text.count("sweeping works again") == 1
    processes = 2 + len(os.sched_getaffinity(0))
    assert len(text.splitlines()) <= 5 * processes, text


def _valkey_of(gateway: GatewayProcess) -> int:
    own = Path(f"/proc/{gateway.process.pid}/task/{gateway.process.pid}/children").read_text(encoding="ascii")
    named = {int(pid): Path(f"/proc/{pid}/comm").read_text(encoding="ascii") for pid in own.split()}
    return next(pid for pid, name in named.items() if "valkey" in name or "redis" in name)


def test_log_lines_about_a_conversation_name_it_by_digest(start: Start) -> None:
    environment = QUICK | {"ANAMNESIS_LOG__ACCESS": "true"}
    gateway = start(environment=environment)
    assert gateway.post("WriteTurn", TURN | {"conversation_id": "patient-zhang-1"}).status == 200
    wait_until(lambda: digest("patient-zhang-1") in gateway.log_text())
    line = next(json.loads(line) for line in gateway.log_text().splitlines() if digest("patient-zhang-1") in line)
    assert line["tenant"] == digest("default")
    assert line["operation"] == "WriteTurn"
    assert "patient-zhang" not in gateway.log_text()
