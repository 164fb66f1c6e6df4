"""Whether two labels are likely one thing: by how they are written, else by how near their meanings lie. Pure.

What is written alike is one by itself: the same letters in another script, in American spelling (but for what may be a
name), with other spaces where they say nothing. All else decides nothing, it is shown to somebody who may say so:
another hyphen, another number of a word, other accents, the same words in another order or with other small ones, first
letters, two names of one disease, a meaning that lies near (no threshold keeps 高血压 and 低血压 apart). Cosines are
calibrated, since those of a model are squeezed and none carries over to another model:

    c = (cosine - m) / (1 - m)        m: the mean cosine of two of the user's own labels, of MEASURED_MIN at least

Guards (`memory.graph.identity.guard`) forbid either (docs/decisions/0043).
"""

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.clinical.languages import in_use
from memory.clinical.lexicon import Lexicon
from memory.clinical.sketch import simplified
from memory.graph.created import normal
from memory.graph.gist import come_to_one, gists
from memory.graph.identity import guard, term_of
from memory.graph.wording import HAN, bare, closed, initials, plain_of, relatives_in, tight, words_of
from memory.language.words import listed
from memory.privacy.placeholders import may_be_others

MAYBE_ABOVE: Final = 0.5
"""Of calibrated cosines: from where on two labels may be one."""
_TOLD: Final = 0.9
"""The score of what is written so that it may be one."""
MEASURED_MIN: Final = 30
"""Labels that the mean cosine is taken of; of fewer nothing is compared by meaning."""
_MINUS: Final = re.compile(r"(?<=[a-z])\s?[-\u2010-\u2015\u2212](?=\d)")
_FLAT: Final = 1e-9
_ALSO_NAMES: Final = frozenset(("gray", "honor", "favor", "labor", "meter", "meters", "liter", "liters"))
"""Words of two spellings that are also names or something else: Grey, a water meter."""


class Verdict(StrEnum):
    """Same: one thing, nobody need be asked. Maybe: somebody may say so."""

    SAME = "same"
    MAYBE = "maybe"
    NO = "no"


class Likeness(NamedTuple):
    """How two labels are alike: the verdict, a score from 0 to 1, and what it rests on."""

    verdict: Verdict
    score: float
    why: str


def alike(one: str, other: str, calibrated: float | None = None) -> Likeness:
    """How two labels are alike. `calibrated`: None where meanings are not compared."""
    a, b = plain_of(one), plain_of(other)
    against = "redacted" if may_be_others(one, other) else guard(a, b) or people(a, b)
    if against:
        return Likeness(Verdict.NO, 0.0, against)
    if _written_alike(one, other):
        return Likeness(Verdict.SAME, 1.0, "spelling")
    if why := _spelt_alike(a, b) or ("names" if come_to_one(one, other) else ""):
        return Likeness(Verdict.MAYBE, _TOLD, why)
    if calibrated is None or calibrated < MAYBE_ABOVE:
        return Likeness(Verdict.NO, 0.0, "")
    return Likeness(Verdict.MAYBE, min(1.0, calibrated), "meaning")


def keys(label: str) -> tuple[tuple[str, ...], ...]:
    """Labels that are alike by their writing have a key in common. Those that have need not be alike."""
    return _keys(label, in_use().lexicon)


@lru_cache(maxsize=50_000)
def _keys(label: str, _in_use: Lexicon) -> tuple[tuple[str, ...], ...]:
    plain = plain_of(label)
    found: list[tuple[str, ...]] = [("spelt", tight(closed(bare(plain))))]
    if words := words_of(plain):
        found.append(("words", *sorted(words)))
    found += [("names", *reading) for reading in gists(label)]
    found += [("initials", letters) for letters in initials(label)]
    kind, name = term_of(plain)
    return (*found, ("term", kind, name)) if name else tuple(found)


def _written_alike(one: str, other: str) -> bool:
    """Whether two labels are the same words; of a character that stands for two nobody can tell."""
    if closed(plain_of(one)) != closed(plain_of(other)):
        return False
    if _are_names(one, other) or _are_signed(plain_of(one), plain_of(other)):
        return False
    a, b = (closed(normal(label)) for label in (one, other))
    return not any(x != y and simplified(x) in _two_characters() for x, y in zip(a, b, strict=False))


def _are_signed(a: str, b: str) -> bool:
    """Whether a hyphen of one alone may be a minus: t-5 and t5, but not the name of a thing, covid-19."""
    return len(_MINUS.findall(a)) != len(_MINUS.findall(b)) and not term_of(a)[1]


def _are_names(one: str, other: str) -> bool:
    """Whether a word that two labels spell apart may be somebody's or something's name: Gray and Grey are two men."""
    pairs = zip(one.split(), other.split(), strict=False)
    apart = [(x, y) for x, y in pairs if normal(x) != normal(y) and x.isascii() and y.isascii()]
    return any((x[0].isupper() and y[0].isupper()) or plain_of(x) in _ALSO_NAMES for x, y in apart)


def _spelt_alike(a: str, b: str) -> str:
    """How two plain labels are spelt so that they may be one thing."""
    if term_of(a)[1] and term_of(a) == term_of(b):
        return "term"
    if _are_signed(a, b) and closed(a) == closed(b):
        return "hyphen"
    if closed(bare(a)) == closed(bare(b)):
        return "accent" if HAN.search(a) is None else "character"
    if tight(a) == tight(b):
        return "hyphen"
    words, theirs = words_of(a), words_of(b)
    if words and not HAN.search(a) and sorted(words) == sorted(theirs):
        return "number" if words == theirs else "order"
    return "initials" if not set(initials(a)).isdisjoint(initials(b)) and _is_one_word(a) != _is_one_word(b) else ""


def _is_one_word(label: str) -> bool:
    return label.isalpha()


def people(one: str, other: str) -> str:
    """Whether the labels name relatives, and others: then they are other things too."""
    here, there = relatives_in(one), relatives_in(other)
    return "people" if here and there and here != there else ""


def middle_of(vectors: NDArray[np.float32]) -> float | None:
    """The mean cosine of two labels; None of too few."""
    count = len(vectors)
    if count < MEASURED_MIN:
        return None
    total = np.add.reduce(vectors.astype(np.float64))
    return float((total @ total - count) / (count * (count - 1)))


def calibrated(cosines: NDArray[np.float32], middle: float) -> NDArray[np.float64]:
    """Cosines as they are compared with thresholds."""
    return (cosines.astype(np.float64) - middle) / max(_FLAT, 1.0 - middle)


@cache
def _two_characters() -> frozenset[str]:
    """Simplified characters that stand for two others: 面 for 面 and 麵."""
    return frozenset(listed("zh", "two_characters")[0])
