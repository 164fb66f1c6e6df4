"""How likely a word of medicine tells of an allergy or an operation of its speaker.

For what no frame has decided: people tell a reaction or an operation in more ways than there are frames. A logistic
regression for each of the two, over the runs of the whole message (asserted.py) and over the words around the one in
question, all drawn, so that it learns how things are told and not which substances there are. Trained on the sentences
of many authors, by `python -m benchmarks.triage.train`.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Final, NamedTuple

from memory.clinical.asserted import doubt, drawn_words, runs, word_runs
from memory.clinical.findings import ALLERGY, SURGERY
from memory.clinical.learnt import BIAS
from memory.clinical.sketch import Sketch

WEIGHTS: Final = Path(__file__).parent.parent / "language" / "words" / "likely.tsv"
FAMILIES: Final[Mapping[str, str]] = {ALLERGY: "S", SURGERY: "OGVD"}
"""Of which families are the words that may tell of a kind."""
MAY_BE: Final = 0.24
"""Above it a person is asked."""
SURE: Final = 0.4
"""Above it a finding that a rule holds possible is taken for one, in a message that tells of its speaker."""
SURE_ALONE: Final = 0.55
"""The same for one that no rule has read."""
_ASKED_MAX: Final = 200
"""Letters of what a message answers that are looked at, from its end."""
_AROUND: Final = 60
_WORDS: Final = 3


def asked(before: str) -> set[str]:
    """The runs of the words of what a message answers (after Q)."""
    return {f"Q {run}" for run in word_runs(before[-_ASKED_MAX:].lower())} if before else set()


def runs_around(sketch: Sketch, at: int) -> set[str]:
    """The runs of up to three words before a word of medicine (L), behind it (R) and on both sides (B).

    And the words of its clause (C).
    """
    letter, clause = sketch.drawn[at], sketch.clause_at(at)
    left = ["^"] * _WORDS + drawn_words(sketch.drawn[max(0, at - _AROUND) : at])
    right = drawn_words(sketch.drawn[at + 1 : at + _AROUND]) + ["$"] * _WORDS
    (family,) = drawn_words(letter)
    found = {f"L {' '.join(left[-size:])} {family}" for size in range(1, _WORDS + 1)}
    found.update(f"R {family} {' '.join(right[:size])}" for size in range(1, _WORDS + 1))
    near = sketch.drawn[max(clause.start, at - _AROUND) : min(clause.end, at + _AROUND)]
    found.update(f"C {word}" for word in drawn_words(near))
    return found | {f"L {family}", f"B {left[-1]} {family} {right[0]}"}


class _Sum(NamedTuple):
    """Weights of the runs that were learnt, and how many they are."""

    total: float
    known: int


class Likely:
    """One message, how it sounds, and what its words of medicine may tell. `before`: what it answers."""

    def __init__(self, sketch: Sketch, before: str) -> None:
        self._sketch = sketch
        self._before = before
        self._whole: dict[str, _Sum] = {}

    @cached_property
    def _runs(self) -> set[str]:
        return runs(self._sketch.drawn)

    @cached_property
    def doubt(self) -> float:
        """How likely the message tells nothing of its speaker, from 0 to 1."""
        return doubt(self._runs)

    def of(self, kind: str, at: int) -> float:
        """How likely the word drawn at a place tells of its speaker a fact of this kind, from 0 to 1."""
        if kind not in self._whole:
            self._whole[kind] = _summed(kind, self._runs | asked(self._before))
        whole, around = self._whole[kind], _summed(kind, runs_around(self._sketch, at))
        score = (whole.total + around.total) / math.sqrt(whole.known + around.known or 1)
        return 1 / (1 + math.exp(-_weights()[kind][BIAS] - score))


def _summed(kind: str, found: Iterable[str]) -> _Sum:
    weights = _weights()[kind]
    known = [weight for weight in map(weights.get, found) if weight is not None]
    return _Sum(math.fsum(known), len(known))


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    weights: dict[str, dict[str, float]] = {kind: {} for kind in FAMILIES}
    for line in WEIGHTS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, run, weight = line.split("\t")
            weights[kind][run] = float(weight)
    return weights
