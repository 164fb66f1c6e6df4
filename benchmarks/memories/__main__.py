"""Measures what remembering costs, each figure beside its baseline, in one interleaved run.

Search among the memories of many users against what the store itself offers for it; the forgetting sweep in a small
store and in one ten times as large; finalisation; QueryMemoryContext with recall on, off, and by words alone. On Linux
(CPU time of other processes is read from /proc). Weaviate is measured when ANAMNESIS_WEAVIATE_BINARY names a server to
start, or WEAVIATE_URL one that runs; users that are made there are removed again.
"""

import argparse
import asyncio
import importlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.memories import gateways, new_queries, search, sweep
from benchmarks.memories.table import MISSED, Figure, as_json, show
from benchmarks.options import Done, command, common, count, finish, progress, seed_of
from benchmarks.processes import BenchmarkError
from benchmarks.weaviate import HOW, is_named, weaviate

OF_EACH: Final = 100
SMALLER: Final = 10
QUICK: Final = {"memories": 10_000, "weaviate_memories": 1_000, "due": 40, "searches": 30, "sessions": 8}
QUICK_ROUNDS, QUICK_SECONDS, QUICK_SHARE = 2, 1.0, 0.3
EPILOG = """\
exit code: 0 measured; 1 (with --check) a ratio is above what is needed; 2 a process did not start or died;
130 interrupted.

examples:
  python -m benchmarks.memories --quick
  python -m benchmarks.memories --seed 1 --json memories.json --check
  ANAMNESIS_WEAVIATE_BINARY=./weaviate-server python -m benchmarks.memories --weaviate-memories 100000
"""
Announce = Callable[[str], None]


class Plan(NamedTuple):
    """How much is stored, asked and due."""

    seed: int
    rounds: int
    seconds: float
    memories: int
    weaviate_memories: int
    due: int
    searches: int
    sessions: int

    def size(self, memories: int) -> sweep.Size:
        """A store with so many memories."""
        return sweep.Size(max(1, memories // OF_EACH), OF_EACH, self.due, self.rounds)


def arguments() -> argparse.ArgumentParser:
    """The flags that only this benchmark has, as a parent of a parser."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--memories", type=count, default=100_000, help=f"stored in SQLite, {OF_EACH} of each user (100000)"
    )
    parser.add_argument(
        "--weaviate-memories", type=count, default=10_000, help="stored in Weaviate (10000; 100000 take a while)"
    )
    parser.add_argument("--due", type=count, default=200, help="memories that a sweep finds due (200)")
    parser.add_argument("--searches", type=count, default=100, help="in each round, to as many users (100)")
    parser.add_argument("--sessions", type=count, default=64, help="finalised by each gateway, over all rounds (64)")
    return parser


def _plan(asked: argparse.Namespace) -> Plan:
    sizes = QUICK if asked.quick else {name: getattr(asked, name) for name in QUICK}
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if asked.quick else (asked.rounds, asked.seconds)
    plan = Plan(seed_of(asked), rounds, seconds, **sizes)
    if plan.due * rounds * SMALLER > plan.memories:
        raise BenchmarkError(f"--due {plan.due} in {rounds} rounds is more than a tenth of --memories holds")
    if plan.sessions < rounds:
        raise BenchmarkError(f"--sessions {plan.sessions}: at least one for each of {rounds} rounds")
    return plan


async def _sqlite(folder: Path, plan: Plan, announce: Announce) -> list[Figure]:
    """Search in the large store first: the sweeps take memories away."""
    large = sweep.Stored(folder / "large.db", plan.size(plan.memories))
    small = sweep.Stored(folder / "small.db", plan.size(plan.memories // SMALLER))
    try:
        for store in (large, small):
            await store.fill(plan.seed, announce)
        some = search.questions(plan.seed, large.size.users, OF_EACH, plan.searches)
        sides = search.Sides(large.memories, search.bare_sqlite(large.path))
        rounds = await search.measure(sides, some, plan.rounds, announce)
        name = f"search, SQLite, {large.size.memories:,} of {large.size.users:,} users"
        found = search.figure(name, search.BARE_SQLITE, rounds, by_cpu=True, needed=search.NEEDED_SQLITE)
        swept = await sweep.measure(small, large, plan.rounds, announce)
        return [found, *sweep.figures(small, large, swept)]
    finally:
        for store in (large, small):
            await store.close()


def _weaviate(plan: Plan, announce: Announce) -> Figure:
    if not is_named(os.environ):
        return Figure("search, Weaviate", "", "the server's own hybrid query", needed=search.NEEDED, note=HOW)
    announce("starting Weaviate")
    with weaviate(os.environ) as server:
        measured: Any = importlib.import_module("benchmarks.memories.search_weaviate").measured
        figure: Figure = asyncio.run(
            measured(server, plan.seed, plan.size(plan.weaviate_memories), plan.searches, announce)
        )
        return figure


def _steps(plan: Plan) -> int:
    """How often progress is announced."""
    sizes = (plan.memories, plan.memories // SMALLER)
    there = 1 + plan.weaviate_memories // OF_EACH + plan.rounds if is_named(os.environ) else 0
    return (
        sum(plan.size(size).users for size in sizes)
        + 3 * plan.rounds
        + there
        + 7 * plan.rounds
        + len(new_queries.NEEDED)
    )


def run(asked: argparse.Namespace) -> Done:
    """Measure and print. Raises BenchmarkError."""
    plan = _plan(asked)
    with tempfile.TemporaryDirectory(prefix="anamnesis-memories-") as folder, progress() as bar:
        task = bar.add_task("memories", total=_steps(plan))

        def announce(step: str) -> None:
            bar.update(task, advance=1, description=step)

        found = asyncio.run(_sqlite(Path(folder), plan, announce))
        found.insert(1, _weaviate(plan, announce))
        sessions = gateways.Plan(plan.seed, plan.rounds, plan.seconds, plan.sessions)
        found += gateways.measured(Path(folder), sessions, announce)
        asked_anew = new_queries.Plan(plan.seed, plan.rounds, QUICK_SHARE if asked.quick else 1.0)
        found += new_queries.measured(Path(folder), asked_anew, announce)
    if asked.quick:  # what is needed is needed of the full size
        found = [replace(figure, needed=None) for figure in found]
    load = " ".join(f"{one:.2f}" for one in os.getloadavg())
    title = f"memories, {plan.rounds} interleaved rounds"
    show(found, title, [f"{os.cpu_count()} cores, load average {load}; seed {plan.seed}", asked.command])
    missed = [figure.name for figure in found if figure.verdict == MISSED]
    return Done(as_json(found), [], missed)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.memories",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common(), arguments()],
    )
    parser.set_defaults(command=command("benchmarks.memories"))
    return finish("benchmarks.memories", parser.parse_args(), run)


if __name__ == "__main__":
    raise SystemExit(main())
