"""A real Weaviate for tests: each server in a folder and on loopback ports of its own.

Its program is built when it is first needed (tests/weaviate_build.py).
"""

import json
import os
import signal
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from gateway.process.death_signal import die_with_parent
from memory.model.review import Cause, OpenReview, Question, ReviewPlace
from memory.model.search import DueMemory
from memory.scope import UserScope
from memory.stores.weaviate.client import WeaviateConnection, WeaviateSettings
from tests.deadlines import SLOW_S
from tests.ports import free_ports
from tests.waiting import PATIENCE_S, wait_until
from tests.weaviate_build import build, cached

POLL_S: Final = 0.02
_PAGE: Final = 500
_PORTS: Final = ("http", "grpc", "gossip", "data", "raft", "raft_rpc")


def binary() -> Path:
    """The server's program. Where there is none and no Go to build it the test is skipped, but never in CI."""
    program = cached()
    if program.exists():
        return program
    named = "ANAMNESIS_WEAVIATE_BINARY" in os.environ
    reason = f"{program} (ANAMNESIS_WEAVIATE_BINARY) does not exist" if named else build(program)
    if not reason:
        return program
    if os.environ.get("CI"):
        pytest.fail(f"no Weaviate: {reason}")
    pytest.skip(f"no Weaviate: {reason}")


def _own_ports() -> dict[str, int]:
    return dict(zip(_PORTS, free_ports(len(_PORTS)), strict=True))


