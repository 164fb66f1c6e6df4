"""What is asked of a memory store's index, and what it gives: parts of a score, never the score itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.errors import InvariantBroken
from memory.model.memory import Category, Kind, Memory, Type

Vector = NDArray[np.float32]
"""One embedding, of length 1."""
_LENGTH_TOLERANCE: Final = 1e-3
Numbers = NDArray[np.float64]


class IndexEntry(NamedTuple):
    """A memory with what its index needs. `asks`: it ends as a question; `timed`: it has a word of time.

    `is_open`: not all of it was made; it is to be completed.
    """

    memory: Memory
    terms: Sequence[str]
    vector: Vector | None
    asks: bool = False
    timed: bool = False
    is_open: bool = False


class Unindexed(NamedTuple):
    """A record whose index entry is not complete. `vector`: one of the same space that another generation has."""

    memory: Memory
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories are meant. Empty: all that are not archived. Times are ms; `as_of`: what was held true then.

    `with_past`: also what another took the place of; with `as_of` it says nothing. `with_archived`: also what is out of
    the way.
    """

    kinds: tuple[Kind, ...] = ()
    categories: tuple[Category, ...] = ()
    types: tuple[Type, ...] = ()
    conversation: str = ""
    from_ms: int | None = None
    to_ms: int | None = None
    as_of_ms: int | None = None
    with_past: bool = False
    with_archived: bool = False

    def lets_in(self, memory: Memory) -> bool:
        """Whether it means this memory: what the stores say in their own terms."""
        chosen = (
            (self.kinds, memory.kind),
            (self.categories, memory.category),
            (self.types, memory.type),
            ((self.conversation,) if self.conversation else (), memory.source.conversation),
        )
        if any(wanted and value not in wanted for wanted, value in chosen):
            return False
        if memory.archived_ms is not None and not self.with_archived:
            return False
        if not _within(memory.occurred_ms, self.from_ms, self.to_ms):
            return False
        if self.as_of_ms is None:
            return self.with_past or memory.superseded_by == ""
        return _within(self.as_of_ms, memory.held_from_ms, memory.valid_to_ms)


def _within(moment: int, begin: int | None, end: int | None) -> bool:
    return (begin is None or moment >= begin) and (end is None or moment < end)


@dataclass(frozen=True, slots=True)
class Probe:
    """A search. Without terms nothing is compared by words, without a vector nothing by meaning.

    `with_words`: the index texts of what has a term in common are wanted too. `nearest`: names by the pool the records
    that are wanted whole, where a store can read them on the way. `compared`: names the places of those whose words and
    vectors are wanted. Both are called on any thread. `best`: the others than so many whose words fit best are not
    wanted, nor their order; a store may leave them out.
    """

    terms: Sequence[str]
    vector: Vector | None
    filter: Filter
    with_words: bool = False
    nearest: "Callable[[Pool], Sequence[str]] | None" = None
    compared: "Callable[[Pool], Sequence[int]] | None" = None
    best: int | None = None

    @property
    def needs_vectors(self) -> bool:
        """Whether something is compared by meaning."""
        return self.vector is not None or self.compared is not None


class Candidate(NamedTuple):
    """A record of the pool, as much of it as scoring needs."""

    memory_id: str
    kind: str
    unit_id: str
    position: int
    speaker: str
    occurred_ms: int
    asks: bool
    timed: bool


class Said(NamedTuple):
    """The words of some records: which record, which word (`memory.language.terms.number_of`), how often it stands."""

    records: NDArray[np.intp]
    words: NDArray[np.uint64]
    often: NDArray[np.intp]


class Compared(NamedTuple):
    """Some records of a pool, by their places in it, with what they are compared with each other by.

    `said` counts them from 0 as `places` does; so do the rows of `vectors`, nan for one that has none.
    """

    places: Sequence[int]
    said: Said
    vectors: NDArray[np.float32]


class Columns(NamedTuple):
    """What rules and neighbours look at, of all records of a pool: arrays in their order.

    `beside`: for one and two places, 1 where the record so many places before is a passage of the same unit, else 0;
    without the first records, which have none there. `stretches`: a number for the unit of every record.
    """

    asks: Numbers
    timed: Numbers
    occurred: Numbers
    beside: tuple[Numbers, Numbers]
    stretches: NDArray[np.intp]


def columns_of(candidates: Sequence[Candidate]) -> Columns:
    """The columns of records in this order."""
    numbers: dict[str, int] = {}
    stretches = np.array([numbers.setdefault(each.unit_id, len(numbers)) for each in candidates], np.intp)
    passages = np.array([bool(each.position and each.unit_id) for each in candidates], bool)
    units = np.where(passages, stretches, np.nan)  # nan equals nothing
    return Columns(
        np.array([each.asks for each in candidates], np.float64),
        np.array([each.timed for each in candidates], np.float64),
        np.array([each.occurred_ms for each in candidates], np.float64),
        ((units[1:] == units[:-1]).astype(np.float64), (units[2:] == units[:-2]).astype(np.float64)),
        stretches,
    )


@dataclass(frozen=True, slots=True)
class Pool:
    """All of a user's records that a probe could mean, ordered by unit and position; one number for each.

    `lexical`: BM25 (0: no word in common); `cosine`: to the probe's vector (nan: none), of every record. `words`: the
    index texts, by id, of those that have a word in common, when they were asked for. `read`: records, by id, that were
    read on the way: any, or none. `known`: the columns of the candidates, where a store keeps them. `compared`: those
    that the probe named.
    """

    candidates: Sequence[Candidate]
    lexical: Numbers
    cosine: Numbers
    words: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, Memory] = field(default_factory=dict)
    known: Columns | None = None
    compared: Compared | None = None

    @property
    def columns(self) -> Columns:
        """The columns of the candidates."""
        return columns_of(self.candidates) if self.known is None else self.known


class MemoryPage(NamedTuple):
    """Memories in the order of their ids, and from where to go on (empty: that was all)."""

    memories: Sequence[Memory]
    cursor: str


class DueMemory(NamedTuple):
    """A memory whose `forget_at` has come."""

    tenant: str
    user: str
    memory_id: str


def require_vector(vector: Vector, dimension: int) -> None:
    """Raise InvariantBroken for a vector that would spoil a search: not finite, not of length 1, another dimension."""
    if vector.shape != (dimension,):
        raise InvariantBroken(f"a vector has shape {vector.shape}, the store's are ({dimension},)")
    length = float(np.linalg.norm(vector))
    if not abs(length - 1.0) <= _LENGTH_TOLERANCE:  # nan compares false
        raise InvariantBroken(f"a vector has the length {length:.4g} instead of 1")
