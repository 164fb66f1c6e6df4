"""The forgetting sweep with the same number due in a small store and in a large one: it must cost what is due.

Both halves of forgetting are measured: what has faded is archived, and what was archived long enough is erased. Some
of each store's memories are recorded earlier than the others, a batch for every round, so that exactly one batch
comes due on each day of the benchmark's clock; the others stay.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.memories.material import DIMENSION, NOW_MS, person
from benchmarks.memories.search import FixedClock
from benchmarks.memories.table import Figure, compared
from benchmarks.processes import BenchmarkError
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep.fade import Fader, leaves_at
from memory.extraction.rules_mind import RulesMind
from memory.model.memory import Memory
from memory.model.search import IndexEntry
from memory.retrieval.decay import DAY_MS, DecaySettings, fades_below
from memory.stores.sqlite.long_term import SqliteLongTermStore
from memory.stores.sqlite.memories import SqliteMemoryStore

NEEDED: Final = 1.2
DECAY: Final = DecaySettings()
RETENTION_MS: Final = 30 * DAY_MS
_SPACE: Final = "benchmark"
_EARLY_MS: Final = 1_000


@dataclass(frozen=True)
class Size:
    """How much a store holds, and how much of it comes due in each round."""

    users: int
    memories_of_each: int
    due: int
    rounds: int

    @property
    def memories(self) -> int:
        """All of them."""
        return self.users * self.memories_of_each


class Halves(NamedTuple):
    """CPU ms of one sweep for each memory that was due."""

    archived_ms: float
    erased_ms: float


class Stored:
    """A store in a file of its own, filled, with its fader."""

    def __init__(self, path: Path, size: Size) -> None:
        self.path = path
        self.size = size
        self.clock = FixedClock()
        self._long_term = SqliteLongTermStore(path)
        self.memories = SqliteMemoryStore(self._long_term.database, _SPACE, DIMENSION, _leaves)
        rules = RulesMind()
        rememberer = Rememberer(self.memories, Minds(rules, rules, None, "zh"))
        self._fader = Fader(self.memories, self.clock, _leaves, rememberer.settle_again, lambda memory, _now: memory)

    async def fill(self, seed: int, announce: Callable[[str], None]) -> None:
        """Store everybody's memories through the store's port."""
        await self._long_term.start()
        await self.memories.start()
        for number in range(self.size.users):
            one = person(seed, number, self.size.memories_of_each)
            first = number * self.size.memories_of_each
            entries = [_recorded(entry, self._round_of(first + place)) for place, entry in enumerate(one.entries)]
            await self.memories.put(one.scope, entries)
            announce(f"memories of {number + 1:,} of {self.size.users:,} users")

    async def close(self) -> None:
        """Close the file."""
        await self._long_term.close()

    async def archive(self, number: int) -> float:
        """One sweep over the batch of a round: CPU ms for each."""
        return await self._sweep(NOW_MS + number * DAY_MS, erases=False)

    async def erase(self, number: int) -> float:
        """One sweep over the same batch, its retention over."""
        return await self._sweep(NOW_MS + number * DAY_MS + RETENTION_MS, erases=True)

    async def _sweep(self, now_ms: int, *, erases: bool) -> float:
        self.clock.set_ms = now_ms
        started = time.process_time()
        faded = await self._fader.sweep(self.size.due)
        spent_ms = (time.process_time() - started) * 1000
        done, other = (faded.erased, faded.archived) if erases else (faded.archived, faded.erased)
        if (done, other) != (self.size.due, 0):
            raise BenchmarkError(f"{self.size.due} memories were due, the sweep handled {faded}")
        return spent_ms / self.size.due

    def _round_of(self, place: int) -> int | None:
        """In which round a memory comes due; None: in none. They stand evenly among the others."""
        step = self.size.memories // (self.size.due * self.size.rounds)
        turn, left = divmod(place, step)
        return turn % self.size.rounds if left == 0 and turn < self.size.due * self.size.rounds else None


async def measure(
    small: Stored, large: Stored, rounds: int, announce: Callable[[str], None]
) -> tuple[list[Halves], list[Halves]]:
    """All rounds of archiving, then all of erasing, the stores in turn."""
    found: dict[bool, list[list[float]]] = {False: [[], []], True: [[], []]}
    for erases in (False, True):
        for number in range(rounds):
            announce(f"{'erasing' if erases else 'archiving'} sweep, round {number + 1} of {rounds}")
            order = (0, 1) if number % 2 else (1, 0)
            for which in order:
                store = (small, large)[which]
                spent = await (store.erase(number) if erases else store.archive(number))
                found[erases][which].append(spent)
    halves = [list(map(Halves, found[False][which], found[True][which])) for which in (0, 1)]
    return halves[0], halves[1]


def figures(small: Stored, large: Stored, measured: tuple[Sequence[Halves], Sequence[Halves]]) -> list[Figure]:
    """A row for each half."""
    few, many = measured
    against = f"the same sweep with {small.size.memories:,} stored"
    note = f"SQLite, {large.size.due} due in each sweep"
    unit = "CPU ms a memory"
    stored = f"{large.size.memories:,} stored"
    return [
        Figure(
            f"sweep that archives, {stored}",
            unit,
            against,
            **compared([one.archived_ms for one in many], [one.archived_ms for one in few]),
            needed=NEEDED,
            note=note,
        ),
        Figure(
            f"sweep that erases, {stored}",
            unit,
            against,
            **compared([one.erased_ms for one in many], [one.erased_ms for one in few]),
            needed=NEEDED,
            note=note,
        ),
    ]


def _leaves(memory: Memory) -> int | None:
    return leaves_at(memory, DECAY, RETENTION_MS)


def _recorded(entry: IndexEntry, number: int | None) -> IndexEntry:
    """The entry, recorded so that it fades just before the sweep of round `number`."""
    if number is None:
        return entry
    fades_ms = fades_below(entry.memory, DECAY.forget_below, DECAY)
    lasts_ms = (fades_ms or entry.memory.recorded_ms) - entry.memory.recorded_ms
    recorded_ms = NOW_MS + number * DAY_MS - lasts_ms - _EARLY_MS
    return entry._replace(memory=replace(entry.memory, recorded_ms=recorded_ms))
