"""The words of a label in one form, whatever its script, spelling and spaces. Pure."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

from memory.clinical.kin import KIN_EN, KIN_ZH
from memory.clinical.sketch import simplified
from memory.extraction.facts.zh.words import CLOSE_RELATIVES, RELATIVES
from memory.graph.created import normal
from memory.language.numerals import CHINESE_DIGITS
from memory.language.words import listed

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
ROLES: Final = {
    **RELATIVES,
    **CLOSE_RELATIVES,
    **{word: line[0] for line in _SAME_ROLE for word in line},
}
"""What a relative may be called, and the one word for it: 母亲 is 妈妈, mom is mother."""
UNIT: Final = "mg|mcg|ug|μg|g|kg|ml|l|cm|mm|m|%"
_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_JOINT: Final = re.compile(
    r"(?<=[\u3400-\u9fff])\s+(?=\w)|(?<=\w)\s+(?=[\u3400-\u9fff])|(?<=[a-z])(?:\s+|-)(?=\d)|(?<=\d)[\s-]+(?=[a-z])"
)
"""Spaces beside a Chinese character, and between letters and digits: CT 检查, covid-19, 2 mg. All other signs are kept:
a green house is no greenhouse."""
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[a-z])[\s\u2010\u2011-]+(?=[a-z])")
_ARTICLES: Final = frozenset({"an", "the", "my", "some"})
_PLURAL_MIN: Final = 4
_HISSING_E: Final = re.compile(r"(?<=ch|sh)e$|(?<=[sxz])e$")
_COUNTED: Final = re.compile(r"(?<![十百千零〇一二三四五六七八九])[一二三四五六七八九](?=[型期级度号楼层])")
HAN: Final = re.compile(r"[\u3400-\u9fff]")
_SMALL: Final = frozenset({"a", "an", "the", "my", "some", "of", "in", "on", "at", "for", "to"})
_INITIALS: Final = range(2, 7)
"""How many words are told by their first letters."""
_SAYS_MORE: Final = re.compile(r"[^\w\s'\u2019\u2010\u2011-]")
_LATIN_END: Final = "\u0250"


@lru_cache(maxsize=50_000)
def plain_of(label: str) -> str:
    """In one form, simplified characters, American spelling and numbers as digits."""
    text = _COUNTED.sub(lambda sign: str(CHINESE_DIGITS[sign[0]]), simplified(normal(label)))
    return _WORD.sub(lambda word: _american().get(word[0], word[0]), text)


def closed(plain: str) -> str:
    """Without the spaces that say nothing."""
    return _JOINT.sub("", plain)


def tight(plain: str) -> str:
    """Without spaces and hyphens between Latin letters: a green house is a greenhouse."""
    return _BETWEEN_LETTERS.sub("", plain)


def bare(plain: str) -> str:
    """Without the accents of Latin letters."""
    return "".join(unicodedata.normalize("NFD", sign)[0] if sign < _LATIN_END else sign for sign in plain)


def words_of(plain: str) -> list[str]:
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


@lru_cache(maxsize=50_000)
def relatives_in(label: str) -> frozenset[str]:
    """The relatives that a label names, each by one word."""
    said = (found.group("zh") or found.group("en") for found in _KIN.finditer(normal(label)))
    return frozenset(ROLES.get(word, word) for word in said)


def initials(label: str) -> list[str]:
    """The first letters by which a label of some words may be told, or a label that may be such letters."""
    text = plain_of(label)
    if HAN.search(text):
        return []
    if text.isalpha() and len(text.removesuffix("s")) in _INITIALS:
        return [text.removesuffix("s")]
    parts = _WORD.findall(text)
    few = [word for word in parts if word not in _SMALL]
    return list({"".join(word[0] for word in each) for each in (parts, few) if len(each) in _INITIALS})


@cache
def places() -> frozenset[str]:
    """Names of places, in one form."""
    return frozenset(normal(each) for each in (*listed("zh", "places"), *listed("en", "places")))
