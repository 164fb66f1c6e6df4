"""Words as the keyword search sees them: the same cutting for what is stored and for what is asked.

Chinese is cut by `rjieba.cut_for_search`, which cuts long words into their parts too (上海浦东: 上海, 浦东), and
the signs of its words are terms as well: a question seldom has the very words of what was said. English is
lower-cased and stemmed. Words that stand everywhere are left out.
"""

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final

import Stemmer

from memory.language.words import common, listed

_RUN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9]+|[a-z0-9]+")
"""Between and after the blocks of Han stand hexagrams and places of nothing."""
_APOSTROPHE: Final = re.compile(r"(?<=[a-z])['\u2019](?:s|re|ve|ll|d|m|t)\b")
_STEMMER: Final = Stemmer.Stemmer("english", 0)
TERM_CHARS_MAX: Final = 64
_NUMBER_BYTES: Final = 6
TERMS_VERSION: Final = 1
"""Raised when `terms` or `in_context` make other terms of a text: stores then ask for `anamnesis reindex`."""


STOP_EN: Final = frozenset(listed("en", "stop"))
STOP_ZH: Final = frozenset(listed("zh", "stop"))
_JOINING: Final = frozenset({"a", "an", "the", "of", "and", "or", "的", "和", "与", "及"})


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


@cache
def _cutter() -> Callable[[str], list[str]]:
    """The Chinese dictionary, loaded at its first use: it would be a tenth of the gateway's start."""
    cut: Callable[[str], list[str]] = importlib.import_module("rjieba").cut_for_search
    return cut


def normalise(text: str) -> str:
    """Lower case, and one form for what looks the same (full-width letters, ligatures)."""
    return unicodedata.normalize("NFKC", text).lower()


def terms(text: str) -> list[str]:
    """Terms of a text in their order, stop words left out."""
    found: list[str] = []
    for run in _RUN.findall(_APOSTROPHE.sub("", normalise(text))):
        if run[0] > "\u3000":
            words = [word for word in _cutter()(run) if word not in STOP_ZH]
            found += words
            found += [sign for word in words if len(word) > 1 for sign in word if sign not in STOP_ZH]
        elif run not in STOP_EN:
            found.append(_stem(run[:TERM_CHARS_MAX]))
    return found


def is_uncommon(text: str) -> bool:
    """Whether no everyday word of either language stands in a text, but such as join others: it may be a name."""
    words = list[str]()
    for run in _RUN.findall(_APOSTROPHE.sub("", normalise(text))):
        cut = _cutter()(run) if run[0] > "\u3000" else (run, _stem(run[:TERM_CHARS_MAX]))
        words += (*cut, *(sign for word in cut for sign in word if sign in STOP_ZH))
    everyday = (STOP_EN | STOP_ZH | common()) - _JOINING
    return bool(words) and everyday.isdisjoint(words)


@lru_cache(maxsize=50_000)
def number_of(term: str) -> int:
    """A number of 48 bits that stands for a term."""
    return int.from_bytes(blake2b(term.encode(), digest_size=_NUMBER_BYTES).digest(), "little")


def distinct(texts: Iterable[str]) -> list[str]:
    """Each once, in the order of their first standing."""
    return list(dict.fromkeys(texts))


CONTEXT_WEIGHTS: Final = (-2, -1, 0, 0, 1)
"""Which neighbours' words stand in a passage's index text: its own twice (retrieval of turns: docs/measurements)."""


def in_context(each: Sequence[Sequence[str]], index: int) -> list[str]:
    """The index text of a passage: its own terms twice, and those of the two before and the one after it."""
    found: list[str] = []
    for offset in CONTEXT_WEIGHTS:
        if 0 <= index + offset < len(each):
            found += each[index + offset]
    return found
