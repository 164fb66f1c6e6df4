"""What a deep search of one user costs beside many others in the same store, and alone."""

import random
import time
from functools import partial
from statistics import median
from typing import Final, NamedTuple

from benchmarks.graph.made import USER, WORDS, Clock, put, told
from benchmarks.graph.searches import sqlite_store, timed
from memory.consolidation.derive import indexed
from memory.model.search import IndexEntry
from memory.ports import MemoryStore
from memory.scope import UserScope
from memory.service.linked import DeepSearch, Way
from memory.service.search import MemorySearch, SearchSettings, Wanted

OTHERS, EACH = 1_000, 100
_FIRST: Final = 2
"""Rounds that read the index."""


class Beside(NamedTuple):
    """CPU ms of a search: alone, and beside the others."""

    alone: float
    beside: float


async def _fill(store: MemoryStore, user: UserScope) -> None:
    dice = random.Random(user.user)
    made = [told("我", dice.choice(WORDS), number, f"物{number}", user) for number in range(EACH)]
    await put(store, (IndexEntry(each, indexed(each).terms, None) for each in made), user)


async def neighbours(rounds: int) -> Beside:
    """The same searches of the same user in two stores, in turn; a user among others is asked for none of theirs."""
    dice = random.Random(7)
    found = list[float](), list[float]()
    async with sqlite_store() as alone, sqlite_store() as shared:
        for number in range(OTHERS):
            await _fill(shared, UserScope("default", f"other{number}"))
        searches = []
        for store in (alone, shared):
            await _fill(store, USER)
            searches.append(DeepSearch(store, MemorySearch(store, None, Clock(), SearchSettings())))
        for number in range(rounds + _FIRST):
            wanted = Wanted(f"{dice.choice(WORDS)} 物{dice.randrange(EACH)}", limit=10, speakers=())
            for search, took in zip(searches, found, strict=True):
                cost = await timed(partial(search.find, USER, wanted, Way(1)), time.process_time)
                if number >= _FIRST:
                    took.append(cost)
    return Beside(*map(median, found))
