"""Graphs in which a walk could go everywhere: a ring, a star, a clique, a thing that all memories name."""

import itertools
import time
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from benchmarks.graph.made import WORDS, fill, told
from benchmarks.graph.searches import Cost, costs, sqlite_store
from memory.model.memory import Memory


def _of_the_user(number: int) -> tuple[str, str]:
    return "我", f"物{number}"


class Shape(NamedTuple):
    """How many memories, which of them are linked, and what each names: its subject and its object."""

    name: str
    size: int
    pairs: Callable[[list[Memory]], Iterable[tuple[Memory, Memory]]] = lambda _: ()
    names: Callable[[int], tuple[str, str]] = _of_the_user


SHAPES: Final = (
    Shape("plain", 20_000),
    Shape("ring", 10_000, lambda all_of: zip(all_of, all_of[1:] + all_of[:1], strict=True)),
    Shape("star", 20_000, lambda all_of: ((all_of[0], each) for each in all_of[1:])),
    Shape("clique", 500, lambda all_of: itertools.combinations(all_of, 2)),
    Shape("hub", 20_000, names=lambda number: (f"物{number}", "大家")),
)
"""LinkMemories gives a memory 64 links at most; star and clique have more, as an import may bring them."""


async def cost_of(shape: Shape, rounds: int) -> list[Cost]:
    """CPU of this process on SQLite."""
    memories = []
    for number in range(shape.size):
        subject, thing = shape.names(number)
        memories.append(told(subject, WORDS[number % len(WORDS)], number, thing))
    async with sqlite_store() as store:
        await fill(store, memories, shape.pairs(memories))
        start = shape.names(0)[0]
        return await costs(store, shape.size, rounds, time.process_time, start, "物1")
