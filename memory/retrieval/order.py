"""Which records of a pool are answers, and in what order, before time has weighed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.model.memory import Kind
from memory.model.search import Compared, Numbers, Pool
from memory.retrieval.plan import Plan
from memory.retrieval.relevance import Relevance, relevance
from memory.retrieval.walks import COMPARED_MAX, walks

_ROUNDING: Final = 1e-9
_NOTHING_BEYOND: Final = np.zeros(0)


class Order(NamedTuple):
    """The records of a pool that may be answers, best first, and of them those that may come first once time weighs.

    `beyond`: what walks add to the fit of each; empty: nothing was walked.
    """

    fit: Relevance
    best: Sequence[int]
    near: Sequence[int]
    beyond: Numbers = _NOTHING_BEYOND


@dataclass(frozen=True, slots=True)
class Ordering:
    """How the records of a pool are ordered.

    `radius`: the least cosine of an answer (None: any); `by_words`: only what has a word in common is one.
    `ranked_max`: how many are ranked; `shown`: how many are wanted of them (None: all). `lowered`: by how much time can
    lower the fit of one against another.
    """

    plan: Plan
    by_words: bool
    radius: float | None
    ranked_max: int
    shown: int | None
    lowered: float

    def compared(self, pool: Pool) -> list[int]:
        """The places of the messages that fit best: what is known of words in common holds for them."""
        fit, said = relevance(pool, self.plan), str(Kind.EPISODE)
        return [place for place in self._ranks(pool, fit.total) if pool.candidates[place].kind == said][:COMPARED_MAX]

    def of(self, pool: Pool) -> Order:
        """The order; with what walks add, where the pool says by what its records are compared with each other."""
        if not pool.candidates:
            return Order(Relevance(pool.lexical, {}), (), ())
        fit, beyond = relevance(pool, self.plan), _NOTHING_BEYOND
        if pool.compared is not None and len(pool.compared.places):
            added = _walked(pool, pool.compared, fit.total)
            fit, beyond = replace(fit, parts=fit.parts | added), np.add.reduce(list(added.values()))
        return self.again(pool, fit, beyond)

    def again(self, pool: Pool, fit: Relevance, beyond: Numbers) -> Order:
        """The order of a pool of which it is known how well each record fits, and what walks add."""
        standing = fit.total + beyond if len(beyond) else fit.total
        best = self._ranks(pool, standing)[: self.ranked_max]
        return Order(fit, best, self._contenders(best, standing), beyond)

    def _ranks(self, pool: Pool, standing: Numbers) -> list[int]:
        among = np.flatnonzero(within(pool, self))
        ranked: list[int] = among[np.argsort(-standing[among], kind="stable")].tolist()
        return ranked

    def _contenders(self, best: Sequence[int], standing: Numbers) -> Sequence[int]:
        """Those that can be among the first that are shown once time has weighed.

        Reading a record costs more than all the rest of its score, and most of the others are never shown.
        """
        if self.shown is None or len(best) <= self.shown:
            return best
        least = standing[best[self.shown - 1]] - self.lowered - _ROUNDING
        return [place for place in best if standing[place] >= least]


def within(pool: Pool, ordering: Ordering) -> NDArray[np.bool_]:
    """Which records are answers at all: by words they share one, by meaning they lie within the radius."""
    by_words = pool.lexical > 0
    if ordering.by_words:
        return by_words
    by_meaning = pool.cosine >= (-np.inf if ordering.radius is None else ordering.radius)
    return np.where(np.isnan(pool.cosine), by_words, by_meaning)


def _walked(pool: Pool, compared: Compared, fit: Numbers) -> dict[str, Numbers]:
    """What the records that are compared have in common, for each record of the pool."""
    places = np.array(compared.places, np.intp)
    parts = walks(compared, [pool.candidates[place] for place in compared.places], fit[places])
    whole = {name: np.zeros(len(pool.candidates)) for name in parts}
    for name, values in parts.items():
        whole[name][places] = values
    return whole
