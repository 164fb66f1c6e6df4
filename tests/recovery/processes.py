"""Real servers and gateways as child processes, and raw readers of what they keep.

Everything started here ends with its test (the fixtures in conftest.py see to it). The readers go to the
keys and the file themselves: what the product says of itself proves nothing.
"""

import contextlib
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
import redis

from tests.deadlines import LATE_S
from tests.fork_server import Forked
from tests.gateways import spawn
from tests.ports import free_port
from tests.waiting import eventually, wait_until

ROOT: Final = Path(__file__).resolve().parents[2]
SCALE: Final = float(os.environ.get("TEST_SCALE", "1"))
PREFIX: Final = "short_term_memory"
HEAD: Final = ("rev", "seq", "turns", "tokens", "fresh")
TRANSIENT: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)


def scaled(number: int) -> int:
    return max(1, round(number * SCALE))


@dataclass
class RedisServer:
    """A redis-server (or a Valkey) on a loopback port, with a folder of its own."""

    folder: Path
    binary: str = "redis-server"
    options: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> "RedisServer":
        self.spawn()
        wait_until(self._answers, f"{self.binary} answers")
        return self

    def spawn(self) -> None:
        """Start it, and don't wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            "databases": "3000",
            "daemonize": "no",
            "logfile": str(self.folder / "server.log"),
            **self.options,
        }
        arguments = [part for key, value in settings.items() for part in (f"--{key}", value)]
        self.process = subprocess.Popen([self.binary, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"{self.binary} ended: {(self.folder / 'server.log').read_text()[-800:]}"
        with self.client() as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def client(self, database: int = 0) -> "redis.Redis":
        return redis.Redis(port=self.port, db=database, socket_timeout=20)

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Gateway:
    """`anamnesis serve` or `anamnesis worker` as a child process."""

    data: Path
    port: int
    environment: dict[str, str]
    log: Path
    command: str = "serve"
    arguments: tuple[str, ...] = ()
    process: Forked | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def spawn(self) -> "Gateway":
        """Start without waiting."""
        arguments = [self.command, "--data-dir", str(self.data), *self.arguments]
        if self.command == "serve":
            arguments += ["--port", str(self.port)]
        self.process = spawn(arguments, self.log, self.environment)
        return self

    def start(self) -> "Gateway":
        """Start, and return when `/health` answers 200."""
        self.spawn()
        self.wait_ready()
        return self

    def wait_ready(self) -> None:
        wait_until(lambda: self.alive() and self.get("/health")[0] == 200, "the gateway is ready")

    def alive(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the gateway ended: {self.text()[-1500:]}"
        return True

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def get(self, path: str, timeout_s: float = 10) -> tuple[int, str]:
        """(status, body); status 0 when nobody answers."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=timeout_s) as answer:
                return int(answer.status), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def post(self, operation: str, body: dict[str, Any], timeout_s: float = 30) -> tuple[int, dict[str, Any]]:
        """(status, body); raises OSError when nobody answers."""
        request = urllib.request.Request(
            f"{self.url}/v1/{operation}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as answer:
                return int(answer.status), json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def kill(self) -> None:
        """SIGKILL, as a machine does it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10 + LATE_S)
            except subprocess.TimeoutExpired:
                self.kill()


@dataclass
class Answer:
    """What one request got: `status` 0 when the connection broke (the outcome is unknown then)."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str]
    seconds: float


async def ask(
    session: aiohttp.ClientSession, url: str, operation: str, body: dict[str, Any], timeout_s: float = 20
) -> Answer:
    started = time.perf_counter()
    try:
        async with session.post(
            f"{url}/v1/{operation}", json=body, timeout=aiohttp.ClientTimeout(total=timeout_s)
        ) as answer:
            found = await answer.json(content_type=None)
            return Answer(answer.status, found, dict(answer.headers), time.perf_counter() - started)
    except TRANSIENT as error:
        return Answer(0, {"error": type(error).__name__}, {}, time.perf_counter() - started)


async def admitted(session: aiohttp.ClientSession, url: str, operation: str, body: dict[str, Any]) -> Answer:
    """The first answer that isn't 503, which promises that asking again is safe."""

    async def once() -> Answer | None:
        answer = await ask(session, url, operation, body)
        return answer if answer.status != 503 else None

    return await eventually(once, f"{operation} is admitted")


def client_session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0, force_close=False))


