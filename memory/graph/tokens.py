"""The words of a label, as names are compared: one form of each, Chinese by character. Pure."""

import re
from functools import cache
from typing import Final, NamedTuple

import Stemmer

from memory.graph.amounts import in_figures
from memory.graph.wording import bare, plain_of
from memory.language.words import listed

_TOKEN: Final = re.compile(
    r"[\u3400-\u9fff]|\d+(?:[-:]\d+)+|\d+(?:\.\d+)?(?:e[+-]\d+)?[a-z]*|[^\W\d_\u3400-\u9fff]+|[+%#<>=$€£¥]+|(?<![\w)])-(?=[\d)])|[\u2600-\u27bf\U0001f300-\U0001faff]"
)
_POSSESSIVE: Final = re.compile(r"(?<=[a-z])['\u2019]s?(?![a-z])")
_APOSTROPHE: Final = re.compile(r"(?<=[a-z])['\u2019](?=[a-z])")
_HYPHEN: Final = re.compile(r"(?<=[a-z])[\u2010\u2011-](?=[a-z])")
_INITIALS: Final = re.compile(r"\b(?:[a-z]\.){2,}(?![a-z])")
_STEMMER: Final = Stemmer.Stemmer("english", 0)
_STEM_MIN: Final = 4


class Token(NamedTuple):
    """A word in its one form, and where it stands in the prepared label."""

    word: str
    start: int
    end: int


def prepared(label: str) -> str:
    """A label in one form: amounts in figures, no possessives, no hyphens between letters, no stops in initials."""
    text = _INITIALS.sub(lambda found: found[0].replace(".", ""), bare(plain_of(label)))
    return in_figures(_HYPHEN.sub("", _APOSTROPHE.sub("", _POSSESSIVE.sub("", text)))).strip()


def tokens_of(label: str) -> list[Token]:
    """The words of a label that is not prepared yet."""
    return tokens(prepared(label))


def tokens(text: str) -> list[Token]:
    """The words of a prepared label."""
    return [Token(_form(found[0]), found.start(), found.end()) for found in _TOKEN.finditer(text)]


def _form(word: str) -> str:
    if len(word) < _STEM_MIN or not word.isascii() or not word.isalpha():
        return word
    return str(_STEMMER.stemWord(word))


def is_small(word: str) -> bool:
    """Whether a word in its one form says nothing in a label: articles, of, 的."""
    return word in _small()


@cache
def _small() -> frozenset[str]:
    return frozenset(_form(word) for language in ("zh", "en") for word in listed(language, "small_words"))
