"""Whether two labels are likely one thing: by how they are written, else by how near their meanings lie. Pure.

What is written alike is one by itself: the same letters in another script, in American spelling, with other spaces
where they say nothing. All else decides nothing, it is shown to somebody who may say so: another hyphen, another number
of a word, other accents, the same words in another order, two names of one disease, a meaning that lies near (no
threshold keeps 高血压 and 低血压 apart). Cosines are calibrated, since those of a model are squeezed and none carries
over to another model:

    c = (cosine - m) / (1 - m)        m: the mean cosine of two of the user's own labels, of MEASURED_MIN at least

Guards (`memory.graph.identity.guard`) forbid either (docs/decisions/0043).
"""

import re
import unicodedata
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.clinical.kin import KIN_EN, KIN_ZH
from memory.clinical.sketch import simplified
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.graph.created import normal
from memory.graph.identity import guard, term_of
from memory.language.numerals import CHINESE_DIGITS
from memory.language.words import listed

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
_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_JOINT: Final = re.compile(
    r"(?<=[\u3400-\u9fff])\s+(?=\w)|(?<=\w)\s+(?=[\u3400-\u9fff])|(?<=[a-z])[\s-]+(?=\d)|(?<=\d)[\s-]+(?=[a-z])"
)
"""Spaces beside a Chinese character, and between letters and digits: CT 检查, covid-19, 2 mg. All other signs are kept:
a green house is no greenhouse."""
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[a-z])[\s\u2010\u2011-]+(?=[a-z])")
_ARTICLES: Final = frozenset({"an", "the", "my", "some"})
_PLURAL_MIN: Final = 4
_HISSING_E: Final = re.compile(r"(?<=ch|sh)e$|(?<=[sxz])e$")
_COUNTED: Final = re.compile(r"[一二三四五六七八九](?=[型期级度号楼层])")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_SAYS_MORE: Final = re.compile(r"[^\w\s'\u2019\u2010\u2011-]")
_LATIN_END: Final = "\u0250"


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
    if _written_alike(one, other):
        return Likeness(Verdict.SAME, 1.0, "spelling")
    if why := _told_alike(a, b):
        return Likeness(Verdict.MAYBE, _TOLD, why)
    if calibrated is None or calibrated < MAYBE_ABOVE:
        return _UNLIKE
    return Likeness(Verdict.MAYBE, min(1.0, calibrated), "meaning")


def keys(label: str) -> list[tuple[str, ...]]:
    """Labels that are alike by their writing have a key in common. Those that have need not be alike."""
    plain = _plain(label)
    found: list[tuple[str, ...]] = [("spelt", _BETWEEN_LETTERS.sub("", _spelt(_bare(plain))))]
    if words := _words(plain):
        found.append(("words", *sorted(words)))
    kind, name = term_of(plain)
    return [*found, ("term", kind, name)] if name else found


def _written_alike(one: str, other: str) -> bool:
    """Whether two labels are the same words; of a character that stands for two nobody can tell."""
    if _spelt(_plain(one)) != _spelt(_plain(other)):
        return False
    a, b = (_JOINT.sub("", normal(label)) for label in (one, other))
    return not any(x != y and simplified(x) in _two_characters() for x, y in zip(a, b, strict=False))


def _told_alike(a: str, b: str) -> str:
    """How two plain labels tell that they may be one thing."""
    if term_of(a)[1] and term_of(a) == term_of(b):
        return "term"
    if _spelt(_bare(a)) == _spelt(_bare(b)):
        return "accent" if _HAN.search(a) is None else "character"
    if _BETWEEN_LETTERS.sub("", a) == _BETWEEN_LETTERS.sub("", b):
        return "hyphen"
    words, theirs = _words(a), _words(b)
    if not words or _HAN.search(a):
        return ""
    return "number" if words == theirs else "order" if sorted(words) == sorted(theirs) else ""


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
    """In one form, simplified characters, American spelling and numbers as digits."""
    text = _COUNTED.sub(lambda sign: str(CHINESE_DIGITS[sign[0]]), simplified(normal(label)))
    return _WORD.sub(lambda word: _american().get(word[0], word[0]), text)


def _spelt(plain: str) -> str:
    return _JOINT.sub("", plain)


def _bare(plain: str) -> str:
    """Without the accents of Latin letters."""
    return "".join(unicodedata.normalize("NFD", sign)[0] if sign < _LATIN_END else sign for sign in plain)


def _words(plain: str) -> list[str]:
    """The words of a label without articles, each in the singular; none where it says more than words."""
    if _SAYS_MORE.search(plain):
        return []
    return [_singular(word) for word in _WORD.findall(plain.removeprefix("a ")) if word not in _ARTICLES]


def _singular(word: str) -> str:
    """One form of singular and plural: headach for headache and headaches, box for box and boxes."""
    if len(word) < _PLURAL_MIN:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _HISSING_E.sub("", word)


@cache
def _american() -> dict[str, str]:
    return dict(line.split() for line in listed("en", "spellings"))


@cache
def _two_characters() -> frozenset[str]:
    """Simplified characters that stand for two others: 面 for 面 and 麵."""
    return frozenset(listed("zh", "two_characters")[0])


@lru_cache(maxsize=50_000)
def relatives_in(label: str) -> frozenset[str]:
    """The relatives that a label names, each by one word."""
    said = (found.group("zh") or found.group("en") for found in _KIN.finditer(normal(label)))
    return frozenset(_ROLES.get(word, word) for word in said)
