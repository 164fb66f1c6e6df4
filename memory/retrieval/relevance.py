"""How well a record fits a query: one formula, over a user's whole pool (docs/scoring.md).

With z(x) = (x - mean) / deviation over the records that take part, and records of a unit standing in order:

    S_i = 0.6 z(words)_i + 0.4 z(meaning)_i + 0.8 z(neighbours)_i
        + 1.0 [the query names one person, and that person said i]
        + 1.5 [the query names a day, and i is within a day of it] + 1.5 [and i is from the day before it to ten after]
        + 1.5 [the query names a longer stretch, and i lies in it]
        + 1.5 [the query asks when, and i has a word of time]
        - 1.0 [i ends as a question]

where `words` is BM25 over a record's own words twice and those of its neighbours, `meaning` the cosine m_i, and
`neighbours` m_i + .7 m_i-1 + .5 m_i+1 + .3 m_i-2 + .2 m_i+2. Of a record without a vector among others that have one,
m_i is their mean, and its words weigh 1.8, for all three. Without vectors:

    S_i = 1.0 z(words)_i + 0.3 z(words of i's whole stretch) + 0.3 [the record before i ends as a question] + the rules.

Fusing by z-sums instead of ranks, the neighbours, and deleting names from what is compared were each measured.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.model.search import Columns, Numbers, Pool
from memory.retrieval.decay import DAY_MS
from memory.retrieval.plan import Plan, Window

WORDS, MEANING, NEIGHBOURS = 0.6, 0.4, 0.8
WORDS_ALONE, STRETCH_ALONE, ANSWERS_ALONE = 1.0, 0.3, 0.3
NAMED, DAY, DAYS, STRETCH, WHEN, ASKS = 1.0, 1.5, 1.5, 1.5, 1.5, -1.0
KERNEL: Final = ((-1, 0.7), (1, 0.5), (-2, 0.3), (2, 0.2))


@dataclass(frozen=True, slots=True)
class Relevance:
    """S for each record of a pool, and its parts by name (they add up to it)."""

    total: Numbers
    parts: dict[str, Numbers]


def relevance(pool: Pool, plan: Plan) -> Relevance:
    """Score a pool."""
    columns = pool.columns
    parts = _by_comparison(pool, columns) | _by_rules(pool, columns, plan)
    return Relevance(np.add.reduce(list(parts.values())), parts)


def _by_comparison(pool: Pool, columns: Columns) -> dict[str, Numbers]:
    words = z_scores(pool.lexical)
    have = ~np.isnan(pool.cosine)
    if not have.any():
        return {
            "words": WORDS_ALONE * words,
            "stretch": STRETCH_ALONE * z_scores(_of_units(pool.lexical, columns.stretches)),
            "answers": _answers(columns),
        }
    meaning = np.where(have, pool.cosine, np.nanmean(pool.cosine))
    centred = z_scores(meaning)
    near = centred.copy()
    for offset, weight in KERNEL:
        _add_neighbours(near, weight * centred, columns, offset)
    weights = np.where(have, WORDS, WORDS + MEANING + NEIGHBOURS)
    return {"words": weights * words, "meaning": MEANING * centred, "neighbours": NEIGHBOURS * z_scores(near)}


def _by_rules(pool: Pool, columns: Columns, plan: Plan) -> dict[str, Numbers]:
    parts = {"asks": ASKS * columns.asks}
    if plan.named:
        parts["named"] = NAMED * np.array([candidate.speaker == plan.named for candidate in pool.candidates], float)
    if plan.when:
        parts["when"] = WHEN * columns.timed
    if plan.windows:
        parts["date"] = np.max([_in_window(columns.occurred, window) for window in plan.windows], axis=0)
    return parts


def _in_window(occurred: Numbers, window: Window) -> Numbers:
    if not window.fine:
        return STRETCH * ((occurred >= window.from_ms) & (occurred < window.to_ms)).astype(float)
    near = (occurred >= window.from_ms - DAY_MS) & (occurred < window.to_ms + DAY_MS)
    after = (occurred >= window.from_ms - DAY_MS) & (occurred < window.to_ms + 10 * DAY_MS)
    return DAY * near.astype(float) + DAYS * after.astype(float)


def z_scores(values: Numbers) -> Numbers:
    """How far values lie from their mean, in deviations; zeros where all are the same."""
    if not len(values):
        return values
    centred: Numbers = values - np.add.reduce(values) / len(values)
    deviation = math.sqrt(float(centred @ centred) / len(values))
    return centred / deviation if deviation > 0 else np.zeros_like(values)


def _add_neighbours(near: Numbers, values: Numbers, columns: Columns, offset: int) -> None:
    """Add to each record the value of the one `offset` places on, where both are passages of one unit."""
    beside, places = columns.beside[abs(offset) - 1], abs(offset)
    if offset < 0:
        near[places:] += beside * values[:-places]
    else:
        near[:-places] += beside * values[places:]


def _answers(columns: Columns) -> Numbers:
    answers = np.zeros(len(columns.asks))
    _add_neighbours(answers, ANSWERS_ALONE * columns.asks, columns, -1)
    return answers


def _of_units(lexical: Numbers, stretches: NDArray[np.intp]) -> Numbers:
    """For each record how well the words of its whole unit fit: the mean of its records' scores."""
    mean: Numbers = np.bincount(stretches, weights=lexical) / np.sqrt(np.bincount(stretches))
    return mean[stretches]
