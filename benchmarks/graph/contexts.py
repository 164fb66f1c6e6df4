"""What QueryMemoryContext costs when it goes deep each time, beside one that never does: recall.search_mode."""

import contextlib
import http.client
import json
import random
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.graph.made import WORDS
from benchmarks.processes import BenchmarkError, Server, children

_MEMORIES, _TURNS = 1_000, 10
_FIRST: Final = 3
"""Rounds that read the index."""
_MODES: Final = ("fast", "deep")
_SETTLED_S: Final = 15.0
"""What is created is settled beside requests; no figure holds until that is done."""


class _User:
    """Of one gateway: some memories that were created, and a living session."""

    def __init__(self, server: Server) -> None:
        self._pid = server.process.pid
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def fill(self, dice: random.Random) -> None:
        for number in range(_MEMORIES):
            who = "我" if number % 2 else f"人{dice.randrange(_MEMORIES // 8)}"
            what = {"topic": dice.choice(WORDS), "object": f"物{dice.randrange(_MEMORIES // 3)}"}
            self._call("CreateMemory", {"user_id": "user", "subject": who, "memory_type": "FACT", **what})
        for number in range(_TURNS):
            said = f"我最近{dice.choice(WORDS)}很多，晚上睡不好，第{number}天了"
            turn = {"user_query": said, "agent_response": "您每天睡几个小时？有没有吃药？"}
            self._call("WriteTurn", {"conversation_id": "conversation", "user_id": "user", **turn})

    def cost_ms(self, query: str) -> float:
        """CPU ms of all that the gateway runs, for one query."""
        before = _cpu_ns(self._pid)
        self._call("QueryMemoryContext", {"conversation_id": "conversation", "query": query})
        return (_cpu_ns(self._pid) - before) / 1e6

    def close(self) -> None:
        self._connection.close()

    def _call(self, operation: str, body: Mapping[str, Any]) -> None:
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST", f"/v1/{operation}", json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != http.client.OK:
            raise BenchmarkError(f"{operation} was answered {answer.status}: {text[:200]!r}")


def _cpu_ns(pid: int) -> int:
    """What the threads of a process and of those it has started have run, but for threads that have ended.

    `jobs.cpu_seconds` counts in steps of 10 ms, which is several requests.
    """
    threads = list(Path(f"/proc/{pid}/task").iterdir())
    own = sum(int((each / "schedstat").read_text(encoding="ascii").split()[0]) for each in threads)
    return own + sum(map(_cpu_ns, children(pid)))


class Contexts(NamedTuple):
    """CPU ms of one context by search mode, and how many times as much the deep ones cost: medians."""

    fast: float
    deep: float
    ratio: float


def contexts(embeddings: str, rounds: int) -> Contexts:
    """Queries never asked before, to two gateways in turn."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as folder, contextlib.ExitStack() as stack:
        users = {}
        for mode in _MODES:
            settings = {"ANAMNESIS_RECALL__SEARCH_MODE": mode}
            server = stack.enter_context(gateway_process(Path(folder), mode, "zh", embeddings, settings))
            users[mode] = stack.enter_context(contextlib.closing(_User(server)))
            users[mode].fill(random.Random(3))
        time.sleep(_SETTLED_S)
        dice, took = random.Random(5), list[tuple[float, ...]]()
        for _ in range(rounds + _FIRST):
            query = f"{dice.choice(WORDS)} 物{dice.randrange(_MEMORIES // 3)}"
            took.append(tuple(user.cost_ms(query) for user in users.values()))
    fast, deep = zip(*took[_FIRST:], strict=True)
    return Contexts(median(fast), median(deep), median(b / a for a, b in zip(fast, deep, strict=True)))
