"""Graphs in which a walk could go everywhere: a ring, a star, a clique."""

import itertools
import time
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from benchmarks.graph.made import WORDS, fill, told
from benchmarks.graph.searches import Cost, costs, sqlite_store
from memory.model.memory import Memory


class Shape(NamedTuple):
    """How many memories, and which of them are linked."""

    name: str
    size: int
    pairs: Callable[[list[Memory]], Iterable[tuple[Memory, Memory]]]


SHAPES: Final = (
    Shape("plain", 20_000, lambda _: ()),
    Shape("ring", 10_000, lambda all_of: zip(all_of, all_of[1:] + all_of[:1], strict=True)),
    Shape("star", 20_000, lambda all_of: ((all_of[0], each) for each in all_of[1:])),
    Shape("clique", 500, lambda all_of: itertools.combinations(all_of, 2)),
)
"""LinkMemories gives a memory 64 links at most; star and clique have more, as an import may bring them."""


async def cost_of(shape: Shape, rounds: int) -> list[Cost]:
    """CPU of this process on SQLite."""
    memories = [told("我", WORDS[number % len(WORDS)], number, f"物{number}") for number in range(shape.size)]
    async with sqlite_store() as store:
        await fill(store, memories, shape.pairs(memories))
        return await costs(store, shape.size, rounds, time.process_time, "物1")