def turn(conversation: str, text: str, **more: Any) -> dict[str, Any]:
    """A WriteTurn whose two messages can be found again: `q:<text>` and `a:<text>`."""
    return {"conversation_id": conversation, "user_query": f"q:{text}", "agent_response": f"a:{text}", **more}


# --- raw readers ---------------------------------------------------------------------------------


def lists(client: "redis.Redis", *kinds: str) -> dict[str, list[dict[str, Any]]]:
    """Every list of these kinds (journal, archive, records, sealed), parsed, by key."""
    return {
        key.decode(): [json.loads(entry) for entry in client.lrange(key, 0, -1)]
        for kind in kinds
        for key in sorted(client.scan_iter(f"{PREFIX}:{kind}:*", count=1000))
    }


def journal(client: "redis.Redis", conversation: str, tenant: str = "default") -> list[dict[str, Any]]:
    """Every message of one conversation's living session as it lies there, archive first."""
    tag = f"{{{tenant}/{conversation}}}"
    entries = client.lrange(f"{PREFIX}:archive:{tag}", 0, -1) + client.lrange(f"{PREFIX}:journal:{tag}", 0, -1)
    return [json.loads(entry) for entry in entries]


def head(client: "redis.Redis", conversation: str, tenant: str = "default") -> dict[str, str]:
    """The counters of a living session, from its packed field."""
    packed = client.hget(f"{PREFIX}:session:{{{tenant}/{conversation}}}", "head") or b""
    return dict(zip(HEAD, packed.decode().split("|"), strict=False))


def finalizations(client: "redis.Redis") -> dict[str, dict[str, str]]:
    """Every finalisation's hash, by key."""
    return {
        key.decode(): {name.decode(): value.decode() for name, value in client.hgetall(key).items()}
        for key in client.scan_iter(f"{PREFIX}:finalization:*", count=1000)
    }


def rows(data: Path, query: str) -> list[dict[str, Any]]:
    """Rows of the long-term store's file, read beside the product."""
    with contextlib.closing(sqlite3.connect(data / "anamnesis.sqlite3", timeout=10)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(query)]


def units(data: Path) -> list[dict[str, Any]]:
    """Every MemUnit, with its messages parsed."""
    found = rows(data, "SELECT * FROM memunits ORDER BY conversation, session_number, seq_from")
    return [row | {"messages": json.loads(row["messages"])} for row in found]


def stored_contents(data: Path) -> dict[str, list[str]]:
    """What every conversation's MemUnits hold, one after the other."""
    found: dict[str, list[str]] = {}
    for unit in units(data):
        found.setdefault(unit["conversation"], []).extend(contents(unit["messages"]))
    return found


def passages(data: Path) -> list[str]:
    """The messages that are remembered one by one, each text as often as it is there, sorted."""
    found = rows(data, "SELECT document FROM memories WHERE position > 0")
    return sorted(json.loads(row["document"])["text"] for row in found)


def stored_ids(data: Path) -> set[str]:
    """Of everything in long-term memory."""
    found = rows(data, "SELECT unit_id AS id FROM memunits UNION ALL SELECT memory_id AS id FROM memories")
    return {row["id"] for row in found}


def contents(entries: Iterable[dict[str, Any]]) -> list[str]:
    return [entry["content"] for entry in entries]


def both(texts: Iterable[str]) -> list[str]:
    """The two messages of each turn, in order."""
    return [said for text in texts for said in (f"q:{text}", f"a:{text}")]


def assert_whole(entries: list[dict[str, Any]]) -> None:
    """Strictly increasing seqs, and the two messages of a turn side by side."""
    seqs = [entry["seq"] for entry in entries]
    assert all(a < b for a, b in itertools.pairwise(seqs)), "seqs are not strictly increasing"
    for asked, answered in zip(entries[::2], entries[1::2], strict=True):
        assert (asked["role"], answered["role"]) == ("user", "assistant")
        assert asked["content"][2:] == answered["content"][2:], "a turn is torn"
        assert answered["seq"] == asked["seq"] + 1
        assert answered["turn"] == asked["turn"]


def quiet(client: "redis.Redis") -> bool:
    """Nothing alive, nothing on its way: no deadline, nothing unfinished."""
    return not client.zcard(f"{PREFIX}:deadlines") and not client.zcard(f"{PREFIX}:unfinished")


PAUSE: Final = signal.SIGSTOP
RESUME: Final = signal.SIGCONT