@dataclass
class WeaviateServer:
    """One server. Its folder outlives `kill`, so that it can be started again."""

    folder: Path
    options: dict[str, str] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=_own_ports)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports['http']}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def settings(self, **more: float | str) -> WeaviateSettings:
        """What a client needs to know. Unless a test is of deadlines, they allow for a machine that others use too."""
        usual = WeaviateSettings(self.url, self.ports["grpc"])
        slow = {
            "read_deadline_s": usual.read_deadline_s + SLOW_S,
            "write_deadline_s": usual.write_deadline_s + SLOW_S,
        }
        return replace(usual, **(slow | more))  # type: ignore[arg-type]

    def gateway_settings(self) -> dict[str, str]:
        """What a gateway is told, as environment names without `ANAMNESIS_`."""
        return {"WEAVIATE__URL": self.url, "WEAVIATE__GRPC_PORT": str(self.ports["grpc"])}

    def objects(self, of_tenant: str = "") -> list[dict[str, Any]]:
        """Every object of every collection and tenant, asked for beside the product; `class`, `id`, `properties`.

        With `of_tenant` those of one tenant alone.
        """
        names = [each["class"] for each in self._ask("schema")["classes"]]
        return [
            each
            for name in names
            for tenant in self._tenants(name)
            if of_tenant in {"", tenant}
            for each in self._pages(name, tenant)
        ]

    def holding(self, text: str) -> list[str]:
        """Which of its files have this text in them."""
        files = [Path(folder) / name for folder, _, names in os.walk(self.folder / "data") for name in names]
        return [str(file) for file in files if text.encode() in file.read_bytes()]

    def _tenants(self, collection: str) -> list[str]:
        if not self._ask(f"schema/{collection}").get("multiTenancyConfig", {}).get("enabled"):
            return [""]
        return [each["name"] for each in self._ask(f"schema/{collection}/tenants")]

    def _pages(self, collection: str, tenant: str) -> Iterator[dict[str, Any]]:
        of_tenant = {"tenant": tenant} if tenant else {}
        page: dict[str, str] = {"class": collection, "limit": str(_PAGE), "after": ""} | of_tenant
        while found := self._ask("objects?" + urllib.parse.urlencode(page))["objects"]:
            yield from found
            page["after"] = found[-1]["id"]

    def _ask(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.url}/v1/{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def start(self) -> "WeaviateServer":
        """Start it and wait until it is ready."""
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [str(binary()), "--host", "127.0.0.1", "--port", str(self.ports["http"]), "--scheme", "http"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=self._environment(),
                cwd=self.folder,
                stdout=log,
                stderr=log,
                preexec_fn=partial(die_with_parent, signal.SIGKILL),  # noqa: PLW1509 - one system call, no Python state
            )
        wait_until(self._is_up, "the server is ready")
        return self

    def _is_up(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended: {self.log.read_text()[-800:]}"
        return self.is_ready()

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/v1/.well-known/ready", timeout=1) as answer:
                return bool(answer.status < 300)
        except OSError:
            return False

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def freeze(self) -> None:
        """It answers nothing from when this returns, but its connections stay."""
        self.signal(signal.SIGSTOP)
        assert self.process is not None
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """No time for it to write anything."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In order; it writes its indexes out."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(number)
            self.process.wait()
            self.process = None

    def _environment(self) -> dict[str, str]:
        ports = {name: str(port) for name, port in self.ports.items()}
        return {
            "PATH": os.environ["PATH"],
            "PERSISTENCE_DATA_PATH": str(self.folder / "data"),
            "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "true",
            "DEFAULT_VECTORIZER_MODULE": "none",
            "CLUSTER_HOSTNAME": "node1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_BIND_ADDR": "127.0.0.1",
            "CLUSTER_GOSSIP_BIND_PORT": ports["gossip"],
            "CLUSTER_DATA_BIND_PORT": ports["data"],
            "RAFT_PORT": ports["raft"],
            "RAFT_INTERNAL_RPC_PORT": ports["raft_rpc"],
            "RAFT_BOOTSTRAP_EXPECT": "1",
            "RAFT_TIMEOUTS_MULTIPLIER": "1",
            "GRPC_PORT": ports["grpc"],
            "DISABLE_TELEMETRY": "true",
            "GO_PROFILING_DISABLE": "true",
            "AUTOSCHEMA_ENABLED": "false",
            "LIMIT_RESOURCES": "true",
            "GOMEMLIMIT": "2GiB",
            "LOG_LEVEL": "warning",
            "DISK_USE_READONLY_PERCENTAGE": "0",
            **self.options,
        }


async def empty(server: WeaviateServer, collection: str) -> None:
    """Nothing is left of what another test stored in a collection."""
    connection = WeaviateConnection(server.settings())
    await connection.write(lambda client: client.collections.delete(collection))
    await connection.close()


class DueTimes:
    """The ports DueIndex and LeavingTimes in memory."""

    def __init__(self) -> None:
        self.questions: dict[tuple[UserScope, str], Question] = {}
        self.times: dict[tuple[UserScope, str], int] = {}
        self.settings = ""

    async def made_with(self) -> str:
        return self.settings

    async def are_made_with(self, settings: str) -> None:
        self.settings = settings

    async def put(self, scope: UserScope, memory_id: str, forget_ms: int | None) -> None:
        if forget_ms is None:
            self.times.pop((scope, memory_id), None)
        else:
            self.times[scope, memory_id] = forget_ms

    async def due(self, now_ms: int, limit: int) -> list[DueMemory]:
        found = sorted(
            (time, str(scope), scope, memory_id) for (scope, memory_id), time in self.times.items() if time <= now_ms
        )
        return [DueMemory(scope.tenant, scope.user, memory_id) for _, _, scope, memory_id in found[:limit]]

    async def ask(self, scope: UserScope, memory_id: str, question: Question | None) -> None:
        if question is None:
            self.questions.pop((scope, memory_id), None)
        else:
            self.questions[scope, memory_id] = question

    async def reviews(self, tenant: str, cause: Cause, now_ms: int, after: ReviewPlace, limit: int) -> list[OpenReview]:
        found = sorted(
            OpenReview(question.opened_ms, memory_id, scope.user)
            for (scope, memory_id), question in self.questions.items()
            if (scope.tenant, question.cause) == (tenant, cause) and question.opened_ms <= now_ms
        )
        return [each for each in found if (each.opened_ms, each.memory_id) > after][:limit]

    async def count_reviews(self, tenant: str, cause: Cause, now_ms: int) -> int:
        return len(await self.reviews(tenant, cause, now_ms, ReviewPlace(), len(self.questions)))

    async def drop(self, scope: UserScope, memory_ids: Sequence[str]) -> None:
        for memory_id in memory_ids:
            self.questions.pop((scope, memory_id), None)
            self.times.pop((scope, memory_id), None)
