"""Whether two labels are likely one thing: by how they are written, else by how near their meanings lie. Pure.

What is written alike is one by itself: another script or spelling of the same words, a plural, the initials of a
disease. Likeness of meaning, two names of one disease and the same words in another order are shown to somebody who may
say so, and decide nothing: no threshold keeps 高血压 and 低血压 apart. Cosines are calibrated, since those of a model
are squeezed and none carries over to another model:

    c = (cosine - m) / (1 - m)        m: the mean cosine of two of the user's own labels, of MEASURED_MIN at least

Guards (`memory.graph.identity.guard`) forbid either; likeness never joins people (docs/decisions/0043).
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.clinical.kin import KIN_EN, KIN_ZH
from memory.clinical.sketch import simplified
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.graph.created import normal
from memory.graph.identity import guard, term_of

MAYBE_ABOVE: Final = 0.5
"""Of calibrated cosines: from where on two labels may be one."""
_TOLD: Final = 0.9
"""The score of what is written so that it may be one."""
MEASURED_MIN: Final = 30
"""Labels that the mean cosine is taken of; of fewer nothing is compared by meaning."""
_FLAT: Final = 1e-9
_SAME_ROLE: Final = (
    ("mother", "mum", "mom", "mam", "mama", "ma"),
    ("father", "dad", "papa", "da"),
    ("husband", "hubby"),
    ("wife", "missus"),
    ("grandmother", "grandma", "gran", "granny", "nan", "nana", "grandmum"),
    ("grandfather", "grandpa", "grandad", "granddad"),
    ("brother", "bro"),
    ("sister", "sis"),
    ("child", "kid"),
    ("aunt", "auntie"),
    ("老公", "丈夫"),
    ("老婆", "妻子", "太太"),
)
_KIN: Final = re.compile(rf"(?P<zh>{KIN_ZH})|\b(?P<en>{KIN_EN})(?:'s)?\b")
_ROLES: Final = {
    **RELATIVES,
    **CLOSE_RELATIVES,
    **{word: line[0] for line in _SAME_ROLE for word in line},
}
_WORD: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[\u3400-\u9fff]")
_ARTICLES: Final = frozenset({"a", "an", "the", "my", "some"})
_TITLES: Final = frozenset({"dr", "doctor", "mr", "mrs", "ms", "miss", "prof", "professor"})
_NO_PLURAL: Final = frozenset({"news", "glasses", "goods", "customs", "clothes", "works", "arms", "spirits", "always"})
_PLURAL_MIN: Final = 4
_HISSING_E: Final = re.compile(r"(?<=ch|sh)e$|(?<=[sxz])e$")
_COUNTED: Final = re.compile(r"[一二三四五六七八九](?=[型期级度号楼层])")
_SPELT: Final = (
    (re.compile(r"(?<=[a-z]{2})our(?=\b|s|ed|ing|ful|less|ite)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=e|ing|ation)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})yse"), "yze"),
    (re.compile(r"(?<=[bcdfghjklmnpqrstvwxz])re\b"), "er"),
    (re.compile(r"ae|oe(?=[a-z]{3})"), "e"),
    (re.compile(r"gramme\b"), "gram"),
    (re.compile(r"([a-z])ll(?=ing|ed|er)"), r"\1l"),
)
_PARTICLES: Final = "的儿地得"
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_CAPITAL: Final = re.compile(r"\b[A-Z][a-z]+\b")


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


_UNLIKE: Final = Likeness(Verdict.NO, 0.0, "")


def alike(one: str, other: str, calibrated: float | None = None) -> Likeness:
    """How two labels are alike. `calibrated`: None where meanings are not compared."""
    a, b = _plain(one), _plain(other)
    against = guard(a, b) or people(a, b)
    if against:
        return Likeness(Verdict.NO, 0.0, against)
    if why := _written_alike(one, other):
        return Likeness(Verdict.SAME, 1.0, why)
    if why := _told_alike(a, b):
        return Likeness(Verdict.MAYBE, _TOLD, why)
    if calibrated is None or calibrated < MAYBE_ABOVE:
        return _UNLIKE
    return Likeness(Verdict.MAYBE, min(1.0, calibrated), "meaning")


def keys(label: str) -> list[tuple[str, ...]]:
    """Labels that are alike by their writing have a key in common. Those that have need not be alike."""
    plain = _plain(label)
    words = _words(plain)
    found = [("joined", _joined(plain)), ("words", *sorted(words))]
    kind, name = term_of(plain)
    if name:
        found.append(("term", kind, name))
    return found


def _written_alike(one: str, other: str) -> str:
    """How two labels are the same words; empty: they are not."""
    a, b = _plain(one), _plain(other)
    if _joined(a) == _joined(b):
        return "spelling"
    words, theirs = _words(a), _words(b)
    if words == theirs and not _HAN.search(a) and not _is_named(one, other):
        return "number"
    is_one_term = bool(term_of(a)[1]) and term_of(a) == term_of(b)
    return "initials" if is_one_term and (_initials(words, b) or _initials(theirs, a)) else ""


def _told_alike(a: str, b: str) -> str:
    """How two plain labels tell that they may be one thing."""
    if term_of(a)[1] and term_of(a) == term_of(b):
        return "term"
    return "order" if sorted(_words(a)) == sorted(_words(b)) else ""


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


@lru_cache(maxsize=50_000)
def _plain(label: str) -> str:
    """Without accents, in simplified characters and American spelling."""
    bare = "".join(
        sign for sign in unicodedata.normalize("NFD", simplified(normal(label))) if not unicodedata.combining(sign)
    )
    for found, put in _SPELT:
        bare = found.sub(put, bare)
    return bare


def _joined(plain: str) -> str:
    """Without spaces, hyphens and particles; with numbers as digits."""
    counted = _COUNTED.sub(lambda sign: str("零一二三四五六七八九".index(sign[0])), plain)
    return "".join(sign for sign in counted if sign.isalnum() and sign not in _PARTICLES)


def _words(plain: str) -> list[str]:
    """The words of a label without articles and particles, each in the singular; of somebody with a title as said."""
    found = [word for word in _WORD.findall(plain) if word not in _ARTICLES and word not in _PARTICLES]
    return found if _TITLES & set(found) else [_singular(word) for word in found]


def _singular(word: str) -> str:
    """One form of singular and plural: headach for headache and headaches, box for box and boxes."""
    if len(word) < _PLURAL_MIN or word in _NO_PLURAL:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _HISSING_E.sub("", word)


def _initials(words: Sequence[str], plain: str) -> bool:
    """Whether a label is the initials of these words."""
    return len(words) > 1 and plain == "".join(word[0] for word in words)


@lru_cache(maxsize=50_000)
def relatives_in(label: str) -> frozenset[str]:
    """The relatives that a label names, each by one word."""
    said = (found.group("zh") or found.group("en") for found in _KIN.finditer(normal(label)))
    return frozenset(_ROLES.get(word, word) for word in said)


def _is_named(one: str, other: str) -> bool:
    """Whether either says a name that does not stand in the other."""
    return not (_names(one) <= _lowered(other) and _names(other) <= _lowered(one))


def _names(label: str) -> set[str]:
    return set(map(str.casefold, _CAPITAL.findall(label)))


def _lowered(label: str) -> set[str]:
    return set(_WORD.findall(label.casefold()))
