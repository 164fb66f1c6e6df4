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
from pathlib import Path
from typing import Any

import redis
import uvloop
from crash_lives import ENDS, LIVES, Answer, Client, drawn
from crash_taps import KillPoint, Refusals, Tap, tap
from oracle import in_weaviate, units_in_weaviate, unsettled, unsettled_in_weaviate
from processes import PREFIX, contents, finalizations, lists, passages, quiet, stored_ids, units

from gateway.config.sources import load
from gateway.process.death_signal import die_with_parent
from gateway.wiring import composition as wiring
from memory.language.tagger import default_tagger
from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from memory.stores.redis import memories as redis_memories
from memory.stores.redis.keys import WORKERS
from tests.ports import free_port
from tests.waiting import PATIENCE_S, POLL_S, wait_until
from tests.weaviate_server import WeaviateServer

IDLE_TTL_S = 0.4
PLAYERS = 5
ASKED_AGAIN_MAX = 100
LEASE_MS = 600
"""Of a lock whose holder was killed."""


class Child:
    """A forked gateway."""

    def __init__(self, scenario: dict[str, Any], point: Tap | None, *, serve: bool = True, work: bool = True) -> None:
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
            run_child(environment, point, Path(scenario["data"]) / "child.log", {"serve": serve, "work": work})
        self.status: int | None = None

    def ended(self) -> bool:
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is not None

    def post(self, operation: str, body: dict[str, Any]) -> tuple[int, int, dict[str, Any]]:
        """Status, seconds until it is to be asked again, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=45)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/v1/{operation}", json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            return answer.status, int(answer.headers.get("Retry-After", "0")), json.loads(answer.read())
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

        wait_until(listening, "the forked gateway listens")

    def stop(self) -> None:
        if not self.ended():
            os.kill(self.pid, signal.SIGTERM)
            wait_until(self.ended, "the forked gateway ends")


def run_child(environment: dict[str, str], point: Tap | None, log: Path, parts: dict[str, bool]) -> None:
    """Be a gateway until SIGTERM or the kill point; never returns."""
    redis_memories._LEASE_MS = LEASE_MS
    try:
        die_with_parent(signal.SIGKILL)
        with log.open("ab") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        if point is not None:
            tap(point)
        uvloop.run(serve(environment, point, parts))
    except BaseException:  # noqa: BLE001 - the end of a forked process
        traceback.print_exc()
    finally:
        os._exit(0)


async def serve(environment: dict[str, str], point: Tap | None, parts: dict[str, bool]) -> None:
    running = wiring.Gateway(load(None, environment, {}))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await running.start(**parts)
    if isinstance(point, Refusals):
        point.on = True
    await stop.wait()
    await running.stop()


class Play:
    """One scenario: the client, and the log of what it was told."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self._scenario = scenario
        Path(scenario["data"]).mkdir(parents=True)
        at = scenario.get("at")
        seen = Path(scenario["data"]) / "seen.txt"
        self._apart = scenario.get("apart", False)
        self._worker = Child(scenario, None, serve=False) if self._apart else None
        share, seed = scenario.get("refused", (0.0, 0))
        point = Refusals(share, seed, seen) if share else KillPoint(*(at or ("", 0, "")), seen=seen)
        self._child = Child(scenario, point, work=not self._apart)
        self.acknowledged: list[str] = []
        self.struck = False
        self.half_visible: list[str] = []
        self.explained: list[str] = []
        self.unsettled: list[str] = []
        self.refused = 0

    def run(self, client: Any) -> dict[str, Any]:
        said: dict[int, str] = {}

        def ask(operation: str, body: Answer) -> Answer:
            answer = self._until_answered(client, operation, body)
            if operation == "WriteTurn":
                self.acknowledged.append(body["idempotency_key"])
                said[answer["seq"]] = body["agent_response"]
            return answer

        mine = Client(ask, self._scenario["user"], self._scenario["conversation"])
        try:
            self._child.wait_listening()
            if self._apart:
                wait_until(lambda: client.exists(WORKERS), "the worker works")
            LIVES[self._scenario["life"]](mine)
            deadline = time.monotonic() + 30
            while not self._all_done(client):
                self._mend(client)
                if time.monotonic() > deadline:
                    break
                time.sleep(POLL_S)
            waiting = self._until_answered(client, "ListFinalizations", {})["finalizations"]
            self.explained = [self._explained(client, seq) == text for seq, text in said.items()]
            found = self._looked_at(client, mine)
        finally:
            self._child.stop()
            if self._worker is not None:
                self._worker.stop()
        return {
            "acknowledged": self.acknowledged,
            "struck": self.struck,
            "half_visible": self.half_visible,
            "explained": self.explained,
            "waiting": waiting,
            "kept": found,
            "unsettled": self.unsettled,
            "refused": self.refused,
            "quiet": quiet(client) and self._all_done(client),
        }

    def _explained(self, client: Any, seq: int) -> str:
        """The message at this place, as the record of the conversation has it."""
        asked = {"user_id": self._scenario["user"], "conversation_id": self._scenario["conversation"], "seq": seq}
        return str(self._until_answered(client, "ExplainMemory", asked)["messages"][0]["content"])

    def _looked_at(self, client: Any, mine: Client) -> dict[str, list[str]]:
        """What is told of this life at its end."""
        look = ENDS.get(self._scenario["life"])
        if look is drawn:
            self._wait_settled(client)
        return look(mine) if look else {}

    def _wait_settled(self, client: Any) -> None:
        """Until nothing is staged or open in the store itself; nobody asks for it."""
        deadline = time.monotonic() + PATIENCE_S
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
                status, wait_s, answer = self._child.post(operation, body)
            except (OSError, http.client.HTTPException):
                wait_until(self._child.ended, "the gateway that gave no answer is dead")
                self._mend(client)
                continue
            told_again = ENDS.get(self._scenario["life"]) is drawn  # a lock of LEASE_MS lapses on a busy machine
            if status == http.client.SERVICE_UNAVAILABLE and told_again and self.refused < ASKED_AGAIN_MAX:
                self.refused += 1
                time.sleep(wait_s)
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
        self._child = Child(self._scenario, None, work=not self._apart)
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
